"""The figures behind a probability of support: their ranges, their direction, and the profile they are weighed by."""

from dataclasses import asdict, replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entailment.claim_alignment import align
from citations.entailment.support_probability import (
    SIGNS,
    Signals,
    ThresholdPoint,
    Weights,
    builtin_profile,
    read_profile,
    signals,
    write_profile,
)

PASSAGE = "The bridge over the Holm was built in 1911. It carries two lanes. In 1987 its deck was renewed."


def figures(claim: str, passage: str = PASSAGE, likeness: float | None = None) -> Signals:
    found = align(claim, passage)
    assert found is not None
    return signals(claim, passage, found, likeness)


@pytest.mark.parametrize(
    ("claim", "passage", "likeness", "expected"),
    [
        (
            "The bridge over the Holm was built in 1911.",
            PASSAGE,
            None,
            Signals(
                coverage=1.0,
                predicate=1.0,
                window=1.0,
                weakest=1.0,
                phrases=1.0,
                likeness=None,
                missing_words=0.0,
                missing_facts=0.0,
                conflicts=0.0,
                turned=0.0,
                speaker=0.0,
                length=0.4363,
            ),
        ),
        (
            "Holm Bridge carries two lanes.",
            "It carries two lanes.",
            0.5,
            Signals(
                coverage=0.6,
                predicate=1.0,
                window=0.6,
                weakest=0.6,
                phrases=0.5,
                likeness=0.5,
                missing_words=0.0,
                missing_facts=0.5,
                conflicts=0.0,
                turned=0.0,
                speaker=0.0,
                length=0.4857,
            ),
        ),
        (
            "The bridge was built in 1911. Its towers are made of marble.",
            PASSAGE,
            1.5,
            Signals(
                coverage=0.5,
                predicate=0.5,
                window=0.5,
                weakest=0.0,
                phrases=0.4,
                likeness=1.0,
                missing_words=0.75,
                missing_facts=0.0,
                conflicts=0.0,
                turned=0.0,
                speaker=0.0,
                length=0.5275,
            ),
        ),
        (
            "In 1912 the deck was never renewed by 40 men of Lima.",
            PASSAGE,
            -0.2,
            Signals(
                coverage=0.2857,
                predicate=0.2857,
                window=0.2857,
                weakest=0.2857,
                phrases=0.0,
                likeness=0.0,
                missing_words=1.0,
                missing_facts=1.0,
                conflicts=0.5,
                turned=0.5,
                speaker=0.0,
                length=0.5637,
            ),
        ),
        (
            "I love the bridge, it carries lanes.",
            PASSAGE,
            0.25,
            Signals(
                coverage=0.75,
                predicate=0.75,
                window=0.5,
                weakest=0.75,
                phrases=0.3333,
                likeness=0.25,
                missing_words=0.25,
                missing_facts=0.0,
                conflicts=0.0,
                turned=0.0,
                speaker=1.0,
                length=0.4363,
            ),
        ),
        (
            "Bridge!",
            PASSAGE,
            0.25,
            Signals(
                coverage=1.0,
                predicate=1.0,
                window=1.0,
                weakest=1.0,
                phrases=1.0,
                likeness=0.25,
                missing_words=0.0,
                missing_facts=0.0,
                conflicts=0.0,
                turned=0.0,
                speaker=0.0,
                length=0.1879,
            ),
        ),
        (
            "The deck of the bridge of 1911 carries wood, iron, stone, lamps, birds and signs.",
            PASSAGE,
            0.25,
            Signals(
                coverage=0.4,
                predicate=0.4,
                window=0.2,
                weakest=0.4,
                phrases=0.2222,
                likeness=0.25,
                missing_words=1.0,
                missing_facts=0.5,
                conflicts=0.0,
                turned=0.0,
                speaker=0.0,
                length=0.65,
            ),
        ),
    ],
)
def test_every_figure_of_a_claim_and_a_passage(claim, passage, likeness, expected):
    assert asdict(figures(claim, passage, likeness)) == pytest.approx(asdict(expected), abs=1e-4)


def test_a_probability_is_the_logistic_of_the_weighted_figures():
    found = figures("The bridge was built in 1911. Its towers are made of marble.", likeness=0.5)
    weights = Weights(-2.0, {"coverage": 2.0, "missing_words": -1.0, "likeness": 3.5})
    assert weights.probability(found) == 0.5
    assert weights.probability(replace(found, likeness=None)) == pytest.approx(1 / (1 + exp(1.75)))
    assert Weights(100.0, {}).probability(found) == pytest.approx(1.0)
    assert Weights(-100.0, {}).probability(found) == pytest.approx(exp(-60))


