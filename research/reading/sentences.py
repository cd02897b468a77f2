"""Sentences as exact slices of a frozen text. None crosses a block; list items, table rows and lines of code count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from research.reading.builder import CELL_JOIN
from research.reading.document import Block, BlockKind


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """Half-open range [start, end) of the text with the place it stands at."""

    start: int
    end: int
    section: str
    kind: BlockKind
    page: int | None


LONG_ROW = 300  # characters; longer table rows are split at their cells

# A full stop after these does not end a sentence when more follows.
_ABBREVIATIONS = frozenset(
    "e.g i.e etc vs cf viz al approx ca no nos fig figs eq eqs sec sect ch chap vol vols ed eds pp p para art app ref refs "
    "dr mr mrs ms prof sr jr st rev gen col sgt hon inc ltd corp co dept est min max ver ibid op cit resp seq "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k u.n e.u a.m p.m ph.d d.c".split()
)
# These may end a sentence: they do when a capital follows that can begin one.
_MAY_END = frozenset("etc al inc ltd corp co u.s u.k e.u a.m p.m d.c ph.d jr sr".split())
_BOUNDARY = re.compile(r"([.!?…]+)([\"'”’»)\]*_`]*)(?=\s)|([.!?])([\"”’)\]]*(?:\[\d+(?:,\s*\d+)*\])+)(?=\s)")
_LAST_WORD = re.compile(r"[^\s(\[\"“‘'*_`]+$")
_INITIAL = re.compile(r"[A-Z]$")
_NUMBER_ONLY = re.compile(r"(?:\(?[\dA-Za-z]{1,3}|[A-Z]?\d+(?:\.\d+)*|[ivxlc]{1,6})$")
_OPENING = re.compile(r"[\"“‘'(\[*_`<]*")
_SPLIT_CELLS = re.compile(re.escape(CELL_JOIN))
_CONTINUES = frozenset("and or but nor which that who whose because since although while when where if than".split())


def sentences(text: str, blocks: Iterable[Block]) -> list[SentenceSpan]:
    """All sentences of the blocks in order. Offsets are stable: the same text and blocks give the same spans."""
    return [
        SentenceSpan(start, end, block.section, block.kind, block.page)
        for block in blocks
        for start, end in _block_spans(text, block)
    ]


def split(text: str) -> list[str]:
    """The sentences of running prose, as strings."""
    return [text[start:end] for start, end in _prose(text, 0, len(text))]


def _block_spans(text: str, block: Block) -> Iterator[tuple[int, int]]:
    if block.kind is BlockKind.HEADING:
        return _trimmed(text, [(block.start, block.end)])
    if block.kind is BlockKind.CODE:
        return _lines(text, block.start, block.end)
    if block.kind is BlockKind.TABLE:
        return _row(text, block.start, block.end)
    return _prose(text, block.start, block.end)


def _row(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A table row is one sentence; a long one is cut at its cells, and prose in cells at its sentences."""
    if end - start <= LONG_ROW:
        yield from _trimmed(text, [(start, end)])
        return
    position = start
    for match in _SPLIT_CELLS.finditer(text, start, end):
        yield from _prose(text, position, match.start())
        position = match.end()
    yield from _prose(text, position, end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for line in text[start:end].split("\n"):
        yield from _trimmed(text, [(position, position + len(line))])
        position += len(line) + 1


def _prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    position = 0
    for match in _BOUNDARY.finditer(piece):
        if _ends_sentence(piece, position, match):
            yield from _trimmed(text, [(start + position, start + match.end())])
            position = match.end()
    yield from _trimmed(text, [(start + position, end)])


def _trimmed(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in spans:
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            yield start, end


def _ends_sentence(piece: str, begin: int, match: re.Match[str]) -> bool:
    following = piece[match.end() :].lstrip()
    first = following[_OPENING.match(following).end() :] if following else ""  # type: ignore[union-attr]
    if not first:
        return bool(following) is False
    if first[0].islower() or following[0] in ",;:)":
        return _may_begin_small(first, match)
    marks = match[1] or match[3]
    if marks != "." or match[2]:
        return True
    before = _LAST_WORD.search(piece[begin : match.start()])
    return before is None or not _is_abbreviation(before[0], piece[begin : match.start()], first)


def _may_begin_small(first: str, match: re.Match[str]) -> bool:
    """A sentence may begin with a name in small letters ("pgvector supports ...", "login.gov is ...")."""
    word = re.match(r"[a-z][\w.-]*", first)
    ends_clearly = (match[1] or match[3]) in (".", "!", "?") and not match[2]
    return bool(ends_clearly and word and _is_small_name(word[0]))


def _is_small_name(word: str) -> bool:
    inner = word.rstrip(".")
    return inner not in _CONTINUES and bool(re.search(r"[A-Z_\d]|\w\.\w", inner))


def _is_abbreviation(word: str, before: str, first: str) -> bool:
    bare = word.casefold().strip(".")
    if bare in _ABBREVIATIONS:
        return not (bare in _MAY_END and first[0].isupper() and not _INITIAL.match(first.split()[0].rstrip(".")))
    if bare == "e.g" or bare == "i.e":
        return True
    if _INITIAL.match(word):
        return True  # an initial: "J. Smith"
    # The number of an item or section at the very start: "4. Change it", "5.1.1. Memorized secrets".
    return before.strip() == word and bool(_NUMBER_ONLY.match(word))
