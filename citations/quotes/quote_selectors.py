"""Selectors that find quotes again in a changed copy of their text.

The shape is that of the W3C TextQuoteSelector (Web Annotation Data Model, section 4.2.4).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from citations.anchoring import (
    MAX_PLACES,
    MIN_QUOTE,
    AnchorMatchType,
    QuotableText,
    anchor,
    cuts_word,
    occurrences,
)
from citations.text.approximate_quotes import likeness
from citations.text.quote_normalizing import measure_common_prefix, normalize
from citations.text.quote_span import Span

CONTEXT = 32  # characters stored before and after a quote
_LOOKED_THROUGH = 10_000_000  # characters searched for the end of a changed passage


@dataclass(frozen=True, slots=True)
class TextQuoteSelector:
    """A quote with up to 32 characters of the text before and after it."""

    exact: str
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class StillThere:
    """The same words (perhaps in other typography) are in the text, at `span`."""

    span: Span


@dataclass(frozen=True, slots=True)
class ChangedQuote:
    """Other words are in the place of the quote; `similarity` (0–1) tells how alike they are."""

    span: Span
    similarity: float


@dataclass(frozen=True, slots=True)
class MissingQuote:
    """Neither the quote nor its surroundings are in the text."""


def selector(text: str, span: Span) -> TextQuoteSelector:
    """Describe a span of a text so that it can be found again in a changed copy."""
    return TextQuoteSelector(
        exact=span.cut(text),
        prefix=text[max(0, span.start - CONTEXT) : span.start],
        suffix=text[span.end : span.end + CONTEXT],
    )


def reanchor(
    selector: TextQuoteSelector, changed_text: str | QuotableText
) -> StillThere | ChangedQuote | MissingQuote:
    """Find a quote again in a copy of its text that may have been edited."""
    copy = changed_text if isinstance(changed_text, QuotableText) else QuotableText(changed_text)
    place = _find_by_surroundings(selector, copy.text)
    if place is not None:
        return StillThere(place)
    anchored = anchor(selector.exact, copy, with_omissions=False)
    if (
        anchored is not None
        and anchored.match_type is not AnchorMatchType.CLOSE
        and _is_whole(copy.text, anchored.span)
    ):
        return StillThere(anchored.span)
    now = _find_replacement(selector, copy)
    if now is None and anchored is not None:
        return ChangedQuote(anchored.span, anchored.similarity)
    return now or MissingQuote()


def _is_whole(text: str, span: Span) -> bool:
    return not (cuts_word(text, span.start) or cuts_word(text, span.end))


def _find_by_surroundings(selector: TextQuoteSelector, text: str) -> Span | None:
    """Return the place of the exact words whose context fits best; short quotes need a fitting context."""
    if not selector.exact:
        return None
    found = islice(occurrences(selector.exact, text), MAX_PLACES)
    places = (span for span in found if _is_as_it_stood(selector, text, span))
    best = max(places, key=lambda span: (_fit(selector, text, span), -span.start), default=None)
    if best is None or len(selector.exact) >= MIN_QUOTE:
        return best
    return best if _fit(selector, text, best) >= MIN_QUOTE else None


def _is_as_it_stood(selector: TextQuoteSelector, text: str, span: Span) -> bool:
    """False for "5 characters" in what is now "15 characters"; a word that was always cut is no change."""
    begins = not cuts_word(text, span.start) or text[span.start - 1] == selector.prefix[-1:]
    ends = not cuts_word(text, span.end) or text[span.end] == selector.suffix[:1]
    return begins and ends


def _fit(selector: TextQuoteSelector, text: str, span: Span) -> int:
    """Return the number of matching characters before and after the span, counted outwards from the span."""
    before = text[max(0, span.start - CONTEXT) : span.start]
    after = text[span.end : span.end + CONTEXT]
    return measure_common_prefix(selector.prefix[::-1], before[::-1]) + measure_common_prefix(
        selector.suffix, after
    )


def _find_replacement(selector: TextQuoteSelector, copy: QuotableText) -> StillThere | ChangedQuote | None:
    """Return the words between the old surroundings, in any typography; None if these are gone, or far apart."""
    prefix, suffix = normalize(selector.prefix), normalize(selector.suffix)
    for length in (CONTEXT, MIN_QUOTE):  # an edit may have reached into the surroundings, too
        between = _between(prefix[-length:], suffix[:length], normalize(selector.exact), copy)
        if between is not None:
            return between
    return None


def _between(prefix: str, suffix: str, exact: str, copy: QuotableText) -> StillThere | ChangedQuote | None:
    if min(len(prefix), len(suffix)) < MIN_QUOTE:
        return None
    normal = copy.normalized.normal
    gaps = _gaps(prefix, suffix, normal, 3 * len(exact) + 200)
    gap = min(gaps, key=lambda span: abs(len(span) - len(exact)), default=None)
    if gap is None:
        return None
    span = copy.normalized.original(gap)
    now = gap.cut(normal)
    return StillThere(span) if now == exact else ChangedQuote(span, likeness(exact, now))


def _gaps(prefix: str, suffix: str, normal: str, longest: int) -> Iterator[Span]:
    """Yield the spans between prefix and suffix, without surrounding space; empty ones are left out."""
    for before in islice(occurrences(prefix, normal), max(1, _LOOKED_THROUGH // longest)):
        end = normal.find(suffix, before.end, before.end + longest + len(suffix))
        words = normal[before.end : end] if end >= 0 else ""
        if words.strip():
            start = before.end + len(words) - len(words.lstrip())
            yield Span(start, start + len(words.strip()))
