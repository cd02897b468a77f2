"""Runs the whole product on one machine: services, set-up, site and workers under one supervisor."""

import fcntl
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings

from config.services import installation_processes, process_roles
from config.services.embedded import alone, build_embedded_services, is_locked, lock_file
from config.services.fork_server import IS_SUPPORTED
from config.services.service_address import Listener, listen, wait_for_answer
from config.services.service_console import Console
from config.services.service_paths import ServicePaths, private_folder
from config.services.service_processes import ServiceError
from config.services.supervisor import ChildProcess, Supervisor

FIRST_ANSWER_S = 120.0


class AlreadyRunning(Exception):
    """Another supervisor has this data directory; `address` is empty while it still starts."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


@dataclass(frozen=True, slots=True)
class StartOptions:
    """The options that the user gave on the command line."""

    host: str
    port: int
    errands: Sequence[ChildProcess]  # commands that run once beside the site


def run(wish: StartOptions, console: Console) -> None:
    """Start everything; return after Ctrl-C or SIGTERM.

    Raises AlreadyRunning, ServiceError (a service or the port), UnsafeFolder and OSError (the folders).
    """
    paths = settings.PATHS
    for folder in (paths.data, paths.run, paths.logs, paths.files, paths.static):
        private_folder(folder)
    with only_one(paths), alone_with_services(paths, console) as share:
        supervisor = Supervisor(console, paths.data)
        supervisor.listen_to_signals()
        try:
            _start(supervisor, wish, share)
            supervisor.run()
        except KeyboardInterrupt:
            pass  # asked to stop during the start
        finally:
            console.say("Stopping …")
            supervisor.stop(installation_processes.STOP_ORDER)
            paths.address.unlink(missing_ok=True)
    console.say("Stopped.")


@contextmanager
def only_one(paths: ServicePaths) -> Iterator[None]:
    with lock_file(paths.up_lock) as descriptor:
        if not alone(descriptor):
            raise AlreadyRunning(_read_saved_address(paths))
        paths.address.unlink(missing_ok=True)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield


def supervisor_of(paths: ServicePaths) -> int | None:
    """Return the process id of the data directory's supervisor; None if there is none."""
    if not is_locked(paths.up_lock):
        return None
    pid = paths.up_lock.read_bytes()
    return int(pid) if pid.isdigit() else None


def _read_saved_address(paths: ServicePaths) -> str:
    try:
        return paths.address.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


@contextmanager
def alone_with_services(paths: ServicePaths, console: Console) -> Iterator[Callable[[], None]]:
    """Wait until no command uses the services, so that this process can own them; yield a function that lets others
    use them.
    """
    with lock_file(paths.users_lock) as descriptor:
        if not alone(descriptor):
            console.say("Another Plumbline command is using the database; starting when it has ended.")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield lambda: fcntl.flock(descriptor, fcntl.LOCK_SH)


def _start(supervisor: Supervisor, wish: StartOptions, share: Callable[[], None]) -> None:
    # First, so that an invalid option is reported before anything is created.
    listener = listen(wish.host, wish.port)
    if listener.port != wish.port:
        supervisor.console.say(f"Port {wish.port} is in use; taking {listener.port} instead.")
    os.environ.setdefault("PLUMBLINE_URL", listener.url)  # for links in the workers' mail
    os.environ["PLUMBLINE_HOST"] = wish.host  # allows what is safe if no other machine reaches the site
    servers = build_embedded_services()
    for server in servers:
        supervisor.launch(installation_processes.service(server))
    if IS_SUPPORTED:
        supervisor.launch(installation_processes.fork_server())
    for server in servers:
        server.wait_ready()
    share()
    supervisor.console.say("Bringing the database up to date: some seconds at the first start, else one.")
    _prepare(supervisor)
    settings.PATHS.address.write_text(listener.url, encoding="utf-8")
    process_roles.recreate_folder(settings.PATHS.figures)
    announcement = threading.Thread(target=_announce, args=(listener, supervisor.console), daemon=True)
    for child in (
        installation_processes.web(listener),
        installation_processes.agents(),
        installation_processes.reading(),
        installation_processes.beat(),
        *(installation_processes.web(listener) for _further in range(1, settings.PLUMBLINE_WEB_PROCESSES)),
    ):
        supervisor.launch(child)
    announcement.start()
    for child in wish.errands:
        supervisor.launch(child)


def _prepare(supervisor: Supervisor) -> None:
    """Update the database. Raises ServiceError if that fails."""
    preparing = installation_processes.prepare()
    supervisor.launch(preparing)
    if preparing.process is None or preparing.process.wait():
        raise ServiceError("The database could not be brought up to date; the lines above say why.")


def _announce(listener: Listener, console: Console) -> None:
    if wait_for_answer(listener, FIRST_ANSWER_S):
        console.say(f"Ready: {listener.url}   (Ctrl-C stops everything)")
