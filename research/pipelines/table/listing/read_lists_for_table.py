"""Lists of things in the sources: the rows of tables and the entries of lists, each with the words that name it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citations.quantities.amounts import find_amounts
from citations.text.claim_words_and_stems import STOPWORDS, stem
from citations.text.quote_span import Span
from research.parsing.parsed_document import BlockKind, TextBlock
from research.parsing.parsed_table_rows import ParsedTableRow, rows_of_table
from research.pipelines.table.decomposing.decompose_table_request_by_rules import ITEM_HEADERS
from research.pipelines.table.decomposing.table_request_decomposition import MAX_ITEM_LENGTH
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.finding.table_item_names import item_key
from research.pipelines.table.finding.table_item_scope import is_beside
from research.pipelines.table.listing.table_list_request import RowsRequest, write_figures

MIN_ENTRIES = 3
FITTING = 0.6  # share of the request's words that the surroundings of a list have to say
NAMED_COLUMN = 0.5  # what a column that is headed by the thing itself adds
_WORDS = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SUPERLATIVE = re.compile(r"\w{2,}(?:est|ste[nrs]?)$|^(?:most|top|list|complete|all)$", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\b(?:of|in|by|on|at|for|from|since|with|to|that|who|der|des|von|in|im|nach|seit)\b", re.IGNORECASE
)
_NOTES = re.compile(r"(?:\s*\[[\w ]{1,8}\]|\s*[*†‡§#^¹²³⁴⁵])+$")
_BULLET = re.compile(r"^\s*(?:[-*•–—·]|\d{1,4}[.)]|\(\d{1,4}\))\s+")
_NAME_END = re.compile(r"\s+[–—-]\s+|:\s|\s*\(|\t|\s\|\s|;\s")
_SUMS = re.compile(
    r"^(?:(?:grand )?totals?|sum|average|mean|median|world|all|others?|gesamt|summe|insgesamt|total .*)$",
    re.IGNORECASE,
)
_MAX_NAME, _MAX_WORDS = 120, 12
# Sections of a list that name what is no longer, or not yet, one of the things.
_OTHER_STATUS = re.compile(
    r"\b(?:former|defunct|abolished|dissolved|proposed|planned|candidates?|suspended|observers?|ehemalige[nrs]?|"
    r"frühere[nrs]?|aufgelöste[nrs]?|vorgeschlagene[nrs]?|geplante[nrs]?|kandidaten|beobachter)\b",
    re.IGNORECASE,
)
_GERMAN_DEGREE = re.compile(r"(?<=ste)[nrs]$")
_RANK = re.compile(r"(?:rank(?:ing)?|#|no\.?|nr\.?|pos(?:ition)?\.?|rang|platz)$", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*#?(?P<number>\d{1,4})[.):]?\s+(?=\S)")
_BEFORE = 300  # characters before a list that introduce it
_OPENING = 3_000  # characters of a page in which it says how many there are
_MOSTLY = 0.8


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A name as a list has it: text[name.start:name.end] in the row text[row.start:row.end] of its source."""

    name: str
    source: str
    row: Span
    place: Span
    figure: float | None = None  # what the rows are ranked by, where the list itself is in another order


@dataclass(frozen=True, slots=True)
class SourceList:
    """A list that one source has. `fit` says how well its surroundings meet the request; `shape` its headings.

    `status` is the word that says that its things are no longer, or not yet, of those that are wanted: "former".
    """

    source: str
    entries: tuple[ListEntry, ...]
    fit: float
    shape: tuple[str, ...]
    status: str = ""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The stems of the request's words; `thing` is that of the word that says what a row is."""

    stems: frozenset[str]
    degrees: frozenset[str]  # "largest" and what it is measured by: a list may say so in other words
    thing: str
    measure: frozenset[str] = frozenset()
    order: int = 0

    def fit(self, said: str) -> float:
        found = _stems(said)
        whole = len(self.stems) + len(self.degrees) / 2
        return (len(self.stems & found) + len(self.degrees & found) / 2) / whole if whole else 0.0


