import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.table_claims.score_claim_readings import Ballot, ScoredReading, ballot, features, score
from citations.table_claims.table_claim_readings import TableOperation, TableReading
from tests.citations.table_claims.passages import link_to_table


def make_reading(*covered, holds=True, traits=()):
    return TableReading(TableOperation.LOOKUP, holds, frozenset(covered), "", (), traits)


def test_a_number_that_a_reading_leaves_out_is_a_feature():
    found = features(link_to_table("Northgate drew 777 people"), make_reading(0, 1, 3))
    assert found["left_numbers"] == 1


def test_a_cue_that_a_reading_leaves_out_is_a_feature():
    assert features(link_to_table("Northgate is the only one"), make_reading(0))["left_only"] == 1


def test_what_is_covered_is_not_left():
    assert not any(name.startswith("left_") for name in features(link_to_table("Northgate"), make_reading(0)))


def test_words_of_the_title_are_not_left():
    assert "left_words" not in features(link_to_table("Northgate on Lake Aldern"), make_reading(0))


def test_a_trait_counts_for_each_answer_apart():
    found = features(link_to_table("Northgate"), make_reading(0, traits=("held_1",), holds=False))
    assert {"held_1", "held_1_fails", "lookup_fails"} <= set(found)


def test_a_score_is_the_weighted_sum():
    assert score({"a": 2.0, "b": 1.0, "c": 5.0}, {"a": 1.5, "b": -1.0}) == 2.0


def two(linkage=1.0):
    return Ballot(
        (
            ScoredReading(True, {"for": 1.0}, make_reading(0)),
            ScoredReading(False, {"against": 1.0}, make_reading(0, holds=False)),
        ),
        linkage,
    )


def test_equal_readings_share_the_probability():
    assert two().probability({}) == 0.5


def test_the_best_reading_for_an_answer_is_of_that_answer():
    found = two().best({"against": 9.0}, holds=True)
    assert found is not None
    assert found.holds


def test_a_claim_that_names_little_of_the_table_is_less_probable():
    assert two(linkage=0.2).probability({}, least_linkage=0.4) == pytest.approx(0.25)


def test_a_ballot_without_readings_is_empty():
    assert Ballot((ScoredReading(True, {}),), 1.0).is_empty
    assert Ballot((), 1.0).probability({}) == 0.0


def test_a_ballot_has_both_empty_readings():
    assert [each.holds for each in ballot(link_to_table("Northgate"), ()).readings] == [True, False]


@given(st.floats(-50, 50), st.floats(-50, 50))
def test_a_weight_for_raises_the_probability(low, more):
    low, high = sorted((low, more))
    assert 0 <= two().probability({"for": low}) <= two().probability({"for": high}) <= 1
