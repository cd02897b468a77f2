"""Services shared between commands."""

import subprocess
import sys
import threading

import pytest

from config.services.embedded import use_services
from config.services.embedded_valkey import Valkey
from config.services.service_processes import ServiceError, wait_until

JOIN = """
import sys
from pathlib import Path
from config.services.embedded import use_services
from config.services.service_paths import ServicePaths
from config.services.embedded_valkey import Valkey

paths = ServicePaths(Path(sys.argv[1]))
with use_services(paths, [Valkey(paths)]):
    print("joined", flush=True)
    sys.stdin.readline()
    assert Valkey(paths).is_ready()
"""


def join(paths) -> subprocess.Popen:
    arguments = [sys.executable, "-c", JOIN, str(paths.data)]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "joined\n"
    return process


def leave(process) -> int:
    with process:
        process.communicate("\n")
    return process.returncode


def test_a_command_that_starts_the_services_stops_them(paths):
    with use_services(paths, [Valkey(paths)]):
        assert Valkey(paths).is_ready()
    assert not Valkey(paths).is_ready()


def test_an_error_in_the_command_stops_them_too(paths):
    try:
        with use_services(paths, [Valkey(paths)]):
            raise ZeroDivisionError
    except ZeroDivisionError:
        assert not Valkey(paths).is_ready()


def test_who_started_the_services_waits_for_who_joined(paths):
    opened, guest = threading.Event(), None
    with use_services(paths, [Valkey(paths)]):
        guest = join(paths)
        threading.Timer(0, lambda: (opened.set(), leave(guest))).start()
    assert opened.is_set()
    assert guest.wait() == 0
    assert not Valkey(paths).is_ready()


def test_a_command_that_was_killed_leaves_no_service_behind(paths):
    process = join(paths)
    with process:
        process.kill()
    assert wait_until(lambda: not Valkey(paths).is_ready(), 30)
    with use_services(paths, [Valkey(paths)]):
        assert Valkey(paths).is_ready()


def test_a_command_in_a_command_uses_the_same_services(paths):
    with use_services(paths, [Valkey(paths)]):
        with use_services(paths, [Valkey(paths)]):
            pass
        assert Valkey(paths).is_ready()


def test_a_server_that_others_use_and_that_does_not_answer_now_is_waited_for(paths, monkeypatch):
    guest, answers, is_ready = join(paths), [False], Valkey.is_ready
    first = Valkey(paths).stale_pid()
    monkeypatch.setattr(Valkey, "is_ready", lambda one: answers.pop() if answers else is_ready(one))
    with use_services(paths, [Valkey(paths)]):
        assert (Valkey(paths).stale_pid(), answers) == (first, [])
    assert is_ready(Valkey(paths))
    assert leave(guest) == 0


def test_a_server_that_others_use_is_left_alone_however_long_it_does_not_answer(paths, monkeypatch):
    guest, is_ready = join(paths), Valkey.is_ready
    monkeypatch.setattr(Valkey, "is_ready", lambda _one: False)
    monkeypatch.setattr(Valkey, "start_timeout_s", 0.0)
    with (
        pytest.raises(ServiceError, match="Others use it: it is left alone"),
        use_services(paths, [Valkey(paths)]),
    ):
        raise AssertionError("nobody answered")
    assert is_ready(Valkey(paths))
    assert leave(guest) == 0
