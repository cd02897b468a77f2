"""The processes of the embedded size: what each runs and how it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.conf import settings

from config.services.address import Listener
from config.services.processes import Command, spawn
from config.services.server import Server
from config.services.supervisor import Child

# Ended in this order: first those who work, last the one who remembers.
STOP_ORDER = (("beat", "agents", "reading", "library"), ("web",), ("valkey",), ("postgres",))

CELERY = (sys.executable, "-m", "celery", "--quiet", "-A")
# Gossip, mingle and heartbeats only cost start-up time: workers here learn of work from the database.
WORKER = ("worker", "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING")


def service(server: Server) -> Child:
    """An embedded server. What was left over by an earlier process is stopped before each start."""

    def start(output: int) -> subprocess.Popen[bytes]:
        server.stop_stale()
        return server.start(output)

    return Child(
        server.name,
        start,
        stop_signal=server.stop_signal,
        stop_timeout_s=server.stop_timeout_s,
        holds_data=True,
    )


def web(listener: Listener) -> Child:
    """The site. Each start asks for the socket's number, which keeps the socket open between starts."""
    uvicorn = (sys.executable, "-m", "uvicorn", "config.asgi:application", "--lifespan", "off")
    quiet = ("--no-access-log", "--no-server-header", "--log-level", "warning")
    pool = {"PLUMBLINE_DATABASE_POOL": str(settings.PLUMBLINE_DATABASE_POOL or 10)}

    def start(output: int) -> subprocess.Popen[bytes]:
        descriptor = listener.socket.fileno()
        arguments = (*uvicorn, *quiet, "--fd", str(descriptor), "--timeout-graceful-shutdown", "5")
        return spawn(_python(arguments, pool, (descriptor,)), output=output)

    return Child("web", start)


def agents() -> Child:
    """Waits for models, pages and searches: threads."""
    pool = ("--pool", "threads", "--concurrency", str(settings.PLUMBLINE_AGENT_THREADS))
    return _python_child(
        "agents", (*CELERY, "config", *WORKER, "-n", "agents@%h", "-Q", "agents,control", *pool)
    )


def reading() -> Child:
    """Computes: processes."""
    pool = ("--pool", "prefork", "--concurrency", str(settings.PLUMBLINE_READING_PROCESSES))
    return _python_child(
        "reading", (*CELERY, "config", *WORKER, "-n", "reading@%h", "-Q", "reading,exports", *pool)
    )


def beat() -> Child:
    """Reads its schedules from the database, and tells the workers when one is due."""
    return _python_child("beat", (*CELERY, "config.beat", "beat", "--loglevel", "WARNING", "--pidfile", ""))


def manage(name: str, *arguments: str) -> Child:
    """A management command that runs once, beside the others."""
    child = _python_child(name, (sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments))
    child.once = True
    return child


def _python_child(name: str, arguments: Sequence[str]) -> Child:
    return Child(name, lambda output: spawn(_python(arguments), output=output))


def _python(
    arguments: Sequence[str], extra: Mapping[str, str] = MappingProxyType({}), inherited: tuple[int, ...] = ()
) -> Command:
    environment = {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        # The checks import every view; `make check` has run them, and a worker must start fast and small.
        "CELERY_SKIP_CHECKS": "1",
        "PYTHONPATH": str(settings.BASE_DIR),
        "PLUMBLINE_DATA": str(settings.PLUMBLINE_DATA),
        **extra,
    }
    return Command(arguments, signal.SIGKILL, environment, inherited=inherited)
