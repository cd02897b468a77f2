"""`manage.py research "question"`: answer one question in this process."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence

from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel

from citations.credibility.source_recency import RecencyBias
from citations.credibility.source_regions import Region
from exports.building.build_document_authorship import (
    describe_authorship,
    describe_unjudged_answer,
    select_shown_degradations,
    without_model,
)
from exports.building.build_document_method import build_searched_entry
from exports.document.document_attribution import date_of
from exports.document.document_tree import (
    ANSWER,
    BlockEntry,
    ClaimEntry,
    Document,
    SourceEntry,
    TableEntry,
    select_cited_sources,
)
from exports.export_answer_json import answer
from exports.labels.format_document_values import (
    describe_attribution,
    describe_check,
    describe_search_scope,
    empty_section,
    labels,
    notes_on_answer,
    sources_missing,
)
from exports.stored.exported_headings import translate_heading
from exports.stored.translate_exported_sentences import translate_stored_text
from research.accounts.notification_mail import link
from research.accounts.people import NoAccount, PersonalAccount
from research.agents.tools.evidence.agent_named_sources import parse_doi, site_name, to_page_url
from research.db.tenancy import tenant_context
from research.fetching.strict_urls import UrlRefused
from research.library.library_folders import library_folders
from research.library.library_scope import usual_folders
from research.management.command_input_files import input_of
from research.management.command_library import NothingToRead, check_stock, wait_for_sample
from research.management.command_options import settings_of
from research.management.command_progress_bar import progress_bar
from research.management.command_table_options import add_table_arguments, table_of
from research.models import Kind, Run
from research.parsing.vectors.minilm_files import ModelFilesError
from research.pipelines.pipeline_in_foreground import NoSuchLibrary, ask_kind, open_library, workplace
from research.pipelines.pipeline_kinds import REFUSALS, AnyKind, kind_of
from research.pipelines.report.report_config import DEPTHS, ConfigError
from research.pipelines.report.report_required_sources import NoSuchDocument, document_named

REPEATABLE = (
    ("doi", "DOI", "a paper that must be read"),
    ("document", "NAME", "a document of the library that must be read, by its title or file name"),
    ("prefer", "SITE", "a site to read first"),
    ("exclude", "SITE", "a site to leave out"),
    ("region", "REGION", f"a part of the world to look in ({', '.join(Region)})"),
    ("language", "CODE", "a language that sources may be in, such as en"),
    ("subtopic", "TOPIC", "a part that the report must have, with a section of its own"),
    ("without", "SUBJECT", "a subject that the report leaves out"),
)
NARROWING = (
    ("depth", tuple(DEPTHS), "how many sources to look for (10, 30, 75, 200); standard by default"),
    ("recency", tuple(RecencyBias), "how much the age of sources counts; balanced by default"),
)
THIN_CLAIMS = ("mark", "leave_out")
ALL = "all"  # in place of names: the whole library
EXIT_CODES = {"done": 0, "insufficient_evidence": 3}  # anything else: 1


class Command(BaseCommand):
    help = (
        "Answer a question from a library. Nobody is asked on the way, unless --set reviews=ask says so."
        " Exit status: 0 done, 3 insufficient evidence, 1 failed or waiting."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "question", nargs="?", default="", help="the question, for kinds that need only a question"
        )
        parser.add_argument(
            "--input",
            metavar="FILE",
            help="the input, as JSON or in a file format of the kind; - for standard input",
        )
        parser.add_argument(
            "--library",
            action="append",
            default=[],
            metavar="DIR",
            help="what to search: a folder of documents, which is imported as needed, or the name of an imported one,"
            " such as “Sample library”; repeatable. “all”: the whole library. By default your own documents; the"
            " sample library where there are none",
        )
        parser.add_argument("--kind", choices=Kind.values, default=Kind.REPORT)
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the run"
        )
        parser.add_argument(
            "--sources", choices=["library", "web", "both"], help="sources to use; the library by default"
        )
        parser.add_argument(
            "--url",
            action="append",
            default=[],
            metavar="ADDRESS",
            help="a page that must be read; repeatable",
        )
        for name, metavar, words in REPEATABLE:
            parser.add_argument(
                f"--{name}", action="append", default=[], metavar=metavar, help=f"{words}; repeatable"
            )
        parser.add_argument(
            "--words", type=int, help="maximum length of the report; determined by the depth by default"
        )
        parser.add_argument(
            "--claim-sources", type=int, metavar="N", help="independent sources required per claim, 1 to 5"
        )
        parser.add_argument("--thin-claims", choices=THIN_CLAIMS, help="what happens to claims with fewer")
        parser.add_argument(
            "--commentary", action="store_true", help="add a section that weighs the evidence"
        )
        parser.add_argument("--slides", action="store_true", help="make slides with the run")
        for name, choices, words in NARROWING:
            parser.add_argument(f"--{name}", choices=choices, help=words)
        add_table_arguments(parser)
        parser.add_argument("--user", help="user in whose workspace to work; the local account by default")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: str, **options: str) -> None:
        try:
            document, words, further = self._answer(options)
        except (ModelFilesError, NoAccount, NoSuchLibrary, NothingToRead, *REFUSALS) as error:
            raise CommandError(str(error), returncode=1) from error
        if document.status == "partial":
            self.stderr.write(f"The run waits for a person: {link(f'/runs/{document.run_id}/')}")
        if document.failure:
            self.stderr.write(f"The run failed: {document.failure}")
        if alone := without_model(document):
            self.stderr.write(alone)
        if options["json"]:
            self.stdout.write(json.dumps({**answer(document), **further}, ensure_ascii=False))
        else:
            self.stdout.write(words)
        sys.exit(EXIT_CODES.get(document.status, 1))

    def _answer(self, options: dict[str, str]) -> tuple[Document, str, Mapping[str, object]]:
        """Return the document, its text for a terminal, and extra JSON fields of its kind."""
        kind = kind_of(options["kind"])
        config = settings_of(options["set"])
        parsed_input = _parse_input(kind, options)
        config |= _web(options) | _build_search_options(options)
        with workplace(options["user"]) as account:
            wait_for_sample(account.tenant_id, kind, config, options["library"], self.stderr.write)
            with tenant_context(account.tenant_id):
                config |= _documents(options["document"])
            config |= _folders(account, kind, options["library"], config)
            check_stock(account.tenant_id, kind, config)
            with progress_bar(account.tenant_id, self.stderr):
                document = ask_kind(account, kind.kind, parsed_input, config, self._say_searched)
            with tenant_context(account.tenant_id):
                words = kind.printed(document) if kind.printed else "\n".join(readable(document))
                return document, words, kind.further_json(document) if kind.further_json else {}

    def _say_searched(self, run: Run) -> None:
        if entry := build_searched_entry(run):
            self.stderr.write(f"Searching: {describe_search_scope(entry)}")


def _folders(
    account: PersonalAccount, kind: AnyKind, libraries: Sequence[str], config: Mapping[str, object]
) -> dict[str, object]:
    """Return the folders to search as a setting. Raises NoSuchLibrary."""
    if [name.casefold() for name in libraries] == [ALL]:
        return {"folders": []}
    if libraries:
        return {"folders": list(dict.fromkeys(open_library(account, name) for name in libraries))}
    is_searching = "folders" in kind.config.model_fields and config.get("sources") != "web"
    if not is_searching or "folders" in config:
        return {}
    with tenant_context(account.tenant_id):
        return {"folders": usual_folders(library_folders())}


def _parse_input(kind: AnyKind, options: dict[str, str]) -> BaseModel:
    """Return the input of the run; a table's items and columns may come from the command line. Raises
    ConfigError.
    """
    if kind.kind == Kind.TABLE and not options["input"]:
        return table_of(options["question"], options)
    return input_of(kind, options["question"], options["input"])


def _web(options: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return the settings for web sources. Raises ConfigError."""
    given = {
        "sources": options["sources"],
        "urls": [to_page_url(url) for url in options["url"]],
        "dois": _dois(options["doi"]),
        "excluded_domains": _sites(options["exclude"], "--exclude"),
        "priority_domains": _sites(options["prefer"], "--prefer"),
    }
    return {name: value for name, value in given.items() if value}


