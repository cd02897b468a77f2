"""Whatever a text holds, what is found in it stands where it is said to stand, and is found in linear time."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citations.dates.find_dates import find_times
from citations.entities.entities import find_entities
from citations.find_quantities import find_quantities
from citations.quantities.compare_amounts import Match, agree, compare_with_all, states
from tests.often import often

FINDERS = pytest.mark.parametrize("find", [find_quantities, find_times, find_entities])

PIECES = st.sampled_from(
    "12 1,234.5 1.234,5 1'234 ½ two hundred and % per cent million bn $ CHF € US$ km/h °C MB in of to – - : / ( ) "
    "from between rose over up May 2017 03/04/2024 Q3 BC the 1990s Apollo Paris Texas , . \x00 \ud800 \u202e ١٢ 五 "
    "Dr. U.S. No. http:// 5'11\" ± + x times half third one in five 3:1 e\u0301 İ ß ﬁ \u200b".split(" ")
)
TEXTS = st.one_of(
    st.text(max_size=150),
    st.lists(PIECES, max_size=25).map(" ".join),
    st.lists(PIECES, max_size=25).map("".join),
)


@FINDERS
@often(300)
@given(text=TEXTS)
@example(text="\ud800 12 \udfff")
@example(text="9" * 5_000)
@example(text="1e308 " * 3)
@example(text="²³ ① ٣ ½")
@example(text="İstanbul ı 12 ﬁ")
def test_what_is_found_is_the_text_at_its_span(find, text):
    found = find(text)
    assert all(each.span.cut(text) == each.text for each in found)
    assert all(a.span.end <= b.span.start for a, b in zip(found, found[1:], strict=False))


@often(300)
@given(text=TEXTS)
def test_quantities_are_finite_and_ordered(text):
    for found in find_quantities(text):
        assert abs(found.low) < float("inf")
        assert found.low <= found.high
        assert found.step > 0


@often(200)
@given(TEXTS, TEXTS)
def test_any_two_quantities_compare(a, b):
    for quantity in find_quantities(a):
        for other in find_quantities(b):
            assert agree(quantity, other) is agree(other, quantity)
            assert states(quantity, other) in Match
        assert compare_with_all(quantity, find_quantities(a)).match is Match.SAME


@often(200)
@given(TEXTS, TEXTS)
def test_any_two_times_compare(a, b):
    for time in find_times(a):
        assert not time.conflicts(time)
        for other in find_times(b):
            assert time.conflicts(other) is other.conflicts(time)
            assert time.overlaps(other) is other.overlaps(time)


LONG = {
    "digits": "1" * 40_000,
    "commas": "," * 40_000,
    "digits and commas": "1," * 10_000,
    "thousands": "1" + ",000" * 8_000,
    "dashes": "1-" * 10_000,
    "capitals": "A" * 40_000,
    "names": "Aa " * 6_000,
    "points": "." * 40_000,
    "spaces": " " * 40_000,
    "lines": "\n" * 40_000,
    "brackets": "[" + "1, " * 6_000,
    "months": "May " * 8_000,
    "halves": "half a " * 3_000,
    "links": "A of the " * 5_000,
}


@FINDERS
@pytest.mark.parametrize("kind", LONG)
def test_a_long_run_of_one_thing_comes_to_an_end(find, kind):
    """Each of these took minutes with a pattern that goes back over what it has read."""
    assert isinstance(find(LONG[kind]), tuple)
