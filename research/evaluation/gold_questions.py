"""Read gold files, and convert finished reports into the form that is scored."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from citations.models import Citation
from exports.document.document_tree import ContradictionEntry, Document
from research.evaluation.evaluation_of_reports import GoldFile, ReportContents


def read_gold(path: Path) -> GoldFile:
    """Read a gold file. Raises OSError if it can't be read and ValidationError if it is invalid."""
    return GoldFile.model_validate_json(path.read_text())


def count_misquotes(run_id: UUID) -> int:
    """Return the number of citations whose quote is not `text[start:end]` of their source.

    The database rejects such rows, so it is always 0.
    """
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
