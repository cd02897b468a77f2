"""Mails a schedule's owner the changes when one of its runs has ended."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast, Now
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from research.accounts.notification_mail import link, post, reader_of
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.models import FINISHED, Mail, Notice, Run, Schedule, State
from research.runs.comparison.run_changes import Changes, changes_between
from research.runs.comparison.summarize_run_changes import changes_since

TOLD_WITHIN = timedelta(days=1)  # after its end; a later mail would be of no use
LISTED = 10  # claims listed per category


def tell_owners() -> int:
    """Mail the owners of schedules whose runs have ended; return the number of mails. Called by the sweep."""
    posted = 0
    for tenant_id in tenants_with(SweepTarget.SCHEDULES):
        with tenant_context(tenant_id):
            posted += sum(map(_tell, _untold()))
    return posted


def _untold() -> QuerySet[Schedule]:
    mails = Mail.objects.filter(kind=Notice.SCHEDULE_RUN, ref=Cast(OuterRef("last_run_id"), TextField()))
    rows = Schedule.objects.filter(
        sends_mail=True, last_run__state__in=FINISHED, last_run__schedule__isnull=False
    )
    fresh = rows.filter(last_run__updated_at__gt=Now() - TOLD_WITHIN)
    return fresh.exclude(Exists(mails)).select_related("owner__settings", "last_run")


def _tell(schedule: Schedule) -> bool:
    run, owner = schedule.last_run, schedule.owner
    reader = reader_of(owner, Notice.SCHEDULE_RUN) if owner else None
    if run is None or reader is None:
        return False
    with override(reader.language):
        subject = _("%(name)s: %(outcome)s") % {"name": schedule.name, "outcome": _outcome(run)}
        body = body_of(schedule, run)
    return post(Notice.SCHEDULE_RUN, str(run.pk), reader.address, subject, body)


def _outcome(run: Run) -> str:
    if run.state != State.COMPLETED:
        return _("the run ended without a report")
    if run.parent is None:
        return _("the first report is ready")
    return changes_since(changes_between(run.parent.pk, run.pk).counts, run.parent.created_at)


def body_of(schedule: Schedule, run: Run) -> str:
    """Return the body of the mail: the changes and a link."""
    lines = [run.topic, ""]
    if run.state == State.FAILED:
        lines.append(run.failure_message)
    elif run.is_compared and run.parent is not None:
        lines += _changes(changes_between(run.parent.pk, run.pk))
    lines += ["", link(_page(run)), "", _("You get this mail because of the schedule “%s”:") % schedule.name]
    return "\n".join([*lines, link(reverse("research:schedules"))])


def _page(run: Run) -> str:
    name = "research:changes" if run.is_compared else "research:run"
    return reverse(name, args=[run.pk])


def _changes(found: Changes) -> list[str]:
    lines = [changes_since(found.counts, found.old.created_at)]
    changed = [f"{pair.old.text}\n  → {pair.new.text}" for pair in found.changed if pair.says_otherwise]
    lines += _build_list_lines(_("Changed"), changed)
    lines += _build_list_lines(_("New"), [claim.text for claim in found.added])
    return lines + _build_list_lines(_("Gone"), [gone.claim.text for gone in found.gone])


def _build_list_lines(title: str, texts: list[str]) -> list[str]:
    if not texts:
        return []
    more = len(texts) - LISTED
    rest = [_("… and %d more") % more] if more > 0 else []
    return ["", title, *(f"- {text}" for text in texts[:LISTED]), *rest]
