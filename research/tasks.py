"""Tasks of the workers. Messages carry only ids; the rows determine whether there is anything to do."""

import sys
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from uuid import UUID

from celery import Celery, Task, shared_task
from celery.apps.worker import Worker
from celery.signals import (
    celeryd_after_setup,
    task_prerun,
    worker_process_init,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from celery.worker.consumer import Consumer
from django.db import close_old_connections

from exports.files.request_export import ask_again as ask_exports_again
from research.accounts.api_tokens import forget_old_answers
from research.accounts.notification_mail import send_waiting
from research.accounts.workspaces.invitations import tidy_invitations
from research.db.tenancy import SweepTarget, tenant_ids, tenants_with
from research.engine.cpu_worker import TURN_S, take_turn
from research.engine.error_boundary import attempt_each
from research.engine.lease_timing import RUNNER_LIMIT_S, STEP_LIMIT_S
from research.engine.outbox import RUNNER_QUEUES, forget_published, requeue
from research.engine.outbox import relay as relay_all
from research.engine.pipeline_registry import UnknownPipeline, facts_of_run
from research.engine.step_runner import StopReason, run_for_message, stopping
from research.engine.sweeper import expire_leases
from research.engine.sweeper import sweep as sweep_all
from research.engine.sweeper_thread import SweepTimer
from research.integrations.webhooks.outgoing_webhooks import send_waiting as send_deliveries_waiting
from research.library.rechecks.request_library_rechecks import ask_again as ask_rechecks_again
from research.library.rechecks.request_library_rechecks import ask_worker
from research.library.waiting_library_documents import ask_again, go_on_reading
from research.models import Queue, Run
from research.ops.queue_heartbeat import record_heartbeat
from research.ops.retention.delete_workspace import carry_on, carry_on_all
from research.ops.retention.remove_old_webhooks import tidy_messages
from research.parsing.parsing_child import start_child
from research.pipelines.brief.tasks.brief_finished_tasks import follow, follow_waiting
from research.review.apply_review_decisions import ask_again as ask_decisions_again
from research.runs.schedules.run_schedule_mail import tell_owners
from research.runs.schedules.start_scheduled_runs import start_due, start_forgotten
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger
from research.search.chosen_search_services import list_configured_services
from slides.decks.request_deck import ask_again as ask_decks_again

# A runner finishes what is in flight when its own time is up.
MAX_S = RUNNER_LIMIT_S + STEP_LIMIT_S
FORGET_S = 60.0

log = logger(__name__)


@shared_task(bind=True, time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def serve_run(task: Task, tenant_id: str, run_id: str, queue: str) -> None:
    """Execute what a run needs now: its state's exit and steps that wait for others.

    For a queue of CPU steps, take a turn on the steps of whichever run is next.
    """
    crash_point(FaultPoint.RECEIVED_BEFORE_CLAIM)
    tenant, run = UUID(tenant_id), UUID(run_id)
    if (task.request.delivery_info or {}).get("redelivered"):
        _free_what_was_held(tenant, queue)
    try:
        is_for_runner = queue in RUNNER_QUEUES
        if is_for_runner:
            expect_pages(tenant, run)
        ending = (
            run_for_message(tenant, run) if is_for_runner else take_turn(tenant, run, Queue(queue), TURN_S)
        )
    except (Run.DoesNotExist, UnknownPipeline) as error:
        log.warning("message_without_a_run", run=run_id, error=type(error).__name__)
        return
    if ending is StopReason.HANDED_ON:
        requeue(tenant, run, Queue(queue))


@lru_cache(maxsize=1_000)
def expect_pages(tenant_id: UUID, run_id: UUID) -> None:
    """Start the child that parses pages if the run will read some: once for each run, since the child ends when it is
    idle. It is ready when the run has been planned and has searched. Raises Run.DoesNotExist.
    """
    if facts_of_run(tenant_id, run_id).sources in ("web", "both") and list_configured_services():
        start_child()


def _free_what_was_held(tenant_id: UUID, queue: str) -> None:
    """Free the steps that a dead worker held with a redelivered message; for a CPU queue, those of all tenants."""
    for tenant in [tenant_id] if queue in RUNNER_QUEUES else tenants_with(SweepTarget.RUNS):
        expire_leases(tenant)


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def read_uploads(tenant_id: str) -> None:
    """Read a tenant's new uploads for one turn, then let others have theirs."""
    from research.library.read_library_documents import (
        read_some_uploads,  # the parsers, which only this worker needs
    )

    _done, left = read_some_uploads(UUID(tenant_id), TURN_S)
    if left:
        go_on_reading(UUID(tenant_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def fetch_pages(tenant_id: str) -> None:
    """Fetch the pages that were added to a tenant's library by URL."""
    from research.library.fetch_library_pages import fetch_pages as fetch_all

    fetch_all(UUID(tenant_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def embed_passages(tenant_id: str) -> None:
    """Embed passages of a tenant's library with the library's current model."""
    from research.library.retrieval.library_reembedding import embed_waiting

    embed_waiting(UUID(tenant_id))


@shared_task
def fetch_for_recheck(tenant_id: str, recheck_id: str) -> None:
    """Fetch a cited page's current bytes and have them read."""
    from research.library.rechecks.recheck_library_sources import fetch

    if fetch(UUID(tenant_id), UUID(recheck_id)):
        ask_worker(UUID(tenant_id), UUID(recheck_id), is_fetched=True)


@shared_task
def read_for_recheck(tenant_id: str, recheck_id: str) -> None:
    """Check whether the quotes are still in a cited source."""
    from research.library.rechecks.recheck_library_sources import read

    read(UUID(tenant_id), UUID(recheck_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def make_export(tenant_id: str, export_id: str) -> None:
    """Make a file of a report."""
    from exports.files.make_export import make  # the tree and its writers, which only this worker needs

    make(UUID(tenant_id), UUID(export_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def make_deck(tenant_id: str, deck_id: str) -> None:
    """Make a deck of a report."""
    from slides.decks.make_deck import make_deck as make

    make(UUID(tenant_id), UUID(deck_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def make_deck_file(tenant_id: str, file_id: str) -> None:
    """Make a file of a deck."""
    from slides.decks.write_deck_file import make_deck_file as make

    make(UUID(tenant_id), UUID(file_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def draw_picture(tenant_id: str, wanted_id: str) -> None:
    """Have a model draw a picture for a slide."""
    from slides.decks.draw_slide_picture import draw_picture as make

    make(UUID(tenant_id), UUID(wanted_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def work_in_decisions(tenant_id: str, escalation_id: str) -> None:
    """Apply people's decisions on a report."""
    from research.review.apply_review_decisions import work_in_decisions as work_in

    work_in(UUID(tenant_id), UUID(escalation_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def build_knowledge(tenant_id: str, run_id: str, queue: str) -> None:
    """Add the claims of a finished run to the graph of its workspace."""
    from research.library.knowledge.build_knowledge_graph import (
        build_run,  # the rules for claims, which only this worker needs
    )

    build_run(UUID(tenant_id), UUID(run_id))


@shared_task
def send_deliveries(tenant_id: str) -> None:
    """Send a tenant's webhook messages to the consumers of its briefs."""
    from research.integrations.webhooks.send_webhooks import send_of_tenant

    send_of_tenant(UUID(tenant_id))


@shared_task
def follow_tasks(tenant_id: str) -> None:
    """Check a tenant's tasks at Parallel, and make briefs of those that have ended."""
    follow(UUID(tenant_id))


@shared_task(time_limit=MAX_S + 30, soft_time_limit=MAX_S)
def erase_workspace(tenant_id: str) -> None:
    """Continue an erasure."""
    carry_on(UUID(tenant_id))


@shared_task
def start_schedule(tenant_id: str, schedule_id: str) -> None:
    """Start the run of a schedule that may be due; its row says whether it is."""
    start_due(UUID(tenant_id), UUID(schedule_id))


# The former name, which older rows of django-celery-beat and the messages that are made of them keep.
@shared_task
def knock_schedule(tenant_id: str, schedule_id: str) -> None:
    start_due(UUID(tenant_id), UUID(schedule_id))


@shared_task
def sweep() -> None:
    """Resend lost messages and continue interrupted work; runs every 15 s."""
    for _done in attempt_each((sweep_all, ask_again, ask_rechecks_again, *BESIDE)):
        pass


# What a lost beat must not stop either: see `start_sweeping`.
BESIDE: Sequence[Callable[[], object]] = (
    start_forgotten,
    ask_exports_again,
    ask_decks_again,
    ask_decisions_again,
    tell_owners,
    send_waiting,
    send_deliveries_waiting,
    follow_waiting,
    carry_on_all,
)


@shared_task
def relay() -> None:
    """Send the messages in the outbox; runs every second."""
    relay_all()


@shared_task
def canary(queue: str) -> None:
    """Record a heartbeat of the worker that receives this message; sent to each queue every 20 s."""
    record_heartbeat(Queue(queue))


@task_prerun.connect
def look_after_connections(**_facts: object) -> None:
    """Close broken and old connections; others are reused for the next message (`config.celery_settings`)."""
    close_old_connections()


@task_prerun.connect
def be_heard(task: Task, **_facts: object) -> None:
    """Record a heartbeat for any message: behind hundreds of others, a heartbeat message would expire."""
    queue = (task.request.delivery_info or {}).get("routing_key")
    if queue in Queue.values:
        record_heartbeat(Queue(queue))


@shared_task
def tidy() -> None:
    """Delete old files and rows, and enqueue runs missing from the graph; runs a few times a day."""
    from research.library.knowledge.build_knowledge_graph import ask_for_missing
    from research.ops.retention.retention_of_files import tidy as tidy_all

    tidy_all()
    tidy_messages()
    tidy_invitations()
    forget_published()
    forget_old_answers()
    for tenant_id in tenant_ids():
        ask_for_missing(tenant_id)


@shared_task
def forget() -> None:
    """Delete what is past its retention period, for a minute per hour."""
    from research.ops.retention.retention_sweep import delete_expired

    delete_expired(FORGET_S)


# Threads that compute pages hand the interpreter on sooner than by default (5 ms): event loops wait for it many times
# a call.
SWITCH_INTERVAL_S = 0.0005


def _serves(app: Celery, queue: Queue) -> bool:
    return queue in app.amqp.queues.consume_from


@celeryd_after_setup.connect
def warm_up_readers(instance: Worker, **_facts: object) -> None:
    """Load the code before the reading processes are forked."""
    if _serves(instance.app, Queue.READING):
        from research.ops.health_warm_up import warm_up_before_forking

        warm_up_before_forking()


@worker_process_init.connect
def load_model(**_facts: object) -> None:
    """Load the model in each reading process before it receives messages, which takes a fifth of a second."""
    from research.ops.health_warm_up import load_model as load

    load()


@worker_ready.connect
def warm_up_agents(sender: Consumer, **_facts: object) -> None:
    """Load code and model in the background: a worker of threads forks nothing, and can start on messages at once."""
    if _serves(sender.app, Queue.AGENTS):
        from research.ops.health_warm_up import warm_up

        sys.setswitchinterval(SWITCH_INTERVAL_S)
        threading.Thread(target=warm_up, name="warm-up", daemon=True).start()


_timers: list[SweepTimer] = []


@worker_ready.connect
def start_sweeping(**_facts: object) -> None:
    timer = SweepTimer(*BESIDE)
    timer.start()
    _timers.append(timer)


@worker_shutting_down.connect
def tell_runners(**_facts: object) -> None:
    stopping.set()


@worker_shutdown.connect
def stop_sweeping(**_facts: object) -> None:
    while _timers:
        _timers.pop().stop()
