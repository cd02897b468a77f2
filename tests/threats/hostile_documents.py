# ruff: noqa: E501 - what is hostile stays in one piece
"""Files that are made to break who reads them: what it is, the name of the file, its bytes. Made by code, one at a time."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from random import Random

from openpyxl import Workbook

from tests.parsing import hostile
from tests.parsing.documents import page, pdf, prose
from tests.parsing.hostile import CATALOG, ENGLISH, pack_zip, raw_pdf, word_of, word_paragraph, word_parts

Make = Callable[[], bytes]
Case = tuple[str, str, Make]

_PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
_FONT = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"


def cases() -> Iterator[Case]:
    yield from _pages()
    yield from _sheets_of_pages()
    yield from _papers()
    yield from _word()
    yield from _spreadsheets()
    yield from _texts()
    yield from _feeds()
    yield from _other_types()
    yield from _corrupt_documents()


def _pages() -> Iterator[Case]:
    for what, make in hostile.HTML_BOMBS.items():
        yield f"page: {what}", "a.html", lambda make=make: page(make())
    tags = "div b span table ul blockquote font a svg math select template iframe details ruby form p h1 o:p".split()
    for tag in tags:
        for depth in (1_000, 30_000):
            yield (
                f"page: {depth} of {tag}",
                "a.html",
                lambda tag=tag, depth=depth: page(f"<{tag}>" * depth + ENGLISH),
            )
    for what, text in {
        "doctype with entities": hostile.BILLION_LAUGHS + "<html><body>&l9;" + ENGLISH,
        "doctype from outside": hostile.EXTERNAL + f"<html><body>&e;{ENGLISH}",
        "processing instructions": "<html><body>" + "<?a b?>" * 200_000 + ENGLISH,
        "cdata": "<html><body>" + "<![CDATA[" * 100_000 + ENGLISH,
        "one long word": f"<html><body><p>{'x' * 3_000_000}</p>",
        "a long title": f"<html><head><title>{'x ' * 1_000_000}</title><body>{ENGLISH}",
        "a deep json": f"<html><script type=application/ld+json>{'[' * 200_000}</script><body>{ENGLISH}",
        "many json": "<html>"
        + '<script type=application/ld+json>{"@graph":[{}]}</script>' * 20_000
        + ENGLISH,
        "many dates": "<html><body>" + "<time datetime=2020-01-01 itemprop=datePublished>x</time>" * 50_000,
        "spans of a table": f"<html><body><table><tr><td colspan=999999999 rowspan=999999999>{ENGLISH}</table>",
        "many links": "<html><body>" + "<a href=#x>x</a> " * 200_000,
        "many images": "<html><body>" + "<img src=a.png>" * 200_000 + ENGLISH,
        "superscripts": "<html><body><p>1" + "<sup>2</sup>" * 100_000,
        "empty paragraphs": "<html><body>" + "<p>" * 500_000 + ENGLISH,
        "line breaks": "<html><body>" + "<br>" * 500_000 + ENGLISH,
    }.items():
        yield f"page: {what}", "a.html", text.encode


def _sheets_of_pages() -> Iterator[Case]:
    """Our own reader of style sheets has to end, too."""
    boxes = "<div class='a b c' id=x><p>One</p><p>Two</p></div>" * 3_000
    sheets = {
        "selectors inside of selectors": ":is(" * 20_000 + ".a" + ")" * 20_000 + "{display:none}",
        "negations inside of negations": ":not(" * 20_000 + "{display:none}",
        "long selectors": " > ".join(["div"] * 50_000) + "{display:none}",
        "ways around": " ".join(["*"] * 8) + " p {display:none}" + ".a .b .c .d .e .f .g p {color:red}" * 500,
        "sibling chains": ("* ~ * ~ * ~ p {display:none}") * 300,
        "counting": "".join(f":nth-child({n}n+{n}) {{color:red}}" for n in range(1, 300)),
        "every attribute": "".join(f"[a{n}],[class*=a{n}] {{color:red}}" for n in range(3_000)),
        "blocks inside of blocks": ".a{" * 100_000,
        "blocks that close too often": "}" * 500_000,
        "media inside of media": "@media screen{" * 50_000 + "p{display:none}",
        "lists of selectors": ",".join([".a"] * 300_000) + "{display:none}",
        "names without end": "." + "a" * 900_000 + "{display:none}",
        "escapes": "\\61" * 300_000 + "{display:none}",
        "quotation marks": "\"'" * 400_000 + "{display:none}",
        "variables in circles": ":root{--a:var(--b);--b:var(--a)} p{display:var(--a)}",
        "variables that double": ":root{--a0:none none;" + "".join(f"--a{n}:var(--a{n-1}) var(--a{n-1});" for n in range(1, 60)) + "} p{display:var(--a59)}",
        "brackets of arithmetic": "p{font-size:calc(" + "(" * 50_000 + "1px" + ")" * 50_000 + ")}",
        "sums without end": "p{font-size:calc(1px" + " + 1px" * 100_000 + ")}",
        "gradients": "p{background:linear-gradient(" + "#fff," * 200_000 + "#fff);color:#fff}",
        "gradients in gradients": "p{background:" + "linear-gradient(" * 20_000 + "#fff" + ")" * 20_000 + "}",
        "polygons": "p{clip-path:polygon(" + "0 0," * 200_000 + "1px 1px)}",
        "queries": "@media " + "(min-width:1px) and " * 50_000 + "(min-width:1px){p{display:none}}",
        "ranges": "@media (" + "1px < " * 50_000 + "width){p{display:none}}",
        "conditions": "@supports " + "not " * 20_000 + "(display:grid){p{display:none}}",
        "numbers": "p{opacity:" + "9" * 500_000 + ";font-size:1e999px;line-height:-1e-999}",
    }  # fmt: skip
    for what, sheet in sheets.items():
        yield (
            f"sheet: {what}",
            "a.html",
            lambda sheet=sheet: page(boxes + ENGLISH, head=f"<style>{sheet}</style>"),
        )
    long = "color:white;" * 50_000
    yield "sheet: in an attribute", "a.html", lambda: page(f"<p style='{long}'>{ENGLISH}</p>")
    yield "sheet: in many attributes", "a.html", lambda: page("".join(f"<p style='top:{n}px;color:rgb({n} 1 1)'>a" for n in range(30_000)))  # fmt: skip


def _paper(
    content: str = "",
    *,
    page_extra: str = _FONT,
    more: Mapping[int, str] | None = None,
    box: str = "0 0 612 792",
) -> bytes:
    return raw_pdf({
        1: CATALOG, 2: _PAGES,
        3: f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 4 0 R {page_extra} >>",
        4: f"<< /Length {len(content)} >> stream\n{content}\nendstream",
        **(more or {}),
    })  # fmt: skip


_SAID = f"BT /F1 11 Tf 72 700 Td ({ENGLISH[:60]}) Tj ET "


def _image(how: str, data: str = "x" * 500) -> bytes:
    image = f"<< /Type /XObject /Subtype /Image {how} /Length {len(data)} >> stream\n{data}\nendstream"
    extra = "/Resources << /XObject << /X 5 0 R >> /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    return _paper(f"{_SAID} q 600 0 0 700 0 0 cm /X Do Q", page_extra=extra, more={5: image})


def _papers() -> Iterator[Case]:
    for what, make in hostile.PDF_BOMBS.items():
        yield f"PDF: {what}", "a.pdf", make
    sound = pdf([prose(ENGLISH)])
    for name in (
        "JBIG2Decode",
        "JPXDecode",
        "DCTDecode",
        "CCITTFaxDecode",
        "LZWDecode",
        "RunLengthDecode",
        "Crypt",
    ):
        yield f"PDF: image of nonsense by {name}", "a.pdf", lambda name=name: _image(f"/Width 900 /Height 900 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /{name}")  # fmt: skip
    for wide, high in ((100_000, 100_000), (2**31 - 1, 1), (2**31, 2**31), (-1, -1), (0, 0)):
        yield f"PDF: image of {wide} by {high}", "a.pdf", lambda w=wide, h=high: _image(f"/Width {w} /Height {h} /BitsPerComponent 8 /ColorSpace /DeviceRGB")  # fmt: skip
    for box in (
        "0 0 0 0",
        "0 0 1e30 1e30",
        "-1e30 -1e30 1e30 1e30",
        "612 792 0 0",
        "a b c d",
        "0 0 nan inf",
        "[0 0]",
    ):
        yield f"PDF: page of {box}", "a.pdf", lambda box=box: _paper(_SAID, box=box)
    contents = {
        "a million operators": "0 0 m 1 1 l S " * 300_000, "saved states": "q " * 500_000 + _SAID,
        "restored states": "Q " * 500_000 + _SAID, "texts inside of texts": "BT " * 200_000 + _SAID,
        "very many texts": _SAID * 8_000, "a long string": f"BT /F1 11 Tf ({'x' * 3_000_000}) Tj ET",
        "brackets in a string": f"BT /F1 11 Tf ({'(' * 500_000}) Tj ET", "an array": f"BT /F1 1 Tf [{'(a) 1 ' * 300_000}] TJ ET",
        "arrays in arrays": "[" * 300_000 + _SAID, "dictionaries": "<<" * 300_000 + _SAID,
        "an inline image": "BI /W 99999 /H 99999 /BPC 8 /CS /RGB ID " + "x" * 1_000 + " EI " + _SAID,
        "clips": "0 0 9 9 re W n " * 100_000 + _SAID, "shapes": "0 0 9 9 re f " * 200_000 + _SAID,
        "a matrix of nothing": "0 0 0 0 0 0 cm " + _SAID, "a huge matrix": "1e30 0 0 1e30 0 0 cm " + _SAID,
        "huge type": "BT /F1 1e30 Tf 1 1 Td (Huge) Tj ET", "names": "/" + "a" * 1_000_000 + " gs " + _SAID,
        "numbers": "9" * 1_000_000 + " w " + _SAID, "comments": "%" * 2_000_000 + "\n" + _SAID,
    }  # fmt: skip
    for what, content in contents.items():
        yield f"PDF: {what}", "a.pdf", lambda content=content: _paper(content)
    objects = {
        "length that is itself": {4: "<< /Length 4 0 R >> stream\nx\nendstream"},
        "length of gigabytes": {4: "<< /Length 99999999999 >> stream\nx\nendstream"},
        "length below nothing": {4: "<< /Length -5 >> stream\nx\nendstream"},
        "a hundred filters": {4: f"<< /Length 9 /Filter [{'/FlateDecode ' * 500}] >> stream\nx\nendstream"},
        "filters in circles": {4: "<< /Length 9 /Filter 4 0 R >> stream\nx\nendstream"},
        "contents in circles": {4: "[4 0 R 4 0 R]"},
        "predictor of gigabytes": {4: "<< /Length 9 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 32 >> >> stream\nx\nendstream"},
        "bookmarks in circles": {1: "<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>", 5: "<< /First 6 0 R /Last 6 0 R >>", 6: "<< /Title (x) /Next 6 0 R /First 6 0 R /Parent 5 0 R >>"},
        "names in circles": {1: "<< /Type /Catalog /Pages 2 0 R /Names << /Dests 5 0 R >> >>", 5: "<< /Kids [5 0 R 5 0 R] >>"},
        "a page that is its parent": {3: "<< /Type /Page /Parent 3 0 R /MediaBox [0 0 9 9] >>"},
        "notes in circles": {3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 5 0 R >>", 5: "[5 0 R]"},
        "a script that opens": {1: "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>"},
        "a program that starts": {1: "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (calc.exe) >> >>"},
        "a form": {1: "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /XFA (x) >> >>", 5: "<< /Kids [5 0 R] /FT /Tx >>"},
        "an encryption that is none": {1: "<< /Type /Catalog /Pages 2 0 R /Encrypt 1 0 R >>"},
        "a font that is itself": {5: "<< /Type /Font /Subtype /Type0 /DescendantFonts [5 0 R] >>"},
        "a font drawn by itself": {5: "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /CharProcs << /a 4 0 R >> >>"},
    }  # fmt: skip
    for what, more in objects.items():
        extra = "/Resources << /Font << /F1 5 0 R >> >>" if 5 in more and "font" in what else _FONT
        yield (
            f"PDF: {what}",
            "a.pdf",
            lambda more=more, extra=extra: _paper(_SAID, more=more, page_extra=extra),
        )
    tables = {
        "cross references in circles": sound.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % sound.rindex(b"xref\n0")),
        "cross references elsewhere": sound.replace(b"startxref\n", b"startxref\n99999"),
        "cross references of millions": sound.replace(b"xref\n0 ", b"xref\n0 99999999 "),
        "a size of billions": sound.replace(b"/Size ", b"/Size 99999999 /S "),
        "no catalog": sound.replace(b"/Catalog", b"/Catalag"),
        "no end": sound.replace(b"%%EOF", b""), "two ends": sound + sound, "a late head": b"x" * 900 + sound,
        "another version": sound.replace(b"%PDF-1.4", b"%PDF-9.9"), "a head alone": b"%PDF-1.7\n",
        "objects in streams of themselves": raw_pdf({1: "<< /Type /ObjStm /N 999999 /First 10 /Extends 1 0 R /Length 5 >> stream\n1 0 1\nendstream"}),
    }  # fmt: skip
    for what, data in tables.items():
        yield f"PDF: {what}", "a.pdf", lambda data=data: data
    yield "PDF: two thousand and one pages", "a.pdf", lambda: pdf([[]] * 2_001)


def _word() -> Iterator[Case]:
    parts = word_parts()
    archives: dict[str, Callable[[], Mapping[str, bytes]]] = {
        "ratio": lambda: {**parts, "word/media/a.bin": b"\0" * 100_000_000},
        "entries": lambda: {f"word/{n}.xml": b"" for n in range(2_001)},
        "an archive inside": lambda: {**parts, "word/embeddings/a.zip": pack_zip({"a": b"b"})},
        "an archive by another name": lambda: {**parts, "word/media/a.png": pack_zip({"a": b"\0" * 1_000_000})},
        "paths outside": lambda: {**parts, "../../../tmp/plumbline-slipped": b"out", "/etc/plumbline-slipped": b"out"},
        "windows paths": lambda: {**parts, "..\\..\\a.exe": b"out", "C:\\a.exe": b"out"},
        "names without end": lambda: {**parts, "word/" + "a" * 60_000: b""},
        "no document": lambda: {name: data for name, data in parts.items() if "document" not in name},
        "no types": lambda: {name: data for name, data in parts.items() if "Types" not in name},
        "no relations": lambda: {name: data for name, data in parts.items() if ".rels" not in name},
        "no styles": lambda: {name: data for name, data in parts.items() if "styles" not in name},
        "an empty document": lambda: {**parts, "word/document.xml": b""},
        "a document of nonsense": lambda: {**parts, "word/document.xml": bytes(range(256)) * 40},
        "a wide charset": lambda: {**parts, "word/document.xml": parts["word/document.xml"].decode().encode("utf-16")},
        "styles in circles": lambda: {**parts, "word/styles.xml": _circular_styles()},
        "relations to files": lambda: {**parts, "word/_rels/document.xml.rels": parts["word/_rels/document.xml.rels"].replace(b"styles.xml", b"file:///etc/passwd")},
        "relations in circles": lambda: {**parts, "word/_rels/document.xml.rels": parts["word/_rels/document.xml.rels"].replace(b"styles.xml", b"document.xml")},
        "macros": lambda: {**parts, "word/vbaProject.bin": b"\xd0\xcf\x11\xe0" * 200},
    }  # fmt: skip
    for what, made in archives.items():
        yield f"Word: {what}", "a.docx", lambda made=made: pack_zip(made())
    yield "Word: lying about its size", "a.docx", hostile.make_lying_zip
    bodies: dict[str, Callable[[], str]] = {
        "tables in tables": lambda: hostile.nest_tables(5_000),
        "controls in controls": lambda: "<w:sdt><w:sdtContent>" * 5_000 + word_paragraph() + "</w:sdtContent></w:sdt>" * 5_000,
        "runs in runs": lambda: "<w:p>" + "<w:r>" * 20_000 + "<w:t>x</w:t>" + "</w:r>" * 20_000 + "</w:p>",
        "paragraphs": lambda: "<w:p><w:r><w:t>One sentence.</w:t></w:r></w:p>" * 60_000,
        "empty paragraphs": lambda: "<w:p/>" * 300_000 + word_paragraph(),
        "a long run": lambda: word_paragraph("word " * 600_000), "a long word": lambda: word_paragraph("x" * 3_000_000),
        "rows": lambda: "<w:tbl>" + "<w:tr><w:tc><w:p/></w:tc></w:tr>" * 60_000 + "</w:tbl>",
        "columns": lambda: "<w:tbl><w:tr>" + "<w:tc><w:p/></w:tc>" * 60_000 + "</w:tr></w:tbl>",
        "unclosed": lambda: "<w:p>" * 50_000, "levels of a list": lambda: '<w:p><w:pPr><w:numPr><w:ilvl w:val="99999999999999999999"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>',
        "sizes": lambda: '<w:p><w:r><w:rPr><w:sz w:val="²"/></w:rPr><w:t>x y z.</w:t></w:r></w:p>',
        "attributes": lambda: f'<w:p {" ".join(f"a{n}={chr(34)}1{chr(34)}" for n in range(50_000))}/>' + word_paragraph(),
        "characters that are none": lambda: word_paragraph("a&#0;b&#xFFFF;"), "tabs": lambda: "<w:p>" + "<w:r><w:tab/></w:r>" * 200_000 + "</w:p>",
    }  # fmt: skip
    for what, body in bodies.items():
        yield f"Word: {what}", "a.docx", lambda body=body: word_of(body())
    for what, head in {"laughs": hostile.BILLION_LAUGHS, "external": hostile.EXTERNAL}.items():
        yield (
            f"Word: {what}",
            "a.docx",
            lambda head=head: word_of(word_paragraph("Seen. &e;&l9;" + ENGLISH), head),
        )


def _circular_styles() -> bytes:
    style = "<w:style w:styleId='{0}'><w:name w:val='{0}'/><w:basedOn w:val='{1}'/></w:style>"
    chain = "".join(style.format(f"s{n}", f"s{(n + 1) % 2_000}") for n in range(2_000))
    return f"<w:styles {hostile._W}>{chain}</w:styles>".encode()


def _book() -> dict[str, bytes]:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Name", "Share"], ["Acme", 3], ["Globex", 5]):
        sheet.append(row)
    saved = io.BytesIO()
    book.save(saved)
    import zipfile

    with zipfile.ZipFile(io.BytesIO(saved.getvalue())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def _spreadsheets() -> Iterator[Case]:
    parts = _book()
    text = "<c r='A1' t='inlineStr'><is><t>Name</t></is></c>"
    sheets: dict[str, Callable[[], str]] = {
        "a sheet of all cells": lambda: f"<dimension ref='A1:XFD1048576'/><sheetData><row r='1'>{text}</row></sheetData>",
        "the last cell": lambda: f"<sheetData><row r='1'>{text}</row><row r='1048576'><c r='XFD1048576'><v>1</v></c></row></sheetData>",
        "beyond the last cell": lambda: "<sheetData><row r='99999999'><c r='ZZZZZ99999999'><v>1</v></c></row></sheetData>",
        "cells without places": lambda: "<sheetData>" + "<row><c><v>1</v></c></row>" * 30_000 + "</sheetData>",
        "many columns": lambda: "<sheetData><row r='1'>" + "<c><v>1</v></c>" * 16_000 + "</row></sheetData>",
        "merged cells": lambda: f"<sheetData><row r='1'>{text}</row></sheetData><mergeCells>" + "<mergeCell ref='A1:B2'/>" * 50_000 + "</mergeCells>",
        "one merged cell": lambda: f"<sheetData><row r='1'>{text}</row></sheetData><mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>",
        "strings that are not there": lambda: "<sheetData><row r='1'><c r='A1' t='s'><v>99999999</v></c></row></sheetData>",
        "dates of no year": lambda: "<sheetData><row r='1'><c r='A1' t='d'><v>99999-99-99</v></c><c s='1'><v>1e300</v></c></row></sheetData>",
        "numbers that are none": lambda: "<sheetData><row r='1'><c r='A1'><v>nan</v></c><c><v>1e999</v></c><c><v>x</v></c></row></sheetData>",
        "formulas": lambda: "<sheetData><row r='1'>" + "<c><f>A1</f><v>1</v></c>" * 10_000 + "</row></sheetData>",
        "a long cell": lambda: f"<sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>{'x' * 3_000_000}</t></is></c></row></sheetData>",
        "columns of columns": lambda: "<cols>" + "<col min='1' max='16384' hidden='1'/>" * 2_000 + f"</cols><sheetData><row r='1'>{text}</row></sheetData>",
        "deep": lambda: "<sheetData>" + "<row>" * 20_000,
        "validations": lambda: f"<sheetData><row r='1'>{text}</row></sheetData><dataValidations>" + "<dataValidation sqref='A1:XFD1048576'/>" * 2_000 + "</dataValidations>",
    }  # fmt: skip
    for what, sheet in sheets.items():
        yield f"XLSX: {what}", "a.xlsx", lambda sheet=sheet: pack_zip({**parts, "xl/worksheets/sheet1.xml": f"<worksheet {_S}>{sheet()}</worksheet>".encode()})  # fmt: skip
    yield "XLSX: styles", "a.xlsx", lambda: pack_zip({**parts, "xl/styles.xml": parts["xl/styles.xml"].replace(b"<fonts", b"<fonts>" + b"<font/>" * 100_000 + b"</fonts><fonts")})  # fmt: skip
    yield "XLSX: a book without sheets", "a.xlsx", lambda: pack_zip({**parts, "xl/workbook.xml": f"<workbook {_S}/>".encode()})  # fmt: skip
    yield "XLSX: ratio", "a.xlsx", lambda: pack_zip({**parts, "xl/media/a.bin": b"\0" * 100_000_000})
    for what, head in {"laughs": hostile.BILLION_LAUGHS, "external": hostile.EXTERNAL}.items():
        yield f"XLSX: {what}", "a.xlsx", lambda head=head: pack_zip({**parts, "xl/sharedStrings.xml": f"{head}<sst {_S}><si><t>&e;&l9;</t></si></sst>".encode()})  # fmt: skip


def _texts() -> Iterator[Case]:
    for what, make in hostile.SLOW_WORDS.items():
        for name in ("a.txt", "a.md", "a.rst"):
            yield f"{name}: {what}", name, make
    tables: dict[str, Make] = {
        "rows": lambda: b"a,b\n" + b"1,2\n" * 60_000, "columns": lambda: b"a," * 50_000 + b"\n" + b"1," * 50_000,
        "quotation marks": lambda: b'"' * 1_000_000, "an open quotation": lambda: b'a,b\n"' + b"x,y\n" * 200_000,
        "separators": lambda: b",;\t|" * 250_000, "a long cell": lambda: b"a,b\n" + b"x" * 3_000_000 + b",1\n",
        "NULs": lambda: b"a,b\n1\0,2\0\n" * 3, "line ends": lambda: b"a,b\r\r\n\n\r" * 100_000,
    }  # fmt: skip
    for what, make in tables.items():
        yield f"CSV: {what}", "a.csv", make
    marks = {
        "headings": "# a\n" * 50_000, "levels of quotes": ">" * 50_000 + " a", "levels of lists": "".join(" " * n + "- a\n" for n in range(1_000)),
        "tables": "|a" * 20_000 + "\n" + "|-" * 20_000 + "\n", "references": "".join(f"[a{n}]: /b\n" for n in range(30_000)) + "[a1]" * 10_000,
        "emphasis": "*a **b " * 30_000, "open code": "```\n" + "x\n" * 200_000, "html": "<div>\n\n" * 20_000 + "a", "entities": "&amp;&#1;&x;" * 100_000,
        "front matter": "---\n" + "a: b\n" * 100_000 + "---\nText.", "escapes": "\\" * 500_000, "pictures": "![" * 20_000 + "a",
    }  # fmt: skip
    for what, text in marks.items():
        yield f"Markdown: {what}", "a.md", text.encode


def _feeds() -> Iterator[Case]:
    item = f"<item><title>One</title><description>{ENGLISH}</description></item>"
    feeds = {
        "laughs": f"{hostile.BILLION_LAUGHS}<rss version='2.0'><channel><title>&l9;</title>{item}</channel></rss>",
        "external": f"{hostile.EXTERNAL}<rss version='2.0'><channel><title>&e;</title>{item}</channel></rss>",
        "parameters": f"<!DOCTYPE x [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><rss version='2.0'><channel>{item}</channel></rss>",
        "deep": "<rss version='2.0'><channel>" + "<a>" * 50_000 + item, "items": f"<rss version='2.0'><channel>{item * 8_000}</channel></rss>",
        "pages in entries": f"<rss version='2.0'><channel><item><description>{'&lt;div&gt;' * 50_000}{ENGLISH}</description></item></channel></rss>",
        "namespaces": "<rss version='2.0' " + " ".join(f"xmlns:a{n}='u{n}'" for n in range(5_000)) + f"><channel>{item}</channel></rss>",
        "cut off": f"<rss version='2.0'><channel>{item}"[:-30],
    }  # fmt: skip
    for what, text in feeds.items():
        yield f"feed: {what}", "a.xml", text.encode
    start = '{"version":"https://jsonfeed.org/version/1.1","title":"x","items":'
    for what, rest in {"deep": "[" * 300_000, "numbers": f"[{'9' * 500_000}]}}", "of no items": '"x"}', "wrong types": '[1,null,{"id":{}},[]]}', "surrogates": '[{"id":"\\ud800","content_text":"a\\udfff b"}]}'}.items():  # fmt: skip
        yield f"JSON feed: {what}", "a.json", (start + rest).encode


def _other_types() -> Iterator[Case]:
    archive = pack_zip({"mimetype": b"application/epub+zip", "OEBPS/a.xhtml": page(ENGLISH)})
    kinds: dict[str, bytes] = {
        "a.exe": b"MZ\x90\0" + b"\0" * 2_000, "a": b"\x7fELF" + b"\0" * 2_000, "a.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 2_000,
        "a.gif": b"GIF89a" + b"\0" * 2_000, "a.jpg": b"\xff\xd8\xff\xe0" + b"\0" * 2_000, "a.mp4": b"\0\0\0 ftypisom" + b"\0" * 2_000,
        "a.rar": b"Rar!\x1a\x07\0" + b"\0" * 2_000, "a.7z": b"7z\xbc\xaf'\x1c" + b"\0" * 2_000, "a.tar": b"a" + b"\0" * 3_000,
        "a.gz": hostile.gzip_bomb(), "a.epub": archive, "a.pptx": pack_zip({"ppt/presentation.xml": b"<p/>"}), "a.odt": pack_zip({"content.xml": b"<a/>"}),
        "a.jar": pack_zip({"META-INF/MANIFEST.MF": b"a"}), "a.msg": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000,
        "a.eml": f"From: a@example.com\r\nSubject: =?utf-8?B?{'QQ' * 9_000}?=\r\n\r\n{ENGLISH}".encode(),
        "a.ipynb": json.dumps({"cells": [{"cell_type": "markdown", "source": [ENGLISH]}] * 500}).encode(),
        "a.json": b'{"a":' * 100_000, "a.svg": f"{hostile.EXTERNAL}<svg><text>&e;{ENGLISH}</text></svg>".encode(),
        "a.xml": f"{hostile.BILLION_LAUGHS}<a>&l9;{ENGLISH}</a>".encode(), "a.sqlite": b"SQLite format 3\0" + b"\0" * 2_000,
        "a.wasm": b"\0asm" + b"\0" * 2_000, "a.pkl": b"\x80\x04cos\nsystem\n(S'id'\ntR.", "a.sh": b"#!/bin/sh\nrm -rf /\n" * 20,
        "a.ps": b"%!PS\n(/etc/passwd) (r) file\n" * 20, "a.rtf": b"{\\rtf1" + b"{\\b" * 50_000, "a.tex": b"\\input{/etc/passwd}\n" * 50,
    }  # fmt: skip
    for name, data in kinds.items():
        yield f"of another type: {name}", name, lambda data=data: data
    for what, name, data in hostile.polyglots():
        yield f"two things: {what}", name, lambda data=data: data
    for odd in ("\u202egnp.txt", "a\0.txt", "../../etc/passwd", "a\nb.txt", "x" * 300 + ".txt", "", ".", "con.txt", "a\u200b.html", "\ud800.md", "%00.pdf", "a.html?x=1", "a.PDF.txt"):  # fmt: skip
        yield f"named {ascii(odd)}", odd, ENGLISH.encode


def _corrupt_documents() -> Iterator[Case]:
    sound = {"a.pdf": pdf([prose(ENGLISH)] * 2), "a.docx": word_of(word_paragraph()), "a.xlsx": pack_zip(_book()), "a.html": page(f"<main><h1>Guide</h1><p>{ENGLISH}</p></main>")}  # fmt: skip
    for name, data in sound.items():
        for number, cut in enumerate(hostile.truncations(data), 1):
            yield f"cut at {number} tenths: {name}", name, lambda cut=cut: cut
        for seed in range(8):
            yield f"struck {seed}: {name}", name, lambda data=data, seed=seed: _struck(data, seed)
    odd = {
        "utf-7": "+ADw-script+AD4-" + ENGLISH, "utf-16": ENGLISH, "utf-32": ENGLISH, "cp037": ENGLISH, "shift_jis": "日本語の文章です。" * 50, "iso2022_jp": "日本語の文章です。" * 50,
    }  # fmt: skip
    for charset, text in odd.items():
        yield f"charset {charset}", "a.html", lambda text=text, charset=charset: page("").replace(b"</body>", text.encode(charset))  # fmt: skip
        yield f"charset {charset} as text", "a.txt", lambda text=text, charset=charset: text.encode(charset)
    for what, data in {"nothing": b"", "NULs": b"\0" * 5_000, "marks": b"\xef\xbb\xbf", "half a mark": b"\xff\xfe", "lone surrogates": ("a\ud800" * 500).encode("utf-8", "surrogatepass"), "overlong": b"\xc0\xaf" * 900 + ENGLISH.encode(), "bidi": ("\u202e\u2066" * 900 + ENGLISH).encode(), "combining": ("a" + "\u0301" * 200_000).encode(), "deflated": zlib.compress(b"a" * 9_000_000)}.items():  # fmt: skip
        yield f"bytes: {what}", "a.txt", lambda data=data: data


def _struck(data: bytes, seed: int) -> bytes:
    """Return the file with a hundredth of its bytes changed."""
    random, struck = Random(seed), bytearray(data)
    for _ in range(max(3, len(data) // 100)):
        struck[random.randrange(len(struck))] = random.randrange(256)
    return bytes(struck)
