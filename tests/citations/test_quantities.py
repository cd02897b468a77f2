import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.find_quantities import BoundKind, Quantity, QuantityKind, find_quantities
from citations.text.quote_span import Span


def only(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234,567 users", 1_234_567),
        ("1.234.567 users", 1_234_567),
        ("1'234'567 users", 1_234_567),
        ("1\u00a0234\u00a0567 users", 1_234_567),
        ("1,234.5 points", 1_234.5),
        ("1.234,5 points", 1_234.5),
        ("12,5 points", 12.5),
        ("12.5 points", 12.5),
        ("29000 rounds", 29_000),
        ("a gain of −3 points", -3),
        ("six albums", 6),
        ("twenty-one guns", 21),
        ("2 million users", 2e6),
        ("45k users", 45e3),
        ("five hundred users", 500),
        ("3.2 Mio. users", 3.2e6),
        ("1.1 Mrd. users", 1.1e9),
        ("2.5 Billion users", 2.5e9),
        ("5m copies", 5e6),
        ("45 K users", 45e3),
        ("45 k users", 45e3),
        ("45 M users", 45e6),
        ("a 70B model", 70e9),
        ("two dozen users", 24),
        ("3 crore users", 3e7),
        ("2.5 hundred thousand users", 250e3),
    ],
)
def test_numbers_of_all_styles_are_read(text, value):
    found = only(text)
    assert found.low == found.high == pytest.approx(value)
    assert found.kind is QuantityKind.COUNT


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("78 % of users", QuantityKind.PERCENT, 78, ""),
        ("78 percent", QuantityKind.PERCENT, 78, ""),
        ("three quarters of users", QuantityKind.PERCENT, 75, ""),
        ("3 in 4 users", QuantityKind.PERCENT, 75, ""),
        ("2 out of 5", QuantityKind.PERCENT, 40, ""),
        ("2.3 percentage points", QuantityKind.POINTS, 2.3, ""),
        ("25 basis points", QuantityKind.POINTS, 0.25, ""),
        ("a CAGR of 5.2 %", QuantityKind.GROWTH, 5.2, ""),
        ("$5M", QuantityKind.CURRENCY, 5e6, "USD"),
        ("US$ 3.2bn", QuantityKind.CURRENCY, 3.2e9, "USD"),
        ("CHF 1'200.50", QuantityKind.CURRENCY, 1_200.5, "CHF"),
        ("1.234,50 €", QuantityKind.CURRENCY, 1_234.5, "EUR"),
        ("5 million euros", QuantityKind.CURRENCY, 5e6, "EUR"),
        ("15 MiB of memory", QuantityKind.MEASURE, 15 * 2**20, "B"),
        ("72 bytes", QuantityKind.MEASURE, 72, "B"),
        ("0.5 seconds", QuantityKind.MEASURE, 0.5, "s"),
        ("90 days", QuantityKind.MEASURE, 7_776_000, "s"),
        ("10 km", QuantityKind.MEASURE, 10_000, "m"),
        ("100 m", QuantityKind.MEASURE, 100, "m"),
        ("64-bit", QuantityKind.MEASURE, 8, "B"),
        ("10x faster", QuantityKind.FACTOR, 10, ""),
        ("the 41st artist", QuantityKind.ORDINAL, 41, ""),
        ("the third album", QuantityKind.ORDINAL, 3, ""),
    ],
)
def test_kinds_and_units(text, kind, value, unit):
    found = only(text)
    assert (found.kind, found.unit) == (kind, unit)
    assert found.low == found.high == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("12 characters", BoundKind.EXACT),
        ("at least 12 characters", BoundKind.AT_LEAST),
        ("a minimum of 12 characters", BoundKind.AT_LEAST),
        ("a minimum length of 12 characters", BoundKind.AT_LEAST),
        ("no fewer than 12 characters", BoundKind.AT_LEAST),
        ("not be shorter than 12 characters", BoundKind.AT_LEAST),
        ("12 or more characters", BoundKind.AT_LEAST),
        ("12 characters or more", BoundKind.AT_LEAST),
        ("12+ characters", BoundKind.AT_LEAST),
        ("over 12 characters", BoundKind.MORE_THAN),
        ("longer than 12 characters", BoundKind.MORE_THAN),
        ("no more than 12 characters", BoundKind.AT_MOST),
        ("up to 12 characters", BoundKind.AT_MOST),
        ("12 characters or less", BoundKind.AT_MOST),
        ("shorter than 12 characters", BoundKind.LESS_THAN),
        ("under 12 characters", BoundKind.LESS_THAN),
        ("about 12 characters", BoundKind.ABOUT),
        ("nearly 12 characters", BoundKind.ABOUT),
    ],
)
def test_bounds(text, bound):
    assert only(text).bound is bound


@pytest.mark.parametrize(
    "text", ["10–15 percent", "10 to 15 percent", "10-15 %", "ranges from 10 to 15 percent"]
)
def test_a_range_has_two_ends(text):
    found = only(text)
    assert (found.low, found.high, found.kind) == (10, 15, QuantityKind.PERCENT)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("3 hundred to 5 hundred users", (300, 500)),
        ("10–15 million users", (10e6, 15e6)),
        ("between 5 and 7 users", (5, 7)),
        ("$10 to $15 million", (10e6, 15e6)),
        ("two to three users", (2, 3)),
    ],
)
def test_a_scale_told_once_is_that_of_both_ends(text, ends):
    found = only(text)
    assert (found.low, found.high) == ends


