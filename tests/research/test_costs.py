"""The measuring commands report what the processes of a site spent."""

import os
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
