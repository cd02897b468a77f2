"""Numbers and dates of cells, as texts write them, in what their column counts in."""

import re
from dataclasses import dataclass
from functools import lru_cache

from citations.dates.times import find_times, parse_iso
from citations.find_quantities import Quantity, QuantityKind, find_quantities
from citations.quantities.amounts import find_amounts
from citations.quantities.currencies import currency_after
from citations.quantities.units import read_unit
from citations.text.numerals import find_numerals
from research.pipelines.table.fields import FieldType, TableField

PERCENT = "%"


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a column: an amount in base units (`name`) is value * factor + offset. Money goes by its ISO code."""

    name: str
    factor: float = 1.0
    offset: float = 0.0


# As the last word of a name only what can hardly be a word: "revenue_m" may mean millions, "founding_year" no time
# that passes, and a sushi bar is no pressure.
PLAIN_UNITS = frozenset(
    "km km2 km² m2 m² m3 m³ cm mm ft sqft mi mi2 ha kg mg lb lbs tonnes kmh mph kw mw gw kwh mwh gwh twh kb mb gb tb "
    "mib gib ghz mhz hz usd eur gbp chf jpy cny inr percent pct hectares acres kilometres kilometers miles metres "
    "meters litres liters".split()
)
_SPELLED = {"kmh": "km/h", "sqft": "sq ft", "pct": "%", "kw": "kW", "mw": "MW", "gw": "GW", "kwh": "kWh", "mwh": "MWh",
            "gwh": "GWh", "twh": "TWh", "mb": "MB", "gb": "GB", "tb": "TB", "kb": "kB", "ghz": "GHz", "mhz": "MHz",
            "hz": "Hz", "mib": "MiB", "gib": "GiB", "mi2": "square miles"}  # fmt: skip
_NAMED = re.compile(
    r"[(\[]\s*(?:in\s+)?([^()\[\]]{1,20}?)\s*[)\]]\s*$|\bin\s+([^\s()]{1,20}(?:\s[^\s()]{1,20})?)\s*$"
)


@lru_cache(maxsize=1_024)
def unit_of(field: TableField) -> Unit | None:
    """Return the unit of a number column, from its format, its title ("Area (km²)") or its name; None if not stated."""
    if field.type is not FieldType.NUMBER:
        return None
    named = _NAMED.search(field.title)
    for spelled in (field.format, *(named.groups() if named else ())):
        if spelled and (unit := _unit(spelled)):
            return unit
    for last in (field.name.rpartition("_")[2], field.title.casefold().rpartition(" ")[2]):
        if last in PLAIN_UNITS and (unit := _unit(last)):
            return unit
    return None


def _unit(spelled: str) -> Unit | None:
    spelled = _SPELLED.get(spelled, spelled)
    if spelled.casefold() in ("%", "percent", "per cent"):
        return Unit(PERCENT)
    money = currency_after(spelled, 0) or currency_after(spelled.upper(), 0)
    if money and money[1] == len(spelled):
        return Unit(money[0])
    reading = read_unit(spelled, 0)
    if reading is None or reading.end != len(spelled):
        return None
    return Unit(reading.unit, reading.factor, reading.offset)


def read_number(text: str, unit: Unit | None) -> float | None:
    """The one number that a text names, in `unit` where the text names a unit, too.

    None for none, for several, for a range, and for an amount of something else (kilograms for a length).
    """
    quantities = [each for each in find_quantities(text) if each.kind is not QuantityKind.ORDINAL]
    if len(quantities) == 1:
        return in_unit(quantities[0], unit)
    numerals = find_numerals(text)
    return numerals[0].value if not quantities and len(numerals) == 1 else None


def in_unit(quantity: Quantity, unit: Unit | None) -> float | None:
    """Convert a quantity to `unit`; where either names no unit, return it as written, with scales applied.

    None for a range, and for an amount of something else.
    """
    if quantity.low != quantity.high:
        return None
    if unit is None or not quantity.unit and quantity.kind is not QuantityKind.PERCENT:
        return _as_written(quantity)
    if quantity.kind in (QuantityKind.PERCENT, QuantityKind.GROWTH):
        return quantity.low if unit.name == PERCENT else None
    return (quantity.low - unit.offset) / unit.factor if quantity.unit == unit.name else None


def _as_written(quantity: Quantity) -> float:
    amount = next(iter(find_amounts(quantity.text)), None)
    return quantity.low if amount is None else amount.raw * amount.scale


def read_date(text: str) -> str | None:
    """The one day, month or year that a text names, as ISO 8601; None for none, several, or an open one.

    >>> read_date("22 June 2017"), read_date("founded in 1998"), read_date("03/04/2024")
    ('2017-06-22', '1998', '2024')
    """
    plain = text.strip()
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ].*)?)?)?", plain):
        return plain[:10] if parse_iso(plain) else None
    times = [each for each in find_times(plain) if each.start.year is not None]
    if len(times) != 1 or times[0].end is not None or times[0].period is None:
        return None
    start = times[0].start
    parts = [f"{start.year:04}", *(f"{part:02}" for part in (start.month, start.day) if part is not None)]
    return "-".join(parts)
