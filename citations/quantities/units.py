"""Units of measure in texts, converted by pint.

Factors, dimensions and the temperature scales come from pint's registry, which is built at the first unit and queried
once for each.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from citations.quantities.unit_spellings import expression_of

if TYPE_CHECKING:
    import pint


@dataclass(frozen=True, slots=True)
class UnitReading:
    """A unit found in a text, up to `end`: an amount is value * factor + offset in `unit`.

    Units that convert into each other have the same `unit`.
    """

    unit: str
    factor: float
    offset: float
    end: int


# The units of comparison; units that convert into none of these keep pint's root units.
_REFERENCES = ("m", "s", "g", "byte", "J", "W", "l", "m**2", "km/hour", "Hz", "Pa", "V", "A", "g/l", "ppm")
_SHOWN = {"byte": "B", "km/hour": "km/h", "m**2": "m²"}
TEMPERATURE = "°C"
_TEMPERATURES = dict.fromkeys(("degC", "degF", "kelvin"), TEMPERATURE)
DIFFERENCE = "Δ°C"  # for temperatures: 1 °C is 1.8 °F, without an offset


@lru_cache(maxsize=1)
def _registry() -> "pint.UnitRegistry[float]":
    import pint  # half a second, at the first text that has a unit

    return pint.UnitRegistry()


@lru_cache(maxsize=1)
def _references() -> dict[str, tuple[str, float]]:
    """Map root units, as pint writes them, to the reference unit and its factor."""
    found = {}
    for name in _REFERENCES:
        root = _registry().Quantity(1, _registry().parse_units(name)).to_root_units()
        found[str(root.units)] = (_SHOWN.get(name, name), float(root.magnitude))
    return found


@lru_cache(maxsize=512)
def conversion(expression: str) -> tuple[str, float, float]:
    """Return reference unit, factor and offset of a unit by pint's expression.

    >>> conversion("mile")
    ('m', 1609.344, 0.0)
    """
    if expression in _TEMPERATURES:
        return _temperature(expression)
    root = _registry().parse_expression(expression).to_root_units()
    unit, size = _references().get(str(root.units), (str(root.units), 1.0))
    return unit, float(f"{root.magnitude / size:.13g}"), 0.0  # without binary rounding errors


def _temperature(scale: str) -> tuple[str, float, float]:
    degrees = [_registry().Quantity(value, scale).to("degC").magnitude for value in (0.0, 1.0)]
    return TEMPERATURE, round(float(degrees[1] - degrees[0]), 12), round(float(degrees[0]), 12)


_SPACE = r"[^\S\n]"
_GAP = re.compile(rf"(?:{_SPACE}{{1,2}}|[-‐‑])?")
# "kWh per year" remains an energy, since a text may omit the year; a speed is in km per hour.
_RATES = frozenset({"degC", "degF", "kelvin", "day", "week", "month", "year", "10*year", "100*year"})
_TERM = re.compile(
    r"""(?P<power>(?:square|cubic|sq\.?|cu\.?)[\s-])?
        (?P<name>°\s?[CFK]\b|[%°℃℉]|[^\W\d_]+(?:[²³]|\^?[23](?![\d.,]*\d))?(?:-(?:hours?|years?|feet|foot)\b)?)""",
    re.VERBOSE | re.IGNORECASE,
)
_POWERS = {"square": 2, "sq": 2, "sq.": 2, "cubic": 3, "cu": 3, "cu.": 3, "²": 2, "2": 2, "³": 3, "3": 3}
_SECOND_WORD = re.compile(rf"(?:{_SPACE}|-)([^\W\d_]+)")
_PER = re.compile(
    rf"{_SPACE}?/{_SPACE}?|{_SPACE}per{_SPACE}|{_SPACE}an?{_SPACE}(?=(?:hour|minute|second)\b)", re.IGNORECASE
)


def read_unit(text: str, start: int) -> UnitReading | None:
    """Return the unit that begins at `start`, after a space or hyphen: "km/h", "square miles", "-inch", "mg per dL"."""
    term = _read_term(text, _skip_gap(text, start))
    if term is None:
        return None
    expression, end = term
    per = _PER.match(text, end)
    below = _read_term(text, per.end()) if per else None
    if below is not None and below[0] not in _RATES and expression not in _TEMPERATURES:
        expression, end = f"({expression})/({below[0]})", below[1]
    return UnitReading(*conversion(expression), end)


def _skip_gap(text: str, start: int) -> int:
    gap = _GAP.match(text, start)
    return gap.end() if gap else start


def _read_term(text: str, start: int) -> tuple[str, int] | None:
    """Return pint's expression for the single unit at `start`, and its end; the longest that is known."""
    match = _TERM.match(text, start)
    if match is None:
        return None
    for end in _ends(text, match):
        if end < len(text) and (text[end].isalnum() or text[end] == "_"):
            continue
        found = _expression(match["power"], text[match.start("name") : end])
        if found is not None:
            return found, end
    return None


def _ends(text: str, match: re.Match[str]) -> tuple[int, ...]:
    second = _SECOND_WORD.match(text, match.end())
    first = (match.end(), match.start("name") + len(match["name"].split("-")[0]))
    return (second.end(), *first) if second else first


@lru_cache(maxsize=4_096)
def _expression(power: str | None, written: str) -> str | None:
    joined = re.sub(r"\s", "" if written.startswith("°") else "_", written)
    found = expression_of(joined) or expression_of(joined.replace("-", "_"))
    raised = _POWERS.get(power.strip(" -\u00a0\n\t").lower()) if power else None
    if found is None and joined[-1:] in "²³23":
        found, raised = expression_of(joined[:-1].rstrip("^")), _POWERS[joined[-1]]
    if found is None or power and raised is None:
        return None
    return f"({found})**{raised}" if raised else found
