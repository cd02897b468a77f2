"""A PostgreSQL, a Valkey and a model server of the crash tests' own: they may be stopped, and nobody else is hurt.

What was committed is kept by an immediate stop, as on a machine that keeps its power: `synchronous_commit` is on,
and only the kernel's own writing to the disk is not waited for.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, connections

from config.services.embedded_postgres import Postgres
from config.services.embedded_server import Server
from config.services.embedded_valkey import Valkey
from config.services.service_paths import ServicePaths, private_folder
from tests import databases

T = TypeVar("T")
NAME = "crash"
POSTGRES = {"fsync": "off", "full_page_writes": "off", "max_connections": "200"}
MODEL = "test-model"
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}


@dataclass
class World:
    """The servers, and the environment in which a process finds them."""

    paths: ServicePaths
    postgres: Postgres
    valkey: Valkey

    @property
    def sockets(self) -> Path:
        return self.paths.postgres_sockets

    @property
    def broker_url(self) -> str:
        return f"unix://{self.paths.valkey_socket}"

    def environment(self, sockets: Path | None = None) -> dict[str, str]:
        """`sockets`: where the database is reached, if not at its own (through a proxy)."""
        own = {
            "REDIS_URL": self.broker_url,
            "SECRET_KEY": settings.SECRET_KEY,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PLUMBLINE_DATA": str(self.paths.data),
            "PLUMBLINE_HTTPS": "no",
            "CELERY_SKIP_CHECKS": "1",
            "PYTHONPATH": str(settings.BASE_DIR),
        }
        return {**os.environ, **databases.urls(sockets or self.sockets, NAME), **own}

    def start(self, server: Server) -> None:
        with (self.paths.logs / f"{server.name}.log").open("ab") as log:
            server.stop_stale()
            server.start(log)
        server.wait_ready()

    def kill(self, server: Server, how: signal.Signals) -> None:
        """`SIGQUIT` is PostgreSQL's immediate stop. Returns when it is gone."""
        assert server.process is not None
        server.process.send_signal(how)
        server.process.wait(20)

    def kill_postgres(self) -> None:
        self.kill(self.postgres, signal.SIGQUIT)

    def kill_valkey(self) -> None:
        self.kill(self.valkey, signal.SIGKILL)

    @contextmanager
    def model(self, log: Path, *options: str) -> Iterator[str]:
        """A model server's base URL. It is spelt so that its calls cost something, as a stranger's would."""
        command = [sys.executable, "-m", "tests.crash.model_server", str(log), *options]
        with subprocess.Popen(command, cwd=settings.BASE_DIR, text=True, **PIPES) as server:
            assert server.stdout is not None
            try:
                yield server.stdout.readline().strip().replace("127.0.0.1", "127.1")
            finally:
                server.kill()

    def renew(self) -> None:
        """An empty database with prices, and an empty broker."""
        from redis import Redis

        databases.recreate(self.sockets, NAME)
        with Redis.from_url(self.broker_url) as client:
            client.flushall()
        with connections["owner"].cursor() as cursor:
            cursor.execute(
                "INSERT INTO research_languagemodel (name, base_url, usd_per_million_input, usd_per_million_output,"
                " json_schema, temperature, is_local, updated_at)"
                " VALUES (%s, '', 10, 30, 'unknown', 'unknown', false, now())",
                [MODEL],
            )


@contextmanager
def run_world(folder: Path, cache: Path) -> Iterator[World]:
    """The servers run, and Django's aliases point at their database, until the block ends."""
    paths = ServicePaths(folder)
    for each in (paths.data, paths.run, paths.logs):
        private_folder(each)
    made = World(paths, Postgres(paths, POSTGRES), Valkey(paths))
    before = {alias: dict(connections[alias].settings_dict) for alias in connections}
    try:
        databases.copy_kept(paths, cache)
        for server in (made.postgres, made.valkey):
            made.start(server)
        databases.make_template(paths)
        databases.point_aliases_at(paths.postgres_sockets, NAME)
        yield made
    finally:
        for alias, known in before.items():
            connections[alias].close()
            connections[alias].settings_dict.update(HOST=known["HOST"], NAME=known["NAME"])
        for server in (made.valkey, made.postgres):
            server.stop()


def retry_query(act: Callable[[], T], limit_s: float = 30) -> T:
    """Return what `act` finds in the database, which may be away for a while."""
    until = time.monotonic() + limit_s
    while True:
        try:
            return act()
        except (OperationalError, InterfaceError):
            with suppress(InterfaceError):
                connection.close()
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
