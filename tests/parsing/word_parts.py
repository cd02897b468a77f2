# ruff: noqa: E501 - files stand here as programs write them
"""Word files written part by part, with what python-docx has no words for: notes, text boxes, equations, spans."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

_SPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "v": "urn:schemas-microsoft-com:vml",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
}
_DECLARED = " ".join(f'xmlns:{prefix}="{space}"' for prefix, space in _SPACES.items())
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_ROOTS = {"footnotes": "footnotes", "endnotes": "endnotes", "comments": "comments", "header1": "hdr",
          "footer1": "ftr", "styles": "styles", "numbering": "numbering"}  # fmt: skip
_STYLES = (
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>'
)


def word_file(body: str, **parts: str) -> bytes:
    """A Word file with this body. Each further part (`footnotes`, `styles`, `header1`, …) is given by its content."""
    files = {"document": _xml("document", f"<w:body>{body}<w:sectPr/></w:body>")}
    parts = {"styles": "", **parts}
    parts["styles"] = _STYLES + parts["styles"]
    files |= {name: _xml(_ROOTS[name], content) for name, content in parts.items()}
    return _pack_docx(files)


def _xml(root: str, content: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} {_DECLARED}>{content}</w:{root}>'


def _pack_docx(files: Mapping[str, str]) -> bytes:
    kinds = {name: name.rstrip("1") for name in files}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_MAIN}.{kind}'
        f'{".main" if name == "document" else ""}+xml"/>'
        for name, kind in kinds.items()
    )
    links = "".join(
        f'<Relationship Id="r{number}" Type="{_RELATED}/{kind}" Target="{name}.xml"/>'
        for number, (name, kind) in enumerate(kinds.items())
        if name != "document"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="d" '
            f'Type="{_RELATED}/officeDocument" Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>',
        )
        for name, content in files.items():
            archive.writestr(f"word/{name}.xml", content)
    return buffer.getvalue()


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def raise_text(text: str) -> str:
    return run(text, '<w:vertAlign w:val="superscript"/>')


def lower_text(text: str) -> str:
    return run(text, '<w:vertAlign w:val="subscript"/>')


def paragraph(*runs: str, style: str = "") -> str:
    """A paragraph of runs; plain text becomes one."""
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{''.join(one if one.startswith('<') else run(one) for one in runs)}</w:p>"


def cell(*content: str, span: int = 1, merge: str = "") -> str:
    """A cell; `merge` is "restart" for the first of a region over several rows, "continue" for the others."""
    properties = f'<w:gridSpan w:val="{span}"/>' if span > 1 else ""
    properties += f'<w:vMerge w:val="{merge}"/>' if merge else ""
    inside = "".join(one if one.startswith(("<w:p>", "<w:tbl>")) else paragraph(one) for one in content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside or paragraph()}</w:tc>"


def row(*cells: str, is_header: bool = False, before: int = 0) -> str:
    properties = "<w:tblHeader/>" if is_header else ""
    properties += f'<w:gridBefore w:val="{before}"/>' if before else ""
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(one if one.startswith('<') else cell(one) for one in cells)}</w:tr>"


def table(*rows: str) -> str:
    return f"<w:tbl><w:tblPr/>{''.join(rows)}</w:tbl>"


def note(number: int, *content: str, kind: str = "footnote") -> str:
    """A footnote or endnote as Word stores it: its mark, then its words."""
    mark = f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:{kind}Ref/></w:r>'
    first, *others = content
    inside = f"<w:p>{mark}{run(f' {first}')}</w:p>" + "".join(map(paragraph, others))
    return f'<w:{kind} w:id="{number}">{inside}</w:{kind}>'


def note_mark(number: int, kind: str = "footnote") -> str:
    return f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:{kind}Reference w:id="{number}"/></w:r>'


def text_box(*paragraphs: str) -> str:
    """A text box, which Word writes twice: as a shape, and for older readers."""
    words = f"<w:txbxContent>{''.join(map(paragraph, paragraphs))}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData>'
        f"<wps:wsp><wps:txbx>{words}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{words}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def math(content: str) -> str:
    return f"<m:oMath>{content}</m:oMath>"


def math_run(text: str) -> str:
    return f"<m:r><m:t>{escape(text)}</m:t></m:r>"
