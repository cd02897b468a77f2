"""A small document of each format. Reading them loads what parsers load only with their first document."""

from __future__ import annotations

import io
import zipfile

_WORDS = "The library opens at nine in the morning and closes at six in the evening, except on Sundays. "
_PAGE = f"""<!doctype html><html lang="en"><head><title>Hours</title><meta charset="utf-8">
<meta property="og:site_name" content="Library"><meta name="date" content="2024-05-06">
<script type="application/ld+json">{{"@type": "Article", "datePublished": "2024-05-06", "author": "A. Reader"}}</script>
<style>.away {{ display: none }}</style></head><body><div><h1>Hours</h1><p>{_WORDS * 3}</p><p class="away">Not seen.</p>
<table><tr><th>Day</th><th>Opens</th></tr><tr><td>Monday</td><td>9</td></tr></table></div></body></html>"""
_FEED = f"""<?xml version="1.0"?><rss version="2.0"><channel><title>Hours</title><item><title>New hours</title>
<pubDate>Mon, 06 May 2024 09:00:00 GMT</pubDate><description>&lt;p&gt;{_WORDS}&lt;/p&gt;</description></item>
</channel></rss>"""
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_OFFICE}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="a" '
    f'Type="{_OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": f"<w:document {_W}><w:body><w:p><w:r><w:t>{_WORDS}</w:t></w:r></w:p></w:body></w:document>",
}
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_R = f'xmlns:r="{_OFFICE}/officeDocument/2006/relationships"'
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_SHEETS = {
    "[Content_Types].xml": f'<Types xmlns="{_OFFICE}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="a" '
    f'Type="{_OFFICE}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="a" '
    f'Type="{_OFFICE}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook {_S} {_R}><sheets><sheet name="Hours" sheetId="1" r:id="a"/></sheets></workbook>',
    "xl/worksheets/sheet1.xml": f'<worksheet {_S}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Day</t></is></c>'
    '<c r="B1"><v>9.5</v></c></row></sheetData></worksheet>',
}
_STREAM = f"BT /F1 11 Tf 72 700 Td ({_WORDS}) Tj ET"
_PDF = f"""%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>
endobj
4 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
5 0 obj << /Length {len(_STREAM)} >> stream
{_STREAM}
endstream endobj
trailer << /Size 6 /Root 1 0 R >>
%%EOF
"""


def first_documents() -> dict[str, bytes]:
    """Return one small document of each format by its file name."""
    return {
        "page.html": _PAGE.encode(),
        "blank.html": b"<html><body> </body></html>",
        "short.html": b"<html><body><div>A few words.</div></body></html>",
        "page.md": f"# Hours\n\n{_WORDS}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n".encode(),
        "page.txt": f"Hours\n=====\n\n{_WORDS}\n".encode(),
        "latin.txt": f"Öffnungszeiten\n\n{_WORDS} Größe\n".encode("latin-1"),
        "page.csv": b"day,opens\nMonday,9\nTuesday,10\n",
        "feed.xml": _FEED.encode(),
        "broken.xml": _FEED.encode().replace(b"</item>", b"&oops;</itemm>"),
        "image.txt": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "page.docx": _zip_parts(_PARTS),
        "page.xlsx": _zip_parts(_SHEETS),
        "page.pdf": _PDF.encode(),
    }


def _zip_parts(parts: dict[str, str]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{part}')
    return written.getvalue()
