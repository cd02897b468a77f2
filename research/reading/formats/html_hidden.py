"""Removes from a web page what no reader of it sees, and says what that was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml.etree import _Comment, _Element

from research.reading.cleaning import word_set
from research.reading.dropped import DroppedLog, Unseen
from research.reading.formats.html_look import Look, declarations, hides
from research.reading.formats.html_sheets import Sheets, read_sheets
from research.reading.formats.html_tree import is_element, values, words

NEVER_TEXT = word_set(
    "script style noscript template iframe object embed svg canvas audio video button select textarea",
    "input head meta link nav dialog",
)
_TOLD = frozenset({"noscript", "template"})  # of those: what may hold sentences, and nobody sees
# What common style sheets clip away, for screen readers; the sheets themselves are not fetched.
_FOR_SCREEN_READERS = frozenset(
    {"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "a11y-hidden"}
)
_REMARK = 12  # letters of a comment that says anything to anybody
# Where a sheet of the page hides most of it, a script is meant to show it: then the sheet tells nothing.
_MOST_HIDDEN = 0.6


@dataclass(frozen=True, slots=True)
class _Finding:
    """A child that is not shown; `why` is None for what never holds words, as scripts."""

    child: _Element
    why: Unseen | None
    is_by_sheet: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    element: _Element
    look: Look


def prune(body: _Element, log: DroppedLog, styles: Iterable[str] = ()) -> None:
    """Remove what no reader sees, in place. `styles` are the page's own sheets, those in its body aside."""
    sheets = read_sheets([*styles, *values(body, ".//style/text()")])
    findings = [(parent, list(found)) for parent, found in _findings(body, sheets)]
    hidden = sum(len(words(one.child)) for _, found in findings for one in found if one.is_by_sheet)
    if hidden > _MOST_HIDDEN * len(words(body)):
        findings = [(parent, list(found)) for parent, found in _findings(body, Sheets())]
    for parent, found in findings:
        _remove(parent, found, log)


def _findings(body: _Element, sheets: Sheets) -> Iterator[tuple[_Element, list[_Finding]]]:
    """By parent. What stands inside of what is not shown is not looked at again."""
    waiting = [_Place(body, Look().within(_painted(body)))]
    while waiting:
        place = waiting.pop()
        found = []
        for child in place.element:
            seen = _examine(child, place.look, sheets)
            if isinstance(seen, _Finding):
                found.append(seen)
            else:
                waiting.append(_Place(child, seen))
        if found:
            yield place.element, found


def _examine(child: _Element, around: Look, sheets: Sheets) -> _Finding | Look:
    """Why the child is not shown, or how it looks."""
    if not is_element(child):
        is_remark = isinstance(child, _Comment) and not (child.text or "").lstrip().startswith("[")
        return _Finding(child, Unseen.COMMENT if is_remark else None)
    if child.tag in NEVER_TEXT:
        return _Finding(child, Unseen.MARKUP if child.tag in _TOLD else None)
    if child.get("hidden") is not None or child.get("type") == "hidden":
        return _Finding(child, Unseen.MARKUP)
    if _FOR_SCREEN_READERS.intersection((child.get("class") or "").split()):
        return _Finding(child, Unseen.STYLE)
    own = _painted(child)
    declared = {**sheets.declared(child), **own}
    look = around.within(declared) if declared else around
    why = hides(declared) or (Unseen.COLOR if look.is_invisible and _has_own_words(child) else None)
    if why is None:
        return look
    return _Finding(child, why, is_by_sheet=hides(own) is None and not around.within(own).is_invisible)


def _painted(element: _Element) -> dict[str, str]:
    """The style attribute, and what was used before there were styles."""
    old = {
        "color": element.get("color") if element.tag == "font" else element.get("text"),
        "background-color": element.get("bgcolor"),
    }
    given = {name: value.lower() for name, value in old.items() if value}
    return {**given, **declarations(element.get("style", ""))}


def _has_own_words(element: _Element) -> bool:
    """Colors hide an element's own words; what stands inside may have another color."""
    texts = (element.text, *(child.tail for child in element))
    return any(text and not text.isspace() for text in texts)


def _remove(parent: _Element, findings: Iterable[_Finding], log: DroppedLog) -> None:
    """The text that follows what is removed stays; joined once, since there may be very many pieces."""
    reasons = {one.child: one.why for one in findings}
    kept: _Element | None = None
    pieces: list[str] = []
    for child in list(parent):
        if child not in reasons:
            _append(parent, kept, pieces)
            kept, pieces = child, []
            continue
        _note(child, reasons[child], log)
        pieces.append(child.tail or "")
        child.tail = None
        parent.remove(child)
    _append(parent, kept, pieces)


def _append(parent: _Element, kept: _Element | None, pieces: Iterable[str]) -> None:
    """Text after the last child that stayed, or at the beginning of its parent."""
    text = "".join(pieces)
    if text and kept is None:
        parent.text = (parent.text or "") + text
    elif text and kept is not None:
        kept.tail = (kept.tail or "") + text


def _note(child: _Element, why: Unseen | None, log: DroppedLog) -> None:
    said = child.text or "" if isinstance(child, _Comment) else words(child) if why else ""
    if why is not None and (why is not Unseen.COMMENT or sum(map(str.isalpha, said)) >= _REMARK):
        log.note(why, said)
