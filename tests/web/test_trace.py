"""The execution trace: everything that happened in a run, in its place in time, as a page and as a file."""

import json
import re
import tracemalloc
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_degradations import Loss, Shortfall, record_loss
from research.models import (
    AgentRole,
    Escalation,
    Instruction,
    PlanVersion,
    ReviewDecision,
    ReviewItem,
    Run,
    Step,
    StepStatus,
)
from research.web.runs.trace import log_page_json_schema
from research.web.runs.trace.log_page_download import STEPS_AT_ONCE
from research.web.runs.trace.log_page_json_schema import TracedEntry, TracedEvent, TracedHead, TracedStep
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import make_report


class Trace(TracedHead):
    """The whole file."""

    workspace: list[TracedEntry]
    events: list[TracedEvent]
    steps: list[TracedStep]


DOCS = Path(__file__).resolve().parents[2] / "docs" / "trace.md"
PARTS = {
    "## The file": Trace,
    "### A step": log_page_json_schema.TracedStep,
    "### A failure": log_page_json_schema.TracedFailure,
    "### A message": log_page_json_schema.TracedMessage,
    "### An event": log_page_json_schema.TracedEvent,
    "### An entry of the workspace": log_page_json_schema.TracedEntry,
}
EVENTS = {"move", "question", "decision", "instruction", "plan", "degradation"}
START = timezone.now().replace(microsecond=0) - timedelta(hours=1)
FOUND = {
    "exit": "sources_suffice",
    "to": "reading",
    "facts": {"sources.found": 12, "policy.minimum_sources": 10},
}


@pytest.fixture
def world(db):
    return make_report(join("ada"))


@pytest.fixture
def client(world):
    return world.person.sign_in()


@pytest.fixture
def tenant(world):
    with tenant_context(world.person.tenant.pk):
        yield


def add(world, number, key, handler="report.fetch", **columns):
    """A step that began so many minutes after the start."""
    began = START + timedelta(minutes=number)
    values = {"started_at": began, "completed_at": began, "status": StepStatus.COMPLETED}
    return Step.objects.create(
        run=world.run,
        step_index=number,
        key=key,
        handler=handler,
        agent_role=AgentRole.RESEARCHER,
        **values | columns,
    )


def at(row, minutes):
    type(row).objects.filter(pk=row.pk).update(created_at=START + timedelta(minutes=minutes))
    return row


def ask(world, **columns):
    values = {
        "rule": "unresolved_contradictions", "state": "analyzing", "priority": "medium", "type": "blocking",
        "required_action": "Say which side holds.", "deadline": START + timedelta(hours=12), "fallback": "degrade",
        "visit": "4.analyzing",
    }  # fmt: skip
    return Escalation.objects.create(run=world.run, **values | columns)


def log(client, world, **query):
    return client.get(f"/runs/{world.run.pk}/log/", query)


def download_log(client, world):
    return b"".join(client.get(f"/runs/{world.run.pk}/log.json"))


@pytest.fixture
def one_of_each(world, tenant):
    """One of each kind, minutes apart."""
    user = world.person.user
    add(world, 1, "2.collecting", "state.collecting", output=FOUND)
    add(world, 2, "3.reading/fetch.1", input={"url": "https://example.org/a"})
    asked = at(ask(world), 3)
    item = ReviewItem.objects.create(
        run=world.run, escalation=asked, position=1, kind="contradiction", reason="21 against 12 percent."
    )
    detail = {"note": "The register <b>counts</b>.", "text": "Sales rose by 12 percent."}
    decision = ReviewDecision.objects.create(escalation=asked, item=item, act="edit", by=user, detail=detail)
    instruction = Instruction.objects.create(
        run=world.run,
        text="Also look at <i>costs</i>",
        author=user,
        status="taken",
        effects=["One query was added."],
    )
    plan = PlanVersion.objects.create(
        run=world.run, number=2, plan=world.run.plan, trigger="edit", reason="Costs matter.", made_by=user
    )
    record_loss(
        world.run.pk,
        Loss(Shortfall.SOURCES_SKIPPED, 0.1, "1 of 10 sources could not be read and were skipped."),
    )
    return asked, decision, instruction, plan


