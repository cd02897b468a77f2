"""The shape of a table's columns."""

import pytest
from pydantic import ValidationError

from research.pipelines.table.table_columns import (
    MAX_FIELDS,
    FieldType,
    TableField,
    complaints,
    matcher,
    name_of,
    title_of,
)


def test_a_field_takes_its_title_from_its_name():
    assert TableField(name="area_km2").title == "Area km2"
    assert TableField(name="area_km2", title="Area").title == "Area"
    assert TableField(name="area_km2").type is FieldType.STRING


@pytest.mark.parametrize("title", [None, 0, [], False])
def test_what_is_no_text_is_no_title(title):
    with pytest.raises(ValidationError):
        TableField(name="area", title=title)


@pytest.mark.parametrize("name", ["", "Area", "2nd", "a b", "é", "x" * 61])
def test_a_name_that_is_not_in_snake_case_is_refused(name):
    with pytest.raises(ValidationError):
        TableField(name=name)


@pytest.mark.parametrize("pattern", ["[", "(?=x)y", r"(a)\1", "a)|(b", "a{1000}{1000}"])
def test_a_pattern_that_cannot_be_matched_in_linear_time_is_refused(pattern):
    with pytest.raises(ValidationError, match="no regular expression"):
        TableField(name="code", pattern=pattern)


def test_a_pattern_that_would_take_others_forever_answers_at_once():
    assert matcher("(a+)+") is not None
    with pytest.raises(ValidationError):
        matcher("(a+)+").validate_python("a" * 5_000 + "!")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Founding year (first)", "founding_year_first"),
        ("Größe in km²", "grosse_in_km2"),
        ("2. CEO", "ceo"),
        ("¿?", ""),
    ],
)
def test_titles_become_names(title, name):
    assert name_of(title) == name
    assert not name or TableField(name=name).title == title_of(name)


def test_a_table_needs_columns_of_different_names_and_not_too_many():
    assert complaints([]) == ["A table needs at least one column."]
    assert complaints([TableField(name="a"), TableField(name="a")]) == ["Two columns are named “a”."]
    many = [TableField(name=f"a{number}") for number in range(MAX_FIELDS + 1)]
    assert "at most 30 columns; here are 31" in complaints(many)[0]
    assert complaints([TableField(name="a"), TableField(name="b")]) == []


def test_fields_are_values_that_do_not_change():
    assert hash(TableField(name="a")) == hash(TableField(name="a"))
    with pytest.raises(ValidationError):
        TableField(name="a").name = "b"
    with pytest.raises(ValidationError):
        TableField(name="a", colour="red")
