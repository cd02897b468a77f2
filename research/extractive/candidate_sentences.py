"""The candidates for quotes: unchanged sentences, joined if one alone would say nothing.

A comment and the setting below it are one statement, as are a heading that is a version or a date and
the first line under it, and a remark of a few words with the sentence it belongs to. Every candidate is
one unbroken slice of the frozen text. The same holds for a term of a definition list, or a heading that is
the name of a setting, and the description below it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from citations.dates.date_forms import read_forms
from research.extractive.answer_releases import is_release_heading
from research.extractive.standalone_sentences import (
    MAX_WORDS,
    THIS_THING,
    clean,
    end_before_code,
    flaw,
    is_anaphoric,
    is_field,
    is_imperative,
    is_open_clause,
    is_sentence,
)
from research.parsing.clean_text import is_general_heading
from research.parsing.parse_sentences import SentenceSpan
from research.parsing.parsed_document import BlockKind
from research.parsing.parsed_quotable_text import NOT_CARRYING
from research.parsing.parsed_table_rows import NamedRow, TableNames

SHORTEST = 12  # characters; shorter quotes cannot be anchored
LONGEST = 1_200
REMARK = 6  # words; a sentence with fewer is joined to its neighbour
WORDS_OF_TERM = 8  # of a definition list; an item with more is a description
MARK = 4  # words of a heading that is a version or a date; one with more is a title
CONTEXT = 300  # characters of a neighbour
SHORT_CODE = 3  # lines of a block that is one statement
JOINED = 420  # characters of a sentence that refers back, together with the one before it
BETWEEN_ITEMS = 24  # characters: a line break, bullets and spaces
MAX_LEAD_LENGTH = 160  # characters of a line that is shown before an item of its list

WORDS_OF_LABEL = 3  # of a pair in a table without headers: fewer do not identify its subject
WORDS_OF_ROW_NAME = 6  # of the name of a row, or of a value, that is put before a sentence of another cell
CELLS = 8  # of a row that form one statement
NOTHING = ("", "-", "–", "—")  # cells without a value
_VALUE = re.compile(r"""\s*["'][\w][\w .:/@+-]*["'],?\s*$""")  # a name in a list in code
_ENUMERATES = re.compile(
    r"\b(?:is|are|include[sd]?|contains?|supports?|provides?|accepts?|offers?|names?|values?)(?: \w+)?:$"
)
_COMMENT = re.compile(r"\s*(?:#|//|--|/\*|\*|%|;)\s*\S")
# Categories of changes (keepachangelog.com) without which an entry says the opposite: "Support for Python 3.9".
_CATEGORY = re.compile(r"deprecated|removed|deprecations|removals", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|now|can|cannot|may|must|shall|should|will|would|not)\b"
    r"|^(?:add|chang|fix|updat|us|requir|rais|increas|renam|replac|mov|mak|bump|revert)(?:e|ed|es|ing|s)?\b",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"(?:add|introduc|remov|drop|deprecat|chang|renam|replac|rewr|fix|improv|reduc|increas)\w*\s+(?:\S+\s+)?\S+$",
    re.IGNORECASE,
)
_ENDS_SUPPORT = re.compile(r"\b(?:remov|delet|drop|deprecat)\w*|\bno longer\b", re.IGNORECASE)
_BEGINS_WITH_LITERAL = re.compile(r"\s*(?:[-*+•]\s+)?(?:`{1,2}|\*\*)[^\W\d]")
_STATES = re.compile(r"\b(?:is|are|was|were|has|have)\b")
_STOP = re.compile(r"[.!?]\s+(?=[A-Z])")
_WORDS = re.compile(r"(?:\b[a-z]{3,}\b.*){3}")
_OF_MARKS = frozenset("version release released changed new added since in of from as on and to".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_RELEASE_NUMBER = re.compile(r"\bv?\d+\.\d+")


# An item of a list that explains its own label in a whole phrase.
_IS_LABELLED = re.compile(r"(?!https?)[^\W\d_][\w ()/.-]{2,50}(?:: | [–—] )(?:an?|the|[A-Z]\w+(?: \w+){3})\b")


def is_date(text: str) -> bool:
    """Return True for a line that is a date and nothing else, perhaps in emphasis.

    >>> is_date("*April 2, 2025*"), is_date("Ends in April 2026.")
    (True, False)
    """
    line = text.strip("*_ .()\n")
    return len(line) <= DATE_LENGTH and any(match.group() == line for match, _reading in read_forms(line))


DATE_LENGTH = 30  # characters


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be quoted, with its context. Offsets refer to the frozen text."""

    document_id: str
    start: int
    end: int
    text: str
    section: str = ""  # heading path "A > B"
    kind: str = "paragraph"  # BlockKind value
    page: int | None = None
    lead_in: str = ""  # the line that introduces a list item, table row or code line
    before: str = ""  # the sentence before, in the same section
    after: str = ""
    chunk_score: float = 0.0  # 0-1: fused retrieval rank of its chunk
    media_type: str = ""  # of the document, which determines the markup in its text
    lead: tuple[int, int] | None = None  # span of the line after which an item is shown; it is quoted too
    lead_text: str = ""
    is_before_code: bool = False  # its colon introduces a block of code, which it describes
    siblings: tuple[tuple[int, int, str], ...] = ()  # start, end and text of all items after its lead
    items: tuple[Candidate, ...] = ()  # items of a list that is one statement, in its order
    row: NamedRow | None = None  # of a table with column names
    # The name of the row whose cell has the sentence, with its short values: "AXES_FAILURE_LIMIT (Default: 3)".
    row_label: str = ""
    has_names: bool = True  # False for a row of a table that names neither its rows nor its columns
    # Span of the heading that is its release: "2.1.0 (2024-04-19)"; of a line that is a date, the heading right above.
    release: tuple[int, int] | None = None
    release_text: str = ""
    label: str = (
        ""  # beginning of the text: a term that a definition list describes, or the name of a setting
    )
    continues_item: bool = False  # it is a later sentence of a list item
    shows_release: bool = False  # it is shown after the heading of its release, which is quoted too

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Return the spans of the words to quote, the statement's own first, as half-open ranges. Ranges with only
        list markup between them are merged.
        """
        if not self.items:
            mark = [self.release] if self.shows_release and self.release else []
            return ((self.start, self.end), *([self.lead] if self.lead and self._needs_lead else []), *mark)
        lead = [self.lead] if self.lead else []
        merged: list[tuple[int, int]] = []
        for start, end in sorted([*lead, *((item.start, item.end) for item in self.items)]):
            if merged and start - merged[-1][1] <= BETWEEN_ITEMS:
                start, end = merged.pop()[0], end
            merged.append((start, end))
        return tuple(merged)

    @cached_property
    def named(self) -> str:
        """Return the text; for a table row, its name and each value with the name of its column."""
        return self.text if self.row is None else _label_cells(self.row)

    @cached_property
    def shown(self) -> str:
        """Return the text of the claim: cleaned, and after its introducing line if it is not informative on its own."""
        said = self._show_after_lead()
        return f"{clean(self.release_text, self.media_type)}: {said}" if self.shows_release else said

    def _show_after_lead(self) -> str:
        if self.items:
            names = "; ".join(item.name.rstrip(" .;,") for item in self.items)
            return f"{clean(self.lead_text, self.media_type).rstrip(':').rstrip()}: {names}."
        if self.row:
            return clean(self.named, self.media_type)
        if self.lead is None:
            return self._show_sentence()
        if not self._needs_lead:
            return self.name
        line = clean(self.lead_text, self.media_type).rstrip(":").rstrip()
        if _RELATIVE_END.search(line) and _BEGINS_WITH_WORD.match(self.name):
            return f"{line} {self.name[:1].lower()}{self.name[1:]}"  # "a valve that checks …"
        return f"{line}: {self.name}"

    @property
    def _needs_lead(self) -> bool:
        """False for an item that explains its own label: "cell temperature: the temperature of the cell itself"."""
        return not _IS_LABELLED.match(self.name)

    def _show_sentence(self) -> str:
        if self.label:
            rest = self.text[len(self.label) :]
            return f"{clean(self.label, self.media_type).rstrip(':')}: {clean(rest, self.media_type)}"
        mark = self._joined_mark
        said = self._show_without_mark()
        label = clean(self.row_label, self.media_type)
        if label and not said.startswith(label.split(" (")[0]):
            return f"{label}: {said}"
        return f"{mark}: {said}" if mark else said

    @property
    def _joined_mark(self) -> str:
        """Return the heading that is a version or a date, if the text begins with it."""
        is_joined = _is_mark(self.heading) and self.text.startswith(self.heading)
        return self.heading if is_joined and self.kind != BlockKind.TABLE.value else ""

    @property
    def without_mark(self) -> Candidate:
        """The candidate without the heading of its release, for a place that names the release anyway."""
        rest = self.text[len(self._joined_mark) :].lstrip()
        return replace(self, start=self.start + len(self.text) - len(rest), text=rest)

    def _show_without_mark(self) -> str:
        shown = clean(
            self.text[len(self._joined_mark) :],
            self.media_type,
            is_row=self.kind == BlockKind.TABLE.value,
            header=self.table_header,
        )
        return end_before_code(shown) if self.is_before_code else shown

    @property
    def change(self) -> str:
        """Return an entry of a changelog without the heading of its release: "Added a type"."""
        is_plain = not self.items and self.row is None and self.lead is None
        return self._show_without_mark() if is_plain else self._show_after_lead()

    @property
    def name(self) -> str:
        """Return the item of a list alone: cleaned, and without quotation marks if it is a line of code."""
        row = clean(
            self.text, self.media_type, is_row=self.kind == BlockKind.TABLE.value, header=self.table_header
        )
        return row.strip(" ,").strip("\"'") if self.kind == BlockKind.CODE.value else row

    @cached_property
    def flaw(self) -> str:
        """Return the reason why the sentence cannot be read alone; empty if it can."""
        if self.kind == BlockKind.CODE.value and self.lead is None:
            return "code"
        if self.row:
            return "" if len(self.shown.split()) <= MAX_WORDS else "too long"
        if self.kind == BlockKind.TABLE.value:
            if self.text == self.table_header or not _WORDS.search(self.shown):
                return "a row without words"
            if not self.has_names:
                return "a row without names"
        shown = self.shown
        # It begins with an identifier, and is not cut off: after a label, first in its section, or marked as a literal.
        is_begun = self.label or self.lead or not self.before or _BEGINS_WITH_LITERAL.match(self.text)
        why = flaw(shown)
        if why == "cut" and shown[:1].islower() and is_begun:
            why = flaw(shown[:1].upper() + shown[1:])
        is_entry = self.release is not None and _ENTRY.match(shown) is not None  # "Added halfvec type"
        return "" if is_entry and why == "too short" else why

    @property
    def table_header(self) -> str:
        return self.lead_in.rsplit("\n", 1)[-1] if self.kind == BlockKind.TABLE.value else ""

    @property
    def with_release(self) -> Candidate:
        """The candidate shown after the heading of its release, if that is not shown anyway."""
        is_shown = self.release is None or self.release_text in self.text or self.row or self.items
        return self if is_shown else replace(self, shows_release=True)

    @property
    def key(self) -> tuple[str, int, int]:
        return self.document_id, self.start, self.end

    @property
    def heading(self) -> str:
        return self.section.rsplit(" > ", 1)[-1]


_DESCRIBES = re.compile(
    r"descriptions?|explanations?|meaning|beschreibung|erläuterung|bedeutung", re.IGNORECASE
)
_NAMES_ROW = re.compile(r"[^\W\d_]{3}")  # a word, and not the number of a requirement


def _label_cells(row: NamedRow) -> str:
    """Return a row as its name and labelled values: "Tarn – Otters 2024: 55; Otters 2025: 61".

    A description says itself that it is one: "L2 – Other farms".
    """
    values = (
        f"{name.rstrip(' :')}: {value}" if name and not _DESCRIBES.fullmatch(name.strip(" :*")) else value
        for name, value in row.cells
        if value not in NOTHING
    )
    return f"{row.name} – {'; '.join(values)}"


def _as_statement(row: NamedRow | None) -> tuple[NamedRow | None, bool]:
    """Return the row if its cells have names, and True if it can be understood at all.

    A row that contains a sentence is read as text.
    """
    if row is None or any(is_sentence(cell) for _, cell in (*row.naming, *row.cells)):
        return None, True
    if row.name and any(name for name, _ in row.cells):
        return row, True
    if len(row.cells) == 1 and len(row.name.split()) >= WORDS_OF_LABEL:
        return row, True
    return None, len(row.cells) + len(row.naming) < 3


def _label_row(row: NamedRow) -> str:
    """Return the name of a row that is read as text, with its short values; "" if it has no telling name."""
    is_long = len(row.name.split()) > WORDS_OF_ROW_NAME
    if is_long or not _NAMES_ROW.search(row.name) or is_sentence(row.name):
        return ""
    values = (
        f"{name.rstrip(' :')}: {value}"
        for name, value in row.cells
        if name
        and value not in NOTHING
        and len(value.split()) <= WORDS_OF_ROW_NAME
        and not is_sentence(value)
    )
    noted = "; ".join(values)
    return f"{row.name} ({noted})" if noted else row.name


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A retrieved chunk: its position and its rank, 0-1."""

    start: int
    end: int
    score: float


class Statements:
    """The quotable sentences of a document, joined once for many passages.

    `spans` are all sentences of the document, in order; `tables` name its cells.
    """

    def __init__(
        self,
        document_id: str,
        text: str,
        spans: Sequence[SentenceSpan],
        media_type: str = "",
        tables: TableNames | None = None,
    ) -> None:
        self._tables = tables
        self._document_id = document_id
        self._media_type = media_type
        self._text = text
        self._labels = _find_labels(text, spans)
        whole = spans if tables is None else list(_split_rows(spans, tables))
        self._spans = list(_statements(text, whole, self._labels))
        self._starts = [span.start for span in self._spans]
        self._headings = _headings_above(text, spans, self._spans)
        self._leads = _lead_ins(text, self._spans)
        items: dict[tuple[int, int] | None, list[tuple[int, int, str]]] = defaultdict(list)
        for span, (_lead, place) in zip(self._spans, self._leads, strict=True):
            if place is not None:
                items[place].append((span.start, span.end, text[span.start : span.end]))
        self._items = {
            place: tuple(behind) for place, behind in items.items()
        }  # one tuple for all of its members
        self._made: dict[tuple[int, float], Candidate] = {}

    def within(self, passages: Iterable[RankedChunk]) -> list[Candidate]:
        """Return the statements of the passages, in reading order, each once with its best passage's score."""
        scores: dict[int, float] = {}
        for passage in passages:
            for index in self._find_overlapping_indices(passage):
                scores[index] = max(scores.get(index, 0.0), passage.score)
        found = (self._made_once(index, scores[index]) for index in sorted(scores))
        return [item for item in found if _is_quotable(item)]

    def _made_once(self, index: int, score: float) -> Candidate:
        """Return the candidate with what was computed of it, if it was asked for before."""
        return self._made.get((index, score)) or self._made.setdefault(
            (index, score), self._candidate(index, score)
        )

    def _find_overlapping_indices(self, passage: RankedChunk) -> Iterator[int]:
        first = max(0, bisect_right(self._starts, passage.start) - 1)
        for index in range(first, bisect_left(self._starts, passage.end)):
            if self._spans[index].end > passage.start:
                yield index

    def _candidate(self, index: int, score: float) -> Candidate:
        span = self._spans[index]
        start = self._start_with_antecedent(index)
        first = bisect_left(self._starts, start)
        lead = self._lead_of_item(first, span.end)
        siblings = self._items.get(self._leads[index][1], ()) if lead and first == index else ()
        lead = lead or self._category_of_item(index) or self._label_above(index)
        lead = lead or self._thing_above(index, start)
        release = next(
            (
                place
                for place in reversed(self._headings[index])
                if is_release_heading(self._text[slice(*place)])
            ),
            None,
        )
        if release is None and self._headings[index] and is_date(self._text[start : span.end]):
            release = self._headings[index][-1]  # "Pumps 5.2 release notes", above "April 2, 2025"
        row_here = self._find_row(span)
        row, has_names = _as_statement(row_here)
        return Candidate(
            row=row,
            row_label=_label_row(row_here) if row_here and row is None else "",
            has_names=has_names,
            document_id=self._document_id,
            start=start,
            end=span.end,
            text=self._text[start : span.end],
            media_type=self._media_type,
            lead=lead,
            lead_text=self._text[lead[0] : lead[1]] if lead else "",
            siblings=siblings,
            label=self._text[start : self._labels.get(start, start)],
            continues_item=span.kind is BlockKind.LIST and self._continues_item(index),
            release=release,
            release_text=self._text[slice(*release)] if release else "",
            section=span.section,
            kind=span.kind.value,
            page=span.page,
            lead_in=self._leads[index][0],
            before=self._neighbour(index, -1)[-CONTEXT:],
            after=self._neighbour(index, +1)[:CONTEXT],
            chunk_score=score,
            is_before_code=span.kind is not BlockKind.CODE and self._kind_after(index) is BlockKind.CODE,
        )

    def _find_row(self, span: SentenceSpan) -> NamedRow | None:
        """Return the row of a table that has the span; None outside of tables."""
        if span.kind is not BlockKind.TABLE or self._tables is None:
            return None
        return self._tables.row_at(span.start, span.end)

    def _kind_after(self, index: int) -> BlockKind | None:
        following = self._spans[index + 1 : index + 2]
        return following[0].kind if following else None

    def _start_with_antecedent(self, index: int) -> int:
        """Return the start of a sentence, with the one that it refers back to if both are short and in one block."""
        span = self._spans[index]
        start = span.start
        while index and span.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
            before = self._spans[index - 1]
            joined = (
                before.kind is span.kind
                and before.section == span.section
                and span.end - before.start <= JOINED
            )
            between = self._text[before.end : start]
            if (
                not joined
                or ("\n" in between.strip(" ") and not self._refers_to_lone_sentence(index))
                or not (
                    is_anaphoric(clean(self._text[start : span.end])) or self._is_told_on_a_condition(index)
                )
            ):
                break
            index, start = index - 1, before.start
        return start

    def _is_told_on_a_condition(self, index: int) -> bool:
        """Return True for an instruction after a statement in its list item: "The code is valid. Open the gate." """
        before, span = self._spans[index - 1], self._spans[index]
        if span.kind is not BlockKind.LIST or not self._continues_item(index):
            return False
        case, act = (clean(self._text[each.start : each.end]) for each in (before, span))
        return is_imperative(act) and bool(_STATES.search(case)) and not is_imperative(case)

    def _refers_to_lone_sentence(self, index: int) -> bool:
        """Return True for a paragraph that begins with "It" after a paragraph of one sentence: its subject is meant."""
        start, before = self._spans[index].start, self._spans[index - 1]
        earlier = self._spans[index - 2].end if index > 1 else 0
        is_lone = index < 2 or "\n\n" in self._text[earlier : before.start]
        is_paragraph = before.kind is BlockKind.PARAGRAPH and "\n\n" in self._text[before.end : start]
        return is_lone and is_paragraph and self._text.startswith(_SUBJECT_PRONOUNS, start)

    def _lead_of_item(self, index: int, end: int) -> tuple[int, int] | None:
        """Return the line that introduces a list, for an item that is not a sentence, or a name or value in code.

        The item begins with the sentence of the index, and is read up to `end`.
        """
        lead = self._last_sentence(self._leads[index][1])
        span = self._spans[index]
        is_value = span.kind is BlockKind.CODE and bool(_VALUE.match(self._text[span.start : span.end]))
        is_item = is_value or (
            span.kind is BlockKind.LIST
            and not is_field(self._text[span.start : span.end])
            and not self._continues_item(index)
        )
        if not is_item or lead is None or lead[1] - lead[0] > MAX_LEAD_LENGTH:
            return None
        item, line = clean(self._text[span.start : end]), clean(self._text[lead[0] : lead[1]])
        if not line.endswith(":"):
            return None
        # "It does not:" is needed by "Impose a database", which alone says the opposite.
        is_alone = is_sentence(item) and not is_anaphoric(item) and not item[:1].islower()
        if (is_anaphoric(line) or is_alone) and not is_open_clause(line):
            return None
        if is_value and not _ENUMERATES.search(line):
            return None
        return lead

    def _continues_item(self, index: int) -> bool:
        """Return True for the second sentence of a list item, which the line before the list does not introduce."""
        before, span = self._spans[index - 1], self._spans[index]
        is_near = index > 0 and before.kind is BlockKind.LIST and before.section == span.section
        return is_near and "\n" not in self._text[before.end : span.start]

    def _category_of_item(self, index: int) -> tuple[int, int] | None:
        """Return the heading "Removed" or the like above an entry of a changelog that does not say so itself."""
        span, above = self._spans[index], self._headings[index]
        heading = self._text[slice(*above[-1])] if above else ""
        is_item = span.kind is BlockKind.LIST and not self._continues_item(index)
        if not is_item or not _CATEGORY.fullmatch(heading.strip()):
            return None
        item = clean(self._text[span.start : span.end], self._media_type)
        is_clause = bool(_CLAUSE.search(item) or _ENDS_SUPPORT.search(item))
        return above[-1] if not is_clause else None

    def _label_above(self, index: int) -> tuple[int, int] | None:
        """Return the term of a definition list for a later sentence of its description, and the name of a setting for a
        later remark that is not a sentence.
        """
        span, above = self._spans[index], self._headings[index]
        if self._start_with_antecedent(index) in self._labels:
            return None  # it is shown after it anyway
        if span.kind is BlockKind.PARAGRAPH:
            is_remark = above and above[-1][0] in self._labels and not is_sentence(self._clean(span))
            return above[-1] if is_remark else None
        while self._continues_item(index):
            index -= 1
            start = self._spans[index].start
            if start in self._labels:
                return start, self._labels[start]
        return None

    def _thing_above(self, index: int, start: int) -> tuple[int, int] | None:
        """Return the heading that names what "This plugin …" speaks of: the last that has the noun, else the first."""
        span = self._spans[index]
        found = THIS_THING.match(self._text, start, span.end)
        if found is None or start != span.start or span.kind is not BlockKind.PARAGRAPH:
            return None
        noun = found[1].lower()
        called = [place for place in self._headings[index] if noun in self._text[slice(*place)].lower()]
        outermost = [
            place for place in self._headings[index][:1] if not is_general_heading(self._text[slice(*place)])
        ]
        return next(reversed(called or outermost), None)

    def _clean(self, span: SentenceSpan) -> str:
        return clean(self._text[span.start : span.end], self._media_type)

    def _last_sentence(self, place: tuple[int, int] | None) -> tuple[int, int] | None:
        """Return the last sentence of a line that introduces a list, which ends in its colon."""
        if place is None:
            return None
        stops = [found.end() for found in _STOP.finditer(self._text, *place)]
        return (stops[-1] if stops else place[0]), place[1]

    def _neighbour(self, index: int, step: int) -> str:
        other = index + step
        if not 0 <= other < len(self._spans) or self._spans[other].section != self._spans[index].section:
            return ""
        span = self._spans[other]
        return "" if span.kind is BlockKind.HEADING else self._text[span.start : span.end]


def _headings_above(
    text: str, spans: Sequence[SentenceSpan], statements: Sequence[SentenceSpan]
) -> list[tuple[tuple[int, int], ...]]:
    """Return for each statement the spans of the headings that it is under, outermost first."""
    headings = [span for span in spans if span.kind is BlockKind.HEADING]
    found: list[tuple[tuple[int, int], ...]] = []
    latest: dict[str, tuple[int, int]] = {}
    passed = 0
    for statement in statements:
        while passed < len(headings) and headings[passed].start <= statement.start:
            heading = headings[passed]
            latest[_plain_heading(text[heading.start : heading.end])] = heading.start, heading.end
            passed += 1
        path = map(_plain_heading, statement.section.split(" > "))
        found.append(tuple(latest[part] for part in path if part in latest))
    return found


def _plain_heading(heading: str) -> str:
    """Return a heading as the path of a section has it: without marks of code."""
    return " ".join(heading.replace("`", "").split())


def _split_rows(spans: Iterable[SentenceSpan], tables: TableNames) -> Iterator[SentenceSpan]:
    """Yield the sentences, and rows of many cells in parts, since a claim of all cells would be a paragraph."""
    for span in spans:
        if span.kind is BlockKind.TABLE:
            for start, end in tables.split_row(span.start, span.end, CELLS):
                yield replace(span, start=start, end=end)
        else:
            yield span


_SUBJECT_PRONOUNS = ("It ", "They ", "He ", "She ")
_RELATIVE_END = re.compile(r"\b(?:that|which|who)$", re.IGNORECASE)
_BEGINS_WITH_WORD = re.compile(r"[A-Z][a-z]+ ")


def _is_quotable(item: Candidate) -> bool:
    """Return True if the sentence can be quoted. Headings and captions cannot, however long they are."""
    is_cut = item.text.rstrip().endswith("\\")  # a line of code that continues on the next
    is_long_enough = (len(item.text) >= SHORTEST or item.row is not None) and len(item.text) <= LONGEST
    return is_long_enough and not is_cut and BlockKind(item.kind) not in NOT_CARRYING


def _lead_ins(text: str, statements: Sequence[SentenceSpan]) -> list[tuple[str, tuple[int, int] | None]]:
    """Return the introduction of each statement of a list, table or code block, and its span.

    That is the last prose before it, or the table's first row, for which no span is given.
    """
    leads: list[tuple[str, tuple[int, int] | None]] = []
    lead, place, table_head, section, was_table = "", None, "", "", False
    for span in statements:
        if span.section != section:
            lead, place, section = "", None, span.section
        is_table = span.kind is BlockKind.TABLE
        if is_table and not was_table:
            table_head = text[span.start : span.end][:CONTEXT]
        was_table = is_table
        if span.kind in (BlockKind.LIST, BlockKind.CODE):
            leads.append((lead, place))
        elif is_table:
            leads.append((f"{lead}\n{table_head}".strip(), None))
        else:
            leads.append(("", None))
            is_prose = span.kind is not BlockKind.HEADING
            lead = text[span.start : span.end][-CONTEXT:] if is_prose else ""
            place = (span.start, span.end) if is_prose else None
    return leads


def _find_labels(text: str, spans: Sequence[SentenceSpan]) -> dict[int, int]:
    """Return the start and end of each label: a term of a definition list, or a heading that is a setting's name."""
    labels = {
        span.start: span.end
        for span in spans
        if span.kind is BlockKind.HEADING and _SETTING.fullmatch(text, span.start, span.end)
    }
    for items in _list_runs(text, spans):
        terms = [item[0] for item in items if _is_term(text, item)]
        described = [second for first, second in pairwise(items) if _is_term(text, first)]
        is_alternating = len(described) == len(terms) and not any(_is_term(text, item) for item in described)
        is_enough = len(terms) > 1 or (terms and _SETTING.fullmatch(text, terms[0].start, terms[0].end))
        if is_alternating and is_enough and terms[0] is items[0][0]:
            labels |= {term.start: term.end for term in terms}
    return labels


# "SESSION_COOKIE_AGE", "``--port``", "worker.prefetch": one word that is an identifier.
_SETTING = re.compile(r"[`*]{0,2}(?:--?\w[\w-]*|\w+(?:[._]\w+)+)[`*]{0,2}:?")


def _list_runs(text: str, spans: Sequence[SentenceSpan]) -> Iterator[list[list[SentenceSpan]]]:
    """Yield each list as its items, and each item as its sentences."""
    items: list[list[SentenceSpan]] = []
    for span in spans:
        between = text[items[-1][-1].end : span.start] if items else ""
        if items and (
            span.kind is not BlockKind.LIST or "\n\n" in between or items[-1][-1].section != span.section
        ):
            yield items
            items = []
        if span.kind is not BlockKind.LIST:
            continue
        if items and "\n" not in between:
            items[-1].append(span)
        else:
            items.append([span])
    if items:
        yield items


def _is_term(text: str, item: Sequence[SentenceSpan]) -> bool:
    """Return True for an item of a few words without a closing mark."""
    said = text[item[0].start : item[0].end]
    return (
        len(item) == 1
        and len(said.split()) <= WORDS_OF_TERM
        and not said.endswith((".", "!", "?", ":", ";", ","))
    )


def _statements(
    text: str, spans: Sequence[SentenceSpan], labels: Mapping[int, int]
) -> Iterator[SentenceSpan]:
    """Yield the sentences, joined to neighbours of the same section without which they would say nothing."""
    waiting: SentenceSpan | None = None
    for span in _code_joined(text, spans):
        if waiting is None:
            waiting = span
        elif _belongs(text, waiting, span, labels):
            waiting = replace(waiting, end=span.end, kind=span.kind)
        else:
            yield waiting
            waiting = span
    if waiting is not None:
        yield waiting


def _belongs(text: str, before: SentenceSpan, span: SentenceSpan, labels: Mapping[int, int]) -> bool:
    if span.end - before.start > LONGEST or before.section != span.section:
        return False
    between = text[before.end : span.start]
    if labels.get(before.start) == before.end:
        return span.kind in (BlockKind.PARAGRAPH, BlockKind.LIST) and len(between.split()) == 0
    if before.kind is BlockKind.HEADING:
        said = text[before.start : before.end]
        return span.kind is not BlockKind.HEADING and _is_mark(said) and len(between.split()) <= 1
    if before.kind is not span.kind or span.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST):
        return False
    if span.kind is BlockKind.LIST and _DECLARATION.fullmatch(text, before.start, before.end):
        return text[span.start].islower() and not _DECLARATION.match(text, span.start, span.end)
    return "\n" not in between and _is_remark(text[span.start : span.end])


