import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.evaluation.evaluation_scores import false_share_at, macro_f1, support_figures

OUTCOMES = [
    ("supported", "supported", 0.9),
    ("supported", "partial", 0.4),
    ("contradicted", "contradicted", 0.1),
    ("contradicted", "supported", 0.8),
    ("unsupported", "unsupported", 0.2),
    ("partial", "partial", 0.3),
]


def test_false_support_counts_everything_that_is_not_supported():
    found = support_figures(OUTCOMES)
    assert found.cases == 6
    assert found.recall == 0.5
    assert found.false_support == 0.25
    assert found.balanced_accuracy == pytest.approx(0.625)


def test_the_threshold_that_keeps_half_of_the_supported_lets_none_of_these_through():
    assert support_figures(OUTCOMES).false_support_at_half_recall == 0.0


def test_what_was_not_there_to_count_has_no_figure():
    found = support_figures([("supported", "supported", 1.0)])
    assert found.false_support is None
    assert found.balanced_accuracy is None
    assert support_figures([]).cases == 0


def test_macro_f1_is_the_mean_over_right_answers_that_occur():
    assert macro_f1([("a", "a"), ("a", "b"), ("b", "b")]) == pytest.approx(2 / 3)
    assert macro_f1([]) == 0.0


scores = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(scores, scores, st.floats(0.1, 0.9))
def test_more_recall_never_lets_fewer_through(good, bad, recall):
    lower, higher = false_share_at(good, bad, recall), false_share_at(good, bad, 1.0)
    assert lower is not None
    assert higher is not None
    assert 0 <= lower <= higher <= 1
