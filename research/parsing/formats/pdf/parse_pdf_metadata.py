"""Finds title and dates of a PDF, from its properties and its first pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.parsing.formats.pdf.parse_pdf_lines import PdfLine

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_YEAR = re.compile(
    rf"\b({'|'.join(_MONTHS)})\s+(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?((?:19|20)\d\d)\b", re.I
)
_DAY_MONTH_YEAR = re.compile(rf"\b(\d{{1,2}})\s+({'|'.join(_MONTHS)})\s+((?:19|20)\d\d)\b", re.I)
_PDF_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)")
_JUNK_TITLE = re.compile(r"^(?:untitled|microsoft word\b.*|.*\.(?:docx?|pdf|tex|indd|rtf|dvi|ps))$", re.I)


def title(declared: str, lines: Sequence[PdfLine]) -> str:
    if declared and not _JUNK_TITLE.match(declared):
        return declared
    front = [line for line in lines if line.page == lines[0].page and any(map(str.isalpha, line.text))]
    if not front:
        return ""
    largest = max(line.size for line in front)
    if largest < 1.1 * min(line.size for line in front):
        return ""
    return " ".join(line.text for line in front if line.size > largest - 0.6)[:300]


def find_publication_date(lines: Sequence[PdfLine]) -> str | None:
    """Return the first month and year, or day, printed on the first two pages."""
    front = " ".join(line.text for line in lines if line.page < 2)
    month_first, day_first = _MONTH_YEAR.search(front), _DAY_MONTH_YEAR.search(front)
    if day_first and (not month_first or day_first.start() < month_first.start()):
        return _iso(day_first[3], day_first[2], day_first[1])
    return _iso(month_first[3], month_first[1], month_first[2]) if month_first else None


def _iso(year: str, month: str, day: str | None) -> str:
    date = f"{year}-{_MONTHS.index(month.lower()) + 1:02d}"
    return f"{date}-{int(day):02d}" if day and 1 <= int(day) <= 31 else date


def file_date(value: str) -> str | None:
    match = _PDF_DATE.match(value)
    return "-".join(match.groups()) if match else None
