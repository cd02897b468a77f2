"""Documents that the tests write themselves."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import docx
from docx.document import Document

PAGE_WIDTH, PAGE_HEIGHT = 612, 792
_ENCRYPTION = (
    b"/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -44 /O <%s> /U <%s> >> /ID [<00> <00>]"
    % (
        b"ab" * 32,
        b"cd" * 32,
    )
)


@dataclass(frozen=True)
class Words:
    """A line of type on a page, origin bottom left."""

    text: str
    x: float = 72
    y: float = 700
    size: float = 11
    bold: bool = False
    paint: str = ""  # operators before the words: color, mode


@dataclass(frozen=True)
class Shape:
    """Something drawn on a page that is no text."""

    operators: str


def prose(text: str, *, top: float = 700, width: int = 80, x: float = 72) -> list[Words]:
    """A paragraph set in lines of at most `width` characters."""
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) + 1 > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [Words(part, x, top - 13 * number) for number, part in enumerate([*lines, line])]


def pdf(
    pages: Sequence[Sequence[Words | Shape]],
    *,
    title: str = "",
    modified: str = "",
    encrypted: bool = False,
    rotate: int = 0,
    meaning: Mapping[str, str] | None = None,
) -> bytes:
    """A small PDF in Helvetica, its objects written by hand. `meaning`: what some letters stand for."""
    kids = " ".join(f"{6 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 5 0 R >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        _stream(_to_unicode(meaning or {})),
    ]
    for number, words in enumerate(pages):
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {PAGE_WIDTH} {PAGE_HEIGHT}] /Rotate {rotate} "
            f"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {7 + 2 * number} 0 R >>"
        )
        objects += [page.encode(), _stream("\n".join(map(_show, words)).encode("cp1252"))]
    objects.append(f"<< /Title ({title}) /ModDate (D:{modified}) >>".encode("cp1252"))
    return _file(objects, _ENCRYPTION if encrypted else b"")


def word_document() -> Document:
    return docx.Document()


def save_document(document: Document) -> bytes:
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def page(body: str, *, head: str = "", lang: str = "en") -> bytes:
    """A web page."""
    return f"<!DOCTYPE html><html lang='{lang}'><head>{head}</head><body>{body}</body></html>".encode()


def _show(words: Words | Shape) -> str:
    if isinstance(words, Shape):
        return f"q {words.operators} Q"
    escaped = words.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    font = "F2" if words.bold else "F1"
    return f"q BT {words.paint} /{font} {words.size} Tf {words.x} {words.y} Td ({escaped}) Tj ET Q"


def _to_unicode(meaning: Mapping[str, str]) -> bytes:
    own = {letter: letter for letter in map(chr, range(32, 127))} | dict(meaning)
    rows = [f"<{ord(code):02x}> <{said.encode('utf-16-be').hex()}>" for code, said in own.items()]
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(rows)} beginbfchar\n" + "\n".join(rows) + "\nendbfchar endcmap end end"
    ).encode()


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _file(objects: Sequence[bytes], extra: bytes) -> bytes:
    written = io.BytesIO()
    written.write(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(written.tell())
        written.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    table = written.tell()
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    written.write(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, rows))
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n"
    written.write(trailer % (len(objects) + 1, len(objects), extra, table))
    return written.getvalue()
