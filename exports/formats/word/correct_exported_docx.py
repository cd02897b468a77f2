"""Corrects the parts of a DOCX that was written by pandoc."""

import re
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime

from lxml import etree

_PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
_TERMS = "http://purl.org/dc/terms/"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _settings(data: bytes) -> bytes:
    """Let Word update the table of contents when it opens the file."""
    root = etree.fromstring(data)
    if root.find(f"{{{_W}}}updateFields") is None:
        update = etree.SubElement(root, f"{{{_W}}}updateFields")
        update.set(f"{{{_W}}}val", "true")
        root.remove(update)
        _insert_update(root, update)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


# Elements that the schema requires after `updateFields`, of those that pandoc writes (ECMA-376, 17.15.1.78).
_BEHIND = ("hdrShapeDefaults", "footnotePr", "endnotePr", "compat", "docVars", "rsids", "mathPr", "themeFontLang",
           "clrSchemeMapping", "shapeDefaults", "decimalSymbol", "listSeparator")  # fmt: skip


def _insert_update(root: etree._Element, update: etree._Element) -> None:
    for index, child in enumerate(root):
        if etree.QName(child).localname in _BEHIND:
            root.insert(index, update)
            return
    root.append(update)


def _document(data: bytes) -> bytes:
    """Number footnotes continuously, although pandoc restarts in each section, and describe each picture once."""
    root = etree.fromstring(data)
    _complete_sections(root)
    for section in root.iter(f"{{{_W}}}sectPr"):
        for numbering in section.findall(f"{{{_W}}}footnotePr"):
            section.remove(numbering)
    for row in root.iter(f"{{{_W}}}tr"):
        _keep_together(row)
    for picture in root.iter(f"{{{_PICTURE}}}cNvPr"):
        picture.set("descr", "")
    _number_calls(root)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


_CLAIM = re.compile(r"claim-(\d+)")


def _number_calls(root: etree._Element) -> None:
    """Give each footnote reference the number of its claim.

    Word numbers notes consecutively, but claims in tables have numbers without notes, so that one number could mean
    two claims.
    """
    number = ""
    for element in root.iter(f"{{{_W}}}bookmarkStart", f"{{{_W}}}footnoteReference"):
        if element.tag == f"{{{_W}}}bookmarkStart":
            named = _CLAIM.fullmatch(element.get(f"{{{_W}}}name", ""))
            number = named[1] if named else number
        elif number:
            element.set(f"{{{_W}}}customMarkFollows", "1")
            # LibreOffice takes the first text of the run for the mark, and one letter of it off the text: it would
            # show a mark of two digits twice.
            for digit in reversed(number):
                element.addnext(_mark(digit))
            number = ""


def _footnotes(data: bytes) -> bytes:
    """Remove Word's own number from each note, whose text begins with its claim's number."""
    root = etree.fromstring(data)
    for place in list(root.iter(f"{{{_W}}}footnoteRef")):
        run = place.getparent()
        above = None if run is None else run.getparent()
        if run is not None and above is not None:
            above.remove(run)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _mark(digit: str) -> etree._Element:
    mark = etree.Element(f"{{{_W}}}t")
    mark.text = digit
    return mark


def _complete_sections(root: etree._Element) -> None:
    """Give each section the paper size, header and footer of the last one, in its own orientation.

    Only the first section begins with a cover.
    """
    *inner, last = root.iter(f"{{{_W}}}sectPr")
    for section in inner:
        made = deepcopy(last)
        if section.find(f"{{{_W}}}pgSz") is not None:
            _turn(made)
        for part in list(section):
            section.remove(part)
        section.extend(list(made))
    for section in list(root.iter(f"{{{_W}}}sectPr"))[1:]:
        for cover in section.findall(f"{{{_W}}}titlePg"):
            section.remove(cover)


def _turn(section: etree._Element) -> None:
    for paper in section.findall(f"{{{_W}}}pgSz"):
        width, height = paper.get(f"{{{_W}}}w", ""), paper.get(f"{{{_W}}}h", "")
        paper.attrib.update({f"{{{_W}}}w": height, f"{{{_W}}}h": width, f"{{{_W}}}orient": "landscape"})


def _keep_together(row: etree._Element) -> None:
    """Keep a row of a table on one page."""
    shape = row.find(f"{{{_W}}}trPr")
    if shape is None:
        shape = etree.Element(f"{{{_W}}}trPr")
        row.insert(0, shape)
    shape.insert(0, etree.Element(f"{{{_W}}}cantSplit"))


def changes(made_at: datetime) -> dict[str, Callable[[bytes], bytes]]:
    """Return the functions that correct the parts of a DOCX, by part name."""

    def core(data: bytes) -> bytes:
        """Set the dates, since pandoc has no clock in its sandbox."""
        root = etree.fromstring(data)
        for name in ("created", "modified"):
            for when in root.iter(f"{{{_TERMS}}}{name}"):
                when.text = made_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)

    return {
        "word/settings.xml": _settings,
        "word/document.xml": _document,
        "word/footnotes.xml": _footnotes,
        "docProps/core.xml": core,
    }
