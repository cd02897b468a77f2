"""Finds the page labels that people cite: the file's own, or the numbers printed on the pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pypdfium2 as pdfium

from research.parsing.clean_text import clean, squash
from research.parsing.formats.pdf.parse_pdf_blocks import is_at_edge, is_page_number
from research.parsing.formats.pdf.parse_pdf_lines import PdfLine

_LONGEST = 20
_FIGURES = re.compile(r"\d{1,4}")
_FEWEST = 2  # pages whose printed numbers agree
_MIN_SHARE = 0.5  # of the pages that print one


def page_labels(pdf: pdfium.PdfDocument, lines: Sequence[PdfLine], heights: Sequence[float]) -> list[str]:
    """Return a label for each page; empty if it is the page's number in the file."""
    labels = [squash(clean(pdf.get_page_label(index)))[:_LONGEST] for index in range(len(pdf))]
    if all(label in ("", str(number)) for number, label in enumerate(labels, 1)):
        labels = _find_printed_labels(lines, heights)
    return ["" if label == str(number) else label for number, label in enumerate(labels, 1)]


def _find_printed_labels(lines: Sequence[PdfLine], heights: Sequence[float]) -> list[str]:
    """Return the numbers at the edges of the pages, if they count up with the pages."""
    printed: dict[int, list[int]] = {}
    for line in lines:
        if is_at_edge(line, heights) and is_page_number(line.text) and (found := _FIGURES.search(line.text)):
            printed.setdefault(line.page, []).append(int(found[0]))
    ahead = Counter(number - page for page, numbers in printed.items() for number in set(numbers))
    labels = [""] * len(heights)
    for offset, count in ahead.most_common(1):
        if count >= max(_FEWEST, _MIN_SHARE * len(printed)):
            for page, numbers in printed.items():
                if page + offset in numbers:
                    labels[page] = str(page + offset)
    return labels
