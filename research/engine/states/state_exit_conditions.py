"""The conditions under which a run leaves a state, as pure functions.

A condition that sends a run back, to a person or to its end first checks `work.is_over`: exits are also checked while
work goes on, when the state's time runs out.
"""

from research.engine.states.state_context import RunContext
from research.engine.states.step_failures import FATAL_CODES
from research.models import EscalationStatus, Fallback, State

TIME_RUNS_OUT = 0.9  # share of the state's time limit
MAX_STARVED = 0.3  # share of the subtopics
MAX_REVISIONS = 3
MAX_REPLANS = 2
# A plan above one of these limits needs consent.
DEAR = 0.5  # share of the owner's balance
MAX_SUBTOPICS, MAX_SOURCES = 10, 200
TRUSTED = 0.8  # confidence of the planner
MAX_OPEN_CONFLICTS = 3  # open contradictions that a report presents without asking
MAX_FAILED_CLAIMS = 5
REPORTING = frozenset({State.SYNTHESIZING, State.CITING, State.VERIFYING})


def always(context: RunContext) -> bool:
    return True


# --- any state ---------------------------------------------------------------------------------


def a_failure_ends_the_run(context: RunContext) -> bool:
    return context.work.failure_code in FATAL_CODES


def evidence_is_insufficient(context: RunContext) -> bool:
    """True if the sources do not answer the question, or no claim holds: the run ends with a short report that says
    so.
    """
    return context.work.is_over and (context.evidence.is_insufficient or nothing_stands(context))


def nothing_stands(context: RunContext) -> bool:
    """True if all sections are written and no claim is left in them."""
    report = context.report
    is_written = context.state in REPORTING and report.written_sections >= report.planned_sections > 0
    return is_written and report.claims == 0 and not context.policy.makes_no_claims


def retries_are_spent(context: RunContext) -> bool:
    return context.work.is_over and context.retries_are_spent


def work_is_done(context: RunContext) -> bool:
    return context.work.is_done


def another_plan_may_help(context: RunContext) -> bool:
    return context.policy.can_search_wider and context.replans < MAX_REPLANS


# --- what a state needs from the one before ----------------------------------------------------


def there_is_a_plan(context: RunContext) -> bool:
    return context.plan.subtopics > 0


def there_are_sources(context: RunContext) -> bool:
    return context.sources.found > 0


def something_was_read(context: RunContext) -> bool:
    return context.sources.usable > 0


def there_is_an_outline(context: RunContext) -> bool:
    return context.report.planned_sections > 0


def there_are_sections(context: RunContext) -> bool:
    return context.report.written_sections > 0


def there_are_claims(context: RunContext) -> bool:
    return context.report.claims > 0


def the_report_was_checked(context: RunContext) -> bool:
    return context.report.verdict != ""


# --- planning ----------------------------------------------------------------------------------


def plan_exists(context: RunContext) -> bool:
    return context.work.is_done and context.plan.subtopics > 0


def plan_needs_a_person(context: RunContext) -> bool:
    """True if the plan uses much of the owner's credits or, in runs that ask about doubts, is large or leaves
    questions open.
    """
    is_in_doubt = context.plan.questions > 0 or plan_is_large(context)
    return plan_exists(context) and (
        plan_is_dear(context) or (context.policy.asks_about_doubts and is_in_doubt)
    )


def plan_is_dear(context: RunContext) -> bool:
    share = context.plan.cost_share
    return share is not None and share > DEAR


def plan_is_large(context: RunContext) -> bool:
    return context.plan.subtopics > MAX_SUBTOPICS or context.plan.estimated_sources > MAX_SOURCES


def plan_is_approved(context: RunContext) -> bool:
    """True if the plan's owner consented in advance. An unsure planner counts as a doubt."""
    is_trusted = context.plan.confidence >= TRUSTED or not context.policy.asks_about_doubts
    return plan_exists(context) and context.policy.auto_approve and is_trusted


# --- collecting --------------------------------------------------------------------------------


def sources_suffice(context: RunContext) -> bool:
    """True if the sufficiency check passes: enough sources, on nearly all subtopics, and good enough on average."""
    return context.sources.is_enough


def sources_nearly_suffice_as_time_ends(context: RunContext) -> bool:
    nearly = context.sources.found >= 0.7 * context.policy.minimum_sources
    return nearly and context.sources.found > 0 and context.work.time_share >= TIME_RUNS_OUT


def nothing_more_can_be_found(context: RunContext) -> bool:
    """Return True if searching is exhausted: it covered all it can, or the newest sources say what is known."""
    is_final = context.policy.search_is_exhausted or context.sources.is_saturated
    return context.work.is_over and is_final and context.sources.found > 0


def searching_is_over(context: RunContext) -> bool:
    """True if no further try is left: they are used up, would find the same, or the time is up."""
    spent = context.retries_are_spent or context.policy.search_is_exhausted or context.work.time_share >= 1
    return context.work.is_over and spent


def sources_are_far_too_few(context: RunContext) -> bool:
    few = context.sources.found < 0.5 * context.policy.minimum_sources
    return few and searching_is_over(context) and another_plan_may_help(context)


def subtopics_failed(context: RunContext) -> bool:
    """True if too many subtopics found next to nothing of what was expected."""
    failed = context.sources.starved_share > MAX_STARVED
    return failed and searching_is_over(context) and another_plan_may_help(context)


def there_are_sources_but_searching_is_over(context: RunContext) -> bool:
    return context.sources.found > 0 and searching_is_over(context)


def there_is_no_source(context: RunContext) -> bool:
    return context.sources.found == 0 and searching_is_over(context)


# --- the items of a table ---


def every_item_failed(context: RunContext) -> bool:
    items = context.items
    return every_item_has_ended(context) and items.completed == 0 and items.held == 0


