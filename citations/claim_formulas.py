"""Arithmetic over figures that sources state: the formula of a computed claim, read and worked out again. Pure.

Units go through the computation as figures do: euros and years are not added, euros divided by euros are a share.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean, median

from citations.find_quantities import Quantity, QuantityKind, find_quantities

LONGEST = 200  # characters of a formula
PERCENT = "%"
# Factors between units. Any other number must come from a source.
CONSTANTS = frozenset({1, 7, 12, 24, 60, 100, 365, 1_000, 1_000_000})
FUNCTIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": fmean,
    "median": median,
    "min": min,
    "max": max,
}
_SHOWN = ((r"\s*\*\s*", " × "), (r"\s*/\s*", " ÷ "), (r"\s*-\s*", " − "), (r"\s*\+\s*", " + "))

_OF_HUNDRED = frozenset({QuantityKind.PERCENT, QuantityKind.GROWTH, QuantityKind.POINTS})


class InvalidFormula(ValueError):
    """The formula cannot be worked out; str() says why."""


@dataclass(frozen=True, slots=True)
class FormulaValue:
    """A value in base units: "m", "s", an ISO 4217 code, "%", or "" for counts and ratios."""

    value: float
    unit: str = ""

    @property
    def ratio(self) -> float:
        """Return the value as a factor: 30 percent of something are 0.3 times it."""
        return self.value / 100 if self.unit == PERCENT else self.value


def find_figure(written: str, quote: str) -> FormulaValue | None:
    """Return the figure written so in the quote; None if it is missing, or a range or a bound."""
    if not written.strip():
        return None
    stands = re.compile(rf"(?<![\w.,]){re.escape(written.strip())}(?!\w|[.,]\d)")
    places = [found.span() for found in stands.finditer(quote)]
    for quantity in find_quantities(quote):
        start, end = quantity.span.start, quantity.span.end
        is_meant = any(
            (start <= first and last <= end) or (first <= start and end <= last) for first, last in places
        )
        if is_meant and quantity.low == quantity.high:
            return FormulaValue(quantity.low, _unit_of(quantity))
    return None


def _unit_of(quantity: Quantity) -> str:
    return PERCENT if quantity.kind in _OF_HUNDRED else quantity.unit


def evaluate(formula: str, figures: Mapping[str, FormulaValue]) -> FormulaValue:
    """Work the formula out: +, -, *, / and sum, mean, median, min, max over the named figures, all of which it uses.

    Raises InvalidFormula.
    """
    if len(formula) > LONGEST:
        raise InvalidFormula(f"it is longer than {LONGEST} characters")
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidFormula("it is no formula") from None
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - FUNCTIONS.keys()
    if named != figures.keys():
        raise InvalidFormula("it does not use the figures that are given, each by its name")
    if isinstance(tree, ast.Name):
        raise InvalidFormula("it computes nothing")
    try:
        result = _work_out(tree, figures)
    except (ZeroDivisionError, OverflowError):
        raise InvalidFormula("its result is no number") from None
    if not isfinite(result.value):
        raise InvalidFormula("its result is no number")
    return result


def _work_out(node: ast.expr, figures: Mapping[str, FormulaValue]) -> FormulaValue:
    match node:
        case ast.Name(id=name) if name in figures:
            return figures[name]
        case ast.Constant(value=int() | float() as value) if value in CONSTANTS and value is not True:
            return FormulaValue(float(value))
        case ast.BinOp(left=left, op=operator, right=right):
            return _combine(operator, _work_out(left, figures), _work_out(right, figures), (left, right))
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as items, keywords=[]) if name in FUNCTIONS:
            values = [_work_out(item, figures) for item in items]
            if (
                any(isinstance(item, ast.Constant) for item in items)
                or len({figure.unit for figure in values}) > 1
            ):
                raise InvalidFormula("its figures have different units")
            return FormulaValue(float(FUNCTIONS[name]([figure.value for figure in values])), values[0].unit)
    raise InvalidFormula("it has more than +, -, *, /, known functions, figures and factors between units")


def _combine(
    operator: ast.operator, left: FormulaValue, right: FormulaValue, nodes: Sequence[ast.expr]
) -> FormulaValue:
    match operator:
        case ast.Add() | ast.Sub() if left.unit == right.unit and _may_add(operator, nodes):
            sign = 1 if isinstance(operator, ast.Add) else -1
            return FormulaValue(left.value + sign * right.value, left.unit)
        case ast.Mult() if _is_factor(left) or _is_factor(right):
            unit = right.unit if _is_factor(left) else left.unit
            return FormulaValue(left.ratio * right.ratio, "" if unit == PERCENT else unit)
        case ast.Div() if left.unit == right.unit:
            return FormulaValue(left.value / right.value)
        case ast.Div() if _is_factor(right):
            return FormulaValue(left.ratio / right.ratio, "" if left.unit == PERCENT else left.unit)
    raise InvalidFormula("its figures have units that do not go together")


def _is_factor(figure: FormulaValue) -> bool:
    return figure.unit in ("", PERCENT)


def _may_add(operator: ast.operator, nodes: Sequence[ast.expr]) -> bool:
    """Return False if a constant is added or subtracted, except the 1 of a growth: a / b - 1."""
    constants = [node for node in nodes if isinstance(node, ast.Constant)]
    return not constants or (
        isinstance(operator, ast.Sub)
        and [node.value for node in constants] == [1]
        and constants[0] is nodes[1]
    )


def is_stated(written: str, result: FormulaValue) -> bool:
    """Return True if the text states only the result, rounded at most to its last digit."""
    found = find_quantities(written)
    if len(found) != 1 or found[0].low != found[0].high:
        return False
    [quantity] = found
    unit, value = _unit_of(quantity), result.value
    if unit == PERCENT and result.unit == "":
        value *= 100
    elif unit != result.unit:
        return False
    return abs(value - quantity.low) <= quantity.step / 2 + 1e-9 * max(1.0, abs(value))


def show_formula(formula: str, written: Mapping[str, str]) -> str:
    """Return the formula with its figures as their sources write them: "14,200 euros × 3"."""
    shown = formula.strip()
    for pattern, sign in _SHOWN:
        shown = re.sub(pattern, sign, shown)
    return re.sub(r"[A-Za-z_]\w*", lambda name: written.get(name[0], name[0]), shown)
