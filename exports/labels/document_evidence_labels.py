"""Labels for the relation of a source to a claim, and for the results of rechecks."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = Mapping[str, Promise]

# How a citation relates to its claim.
BEARINGS: Words = {
    "verified": _("Supports"),
    "corrected": _("Supports"),
    "disputed": _("Contradicts"),
    "unverified": _("Mentions"),
}

RECHECKS: Words = {
    "still there": _("still there"),
    "changed": _("changed"),
    "gone": _("gone"),
    "unreadable": _("unclear"),
}

RECHECK_MARKS: Words = {
    "still there": _("Still there"),
    "changed": _("Found changed"),
    "gone": _("Found gone"),
}

EVIDENCE_VOCABULARY: Mapping[str, Words] = {
    "bearing": BEARINGS,
    "recheck": RECHECKS,
    "recheck_mark": RECHECK_MARKS,
}
