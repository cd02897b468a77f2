"""Runs that ask a person something: questions with their items, as the rules make them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Max
from django.utils import timezone

from citations.models import Claim, Contradiction, Section
from research.db.tenancy import tenant_context
from research.engine.states.state_context import visit_key
from research.engine.states.state_escalation import RULES
from research.models import (
    AgentRole,
    Escalation,
    PlanTrigger,
    PlanVersion,
    ReviewItem,
    ReviewKind,
    Run,
    State,
    Step,
    StepStatus,
)
from research.models.schemas import Plan, PlannedSection, Subtopic
from research.pipelines.report.report_step_names import ReportStepName
from tests.worlds import ReportWorld, add_source, cite

REVIEW_STATES: Mapping[str, State] = {
    "plan_clarification": State.HUMAN_REVIEW_PLAN,
    "high_cost_approval": State.HUMAN_REVIEW_PLAN,
    "unresolved_contradictions": State.HUMAN_REVIEW_CONFLICTS,
    "critical_data_gaps": State.HUMAN_REVIEW_GAPS,
    "hallucination_detected": State.HUMAN_REVIEW_VERIFICATION,
    "low_verification_confidence": State.HUMAN_REVIEW_VERIFICATION,
}
GAP = {"code": "W001", "text": "Nothing on maintenance.", "advice": "Look for manuals."}


@dataclass(frozen=True)
class Item:
    """One thing to decide."""

    kind: ReviewKind
    reason: str
    shown: Mapping[str, object]
    claim: Claim | None = None
    contradiction: Contradiction | None = None


def ask(
    world: ReportWorld, rule: str, items: Sequence[Item], *, wait: timedelta = timedelta(hours=2)
) -> Escalation:
    """The run waits in the state of the rule, with the question open."""
    run = world.run
    with tenant_context(world.person.tenant.pk):
        _add_analysis(run)
        Run.objects.filter(pk=run.pk).update(
            state=REVIEW_STATES[rule],
            state_entered_at=timezone.now(),
            completed_at=None,
            step_count=_next_step(run),
        )
        run.refresh_from_db()
        found = RULES[rule]
        asked = Escalation.objects.create(
            run=run,
            visit=visit_key(run),
            rule=rule,
            state=run.state,
            priority=found.priority,
            type=found.type,
            required_action=found.action,
            deadline=timezone.now() + wait,
            fallback=found.fallback,
        )
        for position, one in enumerate(items, 1):
            ReviewItem.objects.create(
                run=run,
                escalation=asked,
                position=position,
                kind=one.kind,
                reason=one.reason,
                shown=dict(one.shown),
                claim=one.claim,
                contradiction=one.contradiction,
            )
    return asked


def _add_analysis(run: Run) -> None:
    """Add the rows of the analysis that checking a report again reads."""
    Step.objects.create(
        run=run,
        step_index=_next_step(run),
        key="4.analyzing/analyze",
        handler=ReportStepName.ANALYZE_BY_RULES,
        agent_role=AgentRole.ANALYZER,
        status=StepStatus.COMPLETED,
        output={"evidence": {}, "open": []},
    )


def _next_step(run: Run) -> int:
    """The run may go on for real: its further steps come behind those that the world made."""
    latest = Step.objects.filter(run=run).aggregate(latest=Max("step_index"))["latest"]
    return 0 if latest is None else latest + 1


def ask_about_claims(world: ReportWorld, count: int = 3) -> Escalation:
    """`count` claims of the report, made for this where it has fewer."""
    claims = list(world.claims[:count])
    with tenant_context(world.person.tenant.pk):
        section = Section.objects.get(run=world.run, index=2)
        for number in range(len(claims) + 1, count + 1):
            text = f"At site {number} the factor was {number} in both winters."
            source = add_source(
                world.run, f"site-{number}.txt", f"Site {number}\n\n{text} And more.", title=f"Site {number}"
            )
            claim = Claim.objects.create(
                run=world.run, section=section, number=number, position=number, text=text
            )
            cite(claim, source, text)
            section.body["blocks"].append({"type": "paragraph", "sentences": [{"claim": str(claim.pk)}]})
            claims.append(claim)
        section.save()
    return ask(world, "hallucination_detected", [of_claim(claim) for claim in claims])


def of_claim(claim: Claim) -> Item:
    shown = {"text": claim.text, "number": claim.number, "status": claim.verification_status}
    return Item(ReviewKind.CLAIM, "Its source does not support it.", shown, claim=claim)


def ask_about_pair(world: ReportWorld) -> Escalation:
    """The report's one quarrel, and another, so that deciding the first does not settle the question."""
    with tenant_context(world.person.tenant.pk):
        pair = Contradiction.objects.select_related("claim_a", "claim_b").get(run=world.run)
        pair.scores_a = {"authority": 0.8, "recency": 0.5, "corroboration": 0.7, "specificity": 0.6}
        pair.scores_b = {"authority": 0.4, "recency": 0.9, "corroboration": 0.3, "specificity": 0.6}
        pair.save()
        other = Contradiction.objects.create(
            run=world.run, claim_a=world.claims[1], claim_b=world.claims[2], kind="temporal"
        )
    items = [_of_pair(pair), _of_pair(other)]
    return ask(world, "unresolved_contradictions", items)


def _of_pair(pair: Contradiction) -> Item:
    shown = {"a": pair.claim_a.text, "b": pair.claim_b.text, "note": pair.note}
    shown |= {"claim_a": str(pair.claim_a_id), "claim_b": str(pair.claim_b_id)}
    return Item(ReviewKind.CONTRADICTION, "Neither side is the stronger one.", shown, contradiction=pair)


def ask_about_gap(world: ReportWorld) -> Escalation:
    return ask(world, "critical_data_gaps", [Item(ReviewKind.GAP, "It is of high severity.", GAP)])


def ask_about_plan(world: ReportWorld) -> Escalation:
    """Three steps, as the planner made them."""
    plan = make_plan()
    stored = plan.model_dump(mode="json")
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(plan=stored)
        PlanVersion.objects.create(run=world.run, number=1, plan=stored, trigger=PlanTrigger.PLANNER)
    item = Item(ReviewKind.PLAN, "Do you mean homes or offices?", {"plan": stored})
    return ask(world, "plan_clarification", [item], wait=timedelta(hours=24))


def make_plan() -> Plan:
    steps = [
        Subtopic(name="Field trials", queries=["cold field trial", "winter test"], target_sources=8),
        Subtopic(name="Lab limits", queries=["laboratory limit"], target_sources=4),
        Subtopic(name="Costs", queries=["cost of backup heat"], target_sources=6, priority="supplementary"),
    ]
    return Plan(
        goal="Whether heat pumps work in the cold",
        subtopics=steps,
        outline=[PlannedSection(heading=step.name, subtopic=step.name) for step in steps],
        clarification_questions=["Do you mean homes or offices?"],
        estimated_sources=18,
        estimated_minutes=8,
        estimated_tokens=120_000,
        estimated_cost_usd=0.9,
    )
