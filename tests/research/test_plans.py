"""Plans of a run in their versions, and asking for another one."""

import pytest

from research.db.tenancy import tenant_context
from research.engine.states.transitions import enter, lock_run
from research.models import PlanTrigger, PlanVersion, Queue, Run, State
from research.models.schemas import Plan
from research.runs.run_plan_versions import PlanRefused, edit_plan, keep_version, request_replan
from research.runs.start_and_cancel import cancel_run, start_run
from tests.engine import toy
from tests.engine.rows import fresh, steps_of
from tests.people import join

PLAN = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"]}]}


def plan(name: str) -> Plan:
    return Plan.model_validate({"goal": "g", "subtopics": [{"name": name, "queries": ["q"]}]})


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.fixture
def run(ada):
    with tenant_context(ada.tenant.pk):
        return start_run(owner=ada.user, kind="technical", topic="How many words?")


@pytest.fixture
def at(ada, run, monkeypatch):
    """The run in a state of work, with a plan; of a recipe that may plan again."""
    states = (*toy.ToyPipeline.states, State.REPLANNING, State.HUMAN_REVIEW_PLAN)
    monkeypatch.setattr(toy.ToyPipeline, "states", states)

    def bring(state: State, **columns: object) -> Run:
        with tenant_context(ada.tenant.pk):
            Run.objects.filter(pk=run.pk).update(plan=PLAN)
            enter(lock_run(run.pk), state, frozenset(Queue))
            Run.objects.filter(pk=run.pk).update(**columns)
        return fresh(run)

    return bring


def versions(run: Run) -> list[tuple[int, str, str, str]]:
    with tenant_context(run.tenant_id):
        rows = PlanVersion.objects.filter(run=run).order_by("number").select_related("made_by")
        return [
            (row.number, row.trigger, row.plan["subtopics"][0]["name"], str(row.made_by or ""))
            for row in rows
        ]


def test_the_newest_version_is_the_run_s_plan(ada, run):
    with tenant_context(ada.tenant.pk):
        keep_version(lock_run(run.pk), plan("a"), PlanTrigger.PLANNER, "")
        kept = keep_version(lock_run(run.pk), plan("b"), PlanTrigger.DIMENSION_FAILURE, "Thin.")
    assert (kept.number, kept.reason, kept.made_by) == (2, "Thin.", None)
    assert fresh(run).plan["subtopics"][0]["name"] == "b"
    assert fresh(run).snapshot_version == run.snapshot_version + 2
    assert versions(run) == [(1, "planner", "a", ""), (2, "dimension_failure", "b", "")]


def test_a_plan_from_before_there_were_versions_becomes_the_first(ada, run):
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=run.pk).update(plan=PLAN)
        keep_version(lock_run(run.pk), plan("b"), PlanTrigger.EDIT, "Better.", ada.user)
    assert versions(run) == [(1, "planner", "a", ""), (2, "edit", "b", "ada")]


def test_an_edited_plan_takes_the_place_of_the_one_that_waits(ada, at):
    run = at(State.HUMAN_REVIEW_PLAN)
    with tenant_context(ada.tenant.pk):
        edit_plan(run.pk, ada.user, plan("b"), "Without costs.")
    assert versions(run)[-1] == (2, "edit", "b", "ada")


@pytest.mark.parametrize("state", [State.COLLECTING, State.ANALYZING])
def test_a_plan_under_way_is_not_edited(state, ada, at):
    run = at(state)
    with tenant_context(ada.tenant.pk), pytest.raises(PlanRefused, match="is waiting for you to approve it"):
        edit_plan(run.pk, ada.user, plan("b"), "")
    assert fresh(run).plan["subtopics"][0]["name"] == "a"
    assert versions(run) == []


def test_where_there_is_no_plan_none_is_edited(ada, run):
    with tenant_context(ada.tenant.pk), pytest.raises(PlanRefused, match="no plan yet"):
        edit_plan(run.pk, ada.user, plan("b"), "")


