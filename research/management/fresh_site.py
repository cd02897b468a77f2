"""Start a whole site in an empty data folder for measuring, and run commands on its data."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from config.services.paths import ServicePaths

READY_LIMIT_S = 300.0  # two minutes were too few at a load average of 30


@contextmanager
def site(data: Path, *options: str) -> Iterator[int]:
    """Run `up` with these options in an empty data folder; yield its process id once the site has started."""
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "manage.py", "up", *options],
        cwd=settings.BASE_DIR,
        env=environment(data),
        stdout=subprocess.DEVNULL,
    )
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
