"""Real workers over a real database and broker, made to be killed.

The toy recipe of the lifecycle's tests is the run under test: each of its handlers writes down what it does
in a log that is never killed, and its result is the same on every way through.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from django.conf import settings

LEASE_S = 4  # instead of 90: heartbeat 0.9 s, sweep 0.7 s, second knock after 1.3 s
WORKER = ("worker", "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING")
AGENTS = ("-Q", "agents,control", "--pool", "threads", "--concurrency", "6")
READING = ("-Q", "reading,exports", "--pool", "prefork", "--concurrency", "2")


@dataclass
class Worker:
    """One Celery worker, which is started again when it dies, as the supervisor would."""

    name: str
    options: tuple[str, ...]
    output: Path
    zygote: "subprocess.Popen[str]"
    pid: int = 0
    is_trapped: bool = False  # it has a `CRASH_AT` that it has not met yet
    children: set[int] = field(default_factory=set)

    def start(self, crash_at: str = "") -> None:
        order = {
            "arguments": [*WORKER, "-n", f"{self.name}@crash", *self.options],
            "environment": {"CRASH_AT": crash_at},
            "output": str(self.output),
        }
        to, answers = streams(self.zygote)
        to.write(json.dumps(order) + "\n")
        to.flush()
        self.pid = int(answers.readline())
        self.children = set()
        self.is_trapped = bool(crash_at)

    def restart(self, crash_at: str) -> None:
        self.end()
        self.start(crash_at)

    def revive(self) -> None:
        """Start it again if it died, without a trap."""
        if not is_alive(self.pid) or (self.is_trapped and self._lost_a_child()):
            self.end()
            self.start()

    def _lost_a_child(self) -> bool:
        """A prefork child that died by the trap would be replaced by one with the same trap."""
        lost = [pid for pid in self.children if not is_alive(pid)]
        self.children = set(children_of(self.pid))
        return bool(lost)

    def end(self) -> None:
        """Kill all that is left of it: the children of a dead main process too."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        while is_alive(self.pid):
            time.sleep(0.01)


def streams(process: "subprocess.Popen[str]") -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def children_of(pid: int) -> list[int]:
    try:
        words = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [int(word) for word in words]


@dataclass
class Rig:
    """An agents worker and a reading worker, and what they wrote down."""

    folder: Path
    zygote: "subprocess.Popen[str]"
    workers: list[Worker] = field(default_factory=list)
    killed_at: list[float] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.folder / "executions.log"

    def worker(self, name: str) -> Worker:
        return next(worker for worker in self.workers if worker.name == name)

    def add(self, name: str, options: tuple[str, ...]) -> Worker:
        worker = Worker(name, options, self.folder / f"{name}.out", self.zygote)
        self.workers.append(worker)
        return worker

    def kill_one(self, chance: random.Random) -> None:
        """kill -9 of one process: a child of the reading worker, or a worker's main process."""
        worker = chance.choice(self.workers)
        children = children_of(worker.pid)
        pid = chance.choice(children) if children and chance.random() < 0.6 else worker.pid
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        self.killed_at.append(time.time())

    def wait_until(self, done: Callable[[], bool], limit_s: float) -> bool:
        """Look every twentieth of a second; the dead are revived meanwhile."""
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            if done():
                return True
            for worker in self.workers:
                worker.revive()
            time.sleep(0.05)
        return done()


@contextmanager
def rig(folder: Path, environment: dict[str, str]) -> Iterator[Rig]:
    """Both workers running."""
    own = {
        "PLUMBLINE_LEASE_SECONDS": str(LEASE_S),
        "TOY_LOG": str(folder / "executions.log"),
        "CELERY_SKIP_CHECKS": "1",
        "PYTHONPATH": str(settings.BASE_DIR),
    }
    command = [sys.executable, "-m", "tests.crash.zygote"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env={**environment, **own}, cwd=settings.BASE_DIR, **pipes) as zygote:
        made = Rig(folder, zygote)
        try:
            for name, options in (("agents", AGENTS), ("reading", READING)):
                made.add(name, options).start()
            yield made
        finally:
            for worker in made.workers:
                worker.end()
            zygote.kill()