def _build_search_options(options: Mapping[str, Sequence[str]]) -> dict[str, object]:
    given = {
        "depth": options["depth"],
        "recency_bias": options["recency"],
        "regions": options["region"],
        "languages": options["language"],
        "subtopics": options["subtopic"],
        "excluded_subjects": options["without"],
        "words": options["words"],
        "sources_per_claim": options["claim_sources"],
        "thin_claims": options["thin_claims"],
        "commentary": options["commentary"],
        "slides": options["slides"],
    }
    return {name: value for name, value in given.items() if value}


def _sites(texts: Sequence[str], option: str) -> list[str]:
    try:
        return [site_name(text) for text in texts]
    except UrlRefused as error:
        raise ConfigError(f"{option} takes a site such as example.org: {error}") from error


def _dois(texts: Sequence[str]) -> list[str]:
    try:
        return [parse_doi(text) for text in texts]
    except ValueError as error:
        raise ConfigError(f"--doi: {error}") from error


def _documents(names: Sequence[str]) -> dict[str, object]:
    """Return the named documents as a setting. Raises ConfigError listing unknown ones. Needs the tenant
    set.
    """
    documents, faults = [], []
    for name in names:
        try:
            documents.append(str(document_named(name).pk))
        except NoSuchDocument as error:
            faults.append(str(error))
    if faults:
        raise ConfigError(" ".join(faults))
    return {"documents": documents} if documents else {}


