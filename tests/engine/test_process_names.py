"""The owner of a lease, and whether it still lives."""

import os
import signal
import subprocess
import sys

import pytest

from research.runtime import process_names
from research.runtime.process_names import dead, owner_name, read_process_start

NAMES_ITSELF = "open('/proc/self/comm', 'w').write('a) Z (b'); print(flush=True); input()"


@pytest.fixture
def child():
    """A process with an odd name that waits, and ends when the test does."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", NAMES_ITSELF], **pipes) as process:
        process.stdout.readline()
        yield process
        process.kill()


def test_no_two_holders_have_one_name():
    names = {owner_name() for _holder in range(3)}
    assert len(names) == 3
    assert max(map(len, names)) <= 100  # the column's


def test_a_name_says_where_and_which_process():
    place, pid, start, number = owner_name().split("|")
    assert place.startswith(os.uname().nodename[:40])
    assert place.endswith(f".{os.stat('/proc/self/ns/pid').st_ino}")
    assert (int(pid), start) == (os.getpid(), read_process_start(os.getpid()))
    assert int(number) > 0


def test_a_process_has_one_start():
    assert read_process_start(os.getpid()) == read_process_start(os.getpid()) != ""
    assert read_process_start(os.getpid()) != read_process_start(1)


def test_a_process_that_is_not_there_never_began():
    assert read_process_start(4_194_305) == ""


def test_brackets_and_spaces_in_a_process_s_name_do_not_confuse(child):
    assert read_process_start(child.pid).isdigit()


def test_a_killed_process_that_nobody_has_buried_is_gone(child):
    child.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert read_process_start(child.pid) == ""


def holder(pid: int, start: str | None = None) -> str:
    place = owner_name().partition("|")[0]
    return f"{place}|{pid}|{read_process_start(pid) if start is None else start}|1"


def test_the_dead_are_told_from_the_living(child):
    living, gone, reused = holder(child.pid), holder(4_194_305, "7"), holder(child.pid, "1")
    assert dead([living, gone, reused, owner_name()]) == [gone, reused]


def test_nothing_is_said_of_processes_elsewhere(monkeypatch):
    elsewhere = holder(4_194_305, "7").replace("|", ".other|", 1)
    assert dead([elsewhere, "here", "", "|4194305|7|1"]) == []
    monkeypatch.setattr(process_names, "_describe_pid_scope", lambda: "")
    assert dead(["|4194305|7|1"]) == []
