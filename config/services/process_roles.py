"""The processes of an installation and their commands.

The supervisor of an embedded installation starts all of them; on servers, `manage.py serve` becomes one of them, and
the service manager (compose, systemd) keeps it alive.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

Arguments = tuple[str, ...]

_CELERY: Arguments = (sys.executable, "-m", "celery", "--quiet", "-A")
# Gossip, mingle and heartbeats only cost start-up time: our workers learn of work from the database.
_WORKER: Arguments = (
    "worker", "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING",
)  # fmt: skip
AGENT_QUEUES = ("agents", "control")
READING_QUEUES = ("reading", "exports")


def web(*where: str, processes: int = 1) -> Arguments:
    """Return the command of the site, on the socket or address in uvicorn's options.

    A parent supervises several processes.
    """
    quiet = ("--lifespan", "off", "--no-access-log", "--no-server-header", "--log-level", "warning")
    # research.web.site.page_client_ip finds the visitor's address: uvicorn would trust any process on this machine.
    plain = ("--no-proxy-headers", "--http", "config.request_head_limits:BoundedHeads")
    serve = (sys.executable, "-m", "uvicorn", "config.asgi:application", *quiet, *plain)
    # A process that does not answer its parent for this long hangs; on a busy machine it may just be slow.
    several = ("--workers", str(processes), "--timeout-worker-healthcheck", "60")
    # Longer than the interval of a page's polls: a request on a connection that is being closed would fail.
    patient = ("--timeout-keep-alive", "30", "--timeout-graceful-shutdown", "5")
    return (*serve, *where, *several, *patient)


def agents(queues: tuple[str, ...] = AGENT_QUEUES) -> Arguments:
    """Return the command of workers that wait for models, pages and searches: threads."""
    pool = ("--pool", "threads", "--concurrency", str(settings.PLUMBLINE_AGENT_THREADS))
    return (*_CELERY, "config", *_WORKER, "-n", "agents@%h", "-Q", ",".join(queues), *pool)


def reading(queues: tuple[str, ...] = READING_QUEUES) -> Arguments:
    """Return the command of workers that compute: processes."""
    pool = ("--pool", "prefork", "--concurrency", str(settings.PLUMBLINE_READING_PROCESSES))
    return (*_CELERY, "config", *_WORKER, "-n", "reading@%h", "-Q", ",".join(queues), *pool)


def beat() -> Arguments:
    """Return the command of beat, which reads schedules from the database and sends due messages.

    One per installation.
    """
    return (*_CELERY, "config.beat", "beat", "--loglevel", "WARNING", "--pidfile", "")


# glibc keeps freed memory in one arena per thread, and returns less of it to the system the larger the freed
# pieces were: workers held 190 MB for nothing (1,310 → 1,120 MB, the same work). Other C libraries ignore
# these. With less than a megabyte, large texts and vectors would be mapped and unmapped each time.
_MEMORY: Mapping[str, str] = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": str(2**20),
    "MALLOC_TRIM_THRESHOLD_": str(2**20),
}


def environment() -> Mapping[str, str]:
    """Return the environment variables for each process, in addition to those of the installation's settings."""
    return {
        **{name: os.environ.get(name, value) for name, value in _MEMORY.items()},
        "PYTHONUNBUFFERED": "1",
        # The checks import every view; `make check` has run them, and a worker must start fast and small.
        "CELERY_SKIP_CHECKS": "1",
        "PYTHONPATH": str(settings.BASE_DIR),
        "PLUMBLINE_DATA": str(settings.PLUMBLINE_DATA),
    }


def web_environment(figures: Path) -> Mapping[str, str]:
    """Return the environment variables for the web processes of one site.

    They share the folder `figures`, so that each can report the response times of all.
    """
    return {
        "PLUMBLINE_DATABASE_POOL": str(settings.PLUMBLINE_DATABASE_POOL or 10),
        "PROMETHEUS_MULTIPROC_DIR": str(figures),
    }


def recreate_folder(figures: Path) -> Path:
    """Create the folder anew at the start of a site, so that figures of earlier processes are not counted."""
    shutil.rmtree(figures, ignore_errors=True)
    figures.mkdir(mode=0o700, parents=True)
    return figures
