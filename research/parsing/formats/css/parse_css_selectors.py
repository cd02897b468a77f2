"""Parses CSS selectors and matches them against elements; states that depend on the reader are not supported.

States (:hover), generated content (::before) and anything unknown make a selector match nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from lxml.etree import _Element

from research.parsing.formats.css.parse_css_values import unescape_css
from research.parsing.formats.html.parsed_html_tree import is_element

_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^0-9a-fA-F\n])+"
_TOKEN = re.compile(
    rf"(?P<tag>\*|{_NAME})|(?P<mark>[.#])(?P<marked>{_NAME})"
    rf"|\[\s*(?P<attribute>{_NAME})\s*(?:(?P<how>[~|^$*]?=)\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    rf"|(?P<bare>{_NAME}))\s*(?P<flag>[is])?\s*)?\]"
    rf"|:(?P<pseudo>[a-z-]+)(?P<bracket>\()?",
    re.I,
)
_COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")
_NTH = re.compile(r"([+-]?\d*)n\s*([+-]\s*\d+)?|([+-]?\d+)")
_GROUPING = re.compile(r"[\"'()\[\]{}]")
_DEEPEST = 40  # ancestors or siblings examined
_LONGEST = 8  # compounds
_NESTED = 4  # levels of selectors inside :is()

Test = Callable[[_Element], bool]
_PLAIN: Mapping[str, Test] = {
    "root": lambda element: element.getparent() is None,
    "scope": lambda element: element.getparent() is None,
    "empty": lambda element: len(element) == 0 and not element.text,
}
_ENDS: Mapping[str, Callable[[int, int], bool]] = {
    "first-child": lambda first, last: first == 1,
    "last-child": lambda first, last: last == 1,
    "only-child": lambda first, last: first == last == 1,
}


@dataclass(slots=True)
class SiblingIndex:
    """The positions of elements among their siblings, from 1; computed once per parent."""

    _found: dict[_Element, tuple[int, int]] = field(default_factory=dict)

    def of(self, element: _Element) -> tuple[int, int]:
        """Return the element's position from the start and from the end."""
        parent = element.getparent()
        if element not in self._found:
            family = [element] if parent is None else [child for child in parent if is_element(child)]
            for number, child in enumerate(family, 1):
                self._found[child] = (number, len(family) - number + 1)
        return self._found[element]


@dataclass(frozen=True, slots=True)
class Compound:
    """A compound selector, matched against one element; `weight` counts ids, then classes and their like, then tags."""

    tag: str
    ids: tuple[str, ...]
    classes: frozenset[str]
    tests: tuple[Test, ...]
    weight: tuple[int, int, int]

    def fits(self, element: _Element) -> bool:
        if self.tag and self.tag != element.tag:
            return False
        if self.ids and any(identifier != element.get("id") for identifier in self.ids):
            return False
        if self.classes and not self.classes <= frozenset((element.get("class") or "").split()):
            return False
        return all(test(element) for test in self.tests)


@dataclass(frozen=True, slots=True)
class Selector:
    """The compounds from the element outwards, each with the combinator that joins it to the previous one."""

    last: Compound
    others: tuple[tuple[str, Compound], ...]

    @property
    def weight(self) -> tuple[int, int, int]:
        weights = [self.last.weight, *(compound.weight for _, compound in self.others)]
        return (sum(w[0] for w in weights), sum(w[1] for w in weights), sum(w[2] for w in weights))

    def fits(self, element: _Element) -> bool:
        return self.last.fits(element) and self._fits_around(element, 0)

    def _fits_around(self, element: _Element, at: int) -> bool:
        if at == len(self.others):
            return True
        how, compound = self.others[at]
        fitting: Iterator[_Element] = (
            other for other in _find_related_elements(element, how) if compound.fits(other)
        )
        if at + 1 == len(self.others) or (how, self.others[at + 1][0]) == (" ", " "):
            fitting = islice(fitting, 1)  # if the nearest match fails further on, no farther one succeeds
        return any(self._fits_around(other, at + 1) for other in fitting)


def selectors(text: str, places: SiblingIndex, depth: int = 0) -> list[Selector] | None:
    """Parse the supported selectors of a list; None if there is none. Never raises."""
    parsed = [
        selector for part in split(text) if (selector := _selector(part.strip(), places, depth)) is not None
    ]
    return parsed or None


def split(text: str, at: str = ",") -> Iterator[str]:
    """Split a list at its separators, but not inside brackets and quotation marks."""
    if not _GROUPING.search(text):
        yield from text.split(at)
        return
    depth, start, quote = 0, 0, ""
    for number, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == at and depth <= 0:
            yield text[start:number]
            start = number + 1
    yield text[start:]


