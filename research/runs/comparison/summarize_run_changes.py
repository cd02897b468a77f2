"""Summarizes the changes between two runs in a sentence."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from research.runs.comparison.run_changes import ChangeCounts


def counts_in_words(counts: ChangeCounts) -> str:
    """Return the counts in words, without those that are zero: "3 claims new, 1 changed, 2 gone"."""
    parts = [
        (counts.new, ngettext("%(count)d claim new", "%(count)d claims new", counts.new)),
        (counts.changed, ngettext("%(count)d claim changed", "%(count)d claims changed", counts.changed)),
        (counts.gone, ngettext("%(count)d claim gone", "%(count)d claims gone", counts.gone)),
    ]
    return ", ".join(words % {"count": count} for count, words in parts if count)


def changes_since(counts: ChangeCounts, when: datetime) -> str:
    """Return one sentence with the date of the earlier run and the changes since."""
    day = date_format(localtime(when), "DATE_FORMAT")
    if counts.are_none:
        return _("No claim has changed since %(day)s.") % {"day": day}
    return _("%(counts)s since %(day)s.") % {"counts": counts_in_words(counts), "day": day}
