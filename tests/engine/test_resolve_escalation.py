"""A question ends with an answer, or with none in time; the decision counts, and the run goes on."""

import pytest

from research.db.tenancy import create_tenant, tenant_context
from research.engine import pipeline_registry
from research.engine.states import resolve_escalation
from research.engine.states.resolve_escalation import EscalationAnswer, expire, settle
from research.engine.states.transitions import lock_run
from research.models import Escalation, EscalationStatus, ReviewAct, ReviewItem, Run, State
from tests.engine import toy
from tests.review.conftest import make_question

LATE = -1  # seconds until the deadline
LOGGER = "research.engine.states.resolve_escalation"


@pytest.fixture
def ask(tenant, owner):
    """A question about two gaps, of a run that waits; keywords are the question's columns."""
    with tenant_context(tenant.pk):
        yield lambda items=2, **columns: make_question(owner, items, **columns)


class Reviewing(toy.ToyPipeline):
    """Has decisions count: it writes into the run what it was handed."""

    def apply(self, run, asked, items):
        said = [f"{item.position} {item.status} {item.decided_by}" for item in items]
        Run.objects.filter(pk=run.pk).update(topic=f"{asked.rule}/{asked.status}: {'; '.join(said)}")

    def refusal(self, item, act, decision):
        return ""

    def words_behind(self, run_id, claims):
        return []


@pytest.fixture
def review_recipe(monkeypatch):
    monkeypatch.setitem(pipeline_registry._recipes, "technical", Reviewing())


def answer(asked, owner, status, act, note=""):
    settle(
        lock_run(asked.run_id), asked, EscalationAnswer(EscalationStatus(status), ReviewAct(act), note, owner)
    )
    return again(asked.run)


def again(row):
    return type(row).objects.get(pk=row.pk)


# --- an answer ---------------------------------------------------------------------------------


def test_an_answer_is_kept_with_who_gave_it_when_and_why(ask, owner):
    asked = ask()
    run = answer(asked, owner, "revised", "edit", "So be it.")
    kept = again(asked)
    assert (kept.status, kept.decided_by) == ("revised", owner)
    assert kept.decision == {"act": "edit", "note": "So be it.", "by": "ada"}
    assert asked.updated_at < kept.updated_at == kept.decided_at < run.state_entered_at


def test_the_run_goes_on_and_its_page_learns_of_it(ask, owner):
    asked = ask()
    before = again(asked.run).snapshot_version
    run = answer(asked, owner, "approved", "accept")
    assert (run.state, run.snapshot_version) == (State.COMPLETED, before + 2)  # the answer, and the move


@pytest.mark.parametrize(("status", "act"), [("approved", "accept"), ("revised", "edit")])
def test_what_was_decided_counts_in_its_order(ask, owner, review_recipe, status, act):
    asked, other = ask(3), ask(1, rule="unresolved_contradictions")
    ReviewItem.objects.filter(escalation=asked, position=2).update(status="rejected", decided_by=owner)
    run = answer(asked, owner, status, act)
    assert run.topic == f"critical_data_gaps/{status}: 1 open None; 2 rejected ada; 3 open None"
    assert again(other.run).topic == "How many words?"


@pytest.mark.parametrize(("status", "act"), [("rejected", "reject"), ("approved", "replan")])
def test_after_a_rejection_or_for_another_plan_nothing_that_was_decided_counts(
    ask, owner, review_recipe, status, act
):
    assert answer(ask(), owner, status, act).topic == "How many words?"


def test_a_kind_of_run_without_effects_just_goes_on(ask, owner):
    assert answer(ask(), owner, "approved", "accept").topic == "How many words?"


def test_the_log_tells_that_a_person_decided(ask, owner, caplog):
    asked = ask()
    with caplog.at_level("INFO", LOGGER):
        answer(asked, owner, "approved", "accept")
    line = f"person_decided run='{asked.run_id}' rule='critical_data_gaps' status='approved'"
    assert [record.getMessage() for record in caplog.records if record.name == LOGGER] == [line]


# --- none in time ------------------------------------------------------------------------------


