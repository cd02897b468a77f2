"""Finds the part of a text that is nearest to a pattern by edit distance (Levenshtein), if it is near enough.

Candidates come from the q-gram lemma (Jokinen and Ukkonen 1991): each edit harms at most q of a pattern's
m - q + 1 pieces of q characters, so a window within k edits holds at least m - q + 1 - kq of them. Each
candidate is checked by Myers' bit-parallel algorithm (J. ACM 46(3), 1999, doi:10.1145/316542.316550), whose
bit vectors are Python integers of the pattern's length.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citations.text.quote_span import Span

GRAM = 4  # q: with up to 10 % edits some 60 % of the pieces stay, far more than any other text shares
# Longer patterns are refused: checking one window takes m² / 64 steps, here 0.1 s.
MAX_PATTERN = 10_000
# Windows to check, those that share most with the pattern first; fewer for long patterns.
MAX_WINDOWS = 24
_CHECKED_CHARACTERS = 24_000
_HASH_BITS = 18


@dataclass(frozen=True, slots=True)
class ApproximateMatch:
    """A span of the text and its edit distance from the pattern."""

    span: Span
    distance: int


def _distances(pattern: str, text: str, *, anchored: bool) -> Iterator[int]:
    """Yield the edit distance of the whole pattern to the best substring that ends at each character.

    With `anchored` that substring begins where the text begins.
    """
    length = len(pattern)
    mask, last = (1 << length) - 1, 1 << (length - 1)
    where: defaultdict[str, int] = defaultdict(int)
    for index, character in enumerate(pattern):
        where[character] |= 1 << index
    positive, negative, distance = mask, 0, length
    for character in text:
        equal = where.get(character, 0)
        vertical = equal | negative
        horizontal = (((equal & positive) + positive) ^ positive) | equal
        up = negative | (~(horizontal | positive) & mask)
        down = positive & horizontal
        distance += bool(up & last) - bool(down & last)
        up = (up << 1) | anchored
        down <<= 1
        positive = (down | ~(vertical | up)) & mask
        negative = up & vertical & mask
        yield distance


def edit_distance(a: str, b: str) -> int:
    """Return the Levenshtein distance of two texts."""
    if not a or not b:
        return len(a) + len(b)
    return list(_distances(a, b, anchored=True))[-1]


def likeness(a: str, b: str) -> float:
    """Return the similarity of two texts, 0–1: 1 - edit distance / the longer one's length.

    For texts over 10,000 characters it is the Jaccard index of their substrings of 4 characters.
    """
    longest = max(len(a), len(b))
    if longest <= MAX_PATTERN:
        return 1 - edit_distance(a, b) / longest if longest else 1.0
    first, second = set(_hashes(a).tolist()), set(_hashes(b).tolist())
    return len(first & second) / len(first | second)


class Grams:
    """A text with a hash of the q characters from each position; build it once for many patterns."""

    __slots__ = ("_hashes", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._hashes = _hashes(text)

    def candidates(self, pattern: str, allowed: int, near: int) -> Iterator[tuple[int, int]]:
        """Yield likely starts of the pattern, each with the number of pieces that it shares with the text there.

        Those that share most come first, then those near to `near`. Every window within the allowed edits begins within
        3 * (allowed + 1) of one of them, unless more than MAX_WINDOWS qualify.
        """
        shared = self._count_shared_grams(pattern, len(pattern) + allowed - GRAM + 1)
        starts = np.flatnonzero(shared >= _least_shared(pattern, allowed))
        starts = _best_of_each_stretch(starts, shared, allowed + 1)
        order = np.lexsort((np.abs(starts - near), -shared[starts]))
        most = max(1, min(MAX_WINDOWS, _CHECKED_CHARACTERS // len(pattern)))
        taken: list[int] = []
        for start in starts[order[: most * 5]].tolist():
            if len(taken) < most and all(abs(start - other) > 2 * (allowed + 1) for other in taken):
                taken.append(start)
                yield start, int(shared[start])

    def _count_shared_grams(self, pattern: str, width: int) -> npt.NDArray[np.int32]:
        """Return for each position how many of the `width` pieces from there on the pattern has, too."""
        is_wanted = np.zeros(1 << _HASH_BITS, dtype=np.bool_)
        is_wanted[_hashes(pattern)] = True
        until = np.zeros(len(self._hashes) + 1, dtype=np.int32)
        np.cumsum(is_wanted[self._hashes], out=until[1:])
        cut = max(0, len(until) - width)
        shared: npt.NDArray[np.int32] = until[-1] - until  # near the end there are fewer than `width`
        shared[:cut] = until[width:] - until[:cut]
        return shared


def _least_shared(pattern: str, edits: int) -> int:
    """Return the least number of pieces that a window within `edits` edits shares with the pattern."""
    return max(1, len(pattern) - GRAM + 1 - edits * GRAM)


def _best_of_each_stretch(
    starts: npt.NDArray[np.int64], shared: npt.NDArray[np.int32], length: int
) -> npt.NDArray[np.int64]:
    """Return, for each stretch of `length` characters, the first of its starts that shares most; `starts` must rise."""
    if not len(starts):
        return starts
    stretches = np.flatnonzero(np.diff(starts // length, prepend=-1))
    last = len(shared)
    keys = shared[starts].astype(np.int64) * (last + 1) + (last - starts)
    return last - np.maximum.reduceat(keys, stretches) % (last + 1)


def _hashes(text: str) -> npt.NDArray[np.uint32]:
    """Return (n - q + 1,) hashes of 18 bits: of pairs of characters, then of pairs of these, two apart."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    if len(codes) < GRAM:
        return np.zeros(0, dtype=np.uint32)
    mixed: npt.NDArray[np.uint32] = codes[:-1] * np.uint32(0x01000193) ^ codes[1:]  # the prime of FNV-1
    mixed = mixed[:-2] * np.uint32(0x85EBCA6B) ^ mixed[2:]  # a multiplier of MurmurHash3
    mixed *= np.uint32(0x9E3779B1)  # Knuth's multiplicative hash: the high bits depend on all characters
    mixed >>= np.uint32(32 - _HASH_BITS)
    return mixed


