"""WeasyPrint's layout with cached heights of footnotes.

WeasyPrint 70 lays out all notes of a page again whenever one is added or removed, which takes a quarter of the time
for a report of three hundred claims. Notes follow each other without margins, so that their heights can be added up.
The resulting pages are identical, byte by byte (a test compares); WeasyPrint itself lays out the notes that are drawn
at the end of a page.
"""

from math import inf
from typing import Any

from weasyprint import CSS, DEFAULT_OPTIONS, HTML
from weasyprint.document import Document
from weasyprint.formatting_structure.boxes import Box
from weasyprint.formatting_structure.build import create_anonymous_boxes
from weasyprint.layout import LayoutContext
from weasyprint.layout.block import block_level_layout
from weasyprint.text.fonts import FontConfiguration


class _CachingLayoutContext(LayoutContext):  # type: ignore[misc]  # WeasyPrint has no types
    """Caches the height of each note, by the width of its page."""

    def __init__(self, built: LayoutContext) -> None:
        super().__init__(
            built.style_for,
            built.get_image_from_uri,
            built.font_config,
            built.counter_style,
            built.target_collector,
        )
        self._heights: dict[tuple[int, float], float] = {}

    def _update_footnote_area(self) -> bool:
        """Reserve the space of the page's notes at its bottom.

        Return False, because an area of any height does not overflow.
        """
        area = self.current_footnote_area
        if area.height != "auto":
            self.page_bottom += area.margin_height()
        area.children = self.current_page_footnotes
        area.height = sum(self._height(note, area) for note in area.children)
        self.page_bottom -= area.margin_height()
        return False

    def _height(self, note: Box, area: Box) -> float:
        key = (id(note), area.page.width)
        if key not in self._heights:
            alone = create_anonymous_boxes(area.copy_with_children([note]).deepcopy())
            self._heights[key] = block_level_layout(self, alone, -inf, None, area.page)[0].height
        return self._heights[key]


class _PdfPaper(Document):  # type: ignore[misc]  # WeasyPrint has no types
    @classmethod
    def _build_layout_context(cls, *given: Any) -> LayoutContext:  # noqa: ANN401 - WeasyPrint's own
        return _CachingLayoutContext(super()._build_layout_context(*given))


def lay_out_pages(html: HTML, style: CSS, fonts: FontConfiguration) -> Document:
    """Lay out pages like `html.render`, which does not let callers choose the classes."""
    return _PdfPaper._render(html, fonts, None, None, {**DEFAULT_OPTIONS, "stylesheets": [style]})
