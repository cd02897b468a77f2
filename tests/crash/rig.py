"""Real workers over a real database and broker, made to be killed."""

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

from django.conf import settings

from research.runtime.fault_injection import KILLED
from tests.crash.world import MODEL, World, retry_query
from tests.fakes.partners import Partners, partners
from tests.fakes.smtp_server import SmtpServer, smtp_server

LEASE_S = 4  # instead of 90: heartbeat 0.9 s, sweep 0.7 s, second knock after 1.3 s
WORKER = ("worker", "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING")
AGENTS = ("-Q", "agents,control", "--pool", "threads", "--concurrency", "6")
READING = ("-Q", "reading,exports", "--pool", "prefork", "--concurrency", "2")
BEAT = ("beat", "--loglevel", "WARNING", "--pidfile", "", "--schedule")


@dataclass
class Process:
    """A worker, beat or the web, which is started again when it dies, as the supervisor would."""

    name: str
    role: str
    arguments: tuple[str, ...]
    output: Path
    zygote: "subprocess.Popen[str]"
    extra: dict[str, object] = field(default_factory=dict)
    pid: int = 0
    is_trapped: bool = False  # it has a `CRASH_AT` that it has not met yet
    is_wanted: bool = True  # it is started again
    written: int = 0  # bytes of its output by those before it

    def start(self, crash_at: str = "") -> None:
        order = {
            "role": self.role,
            "arguments": list(self.arguments),
            "environment": {"CRASH_AT": crash_at},
            "output": str(self.output),
            **self.extra,
        }
        self.written = self.output.stat().st_size if self.output.exists() else 0
        self.pid = fork(self.zygote, order)
        self.is_trapped = bool(crash_at)

    def restart(self, crash_at: str = "") -> None:
        self.end()
        self.start(crash_at)

    def revive(self) -> None:
        """Start it again if it died, without a trap."""
        if self.is_wanted and (not is_alive(self.pid) or (self.is_trapped and self._has_lost_a_child())):
            self.restart()

    def _has_lost_a_child(self) -> bool:
        """A prefork child that died by the trap would be replaced by one with the same trap."""
        if not self.output.exists():
            return False
        with self.output.open("rb") as output:
            output.seek(self.written)
            return KILLED.encode() in output.read()

    def end(self) -> None:
        """Kill all that is left of it: the children of a dead main process too."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        while is_alive(self.pid):
            time.sleep(0.01)

    def signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)


def fork(zygote: "subprocess.Popen[str]", order: dict[str, object]) -> int:
    assert zygote.stdin is not None
    assert zygote.stdout is not None
    zygote.stdin.write(json.dumps(order) + "\n")
    zygote.stdin.flush()
    return int(zygote.stdout.readline())


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
    """The processes of one test, and what they wrote down."""

    world: World
    folder: Path
    zygote: "subprocess.Popen[str]"
    mails: SmtpServer
    partners: Partners
    processes: list[Process] = field(default_factory=list)

    @property
    def log(self) -> Path:
        """Executions of steps."""
        return self.folder / "executions.log"

    @property
    def calls(self) -> Path:
        """Requests that came to the model server."""
        return self.folder / "calls.log"

    @property
    def site_socket(self) -> Path:
        """Return the socket at which the site listens."""
        return self.folder / "site.sock"

    def falls(self) -> int:
        """Return how many traps have closed, of whatever process."""
        return sum(output.read_bytes().count(KILLED.encode()) for output in self.folder.glob("*.out"))

    def process(self, name: str) -> Process:
        return next(process for process in self.processes if process.name == name)

    def workers(self) -> list[Process]:
        return [process for process in self.processes if process.role == "worker"]

    def add_worker(self, name: str, options: tuple[str, ...], **extra: object) -> Process:
        return self._add(name, "worker", (*WORKER, "-n", f"{name}@crash", *options), extra)

    def add_beat(self) -> Process:
        return self._add("beat", "beat", (*BEAT, str(self.folder / "beat")), {})

    def add_web(self, tenant: object, seed: int) -> Process:
        return self._add("web", "web", ("steer", str(tenant), str(seed)), {})

    def add_site(self) -> Process:
        return self._add("site", "site", (str(self.site_socket),), {})

    def _add(self, name: str, role: str, arguments: tuple[str, ...], extra: dict[str, object]) -> Process:
        made = Process(name, role, arguments, self.folder / f"{name}.out", self.zygote, extra)
        self.processes.append(made)
        return made

    def web(self, *arguments: object, crash_at: str = "", **extra: object) -> None:
        """Let a process of the web do one thing; returns when it is done, or dead."""
        one = Process("once", "web", tuple(map(str, arguments)), self.folder / "web.out", self.zygote, extra)
        one.start(crash_at)
        until = time.monotonic() + 20
        while is_alive(one.pid):
            assert time.monotonic() < until, f"the web does not end: {arguments}"
            time.sleep(0.005)

    def wait_until(self, done: Callable[[], bool], limit_s: float) -> bool:
        """Look every fiftieth of a second; the dead are revived meanwhile."""
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            if retry_query(done):
                return True
            for process in self.processes:
                process.revive()
            time.sleep(0.02)
        return retry_query(done)

    def sleep(self, seconds: float) -> None:
        """Let time pass; the dead are revived meanwhile."""
        until = time.monotonic() + seconds
        self.wait_until(lambda: time.monotonic() > until, seconds + 1)


def kill_child(process: Process, chance: random.Random) -> int:
    """kill -9 of a child of a prefork worker; its pid, 0 where there is none."""
    children = children_of(process.pid)
    pid = chance.choice(children) if children else 0
    if pid:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return pid


@contextmanager
def rig(
    world: World,
    folder: Path,
    *model_options: str,
    lease_s: int = LEASE_S,
    sockets: Path | None = None,
    **more: str,
) -> Iterator[Rig]:
    """A zygote, a model server, a mail server and two partners, and no worker yet. `more` is environment."""
    command = [sys.executable, "-m", "tests.crash.zygote"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with (
        world.model(folder / "calls.log", *model_options) as base_url,
        smtp_server() as mails,
        partners() as others,
    ):
        own = {
            "PLUMBLINE_LEASE_SECONDS": str(lease_s),
            "PLUMBLINE_LIMITS": "runs=500",
            "PLUMBLINE_ALLOW_LOOPBACK": "yes",
            "PLUMBLINE_MAIL_URL": f"smtp://127.0.0.1:{mails.port}",
            "PLUMBLINE_MODEL_BASE_URL": base_url,
            "PLUMBLINE_MODEL_API_KEY": "sk-crash",
            "PLUMBLINE_MODEL": MODEL,
            "PLUMBLINE_MODEL_CALLS_A_MINUTE": "100000",
            "PLUMBLINE_PARALLEL_URL": others.url,
            "TOY_LOG": str(folder / "executions.log"),
            **more,
        }
        environment = {**world.environment(sockets), **own}
        with subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR, **pipes) as zygote:
            made = Rig(world, folder, zygote, mails, others)
            try:
                yield made
            finally:
                for process in made.processes:
                    process.end()
                zygote.kill()


def start_workers(made: Rig) -> None:
    """One that waits for others, and one that computes."""
    for name, options in (("agents", AGENTS), ("reading", READING)):
        made.add_worker(name, options).start()