def find_lists(request: RowsRequest, source: ReadText) -> list[SourceList]:
    """Return the lists of a source whose surroundings say that they are of the things that are wanted.

    A shorter list counts beside one of the same form: the letters of an index.
    """
    found = [each for each in _all_lists(request, source) if each.fit >= FITTING and each.entries]
    shapes = {each.shape for each in found if len(each.entries) >= MIN_ENTRIES}
    found = [each for each in found if each.shape in shapes]
    alike = [each for each in found if each.status == _read_status(request.phrase)]
    return alike if any(len(each.entries) >= MIN_ENTRIES for each in alike) else found


def find_continued_lists(
    request: RowsRequest, source: ReadText, before: Sequence[SourceList]
) -> list[SourceList]:
    """Return the lists of a further page that go on with lists of the page before: those of the same form."""
    shapes = {each.shape for each in before}
    return [
        each
        for each in _all_lists(request, source)
        if each.shape in shapes and each.entries and (any(each.shape) or each.fit >= FITTING)
    ]


def _all_lists(request: RowsRequest, source: ReadText) -> list[SourceList]:
    wanted = _parse_wanted(request.phrase, request.measure, request.order)
    return [*_tables(wanted, source), *_find_bulleted(wanted, source), *_numbered_headings(wanted, source)]


# What stands before the number of a page, which is no count: “Lakes, page 3”.
_NUMBERED_PART = re.compile(
    r"\b(?:pages?|parts?|chapters?|sections?|volumes?|no\.|nr\.|seiten?|teil|kapitel|abschnitt|band)\s*$",
    re.IGNORECASE,
)


def read_stated_count(request: RowsRequest, source: ReadText) -> int | None:
    """Return how many of the things there are, as the opening of a page says: "The union has 27 member states"."""
    thing = _parse_wanted(request.phrase).thing
    opening = write_figures(f"{source.title}\n{source.text[:_OPENING]}", least=3)
    for match in re.finditer(
        r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{1,5})((?:\s+[^\W\d_][\w-]*){1,4})", opening
    ):
        count = int(match[1].replace(",", ""))
        is_year = 1500 <= count <= 2100 and "," not in match[1]
        is_number = _NUMBERED_PART.search(opening[: match.start()])
        if (
            count > 2
            and not (is_year or is_number)
            and thing in map(_stem, _WORDS.findall(match[2].casefold()))
        ):
            return count
    return None


def _parse_wanted(phrase: str, measure: str = "", order: int = 0) -> _Wanted:
    head = _PREPOSITION.split(phrase, maxsplit=1)[0].strip() or phrase
    words = [
        word
        for word in _WORDS.findall(phrase.casefold())
        if word not in STOPWORDS and not _PREPOSITION.fullmatch(word)
    ]
    measured = _stems(measure) - frozenset(map(_stem, STOPWORDS))
    degrees = {word for word in words if _SUPERLATIVE.match(word) or _stem(word) in measured}
    thing = (_WORDS.findall(head.casefold()) or [phrase.casefold()])[-1]
    return _Wanted(
        frozenset(_stem(word) for word in words if word not in degrees),
        frozenset(map(_stem, degrees)),
        _stem(thing),
        measured,
        order,
    )


def _stem(word: str) -> str:
    """Return the stem; German superlatives have one without their endings: "höchste", "höchsten"."""
    return stem(_GERMAN_DEGREE.sub("", word))


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(_stem, _WORDS.findall(text.casefold())))


# --- tables


def _tables(wanted: _Wanted, source: ReadText) -> Iterator[SourceList]:
    for table in source.tables:
        rows = list(rows_of_table(source.text, source.blocks, table))
        headers = rows.pop(0).words if rows and any(map(str.strip, table.headers)) else ()
        column, is_named = _choose_column(wanted, headers, rows)
        if column is None:
            continue
        said = f"{_surroundings(source, table.start)} {table.caption} {' '.join(headers)}"
        figures = _read_figures(wanted, headers, rows)
        entries = tuple(_entries_of_table(source, rows, headers, column, figures))
        fit = wanted.fit(said) + (NAMED_COLUMN if is_named else 0.0)
        status = _read_status(f"{_section(source, table.start).rpartition(' > ')[2]} {table.caption}")
        yield SourceList(source.key, entries, fit, tuple(map(item_key, headers)), status)


