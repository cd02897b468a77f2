"""Currencies named before and after a figure, each with where the name begins or ends."""

import pytest

from citations.quantities.currencies import currency_after, currency_before


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("$", ("USD", 0)),
        ("US$", ("USD", 0)),
        ("US $ ", ("USD", 0)),
        ("CHF ", ("CHF", 0)),
        ("xCHF", None),
        ("cost CHF ", ("CHF", 5)),
        ("A$", ("AUD", 0)),
        ("R$", ("BRL", 0)),
        ("Fr. ", ("CHF", 0)),
        ("sFr.", ("CHF", 0)),
        ("€", ("EUR", 0)),
        ("EUR\xa0", ("EUR", 0)),
        ("TOP ", None),
        ("usd ", ("USD", 0)),
        ("(£", ("GBP", 1)),
        ("12$", ("USD", 2)),
        ("abc", None),
        ("", None),
        ("HK$", ("HKD", 0)),
        ("zł ", ("PLN", 0)),
        ("/$", ("USD", 1)),
    ],
)
def test_a_currency_stands_before_its_figure(before, found):
    assert currency_before(f"{before}5", len(before)) == found


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("€", ("EUR", 1)),
        ("EUR", ("EUR", 3)),
        ("eur", ("EUR", 3)),
        ("Swiss francs a year", ("CHF", 12)),
        ("Swiss Franc", ("CHF", 11)),
        ("dollars", ("USD", 7)),
        ("US dollars", ("USD", 10)),
        ("U.S. dollars.", ("USD", 12)),
        ("yen", ("JPY", 3)),
        ("Yen", ("JPY", 3)),
        ("YEN", None),
        ("won", None),
        ("gold", None),
        ("or", None),
        ("zł", ("PLN", 2)),
        ("Rs", ("INR", 2)),
        ("Ft", ("HUF", 2)),
        ("$", ("USD", 1)),
        ("Fr.", ("CHF", 3)),
        ("CHF.", ("CHF", 3)),
        ("South Korean won, too", ("KRW", 16)),
        ("livres sterling", ("GBP", 15)),
        ("Schweizer Franken", ("CHF", 17)),
        ("pounds", None),
        ("kr", None),
        ("S$", None),
        ("₿", ("XBT", 1)),
        ("", None),
        (" €", None),
    ],
)
def test_a_currency_stands_after_its_figure(after, found):
    assert currency_after(after, 0) == found
