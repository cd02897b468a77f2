"""Numbers and dates of cells, as texts write them, in what their column counts in."""

import re
from dataclasses import dataclass
from functools import lru_cache

from citations.find_quantities import Quantity, QuantityKind, find_quantities
from citations.quantities.amounts import find_amounts
from citations.quantities.currencies import currency_after
from citations.quantities.units import read_unit
from citations.text.claim_numerals import find_numerals
from citations.text.quote_span import Span
from research.pipelines.table.table_columns import FieldType, TableField

PERCENT = "%"


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a column: an amount in base units (`name`) is value * factor + offset. Money goes by its ISO code.

    Without a name it is only a scale: "in 1,000", "(millions)".
    """

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
_SCALE_WORD = (
    r"(?:thousands?|millions?|billions?|bn|mn|mio\.?|mrd\.?|tsd\.?|tausend|millionen|milliarden|m|k)"
)
_SCALE_ALONE = re.compile(
    r"(?:(?P<word>thousands?|millions?|billions?|mio|mrd|tsd|tausend|millionen|milliarden)\.?"
    r"|(?P<figure>1[ .,'’\u00a0\u202f]?000(?:[ .,'’\u00a0\u202f]?000)?)|['’]000)s?",
    re.IGNORECASE,
)
_NAMED = (
    re.compile(r"[(\[]\s*(?:in\s+)?([^()\[\]]{1,30}?)\s*[)\]]\s*(?P<year>(?:[12]\d{3}\s*)?)$"),
    re.compile(r"\bin\s+(1[ .,'’\u00a0\u202f]?000(?:[ .,'’\u00a0\u202f]?000)?s?)\s*$"),
    re.compile(r"\bin\s+([^\s(),]{1,20}(?:\s[^\s(),]{1,20}){0,2})\s*$"),
    re.compile(r",\s*([^\s(),]{1,20}(?:\s[^\s(),]{1,20})?)\s*$"),
    re.compile(
        rf"(?<=\s)((?:{_SCALE_WORD}\s)?(?:[A-Z]{{3}}|[€$£%])|(?:[A-Z]{{3}}|[€$£])\s?{_SCALE_WORD})\s*$"
    ),
)
_SCALED = re.compile(
    r"(thousands?|millions?|billions?|bn|mn|mio|mrd|tsd|tausend|millionen|milliarden)\b\.?\s*(?:of\s+)?(?=\S)",
    re.IGNORECASE,
)
_SCALE_AFTER = re.compile(
    r"(?P<money>.{1,20}?)\s?(?P<scale>thousands?|millions?|billions?|bn|mn|mio\.?|mrd\.?|m|k)", re.IGNORECASE
)
_SCALES = {
    "m": 1e6,
    "k": 1e3,
    "th": 1e3,
    "ts": 1e3,
    "ta": 1e3,
    "mn": 1e6,
    "mi": 1e6,
    "bn": 1e9,
    "bi": 1e9,
    "mr": 1e9,
}


@lru_cache(maxsize=1_024)
def unit_of(field: TableField) -> Unit | None:
    """Return the unit of a number column, from its format, its title ("Area (km²)") or its name; None if not stated."""
    if field.type is not FieldType.NUMBER:
        return None
    if field.format and (unit := _unit(field.format)):
        return unit
    if unit := unit_in(field.title):
        return unit
    for last in (field.name.rpartition("_")[2], field.title.casefold().rpartition(" ")[2]):
        if last in PLAIN_UNITS and (unit := _unit(last)):
            return unit
    return None


@lru_cache(maxsize=16_384)
def unit_in(label: str) -> Unit | None:
    """Return the unit that a label names at its end: "Price (CHF)", "gross value in million euros"."""
    found = _find_unit(label)
    return found[1] if found else None


def without_unit(label: str) -> str:
    """The label without the unit at its end.

    >>> without_unit("gross value 2024 in million euros")
    'gross value 2024'
    >>> without_unit("waste (t) 2024")
    'waste 2024'
    """
    found = _find_unit(label)
    return f"{label[: found[0].start]}{label[found[0].end :]}".strip() or label if found else label


def unit_of_caption(caption: str) -> Unit | None:
    """Return the unit that a line above a table gives all of its amounts: "Million euros, current prices"."""
    parts = re.split(r"[,;:()]\s*", caption.strip())
    units = (
        _unit(part.strip().removeprefix("in ")) for part in parts if re.search(r"[^\W\d_]{3}|[€$£]", part)
    )
    return next((unit for unit in units if unit is not None), None) or unit_in(caption)


def parse_unit(words: str) -> Unit | None:
    """Return the unit that words are the name of: "EUR", "km²", "million francs"; None for other words."""
    return _unit(words.strip())


def _find_unit(label: str) -> tuple[Span, Unit] | None:
    """Return the unit and the span of its words; a year behind them is none of these."""
    for pattern in _NAMED:
        if (named := pattern.search(label)) and (unit := _unit(named[1])):
            return Span(
                named.start(), named.start("year") if "year" in pattern.groupindex else named.end()
            ), unit
    return None


def _unit(spelled: str) -> Unit | None:
    spelled = _SPELLED.get(spelled, spelled)
    if spelled.casefold() in ("%", "percent", "per cent"):
        return Unit(PERCENT)
    if scaled := _SCALE_ALONE.fullmatch(spelled):
        digits = re.sub(r"\D", "", scaled["figure"] or "1000")
        return Unit("", _SCALES[scaled["word"][:2].lower()] if scaled["word"] else float(digits))
    if scaled := _SCALED.match(spelled):
        unit = _unit(spelled[scaled.end() :])
        return unit and Unit(unit.name, unit.factor * _SCALES[scaled[1][:2].lower()], unit.offset)
    if code := _currency(spelled):
        return Unit(code)
    if (scaled := _SCALE_AFTER.fullmatch(spelled)) and (code := _currency(scaled["money"])):
        return Unit(code, _SCALES[scaled["scale"][:2].lower()])
    reading = read_unit(spelled, 0)
    if reading is None or reading.end != len(spelled):
        return None
    return Unit(reading.unit, reading.factor, reading.offset)


def _currency(spelled: str) -> str:
    money = currency_after(spelled, 0) or currency_after(spelled.upper(), 0)
    return money[0] if money and money[1] == len(spelled) else ""


def read_number(text: str, unit: Unit | None) -> float | None:
    """The one number that a text names, in `unit` where the text names a unit, too.

    None for none, for several, for a range, and for an amount of something else (kilograms for a length).
    """
    quantities = [each for each in find_quantities(text) if each.kind is not QuantityKind.ORDINAL]
    if len(quantities) == 1:
        return in_unit(quantities[0], unit)
    numerals = find_numerals(text)
    return numerals[0].value if not quantities and len(numerals) == 1 else None


def is_range(text: str) -> bool:
    """True for a text whose one amount goes from a number to another: "12 – 14 thousand"."""
    quantities = find_quantities(text)
    return len(quantities) == 1 and quantities[0].low != quantities[0].high


def in_unit(quantity: Quantity, unit: Unit | None) -> float | None:
    """Convert a quantity to `unit`; where either names no unit, return it as written, with scales applied.

    None for a range, and for an amount of something else.
    """
    if quantity.low != quantity.high:
        return None
    if unit is not None and not unit.name and quantity.kind is QuantityKind.COUNT:
        return quantity.low / unit.factor
    if unit is None or not quantity.unit and quantity.kind is not QuantityKind.PERCENT:
        return _as_written(quantity)
    if quantity.kind in (QuantityKind.PERCENT, QuantityKind.GROWTH):
        return quantity.low if unit.name == PERCENT else None
    return (quantity.low - unit.offset) / unit.factor if quantity.unit == unit.name else None


def is_money(unit: Unit | None) -> bool:
    return unit is not None and bool(_currency(unit.name))


def convert(number: float, given: Unit | None, wanted: Unit | None) -> float:
    """An amount in the unit that is wanted; as it is where one of them is not known."""
    if given is not None and not given.name:  # a scale of whatever is counted
        return number * given.factor / (wanted.factor if wanted is not None else 1.0)
    if given is None or wanted is None or given.name != wanted.name or given == wanted:
        return number
    return (number * given.factor + given.offset - wanted.offset) / wanted.factor


def _as_written(quantity: Quantity) -> float:
    amount = next(iter(find_amounts(quantity.text)), None)
    return quantity.low if amount is None else amount.raw * amount.scale
