"""Normalizes text for comparison while keeping the origin of each character.

Two spellings of the same words (typographic quotation marks, ligatures, line breaks, soft hyphens,
hyphenation, case) get one normal form. Every character of the normal form knows the range of the original it
stands for, so a match in the normal form is a span of the original, exactly.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from os.path import commonprefix

import numpy as np
import numpy.typing as npt

from citations.text.quote_span import Span

Codes = npt.NDArray[np.uint32]  # (n,) code points
Origins = npt.NDArray[np.int32]  # (n,) offsets
Kinds = npt.NDArray[np.uint8]  # (n,) flags, a set for each character
Mask = npt.NDArray[np.bool_]  # (n,)


# --- one character -----------------------------------------------------------------------------------

_QUOTATION_MARKS = "\"'`‘’‚‛“”„‟«»‹›′″‴´「」『』〝〞＂＇"
_DASHES = "-‐‑‒–—―−﹘﹣－⁃"
# Mapped before NFKC, which would turn an acute accent into a space and a combining mark.
_TYPOGRAPHY = dict.fromkeys(_QUOTATION_MARKS, "'") | dict.fromkeys(_DASHES, "-")
_SOFT_HYPHEN = "\u00ad"
_INVISIBLE = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff" + _SOFT_HYPHEN)
_DASH, _SOFT = ord("-"), ord(_SOFT_HYPHEN)
_RUNS = np.array([ord(each) for each in " -'"], dtype=np.uint32)  # repetitions of these count as one

_SEEN, _LETTER, _BLANK, _GONE, _JOINER, _WIDE = (1 << bit for bit in range(6))
# For every code point its form (one code point) and kind, filled in at first use. np.zeros takes memory only for the
# parts of the table that are used.
_FORMS: Codes = np.zeros(0x110000, dtype=np.uint32)
_KINDS: Kinds = np.zeros(0x110000, dtype=np.uint8)


def _joins_previous(character: str) -> bool:
    """True for characters that NFKC composes with the one before: marks, vowel and final jamo, sound marks."""
    is_jamo = "\u1160" <= character <= "\u11ff"
    return is_jamo or character in "\uff9e\uff9f" or unicodedata.category(character)[0] == "M"


@lru_cache(maxsize=16_384)
def _fold_cluster(cluster: str) -> str:
    """Apply NFKC and case folding to one character with its marks."""
    if cluster in _TYPOGRAPHY:
        return _TYPOGRAPHY[cluster]
    if cluster.isspace():
        return " "
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster).casefold())


def _kind(character: str, form: str) -> int:
    is_joiner = _joins_previous(character)
    is_letter = is_joiner or all(each.isalnum() and not each.isdecimal() for each in form)
    return (
        _SEEN
        | _LETTER * is_letter
        | _BLANK * (form == " ")
        | _GONE * (character in _INVISIBLE)
        | _JOINER * is_joiner
        | _WIDE * (len(form) != 1)
    )


def _kinds(codes: Codes) -> Kinds:
    kinds = _KINDS[codes]
    if not kinds.all():
        for code in set(codes[kinds == 0].tolist()):
            character = chr(code)
            form = _fold_cluster(character)
            _FORMS[code] = ord(form[0])
            _KINDS[code] = _kind(character, form)
        kinds = _KINDS[codes]
    return kinds


def _encode(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _decode(codes: Codes) -> str:
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


# --- a text ------------------------------------------------------------------------------------------

_LINE_END = re.compile(r"[^\S\r\n]*[\r\n]\s*")


@dataclass(frozen=True, slots=True)
class _Replacements:
    """Places where one form replaces several characters, or a longer one a single character."""

    starts: list[int]
    widths: list[int]
    forms: list[str]

    def add(self, start: int, end: int, form: str) -> None:
        self.starts.append(start)
        self.widths.append(end - start)
        self.forms.append(form)


def _clusters(kinds: Kinds) -> list[tuple[int, int]]:
    """Return ranges of characters that are followed by marks, including the marks."""
    is_joiner = (kinds & _JOINER) != 0
    if not is_joiner.any():
        return []
    edges = np.diff(is_joiner.astype(np.int8), prepend=0, append=0)
    starts = np.maximum(np.flatnonzero(edges == 1) - 1, 0)
    ends = np.flatnonzero(edges == -1)
    is_joiner[starts] = True
    kinds[is_joiner] &= ~np.uint8(_WIDE)  # the cluster has a single form
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _replace(text: str, forms: Codes, kinds: Kinds) -> _Replacements:
    """Write the forms of characters with marks into `forms`; return those of another length."""
    replacements = _Replacements([], [], [])
    for start, end in _clusters(kinds):
        cluster = text[start:end]
        form = _fold_cluster(cluster)
        if len(form) != end - start:
            replacements.add(start, end, form)
        elif form != cluster:
            forms[start:end] = list(map(ord, form))
    for place in np.flatnonzero(kinds & _WIDE).tolist():
        replacements.add(place, place + 1, _fold_cluster(text[place]))
    return replacements


def _hyphens(text: str, forms: Codes, kinds: Kinds, kept: Mask) -> None:
    """Remove from `kept` hyphens between letters, also at a line end, and line ends after soft hyphens.

    It is ambiguous which of "pass-\\nword" and "well-\\nknown" has a real hyphen, so both lose it. Only matching uses
    this form; readers see the source's own spelling.
    """
    places = np.flatnonzero((forms == _DASH) | (forms == _SOFT))
    places = places[places < len(text) - 1]
    is_soft = forms[places] == _SOFT
    after_letter = (places > 0) & ((kinds[places - 1] & _LETTER) != 0) & ~is_soft
    kept[places[after_letter & ((kinds[places + 1] & _LETTER) != 0)]] = False
    at_end = (after_letter | is_soft) & ((kinds[places + 1] & _BLANK) != 0)
    for place in places[at_end].tolist():
        line_end = _LINE_END.match(text, place + 1)
        end = line_end.end() if line_end else len(text)
        if end < len(text) and (text[place] == _SOFT_HYPHEN or kinds[end] & _LETTER):
            kept[place:end] = False


def _mask_repeats(forms: Codes, kept: Mask) -> None:
    """Remove from `kept` repetitions of a space, a dash or a quotation mark."""
    places = np.flatnonzero(kept)
    form = forms[places]
    again = np.flatnonzero(form[1:] == form[:-1]) + 1
    kept[places[again[np.isin(form[again], _RUNS)]]] = False


class NormalizedText:
    """A text with its normal form; build it once for many quotes. Takes 4 bytes more for each character."""

    __slots__ = ("_origins", "_widths", "normal", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        codes = _encode(text)
        kinds = _kinds(codes)
        forms = _FORMS[codes]
        kept: Mask = (kinds & _GONE) == 0
        replaced = _replace(text, forms, kinds)
        _hyphens(text, forms, kinds, kept)
        self._widths = {
            start: width for start, width in zip(replaced.starts, replaced.widths, strict=True) if width > 1
        }
        for start, width in self._widths.items():
            kept[start + 1 : start + width] = False
        _mask_repeats(forms, kept)
        self._origins, self.normal = _write(forms, kept, replaced)

    def original(self, span: Span) -> Span:
        """Return the span of the original text for a (not empty) span of the normal form."""
        last = int(self._origins[span.end - 1])
        return Span(int(self._origins[span.start]), last + self._widths.get(last, 1))

    def normal_position(self, position: int) -> int:
        """Return the approximate position in the normal form of an offset into the original text."""
        return int(np.searchsorted(self._origins, np.int32(min(position, len(self.text)))))


def _write(forms: Codes, kept: Mask, replaced: _Replacements) -> tuple[Origins, str]:
    """Return the original offset of each character of the normal form, and the normal form itself."""
    if not replaced.forms:
        origins = np.flatnonzero(kept).astype(np.int32)
        return origins, _decode(forms[origins])
    starts, lengths = np.array(replaced.starts), np.array(list(map(len, replaced.forms)))
    counts = kept.astype(np.int32)
    counts[starts] = lengths
    origins = np.repeat(np.arange(len(forms), dtype=np.int32), counts)
    written = forms[origins]
    before = np.searchsorted(origins, starts.astype(np.int32)) - np.cumsum(lengths) + lengths
    written[np.repeat(before, lengths) + np.arange(lengths.sum())] = _encode("".join(replaced.forms))
    return origins, _decode(written)


_ASCII_LAYOUT = re.compile(
    r"""(?P<gone>(?<=[a-z])-(?:[^\S\r\n]*[\r\n]\s*)?(?=[a-z]))
      | (?P<dash>-{2,}) | (?P<mark>["'`]{2,}|["`]) | (?P<space>[^\S ]\s*|\ \s+)""",
    re.VERBOSE,
)
_ASCII_FORM = {"gone": "", "dash": "-", "mark": "'", "space": " "}
_SHORT = 64


def normalize(text: str) -> str:
    """Return the normal form of a short text, without surrounding space."""
    if text.isascii():  # the same rules without a map of offsets: six times as fast for a word
        return _ASCII_LAYOUT.sub(lambda found: _ASCII_FORM[found.lastgroup or ""], text.lower()).strip()
    return _normalize_word(text) if len(text) <= _SHORT else NormalizedText(text).normal.strip()


@lru_cache(maxsize=4096)
def _normalize_word(text: str) -> str:
    return NormalizedText(text).normal.strip()


def without_accents(text: str) -> str:
    """Return letters without their marks, so that "Noël" and "Noel" match."""
    if text.isascii():
        return text
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def measure_common_prefix(a: str, b: str) -> int:
    """Return the number of characters with which both begin."""
    return len(commonprefix((a, b)))
