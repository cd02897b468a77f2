"""The reasons why a run left a state: the exit, the next state, and the figures that decided.

They are stored on the step of the visit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from django.db.models.functions import Now

from research.engine.pipeline_registry import Json, JsonObject
from research.engine.states.state_context import RunContext, visit_key
from research.models import AgentRole, Queue, Run, State, Step, StepStatus

DONE = ("work.unfinished",)
OVER = (*DONE, "work.time_share")
TRIES = (*OVER, "attempt", "retries")
PLAN = (*DONE, "plan.subtopics")
WIDER = ("policy.can_search_wider", "replans")
FOUND = ("sources.found", "policy.minimum_sources")
READ = ("sources.found", "sources.usable", "sources.extraction_rate")
ITEMS = (*DONE, "items.total", "items.open")
REPORT = (*DONE, "report.verdict", "report.hallucinations")

# The fields on which each predicate depends, by its name; properties are listed with the fields from which they are
# computed.
LOOKED_AT: Mapping[str, Sequence[str]] = {
    "always": (),
    "a_failure_ends_the_run": ("work.failure_code",),
    "evidence_is_insufficient": (
        *OVER,
        "state",
        "evidence.is_insufficient",
        "report.planned_sections",
        "report.written_sections",
        "report.claims",
    ),
    "retries_are_spent": TRIES,
    "work_is_done": DONE,
    "plan_needs_a_person": (
        *PLAN,
        "plan.questions",
        "plan.estimated_sources",
        "plan.cost_share",
        "policy.asks_about_doubts",
    ),
    "plan_is_approved": (*PLAN, "plan.confidence", "policy.auto_approve", "policy.asks_about_doubts"),
    "plan_exists": PLAN,
    "the_old_plan_stays": (*OVER, "plan.subtopics"),
    "every_item_failed": (*ITEMS, "items.completed", "items.held"),
    "the_pilot_is_done": (*DONE, "items.open", "items.held"),
    "every_item_has_ended": ITEMS,
    "items_are_left_as_time_ends": ("items.open", "work.time_share"),
    "the_pilot_is_all": ("items.held", "decision", "fallback"),
    "sources_suffice": ("sources.is_enough", "sources.coverage", *FOUND),
    "sources_nearly_suffice_as_time_ends": (*FOUND, "work.time_share"),
    "nothing_more_can_be_found": (*OVER, *FOUND, "sources.is_saturated", "policy.search_is_exhausted"),
    "sources_are_far_too_few": (*TRIES, *FOUND, "policy.search_is_exhausted", *WIDER),
    "subtopics_failed": (*TRIES, "sources.starved_share", "policy.search_is_exhausted", *WIDER),
    "there_are_sources_but_searching_is_over": (*TRIES, *FOUND, "policy.search_is_exhausted"),
    "there_is_no_source": (*TRIES, "sources.found", "policy.search_is_exhausted"),
    "every_source_is_read": (*DONE, *READ, "sources.unread"),
    "enough_is_read_as_time_ends": (*READ, "work.time_share"),
    "most_sources_are_unreadable": (*OVER, *READ),
    "half_is_read_and_nothing_is_left_to_read": (*TRIES, *READ, "sources.unread"),
    "conflicts_need_a_person": (*DONE, "evidence.unresolved"),
    "gaps_need_a_person": (*DONE, "evidence.severe_gaps"),
    "coverage_is_too_low": (*OVER, "plan.subtopics", "sources.coverage", *WIDER),
    "scope_is_too_narrow": (*OVER, "evidence.scope_gaps", "replans"),
    "the_second_look_is_over": (*OVER, "policy.is_looking_again", "sources.found"),
    "parts_are_open": (*DONE, "policy.may_look_again"),
    "analysis_is_complete": (
        *DONE,
        "work.failed",
        "evidence.contradictions",
        "evidence.unresolved",
        "evidence.resolved_share",
    ),
    "analysis_is_done_with_open_conflicts": (*DONE, "work.failed", "evidence.unresolved"),
    "every_section_is_written": (*DONE, "report.planned_sections", "report.written_sections"),
    "sentences_are_cited": (
        *DONE,
        "work.failed",
        "report.claims",
        "report.cited_claims",
        "report.cited_share",
    ),
    "claims_lack_evidence": (*DONE, "policy.may_seek_support", "revisions"),
    "report_is_verified": (*REPORT, "policy.is_written_once"),
    "report_needs_a_person": (*DONE, "report.hallucinations", "report.failed_claims", "revisions"),
    "report_can_be_revised": (*REPORT, "revisions"),
    "revisions_are_spent": (*OVER, "revisions"),
    "a_person_wants_another_plan": ("wants_replan", "replans"),
    "a_person_approved": ("decision",),
    "a_person_rejected": ("decision",),
    "no_answer_means_go_on": ("decision", "fallback"),
    "no_answer_means_the_end": ("decision", "fallback"),
}

NO_EXIT, NEEDS_MISSING = "no_exit_holds", "what_it_needs_is_missing"
STATE_LIMIT, RUN_LIMIT = "time_of_the_state_is_up", "time_of_the_run_is_up"
PAUSE_IS_OVER = "the_pause_is_over"
CANCELLED = "the_owner_cancelled"
WANTED = "the_owner_wants_another_plan"
OPENED_AGAIN = "the_owner_wants_more"
# Ways out of a state that are not exits in the table.
BESIDE_THE_TABLE = frozenset(
    {NO_EXIT, NEEDS_MISSING, STATE_LIMIT, RUN_LIMIT, PAUSE_IS_OVER, CANCELLED, WANTED, OPENED_AGAIN}
)


@dataclass(frozen=True, slots=True)
class ExitReason:
    exit: str  # name of the predicate, or one of `BESIDE_THE_TABLE`
    to: State
    facts: JsonObject = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        return {"exit": self.exit, "to": str(self.to), "facts": self.facts}


def read_exit_reason(output: Mapping[str, object]) -> ExitReason | None:
    """Read the reason from a step's output; None if there is none."""
    found, to, facts = (output.get(name) for name in ("exit", "to", "facts"))
    if not isinstance(found, str) or not isinstance(facts, dict) or to not in State.values:
        return None
    return ExitReason(found, State(str(to)), facts)


def facts_for(context: RunContext, predicate: str) -> JsonObject:
    """Return the facts on which the predicate depends, by the names of `RunContext`."""
    return {path: _round_figure(attrgetter(path)(context)) for path in LOOKED_AT.get(predicate, ())}


def _round_figure(value: Json) -> Json:
    return round(value, 4) if isinstance(value, float) else value


def store_exit_reason(run: Run, why: ExitReason) -> None:
    """Store the reason on the step of the run's current visit, or on a new finished step if the visit has none.

    A wait for a person has no step until it ends. Needs the run's row locked.
    """
    visit = Step.objects.filter(run=run, key=visit_key(run))
    if not visit.update(output=why.to_json()) and run.is_waiting:
        add_visit(run, why)


def add_visit(run: Run, why: ExitReason) -> None:
    """Add a finished step for a visit that had none. Needs the run's row locked."""
    Step.objects.create(
        run=run,
        step_index=run.step_count,
        key=visit_key(run),
        queue=Queue.CONTROL,
        handler=f"state.{run.state}",
        agent_role=AgentRole.ORCHESTRATOR,
        max_attempts=1,
        status=StepStatus.COMPLETED,
        output=why.to_json(),
        started_at=run.state_entered_at,
        completed_at=Now(),
    )
    run.step_count += 1
    Run.objects.filter(pk=run.pk).update(step_count=run.step_count)
