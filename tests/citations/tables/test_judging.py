import pytest

from citations.tables import TableVerdict, find_tables, judge

HARBOURS = """Table: harbours of the lake
harbour | opened | berths | county
northgate | 1931 | 120 | aldermoor
millbank | 1954 | 85 | aldermoor
sandhithe | 1949 | 240 | werrow"""


def finding(claim, passage=HARBOURS):
    (table,) = find_tables(passage)
    return judge(claim, table)


def test_cells_of_one_row_carry_a_claim():
    assert finding("Sandhithe opened in 1949.").verdict is TableVerdict.TRUE


def test_cells_of_different_rows_do_not_carry_a_claim():
    assert finding("Sandhithe opened in 1954.").verdict is TableVerdict.FALSE


def test_a_claim_about_something_else_is_unknown():
    assert finding("Cats sleep.").verdict is TableVerdict.UNKNOWN


def test_the_cells_that_decide_are_spans_of_the_passage():
    found = finding("Sandhithe opened in 1949.")
    assert {span.cut(HARBOURS) for span in found.spans} == {"sandhithe", "1949"}


@pytest.mark.parametrize("claim", ["", " ", "\ud800", "|", "0" * 5_000])
def test_a_claim_without_sense_is_unknown(claim):
    assert finding(claim).verdict is TableVerdict.UNKNOWN
