"""Finds the words of a quote in a text, and tells how closely they match.

The order of attempts follows web annotation practice (W3C Web Annotation Data Model, TextQuoteSelector):
word for word, then in a normal form (case, white space, typography), then one contiguous window with few
edits. A quote that leaves words out, by an ellipsis, is looked for by its parts instead of by that window.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from heapq import merge
from itertools import islice

from citations.text.approximate_quotes import Grams, edit_distance, nearest_window
from citations.text.quote_elision import MIN_OF_A_PART, count_ellipses, split_elided, turns_sense
from citations.text.quote_normalizing import NormalizedText, normalize
from citations.text.quote_span import Span

__all__ = [
    "MAX_PLACES", "MIN_QUOTE", "Anchor", "AnchorMatchType", "QuotableText", "Span", "anchor", "cuts_word",
    "leaves_out_sense", "occurrences",
]  # fmt: skip

MIN_QUOTE = 12  # characters; shorter quotes occur in too many places to prove anything
MIN_CLOSE_QUOTE = 24
ALLOWED_EDITS = 0.10  # of the quote's length
MAX_PLACES = 1_000  # occurrences of one quote that are examined: a text of one letter has a million
MAX_LEFT_OUT = 300  # characters between two parts of a quote with an ellipsis
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_HYPHENS = "-‐‑‒–−"
_BEGUN_WITH, _ENDED_WITH = " ,;:", " ,;:."  # marks that a model may add, or omit, where it breaks off
_MARKS = "\"'“”‘’«»„` \t\r\n"
_BLOCK = 65_536  # characters searched at once before a hint


class AnchorMatchType(StrEnum):
    EXACT = "exact"
    NORMALIZED = "normalized"
    ELIDED = "elided"  # the quote's parts, and the text that it omits between them
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class Anchor:
    """The position of a quote as offsets into the original text, and the similarity of quote and text (0.9–1)."""

    span: Span
    match_type: AnchorMatchType
    similarity: float

    @property
    def label(self) -> str:
        """The name of the match shown to a reader; a close match never reads as exact."""
        if self.match_type is AnchorMatchType.CLOSE:
            # Rounded down: 99.6 % must not read as 100 %.
            return f"close match, {int(self.similarity * 100)} %"
        if self.match_type is AnchorMatchType.ELIDED:
            return "whole passage of a quote with omissions"
        return "exact match" if self.match_type is AnchorMatchType.EXACT else "same words, other typography"


class QuotableText:
    """A text in which quotes are looked up, prepared at first use: build it once for many quotes.

    `barred` spans (headings, captions, navigation) cannot carry a quote alone: a match that covers no letter or digit
    outside them does not count.
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
        """True when some of the span's words are outside the barred spans."""
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
    quote: str,
    text: str | QuotableText,
    hint: int | None = None,
    *,
    closely: bool = True,
    with_omissions: bool = True,
) -> Anchor | None:
    """Find `quote` in `text`: nearest to offset `hint` if given, else the first place.

    Without `closely` only the same words count. A quote with an ellipsis is found as the whole span of its parts, in
    their order and near each other, unless what it omits inverts the sense; without `with_omissions` an ellipsis is an
    ordinary character. Return None for a quote of fewer than 12 characters and for one that is not there.
    """
    stripped = quote.strip()
    if len(" ".join(stripped.split())) < MIN_QUOTE:
        return None
    search = _QuoteSearch(text if isinstance(text, QuotableText) else QuotableText(text), hint)
    same = search.exact(stripped) or search.find_normalized(stripped)
    if same is not None:
        return same
    ellipses = count_ellipses(stripped) if with_omissions else 0
    if not ellipses:
        return search.close(stripped) if closely else None
    found, parts = search.find_elided(stripped), split_elided(stripped)
    if found is not None or not closely:
        return found
    if len(parts) == 1:  # nothing is omitted except at its ends
        return search.close(parts[0])
    # Only if the ellipses are the text's own: "is ... permitted" is within a few edits of "is not permitted".
    near = search.close(stripped)
    return (
        near if near is not None and count_ellipses(near.span.cut(search.source.text)) >= ellipses else None
    )


