import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.find_quantities import Quantity, QuantityKind, find_quantities
from citations.quantities.compare_amounts import Match, agree, states
from citations.quantities.unit_spellings import NAMES, SYMBOLS, expression_of
from citations.quantities.units import conversion, read_unit


def only(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("20 °C", "68 °F"),
        ("0 °C", "273.15 K"),
        ("100 km/h", "62.1371 mph"),
        ("100 kilometres per hour", "62.1371 miles an hour"),
        ("1 kWh", "3.6 MJ"),
        ("1 g/cm3", "1000 kg/m³"),
        ("100 mg/dL", "1 g/l"),
        ("1 mile", "1.609344 km"),
        ("6 feet", "182.88 cm"),
        ("5 ft 11 in", "180.34 cm"),
        ("5'11\" tall", "180.34 cm tall"),
        ("2 hours and 30 minutes", "150 minutes"),
        ("2.5 hours", "two and a half hours"),
        ("8 Mbit", "1 MB"),
        ("1 GiB", "1024 MiB"),
        ("2 square kilometres", "200 hectares"),
        ("2 sq km", "2 km²"),
        ("1 decade", "10 years"),
        ("1 tonne", "1000 kg"),
        ("1 lb", "16 oz"),
        ("1 atm", "101325 Pa"),
        ("3 light-years", "28382191417445 km"),
        ("1 cubic metre", "1000 litres"),
        ("1000 ppb", "1 ppm"),
    ],
)
def test_units_of_one_kind_convert(a, b):
    one, other = only(a), only(b)
    assert one.unit == other.unit
    assert one.low == pytest.approx(other.low, rel=1e-5)


@pytest.mark.parametrize(
    ("written", "expression"),
    [
        ("MB", "megabyte"),
        ("Mb", "megabit"),
        ("mb", "megabyte"),
        ("m", "meter"),
        ("MW", "megawatt"),
        ("mW", "milliwatt"),
        ("mw", None),  # either
        ("ghz", "gigahertz"),
        ("KM", "kilometer"),
        ("in", None),
        ("pm", None),
        ("A", None),
        ("won", None),
        ("", None),
    ],
)
def test_the_case_of_a_symbol_matters_where_it_must(written, expression):
    assert expression_of(written) == expression


@pytest.mark.parametrize("text", ["12 in May", "12 in all", "5 am", "5 A", "12 people", "5 mw"])
def test_words_are_no_units(text):
    assert all(found.kind is not QuantityKind.MEASURE for found in find_quantities(text))


def test_a_difference_of_temperatures_has_no_zero():
    assert agree(only("a warming of 2 °C"), only("a warming of 3.6 °F")) is Match.SAME
    assert states(only("a rise of 2 °C"), only("it was 2 °C")) is not Match.SAME


def test_a_yearly_amount_keeps_its_unit_and_its_year():
    found = only("1,200 kWh per year")
    assert (found.unit, found.per, found.low) == ("J", "year", pytest.approx(4.32e9))


@pytest.mark.parametrize("expression", sorted({*SYMBOLS.values(), *NAMES.values()}))
def test_pint_knows_every_unit_of_the_table(expression):
    unit, factor, _ = conversion(expression)
    assert unit
    assert factor > 0


def test_a_unit_ends_where_its_name_ends():
    reading = read_unit("5 km/h fast", 1)
    assert reading is not None
    assert reading.end == len("5 km/h")


@pytest.mark.parametrize("text", ["", " ", "-", "/h", "square", "\ud800"])
def test_what_is_no_unit_is_none(text):
    assert read_unit(text, 0) is None


LENGTHS = ["m", "km", "cm", "miles", "feet", "yards", "inches", "nautical miles"]


@given(st.integers(1, 10_000), st.sampled_from(LENGTHS), st.sampled_from(LENGTHS))
def test_a_length_told_in_another_unit_is_the_same(number, unit, other):
    first, size = only(f"it measures {number} {unit}"), only(f"it measures 1 {other}")
    second = only(f"it measures {first.low / size.low:.9f} {other}")
    assert agree(first, second) is Match.SAME


@given(st.integers(-80, 200))
def test_celsius_and_fahrenheit_meet(degrees):
    one, other = only(f"at {degrees} °C"), only(f"at {degrees * 9 / 5 + 32:.2f} °F")
    assert one.low == pytest.approx(other.low, abs=0.01)