def test_a_change_of_stage_says_why_and_by_which_figures(client, world, one_of_each):
    said = words(log(client, world, what="move"))
    assert "Searching → Reading sources, because enough sources were found." in said
    assert "Sources found: 12 · Sources wanted at least: 10" in said


def test_a_stage_that_was_left_without_a_reason_is_named(client, world, tenant):
    add(world, 1, "2.collecting", "state.collecting")
    assert "Searching" in words(log(client, world, what="move")).split("Cost")[1]


def test_what_people_were_asked_and_decided_and_said_stands_in_it(client, world, one_of_each):
    said = words(log(client, world))
    assert "A person was asked: Sources contradict each other Say which side holds." in said
    assert (
        "without an answer the run continues, and the report shows both sides. Waiting for an answer" in said
    )
    assert "21 against 12 percent. Corrected to: Sales rose by 12 percent. by ada" in said
    assert (
        "An instruction “Also look at &lt;i&gt;costs&lt;/i&gt;” Followed One query was added. by ada" in said
    )


def test_of_a_pilot_it_says_that_the_table_ends_with_the_rows_that_are_filled(client, world, tenant):
    at(ask(world, rule="pilot_release"), 3)
    assert "without an answer the table ends with the rows that are filled." in words(log(client, world))


def test_plans_and_what_was_given_up_stand_in_it(client, world, one_of_each):
    said = words(log(client, world))
    assert re.search(r"Plan 2: \d+ subtopics? Edited by a person Costs matter.", said)
    assert "Some sources could not be read. 1 of 10 sources could not be read and were skipped." in said
    assert "share of quality: 10%" in said


def test_what_people_wrote_stays_text(client, world, one_of_each):
    page = log(client, world).content.decode()
    assert "<b>counts</b>" not in page
    assert "&lt;b&gt;counts&lt;/b&gt;" in page
    assert "<i>costs</i>" not in page


def test_entries_stand_in_their_place_in_time(client, world, tenant):
    add(world, 5, "b", handler="report.write")
    add(world, 1, "a", handler="report.fetch")
    at(ask(world), 3)
    add(world, 6, "c", handler="report.cite", status="pending", started_at=None, completed_at=None)
    said = words(log(client, world))
    places = [
        said.index(one)
        for one in ("Reads a page", "A person was asked", "Writes a section", "Finds the quotes")
    ]
    assert places == sorted(places)


def test_a_stage_that_has_not_ended_says_so_at_the_end(client, world, tenant):
    waiting = {"status": "pending", "started_at": None, "completed_at": None}
    add(world, 7, "3.reading", "state.reading", **waiting)
    assert "In: Reading sources" in words(log(client, world, what="move"))


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ({}, EVENTS),
        ({"what": "decision"}, {"decision"}),
        ({"what": "step"}, set()),
        ({"role": "researcher"}, {"move"}),
        ({"role": "writer"}, set()),
        ({"stage": "collecting"}, {"move"}),
        ({"stage": "analyzing"}, {"question", "decision"}),
        ({"status": "failed"}, set()),
        ({"what": "plan", "role": "writer"}, set()),
        (
            {"what": "nonsense", "role": "nobody"},
            {"move", "question", "decision", "instruction", "plan", "degradation"},
        ),
    ],
)
def test_the_log_is_filtered(client, world, one_of_each, query, kinds):
    rows = tree(log(client, world, **query)).xpath("//tr[contains(@class, 'event')]/@class")
    assert {row.split()[1] for row in rows} == kinds


def test_steps_of_a_stage_are_found_by_their_keys_also_those_begun_early(client, world, tenant):
    add(world, 1, "12.reading/fetch.1", input={"query": "first"})
    add(world, 2, "reading/fetch.2", input={"query": "second"})
    add(world, 3, "2.collecting/reading", input={"query": "third"})
    said = words(log(client, world, stage="reading"))
    assert ("first" in said, "second" in said, "third" in said) == (True, True, False)


def test_where_nothing_matches_it_says_so_and_offers_all(client, world):
    said = words(log(client, world, role="writer"))
    assert "Nothing matches this filter." in said
    assert "Show all" in said


