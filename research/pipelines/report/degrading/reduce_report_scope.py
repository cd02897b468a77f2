"""Reduce the scope if the web search ended with too few sources.

Spec: lifecycle.md, INSUFFICIENT_SOURCES: 30 % fewer sources, 20 % fewer subtopics. A library is searched as a whole:
missing material is not a failure of the search, and the sufficiency check reports it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from research.llm.budgets.budget_degradations import Loss, Shortfall, record_loss
from research.models import PlanTrigger, PlanVersion, Run, Source, SourceStatus
from research.models.schemas import Plan, PlannedSection, StoredSufficiency, Subtopic
from research.pipelines.report.collecting.collect_report_sources_from_web import searches_web
from research.pipelines.report.report_config import ReportConfig
from research.runs.run_plan_versions import keep_version

SOURCES_KEPT, SUBTOPICS_KEPT = 7, 8  # tenths
IMPACT = 0.20
DECIDING = frozenset({"count", "coverage"})  # the checks without which there are not enough
PRIORITIES = ("critical", "important", "supplementary")


@dataclass(frozen=True, slots=True)
class NarrowedPlan:
    """The smaller plan, and the names of the removed subtopics."""

    plan: Plan
    dropped: tuple[str, ...]

    @property
    def reason(self) -> str:
        wanted = f"Too few sources were found: {self.plan.estimated_sources} are wanted now"
        if not self.dropped:
            return f"{wanted}."
        return f"{wanted}, and the report does without {_quote_names(self.dropped)}."


def reduce_scope(run: Run) -> None:
    """Narrow the plan, once the search is over, if too few sources were found. The caller locks the run.

    Does nothing if the latest plan is already a narrowed one, or if the run does not search the web. A plan that was
    made since then is narrowed again, if it found too little as well.
    """
    latest = PlanVersion.objects.filter(run=run).order_by("-number").first()
    is_smaller = latest is not None and latest.trigger == PlanTrigger.INSUFFICIENT_SOURCES
    if is_smaller or not is_short(run) or not searches_web(ReportConfig.model_validate(run.config)):
        return
    smaller = narrow_plan(Plan.model_validate(run.plan), _count_sources_by_subtopic(run))
    keep_version(run, smaller.plan, PlanTrigger.INSUFFICIENT_SOURCES, smaller.reason)
    record_loss(run.pk, Loss(Shortfall.REDUCED_SCOPE, IMPACT, smaller.reason))
    run.refresh_from_db(fields=["degradations", "plan"])


def is_short(run: Run) -> bool:
    """Return True if the search ended with too few sources, or with sources on too few subtopics."""
    if run.sufficiency is None:
        return False
    checks = StoredSufficiency.model_validate(run.sufficiency).checks
    return any(check.name in DECIDING and not check.is_passed for check in checks)


def narrow_plan(plan: Plan, found: Mapping[str, int]) -> NarrowedPlan:
    """Remove the least important subtopics; of equal ones that with the fewest sources `found`, then the last. Pure.

    At least one subtopic stays. If a fifth is not a whole number, fewer are removed.
    """
    kept = _tenths(len(plan.subtopics), SUBTOPICS_KEPT)
    order = sorted(enumerate(plan.subtopics), key=lambda pair: _weight(pair[0], pair[1], found))
    stays = frozenset(index for index, _ in order[:kept])
    smaller = plan.model_copy(
        update={
            "subtopics": [
                _smaller(subtopic) for index, subtopic in enumerate(plan.subtopics) if index in stays
            ],
            "outline": [
                section for index, section in enumerate(plan.outline) if _is_kept(plan, index, section, stays)
            ],
            "estimated_sources": _tenths(plan.estimated_sources, SOURCES_KEPT),
        }
    )
    return NarrowedPlan(
        smaller, tuple(subtopic.name for n, subtopic in enumerate(plan.subtopics) if n not in stays)
    )


def _weight(index: int, subtopic: Subtopic, found: Mapping[str, int]) -> tuple[int, int, int]:
    return PRIORITIES.index(subtopic.priority), -found.get(subtopic.name, 0), index


def _is_kept(plan: Plan, index: int, section: PlannedSection, stays: frozenset[int]) -> bool:
    """Return True if the section's subtopic stays: the one that it names, else the one in its place."""
    named = [number for number, subtopic in enumerate(plan.subtopics) if subtopic.name == section.subtopic]
    if not named and len(plan.outline) != len(plan.subtopics):
        return True
    return (named[0] if named else index) in stays


def _smaller(subtopic: Subtopic) -> Subtopic:
    return subtopic.model_copy(
        update={"target_sources": max(1, _tenths(subtopic.target_sources, SOURCES_KEPT))}
    )


def _tenths(number: int, tenths: int) -> int:
    """Return the tenths of a number, rounded up, in integers: 0.7 × 30 in floats is not 21."""
    return -(-number * tenths // 10)


def _count_sources_by_subtopic(run: Run) -> Counter[str]:
    alive = Source.objects.filter(run=run).exclude(
        status__in=(SourceStatus.FAILED, SourceStatus.DUPLICATE, SourceStatus.EXCLUDED)
    )
    return Counter(alive.values_list("subtopic", flat=True))


def _quote_names(names: tuple[str, ...]) -> str:
    return ", ".join(f"“{name}”" for name in names)
