"""Documents drawn at random, and the same written as HTML, Word, Markdown, reStructuredText, XLSX and CSV.

Each writer returns the bytes of a file with what a reader should find in it: its lines in order, and its tables.
"""

from __future__ import annotations

import csv
import io
import random
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font

from tests.parsing import word_parts as word

NOUNS = (
    "river mill bridge harbour school forest tower market meadow chapel ferry quarry orchard station".split()
)
VERBS = "holds counts needs sells carries shows gives keeps reaches covers".split()
ENDS = "in a dry year|after the flood|at the old town|for the whole valley|on both sides|since the war"
TABLE = "(table)"  # stands among the lines where a table stands


@dataclass(frozen=True)
class Piece:
    """A part of a line. `kind`: words, power, square, formula, mark (of a note), struck."""

    kind: str
    text: str
    small: str = ""  # the raised or lowered figure, or the number of the note


Line = tuple[Piece, ...]


@dataclass(frozen=True)
class DrawnCell:
    line: Line
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True)
class DrawnTable:
    caption: str
    head: tuple[tuple[DrawnCell, ...], ...]
    body: tuple[tuple[DrawnCell, ...], ...]

    def grid(self) -> list[list[Line]]:
        """The cells of head and body with each in all places that it covers."""
        lines = [*self.head, *self.body]
        width = sum(cell.columns for cell in lines[0])
        found: list[list[Line | None]] = [[None] * width for _ in lines]
        for at, cells in enumerate(lines):
            for cell in cells:
                first = found[at].index(None)
                for row in range(at, at + cell.rows):
                    found[row][first : first + cell.columns] = [cell.line] * cell.columns
        return [[line or () for line in row] for row in found]


@dataclass(frozen=True)
class Block:
    """`kind`: heading, paragraph, items, table."""

    kind: str
    lines: tuple[Line, ...] = ()
    level: int = 0
    table: DrawnTable | None = None


@dataclass
class Expected:
    """The text to be read from a file: its lines, with TABLE for each table, and captions, column names and rows."""

    lines: list[str] = field(default_factory=list)
    tables: list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = field(default_factory=list)


@dataclass(frozen=True)
class Features:
    """The features that a format can express."""

    raised: bool = True
    struck: bool = True
    notes: bool = True
    spans: bool = True
    captions_inside: bool = True  # else one between two tables could belong to either