def the_pilot_is_done(context: RunContext) -> bool:
    """True if the first rows of a table have ended, with or without a result, and the others wait for a person."""
    items = context.items
    return context.work.is_done and items.held > 0 and items.open == 0


def every_item_has_ended(context: RunContext) -> bool:
    return context.work.is_done and context.items.total > 0 and context.items.open == 0


def items_are_left_as_time_ends(context: RunContext) -> bool:
    """True if the time is up before all items are done; they count as failed and can be tried again."""
    return context.items.open > 0 and context.work.time_share >= TIME_RUNS_OUT


def the_pilot_is_all(context: RunContext) -> bool:
    """True if nobody released the other rows in time: the table consists of the filled ones."""
    return context.items.held > 0 and no_answer_means_go_on(context)


def the_second_look_is_over(context: RunContext) -> bool:
    """True if the second search for open parts has ended; the analysis goes on with all that was found."""
    return context.work.is_over and context.policy.is_looking_again and context.sources.found > 0


# --- reading -----------------------------------------------------------------------------------


def every_source_is_read(context: RunContext) -> bool:
    return context.work.is_done and context.sources.unread == 0 and context.sources.extraction_rate >= 0.8


def enough_is_read_as_time_ends(context: RunContext) -> bool:
    return context.work.time_share >= TIME_RUNS_OUT and context.sources.extraction_rate >= 0.8


def most_sources_are_unreadable(context: RunContext) -> bool:
    return context.work.is_over and context.sources.extraction_rate < 0.5


def half_is_read_and_nothing_is_left_to_read(context: RunContext) -> bool:
    """True if between 0.5 and 0.8 of the sources are read and the others failed for good."""
    rest_failed = context.sources.unread == 0 or context.retries_are_spent
    return context.work.is_over and context.sources.extraction_rate >= 0.5 and rest_failed


# --- analyzing ---------------------------------------------------------------------------------


def conflicts_need_a_person(context: RunContext) -> bool:
    return context.work.is_done and context.evidence.unresolved > MAX_OPEN_CONFLICTS


def gaps_need_a_person(context: RunContext) -> bool:
    return context.work.is_done and context.evidence.severe_gaps > 0


def coverage_is_too_low(context: RunContext) -> bool:
    too_low = context.plan.subtopics > 0 and context.sources.coverage < 0.5
    return context.work.is_over and too_low and another_plan_may_help(context)


def scope_is_too_narrow(context: RunContext) -> bool:
    """True if the plan covers less than the question asks, and the missing part is nowhere in the evidence."""
    return context.work.is_over and context.evidence.scope_gaps > 0 and context.replans < MAX_REPLANS


def parts_are_open(context: RunContext) -> bool:
    """True if parts of the question are open: they are searched once more, in other words, before the report
    abstains.
    """
    return context.work.is_done and context.policy.may_look_again


def analysis_is_complete(context: RunContext) -> bool:
    work = context.work
    return work.is_done and work.failed == 0 and context.evidence.resolved_share >= 0.9


def analysis_is_done_with_open_conflicts(context: RunContext) -> bool:
    """True if the analysis is done and open conflicts remain; the report presents both sides.

    More than three conflicts go to a person first, if the pipeline asks one.
    """
    return context.work.is_done and context.work.failed == 0


# --- synthesizing, citing ----------------------------------------------------------------------


def every_section_is_written(context: RunContext) -> bool:
    report = context.report
    all_written = report.written_sections >= report.planned_sections > 0
    return context.work.is_done and all_written


def sentences_are_cited(context: RunContext) -> bool:
    return context.work.is_done and context.work.failed == 0 and context.report.cited_share >= 0.95


# --- verifying ---------------------------------------------------------------------------------


def claims_lack_evidence(context: RunContext) -> bool:
    """True if the check found claims without enough evidence: it is looked for once, for a revision."""
    return context.work.is_done and context.policy.may_seek_support and context.revisions < MAX_REVISIONS


def report_is_verified(context: RunContext) -> bool:
    report = context.report
    is_final = report.verdict == "passed" or (report.verdict != "" and context.policy.is_written_once)
    return context.work.is_done and is_final and report.hallucinations == 0


def report_needs_a_person(context: RunContext) -> bool:
    stays = context.report.hallucinations > 0 and context.revisions >= MAX_REVISIONS
    return context.work.is_done and (stays or context.report.failed_claims > MAX_FAILED_CLAIMS)


def report_can_be_revised(context: RunContext) -> bool:
    unsound = context.report.verdict in ("needs_revision", "failed") or context.report.hallucinations > 0
    return context.work.is_done and unsound and context.revisions < MAX_REVISIONS


def revisions_are_spent(context: RunContext) -> bool:
    return context.work.is_over and context.revisions >= MAX_REVISIONS


# --- a person's answer -------------------------------------------------------------------------


def the_old_plan_stays(context: RunContext) -> bool:
    """True if making another plan failed, or took too long."""
    return context.work.is_over and context.plan.subtopics > 0


def a_person_wants_another_plan(context: RunContext) -> bool:
    return context.wants_replan and context.replans < MAX_REPLANS


def a_person_approved(context: RunContext) -> bool:
    return context.decision in (EscalationStatus.APPROVED, EscalationStatus.REVISED)


def a_person_rejected(context: RunContext) -> bool:
    return context.decision == EscalationStatus.REJECTED


def no_answer_means_go_on(context: RunContext) -> bool:
    expired = context.decision == EscalationStatus.EXPIRED
    return expired and context.fallback in (Fallback.CONTINUE, Fallback.DEGRADE)


def no_answer_means_the_end(context: RunContext) -> bool:
    return context.decision == EscalationStatus.EXPIRED and context.fallback == Fallback.FAIL
