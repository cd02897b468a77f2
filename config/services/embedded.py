"""Runs the embedded services for as long as a command needs them."""

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from config.services.embedded_postgres import Postgres
from config.services.embedded_server import Server
from config.services.embedded_valkey import Valkey
from config.services.service_paths import ServicePaths, private_folder

logger = logging.getLogger(__name__)


def build_embedded_services() -> list[Server]:
    """Return the servers that are not configured to be external, in the order in which they start."""
    services: list[Server] = []
    if settings.EMBEDDED_POSTGRES:
        services.append(Postgres(settings.PATHS))
    if settings.EMBEDDED_VALKEY:
        services.append(Valkey(settings.PATHS))
    return services


@contextmanager
def run_services() -> Iterator[None]:
    """Provide the services to a command: running ones are used, others run until the block ends."""
    with use_services(settings.PATHS, build_embedded_services()):
        yield


@contextmanager
def use_services(paths: ServicePaths, services: Sequence[Server]) -> Iterator[None]:
    """Provide the given services. The process that started one waits at the end for others that use it.

    A service that others use is never treated as a leftover: if it does not answer, because it is busy, out
    of connections or suspended, this waits for it. Raises ServiceError.
    """
    if not services:
        yield
        return
    private_folder(paths.data)
    private_folder(paths.run)
    private_folder(paths.logs)
    with lock_file(paths.users_lock) as users, contextlib.ExitStack() as started:
        with hold_lock(paths.run / "start.lock"):
            is_used = not alone(users)
            fcntl.flock(users, fcntl.LOCK_SH)
            for service in [service for service in services if not service.is_ready()]:
                if is_used and service.stale_pid() is not None:
                    logger.warning(
                        "%s does not answer now, and others use it: waiting for it.", service.title
                    )
                    service.wait_answer()
                else:
                    _start(service, paths.logs)
                    started.callback(service.stop)
                    started.callback(_wait_for_others, users)
        yield


def alone(lock: int) -> bool:
    """Lock this file exclusively without waiting; return False if another process holds it.

    The lock is held until the descriptor is closed or the process ends.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait_for_others(users: int) -> None:
    """Wait until no other command uses the services that are about to be stopped."""
    if not alone(users):
        logger.warning("Another command still uses the database that this one started; waiting for it.")
        fcntl.flock(users, fcntl.LOCK_EX)


def _start(service: Server, logs: Path) -> None:
    service.stop_stale()
    with (logs / f"{service.name}.log").open("ab") as log, contextlib.ExitStack() as undo:
        service.start(log)
        undo.callback(service.stop)
        service.wait_ready()
        undo.pop_all()  # it is running: keep it running


@contextmanager
def lock_file(path: Path) -> Iterator[int]:
    """Yield an open lock file, not locked yet. The system releases the lock when the process ends."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold the lock exclusively, waiting for other processes."""
    with lock_file(path) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def is_locked(path: Path) -> bool:
    """Return True if a process holds the lock of `hold_lock`."""
    if not path.exists():
        return False
    with lock_file(path) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
