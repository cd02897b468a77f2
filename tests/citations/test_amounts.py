import pytest

from citations.find_quantities import find_quantities
from citations.quantities.amounts import find_amounts
from citations.quantities.quantity_types import QuantityKind
from citations.text.quote_span import Span


@pytest.mark.parametrize(
    ("text", "written", "low", "high", "step"),
    [
        ("500+ users", "500+", 500, 500, 1),
        ("5 ± 2 users", "5 ± 2", 5, 5, 1),
        ("$10–15 a day", "$10–15", 10, 15, 1),
        ("10–15.5 % of it", "10–15.5 %", 10, 15.5, 1),
        ("10,5 % bis 12 %", "10,5 % bis 12 %", 10.5, 12, 1),
        ("between about 5 and 7 users", "5 and 7", 5, 7, 1),
        ("between 5 km and 7 km", "5 km and 7 km", 5_000, 7_000, 1_000),
        ("from 5 to 7 users it rose", "5 to 7", 5, 7, 1),
        ("5 million of euros", "5 million of euros", 5e6, 5e6, 1e6),
        ("£5 m it cost", "£5 m", 5e6, 5e6, 1e6),
        ("5 ‰ of it", "5 ‰", 0.5, 0.5, 0.1),
        ("50 bps more", "50 bps", 0.5, 0.5, 0.01),
        ("5B of RAM", "5B", 5, 5, 1),
        ("2 hours, 30 minutes", "2 hours, 30 minutes", 9_000, 9_000, 60),
        ("5 ft 11 inches tall", "5 ft 11 inches", 1.8034, 1.8034, 0.0254),
        ("5'11\" tall", "5'11\"", 1.8034, 1.8034, 0.0254),
        ("3.2 Mrd. Franken", "3.2 Mrd. Franken", 3.2e9, 3.2e9, 1e8),
        ("12 per cent", "12 per cent", 12, 12, 1),
        ("0–5 users", "0–5", 0, 5, 1),
        ("−20 to +45 °C", "−20 to +45 °C", -20, 45, 1),
        ("−5 – 10 °C", "−5 – 10 °C", -5, 10, 1),
        ("5 … 35 °C", "5 … 35 °C", 5, 35, 1),
        ("5 ... 35 m", "5 ... 35 m", 5, 35, 1),
        ("(SE 0.05)", "0.05", 0.05, 0.05, 0.01),
        ("HR 0.72 for deaths", "0.72", 0.72, 0.72, 0.01),
        ("p < .05", ".05", 0.05, 0.05, 0.01),
    ],
)
def test_an_amount_is_read_whole(text, written, low, high, step):
    (found,) = find_quantities(text)
    assert found.text == written
    assert (found.low, found.high, found.step) == pytest.approx((low, high, step))


@pytest.mark.parametrize(
    ("text", "lows"),
    [
        ("10 users to 15 users", [10, 15]),
        ("3 to 3 users", [3, 3]),
        ("5 million to 7 users", [5e6, 7]),
        ("$5 to 7 euros", [5, 7]),
        ("2 hours 90 minutes", [7_200, 5_400]),
        ("2.5 hours 30 minutes", [9_000, 1_800]),
        ("5 ft 11 tall", [1.524, 11]),
        ("rose from 5 to 7 million users", [5e6, 7e6]),
        ("rose from 5 million to 7 million users", [5e6, 7e6]),
        ("it is 10 to 15 per cent of 3 to 4 users", [10, 3]),
    ],
)
def test_two_amounts_are_not_made_one(text, lows):
    assert [found.low for found in find_quantities(text)] == pytest.approx(lows)


@pytest.mark.parametrize("text", ["a warming of 5 °C", "by 5 °C", "5 °C warmer", "±5 °C", "5 °C above it"])
def test_a_difference_of_degrees_is_told_by_its_words(text):
    assert find_quantities(text)[0].unit == "Δ°C"


@pytest.mark.parametrize("text", ["at 5 °C", "5 °C was measured", "41 °F"])
def test_a_temperature_has_a_zero(text):
    assert (find_quantities(text)[0].unit, find_quantities(text)[0].low) == ("°C", pytest.approx(5))


@pytest.mark.parametrize("text", ["3–1", "12a", "5G", "the 12’s", "mail to 5@home"])
def test_a_number_inside_something_else_is_no_amount(text):
    assert find_amounts(text) == ()


def test_heights_and_what_stands_between_them_keep_their_places():
    first, second, third = find_amounts("5'11\" and 6'2\" for 3 users")
    assert (first.span, second.span, third.span) == (Span(0, 5), Span(10, 14), Span(19, 20))
    assert (first.kind, third.kind) == (QuantityKind.MEASURE, QuantityKind.COUNT)
