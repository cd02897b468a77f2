"""Apply decisions that need the whole report to be verified again, in a worker, so that no reviewer waits for
it.

The pending work is stored in the escalation's row and the message to the worker only a wake-up. A worker claims
the row for a while; if it is killed, the sweep sends another message. Applying a decision twice is safe.
"""

from datetime import timedelta
from uuid import UUID

from celery import current_app
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.engine.error_boundary import attempt, drop_broken_connection
from research.engine.lease_timing import LEASE_S
from research.engine.run_step import SPENT
from research.engine.states.resolve_escalation import give_up, work_in
from research.engine.states.state_escalation import RULES
from research.engine.states.step_failures import Failure
from research.models import Escalation, Queue, ReviewKind, Run
from research.runtime.logs import logger

WORK_IN = "research.tasks.work_in_decisions"
TAKEN_FOR = timedelta(seconds=LEASE_S)  # then whoever took it is thought dead, and another may
MAX_TRIES = 3

log = logger(__name__)


def takes_long(asked: Escalation) -> bool:
    """Return True for decisions about claims, after which the whole report is verified again.

    Marks on a finished brief change nothing in it.
    """
    rule = RULES.get(asked.rule)
    return rule is not None and rule.items is ReviewKind.CLAIM


def select_runs_with_pending_decisions(run_id: UUID | None = None) -> QuerySet[Run]:
    """Return the runs with decisions that are not applied yet, or this run if it is one. Needs the tenant set."""
    put_off = Escalation.objects.filter(work_in_at__isnull=False)
    runs = Run.objects.filter(pk__in=put_off.values("run"))
    return runs.only("topic") if run_id is None else runs.filter(pk=run_id).only("topic")


def ask_worker(tenant_id: UUID, escalation_id: UUID) -> None:
    """Send a message to a worker; the sweep sends a lost one again."""
    try:
        current_app.send_task(
            WORK_IN, args=[str(tenant_id), str(escalation_id)], queue=Queue.READING, retry=False
        )
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)


def ask_again() -> int:
    """Send messages for all tenants' decisions that no worker has claimed or finished; return their number.

    The sweep calls this.
    """
    asked = 0
    for tenant_id in tenants_with(SweepTarget.DECISIONS):
        with tenant_context(tenant_id):
            due = Escalation.objects.filter(work_in_at__lte=Now()).order_by("work_in_at")
            found = list(due.values_list("pk", flat=True)[:100])
        for pk in found:
            ask_worker(tenant_id, pk)
        asked += len(found)
    return asked


def work_in_decisions(tenant_id: UUID, escalation_id: UUID) -> bool:
    """Claim and apply a decision unless another worker holds it. Return True if it was applied here."""
    tries = _take(tenant_id, escalation_id)
    if not tries:
        return False
    outcome = SPENT if tries > MAX_TRIES else attempt(lambda: work_in(tenant_id, escalation_id))
    if not isinstance(outcome, Failure):
        return outcome
    drop_broken_connection()
    if tries >= MAX_TRIES:
        give_up(tenant_id, escalation_id, outcome)
    return False


def _take(tenant_id: UUID, escalation_id: UUID) -> int:
    """Claim a decision and return the number of this try; 0 if nothing is due or another worker holds it."""
    with tenant_context(tenant_id):
        due = Escalation.objects.filter(pk=escalation_id, work_in_at__lte=Now())
        taken = due.update(work_in_at=Now() + TAKEN_FOR, work_in_tries=F("work_in_tries") + 1)
        rows = Escalation.objects.filter(pk=escalation_id).values_list("work_in_tries", flat=True)
        return rows.get() if taken else 0
