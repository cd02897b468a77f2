from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.comparing.clash import FEATURES, FOR, ClashWeights, clash, clash_of, features
from citations.comparing.comparison import compare_terms
from citations.comparing.profiles import clash_profile

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
