"""Labels for instructions, and for relations between runs."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = Mapping[str, Promise]

INSTRUCTIONS: Words = {
    "queued": _("waits for the next step"),
    "taken": _("followed"),
    "refused": _("not followed"),
}
# Shown on a run's page before its parent's question.
RELATIONS: Words = {
    "rerun": _("The same question again as in"),
    "follow_up": _("A follow-up to"),
    "extension": _("With more sources than"),
}
# Shown on the parent's page and in the list.
CHILDREN: Words = {
    "rerun": _("Asked again"),
    "follow_up": _("Follow-up"),
    "extension": _("With more sources"),
}
