"""Starts Python processes by forking one that has loaded the code and its data.

They share that memory as long as they only read it: loading anew takes each of them three seconds of processor time and
200 MB. The server forks twice, and the supervisor adopts what it forked: it waits for these processes and gives them
their death signal as if it had started them itself, and they outlive the server.

Only on Linux, which lets a process adopt the descendants of its children. Run as `python -m
config.services.fork_server`.
"""

import atexit
import json
import os
import runpy
import select
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, Any, NoReturn

import django
from django.conf import settings
from setproctitle import getproctitle, setproctitle

from config.databases import use_pool
from config.services.service_processes import (
    Command,
    ServiceError,
    adopt_orphans,
    end_with_adopter,
    spawn,
)

IS_SUPPORTED = sys.platform == "linux"
LARGEST_REQUEST, LARGEST_PID = 1 << 20, 20  # bytes; an environment may be long
MAX_DESCRIPTORS = 8


class ForkedProcess:
    """A process that the server forked: the part of subprocess.Popen that the supervisor uses."""

    def __init__(self, pid: int, stdout: IO[bytes] | None) -> None:
        self.pid = pid
        self.stdout = stdout
        self.returncode: int | None = None
        self._lock = threading.Lock()
        self._end = os.pidfd_open(pid)  # readable when the process has ended

    def poll(self) -> int | None:
        """Return the return code, or None while the process runs."""
        with self._lock:
            if self.returncode is None:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
                    os.close(self._end)
            return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the return code when the process has ended. Raises subprocess.TimeoutExpired."""
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
            self._wait_for_end(left)
        return code

    def _wait_for_end(self, seconds: float | None) -> None:
        with self._lock:
            if self.returncode is not None:
                return
            end = os.dup(self._end)  # another thread may close ours
        try:
            poll = select.poll()
            poll.register(end, select.POLLIN)
            poll.poll(None if seconds is None else seconds * 1000)
        finally:
            os.close(end)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


class ForkServer:
    """The supervisor's side of the server."""

    def __init__(self) -> None:
        self._requests: socket.socket | None = None

    def start(self, environment: Mapping[str, str], output: int) -> subprocess.Popen[bytes]:
        """Start the server, which then loads the code; requests wait until it has."""
        adopt_orphans()
        if self._requests is not None:
            self._requests.close()
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            arguments = (sys.executable, "-m", __name__, str(theirs.fileno()))
            inherited = (theirs.fileno(),)
            return spawn(Command(arguments, environment=environment, inherited=inherited), output=output)

    def fork(self, command: Command) -> ForkedProcess:
        """Start `command`, which is `python -m MODULE …`, as `spawn` does with its output in a pipe.

        Call it from the main thread. Raises ServiceError.
        """
        read, write = os.pipe()
        try:
            pid = self._request(command, write)
        except OSError as error:
            os.close(read)
            raise ServiceError("the process that others are forked from does not answer") from error
        finally:
            os.close(write)
        return ForkedProcess(pid, os.fdopen(read, "rb"))

    def _request(self, command: Command, output: int) -> int:
        if self._requests is None:
            raise ConnectionError
        request = {
            "arguments": list(command.arguments),
            "environment": dict(os.environ if command.environment is None else command.environment),
            "inherited": command.inherited,
            "death_signal": int(command.death_signal),
            "parent": os.getpid(),
        }
        socket.send_fds(self._requests, [json.dumps(request).encode()], [output, *command.inherited])
        answer = self._requests.recv(LARGEST_PID)
        if not answer:
            raise ConnectionError
        return int(answer)


def main() -> None:
    """Serve requests at the socket whose number is the argument; in each forked process, run what was requested."""
    setproctitle(getproctitle())  # finds the place of the title by the environment, which is replaced later
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    _load()
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        forked = _serve(requests)
    if forked is not None:
        request, descriptors = forked
        _set_up(request, descriptors)
        python, option, module, *arguments = request["arguments"]
        setproctitle(" ".join((python, option, module, *arguments)))
        sys.argv = [module, *arguments]
        _end_after(partial(runpy.run_module, module, run_name="__main__", alter_sys=True))


def _end_after(run: Callable[[], object]) -> NoReturn:
    """End this process after `run` as Python would, but without the destructors of libraries: onnxruntime's waits for
    a thread that a fork does not copy.
    """
    code: object = 1
    try:
        run()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    finally:
        if sys.exc_info()[0] is not None:
            traceback.print_exc()
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code if isinstance(code, int) else 1)


def _load() -> None:
    """Load what most processes need; the model as soon as it has been built."""
    # They need Django.
    import kombu.transport.redis  # noqa: F401

    from config.celery import app
    from research.ops.health_warm_up import warm_up_before_forking

    app.loader.import_default_modules()
    app.finalize()
    warm_up_before_forking()


def _serve(requests: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Fork a process for each request. Return the request in that process; None in the server, at the end."""
    while True:
        message, descriptors, _flags, _address = socket.recv_fds(requests, LARGEST_REQUEST, MAX_DESCRIPTORS)
        if not message:
            return None
        _load()
        read, write = os.pipe()
        if (between := os.fork()) == 0:
            if pid := os.fork():
                os.write(write, str(pid).encode())
                os._exit(0)
            os.close(read)
            os.close(write)
            return json.loads(message), descriptors
        for descriptor in (write, *descriptors):
            os.close(descriptor)
        os.waitpid(between, 0)  # from here on the process belongs to the supervisor
        requests.send(os.read(read, LARGEST_PID))
        os.close(read)


def _set_up(request: Mapping[str, Any], descriptors: Sequence[int]) -> None:
    """Make this forked process what `spawn` would have started."""
    os.setpgid(0, 0)
    end_with_adopter(request["parent"], request["death_signal"])
    output, *inherited = descriptors
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)
    for descriptor, number in zip(inherited, request["inherited"], strict=True):
        if descriptor != number:
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.set_inheritable(number, True)
    os.environ.clear()
    os.environ.update(request["environment"])
    # The only setting that a role changes (config.services.process_roles).
    pool_size = int(os.environ.get("PLUMBLINE_DATABASE_POOL", "0"))
    if pool_size and not settings.PLUMBLINE_DATABASE_POOL:
        settings.PLUMBLINE_DATABASE_POOL = pool_size
        use_pool(settings.DATABASES["default"], pool_size)


if __name__ == "__main__":
    main()
