"""The figures of `manage.py evaluate report`, on reports made up for the purpose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.evaluation.evaluation_of_reports import (
    GoldAnswerable,
    GoldDisagreement,
    GoldSentence,
    GoldUnanswerable,
    ReportContents,
    figures,
    is_same_sentence,
    judge_answerable,
    judge_disagreement,
    judge_unanswerable,
)

GOLD = "Verifiers SHALL require memorized secrets to be at least 8 characters in length."
SIDES = [
    GoldSentence(doc="a", sentence="Passwords must be changed yearly."),
    GoldSentence(doc="b", sentence=GOLD),
]


def answerable() -> GoldAnswerable:
    return GoldAnswerable(id="A1", question="How long?", evidence=[GoldSentence(doc="a.pdf", sentence=GOLD)])


def report(*quotes: str, insufficient: bool = False, **values: object) -> ReportContents:
    return ReportContents(insufficient, tuple((quote,) for quote in quotes), **values)


@pytest.mark.parametrize(
    "quote",
    [
        GOLD,
        GOLD.upper().replace(" ", "\n"),
        f"Section 5.1.1.2. {GOLD} Longer is better.",
        "require memorized secrets to be at least 8 characters in length",
        GOLD.replace("Verifiers", "The verifier"),
    ],
    ids=["equal", "case and space", "with its neighbours", "most of it", "one word changed"],
)
def test_a_quote_with_the_gold_sentences_words_is_the_same_sentence(quote):
    assert is_same_sentence(GOLD, quote)


@pytest.mark.parametrize("quote", ["", "8 characters", "Passwords expire after a year.", "…"])
def test_a_quote_with_too_few_of_its_words_is_another_sentence(quote):
    assert not is_same_sentence(GOLD, quote)


@given(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1))
def test_every_sentence_is_the_same_as_itself(text):
    assert is_same_sentence(text, text)


def test_the_rank_counts_the_claims_before_the_first_hit():
    judged = judge_answerable(answerable(), report("Something else entirely.", "And another.", GOLD, GOLD))
    assert (judged.hit, judged.rank, judged.claims) == (True, 2, 4)


def test_a_report_without_the_sentence_misses():
    judged = judge_answerable(answerable(), report("Something else entirely."))
    assert (judged.hit, judged.rank) == (False, None)


def test_a_report_without_claims_counts_as_insufficient():
    assert judge_unanswerable(GoldUnanswerable(id="U1", question="?"), report()).insufficient


def test_both_sides_need_two_different_sides():
    gold = GoldDisagreement(id="D1", topic="?", sides=SIDES)
    assert not judge_disagreement(gold, report(GOLD, GOLD)).hit
    assert judge_disagreement(gold, report(GOLD, SIDES[0].sentence)).hit


def test_a_dispute_is_flagged_when_its_sides_stand_against_each_other():
    gold = GoldDisagreement(id="D1", topic="?", sides=SIDES)
    assert judge_disagreement(gold, report(GOLD, disputed=((GOLD, SIDES[0].sentence),))).flagged
    assert not judge_disagreement(gold, report(GOLD, disputed=((GOLD, GOLD),))).flagged


def test_figures_are_shares_of_their_own_kind():
    judged = [
        judge_answerable(answerable(), report(GOLD, seconds=2)),
        judge_answerable(answerable(), report(*["No such thing here."] * 5, GOLD, seconds=4)),
        judge_answerable(answerable(), report(insufficient=True, seconds=1)),
        judge_unanswerable(GoldUnanswerable(id="U1", question="?"), report("A guess.", seconds=1)),
    ]
    found = figures(judged)
    assert (found.answerable, found.unanswerable, found.disagreements) == (3, 1, 0)
    assert (found.recall, found.recall_early, found.false_abstention) == (2 / 3, 1 / 3, 1 / 3)
    assert (found.abstention, found.both_sides_quoted) == (0, None)
    assert (found.seconds_median, found.seconds_max) == (1.5, 4)


def test_without_reports_there_are_no_figures():
    assert figures([]).recall is None
