"""A separate process with limits that parses hostile bytes: if it breaks, nothing else is affected.

It gets no secrets in its environment, and once it has loaded what it needs it can't open anything more: no
file, no socket, no process (seccomp.py). It answers one request after another over pipes.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, TypeVar

from research.runtime.sandbox.sandbox_read_error import MAX_BYTES, ReadError
from research.runtime.sandbox.seccomp import SandboxLayer

T = TypeVar("T")
_REQUEST = struct.Struct("!III")  # lengths of name and data, CPU seconds
_LENGTH = struct.Struct("!I")
_ROOT = Path(__file__).resolve().parents[3]
_STEP = 1 << 20
_READY = b"ready"  # followed by a byte: the sandbox layers in force
# What a Python process needs to start; everything else (keys, addresses) is withheld.
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    bytes_in: int = MAX_BYTES
    bytes_out: int = 200_000_000
    memory: int = (
        512 << 20
    )  # bytes of address space; the interpreter and parsers map 280 MB before any document
    cpu_seconds: int = 30
    wall_seconds: float = 60.0
    start_seconds: float = 60.0
    documents: int = 1_000  # then a new child is started; its start takes about a second


class ReaderStartError(Exception):
    """The reading process cannot start: an installation or memory problem, not one of the document."""


class SandboxWorkerCrash(Exception):
    """The child died without an answer and without having used up its time."""

    def __init__(self, reason: ReadError) -> None:
        super().__init__(reason.message)
        self.reason = reason


class SandboxWorker:
    """Runs `module`, whose main program calls `serve`. Use it from one thread at a time."""

    def __init__(self, limits: SandboxLimits, module: str) -> None:
        self.limits = limits
        self.served = 0
        self.owner = os.getpid()
        environment = {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
        # Otherwise importing numpy would map a pool of threads into the limited memory.
        environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(_ROOT)}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-P", "-m", module, str(limits.memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=_ROOT,
                env=environment,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise ReaderStartError(f"The reading process cannot be started: {error}.") from error
        self._requests, self._answers = _pipes(self._process)
        self.layers = self._wait_until_ready()

    @property
    def is_usable(self) -> bool:
        is_alive = self.owner == os.getpid() and self._process.poll() is None
        return is_alive and self.served < self.limits.documents

    def ask(self, data: bytes, name: str, understood: Callable[[bytes], T]) -> T:
        """Return the answer as parsed by `understood`, which raises ReadError for a reported error,
        ValueError if invalid.

        Raises ReadError, and SandboxWorkerCrash if another document may be the cause.
        """
        self.served += 1
        try:
            return understood(self._answer(data, name))
        except (TimeoutError, ValueError) as error:
            self.stop()
            raise self._reason(name, error) from error
        except (OSError, EOFError) as error:
            self.stop()
            if self._process.returncode == -signal.SIGXCPU:
                raise self._reason(name, error) from error
            raise SandboxWorkerCrash(self._reason(name, error)) from error

    def stop(self) -> None:
        if self.owner != os.getpid():
            return  # forked: the child belongs to the parent process
        self._process.kill()
        self._process.wait()
        self._requests.close()
        self._answers.close()

    def _wait_until_ready(self) -> SandboxLayer:
        """Wait for the child's first message. A reader that can't start is our fault, not the document's."""
        try:
            return SandboxLayer(
                self._receive(len(_READY) + 1, time.monotonic() + self.limits.start_seconds)[-1]
            )
        except (EOFError, TimeoutError) as error:
            self.stop()
            raise ReaderStartError(
                "the reading process did not start; its last words are in the log"
            ) from error

    def _answer(self, data: bytes, name: str) -> bytes:
        deadline = time.monotonic() + self.limits.wall_seconds
        named = name.encode("utf-8", "replace")
        request = _REQUEST.pack(len(named), len(data), self.limits.cpu_seconds) + named
        self._send(request, deadline)
        self._send(data, deadline)
        (length,) = _LENGTH.unpack(self._receive(_LENGTH.size, deadline))
        if length > self.limits.bytes_out:
            raise ValueError("the answer is too long")
        return self._receive(length, deadline)

    def _send(self, data: bytes, deadline: float) -> None:
        os.set_blocking(self._requests.fileno(), False)
        view = memoryview(data)
        while view:
            _wait(self._requests, selectors.EVENT_WRITE, deadline)
            view = view[os.write(self._requests.fileno(), view[:_STEP]) :]

    def _receive(self, length: int, deadline: float) -> bytes:
        parts, left = [], length
        while left:
            _wait(self._answers, selectors.EVENT_READ, deadline)
            part = os.read(self._answers.fileno(), min(left, _STEP))
            if not part:
                raise EOFError
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    def _reason(self, name: str, error: Exception) -> ReadError:
        by_time = isinstance(error, TimeoutError) or self._process.returncode == -signal.SIGXCPU
        if by_time:
            return too_long(name)
        ended_by = -(self._process.returncode or 0)
        if ended_by == signal.SIGKILL and not isinstance(error, EOFError):
            return ReadError(
                "unreadable", f"“{name}” could not be read: the reading process returned no valid result."
            )
        # By the out-of-memory killer; or pdfium got no more memory (a failed check of it ends otherwise).
        if ended_by in (signal.SIGKILL, signal.SIGABRT):
            return too_much(name)
        if ended_by in (signal.SIGSEGV, signal.SIGBUS):
            return ReadError(
                "unreadable", f"“{name}” could not be read: it is damaged, or nested too deeply."
            )
        return ReadError("unreadable", f"“{name}” could not be read: the reading process crashed.")


