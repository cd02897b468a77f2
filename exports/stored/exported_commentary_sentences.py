"""Templates of the sentences of a report's commentary."""

from django.utils.translation import gettext_noop as noop

from exports.stored.exported_sentences import Template, mark_plural

HEADING = noop("Commentary")
COMPUTED = noop(
    "Not a source’s words: this section weighs the evidence as a whole, computed from the claims and sources above."
)
SINGLE = mark_plural(
    "%(count)d of %(total)d claims rests on a single independent source.",
    "%(count)d of %(total)d claims rest on a single independent source.",
)
WELL_SPREAD = noop("Every claim has two independent sources or more.")
ONE_PUBLISHER = noop(
    "%(count)d of %(total)d claims cite %(publisher)s: the report depends on this source most."
)
DATED = noop("The cited sources date from %(first)s to %(last)s.")
DATED_ONCE = noop("The cited sources date from %(year)s.")
UNDATED = mark_plural("%(count)d cited source has no date.", "%(count)d cited sources have no date.")
DISAGREEING = mark_plural(
    "Sources disagree on %(count)d point, which the report shows from both sides.",
    "Sources disagree on %(count)d points, which the report shows from both sides.",
)
GAPS = mark_plural(
    "%(count)d gap in the evidence is listed under the warnings.",
    "%(count)d gaps in the evidence are listed under the warnings.",
)
SOUND = noop("On the whole the answer is well supported.")
CHANGEABLE = noop("On the whole the answer is supported, but further sources could change it.")
WEAK = noop("On the whole the evidence is thin: take the answer as a first finding.")

COMMENTED: tuple[Template, ...] = (
    *(HEADING, COMPUTED, SINGLE, WELL_SPREAD, ONE_PUBLISHER, DATED, DATED_ONCE, UNDATED),
    *(DISAGREEING, GAPS, SOUND, CHANGEABLE, WEAK),
)
