"""What a Word document holds and does not show: hidden, deleted, moved away, tiny, of its background's color."""

from __future__ import annotations

from collections.abc import Mapping

from lxml.etree import _Element

from research.reading.dropped import Unseen
from research.reading.formats.colors import WHITE, Color, alike, color

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DELETED = frozenset({f"{_W}del", f"{_W}moveFrom"})
_TINY = 4  # half points
_DEEPEST = 10  # styles that stand on each other


class Hiding:
    """Of one document, by its styles."""

    def __init__(self, styles: _Element) -> None:
        own = {str(style.get(f"{_W}styleId", "")): style for style in styles.iter(f"{_W}style")}
        self._styles = {name: why for name in own if (why := _by_style(own, name))}

    def why_unseen(self, node: _Element) -> Unseen | None:
        """Of an element of the body; what stands inside of an unseen one is not to be asked for."""
        if node.tag in _DELETED:
            return Unseen.DELETED
        if node.tag == f"{_W}tr" and _is_on(node.find(f"{_W}trPr/{_W}hidden")):
            return Unseen.MARKUP
        if node.tag == f"{_W}p":
            return self._styles.get(_value(node.find(f"{_W}pPr"), "pStyle"))
        if node.tag != f"{_W}r":
            return None
        properties = node.find(f"{_W}rPr")
        return (
            _by_properties(properties)
            or self._styles.get(_value(properties, "rStyle"))
            or _by_color(node, properties)
        )


def _by_style(styles: Mapping[str, _Element], name: str) -> Unseen | None:
    """What a style says itself, or one that it is based on."""
    for _ in range(_DEEPEST):
        style = styles.get(name)
        if style is None:
            return None
        properties = style.find(f"{_W}rPr")
        if properties is not None and properties.find(f"{_W}vanish") is not None:
            return _by_properties(properties)
        why = _by_properties(properties)
        if why is not None:
            return why
        name = _value(style, "basedOn")
    return None


def _by_properties(properties: _Element | None) -> Unseen | None:
    if properties is None:
        return None
    if any(_is_on(properties.find(f"{_W}{name}")) for name in ("vanish", "specVanish")):
        return Unseen.STYLE
    size = _value(properties, "sz")
    return Unseen.SIZE if size.isascii() and size.isdigit() and int(size[:6]) <= _TINY else None


def _by_color(run: _Element, properties: _Element | None) -> Unseen | None:
    ink = color(f"#{_value(properties, 'color')}")
    if ink is None:
        return None
    paper = _paper(run, properties)
    return Unseen.COLOR if paper is not None and alike(ink, paper) else None


def _paper(run: _Element, properties: _Element | None) -> Color | None:
    """The color behind a run; None where a table's style or a drawing decides it."""
    marked = color(_value(properties, "highlight")) or _filled(properties)
    if marked is not None:
        return marked
    for around in run.iterancestors():
        if around.tag == f"{_W}txbxContent":
            return None
        filled = _filled(around.find(f"{around.tag}Pr"))
        if filled is not None:
            return filled
        if around.tag == f"{_W}tbl" and _value(around.find(f"{_W}tblPr"), "tblStyle"):
            return None
    return WHITE


def _filled(properties: _Element | None) -> Color | None:
    """The fill of a run, paragraph, cell or table; a pattern counts as its own color."""
    shading = None if properties is None else properties.find(f"{_W}shd")
    return None if shading is None else color(f"#{str(shading.get(f'{_W}fill', '')).lower()}")


def _is_on(switch: _Element | None) -> bool:
    return switch is not None and switch.get(f"{_W}val", "true") not in ("0", "false", "off")


def _value(properties: _Element | None, name: str) -> str:
    """The value of a property; "" where there is none."""
    found = None if properties is None else properties.find(f"{_W}{name}")
    return "" if found is None else str(found.get(f"{_W}val", ""))