def call_child(
    child_now: Callable[[], SandboxWorker], data: bytes, name: str, understood: Callable[[bytes], T]
) -> T:
    """Return the answer of the current child (`SandboxWorker.ask`).

    Raises ReadError, also if the child dies.

    A child that dies may have been killed from outside, or by something an earlier document left; so a new
    one tries again.
    """
    child = child_now()
    is_fresh = child.served == 0
    try:
        return child.ask(data, name, understood)
    except SandboxWorkerCrash as death:
        if is_fresh:
            raise death.reason from death
    try:
        return child_now().ask(data, name, understood)
    except SandboxWorkerCrash as death:
        raise death.reason from death


def too_long(name: str) -> ReadError:
    return ReadError("timeout", f"“{name}” took too long to read and was stopped.")


def too_much(name: str) -> ReadError:
    return ReadError("memory", f"“{name}” needs more memory than one document may take.")


def too_large(size: int, name: str, limits: SandboxLimits) -> ReadError:
    return ReadError(
        "too_large", f"“{name}” has {size / 1e6:.0f} MB; the limit is {limits.bytes_in // 10**6} MB."
    )


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """Return the pipes for requests and for answers. Raises ReaderStartError if the process has none."""
    if process.stdin is None or process.stdout is None:
        raise ReaderStartError("the reading process was started without pipes")
    return process.stdin, process.stdout


def _wait(pipe: IO[bytes], event: int, deadline: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, event)
        if not selector.select(max(0.0, deadline - time.monotonic())):
            raise TimeoutError


def serve(
    requests: BinaryIO, answers: BinaryIO, layers: SandboxLayer, answer: Callable[[bytes, str], bytes]
) -> None:
    """Answer requests in the child, one by one, until the pipe closes."""
    answers.write(_READY + bytes([layers]))
    answers.flush()
    while header := requests.read(_REQUEST.size):
        name_length, length, cpu_seconds = _REQUEST.unpack(header)
        name = requests.read(name_length).decode()
        data = requests.read(length)
        _limit_cpu(cpu_seconds)
        told = answer(data, name)
        del data
        answers.write(_LENGTH.pack(len(told)) + told)
        answers.flush()


def own_answers() -> BinaryIO:
    """Return the pipe for answers, and redirect stdout to stderr to keep output of libraries out of it."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _limit_cpu(seconds: int) -> None:
    """Limit the process to this many CPU seconds beyond those already used."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = int(usage.ru_utime + usage.ru_stime) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, resource.RLIM_INFINITY))
