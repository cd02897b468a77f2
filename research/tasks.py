"""What workers do when a message comes. Messages carry ids only; the rows say whether there is anything to
do.
"""

import threading
from uuid import UUID

from celery import Celery, Task, shared_task
from celery.apps.worker import Worker
from celery.signals import (
    celeryd_after_setup,
    worker_process_init,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from celery.worker.consumer import Consumer

from research.library.waiting import ask_again
from research.lifecycle.cpu_worker import work_through
from research.lifecycle.crash import Point, crash_point
from research.lifecycle.logs import logger
from research.lifecycle.outbox import hand_on
from research.lifecycle.outbox import relay as relay_all
from research.lifecycle.recipe import UnknownRecipe
from research.lifecycle.runner import Ending, answer, stopping
from research.lifecycle.sweeper import expire_leases
from research.lifecycle.sweeper import sweep as sweep_all
from research.lifecycle.timer import SweepTimer
from research.lifecycle.timing import RUNNER_LIMIT_S, STEP_LIMIT_S
from research.models import Queue, Run

# A runner finishes what is in flight when its own time is up.
LONGEST_S = RUNNER_LIMIT_S + STEP_LIMIT_S

log = logger(__name__)


@shared_task(bind=True, time_limit=LONGEST_S + 30, soft_time_limit=LONGEST_S)  # type: ignore[untyped-decorator]
def advance(task: Task, tenant_id: str, run_id: str, queue: str = Queue.AGENTS) -> None:
    """Serve a run: its state's exits and what waits for models, pages and searches."""
    _receive(task, UUID(tenant_id))
    try:
        ending = answer(UUID(tenant_id), UUID(run_id))
    except (Run.DoesNotExist, UnknownRecipe) as error:
        log.warning("message_without_a_run", run=run_id, error=type(error).__name__)
        return
    if ending is Ending.HANDED_ON:
        hand_on(UUID(tenant_id), UUID(run_id), Queue(queue))


@shared_task(bind=True, time_limit=LONGEST_S + 30, soft_time_limit=LONGEST_S)  # type: ignore[untyped-decorator]
def work(task: Task, tenant_id: str, run_id: str, queue: str = Queue.READING) -> None:
    """Do a run's CPU steps of one queue, one by one, until none is left."""
    _receive(task, UUID(tenant_id))
    try:
        ending = work_through(UUID(tenant_id), UUID(run_id), Queue(queue))
    except (Run.DoesNotExist, UnknownRecipe) as error:
        log.warning("message_without_a_run", run=run_id, error=type(error).__name__)
        return
    if ending is Ending.HANDED_ON:
        hand_on(UUID(tenant_id), UUID(run_id), Queue(queue))


def _receive(task: Task, tenant_id: UUID) -> None:
    """A message that comes again tells of a worker that died with steps in its hands: they are free now."""
    crash_point(Point.RECEIVED_BEFORE_CLAIM)
    if (task.request.delivery_info or {}).get("redelivered"):
        expire_leases(tenant_id)


@shared_task(time_limit=LONGEST_S + 30, soft_time_limit=LONGEST_S)  # type: ignore[untyped-decorator]
def read_uploads(tenant_id: str) -> None:
    """Read a tenant's new uploads."""
    from research.library.reading import read_uploads as read_all  # the parsers, which only this worker needs

    read_all(UUID(tenant_id))


@shared_task(time_limit=LONGEST_S + 30, soft_time_limit=LONGEST_S)  # type: ignore[untyped-decorator]
def embed_passages(tenant_id: str) -> None:
    """Give passages of a tenant's library vectors of the library's model."""
    from research.library.reembedding import embed_waiting

    embed_waiting(UUID(tenant_id))


@shared_task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Every 15 s."""
    sweep_all()
    ask_again()


@shared_task  # type: ignore[untyped-decorator]
def relay() -> None:
    """Every second."""
    relay_all()


def _serves(app: Celery, queue: Queue) -> bool:
    return queue in app.amqp.queues.consume_from


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]
def warm_up_readers(instance: Worker, **_facts: object) -> None:
    """Before the processes that read are forked."""
    if _serves(instance.app, Queue.READING):
        from research.warming import warm_up_before_forking

        warm_up_before_forking()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def load_model(**_facts: object) -> None:
    """In each process that reads. It takes no work before: a fifth of a second."""
    from research.warming import load_model as load

    load()


@worker_ready.connect  # type: ignore[untyped-decorator]
def warm_up_agents(sender: Consumer, **_facts: object) -> None:
    """Beside the first messages: a worker of threads forks nothing, and can take them at once."""
    if _serves(sender.app, Queue.AGENTS):
        from research.warming import warm_up

        threading.Thread(target=warm_up, name="warm-up", daemon=True).start()


_timers: list[SweepTimer] = []


@worker_ready.connect  # type: ignore[untyped-decorator]
def start_sweeping(**_facts: object) -> None:
    timer = SweepTimer()
    timer.start()
    _timers.append(timer)


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
def tell_runners(**_facts: object) -> None:
    stopping.set()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def stop_sweeping(**_facts: object) -> None:
    while _timers:
        _timers.pop().stop()
