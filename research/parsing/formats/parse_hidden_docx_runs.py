"""Finds hidden and raised runs of a Word document: deleted, struck, off the page, tiny, without contrast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lxml.etree import _Element

from research.parsing.formats.css.parse_css_colors import BLACK, WHITE, Color, alike, color
from research.parsing.hidden_text import HiddenReason

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_DELETED = frozenset({f"{_W}del", f"{_W}moveFrom"})
_TINY = 4  # half points
_RAISED = 3  # half points above or below the line
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}
_NARROWEST = 5  # percent of a letter's width
_FLATTEST = 20  # twips: the height of a line or row
_FAR = 15_000  # twips beyond the edge
_MIN_ALPHA = 0.06
_DEEPEST = 10  # styles based on each other
_THEME = {"background1": WHITE, "light1": WHITE, "bg1": WHITE, "lt1": WHITE, "text1": BLACK, "dark1": BLACK,
          "tx1": BLACK, "dk1": BLACK}  # fmt: skip
# Word's highlight names that mean another color than in CSS.
_MARKERS = {"green": "lime", "darkgreen": "green", "darkyellow": "olive", "darkblue": "navy", "darkred": "maroon",
            "darkcyan": "teal", "darkmagenta": "purple"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Type:
    """Formatting of a run of text; None for properties that are not specified."""

    is_hidden: bool | None = None
    half_points: int | None = None
    ink: Color | None = None
    paragraph: HiddenReason | None = None
    is_struck: bool | None = None
    script: str | None = None  # "sup", "sub", or "" for the line itself

    def over(self, weaker: _Type) -> _Type:
        return _Type(
            weaker.is_hidden if self.is_hidden is None else self.is_hidden,
            weaker.half_points if self.half_points is None else self.half_points,
            self.ink or weaker.ink,
            self.paragraph or weaker.paragraph,
            weaker.is_struck if self.is_struck is None else self.is_struck,
            weaker.script if self.script is None else self.script,
        )


class Hiding:
    """A detector of the hidden elements of one document, by its styles."""

    def __init__(self, styles: _Element) -> None:
        own = {str(style.get(f"{_W}styleId", "")): style for style in styles.iter(f"{_W}style")}
        self._styles = {name: _by_style(own, name) for name in own}

    def why_unseen(self, node: _Element) -> HiddenReason | None:
        """Return why an element of the body is hidden, or None. Elements inside of a hidden one must not be passed."""
        if node.tag in _DELETED:
            return HiddenReason.DELETED
        if node.tag == f"{_W}tr":
            return _of_row(node.find(f"{_W}trPr"))
        if node.tag == f"{_W}tc":
            return HiddenReason.DELETED if node.find(f"{_W}tcPr/{_W}cellDel") is not None else None
        if node.tag == f"{_W}p":
            properties = node.find(f"{_W}pPr")
            return _of_paragraph(properties) or self._style(properties, "pStyle").paragraph
        return self._of_run(node) if node.tag == f"{_W}r" else None

    def script_of(self, run: _Element) -> str:
        """Return "sup" or "sub" for a run that is raised or lowered, else ""."""
        return self._look(run).script or ""

    def _look(self, run: _Element) -> _Type:
        properties = run.find(f"{_W}rPr")
        around = next(run.iterancestors(f"{_W}p"), None)
        of_paragraph = self._style(None if around is None else around.find(f"{_W}pPr"), "pStyle")
        return _type(properties).over(self._style(properties, "rStyle")).over(of_paragraph)

    def _of_run(self, run: _Element) -> HiddenReason | None:
        properties, look = run.find(f"{_W}rPr"), self._look(run)
        if look.is_struck:
            return HiddenReason.STRUCK
        if look.is_hidden:
            return HiddenReason.STYLE
        if look.half_points is not None and look.half_points <= _TINY:
            return HiddenReason.SIZE
        if look.ink is not None and look.ink.alpha < _MIN_ALPHA:
            return HiddenReason.COLOR
        paper = None if look.ink is None else _paper(run, properties)
        return HiddenReason.COLOR if look.ink and paper and alike(look.ink, paper) else None

    def _style(self, properties: _Element | None, kind: str) -> _Type:
        return self._styles.get(_value(properties, kind), _Type())


def _by_style(styles: Mapping[str, _Element], name: str) -> _Type:
    """Return the properties that a style sets, completed by those of the styles that it is based on."""
    look = _Type()
    for _ in range(_DEEPEST):
        style = styles.get(name)
        if style is None:
            break
        paragraph = _of_paragraph(style.find(f"{_W}pPr"))
        look = look.over(replace(_type(style.find(f"{_W}rPr")), paragraph=paragraph))
        name = _value(style, "basedOn")
    return look


def _type(properties: _Element | None) -> _Type:
    if properties is None:
        return _Type()
    switches = [properties.find(f"{_W}{name}") for name in ("vanish", "specVanish")]
    states = [_is_on(switch) for switch in switches if switch is not None]
    size = _number(properties, "sz")
    if (width := _number(properties, "w")) is not None and width < _NARROWEST:
        size = 0
    lines = [properties.find(f"{_W}{name}") for name in ("strike", "dstrike")]
    struck = [_is_on(line) for line in lines if line is not None]
    return _Type(
        any(states) if states else None,
        size,
        _ink(properties),
        is_struck=any(struck) if struck else None,
        script=_script(properties),
    )


def _script(properties: _Element) -> str | None:
    """Return "sup" or "sub" for text that is raised or lowered, by name or by its distance from the line."""
    named = _value(properties, "vertAlign")
    if named:
        return _SCRIPTS.get(named, "")
    moved = _value(properties, "position")
    if not moved.removeprefix("-").isdecimal():
        return None
    distance = int(moved[:6])
    return "sup" if distance >= _RAISED else "sub" if distance <= -_RAISED else ""


def _ink(properties: _Element) -> Color | None:
    fill = properties.find(f"{_W14}textFill")
    if fill is not None:
        return _parse_text_fill(fill)
    said = properties.find(f"{_W}color")
    if said is None:
        return None
    return _THEME.get(str(said.get(f"{_W}themeColor", ""))) or color(f"#{said.get(f'{_W}val', '')}")


def _parse_text_fill(fill: _Element) -> Color | None:
    """Parse the color of a text fill, which letters can have of their own; return None for gradients."""
    if fill.find(f"{_W14}noFill") is not None:
        return Color(0, 0, 0, 0.0)
    plain = fill.find(f"{_W14}solidFill")
    named = None if plain is None else next(iter(plain), None)
    if named is None:
        return None
    value = str(named.get(f"{_W14}val", ""))
    found = _THEME.get(value) or color(f"#{value}")
    through = named.find(f"{_W14}alpha")  # thousandths of a percent of transparency
    share = "" if through is None else str(through.get(f"{_W14}val", ""))
    return replace(found, alpha=1 - int(share[:6]) / 100_000) if found and share.isdecimal() else found


def _of_row(properties: _Element | None) -> HiddenReason | None:
    if properties is None:
        return None
    if _is_on(properties.find(f"{_W}hidden")):
        return HiddenReason.MARKUP
    if properties.find(f"{_W}del") is not None:
        return HiddenReason.DELETED
    return HiddenReason.SIZE if _is_flat(properties.find(f"{_W}trHeight"), "val", "hRule") else None


def _of_paragraph(properties: _Element | None) -> HiddenReason | None:
    """Return why a paragraph is hidden: lines without height, or a position beyond the edge of the paper."""
    if properties is None:
        return None
    if _is_flat(properties.find(f"{_W}spacing"), "line", "lineRule"):
        return HiddenReason.SIZE
    places = [(properties.find(f"{_W}ind"), ("left", "start", "firstLine", "hanging")),
              (properties.find(f"{_W}framePr"), ("x", "y"))]  # fmt: skip
    given = (
        element.get(f"{_W}{name}", "") for element, names in places if element is not None for name in names
    )
    return HiddenReason.OFF_PAGE if any(_twips(measure) >= _FAR for measure in given) else None


def _is_flat(element: _Element | None, height: str, rule: str) -> bool:
    if element is None or element.get(f"{_W}{rule}") != "exact":
        return False
    return 0 <= _twips(str(element.get(f"{_W}{height}", ""))) <= _FLATTEST


def _twips(number: str) -> int:
    """Return the absolute value of a number; -1 for anything else."""
    digits = number.lstrip("-")[:9]
    return int(digits) if digits.isascii() and digits.isdigit() else -1


def _paper(run: _Element, properties: _Element | None) -> Color | None:
    """Return the color behind a run; None if a table's style or a drawing decides it."""
    marker = _value(properties, "highlight").lower()
    marked = color(_MARKERS.get(marker, marker)) or _find_shading_color(properties)
    if marked is not None:
        return marked
    for around in run.iterancestors():
        if around.tag == f"{_W}txbxContent":
            return None
        filled = _find_shading_color(around.find(f"{around.tag}Pr"))
        if filled is not None:
            return filled
        if around.tag == f"{_W}tbl" and _value(around.find(f"{_W}tblPr"), "tblStyle"):
            return None
    return WHITE


def _find_shading_color(properties: _Element | None) -> Color | None:
    """Return the fill of a run, paragraph, cell or table; a pattern counts as a color of its own."""
    shading = None if properties is None else properties.find(f"{_W}shd")
    if shading is None:
        return None
    name = "color" if shading.get(f"{_W}val") == "solid" else "fill"
    return color(f"#{str(shading.get(f'{_W}{name}', '')).lower()}")


def _is_on(switch: _Element | None) -> bool:
    return switch is not None and switch.get(f"{_W}val", "true") not in ("0", "false", "off")


def _number(properties: _Element, name: str) -> int | None:
    said = _value(properties, name)[:6]
    return int(said) if said.isascii() and said.isdigit() else None


def _value(properties: _Element | None, name: str) -> str:
    """Return the value of a property; "" if there is none."""
    found = None if properties is None else properties.find(f"{_W}{name}")
    return "" if found is None else str(found.get(f"{_W}val", ""))