def test_what_followed_each_failure_is_said(client, world, tenant):
    slow = {"attempt": 1, "code": "TIMEOUT", "message": "Slow.", "traceback": "", "retry_in_s": 4.0}
    last = slow | {"attempt": 2, "retry_in_s": None}
    failed = {"status": "failed", "error_code": "TIMEOUT", "error_message": "Slow.", "attempt": 2}
    add(world, 1, "a", output={"failures": [slow, last]}, **failed)
    said = words(log(client, world))
    assert "Attempt 1 failed: Slow. (TIMEOUT): tried again after 4 seconds" in said
    assert "Slow. (TIMEOUT): the run continues without it" in said


def test_a_traceback_is_in_neither_page_nor_file(client, world, tenant):
    bug = {
        "attempt": 1,
        "code": "INTERNAL_ERROR",
        "message": "Failed.",
        "traceback": "File secret.py",
        "retry_in_s": None,
    }
    add(world, 1, "a", output={"failures": [bug]}, status="failed", error_code="INTERNAL_ERROR")
    assert "secret.py" not in log(client, world).content.decode()
    assert b"secret.py" not in download_log(client, world)


@pytest.mark.parametrize(("length", "is_folded"), [(1_100, False), (1_300, True)])
def test_a_long_output_is_folded(client, world, tenant, length, is_folded):
    add(world, 1, "a", output={"hits": "x" * length})
    found = tree(log(client, world)).xpath("//details[@class='more']")
    assert bool(found) is is_folded


def test_of_a_very_long_output_the_rest_is_in_the_file(client, world, tenant):
    add(world, 1, "a", output={"hits": "x" * 30_000 + "END"})
    assert "The rest is in the download." in words(log(client, world))
    assert b"xEND" in download_log(client, world)
    assert "xEND" not in log(client, world).content.decode()


# --- the file ---


def test_the_file_has_the_documented_shape(client, world, one_of_each):
    trace = Trace.model_validate_json(download_log(client, world))
    assert (trace.version, trace.run, trace.topic) == (1, world.run.pk, world.run.topic)
    assert [event.what for event in trace.events][0] == "move"
    assert {event.what for event in trace.events} == EVENTS
    assert [step.index for step in trace.steps] == [0, 1, 2]


def test_a_run_without_anything_is_a_whole_file(client, world, tenant):
    run = Run.objects.create(owner=world.person.user, topic="Nothing “yet”?\\ }")
    trace = Trace.model_validate_json(b"".join(client.get(f"/runs/{run.pk}/log.json")))
    assert (trace.topic, trace.steps, trace.events, trace.workspace) == ("Nothing “yet”?\\ }", [], [], [])


@pytest.mark.parametrize("title", PARTS)
def test_every_field_is_documented_and_no_other(title):
    part = DOCS.read_text(encoding="utf-8").split(f"{title}\n", 1)[1].split("\n#", 1)[0]
    assert re.findall(r"^\| `(\w+)`", part, re.MULTILINE) == list(PARTS[title].model_fields)


def many(world, count):
    Step.objects.bulk_create(
        Step(
            run=world.run, step_index=number, key=f"2.collecting/search.{number}", handler="report.search",
            agent_role=AgentRole.RESEARCHER, status=StepStatus.COMPLETED, output={"hits": "x" * 2_000},
        )
        for number in range(1, count + 1)
    )  # fmt: skip


@pytest.mark.parametrize(
    "count", [STEPS_AT_ONCE - 2, STEPS_AT_ONCE - 1, STEPS_AT_ONCE, 2 * STEPS_AT_ONCE + 5]
)
def test_a_file_of_many_pieces_has_every_step_once(client, world, tenant, count):
    many(world, count)
    steps = json.loads(download_log(client, world))["steps"]
    assert [step["index"] for step in steps] == list(range(count + 1))


def test_a_long_run_never_lies_in_memory_as_a_whole(client, world, tenant):
    many(world, 5_000)
    response = client.get(f"/runs/{world.run.pk}/log.json")
    tracemalloc.start()
    size = sum(map(len, response))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 10_000_000
    assert peak < size / 4, f"{peak / 1e6:.1f} MB for a file of {size / 1e6:.1f} MB"


def test_a_stranger_gets_no_piece_of_it(world):
    stranger = join("bob").sign_in()
    assert stranger.get(f"/runs/{world.run.pk}/log.json").status_code == 404
