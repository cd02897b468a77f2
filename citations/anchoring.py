"""Finding the words of a quote in a text, and saying how well they were found.

The order of attempts follows web annotation practice (W3C Web Annotation Data Model, TextQuoteSelector):
word for word, then in a normal form (case, white space, typography), then one contiguous window with few
edits.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import merge

from citations.approximate import edit_distance, nearest_window
from citations.normalizing import NormalizedText, Span, normalize

__all__ = ["MIN_QUOTE", "Anchor", "MatchType", "NormalizedText", "Span", "anchor"]

MIN_QUOTE = 12  # characters; shorter words stand in too many places to prove anything
MIN_CLOSE_QUOTE = 24
ALLOWED_EDITS = 0.10  # of the quote's length
_MARKS = "\"'“”‘’«»„` \t\r\n"


class MatchType(StrEnum):
    EXACT = "exact"
    NORMALIZED = "normalized"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a quote stands: offsets into the original text, and how alike quote and text are (0.9–1)."""

    span: Span
    match_type: MatchType
    similarity: float

    @property
    def label(self) -> str:
        """How the match is named to a reader; a close match never reads as exact."""
        if self.match_type is MatchType.CLOSE:
            # Rounded down: 99.6 % must not read as 100 %.
            return f"close match, {int(self.similarity * 100)} %"
        return "exact match" if self.match_type is MatchType.EXACT else "same words, other typography"


def anchor(
    quote: str, text: str | NormalizedText, hint: int | None = None, *, barred: Sequence[Span] = ()
) -> Anchor | None:
    """Find `quote` in `text`: nearest to offset `hint` if given, else the first place.

    `barred` spans (headings, navigation, captions) cannot carry a quote alone: a match inside one does
    not count. Returns None for a quote of fewer than 12 characters and for one that is not there.
    """
    wanted = quote.strip()
    if len(" ".join(wanted.split())) < MIN_QUOTE:
        return None
    prepared = text if isinstance(text, NormalizedText) else None
    plain = text.text if isinstance(text, NormalizedText) else text
    exact = _exact(wanted, plain, hint, barred)
    if exact is not None:
        return exact
    search = _Search(prepared or NormalizedText(plain), hint, barred)
    return search.normalized(wanted) or search.close(wanted)


def _exact(quote: str, text: str, hint: int | None, barred: Sequence[Span]) -> Anchor | None:
    span = _choose(_occurrences(quote, text, hint), text, hint, barred)
    return Anchor(span, MatchType.EXACT, 1.0) if span else None


@dataclass(frozen=True, slots=True)
class _Search:
    """One text, searched in its normal form."""

    text: NormalizedText
    hint: int | None
    barred: Sequence[Span]

    def normalized(self, quote: str) -> Anchor | None:
        # Models like to wrap a quote in quotation marks that are not the source's.
        for form in dict.fromkeys((normalize(quote), normalize(quote.strip(_MARKS)))):
            span = self._find(form)
            if span is not None:
                return Anchor(span, MatchType.NORMALIZED, 1.0)
        return None

    def _find(self, form: str) -> Span | None:
        if len(form) < MIN_QUOTE:  # dashes, say, that the normal form makes one
            return None
        places = _occurrences(form, self.text.normal, self._normal_hint())
        spans = (self.text.original(place) for place in places)
        return _choose(spans, self.text.text, self.hint, self.barred)

    def close(self, quote: str) -> Anchor | None:
        form = normalize(quote.strip(_MARKS))
        allowed = int(len(form) * ALLOWED_EDITS)
        if len(form) < MIN_CLOSE_QUOTE:
            return None
        window = nearest_window(form, self.text.normal, allowed, self._normal_hint())
        if window is None:
            return None
        place, distance = self._whole_words(form, window.span, window.distance, allowed)
        span = self.text.original(place)
        if _is_barred(span, self.barred):
            return None
        return Anchor(span, MatchType.CLOSE, 1 - distance / len(form))

    def _whole_words(self, form: str, place: Span, distance: int, allowed: int) -> tuple[Span, int]:
        """Widen a window that cuts words at its ends, if that stays within the allowed edits."""
        normal = self.text.normal
        start, end = place.start, place.end
        while start > 0 and _joins(normal, start):
            start -= 1
        while end < len(normal) and _joins(normal, end):
            end += 1
        wide = Span(start, end)
        if wide == place or len(wide) - len(place) > 2 * allowed:
            return place, distance
        widened = edit_distance(form, wide.cut(normal))
        return (wide, widened) if widened <= allowed else (place, distance)

    def _normal_hint(self) -> int | None:
        return None if self.hint is None else self.text.normal_position(self.hint)


def _after(needle: str, text: str, start: int) -> Iterator[Span]:
    position = text.find(needle, start)
    while position >= 0:
        yield Span(position, position + len(needle))
        position = text.find(needle, position + 1)


def _before(needle: str, text: str, end: int) -> Iterator[Span]:
    position = text.rfind(needle, 0, end)
    while position >= 0:
        yield Span(position, position + len(needle))
        position = text.rfind(needle, 0, position + len(needle) - 1)


def _occurrences(needle: str, text: str, hint: int | None) -> Iterator[Span]:
    """Every place of `needle`, nearest to the hint first."""
    if hint is None:
        return _after(needle, text, 0)
    start = max(0, min(hint, len(text)))
    earlier = _before(needle, text, start + len(needle) - 1) if start else iter(())
    return merge(_after(needle, text, start), earlier, key=lambda span: abs(span.start - start))


def _choose(spans: Iterator[Span], text: str, hint: int | None, barred: Sequence[Span]) -> Span | None:
    """The first span that stands on whole words; failing that, one that cuts a word, but never a number.

    "5 characters" inside "15 characters" says something else. Only a hint at that very place can mean it.
    """
    second: Span | None = None
    for span in spans:
        if _is_barred(span, barred):
            continue
        if span.start == hint or not (_joins(text, span.start) or _joins(text, span.end)):
            return span
        if second is None and not (_cuts_number(text, span.start) or _cuts_number(text, span.end)):
            second = span
    return second


def _is_barred(span: Span, barred: Sequence[Span]) -> bool:
    return any(span.within(each) for each in barred)


def _joins(text: str, position: int) -> bool:
    """True when `position` lies inside a word or a number."""
    if not 0 < position < len(text):
        return False
    if text[position - 1].isalnum() and text[position].isalnum():
        return True
    return _cuts_number(text, position)


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_REACH = 32  # characters looked at on either side of a cut


def _cuts_number(text: str, position: int) -> bool:
    """True between the digits of "15", and on either side of the point in "1.5" or the comma in "1,000"."""
    if not (text[position - 1] + text[position : position + 1]).strip(".,").isdecimal():
        return False
    base = max(0, position - _REACH)
    numbers = _NUMBER.finditer(text[base : position + _REACH])
    return any(base + number.start() < position < base + number.end() for number in numbers)