def test_a_point_of_a_curve_balances_what_is_found_and_what_is_passed_wrongly():
    assert ThresholdPoint(0.5, recall=0.8, false_support=0.1).balanced_accuracy == pytest.approx(0.85)


def test_a_mismatch_takes_a_tenth_and_a_conflict_six_tenths_of_what_the_threshold_leaves():
    profile = replace(builtin_profile(), accurate=0.5)
    assert profile.cap_probability(0.8, is_accurate=False, conflicts=False) == pytest.approx(0.36)
    assert profile.cap_probability(0.8, is_accurate=False, conflicts=True) == pytest.approx(0.16)


def test_a_claim_in_the_source_s_words_is_covered_whole():
    found = figures("The bridge over the Holm was built in 1911.")
    assert (found.coverage, found.window, found.weakest) == (1.0, 1.0, 1.0)
    assert (found.missing_words, found.conflicts, found.turned) == (0.0, 0.0, 0.0)


def test_the_name_a_claim_begins_with_is_no_part_of_its_predicate():
    found = figures("Holm Bridge carries two lanes.", "It carries two lanes.")
    assert found.predicate == 1.0
    assert found.coverage < 1.0


def test_the_weakest_sentence_of_a_claim_counts():
    found = figures("The bridge was built in 1911. Its towers are made of marble.")
    assert found.weakest < found.coverage < 1.0


def test_words_put_together_otherwise_are_other_phrases():
    together = figures("In 1987 the deck was renewed.")
    apart = figures("The bridge deck carries the Holm.")
    assert together.phrases > apart.phrases


@pytest.mark.parametrize(
    ("claim", "passage", "speaks"),
    [
        ("I love the bridge, it has two lanes.", PASSAGE, 1.0),
        ("Did you know the bridge has two lanes?", PASSAGE, 1.0),
        ("I love the bridge.", "She wrote: I love the bridge.", 0.0),
        ("The bridge has two lanes.", PASSAGE, 0.0),
    ],
)
def test_a_claim_about_its_speaker_is_told_apart(claim, passage, speaks):
    assert figures(claim, passage).speaker == speaks


words = st.lists(st.sampled_from(PASSAGE.replace(".", "").split()), min_size=2, max_size=12).map(" ".join)


@given(words, words, st.none() | st.floats(-1, 1))
def test_every_figure_lies_between_0_and_1(claim, passage, likeness):
    found = align(claim, passage)
    if found is not None:
        values = asdict(signals(claim, passage, found, likeness)).values()
        assert all(value is None or 0 <= value <= 1 for value in values)


@given(words, words)
def test_figures_are_the_same_each_time(claim, passage):
    found = align(claim, passage)
    if found is not None:
        assert signals(claim, passage, found, None) == signals(claim, passage, found, None)


@pytest.mark.parametrize("name", [name for name, sign in SIGNS.items() if sign])
@pytest.mark.parametrize("start", [0.0, 0.3, 0.7])
def test_a_figure_moves_the_probability_in_its_direction_only(name, start):
    profile = builtin_profile()
    flat = replace(figures("The bridge carries two lanes.", likeness=0.5), **{name: start})
    higher = replace(flat, **{name: 1.0})
    change = profile.probability(higher) - profile.probability(flat)
    assert change * SIGNS[name] >= 0


def test_a_mismatch_keeps_the_probability_under_the_threshold():
    profile = builtin_profile()
    assert profile.cap_probability(0.99, is_accurate=True, conflicts=False) == 0.99
    partly = profile.cap_probability(0.99, is_accurate=False, conflicts=False)
    assert profile.cap_probability(0.99, is_accurate=False, conflicts=True) < partly < profile.accurate


def test_the_profile_comes_with_the_curve_that_set_its_threshold():
    profile = builtin_profile()
    best = max(point.balanced_accuracy for point in profile.curve)
    chosen = next(point for point in profile.curve if point.threshold == profile.accurate)
    assert chosen.balanced_accuracy > best - 0.01
    assert [point.recall for point in profile.curve] == sorted(
        (p.recall for p in profile.curve), reverse=True
    )


def test_a_profile_survives_being_written_and_read():
    assert read_profile(write_profile(builtin_profile())) == builtin_profile()


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"accurate": 0.5}'])
def test_a_file_that_is_no_profile_is_refused(written):
    with pytest.raises(ValueError, match="validation error"):
        read_profile(written)