def leaves_out_sense(quote: str, text: str | QuotableText) -> bool:
    """True for a quote that anchors nowhere only because what it omits inverts its sense."""
    search = _QuoteSearch(text if isinstance(text, QuotableText) else QuotableText(text), None)
    wanted = quote.strip()
    return (
        count_ellipses(wanted) > 0
        and search.find_elided(wanted) is None
        and search.find_elided(wanted, in_sense=False) is not None
    )


@dataclass(frozen=True, slots=True)
class _QuoteSearch:
    """A search for one quote in one text."""

    source: QuotableText
    hint: int | None

    def exact(self, quote: str) -> Anchor | None:
        span = self._choose(occurrences(quote, self.source.text, self.hint))
        return Anchor(span, AnchorMatchType.EXACT, 1.0) if span else None

    def find_normalized(self, quote: str) -> Anchor | None:
        # Models like to wrap a quote in quotation marks that are not the source's.
        for form in dict.fromkeys((normalize(quote), normalize(quote.strip(_MARKS)))):
            span = self._find(form)
            if span is not None:
                return Anchor(span, AnchorMatchType.NORMALIZED, 1.0)
        return None

    def _find(self, form: str) -> Span | None:
        if len(form) < MIN_QUOTE:  # such as dashes, which the normal form merges
            return None
        text = self.source.normalized
        places = occurrences(form, text.normal, self._normal_hint())
        return self._choose(text.original(place) for place in places)

    def find_elided(self, quote: str, *, in_sense: bool = True) -> Anchor | None:
        """Find the whole span from the first part to the last."""
        parts = split_elided(quote)
        if sum(map(len, parts)) < MIN_QUOTE or any(
            sum(map(str.isalnum, part)) < MIN_OF_A_PART for part in parts
        ):
            return None
        if len(parts) == 1:  # the ellipsis is at an end
            span = self._find(parts[0])
            return Anchor(span, AnchorMatchType.NORMALIZED, 1.0) if span else None
        text, steps = self.source.normalized, iter(range(MAX_PLACES))
        for form in _forms(parts[0]):
            for place in islice(occurrences(form, text.normal, self._normal_hint()), MAX_PLACES):
                if not self._stands_alone(place):
                    continue
                end = self._end_of(parts[1:], place.end, in_sense, steps)
                span = text.original(Span(place.start, end)) if end is not None else None
                if span is not None and self.source.carries(span):
                    return Anchor(span, AnchorMatchType.ELIDED, 1.0)
        return None

    def _end_of(
        self, parts: Sequence[str], position: int, in_sense: bool, steps: Iterator[int]
    ) -> int | None:
        """Return the end of the last part in the normal form; None unless each part closely follows the one before."""
        if not parts:
            return position
        normal = self.source.normalized.normal
        for form in _forms(parts[0]):
            for place in _find_forwards(form, normal, position, position + MAX_LEFT_OUT + 1):
                if next(steps, None) is None or not self._may_leave_out(
                    Span(position, place.start), in_sense
                ):
                    break  # nor may it omit more
                if self._stands_alone(place):
                    end = self._end_of(parts[1:], place.end, in_sense, steps)
                    if end is not None:
                        return end
        return None

    def _may_leave_out(self, gap: Span, in_sense: bool) -> bool:
        """Return True if a quote may omit this gap between two parts, a span of the normal form.

        The gap must lie within one passage (no blank line) and, with `in_sense`, must not invert the sense.
        """
        text = self.source.normalized
        if in_sense and turns_sense(gap.cut(text.normal)):
            return False
        start, end = (
            text.original(Span(gap.start - 1, gap.start)).end,
            text.original(Span(gap.end, gap.end + 1)).start,
        )
        return _BLANK_LINE.search(text.text[start:end]) is None

    def _stands_alone(self, place: Span) -> bool:
        """True if the place consists of whole words, without a hyphen or sign before it: not "compliant" in
        "non-compliant", or "15" in "-15" or "10–15".
        """
        span, text = self.source.normalized.original(place), self.source.text
        if cuts_word(text, span.start) or cuts_word(text, span.end):
            return False
        return span.start == 0 or text[span.start - 1] not in _HYPHENS

    def close(self, quote: str) -> Anchor | None:
        form = normalize(quote.strip(_MARKS))
        allowed = int(len(form) * ALLOWED_EDITS)
        if len(form) < MIN_CLOSE_QUOTE:
            return None
        window = nearest_window(form, self.source.grams, allowed, self._normal_hint())
        if window is None:
            return None
        place, distance = self._widen_to_words(form, window.span, allowed)
        span = self.source.normalized.original(place)
        if distance > allowed or not self.source.carries(span):
            return None
        return Anchor(span, AnchorMatchType.CLOSE, 1 - distance / len(form))

    def _widen_to_words(self, form: str, window: Span, allowed: int) -> tuple[Span, int]:
        """Strip space from the window's ends, and widen it to whole words if that stays within the allowed edits."""
        normal = self.source.normalized.normal
        place = _strip_span(window, normal)
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
        """Return the first span of whole words; failing that, one that cuts a word, but never a number.

        "5 characters" inside "15 characters" means something else, unless a hint points to that very place.
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


def _forms(part: str) -> Iterator[str]:
    """Yield a part of a quote as it is written, and without the marks at its ends."""
    yield part
    if (bare := part.lstrip(_BEGUN_WITH).rstrip(_ENDED_WITH)) != part:
        yield bare


def _strip_span(span: Span, text: str) -> Span:
    words = span.cut(text)
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, start + len(words.strip()))


def _find_forwards(needle: str, text: str, start: int, end: int) -> Iterator[Span]:
    """Yield places that begin in text[start:end], in rising order."""
    last = end + len(needle) - 1
    position = text.find(needle, start, last)
    while position >= 0:
        yield Span(position, position + len(needle))
        position = text.find(needle, position + 1, last)


def _find_backwards(needle: str, text: str, end: int) -> Iterator[Span]:
    """Yield places that begin in text[:end], in falling order; in blocks, since str.rfind takes quadratic time at
    worst.
    """
    size = max(_BLOCK, 2 * len(needle))
    while end > 0:
        start = max(0, end - size)
        yield from reversed(list(_find_forwards(needle, text, start, end)))
        end = start


def occurrences(needle: str, text: str, hint: int | None = None) -> Iterator[Span]:
    """Yield every place of `needle`, which must not be empty, nearest to the hint first."""
    if hint is None:
        return _find_forwards(needle, text, 0, len(text))
    start = max(0, min(hint, len(text)))
    earlier = _find_backwards(needle, text, start)
    later = _find_forwards(needle, text, start, len(text))
    return merge(later, earlier, key=lambda span: abs(span.start - start))


def cuts_word(text: str, position: int) -> bool:
    """True when a span that begins or ends at `position` cuts a word or a number in two."""
    if not 0 < position < len(text):
        return False
    if text[position - 1].isalnum() and text[position].isalnum():
        return True
    return _cuts_number(text, position)


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_REACH = 32  # characters examined on either side of a cut


def _cuts_number(text: str, position: int) -> bool:
    """True between the digits of "15", and on either side of the point in "1.5" or the comma in "1,000"."""
    if not (text[position - 1] + text[position : position + 1]).strip(".,").isdecimal():
        return False
    base = max(0, position - _REACH)
    numbers = _NUMBER.finditer(text[base : position + _REACH])
    return any(base + number.start() < position < base + number.end() for number in numbers)
