"""Removes the hidden parts of a web page, and logs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from lxml.etree import _Comment, _Element

from research.parsing.clean_text import word_set
from research.parsing.formats.css.parse_css_colors import BLACK, WHITE
from research.parsing.formats.html.parse_html_stylesheets import Sheets, data_sheet, read_sheets
from research.parsing.formats.html.parse_html_visibility import ComputedStyle, StyleDeclarations, style_of
from research.parsing.formats.html.parsed_html_tree import elements, is_element, words
from research.parsing.hidden_text import DroppedLog, HiddenReason

NEVER_TEXT = word_set(
    "script style noscript template iframe object embed svg canvas audio video button select textarea",
    "input head meta link nav dialog title base param source track area datalist noframes noembed frameset rp",
    "annotation annotation-xml",
)
_TOLD = frozenset(
    {"noscript", "template", "noframes", "noembed", "title"}
)  # may contain sentences, but is not shown
# Classes that common style sheets clip away, for screen readers; external sheets are not fetched.
_FOR_SCREEN_READERS = frozenset(
    {"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "a11y-hidden"}
)
_INLINE = word_set("a abbr b em font i ins mark small span strong u var")
_RAISED = {"super": "sup", "sub": "sub"}
_LINE = 22.0  # pixels: the height of a line of text
_LINE_WIDTH = 110  # characters of a line
_COVERED_SHARE = 0.8
_REMARK = 12  # letters: shorter comments are not logged
# If an embedded sheet hides nearly all of the page, a script or an external sheet is meant to show it: then
# the sheet is ignored.
_MAX_HIDDEN = 0.6
_LITTLE_LEFT = 100  # words
_LATER = (
    "//script[not(@type) or @type='module' or contains(@type, 'javascript')]"
    " | //link[contains(@rel, 'stylesheet') and not(starts-with(@href, 'data:'))]"
)
_LOOKED_AHEAD = 50  # elements examined


@dataclass(frozen=True, slots=True)
class _Finding:
    """A child that is not shown; `why` is None if it never holds text, as a script."""

    child: _Element
    why: HiddenReason | None


@dataclass(frozen=True, slots=True)
class _ElementPlace:
    element: _Element
    look: ComputedStyle


@dataclass(frozen=True, slots=True)
class _HiddenParts:
    """The hidden parts of one element: children, and with `own` its own text."""

    element: _Element
    own: HiddenReason | None
    children: list[_Finding]

    @property
    def length(self) -> int:
        own = sum(map(len, _own_texts(self.element))) if self.own else 0
        return own + sum(
            len(words(child.child)) for child in self.children if child.why and is_element(child.child)
        )


def prune(body: _Element, log: DroppedLog) -> None:
    """Remove the hidden parts of the page, in place."""
    root = body.getroottree().getroot()
    sheets = read_sheets(_sheets_of(root))
    cuts = list(_cuts(body, sheets))
    if elements(root, _LATER) and _is_left_with_little(body, cuts):
        cuts = list(_cuts(body, Sheets()))
    for cut in cuts:
        if cut.own is not None:
            _blank(cut.element, cut.own, log)
        _remove(cut.element, cut.children, log)


def _sheets_of(root: _Element) -> Iterator[str]:
    for style in root.iter("style", "link"):
        if style.tag == "link" and "stylesheet" in (style.get("rel") or "").lower():
            text = data_sheet(style.get("href") or "")
        else:
            text = words(style)
        media = style.get("media") or ""
        yield f"@media {media} {{{text}}}" if media else text


def _is_left_with_little(body: _Element, cuts: Iterable[_HiddenParts]) -> bool:
    said, hidden = words(body), sum(cut.length for cut in cuts)
    if hidden <= _MAX_HIDDEN * len(said):  # without the sheets it would be even less
        return False
    hidden -= sum(cut.length for cut in _cuts(body, Sheets()))
    left = max(0.0, 1.0 - hidden / max(1, len(said))) * len(said.split())
    return hidden > _MAX_HIDDEN * len(said) and left < _LITTLE_LEFT


def _cuts(body: _Element, sheets: Sheets) -> Iterator[_HiddenParts]:
    """Yield the hidden parts of each element. The inside of a hidden part is not examined again."""
    waiting = [_ElementPlace(body, _look_of_page(body, sheets))]
    while waiting:
        place = waiting.pop()
        findings: list[_Finding] = []
        shown: list[_ElementPlace] = []
        for child in place.element:
            seen = _examine(child, place.look, sheets)
            if isinstance(seen, _Finding):
                findings.append(seen)
            else:
                shown.append(_ElementPlace(child, seen))
        own = place.look.unseen if _has_own_words(place.element) else None
        if any(_may_cover(child_place.look) for child_place in shown):
            can_hold = place.look.is_placed and place.element is not body
            covered = set(_find_covered(place.look, shown, can_hold=can_hold))
            findings += [_Finding(element, HiddenReason.COVERED) for element in covered]
            if can_hold and any(
                child_place.look.is_lid and child_place.element not in covered for child_place in shown
            ):
                own = HiddenReason.COVERED if _has_own_words(place.element) else own
            shown = [child_place for child_place in shown if child_place.element not in covered]
        waiting += shown
        if _is_shadowed(place.element):
            own, findings = (
                HiddenReason.MARKUP,
                [_Finding(child, HiddenReason.MARKUP) for child in place.element],
            )
        if findings or own:
            yield _HiddenParts(place.element, own, findings)


def _may_cover(look: ComputedStyle) -> bool:
    return look.is_lid or (look.is_opaque and (bool(look.grid_area) or look.is_placed))


def _find_covered(
    around: ComputedStyle, shown: Sequence[_ElementPlace], *, can_hold: bool
) -> Iterator[_Element]:
    """Yield elements covered by a sibling: by an overlay, in the same grid area, or moved up over it."""
    for index, lid in enumerate(shown):
        if not _may_cover(lid.look):
            continue
        for other_index, other in enumerate(shown):
            is_under = (other.look.layer, other_index) < (lid.look.layer, index)
            if not is_under or other is lid:
                continue
            is_lidded = lid.look.is_lid and can_hold
            is_same_area = (
                around.is_grid and bool(lid.look.grid_area) and lid.look.grid_area == other.look.grid_area
            )
            is_moved_over = other_index == index - 1 and _is_moved_over(lid, other)
            if is_lidded or (lid.look.is_opaque and is_same_area) or is_moved_over:
                yield other.element


def _is_moved_over(lid: _ElementPlace, other: _ElementPlace) -> bool:
    moved = lid.look.rise + other.look.fall
    if not lid.look.is_opaque or not lid.look.is_placed or moved < _LINE / 2:
        return False
    return moved >= _COVERED_SHARE * _LINE * (1 + len(words(other.element)) // _LINE_WIDTH)


def _look_of_page(body: _Element, sheets: Sheets) -> ComputedStyle:
    """Return the page's colors and type; whether the whole page is shown is left to scripts."""
    look = ComputedStyle()
    if _is_dark(body, sheets):
        look = replace(look, ink=WHITE, background=BLACK, is_dark=True)
    for element in (body.getparent(), body):
        if element is not None:
            look = look.within(_style(element, sheets))
    return replace(look, opacity=1.0, is_visible=True, gone=None)


