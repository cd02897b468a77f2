"""Start a whole site in an empty data folder for measuring, and run commands on its data."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management.base import CommandError

from config.services.embedded_postgres import connect
from config.services.service_paths import ServicePaths

READY_LIMIT_S = 300.0  # two minutes were too few at a load average of 30


class StatementCounter:
    """Counts the statements that a site's own PostgreSQL writes to its log."""

    def __init__(self) -> None:
        self.count = 0

    def read(self, output: IO[bytes]) -> None:
        """Read a site's output to its end."""
        for line in output:
            self.count += b"LOG:  statement: " in line or b"LOG:  execute " in line

    def begin(self, data: Path) -> None:
        """Let the site in this data folder log its statements from now on."""
        with connect(ServicePaths(data).postgres_sockets, "postgres") as server:
            server.execute("ALTER SYSTEM SET log_statement = 'all'")
            server.execute("ALTER SYSTEM SET log_parameter_max_length = 0")
            server.execute("SELECT pg_reload_conf()")


@contextmanager
def site(data: Path, *options: str, counter: StatementCounter | None = None) -> Iterator[int]:
    """Run `up` with these options in an empty data folder; yield its process id once the site has started."""
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "manage.py", "up", *options],
        cwd=settings.BASE_DIR,
        env=environment(data),
        stdout=subprocess.DEVNULL if counter is None else subprocess.PIPE,
    )
    if counter is not None and process.stdout is not None:
        threading.Thread(target=counter.read, args=[process.stdout], daemon=True).start()
    try:
        wait_for(ServicePaths(data).address, process)
        yield process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def wait_for(address: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_LIMIT_S
    while not address.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise CommandError("The site did not start.")
        time.sleep(0.05)


def address_of(data: Path) -> str:
    """Return the address of the site in this data folder, with a trailing slash."""
    return ServicePaths(data).address.read_text(encoding="utf-8").strip()


def manage(data: Path, *arguments: str) -> str:
    """Run a management command in the site's data folder and return its output. Raises CommandError if it
    fails.
    """
    done = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=environment(data),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise CommandError(done.stderr.strip() or done.stdout.strip())
    return done.stdout.strip()


def environment(data: Path) -> dict[str, str]:
    return {**os.environ, "PLUMBLINE_DATA": str(data)}
