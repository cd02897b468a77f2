"""What the exits are told about a run, read from real rows."""

from decimal import Decimal

import pytest

from citations.models import Claim, Section, VerificationReport
from citations.models import Warning as Gap
from research.governance import credits
from research.lifecycle.context import EvidenceFacts, PlanFacts, SourceFacts, read_context
from research.lifecycle.recipe import Policy
from research.models import Run, Source
from research.tenancy import tenant_context
from tests.lifecycle.rows import fresh, let_time_pass, sql


@pytest.fixture
def context_of(tenant):
    def read(run):
        with tenant_context(tenant.pk):
            return read_context(Run.objects.get(pk=run.pk), retries=3, policy=Policy())

    return read


def test_a_new_run_has_nothing(start_toy, context_of):
    context = context_of(start_toy())
    assert (context.plan, context.sources, context.evidence) == (PlanFacts(), SourceFacts(), EvidenceFacts())


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
