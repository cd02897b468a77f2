"""A frozen snapshot of a run: the facts that the conditions of exits depend on, read from the database."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, Q

from citations.models import Resolution, SectionStatus
from research.engine.pipeline_registry import Policy
from research.engine.states.state_counts import RunCounts, load_run_counts
from research.engine.states.state_source_stats import check_sufficiency
from research.engine.states.state_source_sufficiency import SufficiencyResult, is_covered
from research.llm.budgets.budget_credit_funding import share_of_balance
from research.models import (
    UNFINISHED_STEPS,
    Escalation,
    Item,
    ItemStatus,
    Kind,
    ReviewAct,
    Run,
    SourceStatus,
    State,
    StepStatus,
)
from research.models.schemas import Plan, Subtopic

USABLE = frozenset({SourceStatus.EXTRACTED, SourceStatus.PROCESSED})
STILL_TO_READ = frozenset({SourceStatus.PENDING, SourceStatus.FETCHING})
TAKING_STOCK = frozenset({State.COLLECTING, State.READING})
STARVED = 0.3  # share of a subtopic's target


@dataclass(frozen=True, slots=True)
class StateProgress:
    """The steps of the current visit of the state, and the time spent in it."""

    unfinished: int = 0
    completed: int = 0
    failed: int = 0
    failure_code: str = ""  # of the latest failed step
    failure_message: str = ""
    time_share: float = 0.0  # share of the state's time limit; 1.0: time is up

    @property
    def is_done(self) -> bool:
        return self.unfinished == 0

    @property
    def is_over(self) -> bool:
        """True if nothing more will come: all steps have ended, or the time is up."""
        return self.is_done or self.time_share >= 1


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The stored plan; `subtopics` is 0 if there is none."""

    subtopics: int = 0
    confidence: float = 0.0
    estimated_sources: int = 0
    cost_share: float | None = None  # share of the owner's balance; None: a cost or a balance is unknown
    questions: int = 0  # questions that the planner asks back


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """The sources of the run, without those set aside as duplicates or by the owner."""

    found: int = 0
    usable: int = 0  # text extracted
    unread: int = 0
    coverage: float = 0.0  # share of subtopics with at least half of their target
    starved_share: float = 0.0  # share of subtopics with less than 0.3 of their target
    sufficiency: SufficiencyResult | None = None  # set only while sources are collected and read

    @property
    def extraction_rate(self) -> float:
        """Share of the sources whose text could be extracted; 1 if there is nothing to extract."""
        return self.usable / self.found if self.found else 1.0

    @property
    def is_enough(self) -> bool:
        """True if the sufficiency check passes."""
        return self.sufficiency is not None and self.sufficiency.is_enough

    @property
    def is_saturated(self) -> bool:
        """True if the newest sources repeat what is known."""
        return self.sufficiency is not None and self.sufficiency.is_saturated


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """The rows of a table; zeros for other kinds."""

    total: int = 0
    open: int = 0  # not started, or in progress
    held: int = 0  # until the pilot is released
    completed: int = 0


@dataclass(frozen=True, slots=True)
class EvidenceFacts:
    """The results of the analysis."""

    contradictions: int = 0
    unresolved: int = 0
    severe_gaps: int = 0
    scope_gaps: int = 0  # those of them because the plan covers less than the question
    is_insufficient: bool = False

    @property
    def resolved_share(self) -> float:
        """Share of the contradictions that are resolved; 1 if none was found."""
        return 1 - self.unresolved / self.contradictions if self.contradictions else 1.0


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """The current version of the report."""

    planned_sections: int = 0
    written_sections: int = 0
    claims: int = 0  # claims in the report
    cited_claims: int = 0
    failed_claims: int = 0  # share that is unsupported or contradicted
    hallucinations: int = 0  # claims without a span in any source of the run
    verdict: str = ""  # VerificationReport.overall_status; empty: not checked yet
    confidence: float | None = None  # mean of its claims, 0–1; None: not computed yet

    @property
    def cited_share(self) -> float:
        return self.cited_claims / self.claims if self.claims else 1.0


@dataclass(frozen=True, slots=True)
class RunContext:
    """The facts that a condition may look at."""

    state: State
    attempt: int = 0  # retries of this state so far
    retries: int = 0  # limit of the state's row in the table
    revisions: int = 0
    replans: int = 0
    decision: str = (
        ""  # EscalationStatus of the question to a person in this state; empty until its answer applies
    )
    fallback: str = ""  # the fallback at that question's deadline: continue, fail, degrade
    wants_replan: bool = False  # that person's answer
    note: str = ""  # that person's note
    work: StateProgress = StateProgress()
    plan: PlanFacts = PlanFacts()
    sources: SourceFacts = SourceFacts()
    items: ItemFacts = ItemFacts()
    evidence: EvidenceFacts = EvidenceFacts()
    report: ReportFacts = ReportFacts()
    policy: Policy = Policy()

    @property
    def retries_are_spent(self) -> bool:
        return self.attempt >= self.retries


def visit_key(run: Run) -> str:
    """Return the key of the step that represents the run's current visit of its state."""
    return f"{run.version}.{run.state}"


