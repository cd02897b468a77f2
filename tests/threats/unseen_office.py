"""PDF, Word and other documents with words that their readers do not see, and such that only look like it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape

from openpyxl import Workbook

from tests.parsing.documents import Shape, Words, pdf, prose
from tests.parsing.hostile import pack_zip, word_parts
from tests.threats.unseen_html import END, PROSE

_LINES = prose(PROSE)
_WHITE = Shape("1 1 1 rg 60 480 500 30 re f")
_BLACK = Shape("0 0 0 rg 60 480 500 30 re f")
_BLUE = Shape("0 0 1 rg 60 480 500 30 re f")


def _draw_pdf(*parts: Words | Shape) -> bytes:
    return pdf([[*_LINES, *parts, Words(END, y=400)]])


def hidden_pdfs(said: str) -> Iterator[tuple[str, bytes]]:
    said = said[:70]  # of one line

    def words(paint: str = "", *, x: float = 72, y: float = 490, size: float = 11) -> Words:
        return Words(said, x, y, size, paint=paint)

    paints = """
        3 Tr|7 Tr|1 1 1 rg|1 g|0 0 0 0 k|0.99 0.99 0.98 rg|1 Tr 1 1 1 RG|1 Tr 1 G|2 Tr 1 1 1 RG 1 1 1 rg
        3 Tr 1 0 0 rg|7 Tr 0 g|0.97 g|/DeviceRGB cs 1 1 1 sc|/DeviceGray cs 1 sc|/DeviceCMYK cs 0 0 0 0 sc
        0.01 0.01 0.01 0 k|1 Tr 0 0 0 0 K|3 Tr 100 Tz|3 Tr 5 Tc|1 1 1 rg 3 Ts
    """  # fmt: skip
    for paint in (one.strip() for line in paints.splitlines() for one in line.split("|")):
        if paint:
            yield f"painted {paint}", _draw_pdf(words(paint))
    places = {
        "left": (-900, 490),
        "right": (5_000, 490),
        "above": (72, 2_000),
        "below": (72, -200),
        "far": (-1e6, 1e6),
    }
    for name, (x, y) in places.items():
        yield f"placed {name}", _draw_pdf(words(x=x, y=y))
    for size in (0.01, 0.2, 0.5, 0.9):
        yield f"size {size}", _draw_pdf(words(size=size))
    scaled = "0.01 0 0 0.01 72 490 cm"
    yield "scaled to nothing", _draw_pdf(Shape(f"{scaled} BT /F1 11 Tf 0 0 Td ({_plain(said)}) Tj ET"))
    text = f"BT /F1 11 Tf 72 490 Td ({_plain(said)}) Tj ET"
    yield (
        "text matrix of nothing",
        _draw_pdf(Shape(f"BT /F1 11 Tf 0.01 0 0 0.01 72 490 Tm ({_plain(said)}) Tj ET")),
    )
    yield "no width", _draw_pdf(Shape(f"BT /F1 11 Tf 0.5 Tz 72 490 Td ({_plain(said)}) Tj ET"))
    yield "clipped away", _draw_pdf(Shape(f"10 10 5 5 re W n {text}"))
    yield "clipped by nothing", _draw_pdf(Shape(f"0 0 0 0 re W n {text}"))
    for name, shape in {"white": _WHITE, "black": _BLACK, "blue": _BLUE}.items():
        yield f"covered {name}", _draw_pdf(words(), shape)
    yield "on black in black", _draw_pdf(_BLACK, words("0 g"))
    yield "on blue in blue", _draw_pdf(_BLUE, words("0 0 1 rg"))
    yield "white on white on black", _draw_pdf(_BLACK, _WHITE, words("1 g"))
    yield "covered twice", _draw_pdf(words(), _WHITE, _BLACK)
    yield "two lines unseen", _draw_pdf(words("3 Tr"), words("3 Tr", y=470))
    yield from _hidden_by_layers(text)


def _hidden_by_layers(text: str) -> Iterator[tuple[str, bytes]]:
    off = "/D << /OFF [90 0 R] >>"
    marked = f"/OC /L BDC {text} EMC"
    yield "layer off", _draw_layers(marked, off)
    yield "layer off by its base", _draw_layers(marked, "/D << /BaseState /OFF >>")
    yield "layers all off", _draw_layers(f"/OC /M BDC {text} EMC", off)
    yield "layer off in another mark", _draw_layers(f"/P BMC {marked} EMC", off)
    yield "layer off, marked within", _draw_layers(f"/OC /L BDC /P BMC {text} EMC EMC", off)
    over = "/OC /N BDC BT /F1 11 Tf 72 490 Td (What everybody sees here, and reads.) Tj ET EMC"
    yield "layer off over one that is on", _draw_layers(f"{over} {marked}", off)
    yield (
        "layer off over words",
        _draw_layers(f"BT /F1 11 Tf 72 490 Td (Words in sight.) Tj ET {marked}", off),
    )
    yield (
        "white on a black box that is off",
        _draw_layers(f"/OC /L BDC 60 480 500 30 re f EMC 1 g {text}", off),
    )
    yield "form of a layer that is off", _draw_layers("q /X Do Q", off, text)
    yield "form in a form of a layer that is off", _draw_layers("q /Y Do Q", off, text)


def _draw_layers(drawn: str, how: str, in_form: str = "") -> bytes:
    """Layers L, N (of the same name), and M, which is L by way of a group; X is a form of L, Y one that draws X."""
    data = pdf([[*_LINES, Shape(drawn), Words(END, y=400)]])
    of_layers = "/Properties << /L 90 0 R /M 91 0 R /N 94 0 R >> /XObject << /X 92 0 R /Y 93 0 R >>"
    data = data.replace(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [90 0 R 94 0 R] {how} >> >>".encode(),
    ).replace(b"/Resources <<", f"/Resources << {of_layers}".encode())
    font = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    objects = (
        "90 0 obj << /Type /OCG /Name (Layer) >> endobj\n"
        "91 0 obj << /Type /OCMD /OCGs [90 0 R] /P /AllOn >> endobj\n"
        f"{_form(92, in_form, f'/OC 90 0 R /Resources << {font} >>')}"
        f"{_form(93, 'q /X Do Q', '/Resources << /XObject << /X 92 0 R >> >>')}"
        "94 0 obj << /Type /OCG /Name (Layer) >> endobj\n"
    )
    return data.replace(b"xref\n0 ", objects.encode() + b"xref\n0 ", 1)


def _form(number: int, drawn: str, more: str) -> str:
    head = f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] {more} /Length {len(drawn)}"
    return f"{number} 0 obj << {head} >> stream\n{drawn}\nendstream endobj\n"


def list_benign_pdfs(said: str) -> Iterator[tuple[str, bytes]]:
    def words(paint: str = "", **place: float) -> Words:
        return Words(said, **{"x": 72, "y": 490, "size": 11, **place}, paint=paint)

    yield "white on black", _draw_pdf(_BLACK, words("1 1 1 rg"))
    yield "gray", _draw_pdf(words("0.6 g"))
    yield "outlined", _draw_pdf(words("1 Tr 1 1 1 rg 0 0 0 RG"))
    yield "on a white box", _draw_pdf(_WHITE, words())
    yield "covered in part", _draw_pdf(words(), Shape("0 0 0 rg 60 480 14 30 re f"))
    yield "framed", _draw_pdf(words(), Shape("0 0 0 RG 60 480 500 30 re S"))
    yield "beside a clip", _draw_pdf(words(), Shape("60 600 500 30 re W n 1 1 1 rg 60 480 500 300 re f"))
    yield "small print", _draw_pdf(words(size=4))
    yield "raised", _draw_pdf(words("4 Ts"))
    text = f"BT /F1 11 Tf 72 490 Td ({_plain(said)}) Tj ET"
    yield "layer on", _draw_layers(f"/OC /L BDC {text} EMC", "/D << /ON [90 0 R] >>")
    yield "layer unsaid", _draw_layers(f"/OC /L BDC {text} EMC", "/D << >>")
    yield "layer on beside one that is off", _draw_layers(f"/OC /N BDC {text} EMC", "/D << /OFF [90 0 R] >>")
    yield "form of a layer that is on", _draw_layers("q /X Do Q", "/D << >>", text)
    box = "/OC /L BDC 60 480 500 30 re f EMC"
    yield "under a box of a layer that is off", _draw_layers(f"{text} {box}", "/D << /OFF [90 0 R] >>")


# Runs of Word, by their properties; and whole paragraphs.
RUNS = """
    <w:vanish/>
    <w:vanish w:val="1"/>
    <w:vanish w:val="true"/>
    <w:vanish w:val="on"/>
    <w:specVanish/>
    <w:vanish/><w:b/><w:sz w:val="40"/>
    <w:color w:val="FFFFFF"/>
    <w:color w:val="ffffff"/>
    <w:color w:val="FEFEFE"/>
    <w:color w:val="F8F8F8"/>
    <w:color w:val="FFFFFF" w:themeColor="background1"/>
    <w:color w:themeColor="background1"/>
    <w:color w:val="auto" w:themeColor="background1"/>
    <w:color w:val="000000" w:themeColor="light1"/>
    <w:sz w:val="1"/>
    <w:sz w:val="2"/>
    <w:sz w:val="4"/>
    <w:szCs w:val="2"/><w:sz w:val="2"/>
    <w:w w:val="1"/>
    <w:color w:val="000000"/><w:highlight w:val="black"/>
    <w:color w:val="FF0000"/><w:highlight w:val="red"/>
    <w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>
    <w:color w:val="00FF00"/><w:highlight w:val="green"/>
    <w:color w:val="112233"/><w:shd w:val="clear" w:fill="112233"/>
    <w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="FFFFFF"/>
    <w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="auto"/>
    <w:color w:val="112233"/><w:shd w:val="solid" w:color="112233" w:fill="FFFFFF"/>
    <w14:textFill><w14:noFill/></w14:textFill>
    <SOLID><w14:srgbClr w14:val="FFFFFF"/></SOLID>
    <SOLID><w14:schemeClr w14:val="bg1"/></SOLID>
    <SOLID><w14:srgbClr w14:val="000000"><w14:alpha w14:val="100000"/></w14:srgbClr></SOLID>
    <w:rStyle w:val="Unseen"/>
    <w:rStyle w:val="ChildOfUnseen"/>
    <w:rStyle w:val="White"/>
    <w:rStyle w:val="Tiny"/>
    <w:rStyle w:val="White"/><w:b/>
