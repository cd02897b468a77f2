"""`manage.py evaluate report`: the product's own figures on labelled questions."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from pydantic import ValidationError

from citations.models import Citation
from exports.document import ContradictionEntry, Document
from research.accounts import Account
from research.evaluation.report import (
    GoldFile,
    Judged,
    Reported,
    figures,
    judge_answerable,
    judge_disagreement,
    judge_unanswerable,
)
from research.foreground import NoSuchLibrary, ask, open_library, workplace
from research.models import Kind
from research.tenancy import tenant_context


class Command(BaseCommand):
    help = "Ask the questions of a gold file and print what share of them was answered well."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["report"])
        parser.add_argument("--library", required=True, metavar="DIR")
        parser.add_argument("--gold", metavar="FILE", help="gold.json of the library by default")
        parser.add_argument("--output", metavar="FILE", help="write each question's outcome here")

    def handle(self, *args: str, **options: str) -> None:
        gold = read_gold(Path(options["gold"] or Path(options["library"]) / "gold.json"))
        try:
            with workplace() as account:
                folder = open_library(account, options["library"])
                judged = list(self._judge(gold, account, folder))
        except NoSuchLibrary as error:
            raise CommandError(str(error)) from error
        found = asdict(figures(judged))
        if options["output"]:
            rows = {"figures": found, "questions": [asdict(one) for one in judged]}
            Path(options["output"]).write_text(json.dumps(rows, indent=1))
        self.stdout.write(json.dumps(found))

    def _judge(self, gold: GoldFile, account: Account, folder: str) -> Iterator[Judged]:
        def reported(question: str) -> Reported:
            document = ask(account, Kind.REPORT, question, {"folders": [folder]})
            with tenant_context(account.tenant_id):
                return report_of(document, misquoted=count_misquotes(document.run_id))

        for judged in _judgements(gold, reported):
            self.stderr.write(f"{judged.id} {'hit' if judged.hit else '-'} rank={judged.rank}"
                              f" insufficient={judged.insufficient} {judged.seconds:.1f} s")  # fmt: skip
            yield judged


def _judgements(gold: GoldFile, reported: Callable[[str], Reported]) -> Iterator[Judged]:
    yield from (judge_answerable(one, reported(one.question)) for one in gold.answerable)
    yield from (judge_unanswerable(one, reported(one.question)) for one in gold.unanswerable)
    yield from (judge_disagreement(one, reported(one.topic)) for one in gold.disagreements)


def read_gold(path: Path) -> GoldFile:
    """Raises CommandError where the file is missing or not a gold file."""
    try:
        return GoldFile.model_validate_json(path.read_text())
    except (OSError, ValidationError) as error:
        raise CommandError(f"{path} cannot be read as a gold file: {error}") from error


def count_misquotes(run_id: UUID) -> int:
    """Citations whose quote is not `text[start:end]` of their source. The database refuses such rows: always 0."""
    citations = Citation.objects.filter(claim__run_id=run_id).select_related("source__content")
    return sum(one.quote != one.source.text[one.start_offset : one.end_offset] for one in citations)


def report_of(document: Document, *, misquoted: int = 0) -> Reported:
    return Reported(
        insufficient=document.status == "insufficient_evidence",
        quotes=tuple(tuple(citation.quote for citation in claim.citations) for claim in document.claims),
        disputed=tuple(pair for one in document.contradictions for pair in _pairs(one)),
        seconds=document.seconds or 0.0,
        misquoted=misquoted,
    )


def _pairs(dispute: ContradictionEntry) -> Iterator[tuple[str, str]]:
    for a in dispute.a.citations:
        for b in dispute.b.citations:
            yield a.quote, b.quote
