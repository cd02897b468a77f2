import pytest

from citations.dates.find_dates import parse_iso
from citations.find_quantities import Quantity, QuantityKind, find_quantities
from citations.quantities.compare_amounts import ExchangeRate, Match, agree, compare_with_all, states


def only(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("text", "code", "value"),
    [
        ("$5", "USD", 5),
        ("US$5", "USD", 5),
        ("US$ 3.2bn", "USD", 3.2e9),
        ("$5bn", "USD", 5e9),
        ("£5m", "GBP", 5e6),
        ("CHF 5", "CHF", 5),
        ("5 Franken", "CHF", 5),
        ("Fr. 5", "CHF", 5),
        ("5 Swiss francs", "CHF", 5),
        ("5 million Swiss francs", "CHF", 5e6),
        ("CHF 1'200.50", "CHF", 1_200.5),
        ("1.234,50 €", "EUR", 1_234.5),
        ("€1,234.50", "EUR", 1_234.5),
        ("6,5 Mrd. €", "EUR", 6.5e9),
        ("EUR 3 Mio.", "EUR", 3e6),
        ("300 usd", "USD", 300),
        ("R$ 12", "BRL", 12),
        ("A$12", "AUD", 12),
        ("HK$12", "HKD", 12),
        ("Rs 500 crore", "INR", 5e9),
        ("5 lakh rupees", "INR", 5e5),
        ("₹1,00,000", "INR", 1e5),
        ("a hundred dollars", "USD", 100),
        ("12 Canadian dollars", "CAD", 12),
        ("12 South Korean won", "KRW", 12),
        ("12 pounds sterling", "GBP", 12),
        ("¥500", "JPY", 500),
        ("200 zł", "PLN", 200),
        ("-$1,234", "USD", -1_234),
        ("Cash flow (−€3.5 million)", "EUR", -3.5e6),
        ("minus £20", "GBP", -20),
        ("$-1,234", "USD", -1_234),
        ("the model-$100 line", "USD", 100),
    ],
)
def test_codes_signs_and_names_give_one_code(text, code, value):
    found = only(text)
    assert (found.kind, found.unit) == (QuantityKind.CURRENCY, code)
    assert found.low == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["TOP 10", "5 won", "5 gold", "ALL 5 of them", "12 real ones", "5 pounds of salt"]
)
def test_words_are_no_currencies(text):
    assert all(found.kind is not QuantityKind.CURRENCY for found in find_quantities(text))


def test_a_dash_before_a_sign_joins_a_range():
    found = only("It costs $5-$10 here.")
    assert (found.low, found.high) == (5, 10)
    assert [found.low for found in find_quantities("5% -$10")] == [5, 10]


def test_a_range_has_one_currency_and_one_scale():
    found = only("$10–15 million")
    assert (found.low, found.high, found.unit) == (10e6, 15e6, "USD")


DAY = parse_iso("2026-01-15").first
EURO = ExchangeRate("EUR", "USD", 1.10, DAY)


def test_different_currencies_are_never_equal():
    a, b = only("a profit of $110"), only("a profit of €100")
    assert agree(a, b) is states(a, b) is Match.UNRELATED


def test_a_dated_rate_makes_currencies_comparable():
    a, b = only("a profit of $110"), only("a profit of €100")
    assert agree(a, b, [EURO]) is agree(b, a, [EURO]) is states(a, b, [EURO]) is Match.SAME
    assert agree(only("a profit of $150"), b, [EURO]) is Match.DIFFERENT


def test_the_latest_rate_counts():
    older = ExchangeRate("USD", "EUR", 2.0, parse_iso("2020-01-01").first)
    assert agree(only("a profit of $110"), only("a profit of €100"), [older, EURO]) is Match.SAME


def test_a_rate_for_others_changes_nothing():
    assert agree(only("costs of CHF 5"), only("costs of ¥5"), [EURO]) is Match.UNRELATED


def test_a_rate_must_be_positive():
    with pytest.raises(ValueError, match="positive"):
        ExchangeRate("EUR", "USD", 0.0, DAY)


def test_a_passage_is_searched_with_rates_too():
    found = compare_with_all(only("a profit of $110"), find_quantities("It made a profit of €100."), [EURO])
    assert found.match is Match.SAME
    assert found.source is not None
    assert found.source.text == "€100"
