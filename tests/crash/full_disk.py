"""A file system of a fixed size under a tenant's files, which is full when a test says so."""

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crash.stage import Stage

SIZE = 1 << 20  # bytes


@dataclass
class Disk:
    """The disk on which the tenant's objects lie."""

    folder: Path

    @property
    def _filler(self) -> Path:
        return self.folder / "filler"

    def fill(self) -> None:
        """Fill the disk to the last byte."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (4096, 1):
                with contextlib.suppress(OSError):
                    while file.write(b"\0" * size):
                        pass
        assert shutil.disk_usage(self.folder).free == 0

    def files(self) -> dict[str, int]:
        """Each with its size."""
        found = [path for path in self.folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(self.folder)): path.stat().st_size for path in found}

    def make_room(self) -> None:
        self._filler.unlink()


@contextmanager
def small_disk(stage: Stage) -> Iterator[Disk]:
    """Skips the test where no file system may be mounted."""
    folder = stage.world.paths.files / "objects" / str(stage.tenant_id)
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "plumbline-crash", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system of a fixed size can be mounted here: {done.stderr.strip()}")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
