"""A result is kept, marked or set aside by what its site answered."""

from uuid import uuid4

import pytest

from research.engine.pipeline_registry import ChildStep
from research.fetching.fetched_page_content import FetchError
from research.pipelines.technical.answer.technical_answer import StoredResult
from research.pipelines.technical.check_technical_links import state_of, with_links
from research.pipelines.technical.technical_results import separate_dead_results
from research.pipelines.technical.technical_step_names import TechnicalStepName


def links(*states, fetched=0):
    """Return the links of results whose looks ended so, behind so many that the run has fetched itself."""
    results = [
        StoredResult(source=uuid4(), type="other", relevance=0.5, why=[])
        for _ in range(fetched + len(states))
    ]
    looks = [
        ChildStep(
            "link",
            TechnicalStepName.CHECK_LINK,
            "completed",
            {"source": str(one.source)},
            {"state": state},
            "",
            "",
        )
        for one, state in zip(results[fetched:], states, strict=True)
    ]
    there = frozenset(str(result.source) for result in results[:fetched])
    return [link.link for link in with_links(results, looks, there)]


def test_a_page_of_a_silent_site_is_dead_where_others_answer():
    assert links("alive", "silent", "dead", "unknown") == ["alive", "dead", "dead", "saved"]
    assert links("silent", fetched=1) == ["alive", "dead"]


def test_where_nobody_answers_it_is_the_network_and_nobody_loses_a_place():
    assert links("silent", "silent") == ["saved", "saved"]


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (FetchError("PAGE_NOT_FOUND", "gone"), "dead"),
        (FetchError("TIMEOUT", "slow", is_retryable=True), "silent"),
        (FetchError("BLOCKED", "500", is_retryable=True), "silent"),
        (FetchError("BLOCKED", "wait", is_retryable=True, retry_after_s=60.0), "unknown"),
        (FetchError("BLOCKED", "robots.txt"), "unknown"),
        (FetchError("PAYWALL", "402"), "unknown"),
    ],
)
def test_what_an_error_says_about_its_page(error, state):
    assert state_of(error) == state


def test_others_move_up_to_the_places_of_the_dead():
    results = [
        StoredResult(source=uuid4(), type="other", relevance=0.5, why=[], link=link)
        for link in ("alive", "dead", "alive", "saved")
    ]
    listed, gone = separate_dead_results(results, 2)
    assert (listed, gone) == ([results[0], results[2]], [results[1]])
