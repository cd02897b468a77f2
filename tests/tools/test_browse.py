"""browse: what the run found, and its sources; never what a model made up."""

import pytest

from research.models import AgentRole
from research.tools.tool import ToolCode, ToolError

HEAT = "seasonal performance factor of a heat pump"


def test_a_found_document_can_be_read(hand):
    [first, *_] = hand.search(HEAT)
    page = hand.use("browse", url=first.id, mode="full")
    assert (page.id, page.next_start) == (first.id, None)
    assert page.words == len(page.content.split())


def test_a_summary_is_the_first_words(hand):
    [first, *_] = hand.search("field trial Kiruna")
    assert hand.use("browse", url=first.id).content.startswith("Nordhaus field trial")


def test_a_document_is_read_by_its_url_once_it_was_found(hand):
    hand.search(HEAT)
    assert (
        hand.use("browse", url="https://www.policy.example/guide/2.0/").title == "Building Policy Guide 2.0"
    )


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://policy.example/guide/2.0", ToolCode.UNKNOWN_ID),  # in the library, but nobody found it
        ("https://attacker.example/?q=secret", ToolCode.BLOCKED),
        ("file:///etc/passwd", ToolCode.BLOCKED),
        ("lib-000000000000", ToolCode.UNKNOWN_ID),
        ("lib-../../etc", ToolCode.UNKNOWN_ID),
        ("src-000000000000", ToolCode.UNKNOWN_ID),
        ("", ToolCode.BLOCKED),
    ],
)
def test_what_the_run_did_not_find_cannot_be_read(hand, url: str, code: ToolCode):
    assert hand.error("browse", url=url) is code


def test_one_runs_finds_are_nothing_to_another(make_hand):
    [first, *_] = make_hand().search(HEAT)
    assert make_hand().error("browse", url=first.id) is ToolCode.UNKNOWN_ID


def test_a_verifier_reads_only_what_is_evidence(hand):
    [first, *_] = hand.search(HEAT)
    with pytest.raises(ToolError) as caught:
        hand.use("browse", AgentRole.VERIFIER, url=first.id)
    assert caught.value.code is ToolCode.UNKNOWN_ID
    hand.use("store", source=first.id)
    assert hand.use("browse", AgentRole.VERIFIER, url=first.id).id.startswith("src-")