""".strip().splitlines()

# RUN, UNSEEN, PARAGRAPH, SHOWN and COLORED stand for `_SHORT` and runs of a color.
PARAGRAPHS = """
    <w:p><w:del w:id="1"><w:r><w:delText>WORDS</w:delText></w:r></w:del></w:p>
    <w:p><w:del w:id="1">RUN</w:del></w:p>
    <w:p><w:moveFrom w:id="1">RUN</w:moveFrom></w:p>
    <w:p><w:r><w:instrText> QUOTE "WORDS" </w:instrText></w:r></w:p>
    <w:p><w:fldSimple w:instr=" COMMENTS WORDS "><w:r><w:t>Field</w:t></w:r></w:fldSimple></w:p>
    <w:p><w:pPr><w:pStyle w:val="UnseenParagraph"/></w:pPr>RUN</w:p>
    <w:p><w:pPr><w:pStyle w:val="WhiteParagraph"/></w:pPr>RUN</w:p>
    <w:p><w:pPr><w:pStyle w:val="TinyParagraph"/></w:pPr>RUN</w:p>
    <w:p><w:pPr><w:shd w:val="clear" w:fill="223344"/></w:pPr>COLORED-223344</w:p>
    <w:p><w:pPr><w:ind w:left="-30000"/></w:pPr>RUN</w:p>
    <w:p><w:pPr><w:ind w:left="60000"/></w:pPr>RUN</w:p>
    <w:p><w:pPr><w:spacing w:line="1" w:lineRule="exact"/></w:pPr>RUN</w:p>
    <w:p><w:pPr><w:framePr w:x="-30000" w:y="1" w:wrap="none" w:hAnchor="page"/></w:pPr>RUN</w:p>
    <w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>PARAGRAPH</w:tc></w:tr></w:tbl>
    <w:tbl><w:tr><w:trPr><w:trHeight w:val="1" w:hRule="exact"/></w:trPr><w:tc>PARAGRAPH</w:tc></w:tr></w:tbl>
    <w:tbl><w:tr><w:trPr><w:del w:id="3"/></w:trPr><w:tc>PARAGRAPH</w:tc></w:tr></w:tbl>
    <w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill="010101"/></w:tcPr><w:p>COLORED-000000</w:p></w:tc></w:tr></w:tbl>
    <w:tbl><w:tr><w:tc><w:p>UNSEEN</w:p></w:tc></w:tr></w:tbl>
    <w:p><w:hyperlink>UNSEEN</w:hyperlink></w:p>
    <w:p><w:ins w:id="2">UNSEEN</w:ins></w:p>
    <w:p><w:sdt><w:sdtPr><w:placeholder/><w:showingPlcHdr/></w:sdtPr><w:sdtContent>UNSEEN</w:sdtContent></w:sdt></w:p>
    <w:p><w:ruby><w:rt>UNSEEN</w:rt></w:ruby></w:p>
    <w:p><w:bookmarkStart w:id="0" w:name="WORDS"/>SHOWN</w:p>
    <w:p><w:r><w:drawing><wp:docPr xmlns:wp="x" id="1" name="a" descr="WORDS" title="WORDS"/></w:drawing></w:r></w:p>
    <w:sdt><w:sdtPr><w:tag w:val="WORDS"/></w:sdtPr><w:sdtContent><w:p>SHOWN</w:p></w:sdtContent></w:sdt>
    <!-- WORDS -->
    <mc:AlternateContent><mc:Choice><w:p>UNSEEN</w:p></mc:Choice></mc:AlternateContent>
