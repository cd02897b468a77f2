"""The state of the sample library's preparation on this machine, by a lock that the preparing process holds.

The system releases it with the process, however that ends: nobody waits for what will not come.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from config.services.embedded import hold_lock, is_locked
from config.services.paths import private_folder
from config.services.processes import wait_until
from research.library.folders import sample_path

FIRST_S = 60.0  # within which a site that starts begins with it, on a busy machine


def _lock() -> Path:
    return Path(settings.PATHS.run) / "sample.lock"


@contextmanager
def preparing() -> Iterator[None]:
    """For as long as the block lasts. A second one waits for the first and finds its work done."""
    private_folder(settings.PATHS.data)
    private_folder(settings.PATHS.run)
    with hold_lock(_lock()):
        yield


def is_under_way() -> bool:
    return is_locked(_lock())


def may_begin() -> bool:
    """A site was started here that has not begun with it yet, or has none."""
    return is_locked(settings.PATHS.up_lock) and not sample_path().exists()


def wait() -> None:
    """Return when nobody prepares it any more, nor will soon."""
    wait_until(lambda: is_under_way() or not may_begin(), FIRST_S)
    if _lock().exists():
        with hold_lock(_lock()):
            return