def readable(document: Document) -> list[str]:
    """Return the lines of the report for a terminal: claims with their numbered sources, then the sources."""
    lines = [document.title]
    lines += [f"Searched: {describe_search_scope(document.searched)}"] if document.searched else []
    alone = without_model(document)
    lines += [alone or f"{describe_authorship(document)}."]
    lines += [""]
    lines += [f"  {reason}" for reason in document.reasons]
    lines += _nearest(document)
    lines += [*document.summary, ""] if document.table else []
    lines += _rows(document.table) if document.table else []
    lines += _in_short(document) if document.answer_section else []
    for section in document.body:
        lines += ["", section.heading, ""]
        lines += [line for block in section.blocks for line in _lines_of(block)]
        if not section.blocks and not section.has_parts:
            lines.append(f"  {empty_section(document)}")
        if document.is_answered_by_a_table and section.role == ANSWER:
            lines += ["", *(f"  {note}" for note in notes_on_answer(document))]
    losses = select_shown_degradations(document)
    lines += ["", *(f"! {loss.reason}" for loss in losses)] if losses else []
    lines += (
        ["", *(f"! not read: {unread_file.name}: {unread_file.reason}" for unread_file in document.unread)]
        if document.unread
        else []
    )
    cited = select_cited_sources(document.sources)
    lines += ["", *(f"? {question}" for question in document.follow_ups)] if document.follow_ups else []
    lines += [
        "",
        *(
            f"[{source.number}] {source.title} {_day(source)} {source.url or source.file}".rstrip()
            for source in cited
        ),
    ]
    if document.verification and document.claims:
        checked = (describe_check(document.verification), describe_unjudged_answer(document))
        lines += ["", " ".join(filter(None, checked))]
    return lines


def _nearest(document: Document) -> Iterator[str]:
    """Yield the passages nearest to a question that the sources do not answer, each with its source."""
    if document.nearest:
        yield from ("", "The nearest passages (none of them seems to answer the question)", "")
    for passage in document.nearest:
        yield f"  {passage.text}" + (f" ({passage.attribution})" if passage.attribution else "")


def _in_short(document: Document) -> Iterator[str]:
    yield from ("In short", "")
    for sentence in document.answer:
        yield f"  {_format_claim(sentence.claim) if sentence.claim else sentence.text}"
    yield from (f"  {note}" for note in notes_on_answer(document))


def _lines_of(block: BlockEntry) -> Iterator[str]:
    """Yield a line for each sentence, numbered if they are steps; a table of sentences row by row."""
    if block.table and block.table.is_of_sentences:
        yield from _cells_of(block.table)
        return
    for number, sentence in enumerate(block.sentences, start=1):
        said = _format_claim(sentence.claim) if sentence.claim else sentence.text
        yield f"  {f'{number}. ' if block.kind == 'steps' else ''}{said}"


def _cells_of(table: TableEntry) -> Iterator[str]:
    for row in table.rows:
        yield f"  {row.input}"
        for column, cell in zip(table.columns, row.cells, strict=True):
            named = f"{translate_heading(column.title)}: " if len(table.columns) > 1 else ""
            heads = (row.input, column.title)
            for said in [_format_claim(claim, heads) for claim in cell.claims] or [
                translate_stored_text(cell.reason)
            ]:
                yield f"    {named}{said}"


def _format_claim(claim: ClaimEntry, beside: Sequence[str] = ()) -> str:
    """Return a claim with the numbers of its sources, its attribution and its strength."""
    named = describe_attribution(claim, beside)
    about = "; ".join(filter(None, (named, claim.strength, sources_missing(claim))))
    return " ".join(filter(None, (claim.plain_text, labels(claim), f"({about})")))


def _rows(table: TableEntry) -> Iterator[str]:
    """Yield a table row by row, because it is wider than a terminal."""
    for row in table.rows:
        yield f"{row.number}. {row.input}" + (f": {row.error}" if row.error else "")
        for column, cell in zip(table.columns, row.cells, strict=True):
            named = labels(cell.claim) if cell.claim else ""
            yield f"   {column.title}: {cell.text or f'– ({cell.reason or cell.state})'} {named}".rstrip()
    yield ""


def _day(source: SourceEntry) -> str:
    return date_of(source) or "(date unknown)"