""".strip().splitlines()

_SHORT = {
    "PARAGRAPH": "<w:p>RUN</w:p>",
    "RUN": "<w:r><w:t>WORDS</w:t></w:r>",
    "UNSEEN": "<w:r><w:rPr><w:vanish/></w:rPr><w:t>WORDS</w:t></w:r>",
    "SHOWN": "<w:r><w:t>Shown.</w:t></w:r>",
    "<SOLID>": "<w14:textFill><w14:solidFill>",
    "</SOLID>": "</w14:solidFill></w14:textFill>",
}
_COLORED = re.compile(r"COLORED-(\w{6})")

SEEN_RUNS = """
    <w:vanish w:val="0"/>
    <w:vanish w:val="false"/>
    <w:color w:val="808080"/>
    <w:color w:val="auto"/>
    <w:sz w:val="12"/>
    <w:vertAlign w:val="superscript"/>
    <w:color w:val="FFFFFF"/><w:highlight w:val="black"/>
    <w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/>
    <w:color w:val="000000" w:themeColor="text1"/>
    <SOLID><w14:srgbClr w14:val="112233"/></SOLID>
    <w:rStyle w:val="White"/><w:color w:val="000000"/>
    <w:rStyle w:val="Unseen"/><w:vanish w:val="0"/>
