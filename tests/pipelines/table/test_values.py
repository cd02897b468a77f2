"""Raw answers become values of their column's type, or are refused in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.table.convert_table_cell_values import (
    MAX_VALUES,
    ValueRefusal,
    format_value,
    parse_value,
    same,
    split_list,
    tidy,
)
from research.pipelines.table.table_columns import FieldType, TableField

NUMBER = TableField(name="number", type="number")
KM2 = TableField(name="area_km2", type="number")
EUR = TableField(name="revenue", type="number", title="Revenue in EUR")
DATE = TableField(name="day", type="date")
YEAR = TableField(name="founded", type="date", format="year")
URL = TableField(name="website", type="url")
TRUTH = TableField(name="listed", type="boolean")
LIST = TableField(name="languages", many=True)


@pytest.mark.parametrize(
    ("field", "raw", "value"),
    [
        (NUMBER, "1,234", 1234),
        (NUMBER, " 1.5 million ", 1_500_000),
        (NUMBER, "12.5 %", 12.5),
        (NUMBER, 7, 7),
        (NUMBER, "27,360,935,123,456", 27_360_935_123_456),
        (NUMBER, 27_360_935_123_456_789, 27_360_935_123_456_789),
        (NUMBER, "founded in 1998", 1998),
        (NUMBER, "652,230 square kilometres", 652_230),
        (KM2, "652,230 square kilometres", 652_230),
        (KM2, "100 hectares", 1),
        (KM2, "28,748", 28_748),
        (EUR, "€5.5 million", 5_500_000),
        (EUR, "EUR 700", 700),
        (TableField(name="share", type="number", format="%"), "45 per cent", 45),
        (TableField(name="n", type="number", format="integer"), "12 employees", 12),
        (DATE, "22 June 2017", "2017-06-22"),
        (DATE, "2017-06", "2017-06"),
        (DATE, "03/04/2024", "2024"),  # two readings: what they share
        (YEAR, "22 June 2017", "2017"),
        (YEAR, 2017, "2017"),
        (URL, "www.acme.example/a?b=c", "https://www.acme.example/a?b=c"),
        (URL, "HTTP://acme.example", "HTTP://acme.example"),
        (TRUTH, "Yes.", True),
        (TRUTH, "nein", False),
        (TRUTH, False, False),
        (LIST, "Dutch, French and German", ("Dutch", "French", "German")),
        (LIST, "Washington, D.C.; New York", ("Washington, D.C.", "New York")),
        (LIST, ["Dutch", "dutch"], ("Dutch",)),
        (LIST, "Antigua and Barbuda", ("Antigua and Barbuda",)),
        (LIST, [], ()),
        (TableField(name="years", type="number", many=True), "1998, 2003 and 2010", (1998, 2003, 2010)),
        (TableField(name="name"), " Acme\n Works ", "Acme Works"),
        (TableField(name="name"), ["Acme"], "Acme"),
        (TableField(name="mail", format="email"), "a@acme.example", "a@acme.example"),
        (TableField(name="logo", type="file"), "logo-2.svg", "logo-2.svg"),
        (TableField(name="code", pattern="[A-Z]{3}"), "AFG", "AFG"),
    ],
)
def test_what_fits_is_taken_in_the_form_of_its_column(field, raw, value):
    found = parse_value(field, raw)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("field", "raw", "why"),
    [
        (NUMBER, "many", "is not a number"),
        (NUMBER, "9 to 11", "is a range, not one number"),
        (NUMBER, True, "Enter a number"),
        (NUMBER, float("nan"), "is not a number"),
        (NUMBER, float("-inf"), "is not a number"),
        (NUMBER, 10**400, "is not a number"),
        (NUMBER, "1" * 400, "is not a number"),
        (KM2, "5 kg", "is not a number"),
        (EUR, "$5", "is not a number"),
        (TableField(name="n", type="number", format="integer"), "1.5", "not a whole number"),
        (DATE, "soon", "is not a valid date"),
        (DATE, "1990-1995", "is not a valid date"),
        (DATE, "2017-13-40", "is not a valid date"),
        (TableField(name="d", type="date", format="day"), "June 2017", "does not name the day"),
        (URL, "javascript:alert(1)", "not a web address"),
        (URL, "https://user:pass@acme.example", "not a web address"),
        (URL, "http://127.0.0.1/", "not a web address"),
        (URL, "no address", "not a web address"),
        (TRUTH, "perhaps", "neither yes nor no"),
        (LIST, ["x"] * 3 + [None], "There is no value"),
        (LIST, [f"v{n}" for n in range(MAX_VALUES + 1)], "at most 200 values"),
        (TableField(name="name"), "", "There is no value"),
        (TableField(name="name"), None, "There is no value"),
        (TableField(name="name"), ["a", "b"], "not a list"),
        (TableField(name="name"), "x" * 1_001, "at most 1000 characters"),
        (TableField(name="name"), {"a": 1}, "Enter text"),
        (TableField(name="mail", format="email"), "a at acme", "not an e-mail address"),
        (TableField(name="logo", type="file"), "no file", "neither a file's name"),
        (TableField(name="code", pattern="[A-Z]{3}"), "AFGH", "does not have the format"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(field, raw, why):
    found = parse_value(field, raw)
    assert isinstance(found, ValueRefusal)
    assert why in found.reason


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1_200_000, 1_204_311),
        ("2017", "2017-06-22"),
        ("N’Djamena", "n'djamena"),
        ("Acme Inc.", "Acme"),
        ("https://www.acme.example/", "http://acme.example"),
        (("a", "b"), ("B", "a")),
    ],
)
def test_values_that_say_the_same(a, b):
    assert same(a, b)
    assert same(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (652_230, 652_864),
        (1_200_000_000_000, 1_600_000_000_000),
        (0.000012, 0.000016),
        ("2017", "2018"),
        (True, 1),
        (("a",), ("a", "b")),
        ("DR Congo", "Congo"),
        ("a", ("a",)),
        ("1", 1),
    ],
)
def test_values_that_say_something_else(a, b):
    assert not same(a, b)
    assert not same(b, a)


def test_values_are_written_as_people_write_them():
    assert format_value(("Dari", "Pashto")) == "Dari, Pashto"
    assert format_value(("Washington, D.C.", "Oslo")) == "Washington, D.C.; Oslo"
    assert [format_value(each) for each in (True, False, 1.5, 0.25, 10**6, 1e16, 3e-14, (), "x")] == [
        "yes", "no", "1.5", "0.25", "1000000", "10000000000000000", "0.00000000000003", "none", "x",
    ]  # fmt: skip


FIELDS = st.builds(
    TableField,
    name=st.just("x"),
    type=st.sampled_from(FieldType),
    many=st.booleans(),
    format=st.sampled_from(["", "year", "km²", "integer"]),
)


@given(
    FIELDS, st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none(), st.lists(st.text()))
)
def test_anything_is_either_a_value_that_stays_one_or_refused(field, raw):
    value = parse_value(field, raw)
    if isinstance(value, ValueRefusal):
        assert value.reason.endswith(".")
    else:
        assert isinstance(value, tuple) is field.many
        assert same(value, value)
        again = parse_value(field, list(value) if isinstance(value, tuple) else value)
        assert not isinstance(again, ValueRefusal)
        assert same(again, value)


@given(st.lists(st.from_regex(r"[A-Z][a-z]{3,8}", fullmatch=True), min_size=1, max_size=9, unique=True))
def test_a_list_in_words_is_the_list_again(names):
    assert split_list(", ".join(names)) == names
    assert split_list("; ".join(names)) == names
    assert split_list("\n".join(names)) == names


def test_a_list_with_blanks_without_end_is_read_at_once():
    assert split_list(f"Dutch{' ' * 1_000_000},{' ' * 1_000_000}French") == ["Dutch", "French"]


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_tidying_changes_no_number_that_anybody_could_tell_apart(number):
    assert tidy(number) == pytest.approx(number, rel=1e-9)
