"""The styles of a report in Word: pandoc's reference document, derived from its default one by code."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import cast

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Mm, Pt, RGBColor
from docx.styles.style import ParagraphStyle

from citations.bibliography.bibliography_by_pandoc import default_file
from exports.formats.export_forbidden_characters import clean

FONT, FONT_OF_CODE = "Calibri", "Consolas"
INK, MUTED, BLUE, NAVY = "1A1D21", "555C66", "0B4F9E", "0B3D78"
HAIRLINE, AMBER, AMBER_CARD, MARKED = "DDE1E6", "B98A1D", "FFF8E6", "FFF3B0"
# The names of the styles for the nodes of a paper.
PARAGRAPH = {
    "lead": "Lead",
    "claim": "Claim",
    "cite": "Citation Line",
    "intro": "Code Introduction",
    "source": "Source Entry",
    "source kept": "Source Entry Kept",
    "origin": "List Origin",
    "notice": "Notice",
    "small": "Small",
    "weight": "Claim Weight",
}
CHARACTER = {"quoted": "Quoted Words", "strong": "Strong", "quiet": "Quiet", "attribution": "Attribution"}
HEADER = 110  # maximum characters of the title above each page


@dataclass(frozen=True, slots=True)
class _Look:
    """Sizes and distances in points. `keeps` keeps the paragraph on a page with the next one."""

    size: float
    color: str = INK
    before: float = 0
    after: float = 6
    bold: bool = False
    indent: float = 0
    hanging: float = 0
    keeps: bool = False
    line: float = 1.15


_LOOKS = {
    "Normal": _Look(10.5),
    "Body Text": _Look(10.5),
    "First Paragraph": _Look(10.5),
    "Compact": _Look(10.5, after=2),
    "Title": _Look(30, before=150, after=14, bold=True, line=1.05),
    "Subtitle": _Look(13, BLUE, after=30, bold=True),
    "Author": _Look(10.5, MUTED, after=24),
    "Cover": _Look(11, after=4),
    "Heading 1": _Look(18, NAVY, before=24, after=8, bold=True, keeps=True, line=1.0),
    "Heading 2": _Look(13, before=16, after=5, bold=True, keeps=True, line=1.0),
    "Heading 3": _Look(11, before=12, after=4, bold=True, keeps=True, line=1.0),
    "TOC Heading": _Look(18, NAVY, after=12, bold=True),
    "Lead": _Look(12, after=6),
    "Small": _Look(9, after=5),
    "Claim Weight": _Look(9, after=5, keeps=True),
    "Notice": _Look(10, before=4, after=8, indent=8),
    "Block Text": _Look(9.5, before=3, after=2, indent=14, keeps=True, line=1.1),
    "Claim": _Look(10.5, before=14, after=2, keeps=True),
    "Code Introduction": _Look(10.5, before=8, after=3, keeps=True),
    "Source Code": _Look(8.5, after=3, indent=8, keeps=True, line=1.05),
    "Citation Line": _Look(8.5, after=7, indent=14),
    "Source Entry": _Look(9.5, after=5, indent=26, hanging=26),
    "Source Entry Kept": _Look(9.5, after=5, indent=26, hanging=26, keeps=True),
    "List Origin": _Look(9, after=3, keeps=True),
    "Table Text": _Look(8.5, after=0, line=1.0),
    "Footnote Text": _Look(8, after=1.5, line=1.0),
    "Caption": _Look(9, MUTED, before=4, after=4),
    "Table Caption": _Look(9, MUTED, before=8, after=4, keeps=True),
    "Image Caption": _Look(9, MUTED, before=2, after=12),
    "Chart Title": _Look(11, before=8, after=4, bold=True, keeps=True),
    "Header": _Look(8, MUTED, after=0),
    "Footer": _Look(8.5, MUTED, after=0),
    "TOC 1": _Look(11, before=6, after=2, bold=True),
    "TOC 2": _Look(10.5, after=2, indent=14),
}


# A cover that the table of contents shares
_SHARED_COVER = {
    "Title": replace(_LOOKS["Title"], size=26, before=12),
    "Subtitle": replace(_LOOKS["Subtitle"], after=12),
    "Author": replace(_LOOKS["Author"], after=14),
    "Cover": replace(_LOOKS["Cover"], size=10, after=2),
    "TOC Heading": replace(_LOOKS["TOC Heading"], size=16, before=20, after=6),
    "TOC 1": replace(_LOOKS["TOC 1"], size=10.5, before=3, after=1),
    "TOC 2": replace(_LOOKS["TOC 2"], size=10, after=1),
}


def reference_document(title: str, *, has_contents_on_cover: bool = False) -> bytes:
    """Build an empty document with the styles, paper size, header and footer of every report.

    `title` is shown in its header.
    """
    word = Document(BytesIO(default_file("reference.docx")))
    for name, look in (_LOOKS | (_SHARED_COVER if has_contents_on_cover else {})).items():
        _dress(_style(word, name), look)
    for change in (_boxes, _characters, _tables, _paper):
        change(word)
    _head_and_foot(word, title)
    written = BytesIO()
    word.save(written)
    return written.getvalue()


def _style(word: WordDocument, name: str) -> ParagraphStyle:
    known: ParagraphStyle | None = next((style for style in word.styles if style.name == name), None)
    if known is not None:
        return known
    made: ParagraphStyle = word.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    made.base_style = word.styles["Normal"]
    made.quick_style = True
    return made


def _dress(style: ParagraphStyle, look: _Look) -> None:
    font, shape = style.font, style.paragraph_format
    _set_fonts(style, FONT_OF_CODE if style.name == "Source Code" else FONT)
    font.size, font.bold, font.italic = Pt(look.size), look.bold or None, False
    font.color.rgb = RGBColor.from_string(look.color)
    shape.space_before, shape.space_after = Pt(look.before), Pt(look.after)
    shape.left_indent, shape.first_line_indent = Pt(look.indent), Pt(-look.hanging)
    shape.keep_with_next, shape.line_spacing = look.keeps, look.line
    shape.widow_control = True
    shape.alignment = None


def _set_fonts(style: ParagraphStyle, face: str) -> None:
    """Set the fonts for every script, and remove those of the theme, which would take precedence."""
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for name in list(fonts.attrib):
        del fonts.attrib[name]
    for script in ("ascii", "hAnsi", "cs", "eastAsia"):
        fonts.set(qn(f"w:{script}"), face)


def _boxes(word: WordDocument) -> None:
    """Set borders beside quotes and notices, above claims, below the title; set dots in the table of contents."""
    _line(word.styles["Block Text"], "left", HAIRLINE, 12, 8)
    _line(word.styles["Notice"], "left", AMBER, 18, 8)
    _line(word.styles["Claim"], "top", HAIRLINE, 4, 5)
    _line(word.styles["Title"], "bottom", BLUE, 10, 12)
    properties = word.styles["Notice"].element.get_or_add_pPr()
    properties.insert_element_before(
        _build_element("w:shd", val="clear", color="auto", fill=AMBER_CARD), *_AFTER_SHADING
    )
    for name in ("TOC 1", "TOC 2"):
        tabs = _build_element("w:tabs")
        tabs.append(_build_element("w:tab", val="right", leader="dot", pos="9400"))
        word.styles[name].element.get_or_add_pPr().insert_element_before(tabs, *_AFTER_TABS)


_AFTER_TABS = (
    "w:suppressAutoHyphens", "w:spacing", "w:ind", "w:contextualSpacing", "w:jc", "w:outlineLvl", "w:rPr"
)  # fmt: skip
_AFTER_SHADING = ("w:tabs", *_AFTER_TABS)
_AFTER_BORDERS = ("w:shd", *_AFTER_SHADING)


def _line(style: ParagraphStyle, side: str, color: str, eighths: int, space: int) -> None:
    borders = _build_element("w:pBdr")
    borders.append(_build_element(f"w:{side}", val="single", sz=str(eighths), space=str(space), color=color))
    style.element.get_or_add_pPr().insert_element_before(borders, *_AFTER_BORDERS)


def _characters(word: WordDocument) -> None:
    known = {style.name for style in word.styles}
    for name, change in _CHARACTERS.items():
        style = word.styles[name] if name in known else word.styles.add_style(name, WD_STYLE_TYPE.CHARACTER)
        change(style)


def _build_colour_setter(color: str) -> Callable[[ParagraphStyle], None]:
    def change(style: ParagraphStyle) -> None:
        style.font.color.rgb = RGBColor.from_string(color)

    return change


def _small(style: ParagraphStyle) -> None:
    style.font.size = Pt(8.5)
    _build_colour_setter(MUTED)(style)


def _shade_background(style: ParagraphStyle) -> None:
    style.element.get_or_add_rPr().append(_build_element("w:shd", val="clear", color="auto", fill=MARKED))


def _strong(style: ParagraphStyle) -> None:
    style.font.bold = True


_CHARACTERS: dict[str, Callable[[ParagraphStyle], None]] = {
    "Quiet": _build_colour_setter(MUTED),
    "Attribution": _small,
    "Quoted Words": _shade_background,
    "Strong": _strong,
    "Hyperlink": _build_colour_setter(BLUE),
}


def _tables(word: WordDocument) -> None:
    """Set lines between rows, with a stronger one below the header row, which is bold."""
    table = _style(word, "Table").element
    for old in table.findall(qn("w:tblPr")) + table.findall(qn("w:tblStylePr")):
        table.remove(old)
    properties, borders = _build_element("w:tblPr"), _build_element("w:tblBorders")
    for side in ("top", "bottom", "insideH"):
        borders.append(_build_element(f"w:{side}", val="single", sz="4", space="0", color=HAIRLINE))
    properties.append(borders)
    margins = _build_element("w:tblCellMar")
    for side, twentieths in (("top", 50), ("left", 80), ("bottom", 50), ("right", 80)):
        margins.append(_build_element(f"w:{side}", w=str(twentieths), type="dxa"))
    properties.append(margins)
    table.append(properties)
    table.append(_first_row())


def _first_row() -> BaseOxmlElement:
    first = _build_element("w:tblStylePr", type="firstRow")
    run, cell, borders = _build_element("w:rPr"), _build_element("w:tcPr"), _build_element("w:tcBorders")
    run.append(_build_element("w:b"))
    borders.append(_build_element("w:bottom", val="single", sz="8", space="0", color=INK))
    cell.append(borders)
    first.append(run)
    first.append(cell)
    return first


def _paper(word: WordDocument) -> None:
    section = word.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(22)
    section.top_margin, section.bottom_margin = Mm(25), Mm(22)
    section.header_distance = section.footer_distance = Mm(12)
    section.different_first_page_header_footer = True
    for numbering in section._sectPr.findall(qn("w:footnotePr")):
        section._sectPr.remove(numbering)  # pandoc restarts the numbers in each section


def _head_and_foot(word: WordDocument, title: str) -> None:
    section = word.sections[0]
    section.header.paragraphs[0].style = word.styles["Header"]
    section.header.paragraphs[0].add_run(clean(title)[:HEADER])
    foot = section.footer.paragraphs[0]
    foot.style = word.styles["Footer"]
    foot.alignment = None
    foot.add_run("Plumbline · ")
    for kind, text in (("begin", ""), ("", " PAGE "), ("separate", ""), ("", "1"), ("end", "")):
        run = foot.add_run("" if text == " PAGE " else text)
        if kind:
            run._r.append(_build_element("w:fldChar", fldCharType=kind))
        elif text == " PAGE ":
            instruction = _build_element("w:instrText")
            instruction.text = text
            run._r.append(instruction)


def _build_element(tag: str, **attributes: str) -> BaseOxmlElement:
    element = cast(BaseOxmlElement, OxmlElement(tag))
    for name, value in attributes.items():
        element.set(qn(f"w:{name}"), value)
    return element
