"""The questions of a gold file, asked of a library, and what came of each."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

from citations.models import Citation
from exports.document import ContradictionEntry, Document
from research.accounts import Account
from research.evaluation.report import (
    GoldFile,
    Judged,
    Reported,
    judge_answerable,
    judge_disagreement,
    judge_unanswerable,
)
from research.foreground import ask
from research.models import Kind
from research.tenancy import tenant_context


def read_gold(path: Path) -> GoldFile:
    """Raises OSError where the file cannot be read and ValidationError where it is no gold file."""
    return GoldFile.model_validate_json(path.read_text())


def ask_all(gold: GoldFile, account: Account, folder: str) -> Iterator[Judged]:
    """Every question answered by a run of its own over the folder, one after the other."""

    def reported(question: str) -> Reported:
        document = ask(account, Kind.REPORT, question, {"folders": [folder]})
        with tenant_context(account.tenant_id):
            return report_of(document, misquoted=count_misquotes(document.run_id))

    yield from _judgements(gold, reported)


def _judgements(gold: GoldFile, reported: Callable[[str], Reported]) -> Iterator[Judged]:
    yield from (judge_answerable(one, reported(one.question)) for one in gold.answerable)
    yield from (judge_unanswerable(one, reported(one.question)) for one in gold.unanswerable)
    yield from (judge_disagreement(one, reported(one.topic)) for one in gold.disagreements)


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