def _is_dark(body: _Element, sheets: Sheets) -> bool:
    """Return True if browsers paint the page black, by its style or the scheme that its head names."""
    root = body.getroottree().getroot()
    named = (meta.get("content") or "" for meta in root.iter("meta") if meta.get("name") == "color-scheme")
    style = StyleDeclarations({"color-scheme": next(named, "").lower()}).under(_style(root, sheets))
    return ComputedStyle().within(style).is_dark


def _examine(child: _Element, around: ComputedStyle, sheets: Sheets) -> _Finding | ComputedStyle:
    """Return the finding for a child that is not shown, else the child's computed style."""
    if not is_element(child):
        is_remark = isinstance(child, _Comment) and not (child.text or "").lstrip().startswith("[")
        return _Finding(child, HiddenReason.COMMENT if is_remark else None)
    if child.tag in NEVER_TEXT:
        return _Finding(child, HiddenReason.MARKUP if child.tag in _TOLD else None)
    look = _within(child, around, sheets)
    why = _find_reason(child, look)
    if why is not None:
        return _Finding(child, why)
    if look.baseline in _RAISED and child.tag in _INLINE:
        child.tag = _RAISED[look.baseline]
    if look.unseen is not None and not _shows_anything(child, look, sheets):
        return _Finding(child, look.unseen)
    return look


