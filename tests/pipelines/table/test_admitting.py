"""A model's quotes are searched for the value that it gives."""

import pytest

from research.pipelines.table.filling.admit_table_cells import value_in
from research.pipelines.table.table_columns import TableField

STAFF = TableField(name="staff", type="number")
KM2 = TableField(name="area_km2", type="number")
SITE = TableField(name="website", type="url")


@pytest.mark.parametrize(
    ("field", "value", "words", "said"),
    [
        (STAFF, 41_285, "It has 41,285 employees.", "41,285"),
        (STAFF, 1_200_000, "It has 1.2 million employees.", "1.2 million"),
        (KM2, 1, "It covers 100 hectares.", "100 hectares"),
        (SITE, "https://acme.example/about", "See acme.example/about for more.", "acme.example/about"),
        (SITE, "https://acme.example", "See http://acme.example for more.", "acme.example"),
    ],
)
def test_words_have_a_value_however_they_spell_it(field, value, words, said):
    found = value_in(field, value, words)
    assert found is not None
    assert found.cut(words) == said


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        (STAFF, 1_200_000, "It has 1.2 employees."),
        (KM2, 1, "It covers 100 metres."),
        (STAFF, 7, "It has some."),
    ],
)
def test_words_that_say_another_value_have_none(field, value, words):
    assert value_in(field, value, words) is None
