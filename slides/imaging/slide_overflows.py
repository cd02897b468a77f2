"""Detects overflows on rendered slides: boxes that would scroll, letters outside their box, the slide or its margins.

They are measured in the browser on the rendered slide. Lengths are px of 1280 × 720.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from slides.imaging.slide_browser import ScreenshotBrowser

SLACK = 2.0
# In some fonts a line is higher than its letters, which lie within 0.55 em of its middle.
_SCRIPT = """
(() => {
  const found = [];
  for (const slide of document.querySelectorAll('.slide')) {
    const frame = slide.getBoundingClientRect(), unit = frame.width / 1280, number = Number(slide.id.slice(6));
    const foot = slide.querySelector('[data-role=footer]')?.getBoundingClientRect().top ?? frame.bottom;
    const note = (role, what, by, text) => {
      if (by / unit > %(slack)s) found.push([number, role, what, by / unit, text.trim().slice(0, 40)]);
    };
    for (const box of slide.querySelectorAll('[data-role]')) {
      const tall = parseFloat(getComputedStyle(box).fontSize) * 0.3;
      note(box.dataset.role, 'scroll', box.scrollWidth - box.clientWidth, box.textContent);
      note(box.dataset.role, 'scroll', box.scrollHeight - box.clientHeight - tall, box.textContent);
    }
    const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const box = node.parentElement.closest('[data-role]');
      if (!box || !node.data.trim()) continue;
      const role = box.dataset.role, edges = box.getBoundingClientRect(), range = document.createRange();
      const letter = parseFloat(getComputedStyle(node.parentElement).fontSize) * unitOf(node, unit) * 0.55;
      range.selectNodeContents(node);
      for (const place of range.getClientRects()) {
        if (!place.width) continue;
        const middle = (place.top + place.bottom) / 2;
        const top = Math.max(place.top, middle - letter), bottom = Math.min(place.bottom, middle + letter);
        note(role, 'box', Math.max(edges.left - place.left, place.right - edges.right), node.data);
        note(role, 'box', Math.max(edges.top - top, bottom - edges.bottom), node.data);
        const left = frame.left + 20 * unit, right = frame.right - 20 * unit;
        note(role, 'margin', Math.max(left - place.left, place.right - right), node.data);
        if (role !== 'footer' && role !== 'number') note(role, 'footer', bottom - foot, node.data);
      }
    }
  }
  return found;
  // The letters of an SVG are counted in units of its own.
  function unitOf(node, unit) { return node.parentElement.closest('svg') ? unit : 1; }
})()
"""


class OverflowKind(StrEnum):
    SCROLL = "scroll"  # a box has more content than it shows
    BOX = "box"  # letters exceed the edges of their box
    MARGIN = "margin"  # letters at the slide's edge
    FOOTER = "footer"  # letters on the slide's footer


@dataclass(frozen=True, slots=True)
class Overflow:
    slide: int
    role: str
    what: OverflowKind
    by: float  # px
    text: str  # characters that extend into the margin


def overflows(studio: ScreenshotBrowser, html: str) -> Iterator[Overflow]:
    """Yield the overflows on all slides of a document (one slide or a deck). Raises ScreenshotError."""
    for number, role, what, by, text in studio.ask(html, _SCRIPT % {"slack": SLACK}):
        yield Overflow(number, role, OverflowKind(what), by, text)
