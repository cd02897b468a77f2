"""Spellings of units, read anew from their prefixes, names and symbols."""

import pytest

from citations.quantities.unit_spellings import NAMES, SYMBOLS, expression_of, in_any_case, spellings
from citations.quantities.units import UnitReading, conversion, read_unit


@pytest.mark.parametrize(
    ("symbol", "expression"),
    [
        ("m", "meter"),
        ("km", "kilometer"),
        ("µm", "micrometer"),
        ("μm", "micrometer"),
        ("nm", "nanometer"),
        ("dm", "decimeter"),
        ("hL", "hectoliter"),
        ("MW", "megawatt"),
        ("TWh", "terawatt_hour"),
        ("PB", "petabyte"),
        ("mA", "milliampere"),
        ("A", None),
        ("F", None),
        ("N", None),
        ("Gm", None),
        ("lx", "lux"),
        ("m²", "meter**2"),
        ("min", "minute"),
        ("hours", None),
    ],
)
def test_a_symbol_has_its_expression(symbol, expression):
    assert spellings()[0].get(symbol) == expression


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("meter", "meter"),
        ("metres", "meter"),
        ("kilometres", "kilometer"),
        ("hertz", "hertz"),
        ("hertzs", None),
        ("lux", "lux"),
        ("watt_hours", "watt_hour"),
        ("kilowatt-hour", "kilowatt_hour"),
        ("megatonnes", "megametric_ton"),
        ("amps", "ampere"),
        ("tag", "day"),
        ("stone", "stone"),
        ("km", None),
    ],
)
def test_a_name_has_its_expression(name, expression):
    assert spellings()[1].get(name) == expression


def test_spellings_are_those_that_texts_are_read_by():
    assert spellings() == (SYMBOLS, NAMES)


@pytest.mark.parametrize(
    ("written", "expression"),
    [("ghz", "gigahertz"), ("mw", None), ("km", "kilometer"), ("m", None), ("kwh", "kilowatt_hour")],
)
def test_a_symbol_of_one_meaning_is_known_in_any_case(written, expression):
    assert in_any_case().get(written) == expression


@pytest.mark.parametrize(
    ("written", "expression"),
    [("Pa", "pascal"), ("pA", None), ("PA", None), ("HA", None), ("Bar", "bar"), ("Mo", None), ("MO", None)],
)
def test_words_in_other_cases_are_no_symbols(written, expression):
    assert expression_of(written) == expression


UNITS = [
    ("5 km/h fast", ("km/h", 1.0, 0.0, " km/h")),
    ("5 km / h", ("km/h", 1.0, 0.0, " km / h")),
    ("5 km per hour", ("km/h", 1.0, 0.0, " km per hour")),
    ("5 miles an hour", ("km/h", 1.609344, 0.0, " miles an hour")),
    ("5 miles a day", ("m", 1609.344, 0.0, " miles")),
    ("5 square miles", ("m²", 2589988.110336, 0.0, " square miles")),
    ("5 sq. km", ("m²", 1000000.0, 0.0, " sq. km")),
    ("5 cu ft", ("l", 28.316846592, 0.0, " cu ft")),
    ("5 cubic metres", ("l", 1000.0, 0.0, " cubic metres")),
    ("5-inch", ("m", 0.0254, 0.0, "-inch")),
    ("5  kg", ("g", 1000.0, 0.0, "  kg")),
    ("5   kg", None),
    ("5\nkg", None),
    ("5 kg", ("g", 1000.0, 0.0, " kg")),
    ("5kg", ("g", 1000.0, 0.0, "kg")),
    ("5 m2", ("m²", 1.0, 0.0, " m2")),
    ("5 m^2", ("m²", 1.0, 0.0, " m^2")),
    ("5 m³", ("l", 1000.0, 0.0, " m³")),
    ("5 m23", None),
    ("5 mg per dL", ("g/l", 0.01, 0.0, " mg per dL")),
    ("5 kWh per year", ("J", 3600000.0, 0.0, " kWh")),
    ("5 °C", ("°C", 1.0, 0.0, " °C")),
    ("5° C", ("°C", 1.0, 0.0, "° C")),
    ("5 ° F", ("°C", 0.555555555556, -17.777777777778, " ° F")),
    ("5 K", ("°C", 1.0, -273.15, " K")),
    ("5 °C per hour", ("°C", 1.0, 0.0, " °C")),
    ("5 nautical miles", ("m", 1852.0, 0.0, " nautical miles")),
    ("5 light-years", ("m", 9460730472581000.0, 0.0, " light-years")),
    ("5 foot-long", ("m", 0.3048, 0.0, " foot")),
    ("5 acre-feet", ("l", 1233489.238468, 0.0, " acre-feet")),
    ("5 fl oz", ("l", 0.0295735295625, 0.0, " fl oz")),
    ("5 US", None),
    ("5 %", None),
    ("5 ft_", None),
    ("5 kms", ("m", 1000.0, 0.0, " kms")),
    ("5 hour-long", ("s", 3600.0, 0.0, " hour")),
    ("5 degrees Celsius", ("°C", 1.0, 0.0, " degrees Celsius")),
    ("5 kg/m³", ("g/l", 1.0, 0.0, " kg/m³")),
    ("5 MB/s", ("bit / second", 8000000.0, 0.0, " MB/s")),
    ("5 g/", ("g", 1.0, 0.0, " g")),
    ("5 l per 100 km", ("l", 1.0, 0.0, " l")),
]


@pytest.mark.parametrize(("text", "reading"), UNITS)
def test_a_unit_is_read_whole(text, reading):
    found = read_unit(text, 1)
    if reading is None:
        assert found is None
    else:
        unit, factor, offset, written = reading
        assert found == UnitReading(unit, factor, offset, 1 + len(written))


@pytest.mark.parametrize(
    ("expression", "reading"),
    [
        ("mile", ("m", 1609.344, 0.0)),
        ("degC", ("°C", 1.0, 0.0)),
        ("degF", ("°C", 0.555555555556, -17.777777777778)),
        ("kelvin", ("°C", 1.0, -273.15)),
        ("acre", ("m²", 4046.872609874, 0.0)),
        ("ppm", ("ppm", 1.0, 0.0)),
        ("mile/hour", ("km/h", 1.609344, 0.0)),
        ("0.001*ppm", ("ppm", 0.001, 0.0)),
        ("kilogram", ("g", 1000.0, 0.0)),
        ("byte", ("B", 1.0, 0.0)),
        ("mole", ("mole", 1.0, 0.0)),
        ("meter**2", ("m²", 1.0, 0.0)),
        ("revolution/minute", ("radian / second", 0.1047197551197, 0.0)),
    ],
)
def test_what_a_unit_comes_to(expression, reading):
    assert conversion.__wrapped__(expression) == reading
