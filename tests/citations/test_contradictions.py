from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.claim_statement_conflicts import SentenceConflict
from citations.contradictions import (
    Assertion,
    ClaimRelation,
    ConflictKind,
    DetectedContradiction,
    Resolution,
    SideScores,
    find_contradictions,
)
from citations.dates.find_dates import parse_iso

TODAY = date(2026, 7, 1)
NIST = Assertion(
    "nist",
    "Verifiers require memorized secrets to be at least 8 characters in length.",
    "s1",
    1.0,
    published=parse_iso("2020-03-02"),
    publisher="NIST",
    work="digital identity",
)
OWASP = Assertion(
    "owasp",
    "Verify that user set passwords are at least 12 characters in length.",
    "s2",
    0.9,
    published=parse_iso("2021-10"),
    publisher="OWASP",
    work="asvs",
)


def only(*claims: Assertion) -> DetectedContradiction:
    (found,) = find_contradictions(claims, today=TODAY)
    return found


def test_a_contradiction_is_told_whole():
    assert only(NIST, OWASP) == DetectedContradiction(
        claim_a="nist",
        claim_b="owasp",
        relation=ClaimRelation.CONTRADICTION,
        difference=SentenceConflict(ConflictKind.NUMERIC, "at least 8", "at least 12"),
        side_a=SideScores(authority=1.0, recency=0.367, corroboration=0.3, specificity=0.2),
        side_b=SideScores(authority=0.9, recency=0.5253, corroboration=0.3, specificity=0.2),
        resolution=Resolution.PRESENTED_BOTH,
        winner=None,
        note="Sources disagree (“at least 8” against “at least 12”); both are presented.",
    )


def test_a_contradiction_with_a_stronger_side_names_it_and_quotes_the_other():
    blog = replace(OWASP, authority=0.3, published=parse_iso("2009"))
    strong = replace(NIST, independent_others=3)
    for found in (only(strong, blog), only(blog, strong)):
        assert (found.relation, found.resolution) == (ClaimRelation.CONTRADICTION, Resolution.RESOLVED)
        assert found.winner == "nist"
        assert found.note == f"Another source reports differently ({found.difference.text}): “{blog.text}”"


@pytest.mark.parametrize("first", [0, 1])
def test_a_change_names_its_years_and_the_newer_statement(first):
    newer = replace(
        OWASP, id="new", source="s3", text=OWASP.text.replace("12", "8"), published=parse_iso("2025-05")
    )
    pair = [OWASP, newer]
    found = only(pair[first], pair[1 - first])
    assert (found.relation, found.resolution, found.winner) == (
        ClaimRelation.CHANGE,
        Resolution.RESOLVED,
        "new",
    )
    assert found.note == (
        f"Changed between 2021 and 2025 ({found.difference.text}); the newer statement is used."
    )


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ({"work": "w"}, {"work": "w"}, ClaimRelation.CHANGE),
        ({"work": "w"}, {"work": "x"}, ClaimRelation.CONTRADICTION),
        ({"publisher": "p"}, {"publisher": "p"}, ClaimRelation.CHANGE),
        ({"publisher": "p"}, {"publisher": "q"}, ClaimRelation.CONTRADICTION),
        ({}, {}, ClaimRelation.CONTRADICTION),
        ({"work": "w"}, {"work": "w", "published": None}, ClaimRelation.CONTRADICTION),
        ({"work": "w"}, {"work": "w", "published": parse_iso("2020")}, ClaimRelation.CONTRADICTION),
    ],
)
def test_a_change_needs_one_work_or_publisher_at_two_known_times(one, other, relation):
    plain = {"work": "", "publisher": ""}
    assert only(replace(NIST, **plain | one), replace(OWASP, **plain | other)).relation is relation


@pytest.mark.parametrize(
    ("published", "recency"),
    [
        (None, 0.0),
        ("2026-07-01", 1.0),
        ("2027", 1.0),
        ("2021-07-01", 0.5),
        ("2016-07-01", 0.0),
        ("1999", 0.0),
    ],
)
def test_recency_falls_evenly_over_ten_years(published, recency):
    found = only(replace(NIST, published=parse_iso(published)), OWASP)
    assert found.side_a.recency == pytest.approx(recency, abs=0.01)


def test_two_publishers_with_other_figures_contradict():
    found = only(NIST, OWASP)
    assert (found.claim_a, found.claim_b) == ("nist", "owasp")
    assert (found.relation, found.kind) == (ClaimRelation.CONTRADICTION, ConflictKind.NUMERIC)


def test_sides_of_like_weight_are_both_presented():
    found = only(NIST, OWASP)
    assert (found.resolution, found.winner) == (Resolution.PRESENTED_BOTH, None)
    assert found.margin <= 0.3
    assert "both are presented" in found.note


def test_the_stronger_side_wins_by_a_margin():
    blog = replace(OWASP, authority=0.3, published=parse_iso("2009"))
    found = only(replace(NIST, independent_others=3), blog)
    assert (found.resolution, found.winner) == (Resolution.RESOLVED, "nist")
    assert found.margin > 0.3
    assert "reports differently" in found.note
    assert blog.text in found.note


def test_the_order_of_the_claims_does_not_change_the_winner():
    blog = replace(OWASP, authority=0.3, published=parse_iso("2009"))
    strong = replace(NIST, independent_others=3)
    assert only(strong, blog).winner == only(blog, strong).winner


