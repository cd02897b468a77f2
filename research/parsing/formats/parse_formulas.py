"""Converts formulas of MathML and of Word to one line of text: "T = (ln 2)/k", "x_1^2", "√(a + b)"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lxml.etree import _Element

from research.parsing.clean_text import clean, squash
from research.parsing.formats.html.parsed_html_tree import is_element

_RELATION = re.compile(r"\s*([=<>≤≥≈≠∼≃≅≡→⇒⇔∝∈≪≫]|:=)\s*")
_SUM = re.compile(r"(?<=[\w)\]²³°′'!%])\s*([+−±×·]|(?<=[\w)\]])-(?=[\w(√]))\s*(?=[\w(\[√∑∫−-])")
_SIMPLE = re.compile(r"[\w.,°′'∞%!]*|\([^()]*\)")
_NUMBER = re.compile(r"[+−-]?[\w.,]+")
_MAX_LEVELS = 60
_NAMES = re.compile(r"(?:sin|cos|tan|cot|sec|log|ln|lg|exp|lim|max|min|det|dim|ker|arg|sup|inf|mod|gcd|deg)$")


def read_math(element: _Element) -> str:
    """Return a formula of MathML (`math`) or of Word (`m:oMath`) as one line."""
    return _tidy(_read(element, 0))


def count_words(formula: str) -> int:
    """Return the number of words in a formula's text, to recognise prose that only looks like a formula."""
    return len(re.findall(r"[^\W\d_]{4,}", formula))


def _tidy(line: str) -> str:
    spaced = _SUM.sub(r" \1 ", _RELATION.sub(r" \1 ", clean(line)))
    return squash(spaced)


def _read(element: _Element, level: int) -> str:
    if level > _MAX_LEVELS:
        return "".join(map(str, element.itertext()))
    name = _name(element)
    write = _WRITERS.get(name)
    if write is not None:
        return write(element, level + 1)
    if name in _LEAVES:
        return (element.text or "") if name != "mtext" else f" {' '.join(map(str, element.itertext()))} "
    return _join(element, level + 1)


def _name(element: _Element) -> str:
    """Return the element's name without its namespace; Word's names differ from MathML's in spelling."""
    return str(element.tag).rpartition("}")[2]


_LEAVES = frozenset({"t", "mi", "mn", "mo", "mtext", "ms"})
_NOTHING = frozenset(
    "annotation annotation-xml mphantom phant rPr ctrlPr sSupPr sSubPr sSubSupPr fPr radPr naryPr dPr funcPr limLowPr "
    "limUppPr accPr barPr boxPr borderBoxPr groupChrPr eqArrPr mPr sPrePr phantPr argPr oMathParaPr delText "
    "instrText none mprescripts".split()
)


def _children(element: _Element) -> Iterator[_Element]:
    for child in element:
        if is_element(child) and _name(child) not in _NOTHING:
            yield child


def _join(element: _Element, level: int) -> str:
    """Join parts side by side; a space separates a function's name from what follows."""
    parts: list[str] = []
    for child in _children(element):
        part = _read(child, level)
        if parts and part and part[0].isalnum() and _NAMES.search(parts[-1]):
            part = f" {part}"
        parts.append(part)
    return "".join(parts)


def _part(element: _Element, name: str, level: int) -> str:
    found = next((child for child in _children(element) if _name(child) == name), None)
    return "" if found is None else _read(found, level).strip()


def _arguments(element: _Element, level: int) -> list[str]:
    return [_read(child, level).strip() for child in _children(element)]


def _group(text: str) -> str:
    """Return the text, in brackets if it is more than a name or number."""
    text = _tidy(text)
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _raise(base: str, power: str) -> str:
    if not power:
        return base
    power = _tidy(power)
    return f"{base}^{power if _NUMBER.fullmatch(power) else _group(power)}"


def _lower(base: str, index: str) -> str:
    return f"{base}_{_group(index)}" if index else base


def _divide(upper: str, lower: str) -> str:
    return f"{_group(upper)}/{_group(lower)}"


def _pad_arguments(arguments: Iterable[str], count: int) -> list[str]:
    return [*arguments, *[""] * count][:count]


def _mfrac(element: _Element, level: int) -> str:
    return _divide(*_pad_arguments(_arguments(element, level), 2))


def _msup(element: _Element, level: int) -> str:
    base, power = _pad_arguments(_arguments(element, level), 2)
    return _raise(_base(base), power)


def _msub(element: _Element, level: int) -> str:
    base, index = _pad_arguments(_arguments(element, level), 2)
    return _lower(base, index)


def _msubsup(element: _Element, level: int) -> str:
    base, index, power = _pad_arguments(_arguments(element, level), 3)
    return _space_operator(_raise(_lower(base, index), power), base)


def _munderover(element: _Element, level: int) -> str:
    return _msubsup(element, level)


def _mover(element: _Element, level: int) -> str:
    base, over = _pad_arguments(_arguments(element, level), 2)
    return base if not any(map(str.isalnum, over)) else _raise(base, over)