def read_context(run: Run, *, retries: int, policy: Policy) -> RunContext:
    """Read the run as it is now: one query, and more for a plan with a price, a table or a question. Needs the
    tenant set.
    """
    rows = load_run_counts(run, prefixes_of_visit(run))
    plan = None if run.plan is None else Plan.model_validate(run.plan)
    asked = _latest_question(run)
    answer = (asked.decision if asked else None) or {}
    return RunContext(
        state=State(run.state),
        attempt=run.attempt,
        retries=retries,
        revisions=run.revision_count,
        replans=run.replan_count,
        decision=asked.status if asked and asked.work_in_at is None else "",
        fallback=asked.fallback if asked else "",
        wants_replan=answer.get("act") == ReviewAct.REPLAN,
        note=str(answer.get("note", "")),
        work=_work(run, rows),
        plan=_plan(run, plan),
        sources=_sources(run, rows, plan.subtopics if plan else (), policy),
        items=_items(run),
        evidence=_evidence(run, rows),
        report=_report(run, rows),
        policy=policy,
    )


def prefixes_of_visit(run: Run) -> tuple[str, str]:
    """Return the key prefixes of the steps of the current visit: its own, and those begun early for it."""
    return f"{visit_key(run)}/", f"{run.state}/"


def belongs_to_visit(run: Run) -> Q:
    """Return the filter for steps of the current visit."""
    own, early = prefixes_of_visit(run)
    return Q(key__startswith=own) | Q(key__startswith=early)


def _work(run: Run, rows: RunCounts) -> StateProgress:
    code, message = rows.worst
    return StateProgress(
        unfinished=sum(rows.steps[status] for status in UNFINISHED_STEPS),
        completed=rows.steps[StepStatus.COMPLETED],
        failed=rows.steps[StepStatus.FAILED],
        failure_code=code,
        failure_message=message,
        time_share=_time_share(run, rows.now),
    )


def _time_share(run: Run, now: datetime) -> float:
    if run.state_deadline is None or run.state_entered_at is None:
        return 0.0
    return float((now - run.state_entered_at) / (run.state_deadline - run.state_entered_at))


def _latest_question(run: Run) -> Escalation | None:
    """Return the question of the current visit, also if the run was paused since; None if there is none."""
    if not run.is_waiting:
        return None
    asked = Escalation.objects.filter(run=run, visit=visit_key(run))
    return asked.order_by("-created_at", "-pk").first()


def _plan(run: Run, plan: Plan | None) -> PlanFacts:
    if plan is None:
        return PlanFacts()
    return PlanFacts(
        subtopics=len(plan.subtopics),
        confidence=plan.confidence,
        estimated_sources=plan.estimated_sources,
        cost_share=_cost_share(run, plan.estimated_cost_usd),
        questions=len(plan.clarification_questions),
    )


def _cost_share(run: Run, usd: float | None) -> float | None:
    """Return the plan's cost as a share of the owner's balance. Only exits of planning states need it."""
    if usd is None or run.state not in (State.PLANNING, State.REPLANNING):
        return None
    share = share_of_balance(run.pk, Decimal(str(usd)))
    return None if share is None else float(share)


def _sources(run: Run, rows: RunCounts, subtopics: Sequence[Subtopic], policy: Policy) -> SourceFacts:
    statuses, alive = Counter[str](), Counter[str]()
    for (status, subtopic), count in rows.sources.items():
        statuses[status] += count
        alive[subtopic] += count if status != SourceStatus.FAILED else 0
    covered = [
        subtopic for subtopic in subtopics if is_covered(alive[subtopic.name], subtopic.target_sources)
    ]
    starved = [subtopic for subtopic in subtopics if alive[subtopic.name] < STARVED * subtopic.target_sources]
    return SourceFacts(
        found=statuses.total(),
        usable=sum(statuses[status] for status in USABLE),
        unread=sum(statuses[status] for status in STILL_TO_READ),
        coverage=len(covered) / len(subtopics) if subtopics else 0.0,
        starved_share=len(starved) / len(subtopics) if subtopics else 0.0,
        sufficiency=check_sufficiency(run, subtopics, policy) if _checks_sufficiency(run) else None,
    )


def _checks_sufficiency(run: Run) -> bool:
    """False for tables: each item reads what it needs, so that the number of sources says nothing."""
    return run.state in TAKING_STOCK and run.kind != Kind.TABLE


def _items(run: Run) -> ItemFacts:
    if run.kind != Kind.TABLE:
        return ItemFacts()
    is_open = Q(status__in=[ItemStatus.PENDING, ItemStatus.RUNNING])
    counts = Item.objects.filter(run=run).aggregate(
        total=Count("pk"),
        open=Count("pk", filter=is_open & Q(is_held=False)),
        held=Count("pk", filter=is_open & Q(is_held=True)),
        completed=Count("pk", filter=Q(status=ItemStatus.COMPLETED)),
    )
    return ItemFacts(**counts)


def _evidence(run: Run, rows: RunCounts) -> EvidenceFacts:
    return EvidenceFacts(
        contradictions=rows.resolutions.total(),
        unresolved=rows.resolutions[Resolution.OPEN],
        severe_gaps=rows.severe_gaps,
        scope_gaps=rows.scope_gaps,
        is_insufficient=run.is_insufficient,
    )


def _report(run: Run, rows: RunCounts) -> ReportFacts:
    return ReportFacts(
        planned_sections=max(run.total_sections, rows.sections.total()),
        written_sections=rows.sections[SectionStatus.WRITTEN] + rows.sections[SectionStatus.CITED],
        claims=rows.claims,
        cited_claims=rows.cited_claims,
        failed_claims=rows.failed_claims,
        hallucinations=rows.claims - rows.cited_claims,
        verdict=rows.verdict,
        confidence=None if run.quality_score is None else run.quality_score / 100,
    )
