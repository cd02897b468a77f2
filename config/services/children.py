"""The processes of the embedded size: what each runs and how it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.conf import settings

from config.services import roles
from config.services.address import Listener
from config.services.processes import Command, spawn
from config.services.server import Server
from config.services.supervisor import ChildProcess

# Ended in this order: first those who work, last the one who remembers.
STOP_ORDER = (("beat", "agents", "reading", "library"), ("web",), ("valkey",), ("postgres",))


def service(server: Server) -> ChildProcess:
    """An embedded server. What was left over by an earlier process is stopped before each start."""

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
    """A process of the site. Each start asks for the socket's number, which keeps the socket open between starts.

    Of several on one socket whichever is idle takes the next visitor.
    """

    def start(output: int) -> subprocess.Popen[bytes]:
        descriptor = listener.socket.fileno()
        arguments = roles.web("--fd", str(descriptor))
        environment = roles.web_environment(settings.PATHS.figures)
        return spawn(_python(arguments, environment, (descriptor,)), output=output)

    return ChildProcess("web", start)


def agents() -> ChildProcess:
    return _python_child("agents", roles.agents())


def reading() -> ChildProcess:
    return _python_child("reading", roles.reading())


def beat() -> ChildProcess:
    return _python_child("beat", roles.beat())


def manage(name: str, *arguments: str) -> ChildProcess:
    """A management command that runs once, beside the others."""
    child = _python_child(name, (sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments))
    child.once = True
    return child


def _python_child(name: str, arguments: Sequence[str]) -> ChildProcess:
    return ChildProcess(name, lambda output: spawn(_python(arguments), output=output))


def _python(
    arguments: Sequence[str], extra: Mapping[str, str] = MappingProxyType({}), inherited: tuple[int, ...] = ()
) -> Command:
    environment = {**os.environ, **roles.environment(), **extra}
    return Command(arguments, signal.SIGKILL, environment, inherited=inherited)
