"""A later check: do a run's quotes still stand in their sources, as the files are now?

Nothing is changed: the report keeps the texts that it was written from.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from citations.anchoring import QuotableText
from citations.models import Citation
from citations.quoting.selectors import Changed, Gone, StillThere, TextQuoteSelector, reanchor
from research.library.reading import load_document
from research.library.scanning import access_message
from research.models import LibraryDocument, Source
from research.objects import ObjectError
from research.reading.child import read_in_child
from research.reading.document import ReadError
from research.tenancy import tenant_context


class Outcome(StrEnum):
    STILL_THERE = "still there"
    CHANGED = "changed"
    GONE = "gone"
    UNREADABLE = "unreadable"  # the file is gone, or cannot be read any more: nothing can be said


@dataclass(frozen=True, slots=True)
class Rechecked:
    """One citation as its source stands now. `similarity` 0–1 and `now` say what stands there instead."""

    claim: int | None
    source: str
    quote: str
    outcome: Outcome
    similarity: float | None = None
    now: str = ""
    reason: str = ""


def recheck(tenant_id: UUID, run_id: UUID) -> Iterator[Rechecked]:
    """Read each cited file of the run again and look its quotes up. Slow: call it outside a transaction."""
    with tenant_context(tenant_id):
        rows = Citation.objects.filter(claim__run_id=run_id, claim__section__isnull=False)
        rows = rows.select_related("claim", "source__library_document").order_by("source_id", "start_offset")
        citations = list(rows)
    by_source: dict[UUID, list[Citation]] = {}
    for citation in citations:
        by_source.setdefault(citation.source_id, []).append(citation)
    for cited in by_source.values():
        yield from _recheck_source(cited[0].source, cited)


def _recheck_source(source: Source, citations: Sequence[Citation]) -> Iterator[Rechecked]:
    try:
        text = QuotableText(_read_again(source.library_document))
    except OSError as error:
        yield from _unreadable(citations, access_message(error))
    except (ObjectError, ReadError) as error:
        yield from _unreadable(citations, str(error))
    else:
        yield from (_rechecked(citation, text) for citation in citations)


def _read_again(document: LibraryDocument | None) -> str:
    if document is None:
        raise ObjectError("The document was removed from the library.")
    return read_in_child(load_document(document).data, document.path).document.text


def _unreadable(citations: Iterable[Citation], reason: str) -> Iterator[Rechecked]:
    for one in citations:
        yield Rechecked(one.claim.number, str(one.source), one.quote, Outcome.UNREADABLE, reason=reason)


def _rechecked(citation: Citation, text: QuotableText) -> Rechecked:
    known = citation.claim.number, str(citation.source), citation.quote
    match reanchor(TextQuoteSelector(citation.quote, citation.prefix, citation.suffix), text):
        case StillThere():
            return Rechecked(*known, Outcome.STILL_THERE, 1.0)
        case Changed(span, similarity):
            return Rechecked(*known, Outcome.CHANGED, round(similarity, 3), span.cut(text.text))
        case Gone():
            return Rechecked(*known, Outcome.GONE)