def _find_reason(child: _Element, look: ComputedStyle) -> HiddenReason | None:
    """Return why all of an element is left out, or None."""
    if child.get("hidden") is not None or child.get("popover") is not None or child.get("type") == "hidden":
        return HiddenReason.MARKUP
    if _FOR_SCREEN_READERS.intersection((child.get("class") or "").split()):
        return HiddenReason.STYLE
    return look.gone or (HiddenReason.STRUCK if _is_struck(child, look) else None)


def _within(element: _Element, around: ComputedStyle, sheets: Sheets) -> ComputedStyle:
    style = _style(element, sheets)
    return around.within(style) if style.says_anything else around.without_own()


def _is_struck(element: _Element, look: ComputedStyle) -> bool:
    """Return True for deleted or struck text. `s` with a decoration of its own counts only if that is a line."""
    if element.tag == "del" or element.get("role") == "deletion" or "line-through" in look.decoration:
        return True
    return element.tag in ("s", "strike") and not look.decoration


def _style(element: _Element, sheets: Sheets) -> StyleDeclarations:
    """Merge an element's declarations: old presentational attributes, then the sheets, then its style attribute."""
    old = {
        "color": element.get("color") if element.tag == "font" else element.get("text"),
        "background": element.get("bgcolor"),
    }
    given = StyleDeclarations({name: value.lower() for name, value in old.items() if value})
    own = element.get("style")
    return given.under(sheets.style(element)).under(style_of(own) if own else StyleDeclarations())


def _shows_anything(element: _Element, look: ComputedStyle, sheets: Sheets) -> bool:
    """Return True if a descendant is visible though the element's own text is not.

    Assumed if there are too many descendants to examine.
    """
    waiting = [_ElementPlace(element, look)]
    for _ in range(_LOOKED_AHEAD):
        if not waiting:
            return False
        place = waiting.pop()
        if place.look.unseen is None and _has_own_words(place.element):
            return True
        inside = (child for child in place.element if is_element(child) and child.tag not in NEVER_TEXT)
        looks = (
            _ElementPlace(child, _within(child, place.look, sheets))
            for child in islice(inside, _LOOKED_AHEAD)
        )
        waiting += [child_place for child_place in looks if child_place.look.gone is None]
    return bool(waiting)


def _is_shadowed(element: _Element) -> bool:
    """Return True if a shadow tree without slots is shown in place of the element's own children."""
    return any(
        child.get("shadowrootmode") is not None and next(child.iter("slot"), None) is None
        for child in element.iterchildren("template")
    )


def _own_texts(element: _Element) -> Iterator[str]:
    for text in (element.text, *(child.tail for child in element)):
        if text and not text.isspace():
            yield text


def _has_own_words(element: _Element) -> bool:
    """Return True if the element has words of its own, which its color hides while its children may have another."""
    return next(_own_texts(element), None) is not None


def _blank(element: _Element, why: HiddenReason, log: DroppedLog) -> None:
    """Remove an element's own words, and keep its children."""
    log.note(why, " ".join(_own_texts(element)))
    element.text = None
    for child in element:
        child.tail = None


def _remove(parent: _Element, findings: Iterable[_Finding], log: DroppedLog) -> None:
    """Remove hidden children but keep the text after each; joined once, since there may be very many pieces."""
    reasons = {finding.child: finding.why for finding in findings}
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
    """Append text after the last child that stayed, or at the beginning of its parent."""
    text = "".join(pieces)
    if text and kept is None:
        parent.text = (parent.text or "") + text
    elif text and kept is not None:
        kept.tail = (kept.tail or "") + text


def _note(child: _Element, why: HiddenReason | None, log: DroppedLog) -> None:
    said = child.text or "" if isinstance(child, _Comment) else words(child) if why else ""
    if why is not None and (why is not HiddenReason.COMMENT or sum(map(str.isalpha, said)) >= _REMARK):
        log.note(why, said)
