"""Make briefs of watched tasks: each is fetched when it has ended, on a message or by the sweep."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from research.accounts.workspace_roles import Right, roles_with
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.models import Membership, SecretPurpose, TaskState, WatchedTask
from research.pipelines.brief.start_brief import BriefInput, BriefRefused, start_brief
from research.pipelines.brief.tasks.parallel_outcome import ParallelAway, ParallelRefused, TaskSnapshot
from research.pipelines.report.report_config import ConfigError
from research.runs.start_and_cancel import RunActionRefused, StartRefused
from research.runtime.logs import logger
from research.storage.keys.data_encryption_keys import CannotOpen
from research.storage.keys.webhook_secrets import texts_of

TAKEN_FOR = timedelta(minutes=2)  # longer than one lookup may take
FIRST_PAUSE, MAX_PAUSE = timedelta(seconds=20), timedelta(minutes=10)
MAX_LOOKS = 450  # about three days
NO_KEY = "The workspace has no key for Parallel."
NOBODY = "This task belongs to nobody who is allowed to start runs here."

log = logger(__name__)
Ask = Callable[[str, str], TaskSnapshot]


def ask_parallel(external_run: str, key: str) -> TaskSnapshot:
    from research.pipelines.brief.tasks.parallel_client import fetch  # Parallel's client is rarely needed

    return asyncio.run(fetch(external_run, key))


@dataclass(frozen=True, slots=True)
class ClaimedTask:
    """A task that one worker has claimed for a while to look it up."""

    task: UUID
    external_run: str
    keys: tuple[str, ...]
    looks: int


def follow_waiting(ask: Ask = ask_parallel) -> int:
    """Look up the due tasks of every tenant; return the number of briefs started. For the sweep; safe to repeat."""
    return sum(follow(tenant_id, ask) for tenant_id in tenants_with(SweepTarget.TASKS))


def follow(tenant_id: UUID, ask: Ask = ask_parallel) -> int:
    started = 0
    while (taken := _take(tenant_id)) is not None:
        started += _look(tenant_id, taken, ask)
    return started


def _due() -> QuerySet[WatchedTask]:
    due = Q(not_before=None) | Q(not_before__lte=Now())
    return WatchedTask.objects.filter(due, state=TaskState.WAITING)


def _take(tenant_id: UUID) -> ClaimedTask | None:
    with tenant_context(tenant_id):
        row = _due().select_for_update(skip_locked=True, no_key=True).order_by("created_at").first()
        if row is None:
            return None
        taken = {"attempts": F("attempts") + 1, "not_before": Now() + TAKEN_FOR, "updated_at": Now()}
        WatchedTask.objects.filter(pk=row.pk).update(**taken)
        try:
            keys = tuple(texts_of(SecretPurpose.PARALLEL_KEY))
        except CannotOpen:
            keys = ()
        return ClaimedTask(row.pk, row.external_run, keys, row.attempts + 1)


def _look(tenant_id: UUID, taken: ClaimedTask, ask: Ask) -> bool:
    """Look up a task at Parallel; return True if a brief was started. No transaction is open during the request."""
    if not taken.keys:
        return _put_off(tenant_id, taken, NO_KEY)
    try:
        answer = ask(taken.external_run, taken.keys[0])
    except ParallelAway as away:
        return _put_off(tenant_id, taken, str(away))
    except ParallelRefused as refused:
        return _give_up(tenant_id, taken, str(refused))
    if answer.result is None:
        return _put_off(tenant_id, taken, "")
    return _start(tenant_id, taken, answer)


def _start(tenant_id: UUID, taken: ClaimedTask, found: TaskSnapshot) -> bool:
    """Start the brief and mark its task in one transaction; the task's id prevents a second run of the same task."""
    with tenant_context(tenant_id):
        task = WatchedTask.objects.select_for_update(of=("self",)).select_related("owner").get(pk=taken.task)
        owner = _owner(task)
        if task.state == TaskState.TAKEN_IN:
            return False
        if owner is None:
            return _give_up(tenant_id, taken, NOBODY)
        try:
            asked = BriefInput.model_validate({"result": found.result, "context": task.context or {}})
            run = start_brief(
                owner=owner,
                asked=asked,
                config={},
                client_key=f"parallel.{task.external_run}"[:100],
                arrived=task.arrived,
            )
        except StartRefused as refused:
            return _put_off(tenant_id, taken, str(refused))
        except (BriefRefused, ConfigError, RunActionRefused, ValueError) as refused:
            return _give_up(tenant_id, taken, str(refused))
        task.state, task.run, task.problem, task.not_before = TaskState.TAKEN_IN, run, "", None
        task.save(update_fields=["state", "run", "problem", "not_before", "updated_at"])
    log.info("task_taken_in", run=str(run.pk))
    return True


def _owner(task: WatchedTask) -> User | None:
    members = Membership.objects.filter(user=task.owner, role__in=roles_with(Right.STEER))
    is_member = task.owner is not None and task.owner.is_active and members.exists()
    return task.owner if is_member else None


def _put_off(tenant_id: UUID, taken: ClaimedTask, problem: str) -> bool:
    if taken.looks >= MAX_LOOKS:
        return _give_up(tenant_id, taken, problem or "The task has not ended within three days.")
    with tenant_context(tenant_id):
        WatchedTask.objects.filter(pk=taken.task, state=TaskState.WAITING).update(
            problem=problem, not_before=timezone.now() + pause_after(taken.looks), updated_at=Now()
        )
    return False


def _give_up(tenant_id: UUID, taken: ClaimedTask, problem: str) -> bool:
    with tenant_context(tenant_id):
        WatchedTask.objects.filter(pk=taken.task, state=TaskState.WAITING).update(
            state=TaskState.FAILED, problem=problem, not_before=None, updated_at=Now()
        )
    return False


def pause_after(looks: int) -> timedelta:
    """Return the pause before an unfinished task is looked up again, after `looks` lookups (1 or more)."""
    return min(FIRST_PAUSE * (1 << min(looks - 1, 10)), MAX_PAUSE)
