"""Quotes that survive a changed copy: what stood around them, and where they stand now.

The shape is that of the W3C TextQuoteSelector (Web Annotation Data Model, section 4.2.4).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from citations.anchoring import MIN_QUOTE, Anchor, MatchType, anchor
from citations.approximate import edit_distance
from citations.normalizing import NormalizedText, Span

CONTEXT = 32  # characters kept before and after a quote
_MAX_PLACES = 1_000  # of one and the same quote that are compared by their surroundings


@dataclass(frozen=True, slots=True)
class TextQuoteSelector:
    """A quote with up to 32 characters of what stands before and after it."""

    exact: str
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class StillThere:
    """The same words (perhaps in other typography) stand in the text, at `span`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Changed:
    """Other words stand where the quote stood; `similarity` (0–1) tells how alike they are."""

    span: Span
    similarity: float


@dataclass(frozen=True, slots=True)
class Gone:
    """Neither the quote nor its surroundings are in the text."""


@dataclass(frozen=True, slots=True)
class Named:
    """The quote stands in the source that was named for it."""

    source: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Misattributed:
    """The quote stands in another source than the one named, and should be cited from there."""

    source: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Fabricated:
    """The quote stands in no source of the run."""


def selector(text: str, span: Span) -> TextQuoteSelector:
    """Describe a span of a text so that it can be found again in a changed copy."""
    return TextQuoteSelector(
        exact=span.cut(text),
        prefix=text[max(0, span.start - CONTEXT) : span.start],
        suffix=text[span.end : span.end + CONTEXT],
    )


def reanchor(selector: TextQuoteSelector, changed_text: str) -> StillThere | Changed | Gone:
    """Find a quote again in a copy of its text that may have been edited."""
    place = _by_surroundings(selector, changed_text)
    if place is not None:
        return StillThere(place)
    found = anchor(selector.exact, changed_text)
    if found is not None and found.match_type is MatchType.CLOSE:
        return Changed(found.span, found.similarity)
    if found is not None:
        return StillThere(found.span)
    return _what_stands_there_now(selector, changed_text)


def locate(
    quote: str, texts: Mapping[str, str | NormalizedText], named: str
) -> Named | Misattributed | Fabricated:
    """Look for a quote in the source named for it, then in all others (in the mapping's order).

    Among the others an exact match goes before a normalized one and that before a close one. Raises KeyError
    when `named` is not among the texts.
    """
    found = anchor(quote, texts[named])
    if found is not None:
        return Named(named, found)
    best: Misattributed | None = None
    for source, text in texts.items():
        other = anchor(quote, text) if source != named else None
        if other is not None and (best is None or _rank(other) > _rank(best.anchor)):
            best = Misattributed(source, other)
    return best or Fabricated()


def _rank(found: Anchor) -> tuple[int, float]:
    order = (MatchType.CLOSE, MatchType.NORMALIZED, MatchType.EXACT)
    return order.index(found.match_type), found.similarity


def _places(exact: str, text: str) -> Iterator[Span]:
    position = text.find(exact) if exact else -1
    while position >= 0:
        yield Span(position, position + len(exact))
        position = text.find(exact, position + 1)


def _by_surroundings(selector: TextQuoteSelector, text: str) -> Span | None:
    """The place of the exact words whose surroundings fit best; short words need surroundings that fit."""
    places = islice(_places(selector.exact, text), _MAX_PLACES)
    best = max(places, key=lambda span: (_fit(selector, text, span), -span.start), default=None)
    if best is None or len(selector.exact) >= MIN_QUOTE:
        return best
    return best if _fit(selector, text, best) >= MIN_QUOTE else None


def _fit(selector: TextQuoteSelector, text: str, span: Span) -> int:
    """How many characters before and after agree, counted outwards from the span."""
    before = text[max(0, span.start - CONTEXT) : span.start]
    after = text[span.end : span.end + CONTEXT]
    return _shared(selector.prefix[::-1], before[::-1]) + _shared(selector.suffix, after)


def _shared(a: str, b: str) -> int:
    count = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        count += 1
    return count


def _what_stands_there_now(selector: TextQuoteSelector, text: str) -> Changed | Gone:
    """The words between the old surroundings, unless these are gone, too, or far apart."""
    if len(selector.prefix.strip()) < MIN_QUOTE or len(selector.suffix.strip()) < MIN_QUOTE:
        return Gone()
    before = text.find(selector.prefix)
    start = before + len(selector.prefix)
    end = text.find(selector.suffix, start)
    if before < 0 or end <= start or end - start > 3 * len(selector.exact) + 200:
        return Gone()
    longest = max(end - start, len(selector.exact))
    return Changed(Span(start, end), 1 - edit_distance(selector.exact, text[start:end]) / longest)