class Drawing:
    """Draws a document: headings, paragraphs, items, tables and notes."""

    def __init__(self, seed: int, features: Features) -> None:
        self.chance = random.Random(seed)
        self.features = features
        self.notes: list[str] = []
        self.has_marked = False

    def blocks(self) -> list[Block]:
        chance = self.chance
        blocks = [Block("heading", (words(self._title()),), 1), Block("paragraph", (self._line(),))]
        for _ in range(chance.randint(2, 6)):
            kind = chance.choice(("heading", "paragraph", "paragraph", "items", "table"))
            if kind == "heading":
                blocks.append(Block(kind, (words(self._title()),), 2))
                blocks.append(Block("paragraph", (self._line(),)))
            elif kind == "paragraph":
                blocks.append(Block(kind, (self._line(),)))
            elif kind == "items" and blocks[-1].kind != "items":
                blocks.append(Block(kind, tuple(self._line() for _ in range(chance.randint(2, 4)))))
            elif kind == "table":
                if blocks[-1].table is not None and not self.features.captions_inside:
                    blocks.append(Block("paragraph", (self._line(),)))
                blocks.append(Block(kind, table=self.table()))
        return blocks

    def sentence(self) -> str:
        chance = self.chance
        noun, other = chance.sample(NOUNS, 2)
        figure = chance.choice(
            (f"{chance.randint(2, 9_999):,}", f"{chance.uniform(1, 99):.1f}", "12.5 %", "-3.5")
        )
        return f"The {noun} {chance.choice(VERBS)} {figure} {other}s {chance.choice(ENDS.split('|'))}"

    def _title(self) -> str:
        return " ".join(self.chance.sample(NOUNS, 2)).capitalize()

    def _line(self) -> Line:
        pieces: list[Piece] = []
        for _ in range(self.chance.randint(1, 3)):
            pieces += self._sentence()
        return join(pieces)

    def _sentence(self) -> list[Piece]:
        chance, features = self.chance, self.features
        kinds = ["plain"] + ["power", "square", "formula"] * features.raised
        kinds += ["struck"] * features.struck + ["note"] * features.notes
        kind, number = chance.choice(kinds), chance.randint(2, 19)
        if kind == "power":
            return [Piece("words", f"The sample held {number} x "), Piece("power", "10", str(chance.randint(2, 19))),
                    Piece("words", " cells. ")]  # fmt: skip
        if kind == "square":
            unit, small = chance.choice((("km", "2"), ("m", "3"), ("cm", "2")))
            return [
                Piece("words", f"It covers {number} "),
                Piece("square", unit, small),
                Piece("words", " of land. "),
            ]
        if kind == "formula":
            name, small = chance.choice((("CO", "2"), ("NH", "3"), ("SO", "4")))
            return [
                Piece("words", "They measured "),
                Piece("formula", name, small),
                Piece("words", " there. "),
            ]
        if kind == "struck":
            return [
                Piece("words", "The fee is "),
                Piece("struck", f"{number}7 crowns"),
                Piece("words", f" {number} crowns. "),
            ]
        if kind == "note":
            self.notes.append(
                chance.choice((f"{self.sentence()}.", "Estimated.", f"Counted {number} times."))
            )
            mark = Piece("mark", "survey", str(len(self.notes)))
            return [
                Piece("words", f"They asked {number} people in the "),
                mark,
                Piece("words", " of that year. "),
            ]
        return [Piece("words", f"{self.sentence()}. ")]

    def table(self) -> DrawnTable:
        chance = self.chance
        width, height = chance.randint(2, 5), chance.randint(2, 5)
        heads = [self._make_heading(name) for name in chance.sample(NOUNS, width - 1)]
        top = [DrawnCell(words("Place")), *(DrawnCell(head) for head in heads)]
        head: list[tuple[DrawnCell, ...]] = [tuple(top)]
        if self.features.spans and width > 2 and chance.random() < 0.4:
            last = [DrawnCell(words(str(year))) for year in (2024, 2025)]
            head = [
                (DrawnCell(top[0].line, rows=2), *(DrawnCell(cell.line, rows=2) for cell in top[1:-2]),
                 DrawnCell(top[-1].line, columns=2)), tuple(last),
            ]  # fmt: skip
        names = chance.sample(NOUNS, height)
        body = []
        figures = [chance.choice(("count", "share", "length")) for _ in range(width - 1)]
        for name in names:
            cells = [DrawnCell(words(f"{name.capitalize()} town"))]
            cells += [DrawnCell(self._figure(kind)) for kind in figures]
            body.append(cells)
        if self.features.spans and height > 2 and width > 2 and chance.random() < 0.5:
            row = chance.randrange(height - 1)
            kind = chance.choice(("down", "across"))
            if kind == "down":
                column = chance.randrange(1, width)
                body[row][column] = DrawnCell(body[row][column].line, rows=2)
                del body[row + 1][column]
            else:
                body[row][1:3] = [DrawnCell(body[row][1].line, columns=2)]
        caption = f"{self._title()} of the district" if chance.random() < 0.5 else ""
        return DrawnTable(caption, tuple(head), tuple(map(tuple, body)))

    def _make_heading(self, name: str) -> Line:
        if self.features.raised and self.chance.random() < 0.3:
            return (Piece("words", f"{name.capitalize()} ("), Piece("square", "km", "2"), Piece("words", ")"))
        return words(f"{name.capitalize()} (t)")

    def _figure(self, kind: str) -> Line:
        chance = self.chance
        figure = {
            "count": f"{chance.randint(10, 99_999):,}",
            "share": f"{chance.uniform(1, 99):.1f}%",
            "length": f"{chance.uniform(1, 99):.2f}",
        }[kind]
        drawn = chance.random()
        if self.features.struck and drawn < 0.1:
            return (Piece("struck", f"{chance.randint(1, 9)}1"), Piece("words", f" {figure}"))
        if self.features.notes and drawn < 0.2 and self.notes:
            return (Piece("mark", figure, "1"),)
        if self.features.raised and drawn > 0.9:
            return (
                Piece("words", f"{chance.uniform(1, 9):.1f} x "),
                Piece("power", "10", str(chance.randint(2, 19))),
            )
        return words(figure)


def words(text: str) -> Line:
    return (Piece("words", text),)


def join(pieces: Sequence[Piece]) -> Line:
    *before, last = pieces
    return (*before, Piece(last.kind, last.text.rstrip(), last.small))


_SQUARES = str.maketrans("23", "²³")


