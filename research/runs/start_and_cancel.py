"""Starts, cancels, pauses and resumes runs for a user. All functions need the caller's `tenant_context`."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from functools import partial
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from research.db.sanitize import storable
from research.db.tenancy import current_tenant_id
from research.engine.outbox import enqueue
from research.engine.pipeline_registry import Json
from research.engine.states.transitions import end_if_idle, lock_run, reconsider, visit_step
from research.library.library_scope import FolderUnusable, resolve_searched_library
from research.llm.budgets.budget_credit_funding import fund_at_start
from research.llm.budgets.budget_limits import most
from research.llm.budgets.credits import CreditsShort, usd_of
from research.models import Kind, Queue, Relation, Run, Schedule, Step, StepStatus, Tenant
from research.runs.run_estimate import estimate_for
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

GIVEN = frozenset({Kind.BRIEF, Kind.DIGEST, Kind.SYNTHESIS})  # kinds that use only the input they are given
MIN_TOPIC_LENGTH, MAX_TOPIC = 3, 10_000  # characters
ALLOWED_CONTROLS = frozenset("\t\n\r")
log = logger(__name__)


class RunActionRefused(Exception):
    """An action on a run was refused and changed nothing; str(error) tells the user why."""


class InvalidTopic(RunActionRefused, ValueError):
    """The question is not valid; str(error) tells the user why."""


class StartRefused(RunActionRefused):
    """The run cannot be started now; str(error) tells the user why."""


def validate_topic(topic: str) -> str:
    """Return the question without surrounding space. Raises InvalidTopic."""
    topic = topic.strip()
    if len(topic) < MIN_TOPIC_LENGTH:
        raise InvalidTopic(_("Ask a question of at least %d characters.") % MIN_TOPIC_LENGTH)
    if len(topic) > MAX_TOPIC:
        message = _("The question has %(length)d characters; the limit is %(limit)d.")
        raise InvalidTopic(message % {"length": len(topic), "limit": MAX_TOPIC})
    if any(map(is_binary, topic)):
        raise InvalidTopic(_("The question contains characters that are not text. Did you paste a file?"))
    return topic


def is_binary(character: str) -> bool:
    """Return True for control characters, surrogates, and the replacement character for undecodable bytes."""
    return (
        unicodedata.category(character) in ("Cc", "Cs") and character not in ALLOWED_CONTROLS
    ) or character == "\ufffd"


def start_run(
    *,
    owner: User,
    kind: str,
    topic: str,
    config: Mapping[str, Json] | None = None,
    client_key: str | None = None,
    parent: Run | None = None,
    relation: Relation | None = None,
    schedule: Schedule | None = None,
) -> Run:
    """Create a run with its first step, and wake a worker once the transaction has committed.

    The same `client_key` again returns the same run. Without a broker the run waits for the relay. `relation` says how
    it relates to its `parent`; `schedule` is the schedule that starts it.

    Characters that the database cannot store are removed from the configuration. The estimated cost is reserved, and
    the library folders that it searches are stored. Raises InvalidTopic, and StartRefused if the owner has too many
    unfinished runs, the workspace too few credits, or the library not the folders.
    """
    topic = validate_topic(topic)
    with transaction.atomic():
        _lock_starts(owner)
        values = {"owner": owner, "kind": kind, "topic": topic, "config": storable(config or {})}
        run, is_new = _new_run(
            {**values, "parent": parent, "relation": relation or "", "schedule": schedule}, client_key
        )
        if is_new:
            _check_region()
            _check_number(owner)
            run.searched = describe_searched_library(kind, run.config)
            _fund(run)
            visit_step(run, 0).save(force_insert=True)
            transaction.on_commit(partial(crash_point, FaultPoint.RUN_AFTER_COMMIT))
            enqueue(run.pk, [Queue.CONTROL], "start")
            log.info("run_started", run=str(run.pk), kind=kind, tenant=str(run.tenant_id))
        crash_point(FaultPoint.RUN_BEFORE_COMMIT)
    return run


def _new_run(values: Mapping[str, object], client_key: str | None) -> tuple[Run, bool]:
    if client_key is None:
        return Run.objects.create(**values, step_count=1), True
    return Run.objects.get_or_create(client_key=client_key, defaults={**values, "step_count": 1})


STARTS = 0x73746172  # class of the advisory locks; a number that nothing else uses


def _lock_starts(owner: User) -> None:
    """Serialize a user's starts until the transaction ends: two at once would not count each other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [STARTS, owner.pk])


