"""Text made comparable without losing where each character came from.

Two spellings of the same words (typographic quotation marks, ligatures, line breaks, soft hyphens,
hyphenation, case) get one normal form. Every character of the normal form knows the range of the original it
stands for, so a match in the normal form is a span of the original, exactly.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range [start, end) of Unicode code points in a text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def cut(self, text: str) -> str:
        return text[self.start : self.end]

    def within(self, other: "Span") -> bool:
        return other.start <= self.start and self.end <= other.end


class OffsetMap:
    """Which input range each output character came from: a list of edits, between which nothing changed."""

    __slots__ = ("_ends", "_lengths", "_outputs", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []  # input range of each edit ...
        self._ends: list[int] = []
        self._outputs: list[int] = []  # ... where its replacement begins in the output, and its length
        self._lengths: list[int] = []

    def add(self, start: int, end: int, output: int, length: int) -> None:
        self._starts.append(start)
        self._ends.append(end)
        self._outputs.append(output)
        self._lengths.append(length)

    def to_input(self, span: Span) -> Span:
        """The input range that the (not empty) output range stands for."""
        return Span(self._character(span.start).start, self._character(span.end - 1).end)

    def to_output(self, position: int) -> int:
        """The output position of an input position, or a near one; used for hints only."""
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            return position
        return self._outputs[index] + self._lengths[index] + max(0, position - self._ends[index])

    def _character(self, position: int) -> Span:
        index = bisect_right(self._outputs, position) - 1
        if index < 0:
            return Span(position, position + 1)
        after = position - self._outputs[index] - self._lengths[index]
        if after < 0:
            return Span(self._starts[index], self._ends[index])
        return Span(self._ends[index] + after, self._ends[index] + after + 1)


Edit = tuple[int, int, str]  # input start, input end, what stands there in the output


def _rewrite(text: str, edits: Iterator[Edit], plain: Callable[[str], str]) -> tuple[str, OffsetMap]:
    """Apply edits (in order, not overlapping); the rest goes through `plain`, which must keep lengths."""
    parts: list[str] = []
    offsets = OffsetMap()
    position = output = 0
    for start, end, replacement in edits:
        parts.append(text[position:start])
        parts.append(replacement)
        output += start - position
        offsets.add(start, end, output, len(replacement))
        output += len(replacement)
        position = end
    parts.append(text[position:])
    parts[::2] = map(plain, parts[::2])
    return "".join(parts), offsets


# A run of non-ASCII characters with the ASCII one before it, which may carry a combining mark.
_FOREIGN = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
_QUOTATION_MARKS = "‘’‚‛“”„‟«»‹›′″‴`´「」『』〝〞＂＇"
_DASHES = "‐‑‒–—―−﹘﹣－⁃"
# Mapped before NFKC, which would turn an acute accent into a space and a combining mark.
_TYPOGRAPHY = dict.fromkeys(_QUOTATION_MARKS, "'") | dict.fromkeys(_DASHES, "-")


def _joins_previous(character: str) -> bool:
    """True for what NFKC composes with the character before: marks, vowel and final jamo, sound marks."""
    is_jamo = "\u1160" <= character <= "\u11ff"
    return is_jamo or character in "\uff9e\uff9f" or unicodedata.category(character)[0] == "M"


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for position in range(start + 1, end):
        if not _joins_previous(text[position]):
            yield begin, position
            begin = position
    yield begin, end


@lru_cache(maxsize=4096)
def _folded(cluster: str) -> str:
    """NFKC and case folding of one character with its marks."""
    if cluster in _TYPOGRAPHY:
        return _TYPOGRAPHY[cluster]
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster).casefold())


def _character_edits(text: str) -> Iterator[Edit]:
    for run in _FOREIGN.finditer(text):
        for start, end in _clusters(text, *run.span()):
            cluster = text[start:end]
            folded = _folded(cluster)
            if folded != cluster:
                yield start, end, folded


_LETTER = r"[^\W\d_]"
# Hyphens between letters go, with or without a line break, since nobody can tell which of "pass-\nword" and
# "well-\nknown" has a real one. Only matching uses this form; what is shown is the source's own spelling.
_LAYOUT = re.compile(
    rf"""(?P<gone>(?<={_LETTER})-(?:[ \t]*[\r\n]\s*)?(?={_LETTER})
                | \u00ad(?:[ \t]*[\r\n]\s*)?
                | [\u200b-\u200f\u2060\ufeff]+)
       | (?P<dash>-{{2,}})
       | (?P<mark>"|'{{2,}}|`)
       | (?P<space>[^\S ]\s*|\ \s+)""",
    re.VERBOSE,
)
_LAYOUT_FORM = {"gone": "", "dash": "-", "mark": "'", "space": " "}


def _layout_edits(text: str) -> Iterator[Edit]:
    for match in _LAYOUT.finditer(text):
        yield match.start(), match.end(), _LAYOUT_FORM[match.lastgroup or ""]


def normalize(text: str) -> str:
    """The normal form of a short text, without surrounding space."""
    return NormalizedText(text).normal.strip()


class NormalizedText:
    """A text with its normal form; build it once and look for many quotes."""

    __slots__ = ("_characters", "_layout", "normal", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        folded, self._characters = _rewrite(text, _character_edits(text), str.lower)
        self.normal, self._layout = _rewrite(folded, _layout_edits(folded), str)

    def original(self, span: Span) -> Span:
        """The span of the original text that a (not empty) span of the normal form stands for."""
        return self._characters.to_input(self._layout.to_input(span))

    def normal_position(self, position: int) -> int:
        """Where an offset into the original text lies, about, in the normal form."""
        return self._layout.to_output(self._characters.to_output(position))
