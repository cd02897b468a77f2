"""Reads plain text and reStructuredText: sections by underline, joined paragraphs, code and tables as blocks.

Inline markup is unchanged, but what it stands for is written out: substitutions, and references to a section that
name only its label. Comments and index entries, which are invisible on the rendered page, are left out; the text of a
directive is read, the content of a code directive is code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import overload

from research.parsing.clean_text import clean, squash, without_general_heading, word_set
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.html.parse_html_metadata import partial_date
from research.parsing.formats.parse_markdown import read_markdown
from research.parsing.formats.parse_raised_figures import write_lowered, write_raised
from research.parsing.formats.parse_text_tables import (
    GRID_BORDER,
    SIMPLE_BORDER,
    aligned_table,
    begins_columns,
    csv_table,
    grid_table,
    list_table,
    simple_table,
)
from research.parsing.formats.parse_xlsx_layout import VisibleSheet, add_sheet
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.hidden_text import DroppedLog
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_media_types import RST
from research.parsing.parsed_table_grid import TableGrid
from research.parsing.sniff_format import decode_text, describe_charset

_ROLE = re.compile(
    r"(?::[\w.+:-]+:)?`{1,2}~?([^`<]*[^`<\s])(?:\s*<[^>`]*>)?`{1,2}_{0,2}"
)  # :class:`~a.B`, ``code``
_UNDERLINE = re.compile(r"^([!-/:-@\[-`{-~])\1{2,}$")
_ITEM = re.compile(r"^(\s*)((?:[-*+•‣]|\(?(?:\d{1,3}|[A-Za-z]|#)[.)])[ \t]+)(?=\S)")
_DIRECTIVE = re.compile(r"^\.\.[ \t]+(?:\|[^|]*\|[ \t]+)?([A-Za-z][\w:+.-]*?)::(?:[ \t]+(.*))?$")
_SCRIPT = re.compile(r"(?:\\ )?:(sup|superscript|sub|subscript):`([^`<>]{1,60})`(?:\\ )?")
_NOTE_MARK = re.compile(r" ?\[(?:\d+|#[\w.-]*|\*)\]_(?!\w)")
_FOOTNOTE = re.compile(r"^\.\.[ \t]+\[([^\]]+)\][ \t]+(.*)$")
_FIELD = re.compile(r"^:([A-Za-z][^:`\n]{0,40}):(?:[ \t]+(.*))?$")
_OPTION = re.compile(r"^\s*:([\w-]+):(.*)")
_TAB_DELIMITER = re.compile(r":delim:[ \t]*tab[ \t]*", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"^\s*(?:[\w.\[\]\"'-]+\s*=\s*\S.*|\[[\w .-]+\]|[#;].*|[}\])]+,?)$")
_DATE = (
    r"(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"
    r"|(?:\d{1,2}(?:st|nd|rd|th)? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?,? \d{4}|\d{4} [a-z]{3,9} \d{1,2})(?:[ T]\d\d:\d\d\S*(?: [-+]\d{4})?)?"
)
_DATE_LINE = re.compile(rf"[(\[]?(?:released?(?: on)?:? )?{_DATE}[)\]]?", re.IGNORECASE)
_RELEASE_LINE = re.compile(
    r"(?:(?:changes|what['’]s new|new|news) (?:in|since|for) )?(?:[a-z][\w.+-]* ){0,2}"
    r"v?(?:\d{1,4}(?:\.\d+)+(?:[a-z]+\d*)?|(?:19|20)\d\d[a-z])"
    rf"(?:[ ,:/–—-]*[(\[]?(?:released?(?: on)?:? )?{_DATE}[)\]]?)?:?"
    rf"|{_DATE}[ ,:–—-]+(?:[a-z][\w.+-]* ){{0,2}}v?\d{{1,4}}(?:\.\d+)+(?:[a-z]+\d*)?:?",
    re.IGNORECASE,
)
_LINE = re.compile(r"\|(?: |$)")  # of a line block, whose line breaks are kept
_SENTENCE_END = re.compile(r"[.!?:;][)\"'”’*`]*$")
_MARKDOWN_HEADING = re.compile(r"^#{1,4} \S", re.M)
_RST_MARK = re.compile(r"^\.\. |::\s*$|^[=~^-]{4,}$", re.M)
_MAX_DEPTH = 40
_MIN_ROWS, _LONGEST_ROW = 3, 400  # rows of cells apart by tabs, and their characters

_CODE = word_set(
    "code code-block codeblock sourcecode parsed-literal doctest testcode testsetup testoutput",
    "literalinclude math productionlist prompt ipython graphviz console plot jupyter-execute command-output",
)
_OF_TESTS = ("doctest-", "test")  # "doctest-requires", "testcleanup": names of code directives begin so
_TABLES = {"csv-table": csv_table, "list-table": list_table}
_UNSEEN = word_set(
    "index image toctree contents highlight highlightlang currentmodule module py:module",
    "py:currentmodule rst-class role default-role include raw meta automodule autoclass autofunction",
    "automethod autoattribute autodata autoexception replace unicode sectnum tabularcolumns",
    "target-notes only-format setting django-admin-option todo inheritance-diagram bibliography",
)


def read_text(data: bytes, name: str, media_type: str) -> ReadDocument:
    (raw, charset), log = decode_text(data, name), DroppedLog()
    note_carriers(raw, log)
    text = "\n".join(_expand_tabs(_align_cells(clean(raw).split("\n"))))
    if len(_MARKDOWN_HEADING.findall(text)) >= 2 and not _RST_MARK.search(text):
        return read_markdown(data, name)
    lines = text.split("\n")
    reader = _TextReader(_References.of(lines, is_markup=media_type == RST or bool(_RST_MARK.search(text))))
    reader.read(lines)
    builder = reader.builder
    return ReadDocument(
        text=builder.text, media_type=media_type, title=_title(builder),
        author=reader.fields.get("author", ""),
        published=partial_date(reader.fields.get("date", "")),
        blocks=tuple(builder.blocks), tables=tuple(builder.tables),
        notes=describe_charset(charset), dropped=log.entries,
    )  # fmt: skip


def _align_cells(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines with blanks for the tabs between cells: rows of a table have as many of them each."""
    for count, block in groupby(lines, lambda line: 0 if line[:1].isspace() else line.count("\t")):
        rows = list(block)
        if not count or len(rows) < _MIN_ROWS:
            yield from rows
            continue
        cells = [[cell.strip() for cell in row.split("\t")] for row in rows]
        widths = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
        for row, texts in zip(rows, cells, strict=True):
            is_long = sum(widths) > _LONGEST_ROW
            yield row if is_long else "".join(map(str.ljust, texts, widths)).rstrip()


