"""An instruction to a run under way is read in time, has its effect, and happens once."""

from contextlib import suppress

import pytest

from citations.models import Citation, Claim
from exports.building.build_document import build_document
from research.db.tenancy import tenant_context
from research.engine import claim_and_finish_steps
from research.models import (
    Chunk,
    Instruction,
    InstructionStatus,
    PlanTrigger,
    PlanVersion,
    Source,
    SourceStatus,
    State,
    Step,
)
from research.pipelines.report.report_step_names import ReportStepName
from research.pipelines.report.send_report_instruction import MAX_QUEUED, InstructionRefused, tell
from research.runs.start_and_cancel import cancel_run, pause_run, resume_run
from tests.pipelines.conftest import QUESTION
from tests.pipelines.stepping import begin, do, go_on, go_until, now, take, to_state


class Killed(BaseException):
    """A process ends here."""


@pytest.fixture
def run(account, library):
    """It takes no place among those under way when the test is over."""
    started = begin(account, QUESTION, folders=[library])
    yield started
    with tenant_context(account.tenant_id):
        cancel_run(started.pk)


def inside(run):
    """Look at rows in a transaction of its own: steps work in other threads too."""
    return tenant_context(run.tenant_id)


def send_instruction(run, account, text, key=""):
    with tenant_context(account.tenant_id):
        return tell(run.pk, account.user, text, key)


def rows(run, model, **which):
    with inside(run):
        return list(model.objects.filter(run=run, **which))


def document_of(run):
    with inside(run):
        return build_document(run.pk)


def act(run, do_it):
    with inside(run):
        assert do_it(run.pk)


def again(instruction):
    with tenant_context(instruction.tenant_id):
        return Instruction.objects.get(pk=instruction.pk)


def count_followed(run):
    return len(rows(run, Step, handler=ReportStepName.FOLLOW_INSTRUCTION, status="completed"))


def test_something_more_is_looked_for_in_the_round_under_way(run, account):
    to_state(run, State.COLLECTING)
    said = send_instruction(run, account, "also look at costs")
    run = to_state(run, State.READING)
    assert again(said).status == InstructionStatus.TAKEN
    assert again(said).effects == ["“Costs” is looked for too."]
    assert [one["name"] for one in run.plan["subtopics"]][-1] == "Costs"
    searched = rows(run, Step, handler=ReportStepName.SEARCH_LIBRARY, input__subtopic="Costs")
    assert [one.status for one in searched] == ["completed"]
    assert searched[0].key.startswith(f"{run.version - 1}.collecting/instruct.")


def test_what_it_found_is_in_the_report(run, account):
    to_state(run, State.COLLECTING)
    send_instruction(run, account, "Add a section on drilling costs.")
    assert go_on(run).state == State.COMPLETED
    document = document_of(run)
    [section] = [one for one in document.sections if one.heading == "Drilling costs"]
    assert any("14,200 euros" in claim.text for claim in section.claims)
    assert all(claim.citations for claim in section.claims)


def test_a_section_of_which_no_source_speaks_is_said_to_be_missing(run, account):
    to_state(run, State.COLLECTING)
    send_instruction(run, account, "Add a section on submarines.")
    go_on(run)
    left_out = document_of(run).left_out
    [missing] = [one for one in left_out if one.text == "Submarines"]
    assert (
        missing.reason
        == "The run was told to have this section; no source on the question that it read speaks of it."
    )


@pytest.mark.parametrize("state", [State.COLLECTING, State.READING])
def test_a_site_is_neither_read_nor_cited_any_more(run, account, state):
    to_state(run, state)
    said = send_instruction(run, account, "not policy.example")
    assert go_on(run).state == State.COMPLETED
    assert again(said).effects[0] == "Nothing of policy.example is read or cited from now on."
    aside = rows(run, Source, url__contains="policy.example")
    assert {one.status for one in aside} <= {SourceStatus.EXCLUDED}
    assert all("You said so" in one.error_message for one in aside)
    assert not Citation.objects.filter(claim__run=run, source__url__contains="policy.example").exists()