@pytest.mark.parametrize("text", ["15–10 users", "3 users to 5 servers", "5 km – 3 USD", "5 and 7 users"])
def test_what_is_no_range_stays_apart(text):
    assert all(found.low == found.high for found in find_quantities(text))


def test_a_change_told_backwards_names_the_old_value_too():
    new, old = find_quantities("Increase the iterations to 260000 from 150000.")
    assert (new.is_former, old.is_former) == (False, True)


def test_a_change_names_the_old_and_the_new_value():
    old, new = find_quantities("The count is increased from 870,000 to 1,000,000.")
    assert (old.low, old.is_former) == (870_000, True)
    assert (new.low, new.is_former) == (1_000_000, False)


@pytest.mark.parametrize(
    "text",
    [
        "OWASP ASVS 4.0.3",
        "SP 800-63B",
        "in 2017",
        "since May 21, 2017",
        "section 2.1",
        "§ 5.2.10",
        "Django 4.2 is out",
        "version 5",
        "v2 of it",
        "RFC 2104",
        "ISO/IEC 27001",
        "Table 3",
        "as shown [12] and [3, 4]",
        "CVE-2017-1234",
        "SHA-256 and PBKDF2",
        "page 12",
        "https://example.org/1/22",
        "Argon2id",
        "the 1990s",
    ],
)
def test_names_and_dates_are_no_quantities(text):
    assert find_quantities(text) == ()


def test_a_quantity_has_all_that_its_sentence_says_of_it():
    text = "Each site gained more than 12.5 thousand users per day."
    assert only(text) == Quantity(
        span=Span(27, 40),
        text="12.5 thousand",
        kind=QuantityKind.COUNT,
        low=12_500,
        high=12_500,
        step=100,
        bound=BoundKind.MORE_THAN,
        nouns=frozenset({"user", "day"}),
        subject=frozenset({"site", "gain"}),
        head="user",
        per="day",
    )


def test_a_number_beyond_all_measure_is_none():
    assert find_quantities("9" * 40 + " trillion") != ()
    assert find_quantities("1" + "0" * 39 + " trillion trillion km") != ()


def test_what_is_counted_is_kept():
    assert only("at least 8 ASCII characters in length").nouns == {"ascii", "charact"}


def test_what_goes_before_is_kept():
    assert only("use a work factor of 310,000 or more").subject == {"work", "factor", "use"}


def test_words_of_a_bound_are_no_subject():
    assert only("It must have at least 8").subject == frozenset()


def test_the_step_is_the_last_written_digit():
    assert only("12.50 points").step == pytest.approx(0.01)
    assert only("1.5 million points").step == pytest.approx(100_000)


def test_two_quantities_of_one_sentence_are_kept_apart():
    found = find_quantities("at least 8 characters although a minimum of 15 characters is recommended")
    assert [(each.low, each.bound) for each in found] == [(8, BoundKind.AT_LEAST), (15, BoundKind.AT_LEAST)]


@pytest.mark.parametrize("text", ["", "no numbers here", "٣ apples ½", "\ud800 12 \x00"])
def test_odd_texts_are_searched(text):
    assert isinstance(find_quantities(text), tuple)


@given(st.text(max_size=100))
def test_any_text_gives_quantities_inside_it(text):
    for found in find_quantities(text):
        assert 0 <= found.span.start < found.span.end <= len(text)
        assert found.low <= found.high
        assert found.text == found.span.cut(text)


@given(st.integers(0, 10**9))
def test_a_grouped_number_is_read_like_a_plain_one(number):
    assert only(f"it has {number:,} users").low == number


@given(st.lists(st.sampled_from(["12 users", "5 %", "in 2017", "$3", "v1.2.3", "up to 9 km"]), max_size=6))
def test_quantities_never_overlap(parts):
    found = find_quantities(", and ".join(parts))
    assert all(a.span.end <= b.span.start for a, b in zip(found, found[1:], strict=False))


@pytest.mark.parametrize(
    "text",
    [
        "12/28 patients", "12 of 28 patients", "12 out of 28 patients", "Twelve of the 28 patients", "patients (12/28)",
        "12/28 (43)", "12 von 28 Proben",
    ],
)  # fmt: skip
def test_some_of_all_are_two_counts_in_any_writing(text):
    assert [quantity.low for quantity in find_quantities(text)][:2] == [12, 28]


@pytest.mark.parametrize("text", ["open 24/7", "the 9/11 attacks", "on 12/10/2024", "the winter of 2019/20"])
def test_a_slash_in_a_name_or_date_counts_nothing(text):
    assert not find_quantities(text)


@pytest.mark.parametrize(("text", "value"), [("3/4 full", 0.75), ("5/8 inch", 0.015875)])
def test_a_fraction_stays_one(text, value):
    assert [quantity.low for quantity in find_quantities(text)] == pytest.approx([value])