def _best_window(pattern: str, text: str, start: int, allowed: int) -> ApproximateMatch | None:
    """Return the best match that begins within 3 * (allowed + 1) of `start`."""
    slack = 3 * (allowed + 1)
    begin = max(0, start - slack)
    region = text[begin : start + slack + len(pattern) + allowed]
    ends = list(_distances(pattern, region, anchored=False))
    distance = min(ends, default=allowed + 1)
    if distance > allowed:
        return None
    # Of equally good ends take the one whose last character is the pattern's.
    end = max(
        (position + 1 for position, each in enumerate(ends) if each == distance),
        key=lambda position: (region[position - 1] == pattern[-1], -position),
    )
    backwards = list(_distances(pattern[::-1], region[:end][::-1], anchored=True))
    length = max(
        (index + 1 for index, each in enumerate(backwards) if each == distance),
        key=lambda length: (region[end - length] == pattern[0], -length),
    )
    return ApproximateMatch(Span(begin + end - length, begin + end), distance)


def nearest_window(
    pattern: str, text: str | Grams, allowed: int, hint: int | None = None
) -> ApproximateMatch | None:
    """Return the part of `text` nearest to `pattern` with at most `allowed` edits.

    Of ties it is the one nearest to the offset `hint`, else the first. None, too, for a pattern of more than 10,000
    characters. Raises ValueError for an empty pattern, which would match everywhere.
    """
    if not pattern:
        raise ValueError("empty pattern")
    if len(pattern) > MAX_PATTERN:
        return None
    grams = text if isinstance(text, Grams) else Grams(text)
    near = 0 if hint is None else hint
    best: ApproximateMatch | None = None
    for start, shared in grams.candidates(pattern, allowed, near):
        if best is not None and shared < _least_shared(pattern, best.distance):
            break  # no later one can be as near
        window = _best_window(pattern, grams.text, start, allowed)
        if window is not None and (best is None or _farness(window, near) < _farness(best, near)):
            best = window
    return best


def _farness(window: ApproximateMatch, near: int) -> tuple[int, int]:
    return window.distance, abs(window.span.start - near)