def test_a_page_that_is_being_read_meanwhile_is_not_stored(run, account):
    to_state(run, State.READING)
    step = take(run)
    send_instruction(run, account, "not policy.example and not nordhaus.example")
    instruct = take(run)
    while instruct and instruct.handler != ReportStepName.FOLLOW_INSTRUCTION:
        do(run, instruct)
        instruct = take(run)
    do(run, instruct)
    do(run, step)
    [source] = rows(run, Source, pk=step.input["source"])
    assert source.status == SourceStatus.EXCLUDED
    assert not rows(run, Chunk, source=source)


def test_a_range_of_dates_sets_aside_what_lies_outside(run, account):
    to_state(run, State.READING)
    said = send_instruction(run, account, "nothing before 2022")
    go_on(run)
    assert again(said).effects[0] == "Only what was published from 2022 on counts from now on."
    [older] = rows(run, Source, title="Building Policy Guide 1.0")
    assert (older.status, older.error_message) == ("excluded", "It was published on 2019-03-01, before 2022.")


def test_fewer_sources_leave_the_worst_unread(run, account):
    to_state(run, State.READING)
    pending = len(rows(run, Source, status=SourceStatus.PENDING))
    assert pending > 2
    said = send_instruction(run, account, "2 sources")
    go_until(run, lambda _run: again(said).status != InstructionStatus.QUEUED)
    assert now(run).config["target_sources"] == 2
    assert len(rows(run, Source, status=SourceStatus.PENDING)) <= 2
    assert again(said).effects[0] == "2 sources are wanted now, not 30."


def test_what_is_told_while_planning_is_read_before_the_search(run, account):
    said = send_instruction(run, account, "also look at costs")
    assert again(said).status == InstructionStatus.QUEUED
    run = to_state(run, State.READING)
    assert again(said).status == InstructionStatus.TAKEN
    assert len(rows(run, Step, handler=ReportStepName.SEARCH_LIBRARY, input__subtopic="Costs")) == 1


def test_what_is_told_while_reading_is_searched_for_and_read(run, account):
    to_state(run, State.READING)
    said = send_instruction(run, account, "also look at tomatoes")
    run = to_state(run, State.ANALYZING)
    assert again(said).status == InstructionStatus.TAKEN
    assert [row.status for row in rows(run, Source, title="Gardening notes")] == [SourceStatus.PROCESSED]


def test_the_plan_as_it_was_is_kept_with_the_words_that_changed_it(run, account):
    to_state(run, State.COLLECTING)
    send_instruction(run, account, "also look at costs")
    go_until(run, lambda _run: count_followed(run) == 1)
    latest = max(rows(run, PlanVersion), key=lambda row: row.number)
    assert (latest.trigger, latest.reason, latest.made_by_id) == (
        PlanTrigger.INSTRUCTION,
        "also look at costs",
        account.user.pk,
    )


def test_what_cannot_be_understood_is_refused_with_what_can_be_done(run, account):
    to_state(run, State.COLLECTING)
    said = send_instruction(run, account, "make it nicer")
    go_until(run, lambda _run: count_followed(run) == 1)
    assert again(said).status == InstructionStatus.REFUSED
    assert again(said).effects[0].startswith("“make it nicer” could not be understood. A run under way can")


def test_what_is_so_already_changes_nothing_and_says_so(run, account):
    to_state(run, State.COLLECTING)
    send_instruction(run, account, "30 sources")
    [said] = rows(run, Instruction)
    go_until(run, lambda _run: count_followed(run) == 1)
    assert again(said).effects == ["The plan already does what it asks for."]


