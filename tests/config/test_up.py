"""`manage.py up` as a person uses it: one installation on this machine, killed in every way."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from psycopg import sql

from config.services.embedded import use_services
from config.services.embedded_postgres import Postgres, connect
from config.services.service_paths import ServicePaths, private_folder
from config.services.service_processes import is_running, wait_until
from tests.databases import TEMPLATE
from tests.often import one_in

DEADLINE_S = 120
WEB_PROCESSES = 2
WORDS = {"web": "uvicorn", "agents": "agents@", "reading": "reading@", "beat": "-A config.beat beat"}
WORDS |= {"postgres": "bin/postgres", "valkey": "valkey-server"}

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")


@dataclass
class Site:
    """One run of `up` and what it has printed."""

    paths: ServicePaths
    process: subprocess.Popen
    log: Path

    @property
    def output(self) -> str:
        return self.log.read_text()

    @property
    def address(self) -> str:
        return re.search(r"Ready: (\S+)", self.output)[1]

    def wait_for(self, text: str) -> None:
        found = wait_until(lambda: text in self.output or self.process.poll() is not None, DEADLINE_S)
        assert found, self.output
        assert text in self.output, self.output

    def children(self) -> dict[str, int]:
        """A living child of each name. A worker is its main process, not what that forked."""
        return {name: max(pids) for name in WORDS if (pids := self.find_processes(name))}

    def find_processes(self, name: str) -> set[int]:
        """All living children of a name."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        commands = {int(pid): _command(int(pid)).replace(b"\0", b" ").decode() for pid in pids}
        return {pid for pid, command in commands.items() if WORDS[name] in command}

    def everyone(self) -> list[int]:
        """All processes that work for this installation: by what they were told, and by who started them.

        A worker's title is written over what it was told.
        """
        data = str(self.paths.data).encode()
        own = {os.getpid(), self.process.pid}
        told = {pid for pid in _pids() if pid not in own and data in _environment_and_command(pid)}
        return sorted(told | set(_find_descendants(self.process.pid)))

    def says_ok(self) -> bool:
        try:
            with urllib.request.urlopen(self.address + "login/", timeout=DEADLINE_S) as response:
                return response.status == 200
        except OSError:
            return False


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _find_descendants(pid: int) -> Iterator[int]:
    for child in map(int, _of_process(pid, f"task/{pid}/children").split()):
        yield child
        yield from _find_descendants(child)


def _environment_and_command(pid: int) -> bytes:
    return _of_process(pid, "environ") + _command(pid)


def _command(pid: int) -> bytes:
    return _of_process(pid, "cmdline")


