"""Why a run left a state, in words: the exit that was taken, and the figures that it looked at. Pure."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from research.web.words import STATES, Words

# By the name of the exit's predicate (research.lifecycle.predicates), or of what stands beside the table of states.
EXITS: Words = {
    "always": gettext_lazy("The run was taken up."),
    "a_failure_ends_the_run": gettext_lazy("A failure ended the run."),
    "evidence_is_insufficient": gettext_lazy("The sources do not answer the question."),
    "retries_are_spent": gettext_lazy("No further try is left."),
    "work_is_done": gettext_lazy("All work was done."),
    "plan_needs_a_person": gettext_lazy("The plan asks something, or is too large to start without consent."),
    "plan_is_approved": gettext_lazy("The planner trusts its plan, and plans need no consent."),
    "plan_exists": gettext_lazy("There is a plan."),
    "sources_suffice": gettext_lazy("There are enough sources, and they are good enough."),
    "sources_nearly_suffice_as_time_ends": gettext_lazy(
        "Time was running out, and there are nearly enough sources."
    ),
    "nothing_more_can_be_found": gettext_lazy("What can be searched was searched."),
    "sources_are_far_too_few": gettext_lazy("Less than half of the sources needed were found."),
    "there_are_sources_but_searching_is_over": gettext_lazy(
        "There are few sources, and no further search is left."
    ),
    "subtopics_failed": gettext_lazy("Too many subtopics have hardly any source."),
    "there_is_no_source": gettext_lazy("No source was found."),
    "every_source_is_read": gettext_lazy("Every source was read, or failed for good."),
    "enough_is_read_as_time_ends": gettext_lazy("Time was running out, and enough was read."),
    "most_sources_are_unreadable": gettext_lazy("Less than half of the sources could be read."),
    "half_is_read_and_nothing_is_left_to_read": gettext_lazy(
        "At least half was read, and the rest failed for good."
    ),
    "conflicts_need_a_person": gettext_lazy("Too many contradictions are open."),
    "gaps_need_a_person": gettext_lazy("There is a serious gap in the evidence."),
    "coverage_is_too_low": gettext_lazy("Less than half of the plan is covered by sources."),
    "scope_is_too_narrow": gettext_lazy("The plan looks for less than the question asks."),
    "analysis_is_complete": gettext_lazy("All was compared, and nearly all contradictions are settled."),
    "analysis_is_done_with_open_conflicts": gettext_lazy(
        "All was compared; of what is open, both sides are shown."
    ),
    "every_section_is_written": gettext_lazy("Every section is written."),
    "sentences_are_cited": gettext_lazy("Nearly every sentence has its quote."),
    "report_is_verified": gettext_lazy("The report was checked."),
    "report_needs_a_person": gettext_lazy("What no source says is in the report, or too many claims fell."),
    "report_can_be_revised": gettext_lazy("The check found faults that can be mended."),
    "revisions_are_spent": gettext_lazy("The report was revised as often as it may be."),
    "the_old_plan_stays": gettext_lazy("No other plan could be made, and the one before stays."),
    "a_person_wants_another_plan": gettext_lazy("A person wanted another plan."),
    "a_person_approved": gettext_lazy("A person approved."),
    "a_person_rejected": gettext_lazy("A person rejected it."),
    "no_answer_means_go_on": gettext_lazy("Nobody answered in time, and the run went on."),
    "no_answer_means_the_end": gettext_lazy("Nobody answered in time, which ended the run."),
    "no_exit_holds": gettext_lazy("What was done is not enough to go on."),
    "time_of_the_state_is_up": gettext_lazy("The stage took longer than it may take."),
    "time_of_the_run_is_up": gettext_lazy("The run took longer than it may take."),
    "the_pause_is_over": gettext_lazy("The pause before the next try was over."),
    "the_owner_cancelled": gettext_lazy("The run was cancelled."),
    "the_owner_wants_another_plan": gettext_lazy("The owner asked for another plan."),
}

# By the path of the figure in `RunContext`.
FACTS: Words = {
    "attempt": gettext_lazy("tries before"),
    "retries": gettext_lazy("tries allowed"),
    "revisions": gettext_lazy("revisions"),
    "replans": gettext_lazy("plans made anew"),
    "decision": gettext_lazy("decision"),
    "fallback": gettext_lazy("without an answer"),
    "wants_replan": gettext_lazy("another plan wanted"),
    "limit_s": gettext_lazy("limit in seconds"),
    "work.unfinished": gettext_lazy("steps open"),
    "work.failed": gettext_lazy("steps failed"),
    "work.failure_code": gettext_lazy("failure"),
    "work.time_share": gettext_lazy("share of the time used"),
    "plan.subtopics": gettext_lazy("subtopics"),
    "plan.confidence": gettext_lazy("trust in the plan"),
    "plan.estimated_sources": gettext_lazy("sources expected"),
    "plan.cost_share": gettext_lazy("cost as a share of the credits"),
    "plan.questions": gettext_lazy("questions back"),
    "policy.auto_approve": gettext_lazy("plans need no consent"),
    "policy.minimum_sources": gettext_lazy("sources needed"),
    "policy.search_is_exhausted": gettext_lazy("searched as a whole"),
    "policy.can_search_wider": gettext_lazy("can be searched more widely"),
    "policy.is_written_once": gettext_lazy("not written again"),
    "sources.found": gettext_lazy("sources found"),
    "sources.usable": gettext_lazy("sources read"),
    "sources.unread": gettext_lazy("sources to read"),
    "sources.coverage": gettext_lazy("share of subtopics covered"),
    "sources.starved_share": gettext_lazy("share of subtopics with hardly any source"),
    "sources.extraction_rate": gettext_lazy("share of sources read"),
    "sources.is_enough": gettext_lazy("enough sources"),
    "sources.is_saturated": gettext_lazy("nothing new comes"),
    "evidence.contradictions": gettext_lazy("contradictions"),
    "evidence.unresolved": gettext_lazy("contradictions open"),
    "evidence.resolved_share": gettext_lazy("share settled"),
    "evidence.severe_gaps": gettext_lazy("serious gaps"),
    "evidence.scope_gaps": gettext_lazy("gaps in the scope"),
    "evidence.is_insufficient": gettext_lazy("evidence insufficient"),
    "report.planned_sections": gettext_lazy("sections planned"),
    "report.written_sections": gettext_lazy("sections written"),
    "report.claims": gettext_lazy("claims"),
    "report.cited_claims": gettext_lazy("claims cited"),
    "report.cited_share": gettext_lazy("share cited"),
    "report.failed_claims": gettext_lazy("claims that fell"),
    "report.hallucinations": gettext_lazy("said by no source"),
    "report.verdict": gettext_lazy("check"),
}


def why(output: Mapping[str, object]) -> str:
    """The reason of a finished visit; empty where none is kept."""
    name = str(output.get("exit") or "")
    return str(EXITS.get(name, name.replace("_", " ")))


def where_to(output: Mapping[str, object]) -> str:
    to = str(output.get("to") or "")
    return str(STATES.get(to, to))


def figures(output: Mapping[str, object]) -> tuple[str, ...]:
    """“sources found: 12”; what is empty says nothing and is left away."""
    facts = output.get("facts")
    return tuple(_figures(facts)) if isinstance(facts, Mapping) else ()


def _figures(facts: Mapping[str, object]) -> Iterator[str]:
    for path, value in facts.items():
        if value not in (None, ""):
            yield f"{FACTS.get(path, path)}: {_plain(value)}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return f"{value:.3g}" if isinstance(value, float) else str(value)
