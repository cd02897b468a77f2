import pytest

from citations.table_claims.rules.claimed_wins import outcome, outcome_columns
from citations.table_claims.table_claim_cells import read_cell
from citations.text.quote_span import Span
from tests.citations.table_claims.passages import LIDOS, REGATTA, table


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("w 5 - 2", "win"),
        ("Loss", "lose"),
        ("l 1 - 4 (ot)", "lose"),
        ("runner - up", "lose"),
        ("D 2-2", "draw"),
        ("5 - 2", None),
        ("", None),
        ("Werrow", None),
    ],
)
def test_a_result_begins_with_who_won(text, said):
    assert outcome(read_cell(text, Span(0, len(text)))) == said


def test_a_column_of_results_is_found():
    assert [table(REGATTA).headers[column] for column in outcome_columns(table(REGATTA))] == ["result"]


def test_other_tables_have_none():
    assert outcome_columns(table(LIDOS)) == ()


def test_one_result_among_names_makes_no_column_of_results():
    assert outcome_columns(table("name | town\nAda | Winner\nBo | Stane\nCy | Hexley")) == ()