def _expand_tabs(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines with blanks for tabs, except for those that separate the cells of a table with `:delim: tab`."""
    table_depth: int | None = None
    for line in lines:
        plain, words = line.expandtabs(8), line.lstrip()
        depth = len(plain) - len(plain.lstrip())
        if table_depth is not None and words and depth < table_depth:
            table_depth = None
        if _TAB_DELIMITER.fullmatch(words):
            table_depth = depth
        yield plain if table_depth is None else " " * depth + words


def _title(builder: TextBuilder) -> str:
    """Return the first heading if it is at the top."""
    for block in builder.blocks[:3]:
        if block.kind is BlockKind.HEADING:
            return without_general_heading(_ROLE.sub(r"\1", builder.text[block.start : block.end]))
    return ""


class _LineView(Sequence[str]):
    """The lines from `start` on, not copied: copies for each block would take forever on long files."""

    def __init__(self, lines: Sequence[str], start: int) -> None:
        self._lines = lines
        self._start = start

    def __len__(self) -> int:
        return len(self._lines) - self._start

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, int):
            return self._lines[range(self._start, len(self._lines))[place]]
        start, stop, _ = place.indices(len(self))
        if stop == len(self):
            return _LineView(self._lines, self._start + start)
        return self._lines[self._start + start : self._start + stop]


_SUBSTITUTION = re.compile(r"^ *\.\.[ \t]+\|([^|]+)\|[ \t]+([a-z]+)::(?:[ \t]+(.*))?$")
_CHARACTER = re.compile(r"(?:U\+|0x|\\?x|\\?u|&#x)([0-9A-Fa-f]{2,6});?")
_LABEL = re.compile(r"^ *\.\. _`?([^`:]+)`?:\s*$")
# Literals and other markup come first: a bar in them is a bar.
_REFERENCE_BY_NAME = re.compile(
    r"(?P<kept>``.+?``|(?<![\w:])`[^`]+`)"
    r"|[ ]?\((?P<words>[^()`|]{0,60}):(?:ref|numref|doc):`(?P<beside>[^`<>]+)`\)"
    r"|:(?:ref|numref):`(?P<label>[^`<>]+)`"
    r"|(?P<source>[ ]?:(?:foot)?cite(?::p|:ps|:empty)?:`[^`]+`)"
    r"|:(?:issue|pull|pr|gh|bug|ticket)s?:`#?(?P<number>\d{1,6})`"
    r"|(?P<role>:[\w.+:-]+:`[^`]+`)"
    r"|(?<![\w|\\])\|(?P<name>[^\s|`](?:[^|`]{0,60}[^\s|`])?)\|(?!\|)(?:_{1,2}(?!\w)|(?!\w))"
)
# Kinds of changes before an entry, which the settings of a documentation show as badges: "|fixed| |docs| …".
_TAGS = re.compile(
    r"(?:\|(?:\w+ed|new|fix|docs?|feature|bug|breaking|internal|api|performance|enhancement|backwards-incompatible)\|\s*)+"
)
_POINTS = re.compile(r"\b(?:see|cf\.?|refer to|described in|explained in|details in)\b", re.IGNORECASE)
_MAX_NESTING = 3
_MAX_SUBSTITUTED = (
    500_000  # characters: beyond this total, names stay, as a short one may stand for a long text
)


@dataclass
class _References:
    """The substitutions of a document and the titles of its sections.

    `is_markup` is False for a text that may not be reStructuredText.
    """

    substitutions: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)  # of sections, by label in lower case
    is_markup: bool = True
    budget: int = _MAX_SUBSTITUTED

    @classmethod
    def of(cls, lines: Sequence[str], *, is_markup: bool) -> _References:
        substitutions, titles = {}, {}
        for number, line in enumerate(lines):
            if found := _SUBSTITUTION.match(line):
                rest = _LineView(lines, number + 1)
                more = rest[: _count_indented_lines(rest, through_blanks=False)]
                substitutions[squash(found[1])] = _replacement(found[2], [found[3] or "", *more])
            elif found := _LABEL.match(line):
                titles[squash(found[1]).lower()] = _title_below(_LineView(lines, number + 1))
        return cls(substitutions, titles, is_markup)

    def write_out(self, text: str, nesting: int = 0) -> str:
        """Return the text with substitutions replaced, and with the titles of sections that it names by label.

        A substitution that is defined elsewhere, as in the settings of a documentation, is written by its name.
        """
        if not ("|" in text or ("`" in text and ":" in text)) or nesting > _MAX_NESTING:
            return text

        def write(found: re.Match[str]) -> str:
            match found.lastgroup:
                case "name":
                    return self._write_substitution(found, nesting)
                case "beside":
                    return self._write_pointer(found)
                case "label":
                    return self._title(found["label"]) or found[0]
                case "number" | "source":  # a source is a number on the page, which says nothing here
                    return f"#{found['number']}" if found["number"] else ""
                case _:
                    return found[0]

        return _REFERENCE_BY_NAME.sub(write, self._write_tags(text))

    def _write_tags(self, text: str) -> str:
        """Write the kinds of a change before it as a label."""
        tags = _TAGS.match(text)
        names = [name for name in tags[0].split("|") if name.strip()] if tags and self.is_markup else []
        if tags is None or not names or any(name in self.substitutions for name in names):
            return text
        return f"{', '.join(names).capitalize()}: {text[tags.end() :]}"

    def _write_substitution(self, found: re.Match[str], nesting: int) -> str:
        said = self.substitutions.get(squash(found["name"]))
        if said is not None and len(said) <= self.budget:
            self.budget -= len(said)
            return self.write_out(said, nesting + 1)
        return found["name"] if self.is_markup else found[0]

    def _write_pointer(self, found: re.Match[str]) -> str:
        """Write "(see :ref:`label`)" with the title; leave it out if the section is in another document."""
        if title := self._title(found["beside"]):
            return f" ({found['words']}{title})"
        return "" if _POINTS.search(found["words"]) else found[0]

    def _title(self, label: str) -> str:
        return self.titles.get(squash(label).lower(), "")


def _replacement(directive: str, lines: Sequence[str]) -> str:
    """Return the text of a substitution; "" for an image, as images are left out."""
    if directive == "replace":
        return squash(" ".join(lines))
    if directive == "unicode":
        words = re.split(r"(?:^|\s)\.\.\s", lines[0])[0]
        return _CHARACTER.sub(lambda found: chr(int(found[1], 16)), words).replace(" ", "")
    return ""


def _title_below(lines: Sequence[str]) -> str:
    """Return the title of the section that a label is above of; "" for any other label."""
    text = next((n for n, line in enumerate(lines[:6]) if line.strip() and not _LABEL.match(line)), None)
    if text is None:
        return ""
    head = [line.rstrip() for line in lines[text : text + 3]]
    if _UNDERLINE.match(head[0]):
        head = head[1:]
    return squash(head[0]) if len(head) > 1 and _is_underlined(head[0], head[1]) else ""


class _TextReader:
    """Reads nested blocks of lines; each method takes the remaining lines and returns how many it used."""

    def __init__(self, references: _References) -> None:
        self._references = references
        self.builder = TextBuilder()
        self.fields: dict[str, str] = {}
        self._styles: list[str] = []
        self._kind, self._level, self._group = BlockKind.PARAGRAPH, 0, object()
        self._depth = 0
        self._caption = ""  # of the next table
        self._readers: tuple[Callable[[Sequence[str]], int], ...] = (
            self._blank, self._columns, self._section, self._release, self._markup, self._table, self._field,
            self._item, self._code, self._read_indented_block, self._line_block, self._definition, self._paragraph,
        )  # fmt: skip

    def read(self, lines: Sequence[str]) -> None:
        position = 0
        while position < len(lines):
            left = _LineView(lines, position)
            position += next(filter(None, (read(left) for read in self._readers)))

    def _add(self, text: str) -> None:
        level = self._level if self._kind is BlockKind.LIST else None
        self.builder.add(self._kind, self._write(text), level=level, group=self._group)

    def _write(self, text: str, *, is_name: bool = False) -> str:
        return _write_scripts(self._references.write_out(text), is_name=is_name)

    def _read_nested_lines(self, lines: Sequence[str], kind: BlockKind) -> None:
        """Read the lines inside an item, quotation or directive."""
        before = self._kind, self._level, self._group
        if kind is BlockKind.LIST:
            self._level, self._group = (self._level + 1, self._group) if self._level else (1, self._group)
        self._kind, self._depth = kind, self._depth + 1
        if self._depth > _MAX_DEPTH:
            self._add(" ".join(lines))
        else:
            self.read(_dedent(lines))
        self._kind, self._level, self._group = before
        self._depth -= 1

    def _blank(self, lines: Sequence[str]) -> int:
        return 0 if lines[0].strip() else 1

    def _columns(self, lines: Sequence[str]) -> int:
        if not begins_columns(lines):
            return 0
        used, rows = aligned_table(lines)
        add_sheet(self.builder, VisibleSheet(rows))
        return used

    def _section(self, lines: Sequence[str]) -> int:
        head = [line.rstrip() for line in lines[:3]]
        if (
            len(head) == 3
            and _UNDERLINE.match(head[0])
            and head[2] == head[0]
            and 0 < len(head[1].strip()) <= len(head[0])
        ):
            self._add_heading(head[1], head[0][0] * 2)
            return 3
        if len(head) > 1 and _is_underlined(head[0], head[1]):
            self._add_heading(head[0], head[1][0])
            return 2
        return 1 if _UNDERLINE.match(head[0]) else 0  # a ruled line

    def _release(self, lines: Sequence[str]) -> int:
        """Read the line of a release in a plain changelog, with the line of its date, as a heading."""
        if self._depth or not _RELEASE_LINE.fullmatch(lines[0].rstrip()):
            return 0
        is_dated = len(lines) > 1 and _DATE_LINE.fullmatch(lines[1].strip()) is not None
        used = 2 if is_dated else 1
        after = lines[used] if len(lines) > used else ""
        if after.strip() and not after[0].isspace() and not _ITEM.match(after):
            return 0
        self._add_heading(" ".join(line.strip() for line in lines[:used]), "release")
        return used

    def _add_heading(self, title: str, style: str) -> None:
        if style not in self._styles:
            self._styles.append(style)
        self._group = object()
        title = self._write(title)
        level = min(6, self._styles.index(style) + 1)
        self.builder.add_heading(title, level, title=_ROLE.sub(r"\1", title))

    def _markup(self, lines: Sequence[str]) -> int:
        """Read directives, footnotes, link targets and comments."""
        if not re.match(r"\.\.(?:[ \t]|$)", lines[0]):
            return 0
        used = 1 + _count_indented_lines(lines[1:])
        if footnote := _FOOTNOTE.match(lines[0]):
            note = f"[{footnote[1]}] {footnote[2]}"
            self._read_nested_lines([note, *_dedent(lines[1:used])], BlockKind.LIST)
        elif directive := _DIRECTIVE.match(lines[0]):
            self._directive(directive[1].lower(), directive[2] or "", lines[1:used])
        return used

    def _directive(self, name: str, argument: str, content: Sequence[str]) -> None:
        options, content = _take_options(content)
        has_content = any(map(str.strip, content))
        if name in _UNSEEN:
            return
        if name in _CODE or name.startswith(_OF_TESTS):
            self.builder.add(BlockKind.CODE, "\n".join(_dedent(content)))
        elif name in _TABLES and has_content and (grid := _TABLES[name](_dedent(content), options)):
            self._add_grid(grid, argument)
        elif name.startswith(("version", "deprecated")):  # the version is part of the statement
            self._read_nested_lines([f"{name}:: {argument}", *_dedent(content)], self._kind)
        elif name in ("table", "figure"):
            self._caption = argument if name == "table" else ""  # of a figure it is the address of its image
            self._read_nested_lines(content, self._kind)
            self._caption = ""
        elif has_content and argument and not content[0].strip():
            self._read_nested_lines([argument, "", *_dedent(content)], self._kind)
        elif has_content:
            self._read_nested_lines([argument, *_dedent(content)], self._kind)

    def _table(self, lines: Sequence[str]) -> int:
        if GRID_BORDER.match(lines[0]):
            used = next(
                (n for n, line in enumerate(lines) if not line.strip().startswith(("+", "|"))), len(lines)
            )
            grid = grid_table(_dedent(lines[:used]))
        elif SIMPLE_BORDER.match(lines[0]):
            used = _simple_table_length(lines)
            grid = simple_table(_dedent(lines[:used]))
        else:
            return 0
        self._add_grid(grid, self._caption)
        self._caption = ""
        return used

    def _add_grid(self, grid: TableGrid, caption: str) -> None:
        """Append a table without the marks of notes in its cells, which would be read as part of the values."""
        headers, *rows = [
            [self._write(_NOTE_MARK.sub("", cell), is_name=True) for cell in row]
            for row in (grid.headers, *grid.rows)
        ]
        self.builder.table(headers, rows, caption=self._write(caption or grid.title))

    def _field(self, lines: Sequence[str]) -> int:
        match = _FIELD.match(lines[0])
        if not match:
            return 0
        used = 1 + _count_indented_lines(lines[1:], through_blanks=False)
        value = squash(" ".join([match[2] or "", *lines[1:used]]))
        self.fields.setdefault(match[1].lower(), value)
        self.builder.add(BlockKind.LIST, f":{match[1]}: {value}", level=self._level or 1, group=self._group)
        return used

    def _item(self, lines: Sequence[str]) -> int:
        match = _ITEM.match(lines[0])
        if not match or match[1] or re.match(r"\*\S|[-+*]\s*$", lines[0]):
            return 0
        width = match.end()
        # A paragraph may begin like an item ("A. Smith wrote ..."): then its next line is not indented.
        if match[2].strip()[0].isalpha() and len(lines) > 1 and lines[1].strip() and lines[1][0] != " ":
            return 0
        used = 1 + _count_indented_lines(lines[1:])
        self._read_nested_lines([lines[0][width:], *_dedent(lines[1:used])], BlockKind.LIST)
        return used

    def _code(self, lines: Sequence[str]) -> int:
        used = _paragraph_length(lines)
        is_code = lines[0].startswith(">>> ") or (used > 1 and all(map(_ASSIGNMENT.match, lines[:used])))
        if is_code:
            self.builder.add(BlockKind.CODE, "\n".join(lines[:used]))
        return used if is_code else 0

    def _read_indented_block(self, lines: Sequence[str]) -> int:
        if not lines[0].startswith(" "):
            return 0
        used = _count_indented_lines(lines)
        kind = BlockKind.QUOTE if self._kind is BlockKind.PARAGRAPH else self._kind
        self._read_nested_lines(lines[:used], kind)
        return used

    def _line_block(self, lines: Sequence[str]) -> int:
        """Read lines that begin with a bar as items, each with its indented continuation.

        Lines of one sentence are joined: a bar is also used to break lines where the page should.
        """
        if not _LINE.match(lines[0]):
            return 0
        used = next(
            (
                n
                for n, line in enumerate(lines)
                if not (_LINE.match(line) or (line[:1] == " " and line.strip()))
            ),
            len(lines),
        )
        items: list[list[str]] = []
        for line in lines[:used]:
            words = line[1:].strip() if _LINE.match(line) else line.strip()
            goes_on = bool(items) and not _SENTENCE_END.search(items[-1][-1]) and words[:1].islower()
            if items and words and (goes_on or not _LINE.match(line)):
                items[-1].append(words)
            elif words:
                items.append([words])
        for item in items:
            self.builder.add(
                BlockKind.LIST, self._write(" ".join(item)), level=self._level or 1, group=self._group
            )
        return used

    def _definition(self, lines: Sequence[str]) -> int:
        if len(lines) < 2 or not lines[1].startswith(" ") or lines[0].endswith("::"):
            return 0
        used = 1 + _count_indented_lines(lines[1:])
        self._group = self._group or object()
        self._read_nested_lines([lines[0]], BlockKind.LIST)
        self._read_nested_lines(lines[1:used], BlockKind.LIST)
        return used

    def _paragraph(self, lines: Sequence[str]) -> int:
        used = _paragraph_length(lines)
        text = squash(" ".join(lines[:used]))
        if not text.endswith("::"):
            for piece in lines[:used] if max(map(len, lines[:used])) > 200 else [text]:
                self._add(piece)
            return used
        self._add(text.removesuffix("::").rstrip() + (":" if text != "::" else ""))
        code = _count_indented_lines(lines[used:])
        self.builder.add(BlockKind.CODE, "\n".join(_dedent(lines[used : used + code])))
        return used + code


def _take_options(content: Sequence[str]) -> tuple[dict[str, str], Sequence[str]]:
    """Return the options at the beginning of a directive, and the lines below them."""
    options: dict[str, str] = {}
    while content and (option := _OPTION.match(content[0])):
        options[option[1].lower()] = option[2].strip()
        content = content[1:]
    return options, content


def _write_scripts(text: str, *, is_name: bool = False) -> str:
    """Write raised and lowered figures with their marks, and other inline markup as in the file."""
    line, end = "", 0
    for found in _SCRIPT.finditer(text):
        line += text[end : found.start()]
        end = found.end()
        if found[1].startswith("sup"):
            line += write_raised(line, found[2], text[end:], is_name=is_name)
        else:
            line += write_lowered(line, found[2])
    return line + text[end:]


def _is_underlined(title: str, rule: str) -> bool:
    is_title = bool(title.strip()) and not title.startswith(" ") and not _UNDERLINE.match(title)
    return is_title and bool(_UNDERLINE.match(rule)) and len(rule) >= min(len(title), 4) and len(title) <= 200


def _count_indented_lines(lines: Sequence[str], *, through_blanks: bool = True) -> int:
    """Return the number of leading lines that are indented, blank lines between them included."""
    count = 0
    for number, line in enumerate(lines, 1):
        if line.startswith(" ") and line.strip():
            count = number
        elif line.strip() or not through_blanks:
            break
    return count


def _paragraph_length(lines: Sequence[str]) -> int:
    for number, line in enumerate(lines):
        starts_block = number > 0 and (
            line.startswith(".. ")
            or GRID_BORDER.match(line)
            or ("  " in line and begins_columns(lines[number:]))
        )
        if not line.strip() or starts_block:
            return number
    return len(lines)


def _simple_table_length(lines: Sequence[str]) -> int:
    """Return the table's length, up to the border followed by a blank line or the end.

    It is 1 if the table is not closed.
    """
    for number in range(1, len(lines)):
        is_last = number + 1 == len(lines) or not lines[number + 1].strip()
        if is_last and SIMPLE_BORDER.match(lines[number]):
            return number + 1
    return 1


def _dedent(lines: Sequence[str]) -> list[str]:
    width = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[width:] for line in lines]
