from dataclasses import replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.compare_claim_statements import compare_terms
from citations.contradiction.contradiction_probability import (
    FEATURES,
    FOR,
    ClashWeights,
    clash,
    clash_of,
    features,
)
from citations.contradiction.contradiction_profiles import clash_profile

MODEL = clash_profile().model


def clash_between(a: str, b: str) -> float:
    return clash(compare_terms(a, b), MODEL)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The painter was born in Rome in 1869.", "The painter was born in Rome in 1867."),
        ("The crew of the Vega won nine of its races.", "The crew of the Vega won seven of its races."),
        ("The eastern gate is the oldest part of it.", "The eastern gate is the youngest part of it."),
        ("The museum is open to visitors on Mondays.", "The museum is not open to visitors on Mondays."),
        ("Sixty houses stand north of the river.", "Sixty houses stand south of the river."),
    ],
)
def test_a_small_change_that_cannot_hold_is_a_clash(a, b):
    assert clash_between(a, b) >= MODEL.cut


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The crew of the Vega won nine races.", "Nine races were won by the crew of the Vega."),
        ("The mill burned in 1802 while the miller was away.", "The mill burned in 1802."),
        ("The tower is 40 metres high.", "the tower is forty metres high"),
        ("It opened on 3 May 1987 in Lima.", "It opened on May 3, 1987 in Lima."),
    ],
)
def test_what_says_the_same_is_none(a, b):
    assert clash_between(a, b) < MODEL.cut


def test_features_are_named_one_by_one():
    found = features(compare_terms("The mill burned.", "The mill did not burn."))
    assert len(found) == len(FEATURES)
    assert dict(zip(FEATURES, found, strict=True))["negation"] > 0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (
            "The mill ground 40 sacks of Oslo.",
            "The mill ground 55 sacks of Lima.",
            {"value": 0.7143, "name": 0.7143, "in order": 0.7143, "covered": 0.4286},
        ),
        (
            "Guests may leave.",
            "Only guests should not leave early in 1802.",
            {
                "modal": 0.3636,
                "negation": 0.3636,
                "more order": 0.3636,
                "more scope": 0.3636,
                "more figures": 0.3636,
                "in order": 0.3636,
                "covered": 0.1905,
            },
        ),
        (
            "The old mill did well.",
            "The mill of Oslo did well.",
            {
                "more names": 0.7273,
                "more words": 0.7273,
                "both sides more": 0.7273,
                "in order": 0.7273,
                "covered": 0.3333,
            },
        ),
        (
            "It ran in 1802 for 40 days, on 12 Mondays.",
            "It ran in 1803 for 41 days, on 14 Mondays.",
            {"value": 0.9428, "in order": 0.6667, "covered": 0.3333},
        ),
        (
            "The foxes chased the hens.",
            "The hens chased the foxes.",
            {"swap": 0.6, "in order": 0.6, "covered": 1.0},
        ),
        ("He likes pop corn.", "He likes popcorn.", {"in order": 0.5714, "covered": 0.3333, "alike": 1.0}),
        (
            "Most sales rose and fell.",
            "Some sales fell or dropped more.",
            {
                "scope": 0.3636,
                "more order": 0.3636,
                "more words": 0.5143,
                "both sides more": 0.3636,
                "in order": 0.3636,
                "covered": 0.2857,
            },
        ),
    ],
)
def test_what_changed_is_counted_by_its_kind_and_weighed_by_what_meets(a, b, expected):
    found = dict(zip(FEATURES, features(compare_terms(a, b)), strict=True))
    assert {name: value for name, value in found.items() if value} == pytest.approx(expected, abs=1e-4)


def test_a_clash_is_the_logistic_of_the_weighted_features():
    model = ClashWeights(dict.fromkeys(FEATURES, 0.0) | {"value": 2.0, "covered": -1.0}, 0.5, 0.5)
    values = [0.75 if name in ("value", "covered") else 0.3 for name in FEATURES]
    assert clash_of(values, model) == pytest.approx(1 / (1 + exp(-1.25)))


@pytest.mark.parametrize("cut", [0.0, -0.1, 1.0])
def test_a_cut_lies_strictly_between_0_and_1(cut):
    with pytest.raises(ValueError, match="^the cut is a probability$"):
        replace(MODEL, cut=cut)


def test_weights_that_name_other_features_are_refused():
    with pytest.raises(ValueError, match="differ in"):
        ClashWeights({"value": 1.0}, 0.0, 0.5)


def test_a_cut_is_a_probability():
    with pytest.raises(ValueError, match="probability"):
        replace(MODEL, cut=1.0)


def test_stored_weights_have_signs_that_make_sense():
    assert all(MODEL.weights[name] >= 0 for name in FOR)
    assert MODEL.weights["alike"] <= 0


@given(st.sampled_from(sorted(FOR)), st.floats(0, 1), st.floats(0, 1))
def test_more_of_what_speaks_for_a_clash_never_lowers_it(name, less, more):
    values = [0.5] * len(FEATURES)
    place = FEATURES.index(name)
    low, high = sorted((less, more))
    lower, higher = ([*values[:place], at, *values[place + 1 :]] for at in (low, high))
    assert clash_of(lower, MODEL) <= clash_of(higher, MODEL)


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_clash_is_a_probability_and_symmetric(a, b):
    assert 0 <= clash_between(a, b) <= 1
    assert clash_between(a, b) == clash_between(b, a)