def _check_region() -> None:
    """Raise StartRefused if the workspace stores its data in another region."""
    here = settings.PLUMBLINE_REGION
    if not here:
        return
    region = Tenant.objects.values_list("region", flat=True).get(pk=current_tenant_id())
    if region not in ("", here):
        message = _(
            "The data of this workspace must stay in the region “%(region)s”; this server is in “%(here)s”."
        )
        raise StartRefused(message % {"region": region, "here": here})


def _check_number(owner: User) -> None:
    """Raise StartRefused if the owner has too many runs. Paused and waiting runs do not count."""
    at_once = most("runs")
    if Run.objects.active().filter(owner=owner, paused_at=None).count() > at_once:
        message = _("You already have %(count)d runs in progress, the maximum. Wait for one to end.")
        raise StartRefused(message % {"count": at_once})


def _folders(config: Mapping[str, Json]) -> Sequence[str]:
    given = config.get("folders")
    return [str(key) for key in given] if isinstance(given, list) else ()


def describe_searched_library(kind: str, config: Mapping[str, Json]) -> dict[str, Json] | None:
    """Return what a run of this configuration searches of the library now; None if it uses none.

    Raises StartRefused.
    """
    if kind in GIVEN or config.get("sources") == "web":
        return None
    try:
        return resolve_searched_library(_folders(config)).model_dump()
    except FolderUnusable as unusable:
        raise StartRefused(str(unusable)) from unusable


def _fund(run: Run) -> None:
    """Store the estimate and reserve its credits. Raises StartRefused."""
    estimate = estimate_for(run.kind, run.config)
    run.estimate = asdict(estimate)
    run.save(update_fields=["estimate", "searched"])
    if not estimate.calls and not estimate.usd:
        return
    budget = run.config.get("budget_credits")
    _check_budget(estimate.credits, budget)
    try:
        fund_at_start(run.pk, estimate.usd or Decimal(0), usd_of(Decimal(budget)) if budget else None)
    except CreditsShort as short:
        message = _(
            "This run would take about %(needed)s credits; the workspace has %(available)s. Ask for fewer "
            "sources, or ask the operator for credits."
        )
        raise StartRefused(
            message
            % {"needed": number_format(short.needed, 2), "available": number_format(short.available, 2)}
        ) from short


def _check_budget(wanted: Decimal | None, budget: int | None) -> None:
    """Raise StartRefused if the estimate exceeds the budget. An unknown cost is not limited."""
    if budget is not None and wanted is not None and wanted > budget:
        message = _(
            "This run would take about %(needed).2f credits, more than its budget of %(budget)d."
            " Ask for fewer sources, or raise the budget."
        )
        raise StartRefused(message % {"needed": wanted, "budget": budget})


def cancel_run(run_id: UUID) -> bool:
    """Cancel a run and keep its results; return False if it had ended or does not exist.

    No step is claimed from now on. Steps in progress may finish within seconds; then the run is `cancelled`.
    """
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or run.is_finished:
            return False
        Run.objects.filter(pk=run.pk, cancel_at=None).update(cancel_at=Now())
        end_if_idle(run)
        crash_point(FaultPoint.CANCEL_BEFORE_COMMIT)
    log.info("run_cancelled", run=str(run_id))
    return True


def pause_run(run_id: UUID) -> bool:
    """Pause a run, so that it starts no new steps; return False if it was not running."""
    running = Run.objects.unfinished().filter(pk=run_id, paused_at=None, cancel_at=None)
    return bool(running.update(paused_at=Now(), snapshot_version=F("snapshot_version") + 1))


def resume_run(run_id: UUID) -> bool:
    """Resume a paused run; return False if it was not paused. The pause counts towards no time limit."""
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or run.is_finished or run.paused_at is None:
            return False
        pause = Now() - F("paused_at")
        Run.objects.filter(pk=run.pk).update(
            deadline=F("deadline") + pause,
            state_deadline=F("state_deadline") + pause,
            state_entered_at=F("state_entered_at") + pause,
            paused_at=None,
            snapshot_version=F("snapshot_version") + 1,
        )
        enqueue(run.pk, _ready_queues(run), f"resume.{run.snapshot_version}")
        if run.is_waiting:  # it may have been answered in the meantime
            reconsider(run.tenant_id, run.pk)
    return True


def _ready_queues(run: Run) -> list[str]:
    ready = Step.objects.filter(
        run=run, pending_children=0, status__in=[StepStatus.PENDING, StepStatus.RETRYING]
    )
    return list(ready.values_list("queue", flat=True))
