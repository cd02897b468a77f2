"""The soak: what it asks can be asked, what it measures is there, and growth is told from noise."""

import itertools
import os
import threading

import pytest
from django.core.management import CommandError, call_command

from research.management.commands.soak import Command
from research.management.soaking.soak_measures import (
    MAX_GROWTH,
    ResourceSample,
    by_role,
    growths,
    look,
    role_of,
)
from research.management.soaking.soak_workload import SoakResults, SoakWorkload, orders
from research.models import Run, State
from research.pipelines.pipeline_kinds import kind_of, run_kinds


def looks(*ours_mb: float, files: int = 100) -> list[ResourceSample]:
    """One a second."""
    return [
        ResourceSample(float(at), {"web": mb, "database": 10.0 * at}, {"web": files, "queue": 5})
        for at, mb in enumerate(ours_mb)
    ]


def test_every_kind_is_asked_in_turn_with_what_it_takes():
    asked = list(itertools.islice(orders(), len(run_kinds())))
    assert {kind for kind, _given in asked} == {entry.kind for entry in run_kinds()}
    for kind, given in asked:
        kind_of(kind).read_input(given)


def test_a_site_that_stays_as_it_was_does_not_grow():
    memory, files = growths(looks(50, 70, *[100, 104, 98] * 4), warm_up_s=2)
    assert not memory.is_too_much
    assert not files.is_too_much


def test_a_site_that_grows_slowly_is_found_out():
    memory, files = growths(looks(*range(100, 130)), warm_up_s=0)
    assert (memory.before, memory.after, memory.is_too_much) == (104.5, 124.5, True)
    assert memory.share >= MAX_GROWTH
    assert files.share == 0


def test_what_the_warm_up_takes_and_what_servers_keep_is_no_growth():
    memory, _files = growths(looks(10, 20, 30, *[200] * 9), warm_up_s=3)
    assert memory.share == 0
    assert ("database", 30.0, 110.0, 110.0) in by_role(looks(10, 20, 30, *[200] * 9), warm_up_s=3)


def test_a_soak_that_is_too_short_says_so():
    with pytest.raises(ValueError, match="too short"):
        growths(looks(1, 2, 3, 4, 5), warm_up_s=0)


def test_processes_are_told_apart_by_what_they_run():
    assert role_of("python -m celery -A config worker -n agents@%h") == "agents"
    assert role_of("python -m uvicorn config.asgi:application") == "web"
    assert role_of("/venv/bin/postgres -D /data") == "database"
    assert role_of("python -m research.parsing.parsing_child") == "helpers"


def test_a_look_sees_this_very_process():
    one = look(os.getpid(), 0.0, 1.0)
    assert one.ours_mb > 10
    assert one.our_files > 2


def test_a_run_that_abstains_is_no_fault_and_nobody_asks_for_its_files(monkeypatch):
    work = SoakWorkload(None, "http://nowhere", askers=1, viewers=0)

    def abstain(*_asked):
        work._end.set()
        return Run(state=State.COMPLETED, report_version=0)

    monkeypatch.setattr(work, "_run", abstain)
    work._ask()
    assert not work.soaked.files


class Dying(SoakWorkload):
    def _view(self):
        raise OSError("the site is gone")


def test_a_soak_whose_threads_die_ends_at_once(monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _what: None)
    work = Dying(None, "http://nowhere", askers=0, viewers=1)
    with work:
        work._threads[0].join()
        assert list(Command()._looks(os.getpid(), 3600.0, work)) == []
        assert work.has_lost_one


def test_whatever_should_not_be_is_told():
    soaked = SoakResults(stuck=["report 7 at reading"])
    soaked.ended.update({"report completed": 3, "table failed": 1})
    soaked.files.update({"pdf ready": 2, "csv failed": 1})
    soaked.answers.update({200: 9, 304: 4, 500: 1, 0: 2})
    assert soaked.faults == [
        "run: table failed (1)",
        "file: csv failed (1)",
        "page: status 500 (1)",
        "page: status 0 (2)",
        "stuck: report 7 at reading",
    ]


def test_a_process_that_is_no_site_of_this_data_folder_is_refused():
    with pytest.raises(CommandError, match="No site runs in .*: start one with “up”, or leave out --site"):
        call_command("soak", "--site", str(os.getpid()))
