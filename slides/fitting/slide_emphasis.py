"""Decides which slides have so few words that their text is set larger. Pure."""

from slides.deck import Layout, Slide
from slides.fitting.measure_slide_text import lines

_FEW = 2  # passages
# At 40 px: characters per line of the box, and a number of lines that leaves a fifth of it free.
_LETTERS, _LINES = 46, 7


def is_large(slide: Slide) -> bool:
    is_text = slide.layout in (Layout.CONTENT, Layout.BULLETS) and not slide.is_sources
    return is_text and 0 < len(slide.passages) <= _FEW and _height(slide) <= _LINES


def _height(slide: Slide) -> float:
    return lines((passage.text for passage in slide.passages), _LETTERS)
