"""The short honest report, from each state in which the evidence may turn out not to answer."""

import pytest

from citations.models import Claim, Section
from exports.building.build_document import build_document
from research.db.tenancy import tenant_context
from research.engine.claim_and_finish_steps import claim
from research.engine.states.transitions import NOTHING_STANDS, advance, visit_step
from research.models import Queue, Run, State
from research.pipelines.common.exclude_report_claims import leave_out
from tests.people import join
from tests.worlds import make_report

ALL = frozenset(Queue)
REASON = "Its source does not support it."


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.fixture
def world(ada):
    return make_report(ada, state=State.READING)


def leave(run: Run, state: State, **columns: object) -> Run:
    """The run comes to the end of its work in the state, and its exits are looked at."""
    with tenant_context(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(state=state, version=7, step_count=10, **columns)
        visit_step(Run.objects.get(pk=run.pk), 9).save(force_insert=True)
    [step] = claim(run.tenant_id, run.pk, queues=ALL, owner="here", most=1)
    advance(step, ALL)
    with tenant_context(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def drop_claims(run: Run, most: int = 99) -> None:
    with tenant_context(run.tenant_id):
        left = list(Claim.objects.filter(run=run).exclude(section=None)[:most])
        for one in left:
            one.citations.all().delete()
        leave_out(run.pk, [(one, REASON) for one in left])


@pytest.mark.parametrize("state", [State.SYNTHESIZING, State.CITING, State.VERIFYING])
def test_where_every_claim_has_left_the_report_the_run_ends_and_says_so(state, world):
    drop_claims(world.run)
    ended = leave(world.run, state)
    assert (ended.state, ended.failure_code, ended.is_insufficient) == ("completed", "", True)
    with tenant_context(ended.tenant_id):
        document = build_document(ended.pk)
        step = ended.steps.get(key=f"7.{state}")
    assert document.status == "insufficient_evidence"
    assert document.reasons == (NOTHING_STANDS,)
    assert document.claims == ()
    assert {one.reason for one in document.left_out} >= {REASON}
    assert step.output["exit"] == "evidence_is_insufficient"
    assert step.output["facts"]["report.claims"] == 0


@pytest.mark.parametrize("state", [State.ANALYZING, State.SYNTHESIZING, State.CITING, State.VERIFYING])
def test_where_the_analysis_says_so_the_run_ends_from_any_later_state(state, world):
    reasons = ["No passage is on boilers."]
    ended = leave(world.run, state, result={"insufficient": True, "reasons": reasons}, replan_count=2)
    assert (ended.state, ended.failure_code) == ("completed", "")
    with tenant_context(ended.tenant_id):
        document = build_document(ended.pk)
    assert (document.status, document.reasons) == ("insufficient_evidence", tuple(reasons))


def test_as_long_as_one_claim_stands_the_report_is_one(world):
    drop_claims(world.run, most=2)
    gone_on = leave(world.run, State.CITING)
    assert (gone_on.state, gone_on.is_insufficient) == ("verifying", False)


def test_what_was_written_stays_in_the_rows(world):
    drop_claims(world.run)
    ended = leave(world.run, State.VERIFYING)
    with tenant_context(ended.tenant_id):
        assert Section.objects.filter(run=ended).count() == 2
        assert Claim.objects.filter(run=ended).count() == 3
