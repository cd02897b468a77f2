"""Weights learned from a few cases, figure by figure."""

import pytest

from citations.table_claims.fit_table_claim_weights import (
    CalibrationCase,
    calibrate,
    false_support_at,
    figures,
    folds,
    learn,
    predict_out_of_fold,
)
from citations.table_claims.score_claim_readings import Ballot, ScoredReading
from citations.table_claims.table_claim_readings import TableOperation, TableReading
from citations.table_claims.table_claim_weights import LinkagePoint, TableFigures


def case(holds, label, document, linkage=1.0, value=1.0):
    reading = TableReading(TableOperation.LOOKUP, holds, frozenset(), "", ())
    other = ScoredReading(not holds, {"affirmation_fails": 1.0})
    return CalibrationCase(
        Ballot((ScoredReading(holds, {"said": value}, reading), other), linkage), label, document
    )


CASES = [
    case(True, True, "a"),
    case(True, True, "b", 0.5, 2.0),
    case(True, False, "c", 0.3),
    case(False, False, "d", 0.67),
    case(False, True, "e", 0.2, 0.5),
    case(True, True, "f"),
]
STRANGERS = [case(True, True, "z", linkage).ballot for linkage in (0.1, 0.3, 0.5)]


@pytest.mark.parametrize(
    ("how", "weights"),
    [
        ({}, {"affirmation_fails": 1.023, "said": 0.673}),
        ({"penalty": 0.5}, {"affirmation_fails": 0.908, "said": 1.328}),
    ],
)
def test_weights_are_those_of_the_greatest_likelihood(how, weights):
    assert learn(CASES, **how) == pytest.approx(weights, abs=0.002)


def test_without_cases_there_is_nothing_to_learn():
    assert learn([]) == {}


@pytest.mark.parametrize(
    ("how", "chances"),
    [
        ({}, [0.3105, 0.4695, 0.4484, 0.6351, 0.6467, 0.3105]),
        ({"penalty": 0.5, "least_linkage": 0.6}, [0.4440, 0.6593, 0.3544, 0.4646, 0.1610, 0.4440]),
    ],
)
def test_each_case_is_judged_by_what_the_others_teach(how, chances):
    assert predict_out_of_fold(CASES, **how) == pytest.approx(chances, abs=0.001)


def test_documents_are_dealt_out_in_order():
    assert list(folds(CASES)) == [[0, 5], [1], [2], [3], [4]]
    assert list(folds(CASES, 2)) == [[0, 2, 4], [1, 3, 5]]


def test_a_profile_is_set_with_the_highest_of_the_best_cuts():
    profile = calibrate(CASES, STRANGERS, penalty=1.0)
    setting = profile.setting
    assert profile.weights == pytest.approx({"affirmation_fails": 0.874, "said": 1.058}, abs=0.002)
    assert (profile.cut, profile.least_linkage) == (0.65, 0.51)
    assert (setting.claims, setting.documents, setting.folds, setting.penalty) == (6, 6, 5, 1.0)
    assert setting.cross_validated == TableFigures(recall=0.25, false_support=0.0, balanced_accuracy=0.625)
    assert setting.false_support_at_half_recall == 0.5


def test_a_profile_tells_what_each_cut_and_each_linkage_would_do():
    setting = calibrate(CASES, STRANGERS, penalty=1.0).setting
    assert [point.at for point in setting.curve] == [round(0.1 + 0.05 * step, 2) for step in range(17)]
    assert [point.figures.recall for point in setting.curve] == [1.0] * 3 + [0.75] * 4 + [0.25] * 5 + [
        0.0
    ] * 5
    assert [point.figures.false_support for point in setting.curve] == [1.0] * 6 + [0.5] * 3 + [0.0] * 8
    assert setting.linkage[:4] == (
        LinkagePoint(0.0, 1.0, 1.0),
        LinkagePoint(0.2, 1.0, 0.6667),
        LinkagePoint(0.3, 0.8333, 0.6667),
        LinkagePoint(0.34, 0.6667, 0.3333),
    )
    assert [point.own for point in setting.linkage[4:]] == [0.6667] * 2 + [0.5] * 4 + [0.3333]
    assert [point.strange for point in setting.linkage[4:]] == [0.3333] * 2 + [0.0] * 5


def test_without_strangers_nothing_is_asked_of_the_linkage():
    profile = calibrate(CASES)
    assert (profile.least_linkage, profile.setting.penalty) == (0.0, 3.0)


@pytest.mark.parametrize(
    ("cut", "expected"),
    [
        (0.5, TableFigures(0.6667, 0.5, 0.5834)),
        (0.9, TableFigures(0.3333, 0.0, 0.6666)),
        (0.91, TableFigures(0.0, 0.0, 0.5)),
        (0.0, TableFigures(1.0, 1.0, 0.5)),
    ],
)
def test_figures_at_a_cut(cut, expected):
    assert figures([0.9, 0.4, 0.5, 0.6, 0.1], [True, True, True, False, False], cut) == expected


@pytest.mark.parametrize(("recall", "share"), [(0.0, 0.0), (0.3, 0.0), (0.34, 0.5), (0.7, 0.5), (1.0, 0.5)])
def test_false_support_where_so_many_true_ones_are_kept(recall, share):
    assert false_support_at([0.9, 0.4, 0.5, 0.6, 0.1], [True, True, True, False, False], recall) == share
    assert false_support_at([0.6, 0.1], [False, False], recall) == 0.0


@pytest.mark.parametrize(
    ("linkage", "least", "chance"),
    [(1.0, 0.0, 0.7311), (0.5, 0.5, 0.7311), (0.25, 0.5, 0.3655), (0.0, 0.5, 0.0)],
)
def test_the_share_of_the_readings_that_hold_is_the_chance(linkage, least, chance):
    ballot = case(True, True, "a", linkage).ballot
    assert ballot.probability({"said": 1.0}, least) == pytest.approx(chance, abs=1e-4)
    assert ballot.probability({"said": 2.0, "affirmation_fails": 1.0}, least) == pytest.approx(
        chance, abs=1e-4
    )


def test_the_best_reading_is_the_loudest_of_its_answer():
    ballot = case(True, True, "a").ballot
    assert ballot.best({}, holds=True) is ballot.readings[0].reading
    assert ballot.best({}, holds=False) is None