def test_the_same_words_or_key_twice_are_one(run, account):
    first = send_instruction(run, account, "also look at costs", "form-1")
    assert send_instruction(run, account, "also look at costs", "form-2") == first
    assert send_instruction(run, account, "something else", "form-1") == first
    assert len(rows(run, Instruction)) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no", "at least 3"),
        ("x" * 2_001, "2001 characters; the limit is 2000"),
        ("a\x00bc", "not text"),
        ("  \n ", "at least"),
    ],
)
def test_what_is_too_short_too_long_or_no_text_is_refused(run, account, text, words):
    with pytest.raises(InstructionRefused, match=words):
        send_instruction(run, account, text)
    assert not rows(run, Instruction)


@pytest.mark.parametrize("text", ["now", "x" * 2_000])
def test_the_shortest_and_the_longest_are_taken(run, account, text):
    assert send_instruction(run, account, text).text == text


def test_no_more_than_twenty_wait_at_once(run, account):
    for number in range(MAX_QUEUED):
        send_instruction(run, account, f"also look at thing {number}")
    with pytest.raises(InstructionRefused, match="20 instructions are already waiting"):
        send_instruction(run, account, "also look at one thing more")
    assert len(rows(run, Instruction)) == MAX_QUEUED


def test_a_finished_run_refuses_and_offers_a_follow_up(run, account):
    act(run, cancel_run)
    with pytest.raises(InstructionRefused, match="follow-up") as refused:
        send_instruction(run, account, "also look at costs")
    assert refused.value.is_too_late


def test_what_a_run_did_not_come_to_says_so_when_it_ends(run, account):
    said = send_instruction(run, account, "also look at costs")
    act(run, cancel_run)
    assert again(said).status == InstructionStatus.REFUSED
    assert "ended before it came to this" in again(said).effects[0]


def test_a_paused_run_is_told_and_follows_when_it_goes_on(run, account):
    to_state(run, State.COLLECTING)
    act(run, pause_run)
    said = send_instruction(run, account, "also look at costs")
    assert take(run) is None
    assert again(said).status == InstructionStatus.QUEUED
    act(run, resume_run)
    to_state(run, State.READING)
    assert again(said).status == InstructionStatus.TAKEN


def test_a_worker_that_dies_in_the_middle_leaves_nothing_half_done(run, account, monkeypatch):
    """Its step's end is rolled back at the last moment; another worker does it, once."""
    to_state(run, State.COLLECTING)
    said = send_instruction(run, account, "also look at costs, and not policy.example")
    step = take(run)
    while step.handler != ReportStepName.FOLLOW_INSTRUCTION:
        do(run, step)
        step = take(run)

    def die(_run, _activities):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(claim_and_finish_steps, "_note_progress", die)
        with pytest.raises(Killed):
            do(run, step)
    assert again(said).status == InstructionStatus.QUEUED
    assert "excluded_domains" not in now(run).config
    assert not rows(run, PlanVersion, trigger=PlanTrigger.INSTRUCTION)
    assert not rows(run, Step, input__subtopic="Costs")
    with inside(run):
        Step.objects.filter(pk=step.id).update(lease_until="2000-01-01T00:00Z")
    assert go_on(run).state == State.COMPLETED
    assert again(said).status == InstructionStatus.TAKEN
    assert [one["name"] for one in now(run).plan["subtopics"]].count("Costs") == 1
    assert len(rows(run, Step, handler=ReportStepName.SEARCH_LIBRARY, input__subtopic="Costs")) == 1
    assert len(rows(run, PlanVersion, trigger=PlanTrigger.INSTRUCTION)) == 1


def test_an_instruction_that_is_not_committed_was_never_told(run, account):
    to_state(run, State.COLLECTING)
    with suppress(Killed), inside(run):
        tell(run.pk, account.user, "also look at costs")
        raise Killed
    assert go_on(run).state == State.COMPLETED
    assert not rows(run, Instruction)
    assert count_followed(run) == 0


def test_claims_of_a_run_that_was_told_nothing_are_as_ever(run, account):
    go_on(run)
    assert rows(run, Claim, section__isnull=False)
    assert not rows(run, Step, handler__in=[ReportStepName.HEED_INSTRUCTIONS, ReportStepName.BEGIN_STATE])
