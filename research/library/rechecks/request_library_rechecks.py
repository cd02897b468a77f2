"""Requests to recheck a source: their rate limits, and the wake-up of a worker.

The row is the request; a message only wakes a worker. The sweep sends another one for requests that wait too long.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from kombu.exceptions import OperationalError as BrokerError

from citations.models import RECHECK_OPEN, Citation, Recheck, RecheckState
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.llm.budgets.budget_limits import most
from research.models import Queue, Source
from research.runtime.logs import logger

FETCH = "research.tasks.fetch_for_recheck"
READ = "research.tasks.read_for_recheck"
AGAIN_AFTER = timedelta(minutes=10)  # between two rechecks of a source
ASK_AGAIN_AFTER = timedelta(seconds=90)

log = logger(__name__)


class RecheckRefused(Exception):
    """The recheck was refused; str() tells the person why."""


def request_recheck(
    source: Source, person: User | None, now: datetime | None = None, *, is_limited: bool = True
) -> Recheck:
    """Request a recheck of the source; return the one in progress, if any. Needs the tenant set.

    Raises RecheckRefused for a source without citations and, if `is_limited`, for one that was checked recently and
    for too many in an hour.
    """
    now = now or timezone.now()
    known = Recheck.objects.filter(source=source).order_by("-created_at").first()
    if known is not None and known.state in RECHECK_OPEN:
        return known
    if is_limited:
        _refuse_too_soon(known, now)
        _refuse_too_many(now)
    if not find_source_citations(source).exists():
        raise RecheckRefused(_("No passage of this source is cited, so there is nothing to check."))
    try:
        with transaction.atomic():
            made = Recheck.objects.create(source=source, asked_by=person, state=first_state(source))
    except IntegrityError:  # requested by another person at the same moment
        return Recheck.objects.get(source=source, state__in=RECHECK_OPEN)
    is_fetched = made.state == RecheckState.FETCHED
    transaction.on_commit(partial(ask_worker, made.tenant_id, made.pk, is_fetched=is_fetched))
    return made


def find_source_citations(source: Source) -> QuerySet[Citation]:
    """Return the report's citations of the source, in the order of its text."""
    return Citation.objects.filter(source=source, claim__section__isnull=False).order_by("start_offset", "pk")


def is_of_the_web(source: Source) -> bool:
    document = source.library_document
    return document.is_page if document is not None else bool(source.url)


def first_state(source: Source) -> RecheckState:
    """Return the first state: web pages must be fetched first, other documents can be read immediately."""
    return RecheckState.WAITING if is_of_the_web(source) else RecheckState.FETCHED


def ask_again() -> int:
    """Wake workers for requests in all workspaces that have waited too long; return their number.

    The sweep calls this.
    """
    asked = 0
    for tenant_id in tenants_with(SweepTarget.RECHECKS):
        with tenant_context(tenant_id):
            found = list(_find_waiting())
        for pk, state in found:
            ask_worker(tenant_id, pk, is_fetched=state == RecheckState.FETCHED)
        asked += len(found)
    return asked


def _find_waiting() -> Iterator[tuple[UUID, str]]:
    rows = Recheck.objects.filter(state__in=RECHECK_OPEN, updated_at__lt=Now() - ASK_AGAIN_AFTER)
    due = rows.filter(Q(not_before__isnull=True) | Q(not_before__lte=Now()))
    yield from due.order_by("created_at").values_list("pk", "state")[:100]


def _refuse_too_soon(known: Recheck | None, now: datetime) -> None:
    if known is None or known.finished_at is None or now - known.finished_at >= AGAIN_AFTER:
        return
    minutes = max(1, -(-int((known.finished_at + AGAIN_AFTER - now).total_seconds()) // 60))
    raise RecheckRefused(
        ngettext(
            "This source was checked just now. Try again in %(minutes)d minute.",
            "This source was checked just now. Try again in %(minutes)d minutes.",
            minutes,
        )
        % {"minutes": minutes}
    )


def _refuse_too_many(now: datetime) -> None:
    lately = Recheck.objects.filter(created_at__gt=now - timedelta(hours=1)).count()
    if lately >= most("rechecks_an_hour"):
        raise RecheckRefused(
            _("Your workspace has reached its hourly limit for source checks. Try again later.")
        )


def ask_worker(tenant_id: UUID, recheck_id: UUID, *, is_fetched: bool) -> None:
    """Wake a worker. If the message is lost, the sweep sends another."""
    task, queue = (READ, Queue.READING) if is_fetched else (FETCH, Queue.AGENTS)
    try:
        current_app.send_task(task, args=[str(tenant_id), str(recheck_id)], queue=queue, retry=False)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
