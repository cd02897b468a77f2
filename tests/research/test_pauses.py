"""The pause that a server asks for, whatever it writes."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.runtime.retry_after import parse_retry_after

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
LARGE = "9" * 20


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        ("0", 0), ("120", 120), (" 7 ", 7), ("1.5", 1.5), ("Sat, 15 Jun 2024 12:01:00 GMT", 60),
        ("Sat, 15 Jun 2024 11:00:00 GMT", 0), ("", None), ("soon", None), ("-5", None), ("1e9", None), ("nan", None),
        ("\u0663", None),
    ],
)  # fmt: skip
def test_a_pause_is_asked_for_in_seconds_or_until_a_date(word, seconds):
    assert parse_retry_after(word, NOW) == seconds


@pytest.mark.parametrize(
    "word",
    [
        f"Sat, {LARGE} Jun 2024 12:01:00 GMT", f"Sat, 15 Jun {LARGE} 12:01:00 GMT",
        f"Sat, 15 Jun 2024 {LARGE}:01:00 GMT",
        f"Sat, 15 Jun 2024 12:01:00 +{LARGE}", "Sat, 15 Jun 2024 12:01:00 +9999999999",
    ],
)  # fmt: skip
def test_numbers_that_fit_into_no_date_are_no_pause(word):
    assert parse_retry_after(word, NOW) is None


@given(st.text(max_size=60))
def test_no_header_is_too_odd_to_be_read(header):
    seconds = parse_retry_after(header, NOW)
    assert seconds is None or seconds >= 0
