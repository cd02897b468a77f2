"""The state machine: the states, what may happen in each, and how a run leaves it.

This table is the only place that defines it. Exits are tried from the top; the first whose predicate holds is taken. A
state that the run's pipeline does not use is skipped in the order of `PATH`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from research.engine.pipeline_registry import Policy
from research.engine.states import state_exit_conditions as when
from research.engine.states.state_context import RunContext
from research.models import FINISHED, WAITING, AgentRole, State

Predicate = Callable[[RunContext], bool]
ASKS_ALL = Policy()


@dataclass(frozen=True, slots=True)
class Exit:
    """An exit to state `to`, taken when `when` holds. `code` is the run's failure code if no failed step gives one."""

    when: Predicate
    to: State
    code: str = ""


@dataclass(frozen=True, slots=True)
class StateSpec:
    """One row of the table. `limit_s` None: no time limit."""

    exits: Sequence[Exit]
    limit_s: int | None = None
    retries: int = 0
    role: AgentRole = AgentRole.ORCHESTRATOR
    parallel: bool = False
    person: bool = False  # may step in
    rollback: State | None = None  # the state that makes what this one needs
    needs: Predicate = when.always  # if it does not hold and no exit does, the run goes back to `rollback`


FATAL = Exit(when.a_failure_ends_the_run, State.FAILED)
INSUFFICIENT = Exit(when.evidence_is_insufficient, State.COMPLETED)
ANOTHER_PLAN = Exit(when.a_person_wants_another_plan, State.REPLANNING)
SPENT = Exit(when.retries_are_spent, State.FAILED, "RETRIES_SPENT")

# Without an answer gaps and conflicts are noted.
REVIEW_OF_EVIDENCE = StateSpec(
    person=True,
    exits=[
        ANOTHER_PLAN,
        Exit(when.a_person_approved, State.SYNTHESIZING),
        Exit(when.no_answer_means_go_on, State.SYNTHESIZING),
        Exit(when.a_person_rejected, State.FAILED, "REJECTED"),
    ],
)

# The order of states if nothing intervenes.
PATH = (
    State.CREATED,
    State.PLANNING,
    State.COLLECTING,
    State.READING,
    State.ANALYZING,
    State.SYNTHESIZING,
    State.CITING,
    State.VERIFYING,
    State.EXPORTING,
    State.COMPLETED,
)

