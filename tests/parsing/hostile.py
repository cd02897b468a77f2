"""Documents that are made to break whoever reads them, written by code."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping

from tests.parsing.documents import page, pdf, prose, save_document, word_document

ENGLISH = (
    "The password must be long enough that nobody can guess it, and easy to remember for its owner. " * 4
)
DEEP = 100_000
CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION_LAUGHS = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>'
EXTERNAL = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'


def word_parts() -> dict[str, bytes]:
    """A sound Word document, taken apart."""
    word = word_document()
    word.add_paragraph(ENGLISH)
    with zipfile.ZipFile(io.BytesIO(save_document(word))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack_zip(parts: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()


def word_of(body: str, head: str = "") -> bytes:
    document = f"{head}<w:document {_W}><w:body>{body}</w:body></w:document>".encode()
    return pack_zip({**word_parts(), "word/document.xml": document})


def word_paragraph(words: str = ENGLISH) -> str:
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


def nest_tables(depth: int) -> str:
    return "<w:tbl><w:tr><w:tc>" * depth + word_paragraph() + "<w:p/></w:tc></w:tr></w:tbl>" * depth


def make_lying_zip() -> bytes:
    """Says that it unpacks to little, and unpacks to much."""
    data = bytearray(pack_zip({**word_parts(), "word/document.xml": b"<a>" + b" " * 120_000_000 + b"</a>"}))
    entry = data.rindex(b"word/document.xml") - 46
    data[entry + 24 : entry + 28] = (1_000).to_bytes(4, "little")
    return bytes(data)


def raw_pdf(objects: Mapping[int, str], root: int = 1) -> bytes:
    body = "".join(f"{number} 0 obj {content} endobj\n" for number, content in objects.items())
    return f"%PDF-1.4\n{body}trailer << /Size {len(objects) + 1} /Root {root} 0 R >>\n%%EOF".encode("latin-1")


def stream_pdf(content: bytes, filters: str) -> bytes:
    """One page whose content is packed."""
    head = (
        "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
        "2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n"
        "3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >> endobj\n"
        f"4 0 obj << /Length {len(content)} /Filter {filters} >> stream\n"
    ).encode()
    return head + content + b"\nendstream endobj\ntrailer << /Size 5 /Root 1 0 R >>\n%%EOF"


def deflate_pdf(times: int) -> bytes:
    content = b"0 0 m 1 1 l S " * 500_000
    for _ in range(times):
        content = zlib.compress(content, 9)
    return stream_pdf(content, f"[{'/FlateDecode ' * times}]")


def deep_page_tree() -> bytes:
    chain = {
        n: f"<< /Type /Pages /Parent {n - 1} 0 R /Kids [{n + 1} 0 R] /Count 1 >>" for n in range(3, 20_000)
    }
    return raw_pdf({1: CATALOG, 2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", **chain})


def form_that_draws_itself() -> bytes:
    resources = "/Resources << /XObject << /X 5 0 R >> >>"
    return raw_pdf(
        {
            1: CATALOG,
            2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R {resources} >>",
            4: "<< /Length 5 >> stream\n/X Do\nendstream",
            5: f"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 11 {resources} >> stream\n/X Do /X Do\n"
            "endstream",
        }
    )


PDF_BOMBS: Mapping[str, Callable[[], bytes]] = {
    "deflated": lambda: deflate_pdf(1),
    "deflated twice": lambda: deflate_pdf(2),
    "page tree loops": lambda: raw_pdf({1: CATALOG, 2: "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"}),
    "page tree is deep": deep_page_tree,
    "objects that are each other": lambda: raw_pdf({1: "2 0 R", 2: "3 0 R", 3: "1 0 R"}),
    "more pages than there are": lambda: raw_pdf(
        {1: CATALOG, 2: "<< /Type /Pages /Kids [] /Count 2000000000 >>"}
    ),
    "arrays inside of arrays": lambda: b"%PDF-1.4\n1 0 obj " + b"[" * DEEP + b"]" * DEEP + b" endobj\n%%EOF",
    "form that draws itself": form_that_draws_itself,
}


# Bodies of web pages, by what is odd about them.
HTML_BOMBS: Mapping[str, Callable[[], str]] = {
    "a hundred thousand levels": lambda: "<div>" * DEEP + ENGLISH,
    "levels of inline marks": lambda: "<b><i>" * (DEEP // 2) + ENGLISH,
    "tables in tables": lambda: "<table><tr><td>" * 3_000 + ENGLISH,
    "lists in lists": lambda: "<ul><li>" * 20_000 + ENGLISH,
    "one tag with many attributes": lambda: f"<p {' '.join(f'a{n}=1' for n in range(10_000))}>{ENGLISH}</p>",
    "an attribute without end": lambda: f'<p title="{"x" * 3_000_000}">{ENGLISH}</p>',
    "a table of very many cells": lambda: "<table>" + "<tr>" + "<td>1" * 200 + ("<tr>" + "<td>1" * 200) * 999,
    "unclosed tags": lambda: "<a><b<c<d>" * 50_000 + ENGLISH,
    "comments without end": lambda: f"{ENGLISH}<!--" + "- -" * 500_000,
    "half entities": lambda: "&#x;&#99999999999;&lt&&amp" * 50_000 + ENGLISH,
    "dropped pieces side by side": lambda: "a<script></script>" * 200_000 + ENGLISH,
    "hidden inside of hidden": lambda: "<p hidden>a" * 20_000 + ENGLISH,
    "sheets without end": lambda: "<style>" + ".a .b .c {display:none} " * 40_000 + "</style>" + ENGLISH,
    "a sheet that never closes": lambda: "<style>" + "a{" * 200_000 + "</style>" + ENGLISH,
}


# Text that takes patterns a square of its length where they are careless.
SLOW_WORDS: Mapping[str, Callable[[], bytes]] = {
    "full stops": lambda: b"." * 100_000 + b" End.",
    "blanks": lambda: b"a" + b" " * 300_000 + b"b.",
    "brackets": lambda: b"([{" * 5_000 + ENGLISH.encode(),
    "quotes": lambda: ("“" * 50_000 + ENGLISH).encode(),
    "numbers": lambda: b"1,234.56e-78 " * 8_000,
    "stars": lambda: b"*" * 30_000 + b" a " + b"_" * 30_000,
    "backticks": lambda: b"`" * 50_000 + b" x",
    "links": lambda: b"[" * 5_000 + b"](" * 5_000,
    "underlines": lambda: b"=-" * 20_000 + b"\n" + b"=" * 20_000,
    "at signs": lambda: b"a@" * 20_000,
    "a line without end": lambda: b"x" * 1_000_000,
    "leaders": lambda: b". . . . " * 10_000,
}


def truncations(data: bytes) -> Iterator[bytes]:
    """The first tenth, two tenths, … nine tenths."""
    for tenths in range(1, 10):
        yield data[: len(data) * tenths // 10]


def polyglots() -> Iterator[tuple[str, str, bytes]]:
    html, paper, archive = page(f"<p>{ENGLISH}</p>"), pdf([prose(ENGLISH)]), pack_zip(word_parts())
    yield "a PDF that is a web page", "a.html", paper + html
    yield "a web page that is a PDF", "a.html", b"<!-- " + paper + b" -->" + html
    yield "a PDF that is an archive", "a.pdf", paper + archive
    yield "an archive that is a PDF", "a.docx", archive[:30] + paper + archive[30:]
    yield "a picture that is a web page", "a.html", b"GIF89a/*" + html + b"*/=1;"
    yield "a picture that is a script", "a.txt", b"GIF89a" + bytes(range(256)) * 20
    yield "a Word document named PDF", "a.pdf", archive


def gzip_bomb() -> bytes:
    return gzip.compress(b"\0" * 30_000_000)
