"""Shows whether the sample library is being prepared on this machine, by a lock that the preparing process holds.

The system releases the lock when the process ends, so that nobody waits forever.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from config.services.embedded import hold_lock, is_locked
from config.services.service_paths import private_folder
from config.services.service_processes import wait_until
from research.library.library_folders import sample_path

FIRST_S = 60.0  # a starting site begins with it within this time, on a busy machine


def _lock() -> Path:
    return Path(settings.PATHS.run) / "sample.lock"


@contextmanager
def hold_preparation_lock() -> Iterator[None]:
    """Hold the lock for the duration of the block. A second process waits for the first and finds the work done."""
    private_folder(settings.PATHS.data)
    private_folder(settings.PATHS.run)
    with hold_lock(_lock()):
        yield


def is_under_way() -> bool:
    return is_locked(_lock())


def may_begin() -> bool:
    """Return True if a site was started here that may still begin with it."""
    return is_locked(settings.PATHS.up_lock) and not sample_path().exists()


def wait() -> None:
    """Wait until no process is preparing it or about to."""
    wait_until(lambda: is_under_way() or not may_begin(), FIRST_S)
    if _lock().exists():
        with hold_lock(_lock()):
            return