# "int efSearch = 16" in a list of members, each followed by what it is.
_DECLARATION = re.compile(r"[\w:<>,*& ]+\s[*&]?\w+\s*=\s*[^\s=]+")


def _is_mark(heading: str) -> bool:
    """Return True for a heading that is little more than a version or a date."""
    return is_release_heading(heading) or (
        bool(_YEAR.search(heading))
        and len(heading.split()) <= MARK
        and not _RELEASE_NUMBER.search(heading)
        and not any(word.isalpha() and word.islower() and word not in _OF_MARKS for word in heading.split())
    )


def _is_remark(sentence: str) -> bool:
    return len(sentence.split()) < REMARK


def _code_joined(text: str, spans: Sequence[SentenceSpan]) -> Iterator[SentenceSpan]:
    """Yield lines of code; comments are joined to the line that they explain, and short blocks are kept whole."""
    block: list[SentenceSpan] = []
    for span in spans:
        if block and not _continues_code(text, block[-1], span):
            yield from _code_statements(text, block)
            block = []
        if span.kind is BlockKind.CODE:
            block.append(span)
        else:
            yield span
    yield from _code_statements(text, block)


def _continues_code(text: str, before: SentenceSpan, span: SentenceSpan) -> bool:
    is_code = span.kind is BlockKind.CODE and span.section == before.section
    return is_code and "\n\n" not in text[before.end : span.start]


def _code_statements(text: str, block: Sequence[SentenceSpan]) -> Iterator[SentenceSpan]:
    if not block:
        return
    if len(block) <= SHORT_CODE:
        yield replace(block[0], end=block[-1].end)
        return
    first = block[0]
    for index, span in enumerate(block):
        is_comment = bool(_COMMENT.match(text[span.start : span.end]))
        if not is_comment or index == len(block) - 1 or span.end - first.start > LONGEST // 2:
            yield replace(first, end=span.end)
            first = block[index + 1] if index + 1 < len(block) else span