def test_one_work_at_two_times_has_changed():
    newer = replace(
        OWASP, id="new", source="s3", text=OWASP.text.replace("12", "8"), published=parse_iso("2025-05")
    )
    found = only(OWASP, newer)
    assert (found.relation, found.resolution, found.winner) == (
        ClaimRelation.CHANGE,
        Resolution.RESOLVED,
        "new",
    )
    assert found.note.startswith("Changed between 2021 and 2025")


def test_one_publisher_at_one_time_contradicts_itself():
    other = replace(OWASP, id="new", source="s3", text=OWASP.text.replace("12", "8"))
    assert only(OWASP, other).relation is ClaimRelation.CONTRADICTION


def test_undated_revisions_contradict():
    undated = replace(OWASP, published=None)
    other = replace(undated, id="new", source="s3", text=OWASP.text.replace("12", "8"))
    assert only(undated, other).relation is ClaimRelation.CONTRADICTION


def test_sentences_of_one_document_are_not_set_against_each_other():
    assert find_contradictions([NIST, replace(OWASP, source="s1")], today=TODAY) == ()


def test_two_products_own_defaults_are_no_dispute():
    a = replace(NIST, text="The default number of rounds of the hasher is 29000.")
    b = replace(OWASP, text="The default number of rounds of the hasher is 600000.")
    assert find_contradictions([a, b], today=TODAY) == ()
    revised = replace(b, work=a.work, publisher=a.publisher)
    assert only(a, revised).relation is ClaimRelation.CHANGE


TRAINS = (
    Assertion("fell", "In 2024 the number of night trains fell to 20.", "s1", 0.5),
    Assertion("rose", "In 2024 the number of night trains rose to 60.", "s2", 0.5),
)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("Sweden: night trains fell", "France: night trains rose"),
        ("Night trains in Sweden", "Night trains in France"),
        ("Rail travel in Stockholm", "Rail travel in France, 2024"),
    ],
)
def test_pages_on_two_places_each_tell_of_their_own(mine, theirs):
    one, other = TRAINS
    titled = replace(one, title=mine), replace(other, title=theirs)
    assert find_contradictions(titled, today=TODAY) == ()


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("", ""),
        ("Night trains in Sweden", "Sweden: night trains"),
        ("Night trains in Sweden", "Night trains in Europe"),
        ("Night trains in Stockholm", "Night trains in Sweden"),
        ("Night trains in Sweden", "Night trains"),
        ("Bank of England: night trains", "Night trains in France"),
    ],
)
def test_pages_on_one_place_or_on_none_contradict_each_other(mine, theirs):
    one, other = TRAINS
    assert (
        only(replace(one, title=mine), replace(other, title=theirs)).relation is ClaimRelation.CONTRADICTION
    )


def test_the_place_in_the_words_of_a_claim_goes_before_that_of_its_title():
    one, other = (replace(claim, text=claim.text.replace("trains", "trains in Norway")) for claim in TRAINS)
    found = only(replace(one, title="Railways of Sweden"), replace(other, title="Railways of France"))
    assert found.relation is ClaimRelation.CONTRADICTION


def test_claims_that_agree_do_not_contradict():
    assert find_contradictions([NIST, replace(NIST, id="x", source="s9")], today=TODAY) == ()


def test_neighbours_bring_together_what_shares_no_words():
    a = replace(NIST, text="Teleworkers should change their passwords regularly.")
    b = replace(OWASP, text="Verifiers should not require secrets to be changed arbitrarily.")
    found = find_contradictions([a, b], today=TODAY, neighbours={"nist": [("owasp", 0.8)]})
    assert [each.kind for each in found] == [ConflictKind.POLARITY]


def test_a_side_is_the_weighted_sum_of_four_figures():
    assert SideScores(1, 0, 0, 0).score == 0.30
    assert SideScores(0, 1, 0, 0).score == 0.20
    assert SideScores(0, 0, 1, 0).score == 0.35
    assert SideScores(0, 0, 0, 1).score == 0.15


def test_recency_falls_to_nothing_in_ten_years():
    old, new = replace(NIST, published=parse_iso("2010")), replace(OWASP, published=parse_iso("2026-07-01"))
    found = only(old, new)
    assert (found.side_a.recency, found.side_b.recency) == (0.0, 1.0)


def test_no_claims_have_no_contradictions():
    assert find_contradictions([], today=TODAY) == ()


def test_a_thousand_claims_are_grouped_without_comparing_all_pairs():
    claims = [
        Assertion(f"c{n}", f"Product{n // 2} has a limit{n // 2} of {100 * (1 + n % 2)} users.", f"s{n}", 0.5)
        for n in range(1_000)
    ]
    assert len(find_contradictions(claims, today=TODAY)) == 500


UNIT = st.floats(0, 1)


@given(UNIT, UNIT, st.integers(0, 5), st.integers(0, 5))
def test_the_outcome_follows_the_margin(a, b, others_a, others_b):
    one = replace(NIST, authority=a, independent_others=others_a)
    found = only(one, replace(OWASP, authority=b, independent_others=others_b))
    assert (found.margin > 0.3) == (found.resolution is Resolution.RESOLVED) == (found.winner is not None)
    if found.winner:
        winning = found.side_a if found.winner == "nist" else found.side_b
        assert winning.score == max(found.side_a.score, found.side_b.score)


@pytest.mark.parametrize("text", ["", "\x00", "8", "\ud800 12 characters"])
def test_odd_claims_are_passed_over(text):
    assert find_contradictions([NIST, replace(OWASP, text=text)], today=TODAY) == ()