def _munder(element: _Element, level: int) -> str:
    base, under = _pad_arguments(_arguments(element, level), 2)
    return base if not any(map(str.isalnum, under)) else f"{_lower(base, under)} "


def _msqrt(element: _Element, level: int) -> str:
    return f"√{_group(_join(element, level))}"


def _mroot(element: _Element, level: int) -> str:
    inside, degree = _pad_arguments(_arguments(element, level), 2)
    return f"{degree if degree not in ('', '2') else ''}√{_group(inside)}"


def _mfenced(element: _Element, level: int) -> str:
    between = (element.get("separators") or ",")[:1]
    inside = f"{between} ".join(_arguments(element, level))
    return f"{element.get('open', '(')}{inside}{element.get('close', ')')}"


def _mtable(element: _Element, level: int) -> str:
    rows = (", ".join(_arguments(row, level)) for row in _children(element))
    return f"[{'; '.join(rows)}]"


def _semantics(element: _Element, level: int) -> str:
    first = next(_children(element), None)
    return "" if first is None else _read(first, level)


def _base(base: str) -> str:
    """Return the base of a power, in brackets if it needs them."""
    tidied = _tidy(base)
    return base if re.fullmatch(r"[\w.,]*|[(\[|].*[)\]|]", tidied) or len(tidied) <= 1 else f"({tidied})"


def _space_operator(text: str, base: str) -> str:
    """Return the text followed by a space if it is a sum with its limits."""
    return f"{text} " if base in ("∑", "∏", "∫", "⋃", "⋂", "lim") else text


def _word_sup(element: _Element, level: int) -> str:
    return _raise(_base(_part(element, "e", level)), _part(element, "sup", level))


def _word_sub(element: _Element, level: int) -> str:
    return _lower(_part(element, "e", level), _part(element, "sub", level))


def _word_sub_sup(element: _Element, level: int) -> str:
    return _raise(
        _lower(_part(element, "e", level), _part(element, "sub", level)), _part(element, "sup", level)
    )


def _word_pre(element: _Element, level: int) -> str:
    return f"^{_part(element, 'sup', level)}_{_part(element, 'sub', level)} {_part(element, 'e', level)}"


def _word_fraction(element: _Element, level: int) -> str:
    return _divide(_part(element, "num", level), _part(element, "den", level))


def _word_root(element: _Element, level: int) -> str:
    return f"{_part(element, 'deg', level)}√{_group(_part(element, 'e', level))}"


def _property(element: _Element, name: str, default: str) -> str:
    """Return the character that a part is drawn with; "" if it is set to none."""
    for found in element.iter():
        if is_element(found) and _name(found) == name:
            return next((str(value) for key, value in found.attrib.items() if str(key).endswith("val")), "")
    return default


def _word_sum(element: _Element, level: int) -> str:
    properties = next((child for child in element if is_element(child) and _name(child) == "naryPr"), None)
    sign = "∫" if properties is None else _property(properties, "chr", "∫")
    limits = _raise(_lower(sign, _part(element, "sub", level)), _part(element, "sup", level))
    return f"{limits} {_part(element, 'e', level)}"


def _word_brackets(element: _Element, level: int) -> str:
    properties = next((child for child in element if is_element(child) and _name(child) == "dPr"), None)
    opening, closing, between = "(", ")", ", "
    if properties is not None:
        opening, closing = _property(properties, "begChr", "("), _property(properties, "endChr", ")")
        between = _property(properties, "sepChr", ", ")
    return f"{opening}{between.join(_arguments(element, level))}{closing}"


def _word_function(element: _Element, level: int) -> str:
    return f"{_part(element, 'fName', level)} {_part(element, 'e', level)}"


def _word_limit(element: _Element, level: int) -> str:
    is_below = _name(element) == "limLow"
    base, limit = _part(element, "e", level), _part(element, "lim", level)
    return f"{_lower(base, limit) if is_below else _raise(base, limit)} "


def _word_rows(element: _Element, level: int) -> str:
    return "; ".join(_arguments(element, level))


def _word_matrix(element: _Element, level: int) -> str:
    rows = (", ".join(_arguments(row, level)) for row in _children(element) if _name(row) == "mr")
    return f"[{'; '.join(rows)}]"


_WRITERS = {
    "mfrac": _mfrac, "msup": _msup, "msub": _msub, "msubsup": _msubsup, "munderover": _munderover,
    "mover": _mover, "munder": _munder, "msqrt": _msqrt, "mroot": _mroot, "mfenced": _mfenced,
    "mtable": _mtable, "semantics": _semantics, "mspace": lambda *_: " ",
    "sSup": _word_sup, "sSub": _word_sub, "sSubSup": _word_sub_sup, "sPre": _word_pre, "f": _word_fraction,
    "rad": _word_root, "nary": _word_sum, "d": _word_brackets, "func": _word_function,
    "limLow": _word_limit, "limUpp": _word_limit, "eqArr": _word_rows, "m": _word_matrix, "br": lambda *_: " ",
}  # fmt: skip
