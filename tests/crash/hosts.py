"""Hosts of a cluster: processes with a data folder of their own each, one database, one queue, files in S3.

They run on one machine, so a host knows of the others' processes what it would not know elsewhere: that they live. Of
those that are stopped it learns nothing by that.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.crash.proxy import Wire, wire_to
from tests.crash.rig import AGENTS, READING, Rig, children_of, rig
from tests.crash.world import World
from tests.fakes.s3_server import S3Server

BUCKET = "papers"
SHARED = {
    "PLUMBLINE_S3_BUCKET": BUCKET,
    "PLUMBLINE_S3_REGION": "eu-central-1",
    "PLUMBLINE_S3_KEY_ID": "ada",
    "PLUMBLINE_S3_SECRET_KEY": "TEST-ONLY-nobody-checks-it",
    "PLUMBLINE_KEY_ENCRYPTION_KEY": "TEST-ONLY-the-same-on-each-of-the-hosts",
}


@dataclass
class Host:
    """`data` is its folder, `wire` its way to the database."""

    rig: Rig
    data: Path
    wire: Wire

    def start_workers(self, name: str) -> None:
        for role, options in (("agents", AGENTS), ("reading", READING)):
            self.rig.add_worker(f"{role}-{name}", options).start()

    def sleep(self) -> None:
        """Hang, as a machine does: nobody is notified."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for process in self.rig.processes:
            for pid in (process.pid, *children_of(process.pid)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)

    def list_stored_files(self) -> list[Path]:
        """Stored files on its disk."""
        return [path for path in self.data.rglob("*") if path.suffix == ".gz" or "objects" in path.parts]


@contextmanager
def host(world: World, folder: Path, bucket: S3Server, **more: str) -> Iterator[Host]:
    """Without a worker yet."""
    data = folder / "data"
    data.mkdir(parents=True, mode=0o700)
    own = {**SHARED, "PLUMBLINE_S3_ENDPOINT": bucket.url, "PLUMBLINE_DATA": str(data), **more}
    with (
        wire_to(world.sockets, folder / "wire") as wire,
        rig(world, folder, sockets=wire.front, **own) as made,
    ):
        yield Host(made, data, wire)
