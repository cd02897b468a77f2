"""A gold file, and a finished report as its figures are counted."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from citations.models import Citation
from exports.document.tree import ContradictionEntry, Document
from research.evaluation.evaluate_reports import GoldFile, ReportContents


def read_gold(path: Path) -> GoldFile:
    """Raises OSError where the file cannot be read and ValidationError where it is no gold file."""
    return GoldFile.model_validate_json(path.read_text())


def count_misquotes(run_id: UUID) -> int:
    """Citations whose quote is not `text[start:end]` of their source. The database refuses such rows: always 0."""
    citations = Citation.objects.filter(claim__run_id=run_id).select_related("source__content")
    return sum(
        citation.quote != citation.source.text[citation.start_offset : citation.end_offset]
        for citation in citations
    )


def report_of(document: Document, *, misquoted: int = 0) -> ReportContents:
    return ReportContents(
        insufficient=document.status == "insufficient_evidence",
        quotes=tuple(tuple(citation.quote for citation in claim.citations) for claim in document.claims),
        disputed=tuple(pair for contradiction in document.contradictions for pair in _pairs(contradiction)),
        seconds=document.seconds or 0.0,
        misquoted=misquoted,
    )


def _pairs(dispute: ContradictionEntry) -> Iterator[tuple[str, str]]:
    for a in dispute.a.citations:
        for b in dispute.b.citations:
            yield a.quote, b.quote
