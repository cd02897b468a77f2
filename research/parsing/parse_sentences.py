"""Splits a frozen text into sentences, as exact slices: prose, list items, table rows, lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from research.parsing.clean_text import word_set
from research.parsing.frozen_text_builder import CELL_JOIN
from research.parsing.parsed_document import BlockKind, TextBlock


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A half-open range [start, end) of the text, with its section, kind and page."""

    start: int
    end: int
    section: str
    kind: BlockKind
    page: int | None


LONG_ROW = 300  # characters; longer table rows are split at their cells

# A full stop after these does not end a sentence if more follows.
_ABBREVIATIONS = word_set(
    "e.g i.e eg ie etc vs cf viz al approx ca no nos fig figs eq eqs sec sect ch chap vol vols ed eds",
    "pp p para art app ref refs dr mr mrs ms prof sr jr st rev gen col sgt hon inc ltd corp co dept est",
    "min max ver ibid op cit resp seq jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu",
    "fri sat sun u.s u.k u.n e.u a.m p.m ph.d d.c",
)
# These may end a sentence: they do if a capitalized word follows that can begin one.
_MAY_END = word_set(
    "etc al inc ltd corp co u.s u.k e.u a.m p.m d.c ph.d jr sr",
)
# Abbreviated place names precede other names ("U.S. Government"); only these words show a new sentence.
_PLACES = word_set(
    "u.s u.k u.n e.u d.c",
)
_OPENERS = word_set(
    "the a an it its this that these those there in on at for from to by with as if when while since",
    "after before however but and so all some many most each no not we they he she you our users see",
)
# Possessive, and only from the first mark of a run: retrying from each mark would take forever on leaders
# (".....").
_BOUNDARY = re.compile(
    r"(?<![.!?…])([.!?…]++)([\"'”’»)\]*_`]*+)(?=\s)"
    r"|([.!?])([\"”’)\]]*(?:\[\d+(?:,\s*\d+)*\])+)(?=\s)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"“‘'*_`]+$")
_INITIAL = re.compile(r"[A-Z]$")
_NUMBER_ONLY = re.compile(r"(?:\(?[\dA-Za-z]{1,3}|[A-Z]?\d+(?:\.\d+)*|[ivxlc]{1,6})$")
# A German ordinal: “1. Januar 2013”, “im 19. Jahrhundert”. Months that are English words too need a German word before.
_ORDINAL = re.compile(r"(?:[12]?\d|3[01])$")
_COUNTED = word_set(
    "januar jänner februar märz mai juni juli oktober dezember jahrhundert jahrhunderts jahrtausend quartal"
)
_COUNTED_IN_ENGLISH = word_set("april august september november")
_BEFORE_ORDINAL = re.compile(
    r"\b(?:am|im|dem|den|der|des|vom|zum|bis|ab|seit|und|oder|um)\s+$", re.IGNORECASE
)
_OPENING = re.compile(r"[\"“‘'(\[*_`<#/\s]*")
_BLANKS = re.compile(r"\s*")
_WORD = re.compile(r"\S*")
_SMALL_NAME = re.compile(r"[a-z][\w.()-]*")
_MAX_WORD_LENGTH = 60  # characters before a full stop that can be an abbreviation or a section number
# A remark in brackets at the end of a block belongs to the sentence before it: "... is kept. [Default: 3]".
_CLOSING_REMARK = re.compile(r"[\[(][^\])]{1,40}[\])][\s.\\]*$|[\[(]default", re.I)
_COMMENT = re.compile(r"\s*(#+|//+|;+|--)\s")
_WRAPPED_AT = 40  # a comment line this long may continue in the next
BULLET = re.compile(r"[•▪◦‣●○■□*+–-]\s+(?=\S)")
# The mark of a note before its words: "[1] Counted in May.", "[i] Closed in August.", "[†] Without freight."
_NOTE_MARK = re.compile(r"\[(?:\d{1,3}|[ivxlc]{1,6}|[a-z]|[*†‡§¶]{1,3})\]\s+(?=[^\W\d_a-z])")
_SPLIT_CELLS = re.compile(rf"(?:{re.escape(CELL_JOIN.rstrip())})+ ")  # empty cells included


def sentences(text: str, blocks: Iterable[TextBlock]) -> list[SentenceSpan]:
    """Return all sentences of the blocks in order; the same text and blocks always give the same spans."""
    return [
        SentenceSpan(start, end, block.section, block.kind, block.page)
        for block in blocks
        for start, end in _block_spans(text, block)
    ]


def _block_spans(text: str, block: TextBlock) -> Iterator[tuple[int, int]]:
    if block.kind is BlockKind.HEADING:
        return _trim_spans(text, [(block.start, block.end)])
    if block.kind is BlockKind.CODE:
        return _lines(text, block.start, block.end)
    if block.kind is BlockKind.TABLE:
        return _row(text, block.start, block.end)
    return _prose(text, _after_mark(text, block), block.end)


def _after_mark(text: str, block: TextBlock) -> int:
    """Return the start of a list item's or note's text, after its mark, which is not part of the sentence."""
    mark = BULLET if block.kind is BlockKind.LIST else _NOTE_MARK
    found = mark.match(text, block.start, block.end)
    return found.end() if found else block.start


def _row(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a table row as one sentence.

    A long one is split into cells, and prose in cells into sentences.
    """
    if end - start <= LONG_ROW:
        yield from _trim_spans(text, [(start, end)])
        return
    position = start + (2 if text.startswith("| ", start) else 0)  # an empty first cell
    for match in _SPLIT_CELLS.finditer(text, start, end):
        yield from _prose(text, position, match.start())
        position = match.end()
    yield from _prose(text, position, end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the statements of code, usually one a line; a comment over several lines is split as prose."""
    position = start
    for group in _statements(text[start:end].split("\n")):
        length = sum(map(len, group)) + len(group) - 1
        if _COMMENT.match(group[0]):
            yield from _prose(text, position, position + length)
        else:
            yield from _trim_spans(text, [(position, position + length)])
        position += length + 1


def _statements(lines: Sequence[str]) -> Iterator[list[str]]:
    group = [lines[0]]
    for line in lines[1:]:
        if _goes_on(group, line):
            group.append(line)
        else:
            yield group
            group = [line]
    yield group


def _goes_on(group: Sequence[str], following: str) -> bool:
    """Return True if code continues in the next line: a wrapped comment, or a value indented far."""
    first, line = group[0], group[-1]
    mark, next_mark = _COMMENT.match(line), _COMMENT.match(following)
    if mark and next_mark and mark[1] == next_mark[1]:
        words = following[next_mark.end() :]
        return len(line.strip()) >= _WRAPPED_AT or words[:1].islower()
    deeper = len(following) - len(following.lstrip()) - (len(first) - len(first.lstrip()))
    return deeper >= 8 and bool(line.strip()) and bool(following.strip()) and not mark and not next_mark


def _prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    position = 0
    for match in _BOUNDARY.finditer(piece):
        if _ends_sentence(piece, position, match):
            yield from _trim_spans(text, [(start + position, start + match.end())])
            position = match.end()
    yield from _trim_spans(text, [(start + position, end)])


def _trim_spans(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in spans:
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            yield start, end


def _ends_sentence(piece: str, begin: int, match: re.Match[str]) -> bool:
    """Return True if the punctuation ends the sentence that begins at `begin`.

    It examines only the surroundings: pieces may be very long.
    """
    following = _skip(_BLANKS, piece, match.end())
    first = _skip(_OPENING, piece, following)
    if first == len(piece):
        return following == len(piece)
    if piece[following] in ".,;:)" or piece[match.start() - 1].isspace():
        return False  # ". . ." is an ellipsis
    if _CLOSING_REMARK.match(piece, following):
        return False
    word = piece[first : _skip(_WORD, piece, first)]
    if (match[1] or match[3]) == "." and not match[2] and _is_abbreviated(piece, begin, match.start(), word):
        return False
    return not word[0].islower() or (not match[2] and _is_small_name(word))


def _skip(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return the end of the pattern's match at `start`, or `start` if there is none."""
    match = pattern.match(text, start)
    return match.end() if match else start


def _is_small_name(word: str) -> bool:
    """Return True if the word is a lower-case name that may begin a sentence: "login.gov", "base64"."""
    name = _SMALL_NAME.match(word)
    return bool(name and re.search(r"[A-Z_\d]|\w\.\w|\(\)", name[0]))


def _is_german_ordinal(word: str, before: str, following: str) -> bool:
    """Return True for a German ordinal and the month or century that it counts: “seit dem 1. Januar”."""
    if not _ORDINAL.match(word):
        return False
    counted = following.casefold().strip(",;:!?.)")
    is_german = bool(_BEFORE_ORDINAL.search(before)) or not before.strip()
    return counted in _COUNTED or (counted in _COUNTED_IN_ENGLISH and is_german)


def _is_abbreviated(piece: str, begin: int, stop: int, following: str) -> bool:
    """Return True if the full stop at `stop` belongs to the word before it.

    `following` is the next sentence's first word.
    """
    last = _LAST_WORD.search(piece, max(begin, stop - _MAX_WORD_LENGTH), stop)
    if not last:
        return False
    word = last[0]
    bare = word.casefold().strip(".")
    if bare in _PLACES:
        return following.casefold().strip(",") not in _OPENERS
    if bare in _ABBREVIATIONS:
        may_begin = following[0].isupper() and not _INITIAL.match(following.rstrip("."))
        return not (bare in _MAY_END and may_begin)
    if _INITIAL.match(word):
        return True  # an initial: "J. Smith"
    if _is_german_ordinal(word, piece[max(begin, last.start() - _MAX_WORD_LENGTH) : last.start()], following):
        return True
    # An item or section number at the very start: "4. Change it", "5.1.1. Memorized secrets".
    return last.start() == _skip(_BLANKS, piece, begin) and bool(_NUMBER_ONLY.match(word))
