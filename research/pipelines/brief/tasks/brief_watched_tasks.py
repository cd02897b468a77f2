"""Watch tasks at Parallel until they end; each is then fetched once, even if a worker is killed.

This module does not call Parallel; `brief_finished_tasks` does. All functions but `ask_worker_of` need the tenant set.
"""

import re
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from celery import current_app
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerError

from research.db.tenancy import current_tenant_id
from research.models import Queue, Run, SecretPurpose, TaskState, WatchedTask
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.start_brief import BriefRefused
from research.pipelines.brief.tasks.brief_task_result import BriefErrorCode, BriefInputRefused
from research.runtime.logs import logger
from research.storage.keys.webhook_secrets import select_active_secrets

FOLLOW = "research.tasks.follow_tasks"
_ID = re.compile(r"[A-Za-z0-9_-]{4,200}")
log = logger(__name__)


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """The progress of a watched task as shown to users, with its run once there is one."""

    task: WatchedTask

    @property
    def message(self) -> str:
        return "" if self.task.run_id else _("The task is being checked; the result will appear below.")

    def get_absolute_url(self) -> str:
        run = self.task.run
        return run.get_absolute_url() if isinstance(run, Run) else reverse("research:briefs")


def watch(external_run: str, owner: User | None, context: BriefContext, *, arrived: str) -> TaskProgress:
    """Watch a task until it has ended; look a task already watched up at once. Raises BriefRefused."""
    external_run = external_run.strip()
    if not _ID.fullmatch(external_run):
        raise _build_refusal(
            _("This is not a task ID. Task IDs have letters, digits, “_” and “-”, such as trun_0123.")
        )
    if not select_active_secrets(SecretPurpose.PARALLEL_KEY).exists():
        raise _build_refusal(
            _("The workspace has no key for Parallel yet. Set one under Webhooks, or upload the result.")
        )
    values = {"owner": owner, "context": context.model_dump(mode="json"), "arrived": arrived}
    task, is_new = WatchedTask.objects.get_or_create(external_run=external_run, defaults=values)
    if not is_new:
        look_now(external_run)
    ask_worker()
    return TaskProgress(task)


def look_now(external_run: str) -> None:
    """Make a waiting or failed task due for lookup now; a task that already has its brief is left alone."""
    known = WatchedTask.objects.filter(external_run=external_run).exclude(state=TaskState.TAKEN_IN)
    known.update(state=TaskState.WAITING, not_before=None, attempts=0, problem="", updated_at=Now())


def _build_refusal(message: str) -> BriefRefused:
    return BriefRefused(BriefInputRefused(BriefErrorCode.NOT_FINISHED, message))


def ask_worker() -> None:
    """Send the worker a message after this transaction commits; if it is lost, the sweep looks the task up."""
    transaction.on_commit(partial(_send, current_tenant_id()))


def ask_worker_of(tenant_id: UUID) -> None:
    """Send the worker a message at once, for rows that are already committed."""
    _send(tenant_id)


def _send(tenant_id: UUID) -> None:
    try:
        current_app.send_task(FOLLOW, args=[str(tenant_id)], queue=Queue.AGENTS, retry=False)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