STATES: Mapping[State, StateSpec] = {
    State.CREATED: StateSpec(exits=[Exit(when.always, State.PLANNING)]),
    State.PLANNING: StateSpec(
        limit_s=300,
        retries=3,
        role=AgentRole.PLANNER,
        person=True,
        exits=[
            FATAL,
            Exit(when.plan_needs_a_person, State.HUMAN_REVIEW_PLAN),
            Exit(when.plan_is_approved, State.COLLECTING),
            Exit(when.plan_exists, State.HUMAN_REVIEW_PLAN),
            Exit(when.plan_exists, State.COLLECTING),  # of a pipeline that asks nobody
            SPENT,
        ],
    ),
    State.COLLECTING: StateSpec(
        limit_s=1_800,
        retries=5,
        role=AgentRole.RESEARCHER,
        parallel=True,
        rollback=State.PLANNING,
        needs=when.there_is_a_plan,
        exits=[
            FATAL,
            # Of a table, whose items search and read separately.
            Exit(when.the_pilot_is_done, State.HUMAN_REVIEW_PLAN),
            Exit(when.every_item_failed, State.FAILED, "ITEMS_FAILED"),
            Exit(when.every_item_has_ended, State.SYNTHESIZING),
            Exit(when.items_are_left_as_time_ends, State.SYNTHESIZING),
            # Of all other kinds.
            Exit(when.the_second_look_is_over, State.READING),
            Exit(when.sources_suffice, State.READING),
            Exit(when.sources_nearly_suffice_as_time_ends, State.READING),
            Exit(when.sources_are_far_too_few, State.REPLANNING),
            Exit(when.subtopics_failed, State.REPLANNING),
            Exit(when.nothing_more_can_be_found, State.READING),
            Exit(when.there_are_sources_but_searching_is_over, State.READING),
            Exit(when.there_is_no_source, State.FAILED, "INSUFFICIENT_SOURCES"),
        ],
    ),
    State.READING: StateSpec(
        limit_s=2_400,
        retries=3,
        role=AgentRole.EXTRACTOR,
        parallel=True,
        rollback=State.COLLECTING,
        needs=when.there_are_sources,
        exits=[
            FATAL,
            Exit(when.the_second_look_is_over, State.ANALYZING),
            Exit(when.every_source_is_read, State.ANALYZING),
            Exit(when.enough_is_read_as_time_ends, State.ANALYZING),
            Exit(when.most_sources_are_unreadable, State.FAILED, "EXTRACTION_FAILED"),
            Exit(when.half_is_read_and_nothing_is_left_to_read, State.ANALYZING),
        ],
    ),
    State.ANALYZING: StateSpec(
        limit_s=1_200,
        retries=2,
        role=AgentRole.ANALYZER,
        person=True,
        rollback=State.READING,
        needs=when.something_was_read,
        exits=[
            FATAL,
            # Replanning comes before giving up, and before asking a person about something that it may change.
            Exit(when.coverage_is_too_low, State.REPLANNING),
            Exit(when.scope_is_too_narrow, State.REPLANNING),
            Exit(when.parts_are_open, State.COLLECTING),
            INSUFFICIENT,
            Exit(when.conflicts_need_a_person, State.HUMAN_REVIEW_CONFLICTS),
            Exit(when.gaps_need_a_person, State.HUMAN_REVIEW_GAPS),
            Exit(when.analysis_is_complete, State.SYNTHESIZING),
            Exit(when.analysis_is_done_with_open_conflicts, State.SYNTHESIZING),
            SPENT,
        ],
    ),
    State.SYNTHESIZING: StateSpec(
        limit_s=1_800,
        retries=3,
        role=AgentRole.WRITER,
        parallel=True,
        rollback=State.ANALYZING,
        needs=when.there_is_an_outline,
        exits=[FATAL, INSUFFICIENT, Exit(when.every_section_is_written, State.CITING), SPENT],
    ),
    State.CITING: StateSpec(
        limit_s=600,
        retries=2,
        role=AgentRole.VERIFIER,
        parallel=True,
        rollback=State.SYNTHESIZING,
        needs=when.there_are_sections,
        exits=[FATAL, INSUFFICIENT, Exit(when.sentences_are_cited, State.VERIFYING), SPENT],
    ),
    State.VERIFYING: StateSpec(
        limit_s=900,
        retries=2,
        role=AgentRole.VERIFIER,
        parallel=True,
        person=True,
        rollback=State.SYNTHESIZING,
        needs=when.there_are_claims,
        exits=[
            FATAL,
            # Before giving up, and before asking a person about something that it may change.
            Exit(when.claims_lack_evidence, State.SYNTHESIZING),
            INSUFFICIENT,
            Exit(when.report_needs_a_person, State.HUMAN_REVIEW_VERIFICATION),
            Exit(when.report_is_verified, State.EXPORTING),
            Exit(when.report_can_be_revised, State.SYNTHESIZING),
            Exit(when.revisions_are_spent, State.FAILED, "VERIFICATION_FAILED"),
            SPENT,
        ],
    ),
    # A failed export is shown on the export and can be requested again: it never fails the run.
    State.EXPORTING: StateSpec(
        limit_s=600,
        retries=2,
        parallel=True,
        rollback=State.VERIFYING,
        needs=when.the_report_was_checked,
        exits=[Exit(when.work_is_done, State.COMPLETED), Exit(when.retries_are_spent, State.COMPLETED)],
    ),
    State.REPLANNING: StateSpec(
        limit_s=300,
        retries=3,
        role=AgentRole.PLANNER,
        exits=[
            FATAL,
            # Another plan needs the same consent as the first.
            Exit(when.plan_needs_a_person, State.HUMAN_REVIEW_PLAN),
            Exit(when.plan_is_approved, State.COLLECTING),
            Exit(when.plan_exists, State.HUMAN_REVIEW_PLAN),
            Exit(when.plan_exists, State.COLLECTING),
            Exit(when.the_old_plan_stays, State.COLLECTING),
            SPENT,
        ],
    ),
    # Goes back to the state that its step names; see transitions.py.
    State.RETRYING: StateSpec(exits=[]),
    State.HUMAN_REVIEW_PLAN: StateSpec(
        person=True,
        exits=[
            ANOTHER_PLAN,
            Exit(when.a_person_approved, State.COLLECTING),
            Exit(when.the_pilot_is_all, State.SYNTHESIZING),
            Exit(when.a_person_rejected, State.FAILED, "REJECTED"),
            Exit(when.no_answer_means_the_end, State.FAILED, "REJECTED"),
        ],
    ),
    State.HUMAN_REVIEW_GAPS: REVIEW_OF_EVIDENCE,
    State.HUMAN_REVIEW_CONFLICTS: REVIEW_OF_EVIDENCE,
    State.HUMAN_REVIEW_VERIFICATION: StateSpec(
        person=True,
        exits=[
            ANOTHER_PLAN,
            Exit(when.a_person_approved, State.EXPORTING),
            Exit(when.no_answer_means_go_on, State.EXPORTING),
            Exit(when.a_person_rejected, State.FAILED, "REJECTED"),
            Exit(when.no_answer_means_the_end, State.FAILED, "REJECTED"),
        ],
    ),
    State.COMPLETED: StateSpec(exits=[]),
    State.FAILED: StateSpec(exits=[]),
    State.CANCELLED: StateSpec(exits=[]),
}


def exit_for(context: RunContext, used: frozenset[State]) -> Exit | None:
    """Return the first exit that holds; None if the state has more to do, or must be retried.

    An exit to a review state or to replanning is skipped if the pipeline does not use that state; one to a review state
    also if the run does not ask about its subject.
    """
    for way_out in STATES[context.state].exits:
        if is_open(way_out.to, used, context.policy) and way_out.when(context):
            return way_out
    return None


def is_open(to: State, used: frozenset[State], policy: Policy = ASKS_ALL) -> bool:
    if to in WAITING and not may_wait_in(to, policy):
        return False
    return to in FINISHED or to in PATH or to in used


def may_wait_in(review: State, policy: Policy) -> bool:
    """True if the run asks about this: about a plan unless it asks nobody at all, about doubts if its configuration
    says so.
    """
    return policy.asks_people and (review is State.HUMAN_REVIEW_PLAN or policy.asks_about_doubts)


def rolls_back_to(context: RunContext, used: frozenset[State]) -> State | None:
    """Return the state that has to make what this one lacks; None if it lacks nothing or the pipeline has no such
    state.
    """
    spec = STATES[context.state]
    return spec.rollback if spec.rollback in used and not spec.needs(context) else None


def next_used(state: State, used: frozenset[State]) -> State:
    """Return `state` if the pipeline uses it, else the next on the path that it uses."""
    if state in used or state in FINISHED or state in WAITING or state not in PATH:
        return state
    rest = PATH[PATH.index(state) :]
    return next((later for later in rest if later in used), State.COMPLETED)