def show_as_read(line: Line, *, is_name: bool = False) -> str:
    """Return the line as a reader gives it."""
    said = ""
    for piece in line:
        if piece.kind == "power":
            said += f"{piece.text}^{piece.small}"
        elif piece.kind == "square":
            said += piece.text + piece.small.translate(_SQUARES)
        elif piece.kind == "formula":
            said += piece.text + piece.small
        elif piece.kind == "mark":
            said += piece.text if is_name else f"{piece.text}[{piece.small}]"
        elif piece.kind == "words":
            said += piece.text
    return " ".join(said.split())


def names_of(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(" ".join(dict.fromkeys(filter(None, column))) for column in zip(*rows, strict=True))


def expect(blocks: Sequence[Block], notes: Sequence[str]) -> Expected:
    expected = Expected()
    for block in blocks:
        if block.table is not None:
            expect_table(expected, block.table)
        else:
            expected.lines += [show_as_read(line) for line in block.lines]
    expected.lines += notes
    return expected


def expect_table(expected: Expected, table: DrawnTable) -> None:
    grid = [[show_as_read(line, is_name=True) for line in row] for row in table.grid()]
    depth = len(table.head)
    expected.tables.append((table.caption, names_of(grid[:depth]), [tuple(row) for row in grid[depth:]]))
    expected.lines += [*([table.caption] if table.caption else []), TABLE]


# --- HTML


def write_html(seed: int) -> tuple[bytes, Expected]:
    drawing = Drawing(seed, Features())
    blocks = drawing.blocks()
    body = "".join(map(_html_block, blocks))
    notes = "".join(f"<p id=n{at}><sup>{at}</sup> {note}</p>" for at, note in enumerate(drawing.notes, 1))
    page = f"<!DOCTYPE html><html lang=en><body><main>{body}{notes}</main></body></html>"
    return page.encode(), expect(blocks, [f"[{at}] {note}" for at, note in enumerate(drawing.notes, 1)])


def _html_block(block: Block) -> str:
    if block.table is not None:
        table = block.table
        rows = [*((row, "th") for row in table.head), *((row, "td") for row in table.body)]
        lines = "".join(
            "<tr>"
            + "".join(
                f"<{tag} rowspan={c.rows} colspan={c.columns}>{_html_line(c.line)}</{tag}>" for c in cells
            )
            + "</tr>"
            for cells, tag in rows
        )
        caption = f"<caption>{table.caption}</caption>" if table.caption else ""
        return f"<table>{caption}{lines}</table>"
    if block.kind == "items":
        return f"<ul>{''.join(f'<li>{_html_line(line)}' for line in block.lines)}</ul>"
    tag = f"h{block.level}" if block.kind == "heading" else "p"
    return "".join(f"<{tag}>{_html_line(line)}</{tag}>" for line in block.lines)


def _html_line(line: Line) -> str:
    formats = {
        "words": "{0}", "power": "{0}<sup>{1}</sup>", "square": "{0}<sup>{1}</sup>", "formula": "{0}<sub>{1}</sub>",
        "mark": '{0}<sup><a href="#n{1}">{1}</a></sup>', "struck": "<del>{0}</del>",
    }  # fmt: skip
    return "".join(formats[piece.kind].format(piece.text, piece.small) for piece in line)


# --- Word


def write_docx(seed: int) -> tuple[bytes, Expected]:
    drawing = Drawing(seed, Features(captions_inside=False))
    blocks = drawing.blocks()
    notes = "".join(word.note(at, note) for at, note in enumerate(drawing.notes, 1))
    data = word.word_file("".join(map(_word_block, blocks)), **({"footnotes": notes} if notes else {}))
    return data, expect(blocks, [f"[{at}] {note}" for at, note in enumerate(drawing.notes, 1)])


def _word_block(block: Block) -> str:
    if block.table is not None:
        caption = word.paragraph(block.table.caption, style="Caption") if block.table.caption else ""
        return caption + _word_table(block.table) + word.paragraph()
    style = "Heading1" if block.kind == "heading" else ""
    if block.kind == "items":
        mark = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        return "".join(f"<w:p>{mark}{_word_line(line)}</w:p>" for line in block.lines)
    return "".join(word.paragraph(_word_line(line), style=style) for line in block.lines)


def _word_table(table: DrawnTable) -> str:
    lines = [*table.head, *table.body]
    width = sum(cell.columns for cell in lines[0])
    waiting: dict[int, tuple[int, int]] = {}  # column: rows left and columns of a cell from above
    written = []
    for at, cells in enumerate(lines):
        left, column, row = list(cells), 0, []
        while column < width:
            if column in waiting:
                rows, columns = waiting.pop(column)
                row.append(word.cell(span=columns, merge="continue"))
                if rows > 1:
                    waiting[column] = rows - 1, columns
            else:
                cell = left.pop(0)
                columns = cell.columns
                row.append(
                    word.cell(
                        word.paragraph(_word_line(cell.line)), span=columns, merge="restart" * (cell.rows > 1)
                    )
                )
                if cell.rows > 1:
                    waiting[column] = cell.rows - 1, columns
            column += columns
        written.append(word.row(*row, is_header=at < len(table.head)))
    return word.table(*written)


def _word_line(line: Line) -> str:
    parts = []
    for piece in line:
        if piece.kind == "struck":
            parts.append(word.run(piece.text, "<w:strike/>"))
            continue
        parts.append(word.run(piece.text))
        if piece.kind in ("power", "square"):
            parts.append(word.raise_text(piece.small))
        elif piece.kind == "formula":
            parts.append(word.lower_text(piece.small))
        elif piece.kind == "mark":
            parts.append(word.note_mark(int(piece.small)))
    return "".join(parts)


# --- Markdown and reStructuredText


def write_markdown(seed: int) -> tuple[bytes, Expected]:
    drawing = Drawing(seed, Features(spans=False))
    blocks = drawing.blocks()
    formats = {
        "words": "{0}", "power": "{0}<sup>{1}</sup>", "square": "{0}<sup>{1}</sup>", "formula": "{0}<sub>{1}</sub>",
        "mark": "{0}[^{1}]", "struck": "~~{0}~~",
    }  # fmt: skip
    parts = []
    for block in blocks:
        lines = ["".join(formats[p.kind].format(p.text, p.small) for p in line) for line in block.lines]
        if block.table is not None:
            rows = [
                ["".join(formats[p.kind].format(p.text, p.small) for p in line) for line in row]
                for row in block.table.grid()
            ]
            rows.insert(1, ["---"] * len(rows[0]))
            caption = f"{block.table.caption}\n\n" if block.table.caption else ""
            parts.append(caption + "\n".join(f"| {' | '.join(row)} |" for row in rows))
        elif block.kind == "items":
            parts.append("\n".join(f"- {line}" for line in lines))
        else:
            parts.append("\n".join(f"{'#' * block.level} {line}".strip() for line in lines))
    gap = drawing.chance.choice(("\n", "\n\n"))
    parts.append(gap.join(f"[^{at}]: {note}" for at, note in enumerate(drawing.notes, 1)))
    expected = expect(blocks, [f"[^{at}]: {note}" for at, note in enumerate(drawing.notes, 1)])
    expected.lines = [_as_written(line, "[^{}]") for line in expected.lines]
    expected.tables = [("", names, rows) for _, names, rows in expected.tables]
    return "\n\n".join(parts).encode(), expected


def write_rst(seed: int) -> tuple[bytes, Expected]:
    drawing = Drawing(seed, Features(struck=False))
    blocks = drawing.blocks()
    parts = []
    for block in blocks:
        lines = list(map(_rst_line, block.lines))
        if block.table is not None:
            parts.append(_rst_table(block.table, drawing.chance))
        elif block.kind == "heading":
            parts += [f"{line}\n{('=', '-')[block.level - 1] * len(line)}" for line in lines]
        elif block.kind == "items":
            parts.append("\n".join(f"- {line}" for line in lines))
        else:
            parts += lines
    parts.append("\n".join(f".. [{at}] {note}" for at, note in enumerate(drawing.notes, 1)))
    expected = expect(blocks, [f"[{at}] {note}" for at, note in enumerate(drawing.notes, 1)])
    note_lines = len(drawing.notes)
    prose = len(expected.lines) - note_lines
    expected.lines[:prose] = [_as_written(line, " [{}]_") for line in expected.lines[:prose]]
    return "\n\n".join(parts).encode(), expected


def _as_written(line: str, mark: str) -> str:
    """The line with the marks of notes as the file has them."""
    before, is_mark, after = line.partition("survey[")
    if not is_mark:
        return line
    number, _, rest = after.partition("]")
    return before + "survey" + mark.format(number) + _as_written(rest, mark)


def _rst_line(line: Line) -> str:
    formats = {
        "words": "{0}", "power": "{0}\\ :sup:`{1}`", "square": "{0}\\ :sup:`{1}`", "formula": "{0}\\ :sub:`{1}`",
        "mark": "{0} [{1}]_",
    }  # fmt: skip
    return "".join(formats[piece.kind].format(piece.text, piece.small) for piece in line)


def _rst_table(table: DrawnTable, chance: random.Random) -> str:
    cells = [*table.head, *table.body]
    has_spans = any(cell.rows > 1 or cell.columns > 1 for row in cells for cell in row)
    kind = "grid" if has_spans else chance.choice(("grid", "simple", "list", "csv"))
    rows = [[_rst_line(cell.line) for cell in row] for row in cells]
    if kind in ("list", "csv"):
        lines = [
            "\n".join(f"{'* ' if not at else '  '}- {cell}" for at, cell in enumerate(row))
            if kind == "list"
            else ", ".join(f'"{cell}"' for cell in row)
            for row in rows
        ]
        content = f":header-rows: {len(table.head)}\n\n" + "\n".join(lines)
        return f".. {kind}-table:: {table.caption}\n" + textwrap.indent(content, "   ")
    drawn = _grid_table(table) if kind == "grid" else _simple_table(rows, len(table.head))
    return f".. table:: {table.caption}\n\n" + textwrap.indent(drawn, "   ") if table.caption else drawn


def _simple_table(rows: Sequence[Sequence[str]], depth: int) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    border = "  ".join("=" * width for width in widths)
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([border, *lines[:depth], border, *lines[depth:], border])


def _grid_table(table: DrawnTable) -> str:
    """A grid table, its spanning cells without the borders inside them."""
    lines = [*table.head, *table.body]
    owners: list[list[int]] = [[-1] * sum(cell.columns for cell in lines[0]) for _ in lines]
    cells: list[DrawnCell] = []
    for at, row in enumerate(lines):
        for cell in row:
            first = owners[at].index(-1)
            for covered in range(at, at + cell.rows):
                owners[covered][first : first + cell.columns] = [len(cells)] * cell.columns
            cells.append(cell)
    wide = max(len(_rst_line(cell.line)) for cell in cells) + 2
    drawn = [_border(None, owners[0], wide, "-")]
    written: set[int] = set()
    for at, owned in enumerate(owners):
        text, column = "|", 0
        while column < len(owned):
            span = next(
                (n for n, owner in enumerate(owned[column:]) if owner != owned[column]), len(owned) - column
            )
            said = "" if owned[column] in written else _rst_line(cells[owned[column]].line)
            written.add(owned[column])
            text += f" {said}".ljust(span * (wide + 1) - 1) + "|"
            column += span
        below = owners[at + 1] if at + 1 < len(owners) else None
        drawn += [text, _border(owned, below, wide, "=" if at + 1 == len(table.head) else "-")]
    return "\n".join(drawn)


def _border(above: list[int] | None, below: list[int] | None, wide: int, mark: str) -> str:
    count = len(above or below or [])
    is_open = [above is not None and below is not None and above[at] == below[at] for at in range(count)]
    line = ""
    for at in range(count + 1):
        left, right = at > 0 and is_open[at - 1], at < count and is_open[at]
        is_bar = not (0 < at < count) or any(
            row is not None and row[at - 1] != row[at] for row in (above, below)
        )
        corner = "+" if is_bar else mark
        if (at == 0 or left) and (at == count or right):
            corner = "|" if is_bar else " "
        line += corner + ((" " if right else mark) * wide if at < count else "")
    return line


# --- sheets


def write_xlsx(seed: int) -> tuple[bytes, Expected]:
    chance = random.Random(seed)
    drawing = Drawing(seed, Features(notes=False))
    book = Workbook()
    expected = Expected()
    for number in range(chance.randint(1, 2)):
        sheet = book.worksheets[0] if not number else book.create_sheet()
        sheet.title = f"Sheet {'AB'[number]}"
        expected.lines.append(sheet.title)
        top = 1
        for _ in range(chance.randint(1, 2)):
            table = drawing.table()
            width = sum(cell.columns for cell in table.head[0])
            if table.caption:
                sheet.cell(top, 1).value = table.caption
                if chance.random() < 0.5:
                    sheet.merge_cells(start_row=top, end_row=top, start_column=1, end_column=width)
                top += chance.choice((1, 2))
            comments = _put_table(sheet, table, top, chance)
            expect_table(expected, table)
            expected.lines += comments
            top += len(table.head) + len(table.body)
            if chance.random() < 0.4:
                note = f"Source: {drawing.sentence()}."
                sheet.cell(top, 1).value = note
                expected.lines.append(note)
                top += 1
            top += chance.choice((1, 2))
    data = io.BytesIO()
    book.save(data)
    return data.getvalue(), expected


def _put_table(sheet, table: DrawnTable, top: int, chance: random.Random) -> list[str]:  # type: ignore[no-untyped-def]
    lines = [*table.head, *table.body]
    taken: set[tuple[int, int]] = set()
    comments = []
    grid = [[show_as_read(line, is_name=True) for line in row] for row in table.grid()]
    names = names_of(grid[: len(table.head)])
    for at, cells in enumerate(lines):
        column = 0
        for cell in cells:
            while (at, column) in taken:
                column += 1
            place = sheet.cell(top + at, 1 + column)
            place.value, place.number_format, is_struck = _value(cell.line)
            if is_struck:
                place.font = Font(strike=True)
            if cell.rows > 1 or cell.columns > 1:
                sheet.merge_cells(start_row=top + at, end_row=top + at + cell.rows - 1, start_column=1 + column,
                                  end_column=column + cell.columns)  # fmt: skip
            if at >= len(table.head) and column and chance.random() < 0.05:
                place.comment = Comment("An estimate of the office.", "A")
                comments.append(f"{grid[at][0]}, {names[column]}: An estimate of the office.")
            taken |= {(r, c) for r in range(at, at + cell.rows) for c in range(column, column + cell.columns)}
            column += cell.columns
    return comments


def _value(line: Line) -> tuple[object, str, bool]:
    """Return the value that a spreadsheet stores for a line, with its number format."""
    if len(line) == 1 and line[0].kind == "words":
        text = line[0].text
        digits = text.replace(",", "").rstrip("%")
        if not digits.replace(".", "", 1).isdigit():
            return text, "General", False
        if text.endswith("%"):
            return round(float(digits) / 100, 4), "0.0%", False
        if "," in text or "." not in text:
            return int(digits), "#,##0" if "," in text else "0", False
        return float(digits), "0.00", False
    runs: list[str | TextBlock] = []
    for piece in line:
        runs.append(TextBlock(InlineFont(strike=True), piece.text) if piece.kind == "struck" else piece.text)
        if piece.small:
            script = InlineFont(vertAlign="subscript" if piece.kind == "formula" else "superscript")
            runs.append(TextBlock(script, piece.small))
    return CellRichText(runs), "General", False


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")


def write_csv(seed: int) -> tuple[bytes, Expected]:
    chance = random.Random(seed)
    drawing = Drawing(seed, Features(raised=False, struck=False, notes=False, spans=False))
    table = drawing.table()
    expected = Expected()
    delimiter, encoding = chance.choice(",;\t|"), chance.choice(ENCODINGS)
    text = io.StringIO()
    if chance.random() < 0.2:
        text.write(f"sep={delimiter}\n")
    if table.caption:
        text.write(f"{table.caption}\n" + "\n" * chance.choice((0, 1)))
    write = csv.writer(text, delimiter=delimiter, lineterminator=chance.choice(("\n", "\r\n")),
                       quoting=chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))  # fmt: skip
    rows = [[show_as_read(line) for line in row] for row in table.grid()]
    comma = delimiter != "," and chance.random() < 0.4
    if comma:  # as it is written where the comma is the decimal mark
        rows = [
            rows[0],
            *([row[0], *(cell.translate(str.maketrans(".,", ",.")) for cell in row[1:])] for row in rows[1:]),
        ]
    if chance.random() < 0.5:  # cells with what must be quoted, or with letters beyond ASCII
        extra = [
            chance.choice(('the "old" one', "wet; dry", "high, low", "two\nlines", "Zürich – Café", ""))
            for _ in rows[1:]
        ]
        rows = [[*row, end] for row, end in zip(rows, ["Remark", *extra], strict=True)]
    write.writerows(rows)
    if chance.random() < 0.3:
        note = f"Source: {drawing.sentence()}."
        text.write("\n" * chance.choice((0, 1)))
        write.writerow([note])
        expected.lines.append(note)
    flat = [tuple(" ".join(cell.split()) for cell in row) for row in rows]
    expected.tables.append((table.caption, flat[0], list(flat[1:])))
    expected.lines[:0] = [*([table.caption] if table.caption else []), TABLE]
    return text.getvalue().encode(encoding), expected


WRITERS = {
    "html": write_html,
    "docx": write_docx,
    "md": write_markdown,
    "rst": write_rst,
    "xlsx": write_xlsx,
    "csv": write_csv,
}
