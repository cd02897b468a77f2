"""Making a plan anew: why, and what the owner asks for while a run is under way (spec: lifecycle.md, Replanning)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from research.engine.pipeline_registry import JsonObject, pipeline_for
from research.engine.states.exit_conditions import MOST_REPLANS
from research.engine.states.exit_reasons import WANTED, ExitReason, keep_why
from research.models import PlanTrigger, Run, State

# What leads there, by the name of the exit.
TRIGGERS: Mapping[str, PlanTrigger] = {
    "sources_are_far_too_few": PlanTrigger.INSUFFICIENT_SOURCES,
    "subtopics_failed": PlanTrigger.DIMENSION_FAILURE,
    "scope_is_too_narrow": PlanTrigger.SCOPE_EXPANSION_NEEDED,
    "coverage_is_too_low": PlanTrigger.INSUFFICIENT_COVERAGE,
    "a_person_wants_another_plan": PlanTrigger.USER_FEEDBACK,
    WANTED: PlanTrigger.USER_FEEDBACK,
}
# Where there is a plan, and its work is not out of the door yet.
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
    """The cause of a replanning: the input of the visit's step. `note`: in the owner's words. `was`: the state left."""

    trigger: PlanTrigger
    was: State
    note: str = ""
    by: str = ""

    def stored(self) -> JsonObject:
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
    is_free = run.cancel_at is None and run.replan_count < MOST_REPLANS
    return is_free and run.state in INTERRUPTIBLE and State.REPLANNING in pipeline_for(run.kind).states


def record_replan_request(run: Run, note: str) -> None:
    """Keep on the present visit's step that the owner wants another plan. Needs the run's row locked."""
    keep_why(run, ExitReason(WANTED, State.REPLANNING, {"replans": run.replan_count, "note": note}))
