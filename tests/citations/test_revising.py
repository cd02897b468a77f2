"""Each claim of a report is followed into its next version."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_diff.claim_differences import Aspect, Difference, is_notable
from citations.claim_diff.claim_versions import ComparableClaim
from citations.claim_diff.match_claims import MatchOutcome, match
from tests.often import often

PRICE = "Electricity prices rose by 12 % in 2023 in Germany."
HEATERS = "Backup heaters ran for forty hours in the first winter."


def one(old: str, new: str, **standing: object):
    """The only pair of two reports of one claim each; None where they are two statements."""
    found = match([ComparableClaim("old", old)], [ComparableClaim("new", new, **standing)])
    assert len(found.pairs) + len(found.new) == len(found.pairs) + len(found.gone) == 1
    return found.pairs[0] if found.pairs else None


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (PRICE, PRICE.replace("12", "15"), [(Aspect.FIGURE, "12 %", "15 %")]),
        (PRICE, PRICE.replace("2023", "2024"), [(Aspect.TIME, "2023", "2024")]),
        (
            PRICE,
            "Electricity prices rose by 15 % in 2024 in Germany.",
            [(Aspect.FIGURE, "12 %", "15 %"), (Aspect.TIME, "2023", "2024")],
        ),
        (
            "Heat pumps work well below freezing.",
            "Heat pumps do not work well below freezing.",
            [(Aspect.POLARITY, "", "not")],
        ),
        (PRICE, PRICE.replace("rose", "fell"), [(Aspect.POLARITY, "rose", "fell")]),
        (
            "Most sites kept a factor above two.",
            "All sites kept a factor above two.",
            [(Aspect.CERTAINTY, "Most", "All")],
        ),
        ("It shipped 310,000 units.", "It shipped 310,000 units in May 2024.", [(Aspect.DETAIL, "", "May 2024")]),
    ],
    ids=["figure", "date", "figure and date", "negation", "opposite", "scope", "more is said"],
)  # fmt: skip
def test_a_claim_that_says_otherwise_is_changed_and_the_change_named(old, new, expected):
    pair = one(old, new)
    assert pair.outcome is MatchOutcome.CHANGED
    assert list(pair.differences) == [Difference(*each) for each in expected]


def test_the_places_of_a_change_are_those_of_its_words():
    old, new = PRICE, PRICE.replace("12", "15")
    pair = one(old, new)
    assert [span.cut(old) for span in pair.old_places] == ["12 %"]
    assert [span.cut(new) for span in pair.new_places] == ["15 %"]


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        (HEATERS, HEATERS, MatchOutcome.SAME),
        (HEATERS, HEATERS.upper(), MatchOutcome.SAME),
        ("Oil fell by 30 percent.", "Oil fell by 30 %.", MatchOutcome.REWORDED),
        ("In 2023 prices rose by 12 %.", "Prices rose by 12 % in 2023.", MatchOutcome.REWORDED),
    ],
)
def test_other_words_for_the_same_are_no_change(old, new, outcome):
    assert one(old, new).outcome is outcome


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (HEATERS, "The grid has to be strengthened."),
        ("Oil fell by 30 percent.", "Gas rose by 4 percent."),
        ("Prices rose in Germany.", "A trial began in Norway."),
    ],
)
def test_other_statements_are_new_and_gone(old, new):
    assert one(old, new) is None


STANDING = ComparableClaim("old", HEATERS, "verified", "strong", 0.8, frozenset({"a", "b"}))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"status": "contradicted"}, Difference(Aspect.STATUS, "verified", "contradicted")),
        ({"strength": "limited"}, Difference(Aspect.STRENGTH, "strong", "limited")),
        ({"confidence": 0.6}, Difference(Aspect.CONFIDENCE, "80%", "60%")),
        ({"confidence": None}, Difference(Aspect.CONFIDENCE, "80%", "")),
        ({"sources": frozenset({"b", "c", "d"})}, Difference(Aspect.SOURCES, "1", "2")),
    ],
    ids=["status", "strength", "confidence", "confidence unknown", "sources"],
)
def test_the_same_words_that_stand_otherwise_are_changed(changed, expected):
    found = match([STANDING], [replace(STANDING, id="new", **changed)])
    [pair] = found.pairs
    assert (pair.outcome, pair.differences) == (MatchOutcome.CHANGED, (expected,))
    assert expected.is_of_standing


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [(0.5, 0.59, False), (0.5, 0.6, True), (0.6, 0.5, True), (0.5, 0.61, True), (None, None, False), (None, 0.1, True)],
)  # fmt: skip
def test_a_tenth_of_confidence_is_told(old, new, told):
    assert is_notable(old, new) is told


def test_each_claim_has_one_counterpart_and_the_closest():
    old = [ComparableClaim("12", PRICE), ComparableClaim("30", PRICE.replace("12", "30"))]
    new = [ComparableClaim("a", PRICE.replace("12", "30")), ComparableClaim("b", PRICE.replace("12", "13"))]
    found = match(old, new)
    assert {(pair.old, pair.new) for pair in found.pairs} == {("30", "a"), ("12", "b")}


def test_of_claims_with_the_same_words_those_that_stand_alike_belong_together():
    weak, strong = replace(STANDING, strength="limited"), replace(STANDING, id="other")
    found = match([weak, strong], [replace(strong, id="x"), replace(weak, id="y")])
    assert {(pair.old, pair.new) for pair in found.pairs} == {("other", "x"), ("old", "y")}
    assert {pair.outcome for pair in found.pairs} == {MatchOutcome.SAME}


def unit(*values: float):
    return np.array(values, dtype=np.float32) / np.linalg.norm(values)


def test_embeddings_bring_together_what_shares_few_words():
    old = ComparableClaim("old", "Rates of relapse fell by 12 % under the drug.", vector=unit(1, 0.1))
    new = ComparableClaim("new", "Relapse rates under this drug fell by 12 %.", vector=unit(1, 0.1))
    assert match([old], [new]).pairs[0].outcome is MatchOutcome.REWORDED


def test_an_embedding_that_is_far_keeps_apart_what_shares_words():
    old = ComparableClaim("old", PRICE, vector=unit(1, 0))
    new = ComparableClaim("new", PRICE.replace("rose", "crept up"), vector=unit(0, 1))
    assert match([old], [new]).pairs == ()


@pytest.mark.parametrize("sides", [(0, 0), (0, 2), (2, 0)])
def test_an_empty_report_has_only_new_or_only_gone_claims(sides):
    some = [ComparableClaim("1", PRICE), ComparableClaim("2", HEATERS)]
    found = match(some[: sides[0]], some[: sides[1]])
    assert (len(found.gone), len(found.new), found.pairs) == (*sides, ())


SENTENCES = st.builds(
    "{} {} by {} % in {}{}.".format,
    st.sampled_from(["Oil prices", "Gas prices", "Rents in Bern", "Exports of wine"]),
    st.sampled_from(["rose", "fell", "did not rise"]),
    st.sampled_from([3, 12, 13, 40]),
    st.sampled_from([2019, 2023, 2024]),
    st.sampled_from(["", " in Germany", ", as the office says"]),
)
VECTORS = st.none() | st.builds(
    unit, st.floats(0.5, 1, width=32), st.floats(0, 1, width=32), st.floats(0, 1, width=32)
)
STATED = st.builds(
    ComparableClaim,
    id=st.uuids().map(str),
    text=SENTENCES | st.text(min_size=1, max_size=40),
    status=st.sampled_from(["verified", "contradicted"]),
    strength=st.sampled_from(["strong", "limited"]),
    confidence=st.none() | st.floats(0, 1),
    sources=st.frozensets(st.sampled_from("abc")),
    vector=VECTORS,
)
REPORTS = st.lists(STATED, max_size=8, unique_by=lambda claim: claim.id)


def pairs_of(found):
    return {(pair.old, pair.new, pair.outcome) for pair in found.pairs}


@often(60)
@given(REPORTS, REPORTS)
def test_every_claim_of_either_side_is_accounted_for_once(old, new):
    found = match(old, new)
    assert sorted([pair.old for pair in found.pairs] + list(found.gone)) == sorted(one.id for one in old)
    assert sorted([pair.new for pair in found.pairs] + list(found.new)) == sorted(one.id for one in new)


@often(60)
@given(REPORTS, REPORTS)
def test_looking_back_what_was_new_is_gone(old, new):
    there, back = match(old, new), match(new, old)
    assert {(pair.new, pair.old, pair.outcome) for pair in back.pairs} == pairs_of(there)
    assert (set(back.new), set(back.gone)) == (set(there.gone), set(there.new))


@often(60)
@given(REPORTS)
def test_a_report_beside_itself_has_no_change(report):
    found = match(report, report)
    assert (found.new, found.gone) == ((), ())
    assert {pair.outcome for pair in found.pairs} <= {MatchOutcome.SAME}


@often(60)
@given(REPORTS, REPORTS, st.randoms(use_true_random=False))
def test_the_order_of_the_claims_decides_nothing(old, new, random):
    mixed, shuffled = random.sample(old, len(old)), random.sample(new, len(new))
    assert pairs_of(match(mixed, shuffled)) == pairs_of(match(old, new))


def test_two_long_reports_are_compared_by_neighbours_only(monkeypatch):
    from citations.claim_diff import match_claims

    compared = []
    laid = match_claims.compare_terms
    monkeypatch.setattr(match_claims, "compare_terms", lambda a, b: compared.append((a, b)) or laid(a, b))
    old = [
        ComparableClaim(f"o{n}", f"Station {n} measured {n + 3} degrees near village {n * 7}.")
        for n in range(150)
    ]
    new = [
        ComparableClaim(f"n{n}", f"Station {n} measured {n + 4} degrees near village {n * 7}.")
        for n in range(150)
    ]
    match(old, new)
    assert len(compared) < 150 * 40
