"""Turns what a browser shows into text: field values, formulas, text in drawings, quotation marks, readings of signs.

Elements are replaced in place by plain ones with the same style, so that what hides them still does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.etree import _Element

from research.parsing.clean_text import squash, word_set
from research.parsing.formats.html.parsed_html_tree import elements, is_element, words
from research.parsing.formats.parse_formulas import count_words, read_math

_TYPED = word_set("text search tel url email number range date month week time datetime-local")
_MAX_WORDS_OF_FORMULA = 4  # more is prose that only looks like a formula
_HOLDERS = (
    "ancestor::*[contains(concat(' ', normalize-space(@class), ' '), ' mwe-math-element ')"
    " or contains(concat(' ', normalize-space(@class), ' '), ' katex ')"
    " or contains(concat(' ', normalize-space(@class), ' '), ' MathJax ') or self::mjx-container][1]"
)
_SVG_STYLES = {"fill": "color", "display": "display", "visibility": "visibility", "opacity": "opacity",
               "font-size": "font-size"}  # fmt: skip
_UNDRAWN = word_set("defs symbol clippath mask pattern marker metadata title desc style script")
_NO_EXTENT = re.compile(r"\s*0*(?:0|\.0+)\s*(?:%|[a-z]+)?\s*$", re.IGNORECASE)  # an invisible drawing
_QUOTES = ("“", "„", "«", "‹", "‘", "‚", '"', "'")
_SENTENCE = 4  # words: shorter labels of a drawing are joined in one line


def show_values(body: _Element) -> None:
    for field in list(body.iter("input", "select", "textarea", "meter", "progress")):
        _show_field(field)
    for formula in list(body.iter("math")):
        _show_formula(formula)
    for script in elements(body, ".//script[starts-with(@type, 'math/tex')]"):
        _show_script(script)
    for drawing in list(body.iter("svg")):
        if not any(_NO_EXTENT.match(drawing.get(side, "")) for side in ("width", "height")):
            _show_drawing(drawing)
    _show_marks(body)
    for dialog in list(body.iter("dialog")):
        if dialog.get("open") is not None:
            dialog.tag = "div"


def _show_marks(body: _Element) -> None:
    """Put brackets around the readings of signs, which stand above them, and marks around quotations."""
    for reading in list(body.iter("rt")):
        _enclose(reading, "(", ")")
    for quotation in list(body.iter("q")):
        if not squash(words(quotation)).startswith(_QUOTES):
            _enclose(quotation, "“", "”")


def _enclose(element: _Element, before: str, after: str) -> None:
    element.text = before + (element.text or "")
    if len(element):
        element[-1].tail = (element[-1].tail or "") + after
    else:
        element.text += after


def _show_field(field: _Element) -> None:
    kind = (field.get("type") or "text").lower()
    if field.tag == "select":
        shown = _find_chosen(field)
    elif field.tag == "textarea":
        shown = words(field)
    elif field.tag in ("meter", "progress"):  # drawn as a bar, which its words replace where it cannot be
        shown = words(field) or field.get("value") or ""
    elif kind in ("checkbox", "radio"):
        shown = "☑" if field.get("checked") is not None else "☐"
    else:
        shown = (field.get("value") or "") if kind in _TYPED else ""
    if squash(shown):
        _turn_into(field, "span", shown)


def _find_chosen(select: _Element) -> str:
    """Return the selected options; the first of a drop-down list if none is selected."""
    options = list(select.iter("option"))
    chosen = [option for option in options if option.get("selected") is not None]
    is_folded = select.get("multiple") is None and (select.get("size") or "1") == "1"
    shown = chosen or (options[:1] if is_folded else [])
    return ", ".join(squash(words(option)) for option in shown)


def _turn_into(element: _Element, tag: str, text: str) -> None:
    tail = element.tail
    for child in list(element):
        element.remove(child)
    element.tag, element.text, element.tail = tag, text, tail
    element.attrib.pop("type", "")


def _show_formula(formula: _Element) -> None:
    """Keep one copy of a formula that a page has several times: for browsers, for screen readers and as a drawing."""
    line = read_math(formula)
    holder = next(iter(elements(formula, _HOLDERS)), None)
    if holder is not None and count_words(line) > _MAX_WORDS_OF_FORMULA:
        holder = None  # keep hidden content hidden
    if formula.getparent() is not None:
        _turn_into(formula if holder is None else holder, "span", line)


def _show_script(script: _Element) -> None:
    """Turn the source of a script-drawn formula into text, and empty its drawing, which a saved page has before it."""
    formula = words(script).strip()
    if count_words(formula.replace("\\", " ")) > 2 * _MAX_WORDS_OF_FORMULA:
        return
    before = script.getprevious()
    while before is not None and is_element(before) and "MathJax" in (before.get("class") or ""):
        if squash(before.tail or ""):
            break
        earlier = before.getprevious()
        _turn_into(before, "span", "")
        before = earlier
    _turn_into(script, "span", formula)


def _show_drawing(drawing: _Element) -> None:
    shown = [(text_element, squash(words(text_element))) for text_element in _texts(drawing)]
    if not any(text for _, text in shown):
        return
    tail = drawing.tail
    kept = [text_element for text_element, text in shown if text]
    for child in list(drawing):
        drawing.remove(child)
    drawing.tag, drawing.text, drawing.tail = "div", "", tail
    for text_element in kept:
        is_sentence = text_element.tag != "text" or len(words(text_element).split()) >= _SENTENCE
        text_element.tag = "p" if is_sentence else "span"
        text_element.tail = " "
        drawing.append(text_element)


def _texts(drawing: _Element) -> Iterator[_Element]:
    """Yield the text elements of a drawing, each with its style."""
    for text_element in list(drawing.iter("text", "foreignobject")):
        around = list(text_element.iterancestors())
        around = around[: around.index(drawing) + 1] if drawing in around else []
        if any(str(above.tag) in _UNDRAWN for above in around) or text_element.getparent() is None:
            continue
        for part in list(text_element.iter("title", "desc", "style", "script")):
            _turn_into(part, "span", "")
        style = [
            f"{_SVG_STYLES[name]}:{'transparent' if value == 'none' and name == 'fill' else value}"
            for above in [*reversed(around), text_element]
            for name, value in ((str(key), str(value)) for key, value in above.attrib.items())
            if name in _SVG_STYLES
        ]
        styles = [*style, *(above.get("style") or "" for above in [*reversed(around), text_element])]
        text_element.set("style", ";".join(part.replace("fill:", "color:") for part in styles if part))
        yield text_element
