"""cite: references to the run's sources."""

import pytest

from research.agents.tools.tool_interface import ToolCode
from tests.tools.conftest import add_source, handle_of


def test_sources_are_cited_in_a_style(hand, handles):
    guide = handle_of(hand, "Guide 2.0")
    made = hand.use("cite", sources=[guide], style="apa", access_date="2026-01-02")
    [reference] = made.references
    assert (reference.source, "Building Policy Guide 2.0" in reference.formatted) == (guide, True)
    assert "2023" in reference.inline
    assert guide in made.bibtex


def test_a_style_that_does_not_exist_is_refused(hand, handles):
    assert hand.error("cite", sources=handles[:1], style="mine") is ToolCode.INVALID_ARGUMENTS


def test_references_come_in_the_order_asked_for_each_once(hand, handles):
    wanted = [handles[1], handles[0], handles[1]]
    assert [reference.source for reference in hand.use("cite", sources=wanted).references] == [
        handles[1],
        handles[0],
    ]


def test_a_source_that_says_nothing_of_itself_has_a_reference_all_the_same(hand):
    source = add_source(hand, "bare", "Words.", title="Notes")
    [reference] = hand.use("cite", sources=[source]).references
    assert "Notes" in reference.formatted


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"sources": []}, ToolCode.INVALID_ARGUMENTS),
        ({"sources": ["src-0123456789ab"] * 101}, ToolCode.INVALID_ARGUMENTS),
        ({"sources": ["src-0123456789ab"], "access_date": "yesterday"}, ToolCode.INVALID_ARGUMENTS),
        ({"sources": ["src-0123456789ab"]}, ToolCode.UNKNOWN_ID),
        ({"sources": ["https://invented.example"]}, ToolCode.UNKNOWN_ID),
    ],
)
def test_what_cannot_be_cited_is_refused(hand, given: dict, code: ToolCode):
    assert hand.error("cite", **given) is code


def test_one_runs_sources_cannot_be_cited_by_another(make_hand):
    source = add_source(make_hand(), "a", "Words.")
    assert make_hand().error("cite", sources=[source]) is ToolCode.UNKNOWN_ID
