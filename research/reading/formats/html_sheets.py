"""The style sheets that a page brings along, as far as they hide anything.

Simple selectors are understood: elements, classes and ids, inside each other. Whatever else a selector says makes it
unknown, and an unknown rule applies to nothing. Rules for some media only do not count either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element

from research.reading.formats.html_look import declarations

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)|<!--|-->", re.S)
_COMPOUND = re.compile(r"([a-z][a-z0-9-]*|\*)?((?:[.#][\w-]+)*)", re.I)
_MARK = re.compile(r"([.#])([\w-]+)")
_MOST_RULES = 3_000
_LONGEST = 1_000_000  # characters of all sheets
_DEEPEST = 40  # ancestors looked at


@dataclass(frozen=True, slots=True)
class _Compound:
    tag: str
    id: str
    classes: frozenset[str]

    def fits(self, element: _Element) -> bool:
        if self.tag and self.tag != element.tag:
            return False
        if self.id and self.id != element.get("id"):
            return False
        return not self.classes or self.classes <= frozenset((element.get("class") or "").split())


@dataclass(frozen=True, slots=True)
class _Rule:
    """The last compound is the element's own, the others are of ancestors. `weight` orders rules as CSS does."""

    compounds: tuple[_Compound, ...]
    declared: Mapping[str, str]
    weight: tuple[int, int, int, int]

    def fits(self, element: _Element) -> bool:
        if not self.compounds[-1].fits(element):
            return False
        wanted = list(self.compounds[:-1])
        for depth, ancestor in enumerate(element.iterancestors()):
            if not wanted or depth > _DEEPEST:
                break
            if wanted[-1].fits(ancestor):
                wanted.pop()
        return not wanted


@dataclass(slots=True)
class Sheets:
    """Rules by what their last compound names, so that few are tried on an element."""

    _rules: dict[str, list[_Rule]] = field(default_factory=dict)

    def declared(self, element: _Element) -> dict[str, str]:
        """What the rules that fit say together; later and weightier ones win."""
        if not self._rules:
            return {}
        names = [
            f"#{element.get('id')}",
            str(element.tag),
            *(f".{c}" for c in (element.get("class") or "").split()),
        ]
        fitting = [rule for name in names for rule in self._rules.get(name, ()) if rule.fits(element)]
        found: dict[str, str] = {}
        for rule in sorted(fitting, key=lambda rule: rule.weight):
            found.update(rule.declared)
        return found

    def add(self, rule: _Rule) -> None:
        last = rule.compounds[-1]
        name = f"#{last.id}" if last.id else f".{min(last.classes)}" if last.classes else last.tag
        self._rules.setdefault(name, []).append(rule)


def read_sheets(texts: Iterable[str]) -> Sheets:
    sheets = Sheets()
    for number, rule in enumerate(_rules("\n".join(texts)[:_LONGEST])):
        if number == _MOST_RULES:
            break
        sheets.add(rule)
    return sheets


def _rules(css: str) -> Iterator[_Rule]:
    for order, (selectors, body) in enumerate(_top_level(_COMMENT.sub("", css))):
        declared = declarations(body)
        for selector in selectors.split(",") if declared else ():
            compounds = tuple(_compounds(selector))
            if compounds:
                yield _Rule(compounds, declared, (*_specificity(compounds), order))


def _top_level(css: str) -> Iterator[tuple[str, str]]:
    """Selectors and bodies of plain rules; those inside of @media and its like are skipped."""
    position = 0
    while (opening := css.find("{", position)) >= 0:
        head = css[position:opening].rpartition(";")[2].strip()
        closing = _closing(css, opening)
        if not head.startswith("@"):
            yield head, css[opening + 1 : closing]
        position = closing + 1


def _closing(css: str, opening: int) -> int:
    """Where the block that opens there ends; the end of the text where it never does."""
    depth = 0
    for brace in re.compile(r"[{}]").finditer(css, opening):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(css)


def _compounds(selector: str) -> list[_Compound]:
    """Empty for a selector of another kind."""
    found = []
    for part in selector.replace(">", " ").split():
        match = _COMPOUND.fullmatch(part)
        if match is None:
            return []
        marks = _MARK.findall(match[2])
        tag = "" if match[1] in (None, "*") else match[1].lower()
        ids = [name for mark, name in marks if mark == "#"]
        found.append(
            _Compound(tag, ids[0] if ids else "", frozenset(name for mark, name in marks if mark == "."))
        )
    last = found[-1] if found else None
    return found if last and (last.tag or last.id or last.classes) else []


def _specificity(compounds: Iterable[_Compound]) -> tuple[int, int, int]:
    given = tuple(compounds)
    return (
        sum(bool(one.id) for one in given),
        sum(len(one.classes) for one in given),
        sum(bool(one.tag) for one in given),
    )