def _find_related_elements(element: _Element, how: str) -> Iterator[_Element]:
    if how in ("+", "~"):
        before = element.itersiblings(preceding=True)
        related: Iterator[_Element] = (sibling for sibling in before if is_element(sibling))
    else:
        related = element.iterancestors()
    yield from islice(related, 1 if how in ("+", ">") else _DEEPEST)


def _selector(text: str, places: SiblingIndex, depth: int) -> Selector | None:
    position, compounds, joints = 0, list[Compound](), list[str]()
    while position < len(text):
        read = _compound(text, position, places, depth)
        if read is None or read[1] == position:
            return None
        compounds.append(read[0])
        position = read[1]
        joint = _COMBINATOR.match(text, position)
        if joint is None:
            break
        joints.append(joint[1] or " ")
        position = joint.end()
    if position < len(text) or not 0 < len(compounds) <= _LONGEST or len(joints) != len(compounds) - 1:
        return None
    others = zip(reversed(joints), reversed(compounds[:-1]), strict=True)
    return Selector(compounds[-1], tuple(others))


def _compound(text: str, position: int, places: SiblingIndex, depth: int) -> tuple[Compound, int] | None:
    """Parse the compound that begins there, and return it with its end."""
    tag, ids, classes, tests, weight = "", list[str](), set[str](), list[Test](), [0, 0, 0]
    while (match := _TOKEN.match(text, position)) is not None:
        position = match.end()
        if match["tag"]:
            tag = "" if match["tag"] == "*" else unescape_css(match["tag"]).lower()
            weight[2] += bool(tag)
        elif match["mark"] == "#":
            ids.append(unescape_css(match["marked"]))
            weight[0] += 1
        elif match["mark"]:
            classes.add(unescape_css(match["marked"]))
            weight[1] += 1
        else:
            inside, position = _inside(text, position) if match["bracket"] else ("", position)
            test = (
                _attribute(match) if match["attribute"] else _pseudo(match["pseudo"], inside, places, depth)
            )
            if test is None:
                return None
            tests.append(test)
            weight[1] += match["pseudo"] is None or match["pseudo"].lower() != "where"
    return Compound(
        tag, tuple(ids), frozenset(classes), tuple(tests), (weight[0], weight[1], weight[2])
    ), position


def _inside(text: str, start: int) -> tuple[str, int]:
    """Return the text inside a bracket that was opened before `start`, and the position after the bracket."""
    depth = 1
    for number in range(start, len(text)):
        depth += (text[number] == "(") - (text[number] == ")")
        if depth == 0:
            return text[start:number], number + 1
    return text[start:], len(text)


def _attribute(match: re.Match[str]) -> Test:
    name, how = unescape_css(match["attribute"]).lower(), match["how"] or ""
    quoted = next((text for text in (match["double"], match["single"]) if text is not None), None)
    value = unescape_css(match["bare"] or "") if quoted is None else unescape_css(quoted)
    return lambda element: _has(element.get(name), how, value, any_case=bool(match["flag"]))


def _has(said: str | None, how: str, value: str, *, any_case: bool) -> bool:
    if said is None or not how:
        return said is not None
    if any_case:
        said, value = said.lower(), value.lower()
    if how == "=":
        return said == value
    if how == "|=":
        return said == value or said.startswith(f"{value}-")
    if not value:
        return False
    if how == "~=":
        return value in said.split()
    return {"^=": said.startswith, "$=": said.endswith, "*=": said.__contains__}[how](value)


def _pseudo(name: str, inside: str, places: SiblingIndex, depth: int) -> Test | None:
    """Return the test for a pseudo-class; None if it depends on the reader or is unknown."""
    name = name.lower()
    if name in ("is", "where", "not", "matches", "-webkit-any"):
        chosen = selectors(inside, places, depth + 1) if depth < _NESTED else None
        if chosen is None:
            return None
        return lambda element: any(selector.fits(element) for selector in chosen) is not (name == "not")
    if name in _PLAIN:
        return _PLAIN[name]
    if name in _ENDS:
        return lambda element: _ENDS[name](*places.of(element))
    formula = inside.strip().lower()
    nth = _NTH.fullmatch({"odd": "2n+1", "even": "2n"}.get(formula, formula))
    if name in ("nth-child", "nth-last-child") and nth is not None:
        return lambda element: _is_nth(places.of(element)[name == "nth-last-child"], nth)
    return None


def _is_nth(number: int, nth: re.Match[str]) -> bool:
    """Return True if the position matches the CSS formula an + b."""
    if nth[3] is not None:
        return number == int(nth[3])
    step = int({"": "1", "+": "1", "-": "-1"}.get(nth[1], nth[1]))
    first = int((nth[2] or "0").replace(" ", ""))
    return number == first if step == 0 else (number - first) % step == 0 and (number - first) // step >= 0
