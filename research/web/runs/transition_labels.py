"""Descriptions of why a run left a state, for its log and its page.

said = describe_transition(step.output, state)
said.sentence   # "Search → Reading, because enough sources were found."
said.figures    # [("Sources found", "31"), ("Sources wanted at least", "15")]
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import gettext as _g
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from exports.labels.format_document_values import percent
from research.engine.states.state_exit_reasons import (
    CANCELLED,
    NEEDS_MISSING,
    NO_EXIT,
    OPENED_AGAIN,
    PAUSE_IS_OVER,
    RUN_LIMIT,
    STATE_LIMIT,
    WANTED,
    ExitReason,
    read_exit_reason,
)
from research.web.site.value_labels import STATES

BECAUSE: Mapping[str, Promise] = {
    "always": _("it was started"),
    "a_failure_ends_the_run": _("something failed that ends a run"),
    "evidence_is_insufficient": _("the sources do not answer the question"),
    "retries_are_spent": _("no attempts were left"),
    "work_is_done": _("everything was done"),
    "plan_needs_a_person": _("the plan is large, expensive or unclear, and a person should review it"),
    "plan_is_approved": _("the plan is sound, and needs no approval"),
    "plan_exists": _("there is a plan"),
    "the_old_plan_stays": _("planning again gave no other plan, so the old one stays"),
    "every_item_failed": _("every row failed"),
    "the_pilot_is_done": _("the pilot is done, and the other rows wait to be released"),
    "every_item_has_ended": _("every row has ended"),
    "items_are_left_as_time_ends": _("rows are left, and the time was running out"),
    "the_pilot_is_all": _("nobody released the other rows in time"),
    "sources_suffice": _("enough sources were found"),
    "sources_nearly_suffice_as_time_ends": _(
        "nearly enough sources were found, and the time was running out"
    ),
    "nothing_more_can_be_found": _("the search has found what can be found"),
    "sources_are_far_too_few": _("the search ended with far too few sources"),
    "subtopics_failed": _("several subtopics found next to nothing"),
    "there_are_sources_but_searching_is_over": _("the search was over, and there are sources"),
    "there_is_no_source": _("no source was found"),
    "every_source_is_read": _("every source was read"),
    "enough_is_read_as_time_ends": _("enough was read, and the time was running out"),
    "most_sources_are_unreadable": _("more than half of the sources could not be read"),
    "half_is_read_and_nothing_is_left_to_read": _("at least half was read, and the rest can't be"),
    "conflicts_need_a_person": _("too many contradictions remain open"),
    "gaps_need_a_person": _("the evidence lacks something important"),
    "coverage_is_too_low": _("less than half of the subtopics are covered"),
    "scope_is_too_narrow": _("the plan leaves out what the question names"),
    "the_second_look_is_over": _("open parts of the question were looked for again"),
    "parts_are_open": _("parts of the question are open, and are looked for again"),
    "analysis_is_complete": _("the analysis is complete"),
    "analysis_is_done_with_open_conflicts": _(
        "the analysis is complete, and both sides of what is open are shown"
    ),
    "every_section_is_written": _("every section is written"),
    "sentences_are_cited": _("the sentences are cited"),
    "claims_lack_evidence": _("claims lack evidence, which is looked for once"),
    "report_is_verified": _("the report is checked"),
    "report_needs_a_person": _("the check found something that a person should review"),
    "report_can_be_revised": _("the check found problems that can be fixed"),
    "revisions_are_spent": _("the check still found faults after the last revision"),
    "a_person_wants_another_plan": _("the reviewer wants another plan"),
    "a_person_approved": _("the reviewer approved"),
    "a_person_rejected": _("the reviewer rejected it"),
    "no_answer_means_go_on": _("nobody answered in time, and the run continues without an answer"),
    "no_answer_means_the_end": _("nobody answered in time, and the run cannot continue without an answer"),
    NEEDS_MISSING: _("what it needs from the state before is missing"),
    NO_EXIT: _("it could not be finished"),
    STATE_LIMIT: _("it exceeded its time limit"),
    RUN_LIMIT: _("the run exceeded its time limit"),
    PAUSE_IS_OVER: _("the pause before the next attempt is over"),
    CANCELLED: _("the run was cancelled"),
    WANTED: _("the owner wants another plan"),
    OPENED_AGAIN: _("the owner wants more of it"),
}

FIGURES: Mapping[str, Promise] = {
    "attempt": _("Attempts before this one"),
    "retries": _("Attempts left"),
    "revisions": _("Revisions so far"),
    "replans": _("Times replanned so far"),
    "limit_s": _("Seconds allowed"),
    "decision": _("Answer"),
    "fallback": _("Without an answer"),
    "note": _("Note"),
    "missing": _("What is missing"),
    "work.failure_code": _("Failure"),
    "work.unfinished": _("Steps not finished"),
    "work.failed": _("Steps failed"),
    "work.time_share": _("Share of the time used"),
    "plan.subtopics": _("Subtopics"),
    "plan.questions": _("Questions of the planner"),
    "plan.estimated_sources": _("Sources expected"),
    "plan.cost_share": _("Share of the credits"),
    "plan.confidence": _("Confidence in the plan"),
    "policy.auto_approve": _("Consent given beforehand"),
    "policy.asks_about_doubts": _("Doubts are asked about"),
    "policy.minimum_sources": _("Sources wanted at least"),
    "policy.search_is_exhausted": _("Everything was searched"),
    "policy.can_search_wider": _("Another plan may find more"),
    "policy.may_look_again": _("Open parts may be looked for again"),
    "policy.may_seek_support": _("Evidence may be looked for again"),
    "policy.is_looking_again": _("Looks for open parts alone"),
    "policy.is_written_once": _("Would be written the same again"),
    "items.total": _("Rows"),
    "items.open": _("Rows not ended"),
    "items.held": _("Rows that wait to be released"),
    "items.completed": _("Rows completed"),
    "sources.found": _("Sources found"),
    "sources.usable": _("Sources read"),
    "sources.unread": _("Sources not read yet"),
    "sources.coverage": _("Share of the subtopics covered"),
    "sources.starved_share": _("Share of the subtopics with next to nothing"),
    "sources.is_enough": _("Enough by the six checks"),
    "sources.is_saturated": _("Nothing new comes"),
    "sources.extraction_rate": _("Share of the sources read"),
    "evidence.contradictions": _("Contradictions"),
    "evidence.unresolved": _("Contradictions left open"),
    "evidence.resolved_share": _("Share of the contradictions resolved"),
    "evidence.severe_gaps": _("Severe gaps"),
    "evidence.scope_gaps": _("Names that nothing looks for"),
    "evidence.is_insufficient": _("The sources do not answer"),
    "report.planned_sections": _("Sections planned"),
    "report.written_sections": _("Sections written"),
    "report.claims": _("Claims"),
    "report.cited_claims": _("Claims with a citation"),
    "report.cited_share": _("Share of the claims cited"),
    "report.failed_claims": _("Claims that failed the check"),
    "report.hallucinations": _("Claims without a source"),
    "report.verdict": _("Outcome of the check"),
    "wants_replan": _("Another plan is wanted"),
}
SHARES = frozenset(
    ("work.time_share", "plan.cost_share", "plan.confidence", "sources.coverage", "sources.starved_share")
    + ("sources.extraction_rate", "evidence.resolved_share", "report.cited_share")
)
YES, NO = pgettext_lazy("answer", "yes"), pgettext_lazy("answer", "no")


@dataclass(frozen=True, slots=True)
class TransitionText:
    sentence: str
    figures: tuple[tuple[str, str], ...]  # names and values as they are shown


def describe_transition(output: Mapping[str, object], was: str) -> TransitionText | None:
    """Describe why a state was left; None if no reason was stored.

    `output` is that of the visit's step, `was` the state that was left.
    """
    why = read_exit_reason(output)
    if why is None or why.exit not in BECAUSE:
        return None
    words = {"was": STATES.get(was, was), "to": STATES[why.to], "because": BECAUSE[why.exit]}
    return TransitionText(_g("%(was)s → %(to)s, because %(because)s.") % words, tuple(_figures(why)))


def _figures(why: ExitReason) -> Iterator[tuple[str, str]]:
    for name, value in why.facts.items():
        if name in FIGURES and value not in (None, ""):
            yield str(FIGURES[name]), _format_value(name, value)


def _format_value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(YES if value else NO)
    if name in SHARES and isinstance(value, int | float):
        return percent(value)
    return str(localize(value))
