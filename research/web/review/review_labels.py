"""Labels of review items and decisions in the interface."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

Words = Mapping[str, Promise]

# The question, as a heading.
RULES: Words = {
    "pilot_release": _("The pilot is waiting to be released"),
    "plan_clarification": _("The plan leaves questions open"),
    "high_cost_approval": _("The plan needs your approval"),
    "unresolved_contradictions": _("Sources contradict each other"),
    "critical_data_gaps": _("Something important is missing"),
    "hallucination_detected": _("Claims that no source supports"),
    "low_verification_confidence": _("The check is not sure enough"),
    "marking_claims": _("Claims are to be marked right or wrong"),
    "review_on_request": _("A review was requested"),
}

PRIORITIES: Words = {
    "critical": pgettext_lazy("priority", "Critical"),
    "high": pgettext_lazy("priority", "High"),
    "medium": pgettext_lazy("priority", "Medium"),
    "low": pgettext_lazy("priority", "Low"),
}

FALLBACKS: Words = {
    "continue": _("the run continues, and the report says so"),
    "fail": _("the run ends; what it has so far is kept"),
    "degrade": _("the run continues, and the report shows both sides"),
    "pilot": _("the table ends with the rows that are filled"),
}

ANSWERS: Words = {
    "open": _("Waiting for an answer"),
    "approved": _("Approved"),
    "rejected": _("Rejected"),
    "revised": _("Approved with changes"),
    "expired": _("Nobody answered in time"),
    "closed": _("The run ended first"),
}

REVIEW_KINDS: Words = {
    "plan": _("Plan"),
    "claim": _("Claim"),
    "contradiction": _("Contradiction"),
    "gap": _("Gap"),
}

_COUNTED = {
    "plan": ngettext_lazy("%(count)d plan", "%(count)d plans", "count"),
    "claim": ngettext_lazy("%(count)d claim", "%(count)d claims", "count"),
    "contradiction": ngettext_lazy("%(count)d contradiction", "%(count)d contradictions", "count"),
    "gap": ngettext_lazy("%(count)d gap", "%(count)d gaps", "count"),
}


def format_kind_counts(counts: Mapping[str, int]) -> str:
    """
    >>> format_kind_counts({"claim": 2, "gap": 1})
    '2 claims, 1 gap'
    """
    return ", ".join(_COUNTED[kind] % {"count": count} for kind, count in counts.items())


REVIEW_STATUSES: Words = {
    "open": _("Open"),
    "accepted": _("Accepted"),
    "rejected": _("Rejected"),
    "edited": _("Edited"),
    "skipped": _("Left for later"),
}

# Messages shown after a decision.
DEEDS_OF_REVIEW: Words = {
    "accept": _("Accepted."),
    "reject": _("Rejected."),
    "edit": _("Saved with your change."),
    "skip": _("Left for later."),
    "undo": _("Undone."),
    "replan": _("The run is being planned again."),
}

# Messages shown after consent that starts something.
BEGINS: Words = {
    "plan_clarification": _("The research begins."),
    "high_cost_approval": _("The research begins."),
}

REVIEW_ACTS: Words = {
    "accept": _("Accepted"),
    "reject": _("Rejected"),
    "edit": _("Changed"),
    "skip": _("Left for later"),
    "undo": _("Taken back"),
    "replan": _("Planned again"),
}

# Measures for the sides of a contradiction.
CONFLICT_SCORES: Words = {
    "authority": _("Authority"),
    "recency": _("Recency"),
    "corroboration": _("Corroboration"),
    "specificity": _("Specificity"),
}

PLAN_CHANGES: Words = {"added": _("new"), "changed": _("changed"), "moved": _("moved")}

PLAN_TRIGGERS: Words = {
    "planner": _("as first planned"),
    "edit": _("edited by a person"),
    "instruction": _("after an instruction"),
    "insufficient_coverage": _("planned again: too little was covered"),
    "dimension_failure": _("planned again: several parts found almost nothing"),
    "scope_expansion_needed": _("planned again: the scope was too narrow"),
    "insufficient_sources": _("planned again: too few sources"),
    "user_feedback": _("replanned at your request"),
}

STEP_PRIORITIES: Words = {
    "critical": pgettext_lazy("priority of a step", "Critical"),
    "important": pgettext_lazy("priority of a step", "Important"),
    "supplementary": pgettext_lazy("priority of a step", "Supplementary"),
}

REVIEW_VOCABULARY: Mapping[str, Words] = {
    "rule": RULES,
    "priority": PRIORITIES,
    "fallback": FALLBACKS,
    "answer": ANSWERS,
    "review_kind": REVIEW_KINDS,
    "review_status": REVIEW_STATUSES,
    "review_act": REVIEW_ACTS,
    "conflict_score": CONFLICT_SCORES,
    "plan_change": PLAN_CHANGES,
    "plan_trigger": PLAN_TRIGGERS,
    "step_priority": STEP_PRIORITIES,
}
