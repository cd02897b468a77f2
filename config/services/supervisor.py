"""Keeps the processes of an installation alive, and stops them in the right order.

It runs in the main thread, which alone starts processes (Linux ties the death signal to the starting thread).
Helper threads only forward output and report ended processes.
"""

import queue
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from config.services.fork_server import ForkedProcess
from config.services.service_console import Console
from config.services.service_processes import ServiceError, kill_group, reap_orphans

FIRST_DELAY_S = 0.5
MAX_DELAY_S = 30.0
STEADY_AFTER_S = 60.0  # a process that ran this long starts again without delay
LAST_WORDS_S = 2.0  # time to forward the last lines of an ended process
FULL_DISK_BYTES = 50 * 1024 * 1024

Start = Callable[[int], subprocess.Popen[bytes] | ForkedProcess]


@dataclass(slots=True)
class ChildProcess:
    """A process to keep running. `start` gets the target of the output (subprocess.PIPE)."""

    name: str
    start: Start
    stop_signal: signal.Signals = signal.SIGTERM
    stop_timeout_s: float = 10.0
    once: bool = False  # runs once and is not started again
    holds_data: bool = False  # never killed for being slow to stop on a second Ctrl-C
    process: subprocess.Popen[bytes] | ForkedProcess | None = None
    follower: threading.Thread | None = None  # forwards its output
    started_at: float = 0.0
    failures: int = 0
    restart_at: float | None = None

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def delay_s(self, now: float) -> float:
        """Count the failure and return the delay before the next start: it doubles unless the last run was steady."""
        self.failures = 1 if now - self.started_at > STEADY_AFTER_S else self.failures + 1
        return min(FIRST_DELAY_S * 2.0 ** (self.failures - 1), MAX_DELAY_S)


@dataclass(frozen=True, slots=True)
class ExitedProcess:
    child: ChildProcess
    process: subprocess.Popen[bytes] | ForkedProcess


class StopRequested:
    """Raised by Ctrl-C or SIGTERM."""


@dataclass(slots=True)
class Supervisor:
    """Starts and watches processes. `data` is the folder whose disk must not be full."""

    console: Console
    data: Path
    children: list[ChildProcess] = field(default_factory=list)
    events: "queue.SimpleQueue[ExitedProcess | StopRequested]" = field(default_factory=queue.SimpleQueue)
    is_starting: bool = True
    is_stopping: bool = False

    def listen_to_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self.is_stopping:
            self._hurry()
        self.events.put(StopRequested())
        if self.is_starting:
            # May be lost where Python runs library code around a fork; the event is not.
            raise KeyboardInterrupt

    def _hurry(self) -> None:
        """Handle the second Ctrl-C: kill at once what does not hold data; it survives that."""
        for child in self.children:
            if child.is_alive and not child.holds_data and child.process:
                kill_group(child.process.pid)

    def launch(self, child: ChildProcess) -> None:
        """Start a process now and keep it running from here on."""
        if child not in self.children:
            self.children.append(child)
        child.restart_at = None
        child.started_at = time.monotonic()
        try:
            process = child.start(subprocess.PIPE)
        except (OSError, ServiceError) as error:
            self.console.say(f"{child.name} cannot be started: {error}.")
            self._plan_restart(child)
            return
        child.process = process
        self._follow(child, process)
        threading.Thread(target=self._report_end, args=(child, process), daemon=True).start()

    def _follow(self, child: ChildProcess, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        if process.stdout:
            follow = self.console.follow
            child.follower = threading.Thread(target=follow, args=(child.name, process.stdout), daemon=True)
            child.follower.start()

    def _report_end(self, child: ChildProcess, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        process.wait()
        self.events.put(ExitedProcess(child, process))

    def run(self) -> None:
        """Watch the children until asked to stop."""
        self.is_starting = False
        while True:
            try:
                event = self.events.get(timeout=self._until_next_restart())
            except queue.Empty:
                self._restart_due()
                continue
            if isinstance(event, StopRequested):
                return
            self._on_end(event)

    def _until_next_restart(self) -> float | None:
        times = [child.restart_at for child in self.children if child.restart_at is not None]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _restart_due(self) -> None:
        now = time.monotonic()
        for child in self.children:
            if child.restart_at is not None and child.restart_at <= now:
                self.launch(child)

    def _on_end(self, event: ExitedProcess) -> None:
        child = event.child
        if child.process is not event.process:
            return
        kill_group(event.process.pid)  # leftovers of its group
        reap_orphans({child.process.pid for child in self.children if child.process})
        if child.follower:
            child.follower.join(LAST_WORDS_S)  # its end is reported after its last lines
        code = event.process.wait()
        if child.once:
            self._report_once(child.name, code)
            return
        self.console.say(f"{child.name} ended ({describe(code)}).")
        self._plan_restart(child)

    def _report_once(self, name: str, code: int) -> None:
        if code:
            self.console.say(
                f"{name} did not finish ({describe(code)}); its lines above say why and what to do."
            )

    def _plan_restart(self, child: ChildProcess) -> None:
        now = time.monotonic()
        delay_s = child.delay_s(now)
        child.restart_at = now + delay_s
        self.console.say(f"Starting {child.name} again in {delay_s:.1f} s.{self._full_disk_notice()}")

    def _full_disk_notice(self) -> str:
        free = shutil.disk_usage(self.data).free
        if free >= FULL_DISK_BYTES:
            return ""
        left = f"{free // 2**20} MB free"
        return f" The disk that holds {self.data} is full ({left}); with room on it, it goes on by itself."

    def stop(self, stages: Sequence[Sequence[str]]) -> None:
        """Stop the children stage by stage; those of one stage together. Unnamed ones go first."""
        self.is_starting, self.is_stopping = False, True
        named = {name for stage in stages for name in stage}
        self._stop_together([child for child in self.children if child.name not in named])
        for stage in stages:
            self._stop_together([child for child in self.children if child.name in stage])

    def _stop_together(self, children: Sequence[ChildProcess]) -> None:
        for child in children:
            if child.is_alive and child.process:
                child.process.send_signal(child.stop_signal)
        for child in children:
            if child.process:
                self._wait_or_kill(child, child.process)

    def _wait_or_kill(self, child: ChildProcess, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        try:
            process.wait(child.stop_timeout_s)
        except subprocess.TimeoutExpired:
            self.console.say(f"{child.name} does not end; killing it.")
        kill_group(process.pid)
        process.wait()


def describe(code: int) -> str:
    """Describe a return code."""
    if code >= 0:
        return f"exit code {code}"
    known = {number.value: number.name for number in signal.Signals}  # some real-time signals have no name
    return f"killed by {known.get(-code, f'signal {-code}')}"
