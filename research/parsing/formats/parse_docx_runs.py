"""Reads a paragraph or cell of a Word document as one line: runs, note marks, equations, form fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml.etree import _Element

from research.parsing.clean_text import clean, squash
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.parse_formulas import read_math
from research.parsing.formats.parse_hidden_docx_runs import Hiding
from research.parsing.formats.parse_raised_figures import find_marks, write_lowered, write_raised
from research.parsing.hidden_text import DroppedLog, HiddenReason

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_NO_WORDS = frozenset(
    {f"{W}{name}" for name in "instrText delText pPr rPr sdtPr tblPr trPr tcPr rt sectPr".split()}
)
_BLANKS = frozenset({f"{W}{name}" for name in "tab br cr p ptab".split()})
_NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}
_UNREAD = ("/chart", "/diagram", "/chartex")
# Letters of the font Symbol, by the code of their Latin key; its signs have codes of their own.
_SYMBOL = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ",
        strict=True,
    )
)
_SYMBOL_SIGNS = {0xA3: "≤", 0xA5: "∞", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB8: "÷", 0xB9: "≠",
                 0xBB: "≈", 0xA2: "′", 0xB2: "″", 0xAE: "→", 0xAC: "←", 0xC5: "⊕", 0xCE: "∈", 0xD6: "√", 0xE5: "∑",
                 0xF2: "∫", 0xD0: "∠", 0xB6: "∂", 0xD1: "∇", 0xA9: "♥", 0xE2: "®", 0xD2: "®", 0xD3: "©", 0xD4: "™",
                 0xD7: "⋅"}  # fmt: skip
_DINGBATS = {
    0xFC: "✓",
    0xFB: "✗",
    0xFE: "☑",
    0xFD: "☒",
    0xA8: "☐",
    0x6F: "☐",
    0x78: "☒",
    0xE0: "→",
    0xA7: "▪",
    0x6C: "●",
}


@dataclass(frozen=True, slots=True)
class _RunPiece:
    text: str
    script: str = ""  # "sup", "sub"
    is_mark: bool = False  # of a footnote or endnote


@dataclass(slots=True)
class LineReader:
    """Reads lines, and collects the notes in their order and the text boxes, which become blocks."""

    hiding: Hiding
    log: DroppedLog
    marks: frozenset[str] = frozenset()  # of notes that are set by hand
    notes: dict[tuple[str, str], str] = field(default_factory=dict)  # marks by kind and id
    boxes: list[_Element] = field(default_factory=list)

    def read(self, element: _Element, *, is_name: bool = False) -> str:
        pieces = list(_merge(self._pieces(element)))
        note_carriers("".join(piece.text for piece in pieces), self.log)
        line = ""
        for index, piece in enumerate(pieces):
            after = pieces[index + 1].text if index + 1 < len(pieces) else ""
            if piece.script == "sup":
                line += write_raised(
                    line, piece.text, after, self.marks, is_link=piece.is_mark, is_name=is_name
                )
            elif piece.script == "sub":
                line += write_lowered(line, piece.text)
            else:
                line += piece.text
        return squash(clean(line))

    def is_hidden(self, node: _Element) -> bool:
        """Return True if the node is hidden, and log its text."""
        why = self.hiding.why_unseen(node)
        if why is not None:
            self.log.note(why, "".join(part.text or "" for part in node.iter(f"{W}t", f"{W}delText")))
        return why is not None

    def _pieces(self, element: _Element) -> Iterator[_RunPiece]:
        waiting = [(element, "")]
        while waiting:
            node, script = waiting.pop()
            if node.tag in _NO_WORDS or self.is_hidden(node):
                continue
            if node.tag == f"{W}r":
                script = self.hiding.script_of(node)
            said = self._say(node)
            if said is not None:
                yield _RunPiece(said, script)
            elif node.tag in _NOTES:
                yield from self._mark(node)
            elif node.tag == f"{W}txbxContent":
                self.boxes.append(node)
            else:
                waiting.extend((child, script) for child in reversed(list(select_shown_children(node))))
            if node.tag == f"{W}drawing" or node.tag == f"{W}object":
                self._note_unread(node)

    def _say(self, node: _Element) -> str | None:
        """Return the text of an element that contains no further ones; None for an element that may."""
        if node.tag == f"{W}t":
            return node.text or ""
        if node.tag == f"{W}noBreakHyphen":
            return "-"
        if node.tag == f"{W}sym":
            return self._symbol(node)
        if node.tag == f"{M}oMath":
            return read_math(node)
        if node.tag == f"{W}fldChar":
            return _field_value(node)
        if node.tag in _BLANKS and not len(node):
            return " "
        return None

    def _mark(self, node: _Element) -> Iterator[_RunPiece]:
        kind, number = _NOTES[str(node.tag)], str(node.get(f"{W}id", ""))
        is_custom = node.get(f"{W}customMarkFollows", "0") not in ("0", "false", "off")
        known = self.notes.get((kind, number))
        if known is None:
            count = 1 + sum(of == kind and bool(mark) for (of, _), mark in self.notes.items())
            known = "" if is_custom else str(count) if kind == "footnote" else _to_roman(count)
            self.notes[kind, number] = known
        if known:
            yield _RunPiece(known, "sup", is_mark=True)

    def _symbol(self, node: _Element) -> str:
        font, code = str(node.get(f"{W}font", "")).lower(), str(node.get(f"{W}char", ""))[:6]
        try:
            number = int(code, 16)
        except ValueError:
            return ""
        own = number - 0xF000 if 0xF000 <= number <= 0xF0FF else number
        if font == "symbol":
            found = (
                _SYMBOL_SIGNS.get(own) or _SYMBOL.get(chr(own)) or (chr(own) if 0x20 <= own < 0x40 else "")
            )
        elif "wingdings" in font or "webdings" in font:
            found = _DINGBATS.get(own, "")
        else:
            found = "" if 0xE000 <= number <= 0xF8FF else chr(number)
        if not found:
            self.log.count(HiddenReason.UNREAD, 1, 1)
        return found

    def _note_unread(self, node: _Element) -> None:
        """Log charts, diagrams and embedded objects, which are in files of their own and are not read."""
        kinds = [str(data.get("uri", "")) for data in node.iter(f"{_A}graphicData")]
        if node.tag == f"{W}object" or any(kind.endswith(_UNREAD) for kind in kinds):
            self.log.count(HiddenReason.UNREAD, 1, 0)


def select_shown_children(node: _Element) -> Iterator[_Element]:
    """Yield the visible children: the first of alternatives, and content controls with more than a prompt."""
    if node.tag == f"{MC}AlternateContent":
        chosen = node.find(f"{MC}Choice")
        chosen = node.find(f"{MC}Fallback") if chosen is None else chosen
        yield from () if chosen is None else chosen
    elif node.tag == f"{W}sdt":
        if node.find(f"{W}sdtPr/{W}showingPlcHdr") is None:
            yield from node.iterchildren(f"{W}sdtContent")
    elif node.tag == f"{W}p":
        yield node.makeelement(f"{W}br")  # parts it from what stands before
        yield from node
    else:
        yield from node


def find_hand_set_marks(body: _Element, hiding: Hiding) -> frozenset[str]:
    """Return the marks of notes that are ordinary paragraphs, which begin with a raised mark."""
    found: set[str] = set()
    for paragraph in body.iter(f"{W}p"):
        run = next(paragraph.iterchildren(f"{W}r"), None)
        text = None if run is None else run.find(f"{W}t")
        if run is not None and text is not None and hiding.script_of(run) == "sup":
            found |= find_marks(text.text or "")
    return frozenset(found)


def _merge(pieces: Iterator[_RunPiece]) -> Iterator[_RunPiece]:
    """Merge adjacent runs of one kind: programs split them anywhere."""
    last: _RunPiece | None = None
    for piece in pieces:
        if last is not None and last.script == piece.script and not (last.is_mark or piece.is_mark):
            last = _RunPiece(last.text + piece.text, last.script)
        elif last is not None and last.is_mark and piece.is_mark:
            last = _RunPiece(f"{last.text},{piece.text}", last.script, is_mark=True)
        elif piece.text:
            if last is not None:
                yield last
            last = piece
    if last is not None:
        yield last


def _field_value(node: _Element) -> str | None:
    """Return the value of a legacy form field that Word draws itself."""
    box = node.find(f"{W}ffData/{W}checkBox")
    if box is not None:
        checked = box.find(f"{W}checked")
        said = checked if checked is not None else box.find(f"{W}default")
        is_on = said is not None and said.get(f"{W}val", "1") not in ("0", "false", "off")
        return "☒" if is_on else "☐"
    choice = node.find(f"{W}ffData/{W}ddList")
    if choice is None:
        return None
    entries = [str(entry.get(f"{W}val", "")) for entry in choice.iterchildren(f"{W}listEntry")]
    chosen = choice.find(f"{W}result")
    place = "0" if chosen is None else str(chosen.get(f"{W}val", "0"))[:4]
    return entries[int(place)] if place.isdecimal() and int(place) < len(entries) else ""


def _to_roman(number: int) -> str:
    said = ""
    for value, letters in (
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ):
        said += letters * (number // value)
        number %= value
    return said


def join_words(parts: Sequence[_Element]) -> str:
    """Return the text of file parts that are not read, for the log."""
    return squash(clean(" ".join("".join(text.text or "" for text in part.iter(f"{W}t")) for part in parts)))
