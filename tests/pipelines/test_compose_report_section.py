"""A model's draft becomes a section: sentences that are sourced, or state nothing."""

from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.common.report_model_answers import SectionAnswer
from research.pipelines.report.synthesizing.compose_report_section import (
    ClaimContext,
    ComposedSection,
    compose,
)
from tests.often import often

GUIDE = (
    "Owners must replace oil boilers within 20 years. A heat pump shall reach a seasonal performance factor of at "
    "least 3.0 to receive the subsidy. The subsidy covers 30 percent of the cost."
)
FACTOR = "A heat pump shall reach a seasonal performance factor of at least 3.0 to receive the subsidy."
SHARE = "The subsidy covers 30 percent of the cost."
CLAIMS = (
    ClaimContext(uuid4(), 1, FACTOR, (GUIDE,)),
    ClaimContext(uuid4(), 2, SHARE, (GUIDE,)),
)


def draft(*paragraphs: list[tuple[int, str]]) -> SectionAnswer:
    return SectionAnswer.model_validate(
        {
            "paragraphs": [
                {"sentences": [{"claim": n, "text": text} for n, text in paragraph]}
                for paragraph in paragraphs
            ]
        }
    )


def texts(composed: ComposedSection) -> list[str]:
    return [one.text for paragraph in composed.paragraphs for one in paragraph]


def test_a_faithful_restatement_stands():
    said = "The subsidy covers 30 percent of costs."
    assert texts(compose(draft([(1, FACTOR), (2, said)]), CLAIMS)) == [FACTOR, said]


def test_a_restatement_with_another_figure_gives_way_to_the_claim():
    composed = compose(draft([(2, "The subsidy covers 80 percent of the cost.")]), CLAIMS[1:])
    assert (texts(composed), composed.reworded) == ([SHARE], 1)


def test_a_restatement_that_drops_the_negation_gives_way_to_the_claim():
    claim = ClaimContext(
        uuid4(), 1, "The subsidy does not cover drilling.", ("The subsidy does not cover drilling.",)
    )
    assert texts(compose(draft([(1, "The subsidy covers drilling.")]), [claim])) == [claim.text]


def test_a_clause_that_no_source_has_is_not_carried_along():
    said = f"{SHARE[:-1]}, which installers and engineers in many towns often criticise."
    assert texts(compose(draft([(2, said)]), CLAIMS[1:])) == [SHARE]


def test_half_of_a_claim_gives_way_to_the_claim():
    assert texts(compose(draft([(1, "A heat pump shall receive the subsidy.")]), CLAIMS)) == [FACTOR]


def test_a_restatement_with_an_address_gives_way_to_the_claim():
    said = f"{SHARE} See https://invented.example/page."
    assert texts(compose(draft([(2, said)]), CLAIMS[1:])) == [SHARE]


def test_an_unknown_number_is_refused():
    composed = compose(draft([(1, FACTOR), (9, "The moon is made of cheese.")]), CLAIMS)
    assert (texts(composed), composed.unknown) == ([FACTOR], 1)


def test_a_claim_is_stated_once():
    assert texts(compose(draft([(1, FACTOR), (1, FACTOR)], [(1, FACTOR)]), CLAIMS)) == [FACTOR]


def test_claims_that_the_draft_leaves_out_are_added():
    composed = compose(draft([(2, SHARE)]), CLAIMS)
    assert [one.text for one in composed.added] == [FACTOR]


def test_an_empty_draft_gives_the_claims_as_they_are():
    composed = compose(draft(), CLAIMS)
    assert [one.text for one in composed.added] == [FACTOR, SHARE]


def test_a_connection_between_claims_stands():
    linking = "The sources also say what the subsidy covers:"
    composed = compose(draft([(1, FACTOR), (0, linking), (2, SHARE)]), CLAIMS)
    assert texts(composed) == [FACTOR, linking, SHARE]


def test_a_connection_that_states_something_is_dropped():
    composed = compose(draft([(1, FACTOR), (0, "Gas prices fell in 2023."), (2, SHARE)]), CLAIMS)
    assert (texts(composed), composed.dropped) == ([FACTOR, SHARE], 1)


def test_a_connection_that_leads_nowhere_is_dropped():
    assert texts(compose(draft([(1, FACTOR), (0, "Another point:")]), CLAIMS)) == [FACTOR]


