"""Any process may die at any moment: the workers and their children, the web, beat, the broker and the database."""

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from research.models import Run
from tests.crash import invariants
from tests.crash.results import Results
from tests.crash.rig import AGENTS, READING, Rig, kill_child, rig
from tests.crash.stage import SEED, Stage
from tests.crash.world import World
from tests.often import IS_FULL

pytestmark = pytest.mark.crash
ROUNDS = int(os.environ.get("CRASH_ROUNDS", "20")) if IS_FULL else 1
ALL_AT_ONCE = 10
KILLS = 10 if IS_FULL else 5  # in each round
BIG = {"subtopics": 3, "width": 20 if IS_FULL else 8, "work_s": 0.1}  # about 260 steps, or 110
# What is killed, and how often of a hundred times.
MIX = {"worker child": 45, "worker": 25, "web": 10, "beat": 10, "Valkey": 5, "PostgreSQL": 5}


@pytest.fixture
def wide(world: World, stage: Stage, tmp_path) -> Iterator[Rig]:
    """Two workers that wait, one of processes that compute, beat, and a web that starts and steers."""
    with rig(world, tmp_path, "--latency", "0.1") as made:
        for name, options in (("agents", AGENTS), ("agents2", AGENTS), ("reading", READING)):
            made.add_worker(name, options).start()
        made.add_beat().start()
        made.add_web(stage.tenant_id, SEED).start()
        yield made


@dataclass
class Killer:
    """Kills what chance names, and remembers when."""

    made: Rig
    stage: Stage
    chance: random.Random
    killed: list[tuple[str, float]]

    def strike(self) -> None:
        what = self.chance.choices([*MIX], weights=[*MIX.values()])[0]
        self.stage.note_kill()  # more than it can take: what is in flight goes on where others die
        self.killed.append((what, time.time()))
        self.kill(what)
        self.stage.note_kill()

    def kill(self, what: str) -> None:
        world = self.made.world
        match what:
            case "worker child":
                kill_child(self.made.process("reading"), self.chance)
            case "worker":
                self.chance.choice(self.made.workers()).signal(signal.SIGKILL)
            case "Valkey":
                world.kill_valkey()
                world.start(world.valkey)
            case "PostgreSQL":
                world.kill_postgres()
                world.start(world.postgres)
            case _:
                self.made.process(what).signal(signal.SIGKILL)


def test_runs_survive_random_kills(wide: Rig, stage: Stage, results: Results) -> None:
    chance = random.Random(SEED)
    for _round in range(ROUNDS):
        killer = Killer(wide, stage, chance, [])
        run = kill_at_random(killer)
        row = results.row("Random kills, runs", "about 260 steps, 10 kills each")
        row.kills, row.wrong = row.kills + 1, row.wrong + 1
        for what, moment in killer.killed:
            note(results, what, stage.progress_after(run, moment))
        end_of_round(wide, stage, run)
        row.wrong -= 1
    assert invariants.unknown_calls(stage.tenant_id) <= stage.may_be_unknown


def note(results: Results, what: str, recovery: float | None) -> None:
    row = results.row("Random kill of", what)
    row.kills += 1
    row.recoveries += [recovery] if recovery is not None else []  # None: it struck when the run had ended


def kill_at_random(killer: Killer) -> Run:
    """The run under test, and ten kills while it lasts."""
    run = killer.stage.start(killer.made, **BIG)
    for _kill in range(KILLS):
        killer.made.sleep(killer.chance.uniform(0.5, 2.5))
        killer.strike()
    killer.stage.wait(killer.made, run, 120)
    return run


def end_of_round(made: Rig, stage: Stage, run: Run) -> None:
    """The web rests; what it started meanwhile ends as well, and all is whole."""
    web = made.process("web")
    web.is_wanted = False
    web.end()
    made.web("resume", stage.tenant_id)
    assert made.wait_until(stage.all_have_ended, 60)
    stage.assert_whole(made, run)
    web.is_wanted = True


@pytest.mark.full
def test_a_run_survives_the_death_of_all_workers_at_once(wide: Rig, stage: Stage, results: Results) -> None:
    row = results.row("Everything at once", "all workers and beat")
    for _time in range(ALL_AT_ONCE):
        run = stage.start(wide, subtopics=3, width=4, work_s=0.1)
        wide.sleep(0.8)
        row.kills, row.wrong, moment = row.kills + 1, row.wrong + 1, time.time()
        for process in [*wide.workers(), wide.process("beat")]:
            process.signal(signal.SIGKILL)
        stage.wait(wide, run)
        row.recoveries += [found] if (found := stage.progress_after(run, moment)) is not None else []
        end_of_round(wide, stage, run)
        row.wrong -= 1