@pytest.mark.parametrize(("wait_s", "closed"), [(-1, 1), (0, 1), (1, 0)])
def test_a_question_is_closed_at_its_deadline(ask, tenant, wait_s, closed):
    asked = ask(wait_s=wait_s)
    assert expire(tenant.pk) == closed
    assert again(asked).status == ("expired" if closed else "open")
    assert again(asked.run).is_waiting is not bool(closed)


def test_nobody_is_said_to_have_decided_what_expired(ask, tenant):
    asked = ask(wait_s=LATE)
    before = again(asked.run)
    expire(tenant.pk)
    kept, run = again(asked), again(asked.run)
    assert (kept.decided_by, kept.decision, kept.decided_at) == (None, None, None)
    assert asked.updated_at < kept.updated_at < run.state_entered_at
    assert run.snapshot_version == before.snapshot_version + 2


@pytest.mark.parametrize("status", ["approved", "rejected", "revised", "expired"])
def test_what_is_decided_does_not_expire(ask, tenant, status):
    asked = ask(wait_s=LATE, status=status)
    assert expire(tenant.pk) == 0
    assert again(asked).status == status


def test_every_late_question_of_the_tenant_is_closed_and_none_of_another(ask, tenant):
    late = [ask(wait_s=LATE), ask(wait_s=LATE)]
    assert expire(create_tenant("Others").pk) == 0
    assert expire(tenant.pk) == 2
    assert expire(tenant.pk) == 0
    assert {again(asked).status for asked in late} == {"expired"}


def test_the_earliest_deadline_is_the_first_to_be_closed_and_the_log_says_what_then(ask, tenant, caplog):
    later = ask(wait_s=-10, fallback="continue")
    earlier = ask(wait_s=-20, fallback="degrade", rule="unresolved_contradictions")
    with caplog.at_level("INFO", LOGGER):
        expire(tenant.pk)
    assert [record.getMessage() for record in caplog.records if record.name == LOGGER] == [
        f"question_expired run='{earlier.run_id}' rule='unresolved_contradictions' then='degrade'",
        f"question_expired run='{later.run_id}' rule='critical_data_gaps' then='continue'",
    ]


@pytest.mark.parametrize("fallback", ["continue", "degrade"])
def test_what_was_decided_so_far_counts_though_the_rest_was_not(ask, tenant, owner, review_recipe, fallback):
    asked = ask(wait_s=LATE, fallback=fallback)
    ReviewItem.objects.filter(escalation=asked, position=1).update(status="accepted", decided_by=owner)
    expire(tenant.pk)
    assert again(asked.run).topic == "critical_data_gaps/expired: 1 accepted ada; 2 open None"


def test_where_no_answer_means_the_end_nothing_counts(ask, tenant, review_recipe):
    asked = ask(wait_s=LATE, fallback="fail", run_state=State.HUMAN_REVIEW_VERIFICATION)
    expire(tenant.pk)
    assert (again(asked.run).state, again(asked.run).topic) == (State.FAILED, "How many words?")


@pytest.mark.parametrize(
    ("state", "counts"), [(State.COMPLETED, True), (State.CANCELLED, False), (State.FAILED, False)]
)
def test_of_a_run_that_is_over_only_a_report_can_still_change(ask, tenant, review_recipe, state, counts):
    asked = ask(wait_s=LATE)
    code = "TIMEOUT" if state is State.FAILED else ""
    Run.objects.filter(pk=asked.run_id).update(state=state, failure_code=code)
    assert expire(tenant.pk) == 1
    assert (again(asked).status, again(asked.run).state) == ("expired", state)
    assert again(asked.run).topic.startswith("critical") is counts


def test_what_somebody_decides_at_the_last_moment_is_not_undone(ask, tenant, monkeypatch):
    asked = ask(wait_s=LATE)

    def decide_first(run_id):
        Escalation.objects.filter(run=run_id).update(status="approved")
        return lock_run(run_id)

    monkeypatch.setattr(resolve_escalation, "lock_run", decide_first)
    assert expire(tenant.pk) == 0
    assert (again(asked).status, again(asked.run).is_waiting) == ("approved", True)


def test_of_a_run_that_is_gone_nothing_is_closed(ask, tenant, monkeypatch):
    asked = ask(wait_s=LATE)
    monkeypatch.setattr(resolve_escalation, "lock_run", lambda run_id: None)
    assert expire(tenant.pk) == 0
    assert again(asked).status == "open"