def _read_figures(
    wanted: _Wanted, headers: Sequence[str], rows: Sequence[ParsedTableRow]
) -> Sequence[float | None]:
    """Return the figures of the rows in the first column of what they are ranked by.

    None for each where the page ranks its rows itself, or a column is in that order already: several may be headed so,
    such as those of several years.
    """
    nothing = [None] * len(rows)
    if not wanted.order or not wanted.measure or any(_RANK.match(header.strip()) for header in headers):
        return nothing
    columns = [n for n, header in enumerate(headers) if wanted.measure <= _stems(header)]
    figures = [[_read_figure(row, column) for row in rows] for column in columns]
    known = [[figure for figure in column if figure is not None] for column in figures]
    if any(column == sorted(column, reverse=wanted.order < 0) for column in known if column):
        return nothing
    filled = (each for each, some in zip(figures, known, strict=True) if len(some) > _MOSTLY * len(rows))
    return next(filled, nothing)


def _read_figure(row: ParsedTableRow, column: int) -> float | None:
    amounts = find_amounts(row.words[column]) if column < len(row.words) else ()
    return amounts[0].low if amounts else None


def _choose_column(
    wanted: _Wanted, headers: Sequence[str], rows: Sequence[ParsedTableRow]
) -> tuple[int | None, bool]:
    """The column that names the things, and whether its heading says so."""
    width = max((len(row.words) for row in rows), default=0)
    names = [column for column in range(width) if _holds_names(rows, column)]
    headed = [column for column in names if column < len(headers)]
    for column in headed:
        if wanted.thing in _stems(headers[column]):
            return column, True
    for column in headed:
        if ITEM_HEADERS.match(headers[column].strip()):
            return column, False
    return (names[0] if names else None), False


def _holds_names(rows: Sequence[ParsedTableRow], column: int) -> bool:
    """Most cells are names, and nearly all of them are different."""
    cells = [row.words[column].strip() for row in rows if column < len(row.words)]
    filled = [cell for cell in cells if cell]
    named = [cell for cell in filled if _is_name(cell)]
    is_filled = len(filled) > _MOSTLY * len(rows) and len(named) > _MOSTLY * len(filled)
    return is_filled and len({cell.casefold() for cell in filled}) > _MOSTLY * len(filled)


def _entries_of_table(
    source: ReadText,
    rows: Sequence[ParsedTableRow],
    headers: Sequence[str],
    column: int,
    figures: Sequence[float | None],
) -> Iterator[ListEntry]:
    heading = headers[column].casefold().strip() if column < len(headers) else ""
    for row, figure in zip(rows, figures, strict=True):
        if column < len(row.words) and row.words[column].casefold().strip() != heading:
            entry = read_entry(source, row.span, row.cells[column])
            if entry is not None:
                yield replace(entry, figure=figure)


# --- lists


def _find_bulleted(wanted: _Wanted, source: ReadText) -> Iterator[SourceList]:
    for blocks in _runs_of_entries(source):
        first = blocks[0]
        spans = [_name_span(source.text, block) for block in blocks]
        if sum("," in span.cut(source.text) for span in spans) > _MOSTLY * len(spans):
            spans = [_before_comma(source.text, span) for span in spans]
        found = [
            read_entry(source, Span(block.start, block.end), span)
            for block, span in zip(blocks, spans, strict=True)
        ]
        entries = tuple(entry for entry in found if entry is not None)
        if len(entries) > _MOSTLY * len(blocks):
            fit = wanted.fit(f"{_surroundings(source, first.start)} {first.section}")
            shape = ("", first.section.rpartition(" > ")[0])
            yield SourceList(
                source.key, entries, fit, shape, _read_status(first.section.rpartition(" > ")[2])
            )


