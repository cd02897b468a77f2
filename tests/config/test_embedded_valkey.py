"""The embedded Valkey, for real."""

import signal
import subprocess

import pytest
import redis

from config.services import embedded_valkey
from config.services.embedded import use_services
from config.services.embedded_valkey import Valkey
from config.services.service_paths import ServicePaths
from config.services.service_processes import ServiceError, is_running


@pytest.fixture
def server(paths, log):
    server = Valkey(paths)
    server.start(log)
    server.wait_ready()
    yield server
    server.stop()


def client(server):
    return redis.Redis(unix_socket_path=str(server.paths.valkey_socket), decode_responses=True)


def test_what_was_written_survives_kill_9(server, log):
    client(server).mset({f"key{number}": number for number in range(1000)})
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server.start(log)
    server.wait_ready()
    assert client(server).dbsize() == 1000


def test_it_refuses_new_entries_rather_than_drop_old_ones(server):
    assert client(server).config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_it_listens_on_no_port(server):
    assert client(server).config_get("port") == {"port": "0"}


def test_a_server_left_behind_is_stopped_before_a_new_one_starts(server, paths):
    assert Valkey(paths).stop_stale()
    assert server.process.wait() == 0


def test_a_running_server_is_used_and_left_running(server, paths):
    with use_services(paths, [Valkey(paths)]):
        client(server).set("key", "value")
    assert client(server).get("key") == "value"


def test_a_pid_that_belongs_to_another_program_is_left_alone(paths):
    paths.run.mkdir(parents=True)
    with subprocess.Popen(["sleep", "60"]) as stranger:
        (paths.run / "valkey.pid").write_text(str(stranger.pid))
        assert not Valkey(paths).stop_stale()
        assert is_running(stranger.pid)
        stranger.kill()


def test_a_pid_that_belongs_to_another_server_by_now_is_left_alone(server, tmp_path):
    other = ServicePaths(tmp_path)
    other.run.mkdir()
    (other.run / "valkey.pid").write_text(str(server.process.pid))
    assert server.stale_pid() == server.process.pid
    assert Valkey(other).stale_pid() is None


def test_without_the_package_a_server_on_the_path_is_taken(tmp_path, monkeypatch):
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(embedded_valkey, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert embedded_valkey.binary() == program


def test_without_any_server_the_message_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(embedded_valkey, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServiceError, match=r"make run.*REDIS_URL"):
        embedded_valkey.binary()


def test_a_damaged_file_is_reported_and_not_overwritten(paths, log):
    folder = paths.valkey_data / "appendonlydir"
    folder.mkdir(parents=True)
    (folder / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(ServiceError, match="did not start"), use_services(paths, [Valkey(paths)]):
        pass
    assert (folder / "appendonly.aof.manifest").read_text() == "nonsense\n"
