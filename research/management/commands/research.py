"""`manage.py research "question"`: one question, answered in this process."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from django.core.management.base import BaseCommand, CommandError

from exports.answer import answer
from exports.document import Document, cited_of
from research.accounts import NoAccount
from research.acquisition.urls import UrlRefused
from research.foreground import NoSuchLibrary, ask, open_library, workplace
from research.management.options import settings_of
from research.management.progress import progress_bar
from research.models import Kind
from research.reading.vectors.minilm_files import ModelFilesError
from research.recipes.report.config import ConfigError
from research.recipes.report.must_read import pasted_address, site_name, why_not_read
from research.runs import InvalidTopic, StartRefused
from research.tenancy import tenant_context

EXIT_CODES = {"done": 0, "insufficient_evidence": 3}  # anything else: 1


class Command(BaseCommand):
    help = "Answer a question from a library. Exit status: 0 done, 3 insufficient evidence, 1 failed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument(
            "--library", metavar="DIR", help="a folder of documents, or the name of an imported one"
        )
        parser.add_argument("--kind", choices=Kind.values, default=Kind.REPORT)
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the run"
        )
        parser.add_argument(
            "--sources", choices=["library", "web", "both"], help="what to draw on; the library by default"
        )
        parser.add_argument(
            "--url",
            action="append",
            default=[],
            metavar="ADDRESS",
            help="a page that must be read; repeatable",
        )
        parser.add_argument(
            "--exclude", action="append", default=[], metavar="SITE", help="a site to leave out; repeatable"
        )
        parser.add_argument("--user", help="whose tenant to work in; the local account by default")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: str, **options: str) -> None:
        try:
            document = self._answer(options)
        except (ConfigError, InvalidTopic, ModelFilesError, NoAccount, NoSuchLibrary, StartRefused) as error:
            raise CommandError(str(error), returncode=1) from error
        if options["json"]:
            self.stdout.write(json.dumps(answer(document), ensure_ascii=False))
        else:
            self.stdout.write("\n".join(readable(document)))
        sys.exit(EXIT_CODES.get(document.status, 1))

    def _answer(self, options: dict[str, str]) -> Document:
        config = settings_of(options["set"])
        config |= _web(options["sources"], options["url"], options["exclude"])
        with workplace(options["user"]) as account:
            with tenant_context(account.tenant_id):
                _check_pages(options["url"], str(config.get("sources", "library")))
            if options["library"]:
                config["folders"] = [open_library(account, options["library"])]
            with progress_bar(account.tenant_id, self.stderr):
                return ask(account, options["kind"], options["question"], config)


def _web(sources: str | None, urls: Sequence[str], sites: Sequence[str]) -> dict[str, object]:
    """Raises ConfigError."""
    try:
        excluded = [site_name(site) for site in sites]
    except UrlRefused as error:
        raise ConfigError(f"--exclude takes a site such as example.org: {error}") from error
    given = {
        "sources": sources,
        "urls": [pasted_address(url) for url in urls],
        "excluded_domains": excluded,
    }
    return {name: value for name, value in given.items() if value}


def _check_pages(urls: Sequence[str], sources: str) -> None:
    """Raises ConfigError that names every page that can't be had."""
    faults = [fault for url in urls if (fault := why_not_read(pasted_address(url), sources))]
    if faults:
        raise ConfigError(" ".join(faults))


def readable(document: Document) -> list[str]:
    """The report for a terminal: claims with their numbered sources, then the sources."""
    lines = [document.title, ""]
    lines += [f"  {reason}" for reason in document.reasons]
    for section in document.sections:
        lines += ["", section.heading, ""]
        for claim in section.claims:
            labels = "".join(dict.fromkeys(citation.label for citation in claim.citations))
            lines.append(f"  {claim.text} {labels} ({claim.strength})")
    lines += ["", *(f"! {one.reason}" for one in document.degradations)] if document.degradations else []
    cited = cited_of(document.sources)
    lines += [
        "",
        *(f"[{one.number}] {one.title} {one.published} {one.url or one.file}".rstrip() for one in cited),
    ]
    return lines
