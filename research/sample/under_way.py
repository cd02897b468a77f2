"""Whether the sample library is being prepared on this machine, as a lock says that its process holds.

The system releases it with the process, however that ends: nobody waits for what will not come.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from config.services.embedded import lock_file, locked
from config.services.paths import private_folder


def _lock() -> Path:
    return Path(settings.PATHS.run) / "sample.lock"


@contextmanager
def preparing() -> Iterator[None]:
    """For as long as the block lasts. A second one waits for the first and finds its work done."""
    private_folder(settings.PATHS.data)
    private_folder(settings.PATHS.run)
    with locked(_lock()):
        yield


def is_under_way() -> bool:
    if not _lock().exists():
        return False
    with lock_file(_lock()) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
