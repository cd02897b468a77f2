"""Replanning: its causes, and the owner's request for another plan while a run is under way."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from research.engine.pipeline_registry import JsonObject, pipeline_for
from research.engine.states.state_exit_conditions import MAX_REPLANS
from research.engine.states.state_exit_reasons import WANTED, ExitReason, store_exit_reason
from research.models import PlanTrigger, Run, State

# The exits that lead to replanning, by name.
TRIGGERS: Mapping[str, PlanTrigger] = {
    "sources_are_far_too_few": PlanTrigger.INSUFFICIENT_SOURCES,
    "subtopics_failed": PlanTrigger.DIMENSION_FAILURE,
    "scope_is_too_narrow": PlanTrigger.SCOPE_EXPANSION_NEEDED,
    "coverage_is_too_low": PlanTrigger.INSUFFICIENT_COVERAGE,
    "a_person_wants_another_plan": PlanTrigger.USER_FEEDBACK,
    WANTED: PlanTrigger.USER_FEEDBACK,
}
# The states in which there is a plan that is not fully carried out.
INTERRUPTIBLE = frozenset(
    {
        State.COLLECTING,
        State.READING,
        State.ANALYZING,
        State.SYNTHESIZING,
        State.CITING,
        State.VERIFYING,
    }
)


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause of a replanning, stored as the input of the visit's step.

    `note` is in the owner's words, `was` is the state that the run left.
    """

    trigger: PlanTrigger
    was: State
    note: str = ""
    by: str = ""

    def to_json(self) -> JsonObject:
        return asdict(self)


def cause_of(stored: JsonObject) -> Cause:
    return Cause(
        PlanTrigger(str(stored["trigger"])),
        State(str(stored["was"])),
        str(stored.get("note", "")),
        str(stored.get("by", "")),
    )


def can_replan(run: Run) -> bool:
    """Return True if the run's owner may request another plan now."""
    is_free = run.cancel_at is None and run.replan_count < MAX_REPLANS
    return is_free and run.state in INTERRUPTIBLE and State.REPLANNING in pipeline_for(run.kind).states


def record_replan_request(run: Run, note: str) -> None:
    """Store the owner's request for another plan on the step of the current visit. Needs the run's row locked."""
    store_exit_reason(run, ExitReason(WANTED, State.REPLANNING, {"replans": run.replan_count, "note": note}))
