"""Keeping processes alive, with small real ones."""

import io
import signal
import sys
import threading

import pytest

from config.services.service_console import Console
from config.services.service_processes import Command, ServiceError, is_running, spawn, wait_until
from config.services.supervisor import ChildProcess, StopRequested, Supervisor, describe


class Watched(io.StringIO):
    """Output that asks the supervisor to stop when a text has been written a number of times."""

    def __init__(self, text: str, times: int = 1) -> None:
        super().__init__()
        self.text, self.times = text, times
        self.stop = lambda: None

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.text in text and self.getvalue().count(self.text) >= self.times:
            self.stop()
        return written


def supervise(output: Watched, tmp_path, *children: ChildProcess) -> Supervisor:
    supervisor = Supervisor(Console(output, coloured=False), tmp_path)
    output.stop = lambda: supervisor.events.put(StopRequested())
    for child in children:
        supervisor.launch(child)
    supervisor.run()
    return supervisor


def child(name: str, code: str, **options) -> ChildProcess:
    return ChildProcess(
        name, lambda output: spawn(Command([sys.executable, "-u", "-c", code]), output=output), **options
    )


WAIT = "import signal; signal.signal(signal.SIGTERM, lambda *_: exit()); print('here'); signal.pause()"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here'); signal.pause()"


def test_who_stops_it_while_it_starts_is_heard_even_where_the_exception_is_lost(tmp_path):
    """As Python loses what is raised while a library's callback around a fork runs."""
    supervisor = Supervisor(Console(Watched("never"), coloured=False), tmp_path)
    with pytest.raises(KeyboardInterrupt):
        supervisor._on_signal(signal.SIGINT, None)
    supervisor.run()
    assert supervisor.events.empty()


def test_a_process_that_ends_is_started_again(tmp_path):
    output = Watched("once more", times=2)
    supervise(output, tmp_path, child("web", "print('once more')")).stop([])
    assert "web ended (exit code 0)." in output.getvalue()
    assert "Starting web again in 0.5 s." in output.getvalue()


def test_the_waits_grow_while_it_keeps_failing():
    failing = child("web", "")
    failing.started_at = 100.0
    assert [failing.delay_s(now=101.0) for _ in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]


def test_a_process_that_ran_steadily_starts_again_at_once():
    steady = child("web", "")
    steady.started_at, steady.failures = 100.0, 6
    assert steady.delay_s(now=500.0) == 0.5


def test_a_process_that_runs_once_is_not_started_again(tmp_path):
    output = Watched("library did not finish (exit code 3)")
    supervisor = supervise(output, tmp_path, child("library", "raise SystemExit(3)", once=True))
    assert supervisor.children[0].restart_at is None


def test_a_service_that_cannot_start_is_tried_again_and_says_why(tmp_path):
    def fail_to_start(_output: int):
        raise ServiceError("no server was found")

    output = Watched("Starting valkey again in 1.0 s.")
    supervise(output, tmp_path, ChildProcess("valkey", fail_to_start))
    assert "valkey cannot be started: no server was found." in output.getvalue()


def test_stages_end_one_after_the_other(tmp_path):
    output = Watched("here", times=3)
    supervisor = supervise(output, tmp_path, *(child(name, WAIT) for name in ("postgres", "web", "agents")))
    ended = []
    original = Supervisor._wait_or_kill

    def note_end(self, child, process):
        original(self, child, process)
        ended.append(child.name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Supervisor, "_wait_or_kill", note_end)
        supervisor.stop([["agents"], ["web"], ["postgres"]])
    assert ended == ["agents", "web", "postgres"]


def test_a_process_that_does_not_end_is_killed(tmp_path):
    output = Watched("here")
    supervisor = supervise(output, tmp_path, child("web", STUBBORN, stop_timeout_s=0.1))
    supervisor.stop([["web"]])
    assert supervisor.children[0].process.returncode == -signal.SIGKILL
    assert "web does not end; killing it." in output.getvalue()


def test_a_second_ctrl_c_kills_what_holds_no_data(tmp_path):
    output = Watched("here", times=2)
    slow = child("web", STUBBORN, stop_timeout_s=60)
    data = child("postgres", WAIT, holds_data=True)
    supervisor = supervise(output, tmp_path, slow, data)
    supervisor.is_stopping = True
    threading.Thread(target=supervisor._on_signal, args=(signal.SIGINT, None)).start()
    supervisor.stop([["web"], ["postgres"]])
    assert (slow.process.returncode, data.process.returncode) == (-signal.SIGKILL, 0)


def test_what_a_dead_process_left_behind_goes_too(tmp_path):
    code = "import os, signal; child = os.fork(); child and print('pid', child); child or signal.pause()"
    output = Watched("web ended")
    supervise(output, tmp_path, child("web", code))
    left = int(output.getvalue().split("pid ")[1].split()[0])
    assert wait_until(lambda: not is_running(left), 10)


def test_a_full_disk_is_named_as_the_likely_cause(tmp_path, monkeypatch):
    monkeypatch.setattr("config.services.supervisor.FULL_DISK_BYTES", 2**62)
    output = Watched("Starting web again")
    supervise(output, tmp_path, child("web", ""))
    assert f"The disk that holds {tmp_path} is full" in output.getvalue()


@pytest.mark.parametrize(
    ("code", "words"),
    [(0, "exit code 0"), (3, "exit code 3"), (-9, "killed by SIGKILL"), (-40, "killed by signal 40")],
)
def test_a_return_code_is_put_in_words(code, words):
    assert describe(code) == words
