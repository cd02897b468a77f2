import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.table_claims import TableVerdict, find_tables, judge
from tests.citations.table_claims.passages import LIDOS, PLACINGS, REGATTA, table
from tests.often import often

CARRIED = """
Sandhithe opened in 1949.
Sandhithe had the most visitors.
Northgate had the second highest number of visitors.
The oldest lido is Old Quay.
There are three lidos in Aldermoor.
Two lidos had more than 50,000 visitors.
Sandhithe opened before Low Ferry.
Low Ferry is not heated.
All lidos in Werrow opened after 1940.
None of the lidos in Werrow opened before 1940.
Sandhithe opened 13 years before Low Ferry.
The average entry fee is £3.70.
The most common county is Aldermoor.
Sandhithe is the only lido with more than 60,000 visitors.
Fewer than 15,000 people visited Low Ferry.
""".strip().splitlines()

NOT_CARRIED = """
Sandhithe opened in 1954.
Northgate had the most visitors.
Old Quay had the second highest number of visitors.
The oldest lido is Northgate.
Four lidos are in Aldermoor.
Three lidos had more than 50,000 visitors.
Sandhithe opened after Low Ferry.
Low Ferry is heated.
All lidos in Werrow opened after 1950.
None of the lidos in Werrow opened before 1960.
Sandhithe opened 18 years before Low Ferry.
The lidos had a total of 306,240 visitors.
Northgate is the only lido in Aldermoor.
Northgate drew 15,656 visitors.
More lidos are in Werrow than in Aldermoor.
""".strip().splitlines()


def judge_claim(claim, passage=LIDOS):
    return judge(claim, table(passage))


@pytest.mark.parametrize("claim", CARRIED)
def test_what_the_table_says_is_carried(claim):
    assert judge_claim(claim).verdict is TableVerdict.TRUE


@pytest.mark.parametrize("claim", NOT_CARRIED)
def test_what_the_table_says_otherwise_is_false(claim):
    assert judge_claim(claim).verdict is TableVerdict.FALSE


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The club won against Dunlow on April 6, 2008.", TableVerdict.TRUE),
        ("The club won against Dunlow on May 18, 2008.", TableVerdict.FALSE),
        ("The largest crowd was on 6 April 2008.", TableVerdict.TRUE),
    ],
)
def test_results_and_dates_are_read(claim, verdict):
    assert judge_claim(claim, REGATTA).verdict is verdict


@pytest.mark.parametrize(
    "claim",
    [
        "",
        " ",
        "Cats sleep.",
        "\ud800",
        "|",
        "0" * 5_000,
        "Photosynthesis turns light into sugar in all green plants.",
        "Revenue rose 12 % to 5 million in 1949.",
    ],
)
def test_a_claim_about_something_else_is_unknown(claim):
    assert judge_claim(claim).verdict is TableVerdict.UNKNOWN


def test_a_claim_that_is_not_of_the_table_is_improbable():
    assert judge_claim("Cats sleep.").probability < 0.5


def test_the_cells_that_decide_are_spans_of_the_passage():
    found = judge_claim("Sandhithe opened in 1949.")
    assert {span.cut(LIDOS) for span in found.spans} == {"Sandhithe", "1949"}


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Sandhithe opened in 1949.", "row “Sandhithe”: Lido “Sandhithe”, Opened “1949”"),
        ("Northgate had the most visitors.", "most Visitors: “Sandhithe” (64,900)"),
        (
            "Northgate drew 15,656 visitors.",
            "row “Northgate”: Lido “Northgate”; Visitors “51,656” ≠ “15,656”",
        ),
    ],
)
def test_the_reason_names_row_column_and_value(claim, reason):
    assert judge_claim(claim).reason == reason


def test_from_a_part_of_a_table_nothing_false_follows():
    cut = "\n".join(LIDOS.splitlines()[4:])
    assert not table(cut).is_whole
    assert judge_claim("Millbank Pool has a fee of £4.50 in Werrow.", cut).verdict is not TableVerdict.FALSE


def test_from_a_part_of_a_table_no_extreme_follows():
    cut = "\n".join(LIDOS.splitlines()[4:])
    assert "most" not in judge_claim("Northgate had the most visitors, 51,656.", cut).reason


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ada Fenn finished in 1:12:04.", "Ada Fenn finished in 1:21:04."),
        ("Bo Carrick is of the Stane Striders.", "Bo Carrick is of the Dunlow Harriers."),
    ],
)
def test_a_true_claim_is_more_probable_than_the_same_with_one_thing_changed(better, worse):
    assert judge_claim(better, PLACINGS).probability > judge_claim(worse, PLACINGS).probability


CLAIM_WORDS = (
    "northgate sandhithe werrow visitors opened heated most only all none not first second three 1949 51,656 more "
    "than before after highest average total same and or of the 5 at least followed by as many"
).split()


@often(150)
@given(st.lists(st.sampled_from(CLAIM_WORDS), max_size=14))
def test_any_claim_has_a_finding_with_a_probability_and_spans_of_the_passage(words):
    found = judge_claim(" ".join(words))
    assert 0 <= found.probability <= 1
    assert all(span.end <= len(LIDOS) for span in found.spans)
    assert found == judge_claim(" ".join(words))


@often(100)
@given(st.text(max_size=60), st.text(alphabet="ab1 |\n-.é\ud800", max_size=120))
def test_any_claim_and_any_table_have_a_finding(claim, passage):
    for found in find_tables(passage):
        assert 0 <= judge(claim, found).probability <= 1
