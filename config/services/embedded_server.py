"""The base class of the embedded servers: each is a child process, a leftover, or already running."""

import signal
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import IO, ClassVar

from config.services.service_paths import ServicePaths
from config.services.service_processes import ServiceError, stop, stop_stranger, wait_until


@dataclass(slots=True)
class Server(ABC):
    """A server whose files are under `paths`; `process` is the child once it is started."""

    paths: ServicePaths
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    name: ClassVar[str]
    title: ClassVar[str]  # for display
    stop_signal: ClassVar[signal.Signals]
    start_timeout_s: ClassVar[float]
    stop_timeout_s: ClassVar[float] = 30.0

    @abstractmethod
    def start(self, output: IO[bytes] | int) -> subprocess.Popen[bytes]:
        """Start as a child process. Does not wait until it answers."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Return True if it answers, whoever started it."""

    @abstractmethod
    def stale_pid(self) -> int | None:
        """Return the pid of a server on our data that an earlier process left behind."""

    def wait_ready(self) -> None:
        """Wait until the server answers. Raises ServiceError."""
        if not wait_until(self._is_ready_or_dead, self.start_timeout_s) or not self.is_ready():
            raise ServiceError(
                f"{self.title} did not start; its last lines above (or in the log folder) say why."
            )

    def wait_answer(self) -> None:
        """Wait until a server that another process started answers. Raises ServiceError."""
        if not wait_until(self.is_ready, self.start_timeout_s):
            raise ServiceError(
                f"{self.title} runs and has not answered for {self.start_timeout_s:.0f} s. "
                "Others use it: it is left alone."
            )

    def _is_ready_or_dead(self) -> bool:
        return self.is_ready() or (self.process is not None and self.process.poll() is not None)

    def stop(self) -> None:
        """Stop the child, if there is one."""
        if self.process is not None:
            stop(self.process, self.stop_signal, self.stop_timeout_s)

    def stop_stale(self) -> bool:
        """Stop a leftover; return False if there was none."""
        pid = self.stale_pid()
        if pid is None:
            return False
        stop_stranger(pid, self.stop_signal, self.stop_timeout_s)
        return True
