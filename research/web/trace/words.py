"""The log's words for what people are asked, do and say."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from research.web.words import Words

ACTS: Words = {
    "accept": pgettext_lazy("deed of a reviewer", "Accepted"),
    "reject": pgettext_lazy("deed of a reviewer", "Rejected"),
    "edit": pgettext_lazy("deed of a reviewer", "Changed and accepted"),
    "skip": pgettext_lazy("deed of a reviewer", "Skipped"),
    "undo": pgettext_lazy("deed of a reviewer", "Took the decision back"),
    "replan": pgettext_lazy("deed of a reviewer", "Asked for another plan"),
}
INSTRUCTION_STATUSES: Words = {
    "queued": _("Waits for the next step."),
    "taken": _("Taken up."),
    "refused": _("Not taken up."),
}
TRIGGERS: Words = {
    "planner": _("Made by the planner."),
    "edit": _("Changed by a person."),
    "instruction": _("Changed by an instruction."),
    "insufficient_coverage": _("Too little of the plan was covered."),
    "dimension_failure": _("Too many subtopics had hardly any source."),
    "scope_expansion_needed": _("The scope was too narrow."),
    "insufficient_sources": _("The search ended with too few sources."),
    "user_feedback": _("The owner asked for it."),
}
