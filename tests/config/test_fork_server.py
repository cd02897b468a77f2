"""Processes forked from one that has loaded the code."""

import json
import os
import signal
import subprocess
import sys

import pytest

from config.services import service_processes
from config.services.fork_server import IS_SUPPORTED, ForkServer
from config.services.service_processes import Command, ServiceError, is_running, reap_orphans

pytestmark = pytest.mark.skipif(not IS_SUPPORTED, reason="needs Linux")


@pytest.fixture(scope="module")
def started():
    fork_server = ForkServer()
    process = fork_server.start(dict(os.environ), subprocess.DEVNULL)
    yield fork_server, process
    process.kill()
    process.wait()
    service_processes._libc.prctl(service_processes.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@pytest.fixture
def server(started):
    return started[0]


def request(*arguments: str, **environment: str) -> Command:
    program = (sys.executable, "-m", "tests.config.forked_program", *arguments)
    return Command(program, environment={**os.environ, **environment})


def test_a_forked_process_has_its_arguments_environment_code_and_parent(server):
    process = server.fork(request("describe", "more", PLUMBLINE_TEST="here", PLUMBLINE_DATABASE_POOL="7"))
    seen = json.loads(process.stdout.read())
    assert process.wait() == 3
    assert seen == {
        "arguments": ["describe", "more"],
        "environment": "here",
        "parent": os.getpid(),
        "group": process.pid,
        "has_code": True,
        "pool": 7,
        "title": f"{sys.executable} -m tests.config.forked_program describe more",
    }
    assert process.poll() == process.returncode == 3
    process.stdout.close()


def test_a_descriptor_is_passed_under_its_number(server, tmp_path):
    with (tmp_path / "file").open("w") as file:
        command = request("write", str(file.fileno()))
        inherited = Command(command.arguments, environment=command.environment, inherited=(file.fileno(),))
        process = server.fork(inherited)
        assert process.wait() == 0
    process.stdout.close()
    assert (tmp_path / "file").read_text() == "written"


def test_an_error_is_printed_and_ends_the_process_with_1(server):
    process = server.fork(request("fail"))
    assert b"ValueError: as requested" in process.stdout.read()
    assert process.wait() == 1
    process.stdout.close()


def test_a_signal_ends_it_and_is_reported(server):
    process = server.fork(request("wait"))
    assert process.stdout.readline() == b"waiting\n"
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.send_signal(signal.SIGTERM)  # which finds nobody
    process.stdout.close()


def test_orphans_are_reaped_but_not_its_own_processes(server):
    process = server.fork(request("leave_orphan"))
    orphan = int(process.stdout.read())
    own = server.fork(request("fail"))
    own.stdout.read()
    assert process.wait() == 0
    assert service_processes.wait_until(lambda: service_processes._state(orphan) == "Z", 10)
    reap_orphans({own.pid})
    assert not service_processes._state(orphan)
    assert own.wait() == 1
    for stream in (process.stdout, own.stdout):
        stream.close()


def test_what_it_forked_outlives_the_server_which_can_be_started_again(started):
    server, first = started
    process = server.fork(request("wait"))
    assert process.stdout.readline() == b"waiting\n"
    first.kill()
    first.wait()
    with pytest.raises(ServiceError, match="does not answer"):
        server.fork(request("describe"))
    assert is_running(process.pid)
    second = server.start(dict(os.environ), subprocess.DEVNULL)
    again = server.fork(request("describe"))
    assert again.wait() == 3
    process.send_signal(signal.SIGKILL)
    process.wait()
    second.kill()
    second.wait()
    for stream in (process.stdout, again.stdout):
        stream.close()
