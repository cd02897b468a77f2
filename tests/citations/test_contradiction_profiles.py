from dataclasses import replace
from itertools import pairwise

import pytest
from pydantic import TypeAdapter

from citations.contradiction.contradiction_profiles import (
    EMBEDDINGS,
    NOMINAL,
    EmbeddingProfile,
    clash_profile,
    profile_for,
)

BUILT_IN = "all-MiniLM-L6-v2/int8/53aa5117"


def test_a_model_has_its_profile_whatever_its_variant():
    assert profile_for(BUILT_IN) == profile_for("all-MiniLM-L6-v2")
    assert profile_for(BUILT_IN).model_id == "all-MiniLM-L6-v2"


@pytest.mark.parametrize("model", ["hash/1", "", ".", "../clash", "clash", "nominal"])
def test_an_unknown_model_has_the_nominal_figures(model):
    assert profile_for(model) == NOMINAL


def test_the_nominal_figures_are_those_of_the_specification():
    assert (NOMINAL.duplicate, NOMINAL.conflict, NOMINAL.corroboration, NOMINAL.related) == (
        0.92,
        0.85,
        0.80,
        0.65,
    )


@pytest.mark.parametrize("path", sorted(EMBEDDINGS.glob("*.json")), ids=lambda path: path.stem)
def test_a_stored_profile_is_named_after_its_model_and_has_the_curve_of_each_threshold(path):
    profile = TypeAdapter(EmbeddingProfile).validate_json(path.read_bytes())
    assert profile.model_id == path.stem
    assert profile.setting is not None
    assert {"duplicate", "conflict", "corroboration", "related", "carried"} == set(profile.setting.curves)


def test_the_chosen_thresholds_are_points_of_their_curves():
    profile = profile_for(BUILT_IN)
    assert profile.setting is not None
    for name, points in profile.setting.curves.items():
        assert getattr(profile, name) in {point.at for point in points}
        assert all(one.at < other.at for one, other in pairwise(points))


def test_the_cut_of_the_clash_has_its_curve():
    profile = clash_profile()
    assert profile.setting is not None
    assert profile.model.cut in {point.at for point in profile.setting.curves["cut"]}


def test_profiles_say_what_they_reach_on_documents_left_out():
    setting = profile_for(BUILT_IN).setting
    assert setting is not None
    assert setting.folds > 1
    assert setting.cross_validated.contradictions_passed <= 0.15
    assert setting.cross_validated.false_merges <= 0.12


@pytest.mark.parametrize("change", [{"related": 0.9}, {"duplicate": 0.7}, {"related": 0.0}])
def test_a_profile_with_falling_thresholds_is_refused(change):
    with pytest.raises(ValueError, match="threshold"):
        replace(NOMINAL, **change)