def _numbered_headings(wanted: _Wanted, source: ReadText) -> Iterator[SourceList]:
    """Yield headings that are numbered through, up from 1 or down to it: each thing has a section of its own."""
    headings = [block for block in source.blocks if block.kind is BlockKind.HEADING]
    for level in sorted({block.level or 1 for block in headings}):
        numbered = [
            (block, match)
            for block in headings
            if (block.level or 1) == level
            and (match := _NUMBERED.match(source.text[block.start : block.end]))
        ]
        numbers = [int(match["number"]) for _block, match in numbered]
        if sorted(numbers) != list(range(1, len(numbers) + 1)) or len(numbers) < MIN_ENTRIES:
            continue
        found = [
            read_entry(source, Span(block.start, block.end), Span(block.start + match.end(), block.end))
            for _, (block, match) in sorted(zip(numbers, numbered, strict=True), key=lambda pair: pair[0])
        ]
        entries = tuple(entry for entry in found if entry is not None)
        if len(entries) > _MOSTLY * len(found):
            first = numbered[0][0]
            fit = wanted.fit(f"{source.title} {first.section.rpartition(' > ')[0]}")
            yield SourceList(source.key, entries, fit, ("", f"{level}"))


def _runs_of_entries(source: ReadText) -> Iterator[list[TextBlock]]:
    """The outermost entries of each list, in their order."""
    run: list[TextBlock] = []
    for block in source.blocks:
        is_entry = block.kind is BlockKind.LIST and not is_beside(block.section)
        if run and (not is_entry or block.section != run[0].section):
            yield _outermost(run)
            run = []
        if is_entry:
            run.append(block)
    if run:
        yield _outermost(run)


def _outermost(run: Sequence[TextBlock]) -> list[TextBlock]:
    level = min(block.level or 1 for block in run)
    return [block for block in run if (block.level or 1) == level]


def _name_span(text: str, block: TextBlock) -> Span:
    words = text[block.start : block.end]
    bullet = _BULLET.match(words)
    start = bullet.end() if bullet else 0
    end = _NAME_END.search(words, start + 1)
    return Span(block.start + start, block.start + (end.start() if end else len(words)))


def _before_comma(text: str, span: Span) -> Span:
    comma = text.find(",", span.start, span.end)
    return Span(span.start, comma if comma > span.start else span.end)


# --- both


def _surroundings(source: ReadText, start: int) -> str:
    """The title of the page, the headings above, and what stands right before a list."""
    before = [block for block in source.blocks if block.start < start]
    section = _section(source, start)
    introduced = (
        before[-1] if before and before[-1].kind in (BlockKind.PARAGRAPH, BlockKind.CAPTION) else None
    )
    words = source.text[introduced.start : introduced.end][-_BEFORE:] if introduced else ""
    return f"{source.title} {section} {words}"


def _section(source: ReadText, start: int) -> str:
    return next((block.section for block in source.blocks if block.start >= start), "")


def _read_status(said: str) -> str:
    found = _OTHER_STATUS.search(said)
    return found[0].casefold() if found else ""


def read_entry(source: ReadText, row: Span, cell: Span) -> ListEntry | None:
    """None for what is no name: a sum, a sentence, a figure."""
    words = cell.cut(source.text)
    if len(words) > MAX_ITEM_LENGTH:
        return None
    start = len(words) - len(words.lstrip())
    plain = _NOTES.sub("", words.strip()).strip()
    name = " ".join(plain.split())
    if not _is_name(name) or _SUMS.match(name):
        return None
    place = Span(cell.start + start, cell.start + start + len(plain))
    return ListEntry(name, source.key, row, place)


def _is_name(words: str) -> bool:
    """Return True if the words have the form of a name: some letters, short, and not a sentence."""
    is_short = len(words) <= _MAX_NAME and len(words.split()) <= _MAX_WORDS
    is_sentence = words.endswith((".", "!", "?")) and len(words.split()) > 4
    first = _LETTERS.search(words)
    return is_short and bool(first) and not is_sentence and not words[0].islower()
