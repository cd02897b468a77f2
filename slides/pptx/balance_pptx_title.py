"""Balances the lines of a title slide's title, like `text-wrap: balance` in browsers.

PowerPoint fills one line after another, so the right indent is set instead; the text remains one run.
"""

from lxml import etree
from pptx.oxml.ns import qn

from slides.deck import Layout
from slides.fitting.measure_slide_text import find_balanced_width, width
from slides.pptx.pptx_drawing import PX
from slides.pptx.pptx_text import is_right_to_left
from slides.slide_layouts import BOXES, TITLE_SLIDE_TITLE, PlaceholderRole

_ROOM = BOXES[Layout.TITLE][PlaceholderRole.TITLE].width
# px; width of a medium bold letter in the widest and in the narrowest of the fonts
_WIDEST, _NARROWEST = 0.61 * TITLE_SLIDE_TITLE, 0.5 * TITLE_SLIDE_TITLE


def balance(body: etree._Element, text: str) -> None:
    """Balance the title, unless it may fit on one line."""
    properties = body.find(qn("a:bodyPr"))
    if properties is None or width(text) * _NARROWEST <= _ROOM:
        return
    free = _ROOM - find_balanced_width(text, _ROOM / _WIDEST) * _WIDEST
    edge = "lIns" if is_right_to_left(text) else "rIns"
    properties.set(edge, str(round(max(0.0, free) * PX)))
