"""Celery's settings. PostgreSQL holds the state; messages in Redis may be lost, repeated or late.

No chords, chains, groups, countdowns or result backend: each has lost or repeated work after a crash.
"""

import sys
from datetime import timedelta

from celery.schedules import crontab
from django.conf import settings
from kombu.entity import Queue

TASK_LIMIT_S = 300
SWEEP_EVERY_S = 15.0
RELAY_EVERY_S = 1.0
CANARY_EVERY_S = 20.0
QUEUES = ("agents", "control", "reading", "exports")

# Celery's URL of a unix socket differs from redis-py's.
broker_url = (
    f"redis+socket://{settings.REDIS_LOCATION.removeprefix('unix://')}"
    if settings.REDIS_LOCATION.startswith("unix://")
    else settings.REDIS_LOCATION
)
# Unacknowledged messages are delivered again after this; longer than any task may run.
# If the broker is away, the sender fails at once: its message waits in the outbox.
broker_transport_options = {"visibility_timeout": 3 * TASK_LIMIT_S, "max_retries": 0, "interval_start": 0}
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
worker_cancel_long_running_tasks_on_connection_loss = True

# Celery would close the database connection after each task, and a new one costs server and client some 15
# ms. `research.tasks` closes broken and old ones.
CELERY_DB_REUSE_MAX = sys.maxsize // 2

task_acks_late = True
task_reject_on_worker_lost = True
worker_prefetch_multiplier = 1
task_ignore_result = True
result_backend = None
result_expires = None  # otherwise beat would send workers to clean up a result backend that does not exist
task_serializer = "json"
accept_content = ["json"]
task_time_limit = TASK_LIMIT_S
task_soft_time_limit = TASK_LIMIT_S - 30
worker_soft_shutdown_timeout = 30.0

# Reading children hold the embedder (about 290 MB); one that grows beyond this is replaced after its task.
worker_max_tasks_per_child = 2_000
worker_proc_alive_timeout = (
    60.0  # enough to load the model (research.ops.health_warm_up), even from a slow disk
)
worker_max_memory_per_child = 700_000  # KiB

task_queues = tuple(Queue(name) for name in QUEUES)
task_default_queue = "control"
task_create_missing_queues = False

timezone = "UTC"
enable_utc = True
worker_enable_remote_control = False
worker_hijack_root_logger = False
worker_redirect_stdouts = False

# The scheduler stores these as rows, beside people's schedules (research.runs.schedules.run_schedule_beat).
beat_scheduler = "config.beat_scheduler:PunctualScheduler"
# A late periodic message is worthless; it expires, so that none accumulate while workers are down.
beat_schedule = {
    "sweep": {
        "task": "research.tasks.sweep",
        "schedule": timedelta(seconds=SWEEP_EVERY_S),
        "options": {"queue": "control", "expire_seconds": int(SWEEP_EVERY_S)},
    },
    "relay": {
        "task": "research.tasks.relay",
        "schedule": timedelta(seconds=RELAY_EVERY_S),
        "options": {"queue": "control", "expire_seconds": int(2 * RELAY_EVERY_S)},
    },
    "tidy": {
        "task": "research.tasks.tidy",
        "schedule": crontab(minute="17", hour="*/6"),
        "options": {"queue": "reading", "expire_seconds": 3600},
    },
    "forget": {
        "task": "research.tasks.forget",
        "schedule": crontab(minute="47"),
        "options": {"queue": "reading", "expire_seconds": 1800},
    },
} | {
    f"canary-{name}": {
        "task": "research.tasks.canary",
        "schedule": timedelta(seconds=CANARY_EVERY_S),
        "args": [name],
        "options": {"queue": name, "expire_seconds": int(CANARY_EVERY_S)},
    }
    for name in QUEUES
}
