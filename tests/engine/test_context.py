"""The exits' context of a run, read from real rows."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from citations.models import Claim, Contradiction, Section, VerificationReport
from citations.models import Warning as Gap
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Policy
from research.engine.states.state_context import EvidenceFacts, PlanFacts, RunContext, read_context
from research.llm.budgets import credits
from research.models import Escalation, Run, Source, State
from tests.engine.rows import fresh, let_time_pass, sql


@pytest.fixture
def context_of(tenant):
    def read(run):
        with tenant_context(tenant.pk):
            return read_context(Run.objects.get(pk=run.pk), retries=3, policy=Policy())

    return read


def test_a_new_run_has_nothing(start_toy, context_of):
    assert context_of(start_toy()) == RunContext(State.CREATED, retries=3)


def test_a_plan_is_counted(start_toy, context_of, tenant):
    run = start_toy()
    subtopics = [{"name": name, "queries": ["q"], "target_sources": 4} for name in ("a", "b")]
    with tenant_context(tenant.pk):
        run.plan = {
            "goal": "g",
            "subtopics": subtopics,
            "confidence": 0.7,
            "clarification_questions": ["Which?"],
        }
        run.save()
    assert context_of(run).plan == PlanFacts(subtopics=2, confidence=0.7, questions=1)


@pytest.mark.parametrize(
    ("state", "usd", "share"), [("planning", 2.5, 0.25), ("reading", 2.5, None), ("planning", None, None)]
)
def test_a_plan_s_cost_is_laid_against_the_credits(state, usd, share, start_toy, context_of, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        credits.grant(Decimal(1_000), "gift")
        run.plan = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"]}], "estimated_cost_usd": usd}
        run.state = state
        run.save()
    assert context_of(run).plan.cost_share == share


def test_a_subtopic_is_covered_at_half_its_target(start_toy, context_of, tenant):
    run = start_toy()
    subtopics = [{"name": name, "queries": ["q"], "target_sources": 4} for name in ("a", "b")]
    with tenant_context(tenant.pk):
        run.plan = {"goal": "g", "subtopics": subtopics}
        run.save()
        for number, name in enumerate(["a", "a", "b"]):
            Source.objects.create(run=run, canonical_url=f"u{number}", subtopic=name)
    assert context_of(run).sources.coverage == 0.5


@pytest.mark.parametrize(("sources", "starved"), [(2, 1.0), (3, 0.5), (4, 0.5)])
def test_a_subtopic_is_starved_below_three_tenths_of_its_target(
    sources, starved, start_toy, context_of, tenant
):
    run = start_toy()
    subtopics = [{"name": name, "queries": ["q"], "target_sources": 10} for name in ("a", "b")]
    with tenant_context(tenant.pk):
        run.plan = {"goal": "g", "subtopics": subtopics}
        run.save()
        for number in range(sources):
            Source.objects.create(run=run, canonical_url=f"u{number}", subtopic="a")
    assert context_of(run).sources.starved_share == starved


def test_a_gap_in_the_plan_s_scope_is_told_apart(start_toy, context_of, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        for code, severity in (("G001", "high"), ("G009", "high"), ("G009", "low")):
            Gap.objects.create(
                run=run, code=code, kind="gap", severity=severity, text=severity, computed=True
            )
    evidence = context_of(run).evidence
    assert (evidence.severe_gaps, evidence.scope_gaps) == (2, 1)


@pytest.mark.parametrize(
    ("decision", "wants", "note"),
    [
        ({"act": "replan", "note": "Wider."}, True, "Wider."),
        ({"act": "edit", "note": "Fine."}, False, "Fine."),
        (None, False, ""),
    ],
)
def test_a_reviewer_s_wish_for_another_plan_is_read_with_its_words(
    decision, wants, note, start_toy, context_of, tenant
):
    run = start_toy()
    entered = "state = 'human_review_gaps', state_entered_at = now() - interval '1 minute'"
    sql(run, f"UPDATE research_run SET {entered} WHERE id = %s")
    ask(run, "revised")
    with tenant_context(tenant.pk):
        Escalation.objects.filter(run=run).update(decision=decision)
    context = context_of(run)
    assert (context.wants_replan, context.note) == (wants, note)


def test_duplicates_and_excluded_sources_do_not_count(start_toy, context_of, tenant):
    run = start_toy()
    statuses = ["pending", "fetching", "extracted", "processed", "failed", "duplicate", "excluded"]
    with tenant_context(tenant.pk):
        for status in statuses:
            Source.objects.create(
                run=run, canonical_url=status, status=status, error_code="X" if status == "failed" else ""
            )
    sources = context_of(run).sources
    assert (sources.found, sources.usable, sources.unread) == (5, 2, 2)


def test_work_of_the_present_visit_is_counted_and_that_of_others_not(start_toy, context_of, add_step):
    run = start_toy()
    sql(run, "UPDATE research_run SET state = 'reading', version = 3 WHERE id = %s")
    add_step(run, "3.reading/a", status="completed")
    add_step(run, "reading/early", status="pending")
    add_step(run, "2.collecting/b", status="pending")
    add_step(run, "3.reading/c", status="failed", error_code="PAYWALL", error_message="Members only.")
    work = context_of(run).work
    assert (work.completed, work.unfinished, work.failed) == (1, 1, 1)
    assert (work.failure_code, work.failure_message) == ("PAYWALL", "Members only.")


def test_the_share_of_time_is_that_of_the_states_limit(start_toy, context_of):
    run = start_toy()
    entered = "state_entered_at = now(), state_deadline = now() + interval '100 seconds'"
    sql(run, f"UPDATE research_run SET state = 'planning', {entered} WHERE id = %s")
    let_time_pass(run, 90)
    assert context_of(run).work.time_share == pytest.approx(0.9, abs=0.02)


def test_a_report_is_counted(start_toy, context_of, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        Run.objects.filter(pk=run.pk).update(report_version=1, total_sections=2)
        section = Section.objects.create(run=run, index=0, heading="H", status="written")
        Claim.objects.create(run=run, section=section, text="Placed.", verification_status="unsupported")
        Claim.objects.create(run=run, text="Not placed.")
        VerificationReport.objects.create(run=run, report_version=1, overall_status="needs_revision")
        Gap.objects.create(run=run, kind="gap", severity="high", text="Nothing on costs.", computed=True)
    context = context_of(run)
    report = context.report
    assert (report.planned_sections, report.written_sections) == (2, 1)
    assert (report.claims, report.cited_claims, report.failed_claims) == (1, 0, 1)
    assert (report.hallucinations, report.verdict, context.evidence.severe_gaps) == (1, "needs_revision", 1)


def test_a_recipe_says_that_the_evidence_is_insufficient(start_toy, context_of, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        run.result = {"insufficient": True, "reasons": ["Nothing found."]}
        run.save()
    assert fresh(run).is_insufficient
    assert context_of(run).evidence.is_insufficient


def test_the_run_s_own_counts_and_the_recipe_s_policy_are_handed_on(start_toy, tenant):
    run = start_toy()
    counts = "attempt = 1, revision_count = 2, replan_count = 3, state = 'reading'"
    sql(run, f"UPDATE research_run SET {counts} WHERE id = %s")
    policy = Policy(minimum_sources=9)
    with tenant_context(tenant.pk):
        context = read_context(Run.objects.get(pk=run.pk), retries=4, policy=policy)
    assert (context.state, context.attempt, context.retries) == ("reading", 1, 4)
    assert (context.revisions, context.replans, context.policy) == (2, 3, policy)


def test_a_state_without_a_limit_uses_up_no_time(start_toy, context_of):
    run = start_toy()
    assert context_of(run).work.time_share == 0
    sql(run, "UPDATE research_run SET state_entered_at = now() WHERE id = %s")
    assert context_of(run).work.time_share == 0


def test_the_latest_failure_is_told_but_for_one_that_ends_the_run(start_toy, context_of, add_step):
    run = start_toy()
    sql(run, "UPDATE research_run SET state = 'reading', version = 3 WHERE id = %s")
    now = timezone.now()
    for minutes, code in ((3, "TIMEOUT"), (1, "PAYWALL"), (2, "BLOCKED")):
        when = now - timedelta(minutes=minutes)
        add_step(run, f"3.reading/{code}", status="failed", error_code=code, completed_at=when)
    assert context_of(run).work.failure_code == "PAYWALL"
    add_step(run, "3.reading/x", status="failed", error_code="DATA_CORRUPTION", error_message="Bad bytes.")
    work = context_of(run).work
    assert (work.failure_code, work.failure_message, work.failed) == ("DATA_CORRUPTION", "Bad bytes.", 4)


def ask(run, status, state="human_review_gaps", version=0, fallback="continue"):
    with tenant_context(run.tenant_id):
        Escalation.objects.create(
            run=run,
            visit=f"{version}.{state}",
            rule="critical_data_gaps",
            state=state,
            priority="medium",
            type="advisory",
            required_action="?",
            deadline=timezone.now(),
            fallback=fallback,
            status=status,
        )


def test_the_answer_of_this_visit_counts_however_long_the_run_was_paused(start_toy, context_of):
    run, other = start_toy(), start_toy()
    entered = "state = 'human_review_gaps', version = 5, state_entered_at = now() + interval '10 minutes'"
    sql(run, f"UPDATE research_run SET {entered} WHERE id = %s")
    ask(run, "approved", version=3)
    ask(other, "approved", version=5)
    ask(run, "approved", state="human_review_plan", version=5)
    assert (context_of(run).decision, context_of(run).fallback) == ("", "")
    ask(run, "expired", version=5, fallback="degrade")
    assert (context_of(run).decision, context_of(run).fallback) == ("expired", "degrade")


def test_nobody_is_asked_in_a_state_that_works(start_toy, context_of):
    run = start_toy()
    sql(run, "UPDATE research_run SET state = 'planning', state_entered_at = now() WHERE id = %s")
    ask(run, "approved", state="planning")
    assert context_of(run).decision == ""


def test_a_cost_without_any_credits_to_lay_it_against_has_no_share(start_toy, context_of, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        run.plan = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"]}], "estimated_cost_usd": 1}
        run.state = "planning"
        run.save()
    assert context_of(run).plan.cost_share is None


def test_failed_sources_cover_nothing(start_toy, context_of, tenant):
    run, other = start_toy(), start_toy()
    with tenant_context(tenant.pk):
        run.plan = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"], "target_sources": 3}]}
        run.save()
        Source.objects.create(run=run, canonical_url="1", subtopic="a")
        Source.objects.create(run=run, canonical_url="2", subtopic="a", status="failed", error_code="X")
        Source.objects.create(run=other, canonical_url="3", subtopic="a")
    assert (context_of(run).sources.coverage, context_of(run).sources.found) == (0, 2)


def add_claims(run, count, **columns):
    section = Section.objects.create(
        run=run, index=run.sections.count(), heading="H", status="cited", report_version=run.report_version
    )
    return [
        Claim.objects.create(run=run, section=section, text=f"Claim {number}.", **columns)
        for number in range(count)
    ]


def test_conflicts_gaps_and_verdicts_of_other_runs_and_versions_do_not_count(start_toy, context_of, tenant):
    run, other = start_toy(), start_toy()
    with tenant_context(tenant.pk):
        for one, version in ((run, 2), (other, 2)):
            Run.objects.filter(pk=one.pk).update(report_version=version)
            one.refresh_from_db()
        first, second, third = add_claims(run, 3, verification_status="contradicted")
        strangers = add_claims(other, 2)
        for one, pair, resolution in (
            (run, (first, second), "open"),
            (run, (second, third), "presented_both"),
            (other, strangers, "open"),
        ):
            Contradiction.objects.create(
                run=one, claim_a=pair[0], claim_b=pair[1], kind="numeric", resolution=resolution
            )
        for one, kind, severity in ((run, "gap", "low"), (run, "bias", "high"), (other, "gap", "high")):
            Gap.objects.create(
                run=one, kind=kind, severity=severity, text=f"{kind} {severity}", computed=True
            )
        VerificationReport.objects.create(run=other, report_version=2, overall_status="passed")
        VerificationReport.objects.create(run=run, report_version=1, overall_status="passed")
    context = context_of(run)
    assert context.evidence == EvidenceFacts(contradictions=2, unresolved=1)
    report = context.report
    assert (report.planned_sections, report.written_sections, report.verdict) == (1, 1, "")
    assert (report.claims, report.cited_claims, report.failed_claims) == (3, 0, 3)