def test_a_plan_of_another_workspace_is_not_there(at):
    run, bob = at(State.HUMAN_REVIEW_PLAN), join("bob")
    with tenant_context(bob.tenant.pk), pytest.raises(PlanRefused, match="no plan yet"):
        edit_plan(run.pk, bob.user, plan("b"), "")
    assert fresh(run).plan["subtopics"][0]["name"] == "a"


def test_the_owner_s_wish_stops_the_work_and_plans_again(ada, at):
    run = at(State.COLLECTING)
    with tenant_context(ada.tenant.pk):
        assert request_replan(run.pk, ada.user, "Look at rented homes, too.")
    now, steps = fresh(run), steps_of(run)
    assert (now.state, now.replan_count) == (State.REPLANNING, 1)
    left, visit = steps[f"{run.version}.collecting"], steps[f"{now.version}.replanning"]
    assert (left.output["exit"], left.output["to"]) == ("the_owner_wants_another_plan", "replanning")
    assert visit.input == {
        "trigger": "user_feedback", "was": "collecting", "note": "Look at rented homes, too.", "by": "ada",
    }  # fmt: skip
    stopped = [step for key, step in steps.items() if key.startswith(f"{run.version}.collecting/")]
    assert {step.status for step in stopped} == {"skipped"}


@pytest.mark.parametrize(("done", "again"), [(0, True), (1, True), (2, False)])
def test_a_third_plan_is_the_last(done, again, ada, at):
    run = at(State.READING, replan_count=done)
    with tenant_context(ada.tenant.pk):
        assert request_replan(run.pk, ada.user, "") is again
    assert (fresh(run).state == State.REPLANNING) is again


@pytest.mark.parametrize(
    "state", [State.PLANNING, State.REPLANNING, State.HUMAN_REVIEW_PLAN, State.EXPORTING]
)
def test_there_must_be_a_plan_and_something_to_stop(state, ada, at):
    run = at(state)
    with tenant_context(ada.tenant.pk):
        assert not request_replan(run.pk, ada.user, "")
    assert fresh(run).version == run.version


def test_a_run_that_is_cancelled_gets_no_other_plan(ada, at):
    run = at(State.COLLECTING, cancel_at="2026-01-01T00:00:00Z")
    with tenant_context(ada.tenant.pk):
        assert not request_replan(run.pk, ada.user, "")
        cancel_run(run.pk)
        assert not request_replan(run.pk, ada.user, "")


def test_a_kind_that_cannot_plan_again_says_so(ada, at, monkeypatch):
    run = at(State.COLLECTING)
    monkeypatch.setattr(toy.ToyPipeline, "states", (State.COLLECTING,))
    with tenant_context(ada.tenant.pk):
        assert not request_replan(run.pk, ada.user, "")


def test_a_stranger_stops_nothing(at):
    run, bob = at(State.COLLECTING), join("bob")
    with tenant_context(bob.tenant.pk):
        assert not request_replan(run.pk, bob.user, "")
    assert fresh(run).state == State.COLLECTING


def test_a_plan_that_costs_is_estimated_anew_with_its_edit(ada, at, settings):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL = "https://models.example/v1", "writer-1"
    run = at(State.HUMAN_REVIEW_PLAN)
    few, many = plan("few"), plan("many")
    few.estimated_tokens = many.estimated_tokens = 1
    many.subtopics[0].target_sources = 200
    with tenant_context(ada.tenant.pk):
        small, large = (Plan.model_validate(edit_plan(run.pk, ada.user, one, "").plan) for one in (few, many))
    assert 1 < small.estimated_tokens < large.estimated_tokens


def test_a_plan_by_rules_stays_without_cost(ada, at):
    run = at(State.HUMAN_REVIEW_PLAN)
    with tenant_context(ada.tenant.pk):
        edited = Plan.model_validate(edit_plan(run.pk, ada.user, plan("b"), "").plan)
    assert (edited.estimated_tokens, edited.estimated_minutes) == (0, 0)
