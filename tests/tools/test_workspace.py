"""workspace: the run's plan, notes and findings."""

import pytest

from research.agents.tools.agent_notebook import (
    MAX_ENTRIES,
    MAX_TEXT,
    NotebookAuthor,
    append,
    read_workspace,
)
from research.agents.tools.tool_interface import ToolCode
from research.db.tenancy import tenant_context
from research.models import AgentRole, EntryKind, Run


def test_notes_are_written_down_and_read_again(hand):
    hand.use("workspace", action="note", text="Two guides differ.")
    assert hand.use("workspace", AgentRole.WRITER).notes == ["researcher: Two guides differ."]


def test_a_note_is_written_down_once_for_one_call(hand):
    for _ in range(2):
        made = hand.use("workspace", action="note", text="Two guides differ.")
    assert len(made.notes) == 1


def test_a_finding_names_sources_of_the_run(hand, handles):
    hand.use("workspace", action="finding", text="The factor is 3.", sources=handles[:1])
    with tenant_context(hand.tenant_id):
        [entry] = read_workspace(hand.run_id).findings
        assert f"src-{entry.sources[0][-12:]}" == handles[0]
    assert (
        hand.error("workspace", action="finding", text="x", sources=["src-0123456789ab"])
        is ToolCode.UNKNOWN_ID
    )


def test_items_of_the_plan_are_ticked(hand):
    with tenant_context(hand.tenant_id):
        author = NotebookAuthor(hand.run_id, hand.step_id, AgentRole.PLANNER, "plan")
        append(author, EntryKind.PLAN, ["Search", "Write"])
    made = hand.use("workspace", action="tick", item=2)
    assert [(one.number, one.text, one.done) for one in made.plan] == [
        (1, "Search", False),
        (2, "Write", True),
    ]
    assert hand.error("workspace", action="tick", item=3) is ToolCode.UNKNOWN_ID


def test_a_full_workspace_takes_no_more(hand):
    with tenant_context(hand.tenant_id):
        author = NotebookAuthor(hand.run_id, None, AgentRole.PLANNER, "many")
        append(author, EntryKind.NOTE, ["x"] * MAX_ENTRIES)
    assert hand.error("workspace", action="note", text="One more.") is ToolCode.NOT_AVAILABLE


def test_what_is_noted_is_no_source(hand):
    hand.use("workspace", action="finding", text="The factor is 3.")
    assert hand.sources() == []
    with tenant_context(hand.tenant_id):
        assert Run.objects.get(pk=hand.run_id).sources_found == 0


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"action": "note"}, ToolCode.INVALID_ARGUMENTS),
        ({"action": "note", "text": "  "}, ToolCode.INVALID_ARGUMENTS),
        ({"action": "note", "text": "x" * (MAX_TEXT + 1)}, ToolCode.INVALID_ARGUMENTS),
        ({"action": "note", "text": "a\x00b"}, ToolCode.INVALID_ARGUMENTS),
        ({"action": "erase"}, ToolCode.INVALID_ARGUMENTS),
        ({"action": "tick", "item": 0}, ToolCode.INVALID_ARGUMENTS),
        ({"action": "tick"}, ToolCode.UNKNOWN_ID),
        (
            {"action": "finding", "text": "x", "sources": ["src-0123456789ab"] * 21},
            ToolCode.INVALID_ARGUMENTS,
        ),
    ],
)
def test_what_cannot_be_written_down_is_refused(hand, given: dict, code: ToolCode):
    assert hand.error("workspace", **given) is code
    assert hand.use("workspace").notes == []


def test_one_runs_notes_are_nothing_to_another(make_hand):
    make_hand().use("workspace", action="note", text="Two guides differ.")
    assert make_hand().use("workspace").notes == []


def test_the_newest_notes_are_shown(hand):
    with tenant_context(hand.tenant_id):
        author = NotebookAuthor(hand.run_id, None, AgentRole.PLANNER, "many")
        append(author, EntryKind.NOTE, [f"Note {number}" for number in range(60)])
    shown = hand.use("workspace").notes
    assert (len(shown), shown[0], shown[-1]) == (50, "planner: Note 10", "planner: Note 59")


def test_ticking_twice_is_ticking(hand):
    with tenant_context(hand.tenant_id):
        append(
            NotebookAuthor(hand.run_id, hand.step_id, AgentRole.PLANNER, "plan"), EntryKind.PLAN, ["Search"]
        )
    for _ in range(2):
        assert [one.done for one in hand.use("workspace", action="tick", item=1).plan] == [True]
