"""Elements of DrawingML and PresentationML, as text."""

from xml.sax.saxutils import escape, quoteattr

from slides.slide_layouts import LayoutBox

PX = 9525  # EMU
NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
TREE_HEAD = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
    '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)


def points(px: float) -> int:
    """Return hundredths of a point."""
    return round(px * 75)


def place(box: LayoutBox) -> str:
    left, top, width, height = (round(length * PX) for length in (box.left, box.top, box.width, box.height))
    return f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'


def rectangle(number: int, box: LayoutBox, colour: str) -> str:
    """Return a decorative rectangle, hidden from screen readers, in a colour given as XML."""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Decoration {number}"/><p:cNvSpPr/>'
        f'<p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>{place(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f"<a:solidFill>{colour}</a:solidFill><a:ln><a:noFill/></a:ln></p:spPr></p:sp>"
    )


def picture(number: int, box: LayoutBox, key: str, alt: str) -> str:
    """Return a picture, referenced by the key of its relationship."""
    return (
        f'<p:pic {NAMESPACES}><p:nvPicPr><p:cNvPr id="{number}" name="Logo" descr={quoteattr(alt)}/><p:cNvPicPr/>'
        f'<p:nvPr userDrawn="1"/></p:nvPicPr><p:blipFill><a:blip r:embed="{key}"/><a:stretch><a:fillRect/></a:stretch>'
        f'</p:blipFill><p:spPr>{place(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
    )


def run(text: str, language: str) -> str:
    return f"<a:r><a:rPr lang={quoteattr(language)}/><a:t>{escape(text)}</a:t></a:r>"


def slide_number(language: str, number: int | None = None) -> str:
    shown = "‹#›" if number is None else number
    field = "{9B3C1A52-6E0B-4B0E-9D5B-6F6C1D2E7A10}"
    return (
        f'<a:fld id="{field}" type="slidenum"><a:rPr lang={quoteattr(language)}/><a:t>{shown}</a:t></a:fld>'
    )
