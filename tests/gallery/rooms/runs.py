"""The list of runs, and a run in its states."""

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_degradations import MEASURES, record_degradation
from research.models import AgentRole, Run, State, Step, StepStatus
from tests.gallery.scene import Room
from tests.past_runs import make_past_run, put_into
from tests.people import Person
from tests.web.asked import ask_about_claims, ask_about_gap, ask_about_pair, ask_about_plan
from tests.web.at_work import add_step
from tests.web.growing import grow
from tests.web.logged import let_everything_happen
from tests.worlds import ReportWorld, make_report

room = Room("runs")
CHECKS = ("count", "coverage", "diversity", "recency", "quality", "novelty")
NOT_ENOUGH = {
    "checks": [
        {"name": name, "score": score, "is_passed": score == 1, "detail": f"What was seen of {name}."}
        for name, score in zip(CHECKS, (1, 1, 0.5, 0.2, 1, None), strict=True)
    ],
    "score": 0.7,
    "is_enough": False,
    "rounds": 2,
    "state": "collecting",
}


def run_in(person: Person, state: State, **columns: object) -> str:
    """Address of a run with everything that a run can have, in this state."""
    world = make_report(person, state=state)
    with tenant_context(person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(**columns)
    return f"/runs/{world.run.pk}/"


def address(world: ReportWorld) -> str:
    return f"/runs/{world.run.pk}/"


@room.scene()
def list_empty(person: Person) -> str:
    return "/runs/"


@room.scene()
def list_of_many(person: Person) -> str:
    grow(make_report(person), 5)
    for state in (State.READING, State.FAILED, State.CANCELLED, State.HUMAN_REVIEW_PLAN):
        make_report(person, state=state)
    return "/runs/"


@room.scene()
def list_without_a_match(person: Person) -> str:
    make_report(person)
    return "/runs/?q=nuclear"


@room.scene()
def run_queued(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        run = Run.objects.create(owner=person.user, topic="Do heat pumps work below −15 °C?")
    return f"/runs/{run.pk}/"


@room.scene()
def at_work(person: Person) -> str:
    return run_in(
        person,
        State.READING,
        current_activity="Reading “Cold field trial”",
        estimated_seconds_remaining=300,
        started_at=timezone.now() - timedelta(minutes=2),
        sufficiency=NOT_ENOUGH,
    )


@room.scene()
def run_queued_behind_others(person: Person) -> str:
    runs = [make_past_run(person, (), ago=timedelta(minutes=9 - n), state=State.CREATED) for n in range(3)]
    return f"/runs/{runs[-1].pk}/"


@room.scene()
def each_at_work_and_a_range_of_time_left(person: Person) -> str:
    world = make_report(person, state=State.READING)
    for _ in range(5):
        make_past_run(person)
    put_into(world.run, State.READING, 110)
    for number in range(3):
        add_step(world, "report.claims", number=number, source=str(world.trial.pk))
    add_step(world, "report.fetch", number=3, wait_s=20, code="RATE_LIMITED")
    add_step(
        world, "report.fetch", number=4, url="https://example.org/a-very-long-address/" + "of-a-page/" * 9
    )
    return address(world)


@room.scene()
def waits_for_a_rate_limit(person: Person) -> str:
    world = make_report(person, state=State.READING)
    for number in range(2):
        add_step(world, "report.fetch", number=number, wait_s=90, code="RATE_LIMITED")
    return address(world)


@room.scene()
def run_paused(person: Person) -> str:
    return run_in(person, State.SYNTHESIZING, paused_at=timezone.now())


@room.scene()
def run_being_cancelled(person: Person) -> str:
    return run_in(person, State.ANALYZING, cancel_at=timezone.now())


@room.scene()
def asks_about_claims(person: Person) -> str:
    world = make_report(person)
    ask_about_claims(world)
    return address(world)


@room.scene()
def asks_about_a_conflict(person: Person) -> str:
    world = make_report(person)
    ask_about_pair(world)
    return address(world)


@room.scene()
def asks_about_a_gap(person: Person) -> str:
    world = make_report(person)
    ask_about_gap(world)
    return address(world)


@room.scene()
def asks_about_its_plan(person: Person) -> str:
    world = make_report(person)
    ask_about_plan(world)
    return address(world)


@room.scene()
def run_done(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        record_degradation(world.run.pk, MEASURES[1])
    return address(world)


@room.scene()
def run_without_an_answer(person: Person) -> str:
    result = {"insufficient": True, "reasons": ["No document speaks of the cold."], "engine": "extractive"}
    return run_in(person, State.COMPLETED, result=result)


@room.scene()
def run_cancelled(person: Person) -> str:
    return run_in(person, State.CANCELLED)


@room.scene()
def run_failed(person: Person) -> str:
    return run_in(person, State.FAILED)


@room.scene()
def run_without_sources(person: Person) -> str:
    return run_in(person, State.FAILED, failure_code="INSUFFICIENT_SOURCES")


@room.scene()
def plan_not_yet(person: Person) -> str:
    return f"{run_in(person, State.PLANNING, plan=None)}plan/"


@room.scene()
def plan_to_be_approved(person: Person) -> str:
    world = make_report(person)
    ask_about_plan(world)
    return f"{address(world)}plan/"


@room.scene()
def log(person: Person) -> str:
    return f"{run_in(person, State.COMPLETED)}log/"


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")


@room.scene(unfold)
def log_unfolded(person: Person) -> str:
    world = make_report(person)
    let_everything_happen(world)
    return f"{address(world)}log/"


@room.scene(unfold)
def plan_with_every_step_unfolded(person: Person) -> str:
    return plan_to_be_approved(person)


@room.scene()
def log_of_many_steps(person: Person) -> str:
    world = make_report(person)
    done = {"handler": "report.fetch", "agent_role": AgentRole.RESEARCHER, "status": StepStatus.COMPLETED}
    with tenant_context(person.tenant.pk):
        for number in range(1, 60):
            key = f"3.reading/fetch.{number}"
            Step.objects.create(run=world.run, step_index=number, key=key, **done)
    return f"{address(world)}log/"


@room.scene()
def log_empty(person: Person) -> str:
    return f"{run_in(person, State.COMPLETED)}log/?what=question"
