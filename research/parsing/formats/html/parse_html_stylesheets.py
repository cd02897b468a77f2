"""Applies the embedded style sheets of a page, as far as they hide anything.

Rules are evaluated for a window of 1280 by 800 pixels; those for print, other windows and unknown conditions
are ignored.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from lxml.etree import _Element

from research.parsing.formats.css.parse_css_media_queries import holds, supports
from research.parsing.formats.css.parse_css_selectors import Selector, SiblingIndex, selectors
from research.parsing.formats.html.parse_html_visibility import NOTHING, StyleDeclarations, style_of

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)|<!--|-->", re.S)
_BRACE = re.compile(r"[{};\"']")
_DATA = re.compile(r"data:text/css[^,]*?(;base64)?,(.*)", re.I | re.S)
_MAX_RULES = 3_000
_MAX_OF_ANY = 300  # rules without tag, class or id, which are tried on every element
_LONGEST = 1_000_000  # characters of all sheets
_MAX_SELECTOR = 2_000
_NESTED = 10  # nested blocks
_ANY = "*"


@dataclass(frozen=True, slots=True)
class _StyleRule:
    """A rule.

    `weight` orders rules as CSS does: layered before unlayered, then by specificity, then by position.
    """

    selector: Selector
    style: StyleDeclarations
    weight: tuple[int, tuple[int, int, int], int]


@dataclass(slots=True)
class Sheets:
    """Rules indexed by the last compound of their selector, so that few are tried on each element."""

    _rules: dict[str, list[_StyleRule]] = field(default_factory=dict)

    def style(self, element: _Element) -> StyleDeclarations:
        """Return the merged declarations of all rules that match; later and weightier ones win."""
        if not self._rules:
            return NOTHING
        names = [f"#{element.get('id')}", str(element.tag), _ANY]
        names += [f".{class_name}" for class_name in set((element.get("class") or "").split())]
        tried = (rule for name in names for rule in self._rules.get(name, ()))
        fitting = [rule for rule in tried if rule.selector.fits(element)]
        merged = NOTHING
        for rule in sorted(fitting, key=lambda rule: rule.weight):
            merged = merged.under(rule.style)
        return merged

    def add(self, rule: _StyleRule) -> None:
        last = rule.selector.last
        name = (
            f"#{last.ids[0]}" if last.ids else f".{min(last.classes)}" if last.classes else last.tag or _ANY
        )
        rules = self._rules.setdefault(name, [])
        if name != _ANY or len(rules) < _MAX_OF_ANY:
            rules.append(rule)


def read_sheets(texts: Iterable[str]) -> Sheets:
    sheets, places = Sheets(), SiblingIndex()
    css = _COMMENT.sub("", "\n".join(texts)[:_LONGEST])
    order = 0
    for selector_text, body, is_layered in _blocks(css, "", is_layered=False, depth=0):
        style = style_of(body)
        chosen = selectors(selector_text, places) if style.says_anything else None
        for selector in chosen or ():
            order += 1
            sheets.add(_StyleRule(selector, style, (not is_layered, selector.weight, order)))
        if order >= _MAX_RULES:
            break
    return sheets


def data_sheet(url: str) -> str:
    """Return the sheet inside a data URL; "" for any other URL."""
    match = _DATA.fullmatch(url.strip())
    if match is None:
        return ""
    data = unquote_to_bytes(match[2])
    try:
        return (base64.b64decode(data) if match[1] else data).decode(errors="replace")
    except binascii.Error:
        return ""


_Block = tuple[str, str, bool]


def _blocks(css: str, around: str, *, is_layered: bool, depth: int) -> Iterator[_Block]:
    """Yield selectors, declarations and whether they are in a layer; nested selectors are resolved."""
    for head, body in _pieces(css):
        at, _, condition = head[1:].partition(" ") if head.startswith("@") else ("", "", "")
        name = at.partition("(")[0].lower()
        if name == "scope":
            yield from _parse_nested_rule(
                condition.partition(")")[0].strip(" ("), body, around, is_layered, depth
            )
        elif name == "layer" or (name and _applies(name, head[1 + len(name) :])):
            inside = f"{around}{{{body}}}" if around else body
            if depth < _NESTED:
                yield from _blocks(inside, "", is_layered=is_layered or name == "layer", depth=depth + 1)
        elif not name and head:
            yield from _parse_nested_rule(head, body, around, is_layered, depth)


def _parse_nested_rule(head: str, body: str, around: str, is_layered: bool, depth: int) -> Iterator[_Block]:
    own = _resolve_nested_selector(head, around)
    if "{" not in body:
        yield own, body, is_layered
    elif depth < _NESTED and len(own) <= _MAX_SELECTOR:
        yield own, _declarations_of(body), is_layered
        yield from _blocks(body, own, is_layered=is_layered, depth=depth + 1)


def _applies(name: str, condition: str) -> bool:
    return holds(condition) if name == "media" else name == "supports" and supports(condition)


def _resolve_nested_selector(head: str, around: str) -> str:
    """Return a nested selector as a selector of its own."""
    if not around:
        return head
    outer = f":is({around})"
    return head.replace("&", outer) if "&" in head else f"{outer} {head}"


def _pieces(css: str) -> Iterator[tuple[str, str]]:
    """Yield the prelude and the content of each block. A stray closing brace ends what precedes it."""
    start = position = 0
    while (match := _BRACE.search(css, position)) is not None:
        position = match.end()
        if match[0] in "\"'":
            position = _after_quote(css, match.start())
        elif match[0] == "{":
            closing = _find_closing_brace(css, match.start())
            yield css[start : match.start()].strip(), css[match.end() : closing]
            start = position = closing + 1
        else:
            start = match.end()


def _declarations_of(body: str) -> str:
    """Return a block without its nested blocks."""
    kept, position = [], 0
    while (opening := body.find("{", position)) >= 0:
        kept.append(body[position:opening].rpartition(";")[0])
        position = _find_closing_brace(body, opening) + 1
    return ";".join([*kept, body[position:]])


def _find_closing_brace(css: str, opening: int) -> int:
    """Return the position of the brace that closes the block opened at `opening`; the end of the text if none does."""
    depth = 0
    for brace in re.compile(r"[{}]").finditer(css, opening):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(css)


def _after_quote(css: str, opening: int) -> int:
    """Return the position after the string that opens there; the end of the line also ends a string."""
    ending = re.compile(rf"{css[opening]}|\n").search(css, opening + 1)
    return len(css) if ending is None else ending.end()
