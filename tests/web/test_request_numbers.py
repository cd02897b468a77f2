"""Numbers in addresses, forms and headers."""

import pytest

from research.web.site.page_request_numbers import whole


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999_999_999)])
def test_digits_are_a_number(text, number):
    assert whole(text, -1) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1.0", " 1", "1_000", "²", "١", "½", "9" * 10, "9" * 5_000, "\0", "x"]
)
def test_all_else_is_none(text):
    assert (whole(text), whole(text, -1)) == (0, -1)