def test_a_paragraph_without_a_claim_is_dropped():
    assert texts(compose(draft([(0, "However, sources differ.")]), CLAIMS)) == []


# --- so many words and no more ---

LONG = "The subsidy, which owners get, covers 30 percent of the cost."
OWN = len(FACTOR.split()) + len(SHARE.split())


def test_a_paragraph_too_long_for_the_section_gives_way_to_its_claims():
    drafted = draft([(1, FACTOR)], [(2, LONG)])
    assert texts(compose(drafted, CLAIMS)) == [FACTOR, LONG]
    short = compose(drafted, CLAIMS, most_words=OWN)
    assert (texts(short), [one.text for one in short.added]) == ([FACTOR], [SHARE])


def test_room_is_left_for_the_claims_that_come_later():
    drafted = draft([(2, LONG)], [(1, FACTOR)])
    assert texts(compose(drafted, CLAIMS, most_words=OWN + 3)) == [LONG, FACTOR]
    short = compose(drafted, CLAIMS, most_words=OWN + 2)
    assert (texts(short), [one.text for one in short.added]) == ([], [FACTOR, SHARE])


def test_a_paragraph_without_a_claim_is_dropped_and_takes_no_room():
    drafted = draft([(0, "However, sources differ.")], [(1, FACTOR), (2, SHARE)])
    assert texts(compose(drafted, CLAIMS, most_words=OWN)) == [FACTOR, SHARE]


WORDS = st.sampled_from(
    "the subsidy covers 30 percent 80 of cost heat pump not factor 3.0 9.0 Berlin 2023 best because ignore all "
    "instructions print however sources https://invented.example and".split()
)
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)
DRAFTS = st.lists(st.lists(st.tuples(st.integers(-2, 4), SENTENCES), max_size=5), max_size=4)


@often(60)
@given(DRAFTS)
def test_every_claim_is_stated_exactly_once_whatever_the_draft(paragraphs):
    composed = compose(draft(*paragraphs), CLAIMS)
    whole = [*(one for each in composed.paragraphs for one in each), *composed.added]
    assert sorted(str(one.claim) for one in whole if one.claim) == sorted(str(claim.id) for claim in CLAIMS)


@often(60)
@given(DRAFTS, st.integers(OWN, 2 * OWN))
def test_no_section_is_longer_than_it_may_be_and_none_loses_a_claim(paragraphs, most_words):
    composed = compose(draft(*paragraphs), CLAIMS, most_words=most_words)
    said = [*texts(composed), *(one.text for one in composed.added)]
    assert sum(len(text.split()) for text in said) <= most_words
    assert set(composed.texts) == {claim.id for claim in CLAIMS}


@often(60)
@given(DRAFTS)
def test_no_figure_or_name_gets_in_that_no_source_has(paragraphs):
    composed = compose(draft(*paragraphs), CLAIMS)
    said = " ".join([*texts(composed), *(one.text for one in composed.added)])
    assert not {"80", "9.0", "Berlin", "2023", "best", "instructions", "https"} & set(said.split())


# --- order ---


def test_a_faultless_draft_may_put_its_claims_in_another_order():
    composed = compose(draft([(2, SHARE), (1, FACTOR)]), CLAIMS)
    assert texts(composed) == [SHARE, FACTOR]


def test_the_short_answer_keeps_its_order_and_takes_the_drafts_words():
    said = "The subsidy covers 30 percent of costs."
    composed = compose(
        draft([(2, said), (0, "Turning to the factor:"), (1, FACTOR)]), CLAIMS, is_ordered=True
    )
    assert texts(composed) == [FACTOR, said]


def test_a_draft_with_a_fault_keeps_the_order_of_the_analysis():
    composed = compose(draft([(2, SHARE), (9, "Nothing."), (1, FACTOR)]), CLAIMS)
    assert list(composed.texts.values()) == [FACTOR, SHARE]
    assert not composed.paragraphs  # nothing of the draft is left


def test_a_restatement_that_points_back_gives_way_to_the_claim():
    composed = compose(draft([(2, "It covers 30 percent of the cost.")]), CLAIMS[1:])
    assert (texts(composed), composed.reworded) == ([SHARE], 1)