def _of_process(pid: int, name: str) -> bytes:
    """Nothing of one that ended in the meantime."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def command(paths: ServicePaths, *arguments: str) -> tuple[list[str], dict[str, str]]:
    environment = {
        **os.environ,
        "PLUMBLINE_DATA": str(paths.data),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PLUMBLINE_WEB_PROCESSES": str(WEB_PROCESSES),
    }
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments], environment


def manage(paths: ServicePaths, *arguments: str) -> subprocess.CompletedProcess[str]:
    line, environment = command(paths, *arguments)
    return subprocess.run(
        line, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )


def up(paths: ServicePaths, port: int) -> Site:
    line, environment = command(paths, "up", "--no-samples", "--port", str(port))
    log = paths.data.parent / f"up-{len(list(paths.data.parent.iterdir()))}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(line, env=environment, stdout=file, stderr=subprocess.STDOUT)
    site = Site(paths, process, log)
    site.wait_for("Ready:")
    return site


def down(site: Site) -> None:
    site.process.send_signal(signal.SIGTERM)
    site.process.wait(DEADLINE_S)


@pytest.fixture(scope="module")
def data_directory(database_cluster, pytestconfig):
    """A data directory, with a copy of the database cluster if one is kept: migrated already."""
    clusters = pytestconfig.cache.mkdir("cluster").iterdir()
    kept = next((path for path in clusters if (path / "PG_VERSION").exists()), None)
    folder = Path(tempfile.mkdtemp(prefix="pl-"))
    paths = ServicePaths(private_folder(folder / "data"))
    if kept is not None:
        shutil.copytree(kept, paths.postgres_data)
        _use_template(paths)
    yield paths
    shutil.rmtree(folder)


def _use_template(paths: ServicePaths) -> None:
    with use_services(paths, [Postgres(paths)]), connect(paths.postgres_sockets, "postgres") as server:
        server.execute("DROP DATABASE plumbline")
        server.execute(sql.SQL("ALTER DATABASE {} RENAME TO plumbline").format(sql.Identifier(TEMPLATE)))


@pytest.fixture(scope="module")
def busy_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture(scope="module")
def site(data_directory, busy_port):
    site = up(data_directory, busy_port)
    yield site
    down(site)


def test_a_port_in_use_is_named_and_the_next_free_one_taken(site, busy_port):
    assert f"Port {busy_port} is in use; taking" in site.output
    assert not site.address.endswith(f":{busy_port}/")
    assert site.says_ok()


def test_several_processes_answer_at_one_address_and_one_that_is_killed_is_not_missed(site):
    assert wait_until(lambda: len(site.find_processes("web")) == WEB_PROCESSES, DEADLINE_S)
    os.kill(min(site.find_processes("web")), signal.SIGKILL)
    assert site.says_ok()
    assert wait_until(lambda: len(site.find_processes("web")) == WEB_PROCESSES, DEADLINE_S)


@pytest.mark.full
def test_a_second_up_says_where_the_first_one_is(site):
    done = manage(site.paths, "up")
    assert (done.stdout.strip(), done.returncode) == (f"Plumbline is already running at {site.address}", 0)


@pytest.mark.full
def test_a_soak_of_another_process_is_refused(site):
    done = manage(site.paths, "soak", "--site", str(os.getpid()), "--minutes", "0.01")
    wanted = f"The site of {site.paths.data} is process {site.process.pid}, not {os.getpid()}."
    assert (done.returncode, done.stderr.strip()) == (1, f"CommandError: {wanted}")


@pytest.mark.full
def test_another_command_uses_the_running_database(site):
    done = manage(site.paths, "migrate", "--check")
    assert done.returncode == 0, done.stderr
    assert site.says_ok()


@pytest.mark.parametrize("names", one_in(2, [["web", "agents", "reading", "beat"], ["valkey", "postgres"]]))
def test_killed_processes_come_back(site, names):
    before = {name: site.find_processes(name) for name in names}
    for name in names:
        os.kill(max(before[name]), signal.SIGKILL)
    for name in names:
        site.wait_for(f"{name} ended (killed by SIGKILL)")
        assert wait_until(
            lambda name=name: (
                site.find_processes(name) - before[name]
                and len(site.find_processes(name)) == len(before[name])
            ),
            DEADLINE_S,
        )
    assert wait_until(site.says_ok, DEADLINE_S), site.output


@pytest.mark.full
def test_a_killed_supervisor_leaves_nothing_behind_and_starts_again(site, busy_port):
    # The last of them begins after “Ready”.
    assert wait_until(lambda: len(site.everyone()) >= len(WORDS), DEADLINE_S)
    everyone = site.everyone()
    site.process.kill()
    site.process.wait()
    assert wait_until(lambda: not any(is_running(pid) for pid in everyone), DEADLINE_S)
    again = up(site.paths, busy_port)
    site.process, site.log = again.process, again.log
    assert site.says_ok()


def test_ctrl_c_stops_everything_and_a_new_start_finds_the_data(site, data_directory):
    everyone = site.everyone()
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(DEADLINE_S) == 0
    assert site.output.rstrip().endswith("Stopped.")
    assert not [pid for pid in everyone if is_running(pid)]
    users = "from django.contrib.auth.models import User; print(User.objects.filter(username='demo').count())"
    assert manage(data_directory, "migrate", "--check").returncode == 0
    with use_services(data_directory, [Postgres(data_directory)]):
        assert manage(data_directory, "shell", "--no-imports", "-c", users).stdout.strip() == "1"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--port", "0"), "A port is a number from 1 to 65535"),
        (("--host", "192.0.2.1"), "Cannot listen on 192.0.2.1"),
    ],
)
def test_a_wrong_wish_is_answered_with_one_sentence(tmp_path, arguments, complaint):
    done = manage(ServicePaths(tmp_path / "data"), "up", "--no-samples", *arguments)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_a_data_directory_that_cannot_be_made_is_answered_with_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    done = manage(ServicePaths(tmp_path / "file" / "data"), "doctor")
    assert done.returncode == 1
    assert "PLUMBLINE_DATA" in done.stderr.splitlines()[-1]
