"""A pooler that lends connections by transaction stands before the database: everything works as without it."""

import pytest

from tests.crash.pooler import PROGRAM, pooler
from tests.crash.rig import AGENTS, READING, rig
from tests.crash.stage import LONG, SMALL, Stage, wait_for_completion
from tests.crash.world import World
from tests.often import IS_FULL

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed"),
]


def test_runs_behind_a_pooler_come_to_the_same(world: World, stage: Stage, tmp_path) -> None:
    size = LONG if IS_FULL else SMALL
    with (
        pooler(world, tmp_path / "pooler") as front,
        rig(world, tmp_path, sockets=front, PLUMBLINE_POOLER="yes") as made,
    ):
        for name, options in (("agents", AGENTS), ("agents2", AGENTS), ("reading", READING)):
            made.add_worker(name, options).start()
        made.add_beat().start()
        runs = [stage.start(made, **size) for _ in range(4 if IS_FULL else 2)]
        for run in runs:
            wait_for_completion(made, stage, run)
        log = (front / "pgbouncer.log").read_text()
    assert "ERROR" not in log
    assert log.count("new connection to server") > 0
