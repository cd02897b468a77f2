"""A point kills when it is told to, where and as often as it is told, and else costs nothing."""

import signal
import subprocess
import sys

import pytest

from research.runtime import fault_injection
from research.runtime.fault_injection import FaultPoint, crash_point

PASS = """
from research.runtime.fault_injection import FaultPoint, crash_point
for n in range(5):
    crash_point(FaultPoint.FAN_IN)
    print(n, flush=True)
"""


def pass_crash_point(crash_at):
    return subprocess.run(
        [sys.executable, "-c", PASS], env={"CRASH_AT": crash_at}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("crash_at", "survived"), [("fan_in", 0), ("fan_in:1", 0), ("fan_in:3", 2), ("fan_in:5", 4)]
)
def test_the_process_dies_the_nth_time_that_it_passes(crash_at, survived):
    died = pass_crash_point(crash_at)
    assert died.returncode == -signal.SIGKILL
    assert len(died.stdout.splitlines()) == survived
    assert died.stderr == "Killed at fan_in\n"


@pytest.mark.parametrize("crash_at", ["", "fan_in:6", "fan_out:1"])
def test_without_its_turn_nothing_happens(crash_at):
    lived = pass_crash_point(crash_at)
    assert lived.returncode == 0
    assert len(lived.stdout.splitlines()) == 5


def test_a_point_that_does_not_exist_is_an_error_and_no_silent_survival():
    assert "not a valid FaultPoint" in pass_crash_point("fan_inn").stderr


def test_at_the_heartbeat_its_thread_ends_and_not_the_process(monkeypatch):
    monkeypatch.setattr(fault_injection, "_trap", lambda: (FaultPoint.HEARTBEAT, 1))
    monkeypatch.setattr(fault_injection, "_passed", iter([1]))
    with pytest.raises(SystemExit):
        crash_point(FaultPoint.HEARTBEAT)
