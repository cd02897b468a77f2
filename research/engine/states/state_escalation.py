"""Questions of a run to a person: the rules for asking, and the escalations that they create.

An escalation is written in the transaction that moves the run. Of several rules that apply, the one with the highest
priority asks. If the rule has a review state, the run waits there until a person answers or the deadline passes and the
fallback holds. Without one the question is advisory: it is asked, and the run goes on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models.functions import Now
from django.utils.translation import gettext_noop as noop

from research.engine.db_time import seconds_from_now
from research.engine.states.escalation_mail import mail_owner
from research.engine.states.state_context import RunContext, visit_key
from research.engine.states.state_exit_conditions import (
    MAX_FAILED_CLAIMS,
    MAX_OPEN_CONFLICTS,
    TRUSTED,
    plan_is_dear,
    plan_is_large,
    the_pilot_is_done,
)
from research.engine.states.state_machine import may_wait_in
from research.engine.states.state_review_items import items_for
from research.models import (
    FINISHED,
    WAITING,
    Escalation,
    EscalationStatus,
    EscalationType,
    Fallback,
    Priority,
    ReviewItem,
    ReviewKind,
    Run,
    State,
)
from research.runtime.fault_injection import FaultPoint, crash_point

HOUR_S = 3_600
LOW_CONFIDENCE = 0.6  # a quote from one source is never above 0.69
URGENCY = tuple(Priority)  # most urgent first


@dataclass(frozen=True, slots=True)
class EscalationRule:
    """A rule for an escalation: its condition, the question to a person, and the fallback without an answer.

    `state` is the state in which the condition is met.
    """

    name: str
    state: State
    review: State
    when: Callable[[RunContext], bool]
    priority: Priority
    type: EscalationType
    wait_s: int
    fallback: Fallback
    items: ReviewKind
    action: str  # the request to the person, as a msgid


def planner_needs_answers(context: RunContext) -> bool:
    return context.policy.asks_about_doubts and context.plan.questions > 0


def plan_needs_consent(context: RunContext) -> bool:
    """True if the plan is expensive or its review was requested; in runs that ask about doubts, also if it is large
    or unsure.
    """
    is_in_doubt = plan_is_large(context) or context.plan.confidence < TRUSTED
    is_wanted = plan_is_dear(context) or not context.policy.auto_approve
    return is_wanted or (context.policy.asks_about_doubts and is_in_doubt)


def conflicts_stay_open(context: RunContext) -> bool:
    return context.evidence.unresolved > MAX_OPEN_CONFLICTS


def gaps_are_severe(context: RunContext) -> bool:
    return context.evidence.severe_gaps > 0


def sentences_are_made_up(context: RunContext) -> bool:
    return context.report.hallucinations > 0


def report_is_little_trusted(context: RunContext) -> bool:
    """True if a report written by a model has low confidence overall, or if many sentences of any report failed.

    The confidence of quotes is not a reason to ask: it depends on their sources and is shown beside each.
    """
    report = context.report
    is_low = report.confidence is not None and report.confidence < LOW_CONFIDENCE
    is_low = is_low and not context.policy.is_quoted
    return is_low or report.failed_claims > MAX_FAILED_CLAIMS


_ALL = (
    EscalationRule(
        "pilot_release",
        State.COLLECTING,
        State.HUMAN_REVIEW_PLAN,
        the_pilot_is_done,
        Priority.HIGH,
        EscalationType.BLOCKING,
        24 * HOUR_S,
        Fallback.DEGRADE,
        ReviewKind.PLAN,
        noop("The first rows are filled: look at them, and release the others or end the table here."),
    ),
    EscalationRule(
        "plan_clarification",
        State.PLANNING,
        State.HUMAN_REVIEW_PLAN,
        planner_needs_answers,
        Priority.HIGH,
        EscalationType.BLOCKING,
        24 * HOUR_S,
        Fallback.FAIL,
        ReviewKind.PLAN,
        noop(
            "The planner has questions: answer in a note and choose “Plan again”, or accept or edit the plan as it is."
        ),
    ),
    EscalationRule(
        "high_cost_approval",
        State.PLANNING,
        State.HUMAN_REVIEW_PLAN,
        plan_needs_consent,
        Priority.HIGH,
        EscalationType.BLOCKING,
        24 * HOUR_S,
        Fallback.FAIL,
        ReviewKind.PLAN,
        noop("Look at the plan and what it will take: accept it, edit it, or reject it."),
    ),
    EscalationRule(
        "unresolved_contradictions",
        State.ANALYZING,
        State.HUMAN_REVIEW_CONFLICTS,
        conflicts_stay_open,
        Priority.MEDIUM,
        EscalationType.BLOCKING,
        12 * HOUR_S,
        Fallback.DEGRADE,
        ReviewKind.CONTRADICTION,
        noop("Sources contradict each other: choose a side, or have both presented."),
    ),
    EscalationRule(
        "critical_data_gaps",
        State.ANALYZING,
        State.HUMAN_REVIEW_GAPS,
        gaps_are_severe,
        Priority.MEDIUM,
        EscalationType.ADVISORY,
        6 * HOUR_S,
        Fallback.CONTINUE,
        ReviewKind.GAP,
        noop("The evidence lacks something important: go on with the gap noted, replan, or stop here."),
    ),
    EscalationRule(
        "hallucination_detected",
        State.VERIFYING,
        State.HUMAN_REVIEW_VERIFICATION,
        sentences_are_made_up,
        Priority.CRITICAL,
        EscalationType.BLOCKING,
        2 * HOUR_S,
        Fallback.FAIL,
        ReviewKind.CLAIM,
        noop("Some sentences of the report are not in any source: correct them or drop them."),
    ),
    EscalationRule(
        "low_verification_confidence",
        State.VERIFYING,
        State.HUMAN_REVIEW_VERIFICATION,
        report_is_little_trusted,
        Priority.HIGH,
        EscalationType.ADVISORY,
        4 * HOUR_S,
        Fallback.CONTINUE,
        ReviewKind.CLAIM,
        noop("The report’s confidence is low: accept, correct or drop the weakly supported claims."),
    ),
)
RULES: Mapping[str, EscalationRule] = {rule.name: rule for rule in _ALL}


def applicable(context: RunContext, used: frozenset[State]) -> list[EscalationRule]:
    """Return the rules that apply now, the most urgent first; of two equally urgent ones, the one that blocks.

    In a working state these are its own rules; in a review state those that lead there. `used` are the states of the
    pipeline: a rule about a state that it lacks never applies.
    """
    if context.evidence.is_insufficient:
        return []
    at = [rule for rule in _ALL if context.state in (rule.state, rule.review) and rule.state in used]
    at = [rule for rule in at if may_wait_in(rule.review, context.policy)]
    return sorted((rule for rule in at if rule.when(context)), key=_urgency)


def _urgency(rule: EscalationRule) -> tuple[int, bool]:
    return URGENCY.index(rule.priority), rule.type is not EscalationType.BLOCKING


def ask_on_leaving(run: Run, context: RunContext, to: State, used: frozenset[State]) -> None:
    """Create the advisory question that applies when the run goes on without waiting. Call it before the run is
    moved.
    """
    if to in WAITING or to in FINISHED - {State.COMPLETED} or context.state in WAITING:
        return
    for rule in applicable(context, used)[:1]:
        if rule.type is EscalationType.ADVISORY:
            ask(run, rule, context)


def ask_on_entering(run: Run, context: RunContext, used: frozenset[State]) -> None:
    """Create the question of the review state that the run has entered. `context` is from before the move."""
    here = [rule for rule in _ALL if rule.review == run.state]
    fitting = [rule for rule in applicable(context, used) if rule in here]
    # Without a question the run would wait forever, so ask whatever led to this state.
    for rule in (fitting or here[-1:])[:1]:
        ask(run, rule, context)


def ask(run: Run, rule: EscalationRule, context: RunContext) -> Escalation | None:
    """Return the question of the run's current visit, creating it and mailing the owner if it does not exist.

    Return None if there is nothing to decide. Needs the run's row locked.
    """
    here = {"run": run, "visit": visit_key(run), "rule": rule.name}
    known = Escalation.objects.filter(**here).first()
    if known is not None:
        return known
    asked = Escalation(
        **here,
        state=run.state,
        priority=rule.priority,
        type=rule.type,
        required_action=rule.action,
        context=facts_of(context),
        deadline=seconds_from_now(rule.wait_s),
        fallback=rule.fallback,
    )
    items = items_for(rule.items, run, asked)
    if not items and not run.is_waiting:
        return None
    asked.save()
    asked.refresh_from_db(fields=["deadline"])
    ReviewItem.objects.bulk_create(items)
    mail_owner(run, asked, len(items))
    crash_point(FaultPoint.ASKED_BEFORE_COMMIT)
    return asked


def close_questions(run_id: UUID) -> int:
    """Close the open questions of a failed or cancelled run; return their number. Needs the run's row locked."""
    still_open = Escalation.objects.filter(run_id=run_id, status=EscalationStatus.OPEN)
    return still_open.update(status=EscalationStatus.CLOSED, updated_at=Now())


def facts_of(context: RunContext) -> dict[str, float | int | bool | None]:
    """Return the figures that led to the question, for its readers."""
    plan, evidence, report = context.plan, context.evidence, context.report
    return {
        "questions": plan.questions,
        "subtopics": plan.subtopics,
        "estimated_sources": plan.estimated_sources,
        "plan_confidence": plan.confidence,
        "cost_share": plan.cost_share,
        "auto_approve": context.policy.auto_approve,
        "contradictions": evidence.contradictions,
        "unresolved": evidence.unresolved,
        "severe_gaps": evidence.severe_gaps,
        "hallucinations": report.hallucinations,
        "failed_claims": report.failed_claims,
        "confidence": report.confidence,
    }
