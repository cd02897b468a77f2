"""Steps that finished steps leave behind."""

import pytest

from research.db.tenancy import tenant_context
from research.engine.claim_and_finish_steps import StepOutcome, finish
from research.engine.insert_steps import place_draft, visit_of
from research.engine.pipeline_registry import StepDraft, StepResult
from research.models import AgentRole, Outbox, Queue, State, StepStatus
from tests.engine.rows import fresh, sql, steps_of

ROLE = AgentRole.EXECUTOR


@pytest.fixture
def another(start_toy, add_step):
    """An older run of the same tenant, in the same visit of the same state."""
    return add_step(
        start_toy(), "2.collecting", handler="state.collecting", queue="control", pending_children=1
    )


@pytest.fixture
def collection_visit(start_toy, take, add_step):
    """A run that collects, and its one step, which is claimed."""
    run = start_toy()
    sql(run, "DELETE FROM research_step WHERE run_id = %s")
    sql(run, "UPDATE research_run SET state = 'collecting', version = 2, step_count = 0 WHERE id = %s")
    visit = add_step(run, "2.collecting", handler="state.collecting", queue="control", pending_children=1)
    add_step(run, "2.collecting/search", parent=visit)
    (step,) = take(run)
    return fresh(run), visit, step


def draft(key: str, **columns: object) -> StepDraft:
    return StepDraft(key, "toy.part", ROLE, **columns)


def test_a_step_s_key_begins_with_its_visit_or_with_the_state_to_come():
    assert place_draft(draft("a"), "2.collecting", None).key == "2.collecting/a"
    early = place_draft(draft("a", stage=State.READING), "2.collecting", object())
    assert (early.key, early.parent_id) == ("reading/a", None)
    assert visit_of("2.collecting/plan.0/search.1") == "2.collecting"


def test_a_draft_becomes_a_step_as_it_was_written(collection_visit):
    run, visit, step = collection_visit
    child = StepDraft(
        "fetch",
        "toy.fetch",
        AgentRole.WRITER,
        Queue.READING,
        {"url": "u"},
        tool_name="browse",
        agent_id="w-1",
    )
    finish([StepOutcome(step, StepResult(children=[child]))])
    row = steps_of(run)["2.collecting/fetch"]
    assert (row.handler, row.agent_role, row.queue) == ("toy.fetch", "writer", "reading")
    assert (row.input, row.tool_name, row.agent_id) == ({"url": "u"}, "browse", "w-1")
    assert (row.parent_id, row.max_attempts, row.step_index) == (visit.pk, 3, 2)
    assert fresh(run).step_count == 3


def test_indexes_follow_each_other_in_the_order_of_the_drafts(collection_visit):
    run, _visit, step = collection_visit
    children = [draft("a"), draft("b"), draft("a"), draft("c")]
    finish([StepOutcome(step, StepResult(children=children))])
    indexes = {key: row.step_index for key, row in steps_of(run).items()}
    assert indexes == {
        "2.collecting": 0,
        "2.collecting/search": 1,
        "2.collecting/a": 2,
        "2.collecting/b": 3,
        "2.collecting/c": 4,
    }
    assert steps_of(run)["2.collecting"].pending_children == 3


def test_of_two_drafts_with_one_key_the_first_counts(collection_visit):
    run, _visit, step = collection_visit
    finish([StepOutcome(step, StepResult(children=[draft("a", input={"n": 1}), draft("a", input={"n": 2})]))])
    assert steps_of(run)["2.collecting/a"].input == {"n": 1}


def test_work_for_a_state_to_come_is_nobody_s_child_yet(collection_visit):
    run, _visit, step = collection_visit
    finish([StepOutcome(step, StepResult(children=[draft("a", stage=State.READING)]))])
    steps = steps_of(run)
    assert steps["reading/a"].parent_id is None
    assert steps["2.collecting"].pending_children == 0


def test_work_for_the_state_that_has_come_meanwhile_is_waited_for_by_it(collection_visit):
    run, visit, step = collection_visit
    finish([StepOutcome(step, StepResult(children=[draft("a", stage=State.COLLECTING)]))])
    steps = steps_of(run)
    assert steps["collecting/a"].parent_id == visit.pk
    assert steps["2.collecting"].pending_children == 1


def test_work_is_waited_for_by_its_own_run_alone(another, collection_visit):
    run, visit, step = collection_visit
    finish([StepOutcome(step, StepResult(children=[draft("a", stage=State.COLLECTING)]))])
    assert steps_of(run)["collecting/a"].parent_id == visit.pk
    assert steps_of(another.run)["2.collecting"].pending_children == 1


def test_a_continuation_takes_the_place_of_its_step(collection_visit, take):
    run, visit, step = collection_visit
    result = StepResult(children=[draft("a"), draft("b")], then=draft("sum", queue=Queue.READING))
    finish([StepOutcome(step, result)])
    steps = steps_of(run)
    then = steps["2.collecting/sum"]
    assert (then.parent_id, then.pending_children, then.step_index) == (visit.pk, 2, 2)
    assert {steps[f"2.collecting/{key}"].parent_id for key in "ab"} == {then.pk}
    assert steps["2.collecting"].pending_children == 1
    assert [one.key for one in take(run)] == ["2.collecting/a", "2.collecting/b"]


def test_a_continuation_without_children_is_ready_and_announced(collection_visit, tenant, take):
    run, _visit, step = collection_visit
    finish([StepOutcome(step, StepResult(then=draft("sum", queue=Queue.READING)))])
    with tenant_context(tenant.pk):
        messages = Outbox.objects.filter(run=run).exclude(dedupe_key__endswith="/start")
        assert list(messages.values_list("dedupe_key", flat=True)) == [
            f"{run.pk}/reading/{step.id}.{step.fence}.0"
        ]
    assert [one.key for one in take(run)] == ["2.collecting/sum"]


def test_a_continuation_that_waits_is_not_announced(collection_visit, tenant):
    run, _visit, step = collection_visit
    result = StepResult(children=[draft("a")], then=draft("sum", queue=Queue.READING))
    finish([StepOutcome(step, result)], frozenset({Queue.CONTROL}))
    with tenant_context(tenant.pk):
        messages = Outbox.objects.filter(run=run).exclude(dedupe_key__endswith="/start")
        assert list(messages.values_list("payload__queue", flat=True)) == ["agents"]


def test_steps_that_exist_are_not_waited_for_again(collection_visit, add_step):
    run, _visit, step = collection_visit
    add_step(run, "2.collecting/a", status=StepStatus.COMPLETED)
    finish([StepOutcome(step, StepResult(children=[draft("a"), draft("b")]))])
    assert steps_of(run)["2.collecting"].pending_children == 1
    assert fresh(run).step_count == 4