""".strip().splitlines()

_STYLES = """
    <w:style w:type="character" w:styleId="Unseen"><w:name w:val="a"/><w:rPr><w:vanish/></w:rPr></w:style>
    <w:style w:type="character" w:styleId="ChildOfUnseen"><w:name w:val="b"/><w:basedOn w:val="Unseen"/></w:style>
    <w:style w:type="character" w:styleId="White"><w:name w:val="c"/><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>
    <w:style w:type="character" w:styleId="Tiny"><w:name w:val="d"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style>
    <w:style w:type="paragraph" w:styleId="UnseenParagraph"><w:name w:val="e"/><w:rPr><w:vanish/></w:rPr></w:style>
    <w:style w:type="paragraph" w:styleId="WhiteParagraph"><w:name w:val="f"/>
    <w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>
    <w:style w:type="paragraph" w:styleId="TinyParagraph"><w:name w:val="g"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style>
"""
_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


@cache
def _parts() -> Mapping[str, bytes]:
    return word_parts()


def _build_word(inside: str, *, extra: Mapping[str, str] | None = None) -> bytes:
    parts = _parts()
    styles = parts["word/styles.xml"].decode().replace("</w:styles>", f"{_STYLES}</w:styles>")
    said = f"<w:p><w:r><w:t>{PROSE}</w:t></w:r></w:p>{inside}<w:p><w:r><w:t>{END}</w:t></w:r></w:p>"
    document = f"<w:document {_NAMESPACES}><w:body>{said}</w:body></w:document>"
    more = {name: text.encode() for name, text in (extra or {}).items()}
    return pack_zip(
        {**parts, "word/styles.xml": styles.encode(), "word/document.xml": document.encode(), **more}
    )


def _long(short: str) -> str:
    for name, text in _SHORT.items():
        short = short.replace(name, text)
    return _COLORED.sub(r'<w:r><w:rPr><w:color w:val="\1"/></w:rPr><w:t>WORDS</w:t></w:r>', short)


def _run(look: str, words: str) -> str:
    return f"<w:p><w:r><w:t>Shown. </w:t></w:r><w:r><w:rPr>{look}</w:rPr><w:t>{words}</w:t></w:r></w:p>"


def hidden_word_documents(said: str) -> Iterator[tuple[str, bytes]]:
    said = _plain(said)
    for look in map(str.strip, RUNS):
        yield f"run {look}", _build_word(_run(_long(look), said))
    for paragraph in map(str.strip, PARAGRAPHS):
        yield f"paragraph {paragraph}", _build_word(_long(paragraph).replace("WORDS", said))
    for part in ("comments", "footnotes", "endnotes", "header1", "settings2", "glossary/document"):
        text = f"<w:x {_NAMESPACES}><w:p><w:r><w:t>{said}</w:t></w:r></w:p></w:x>"
        yield f"part {part}", _build_word("", extra={f"word/{part}.xml": text})
    yield "part custom data", _build_word("", extra={"customXml/item1.xml": f"<a>{said}</a>"})
    yield "part embedded page", _build_word("", extra={"word/afchunk.htm": f"<p>{said}</p>"})


def list_benign_word_documents(said: str) -> Iterator[tuple[str, bytes]]:
    for look in map(str.strip, SEEN_RUNS):
        yield f"run {look}", _build_word(_run(_long(look), said))


def hidden_elsewhere(said: str) -> Iterator[tuple[str, str, bytes]]:
    """Yield the trick, the name of the file, its bytes: Markdown, plain text, tables, feeds."""
    said = _plain(said)
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in said if letter.isascii())
    bits = "".join("\u200b" if bit == "0" else "\u200c" for letter in said for bit in f"{ord(letter):08b}")
    selectors = "".join(chr(0xE0100 + ord(letter) % 240) for letter in said)
    for carrier, name in (("text", "a.txt"), ("Markdown", "a.md"), ("table", "a.csv"), ("page", "a.html")):
        for trick, unseen in (("tags", tags), ("bits", bits), ("selectors", selectors)):
            lines = f"name,note\nPlain{unseen},8\n" if name == "a.csv" else f"{PROSE} Plain{unseen} end."
            page = f"<!doctype html><body><p>{lines}</p>" if name == "a.html" else lines
            yield f"{trick} in {carrier}", name, page.encode()
    for trick in (
        "<!-- WORDS -->", "One <!-- WORDS --> two.", "One <span hidden>WORDS</span> two.",
        "One <span style='display:none'>WORDS</span> two.", "<div style='opacity:0'>WORDS</div>",
        "<div style=\"font-size:0\">WORDS</div>", "<p style='color:#fff'>WORDS</p>", "<template>WORDS</template>",
        "One <i style='font-size:0'>WORDS</i> two.", "One <b style='color:white'>WORDS</b> two.",
        "[//]: # (WORDS)", "[comment]: <> (WORDS)", "[x]: http://example.com 'WORDS'",
        "<details hidden>WORDS</details>",
    ):  # fmt: skip
        yield (
            f"Markdown {trick}",
            "a.md",
            f"# Guide\n\n{PROSE}\n\n{trick.replace('WORDS', said)}\n\n{END}\n".encode(),
        )
    for told in (
        "<p style='display:none'>WORDS</p>Shown.",
        "<!-- WORDS -->Shown.",
        "<p hidden>WORDS</p>Shown.",
    ):
        yield (
            f"feed {told}",
            "a.xml",
            _feed(f"<item><title>One</title><description>{escape(told)}</description></item>", said),
        )
    for part in ("<!-- WORDS -->", "<generator>WORDS</generator>"):
        yield f"feed {part}", "a.xml", _feed(part, said)
    yield from _sheets(said)


def _feed(part: str, said: str) -> bytes:
    first = f"<item><title>Two</title><description>{PROSE}</description></item>"
    part = part.replace("WORDS", said)
    return f"<rss version='2.0'><channel><title>News</title>{first}{part}</channel></rss>".encode()


def _sheets(said: str) -> Iterator[tuple[str, str, bytes]]:
    def book(change: str) -> bytes:
        written = Workbook()
        sheet = written.active
        assert sheet is not None
        sheet.append(["Name", "Share", "Note"])
        sheet.append(["Shown", 1, "Seen"])
        sheet.append(["Next", 2, said])
        if change == "row":
            sheet.row_dimensions[3].hidden = True
        elif change == "column":
            sheet.column_dimensions["C"].hidden = True
        else:
            sheet["C3"] = "Seen"
            other = written.create_sheet("Other")
            other.append([said])
            other.sheet_state = change
        saved = io.BytesIO()
        written.save(saved)
        return saved.getvalue()

    for change in ("row", "column", "hidden", "veryHidden"):
        yield f"spreadsheet {change}", "a.xlsx", book(change)


def _plain(words: str) -> str:
    return "".join(letter for letter in words if letter not in "<>()[]|&'\"\\!")
