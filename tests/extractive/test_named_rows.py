"""Rows of tables are statements about the things that the question names."""

from dataclasses import replace

import pytest

from research.extractive.answer_named_rows import omit_other_rows
from research.extractive.question.parsed_question import analyse
from research.parsing.parsed_table_rows import NamedRow
from tests.extractive.conftest import candidate, hash_vectors

ROWS = {
    name: replace(candidate("lights", f"{name} | {year}"), row=NamedRow(name, (("Lit", year),)))
    for name, year in (("Wold Point", "1934"), ("Skarn Head", "1871"))
}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("In which year was the lighthouse of Wold Point lit?", {"Wold Point"}),
        ("When was Wold Point lit?", {"Wold Point"}),
        ("Which lighthouse was lit before Wold Point?", set(ROWS)),
        ("When were all lighthouses but Wold Point lit?", set(ROWS)),
        ("When were the lighthouses lit?", set(ROWS)),
    ],
)
def test_rows_of_other_things_are_left_out_unless_they_are_asked_for(ranker, question, names):
    ranked = ranker(question).rank(ROWS.values(), hash_vectors)
    kept = omit_other_rows(analyse(question), ranked)
    assert {item.candidate.row.name for item in kept if item.candidate.row} == names
