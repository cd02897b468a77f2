"""The alignment of a claim's words with its sources, as it is stored for the reader."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.anchoring import Span
from citations.entailment.claim_alignment import ClaimPart, PartKind, PartState
from citations.models import Citation
from citations.verification import Verdict
from research.models import Content
from research.models.schemas import StoredPart, StoredTable

NEIGHBOURS = 300  # characters on either side of a quote that are read with it


@dataclass(frozen=True, slots=True)
class QuoteWindow:
    """The words that a claim is checked against: a quote with its neighbours, from `start` of its source's text."""

    citation: UUID
    text: str
    start: int


def window(citation: Citation) -> QuoteWindow:
    span = Span(citation.start_offset, citation.end_offset)
    around = surroundings(citation.source.content, span)
    return QuoteWindow(citation.pk, around.cut(citation.source.text), around.start)


def surroundings(content: Content | None, quote: Span) -> Span:
    """Return the span of a quote with its neighbours.

    A quote from a table is read with the whole table: a cell means nothing without its row and column.
    """
    start, end = max(0, quote.start - NEIGHBOURS), quote.end + NEIGHBOURS
    for table in _tables_at(content, quote):
        start, end = min(start, table.start), max(end, table.end)
    return Span(start, end)


def _tables_at(content: Content | None, quote: Span) -> Iterator[StoredTable]:
    for table in content.tables if content else ():
        if table["start"] < quote.end and quote.start < table["end"]:
            yield StoredTable.model_validate(table)


def build_alignment(
    claim: str, windows: Sequence[QuoteWindow], verdicts: Sequence[Verdict], deciding: int
) -> list[StoredPart]:
    """Return the parts of the claim in each window, starting with the window that decided the claim's status."""
    order = sorted(range(len(windows)), key=lambda index: index != deciding)
    return [part for index in order for part in _parts(claim, windows[index], verdicts[index])]


def _parts(claim: str, where: QuoteWindow, verdict: Verdict) -> Iterator[StoredPart]:
    for part in verdict.parts or _verbatim(claim, verdict):
        yield StoredPart(
            start=part.span.start,
            end=part.span.end,
            kind=part.kind.value,
            state=part.state.value,
            source=part.source,
            citation=where.citation,
            source_start=part.source_span.start + where.start if part.source_span else None,
            source_end=part.source_span.end + where.start if part.source_span else None,
        )


def _verbatim(claim: str, verdict: Verdict) -> Iterable[ClaimPart]:
    """Return one part for a claim in the source's own words."""
    if verdict.match_type is None or verdict.span is None:
        return ()
    return (ClaimPart(Span(0, len(claim)), claim, PartKind.WORD, PartState.MATCHED, "", verdict.span),)
