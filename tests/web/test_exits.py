"""The words for why a run went on."""

import pytest
from django.utils import translation

from research.engine.states.state_exit_reasons import BESIDE_THE_TABLE, LOOKED_AT, NO_EXIT, ExitReason
from research.models import State
from research.web.runs.transition_labels import BECAUSE, FIGURES, describe_transition
from research.web.site.value_labels import STATES

FOUND = {
    "sources.found": 31,
    "policy.minimum_sources": 15,
    "sources.is_enough": True,
    "sources.coverage": 0.9,
}


def test_every_way_out_of_a_state_has_its_words():
    assert set(BECAUSE) == set(LOOKED_AT) | BESIDE_THE_TABLE


def test_every_figure_has_its_name():
    looked_at = {path for paths in LOOKED_AT.values() for path in paths}
    assert looked_at - {"state"} == set(FIGURES) & looked_at


def test_every_state_has_its_name():
    assert set(STATES) == set(State.values)


def test_an_exit_is_told_in_one_sentence_with_its_figures():
    said = describe_transition(ExitReason("sources_suffice", State.READING, FOUND).to_json(), "collecting")
    assert said.sentence == "Searching → Reading sources, because enough sources were found."
    assert said.figures == (
        ("Sources found", "31"),
        ("Sources wanted at least", "15"),
        ("Enough by the six checks", "yes"),
        ("Share of the subtopics covered", "90%"),
    )


def test_a_figure_that_is_unknown_is_not_shown():
    why = ExitReason(
        "plan_needs_a_person", State.HUMAN_REVIEW_PLAN, {"plan.cost_share": None, "plan.subtopics": 12}
    )
    assert describe_transition(why.to_json(), "planning").figures == (("Subtopics", "12"),)


def test_figures_are_written_as_the_reader_s_language_does():
    with translation.override("de"):
        said = describe_transition(
            ExitReason("sources_suffice", State.READING, {"sources.coverage": 0.9}).to_json(), "collecting"
        )
    assert said.figures[0][1] == "90 %"


@pytest.mark.parametrize(
    "output",
    [
        {},
        {"failures": []},
        {"exit": "sources_suffice"},
        {"exit": "sources_suffice", "to": "nowhere", "facts": {}},
        {"exit": "no_longer_known", "to": "reading", "facts": {}},
        {"exit": "sources_suffice", "to": "reading", "facts": None},
    ],
)
def test_where_no_reason_was_kept_none_is_told(output):
    assert describe_transition(output, "collecting") is None


def test_a_way_that_is_no_exit_is_told_too():
    said = describe_transition(
        ExitReason(NO_EXIT, State.RETRYING, {"attempt": 1, "retries": 5}).to_json(), "collecting"
    )
    assert said.sentence == "Searching → Trying again, because it could not be finished."
    assert said.figures == (("Attempts before this one", "1"), ("Attempts left", "5"))
