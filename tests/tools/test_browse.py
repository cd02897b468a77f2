"""browse: what the run found, and its sources; never what a model made up."""

import pytest

from research.agents.tools.tool_interface import ToolCode, ToolError
from research.models import AgentRole
from tests.tools.conftest import add_source

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


def test_a_long_text_is_read_in_stretches_that_make_up_the_whole(hand):
    text = " ".join(f"Sentence {number} tells of a well." for number in range(2_000))
    source, start, parts = add_source(hand, "long", text), 0, []
    while start is not None:
        shown = hand.use("browse", url=source, mode="full", start=start)
        parts.append(shown.content)
        start = shown.next_start
    assert ("".join(parts), len(parts) > 3) == (text, True)


def test_a_summary_ends_after_five_hundred_words_and_says_where_to_go_on(hand):
    source = add_source(hand, "long", "word " * 600)
    shown = hand.use("browse", url=source)
    assert (len(shown.content.split()), shown.next_start, shown.words) == (500, 500 * 5 - 1, 600)


def test_beyond_the_end_there_is_nothing(hand):
    shown = hand.use("browse", url=add_source(hand, "a", "Words."), mode="full", start=10_000)
    assert (shown.content, shown.next_start) == ("", None)


def test_a_word_without_end_is_cut(hand):
    shown = hand.use("browse", url=add_source(hand, "a", "x" * 20_000), mode="full")
    assert (len(shown.content) > 0, shown.next_start) == (True, len(shown.content))


def test_tables_are_shown_when_they_are_wanted(hand):
    table = {
        "caption": "Pumps",
        "headers": ["Year"],
        "rows": [[str(n)] for n in range(40)],
        "start": 0,
        "end": 1,
    }
    source = add_source(hand, "t", "Table.", tables=[table] * 6)
    assert hand.use("browse", url=source).tables == []
    shown = hand.use("browse", url=source, tables=True).tables
    assert [(one.caption, len(one.rows)) for one in shown] == [("Pumps", 30)] * 5


def test_what_is_shown_names_its_passages(hand):
    [first, *_] = hand.search("field trial Kiruna")
    shown = hand.use("browse", url=first.id, mode="full")
    kept = hand.use("store", source=first.id, chunks=shown.passages)
    assert kept.count == len(shown.passages) > 0


@pytest.mark.parametrize(
    "given",
    [{}, {"url": "x" * 2_001}, {"url": "lib-0123456789ab", "mode": "deepest"}, {"url": "a", "start": -1}],
)
def test_senseless_reading_is_refused(hand, given: dict):
    assert hand.error("browse", **given) is ToolCode.INVALID_ARGUMENTS
