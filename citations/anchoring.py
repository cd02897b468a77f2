"""Finding the words of a quote in a text, and saying how well they were found.

The order of attempts follows web annotation practice (W3C Web Annotation Data Model, TextQuoteSelector):
word for word, then in a normal form (case, white space, typography), then one contiguous window with few
edits.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from heapq import merge
from itertools import islice

from citations.language.approximate import Grams, edit_distance, nearest_window
from citations.language.normalizing import NormalizedText, Span, normalize

__all__ = [
    "MAX_PLACES", "MIN_QUOTE", "Anchor", "MatchType", "QuotableText", "Span", "anchor", "cuts_word", "occurrences",
]  # fmt: skip

MIN_QUOTE = 12  # characters; shorter words stand in too many places to prove anything
MIN_CLOSE_QUOTE = 24
ALLOWED_EDITS = 0.10  # of the quote's length
MAX_PLACES = 1_000  # of one and the same quote that are looked at: a text of one letter has a million
_MARKS = "\"'“”‘’«»„` \t\r\n"
_BLOCK = 65_536  # characters searched at once before a hint


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


class QuotableText:
    """A text that quotes are looked up in, prepared when first needed: build it once for many quotes.

    `barred` spans (headings, captions, navigation) cannot carry a quote alone: a match that covers no letter
    or digit outside them does not count.
    """

    def __init__(self, text: str, barred: Sequence[Span] = ()) -> None:
        self.text = text
        self._barred = sorted(barred, key=lambda span: span.start)

    @cached_property
    def normalized(self) -> NormalizedText:
        return NormalizedText(self.text)

    @cached_property
    def grams(self) -> Grams:
        return Grams(self.normalized.normal)

    def carries(self, span: Span) -> bool:
        """True when some of the span's words stand outside the barred spans."""
        position = span.start
        first = max(0, bisect_right(self._barred, span.start, key=lambda each: each.start) - 1)
        for each in self._barred[first:]:
            if each.start >= span.end:
                break
            if _has_words(self.text[position : each.start]):
                return True
            position = max(position, each.end)
        return position < span.end and (not self._barred or _has_words(self.text[position : span.end]))


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def anchor(
    quote: str, text: str | QuotableText, hint: int | None = None, *, closely: bool = True
) -> Anchor | None:
    """Find `quote` in `text`: nearest to offset `hint` if given, else the first place.

    Without `closely` only the same words count. Returns None for a quote of fewer than 12 characters and for
    one that is not there.
    """
    wanted = quote.strip()
    if len(" ".join(wanted.split())) < MIN_QUOTE:
        return None
    search = _Search(text if isinstance(text, QuotableText) else QuotableText(text), hint)
    same = search.exact(wanted) or search.normalized(wanted)
    return same or (search.close(wanted) if closely else None)


@dataclass(frozen=True, slots=True)
class _Search:
    """One text, searched for one quote."""

    source: QuotableText
    hint: int | None

    def exact(self, quote: str) -> Anchor | None:
        span = self._choose(occurrences(quote, self.source.text, self.hint))
        return Anchor(span, MatchType.EXACT, 1.0) if span else None

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
        text = self.source.normalized
        places = occurrences(form, text.normal, self._normal_hint())
        return self._choose(text.original(place) for place in places)

    def close(self, quote: str) -> Anchor | None:
        form = normalize(quote.strip(_MARKS))
        allowed = int(len(form) * ALLOWED_EDITS)
        if len(form) < MIN_CLOSE_QUOTE:
            return None
        window = nearest_window(form, self.source.grams, allowed, self._normal_hint())
        if window is None:
            return None
        place, distance = self._whole_words(form, window.span, allowed)
        span = self.source.normalized.original(place)
        if distance > allowed or not self.source.carries(span):
            return None
        return Anchor(span, MatchType.CLOSE, 1 - distance / len(form))

    def _whole_words(self, form: str, window: Span, allowed: int) -> tuple[Span, int]:
        """A window without space at its ends, widened where it cuts words if that stays within the allowed edits."""
        normal = self.source.normalized.normal
        place = _stripped(window, normal)
        distance = edit_distance(form, place.cut(normal))
        start, end = place.start, place.end
        while start > max(0, place.start - allowed) and cuts_word(normal, start):
            start -= 1
        while end < min(len(normal), place.end + allowed) and cuts_word(normal, end):
            end += 1
        wide = Span(start, end)
        if wide == place:
            return place, distance
        widened = edit_distance(form, wide.cut(normal))
        return (wide, widened) if widened <= allowed else (place, distance)

    def _choose(self, spans: Iterator[Span]) -> Span | None:
        """The first span that stands on whole words; failing that, one that cuts a word, but never a number.

        "5 characters" inside "15 characters" says something else. Only a hint at that very place can mean it.
        """
        second: Span | None = None
        text = self.source.text
        for span in islice(spans, MAX_PLACES):
            if not self.source.carries(span):
                continue
            if span.start == self.hint or not (cuts_word(text, span.start) or cuts_word(text, span.end)):
                return span
            if second is None and not (_cuts_number(text, span.start) or _cuts_number(text, span.end)):
                second = span
        return second

    def _normal_hint(self) -> int | None:
        return None if self.hint is None else self.source.normalized.normal_position(self.hint)


def _stripped(span: Span, text: str) -> Span:
    words = span.cut(text)
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, start + len(words.strip()))


def _after(needle: str, text: str, start: int, end: int) -> Iterator[Span]:
    """Places that begin in text[start:end], rising."""
    last = end + len(needle) - 1
    position = text.find(needle, start, last)
    while position >= 0:
        yield Span(position, position + len(needle))
        position = text.find(needle, position + 1, last)


def _before(needle: str, text: str, end: int) -> Iterator[Span]:
    """Places that begin in text[:end], falling. In blocks, since str.rfind takes quadratic time at worst."""
    size = max(_BLOCK, 2 * len(needle))
    while end > 0:
        start = max(0, end - size)
        yield from reversed(list(_after(needle, text, start, end)))
        end = start


def occurrences(needle: str, text: str, hint: int | None = None) -> Iterator[Span]:
    """Every place of `needle`, which must not be empty, nearest to the hint first."""
    if hint is None:
        return _after(needle, text, 0, len(text))
    start = max(0, min(hint, len(text)))
    earlier = _before(needle, text, start)
    later = _after(needle, text, start, len(text))
    return merge(later, earlier, key=lambda span: abs(span.start - start))


def cuts_word(text: str, position: int) -> bool:
    """True when a span that begins or ends at `position` cuts a word or a number in two."""
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
