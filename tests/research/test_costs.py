"""The measuring commands report what the processes of a site spent."""

import os
import subprocess
import sys
import time

import pytest

from research.management.bench_process_costs import Costs, cpu_by_part, part_of


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("python\0-m\0celery\0-A\0config\0worker\0-n\0agents@%h\0-Q\0agents,control", "agents"),
        ("python\0-m\0celery\0-A\0config\0worker\0-n\0reading@%h", "reading"),
        ("python\0-m\0uvicorn\0config.asgi:application", "web"),
        ("python\0-m\0celery\0-A\0config.beat\0beat", "beat"),
        ("postgres: plumbline plumbline [local] idle", "postgres"),
        ("/usr/bin/valkey-server 127.0.0.1:0", "valkey"),
        ("python\0manage.py\0up", "other"),
    ],
)
def test_a_process_is_told_by_its_command_line(command, part):
    assert part_of(command) == part


def test_what_a_process_computes_is_counted():
    before = sum(cpu_by_part(os.getpid()).values())
    used = time.process_time()
    while time.process_time() - used < 0.1:
        pass
    assert sum(cpu_by_part(os.getpid()).values()) - before >= 0.05


CHILD = """
import time
while time.process_time() < 0.1:
    pass
print("computed", flush=True)
input()
"""
PARENT = """
import subprocess, sys  # agents@
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE)
input()
child.communicate(b"\\n")
print("ended", flush=True)
input()
"""


def test_what_a_child_computes_counts_for_the_part_above_it_before_and_after_its_end():
    command = [sys.executable, "-c", PARENT, CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        seen = {}
        for word in ("computed", "ended"):
            assert parent.stdout.readline().strip() == word
            seen[word] = cpu_by_part(parent.pid)
            parent.stdin.write("\n")
            parent.stdin.flush()
    assert {part for parts in seen.values() for part in parts} == {"agents"}
    assert 0.05 <= seen["computed"]["agents"] <= seen["ended"]["agents"]


def test_costs_are_told_by_call_without_those_of_the_servers():
    costs = Costs({"agents": 1.5, "reading": 0.5, "postgres": 1.0}, commits=400)
    told = costs.as_json(100)
    assert (told["cpu_ms_a_call"], told["with_servers_ms_a_call"], told["commits_a_call"]) == (
        20.0,
        30.0,
        4.0,
    )


def test_without_a_call_nothing_is_told_by_call():
    assert "cpu_ms_a_call" not in Costs({"reading": 0.5}, commits=7).as_json(0)
