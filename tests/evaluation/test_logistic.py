"""The fit behind the profiles, on data whose answer is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.evaluation.evaluation_logistic_regression import (
    compute_balanced_weights,
    cross_validated,
    fit,
    folds,
    sigmoid,
)

RANDOM = np.random.default_rng(7)
TRUE = np.array([2.0, -1.0, 0.0])
FIGURES = RANDOM.normal(size=(4_000, 3))
LABELS = (RANDOM.random(4_000) < sigmoid(FIGURES @ TRUE + 0.5)).astype(float)
EVENLY = np.ones(4_000)


def test_the_weights_behind_the_data_are_found():
    found = fit(FIGURES, LABELS, EVENLY, [0, 0, 0])
    assert found.weights == pytest.approx(TRUE, abs=0.15)
    assert found.intercept == pytest.approx(0.5, abs=0.15)


def test_a_figure_with_the_wrong_sign_gets_no_weight():
    found = fit(FIGURES, LABELS, EVENLY, [1, 1, 0])
    assert found.weights[1] == 0
    assert found.weights[0] > 0


def test_a_figure_that_never_changes_gets_no_weight():
    figures = np.c_[FIGURES[:, 0], np.ones(4_000)]
    assert fit(figures, LABELS, EVENLY, [0, 0]).weights[1] == 0


def test_labels_that_part_perfectly_still_give_finite_weights():
    labels = (FIGURES[:, 0] > 0).astype(float)
    assert np.isfinite(fit(FIGURES, labels, EVENLY, [0, 0, 0]).weights).all()


def test_probabilities_of_held_out_cases_follow_the_labels():
    groups = [str(index % 40) for index in range(4_000)]
    chances = cross_validated(FIGURES, LABELS, EVENLY, groups, [0, 0, 0])
    assert chances[LABELS == 1].mean() > chances[LABELS == 0].mean() + 0.2


@given(st.lists(st.sampled_from("abcdefghijkl"), min_size=2, max_size=60))
def test_a_group_is_never_on_both_sides_of_a_fold(groups):
    for training, held_out in folds(groups):
        names = np.array(groups)
        assert not set(names[training]) & set(names[held_out])
        assert (training ^ held_out).all()


def test_every_case_is_held_out_once():
    groups = [str(index) for index in range(200)]
    assert sum(held_out.astype(int) for _, held_out in folds(groups)).tolist() == [1] * 200


def test_kinds_and_labels_count_alike_whatever_their_number():
    labels = np.array([1.0, 1, 1, 0, 1, 0, 0, 0, 0])
    kinds = ["a"] * 4 + ["b"] * 5
    importance = compute_balanced_weights(labels, kinds)
    sums = {(kind, label): importance[[k == kind and y == label for k, y in zip(kinds, labels, strict=True)]].sum()
            for kind in "ab" for label in (0.0, 1.0)}  # fmt: skip
    assert max(sums.values()) == pytest.approx(min(sums.values()))
    assert importance.mean() == pytest.approx(1)
