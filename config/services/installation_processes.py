"""The processes of an embedded installation: what each runs and how it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.conf import settings

from config.services import process_roles
from config.services.embedded_server import Server
from config.services.fork_server import IS_SUPPORTED, ForkedProcess, ForkServer
from config.services.service_address import Listener
from config.services.service_processes import Command, spawn
from config.services.supervisor import ChildProcess

# Stopped in this order: workers first, the database last.
STOP_ORDER = (("beat", "agents", "reading", "library"), ("web", "code"), ("valkey",), ("postgres",))

_fork_server = ForkServer()


def service(server: Server) -> ChildProcess:
    """Return an embedded server. A leftover of an earlier process is stopped before each start."""

    def start(output: int) -> subprocess.Popen[bytes]:
        server.stop_stale()
        return server.start(output)

    return ChildProcess(
        server.name,
        start,
        stop_signal=server.stop_signal,
        stop_timeout_s=server.stop_timeout_s,
        holds_data=True,
    )


def web(listener: Listener) -> ChildProcess:
    """Return a process of the site.

    Each start inherits the listening socket, which stays open between starts.

    Of several processes on one socket, an idle one accepts the next connection.
    """

    descriptor = listener.socket.fileno()
    environment = process_roles.web_environment(settings.PATHS.figures)
    return _forked_child("web", process_roles.web("--fd", str(descriptor)), environment, (descriptor,))


def agents() -> ChildProcess:
    return _forked_child("agents", process_roles.agents())


def reading() -> ChildProcess:
    return _forked_child("reading", process_roles.reading())


def beat() -> ChildProcess:
    return _forked_child("beat", process_roles.beat())


def fork_server() -> ChildProcess:
    """Return the process that web, agents, reading and beat are forked from."""

    def start(output: int) -> subprocess.Popen[bytes]:
        return _fork_server.start({**os.environ, **process_roles.environment()}, output)

    return ChildProcess("code", start)


def prepare() -> ChildProcess:
    """Return the command that updates the database before the others start."""
    child = _forked_child("database", (sys.executable, "-m", "manage", "prepare"))
    child.once = True
    return child


def manage(name: str, *arguments: str) -> ChildProcess:
    """Return a management command that runs once, beside the other processes."""
    child = _python_child(name, (sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments))
    child.once = True
    return child


def _python_child(name: str, arguments: Sequence[str]) -> ChildProcess:
    return ChildProcess(name, lambda output: spawn(_python(arguments), output=output))


def _forked_child(
    name: str,
    arguments: Sequence[str],
    extra: Mapping[str, str] = MappingProxyType({}),
    inherited: tuple[int, ...] = (),
) -> ChildProcess:
    def start(output: int) -> subprocess.Popen[bytes] | ForkedProcess:
        command = _python(arguments, extra, inherited)
        return _fork_server.fork(command) if IS_SUPPORTED else spawn(command, output=output)

    return ChildProcess(name, start)


def _python(
    arguments: Sequence[str], extra: Mapping[str, str] = MappingProxyType({}), inherited: tuple[int, ...] = ()
) -> Command:
    environment = {**os.environ, **process_roles.environment(), **extra}
    return Command(arguments, signal.SIGKILL, environment, inherited=inherited)
