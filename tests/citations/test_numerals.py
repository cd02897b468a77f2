import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.text.claim_number_words import cardinals, ordinal_value, ordinals
from citations.text.claim_numerals import comma_is_decimal, find_numerals, read_digits


def values(text: str) -> list[float]:
    return [numeral.value for numeral in find_numerals(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two hundred and fifty thousand", 250_000),
        ("twenty-five", 25),
        ("a hundred and one thousand", 101_000),
        ("one million two hundred thousand and five", 1_200_005),
        ("three hundred twenty one", 321),
        ("seventeen hundred", 1_700),
        ("a dozen", 12),
        ("two dozen", 24),
        ("a thousand billion", 1e12),
        ("ninety", 90),
        ("one hundred", 100),
        ("one thousand", 1_000),
        ("half a million", 0.5),
        ("two and a half", 2.5),
        ("a quarter of a million", 0.25),
    ],
)
def test_a_number_in_words_is_one_number(text, value):
    assert values(text)[0] == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("two and three", [2, 3]),
        ("nine ten", [9, 10]),
        ("between one and five", [1, 5]),
        ("twelve and twenty", [12, 20]),
    ],
)
def test_numbers_that_do_not_add_up_are_several(text, found):
    assert values(text) == found


@pytest.mark.parametrize(
    "text", ["one of the best", "no one knew", "this one", "every one of us", "One must go"]
)
def test_one_as_a_pronoun_counts_nothing(text):
    assert values(text) == []


@pytest.mark.parametrize(
    "text", ["one hour", "only one person", "one percent", "at least one", "one in five users"]
)
def test_one_counts_before_what_is_counted(text):
    assert values(text)[0] == 1


@pytest.mark.parametrize(
    ("text", "value"), [("2½ cups", 2.5), ("1 1/2 cups", 1.5), ("1/2 cup", 0.5), ("¾ cup", 0.75), ("−3", -3)]
)
def test_fractions_and_signs(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.234 Leute, 3,5 Prozent", 1_234),
        ("1.234 und 5,5", 1_234),
        ("1.234 metres, or 5.5 yards", 1.234),
        ("1.234 of it", 1.234),
        ("1,234 of it", 1_234),
        ("1,234 Liter sind mit 2,5 zu viel", 1.234),
        ("1.234 Einwohner wohnen in der Stadt und auf dem Land", 1_234),
        ("1,234 people and 5,678,901 others", 1_234),
    ],
)
def test_three_digits_after_a_mark_are_read_by_the_rest_of_the_text(text, value):
    assert values(text)[0] == pytest.approx(value)


def test_the_decimal_comma_needs_evidence():
    assert comma_is_decimal("3,5 und 4,5")
    assert not comma_is_decimal("1,234")
    assert not comma_is_decimal("3,5 and 4.5")


@pytest.mark.parametrize(
    ("written", "value", "step"),
    [
        ("1,234.50", 1_234.5, 0.01),
        ("1.234,5", 1_234.5, 0.1),
        ("1'234", 1_234, 1),
        ("1\u202f234,5", 1_234.5, 0.1),
        ("1.234.567", 1_234_567, 1),
        ("12,34,567.8", 1_234_567.8, 0.1),
    ],
)
def test_digits_have_a_value_and_a_step(written, value, step):
    assert read_digits(written) == (pytest.approx(value), pytest.approx(step))


@pytest.mark.parametrize(
    ("written", "value"),
    [("1.234", 1_234), ("0.234", 0.234), ("1.2345", 1.2345), ("1,234", 1.234), ("12", 12)],
)
def test_a_decimal_comma_makes_a_point_a_mark_of_thousands(written, value):
    assert read_digits(written, comma_decimal=True)[0] == pytest.approx(value)


def test_a_run_of_digits_too_long_to_be_reported_is_no_number():
    assert values("9" * 40) == [float("9" * 40)]
    assert values("9" * 41) == []


@pytest.mark.parametrize(
    ("text", "rank"), [("the twenty-first", 21), ("the 41st", 41), ("ninety-ninth", 99), ("Third", 3)]
)
def test_ranks_are_read_in_words_and_digits(text, rank):
    assert [found.value for found in ordinals(text)] == [rank]


def test_the_value_of_an_ordinal():
    assert ordinal_value("Thirty-Second") == 32


STYLES = {
    "en": lambda whole, cents: f"{whole:,}.{cents:02}",
    "de": lambda whole, cents: f"{whole:,}".replace(",", ".") + f",{cents:02}",
    "fr": lambda whole, cents: f"{whole:,}".replace(",", "\u202f") + f",{cents:02}",
    "ch": lambda whole, cents: f"{whole:,}".replace(",", "'") + f".{cents:02}",
    "plain": lambda whole, cents: f"{whole}.{cents:02}",
    "spaced": lambda whole, cents: f"{whole:,}".replace(",", " ") + f",{cents:02}",
}


@given(st.integers(0, 10**12), st.integers(0, 99), st.sampled_from(sorted(STYLES)))
def test_a_number_is_found_in_each_style(whole, cents, style):
    text = f"It came to {STYLES[style](whole, cents)} units."
    assert values(text) == [pytest.approx(whole + cents / 100)]


ONES = "one two three four five six seven eight nine".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


@given(
    st.integers(1, 9),
    st.integers(2, 9),
    st.integers(1, 9),
    st.sampled_from(["thousand", "million", "billion"]),
)
def test_words_of_any_size_add_up(hundreds, tens, ones, scale):
    text = f"{ONES[hundreds - 1]} hundred and {TENS[tens - 2]}-{ONES[ones - 1]} {scale}"
    (found,) = cardinals(text)
    size = {"thousand": 1e3, "million": 1e6, "billion": 1e9}[scale]
    assert found.value == (100 * hundreds + 10 * tens + ones) * size
    assert found.span.cut(text) == text


@given(st.text(alphabet="0123456789.,'’ \u202f-½/", max_size=60))
def test_any_run_of_digits_and_marks_is_read(text):
    found = find_numerals(text)
    assert all(a.span.end <= b.span.start for a, b in zip(found, found[1:], strict=False))


@pytest.mark.parametrize(
    ("text", "found"),
    [("minus 18 degrees", [-18]), ("Minus 4 at night", [-4]), ("5 minus 3", [5, 3]), ("a minus of 3", [3])],
)
def test_a_sign_may_be_a_word(text, found):
    assert values(text) == found
