"""One test's tenant and its runs, and how they are looked at afterwards."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection

from research.db.tenancy import create_tenant, tenant_context
from research.models import FINISHED, Run, State, Step
from tests.crash import invariants
from tests.crash.rig import Rig
from tests.crash.world import World, retry_query

SEED = int(os.environ.get("CRASH_SEED", "7"))
SMALL = {"subtopics": 2, "width": 2}
LONG = {"subtopics": 3, "width": 6, "work_s": 0.15}
_numbers = count(1)
_undisturbed: dict[
    str, str
] = {}  # what comes out where nothing is killed, by the configuration that decides it


@dataclass
class Stage:
    """A tenant of its own; its runs are Ada's."""

    world: World
    tenant_id: UUID
    runs: list[Run] = field(default_factory=list)
    may_be_unknown: int = 0  # calls of models in flight at the kills
    kept: Callable[[], Iterable[str]] | None = None  # keys of the objects that are not on this machine's disk

    def start(self, made: Rig, **config: object) -> Run:
        """Let the web start a run."""
        key = new_key()
        send(made, self.tenant_id, key, config)
        run = self.find_run(key)
        assert run is not None, "the web did not start the run"
        self.runs.append(run)
        return run

    def find_run(self, key: str) -> Run | None:
        return retry_query(partial(self._query_run, key))

    def _query_run(self, key: str) -> Run | None:
        with tenant_context(self.tenant_id):
            return Run.objects.filter(client_key=key).first()

    def has_ended(self, *runs: Run) -> bool:
        with tenant_context(self.tenant_id):
            rows = Run.objects.filter(pk__in=[run.pk for run in runs])
            return all(state in FINISHED for state in rows.values_list("state", flat=True))

    def all_have_ended(self) -> bool:
        with tenant_context(self.tenant_id):
            return not Run.objects.unfinished().exists()

    def fresh(self, run: Run) -> Run:
        with tenant_context(self.tenant_id):
            return Run.objects.get(pk=run.pk)

    def note_kill(self) -> None:
        """Those in flight right after it: no more can be lost by it."""
        self.may_be_unknown += retry_query(partial(invariants.calls_in_flight, self.tenant_id))

    def wait(self, made: Rig, run: Run, limit_s: float = 60) -> None:
        """Raises AssertionError with what is known where the run does not end."""
        if not made.wait_until(partial(self.has_ended, run), limit_s):
            raise AssertionError(f"{self.fresh(run).state}: {self.list_unfinished_steps(run)}")

    def list_unfinished_steps(self, run: Run) -> list[tuple[object, ...]]:
        with tenant_context(self.tenant_id), connection.cursor() as cursor:
            cursor.execute(
                "SELECT key, status, attempt, lease_owner, lease_until, not_before, pending_children, error_message"
                " FROM research_step WHERE run_id = %s AND status IN ('pending', 'running', 'retrying')",
                [run.pk],
            )
            return cursor.fetchall()

    def troubles(self, run: Run) -> list[tuple[object, ...]]:
        """Steps that came to nothing."""
        with tenant_context(self.tenant_id):
            lost = Step.objects.filter(run=run, status__in=["failed", "skipped"])
            return list(lost.values_list("key", "status", "attempt", "error_code", "error_message", "output"))

    def progress_after(self, run: Run, moment: float) -> float | None:
        """Seconds from a moment until the run's next step was finished."""
        with tenant_context(self.tenant_id), connection.cursor() as cursor:
            cursor.execute(
                "SELECT min(extract(epoch FROM completed_at)) - %s FROM research_step"
                " WHERE run_id = %s AND extract(epoch FROM completed_at) > %s",
                [moment, run.pk, moment],
            )
            found = cursor.fetchone()[0]
        return None if found is None else float(found)

    def assert_whole(self, made: Rig, *runs: Run, clocks_agree: bool = True) -> None:
        """Assert that the run has the report of the same run without kills, and breaks no invariant."""
        for run in map(self.fresh, runs):
            assert (run.state, run.failure_message, self.troubles(run)) == (State.COMPLETED, "", [])
            assert run.outcome["summary"] == [self.report_of(made, run.config)]
        self.assert_sound(made, clocks_agree=clocks_agree)

    def assert_sound(self, made: Rig, *, clocks_agree: bool = True) -> None:
        """No invariant is broken, however the runs ended."""
        with tenant_context(self.tenant_id):
            runs = list(Run.objects.all())
        assert made.wait_until(lambda: not invariants.find_violations(self.tenant_id), 5), (
            invariants.find_violations(self.tenant_id)
        )
        if clocks_agree:  # the log is by the workers' clocks, the rows by the database's
            assert invariants.find_repeated_steps(made.log, runs) == []
        assert invariants.calls_beyond_rows(made.calls, self.tenant_id) == {}
        files = None if self.kept is None else set(self.kept())
        stray = invariants.stray_objects(self.tenant_id, self.world.paths.files, files)
        assert stray["rows without an object"] == set()

    def report_of(self, made: Rig, config: Mapping[str, object]) -> str:
        """Return the report of a run of the same size without kills; tried once."""
        size = {
            name: config[name] for name in ("subtopics", "width", "passages", "edition") if name in config
        }
        key = json.dumps(size, sort_keys=True)
        if key not in _undisturbed:
            run = self.start(made, **size)
            self.wait(made, run)
            _undisturbed[key] = str(self.fresh(run).outcome["summary"][0])
        return _undisturbed[key]


def new_key() -> str:
    return f"key.{next(_numbers)}"


def send(made: Rig, tenant_id: UUID, key: str, config: Mapping[str, object], crash_at: str = "") -> None:
    """The same key again is the same order."""
    made.web("start", tenant_id, key, json.dumps({**SMALL, **config}), crash_at=crash_at)


def new_stage(world: World) -> Stage:
    if not User.objects.exists():
        User.objects.create_user("ada")
    return Stage(world, create_tenant("Crashing").pk)


def wait_for_completion(made: Rig, stage: Stage, run: Run, limit_s: float = 90) -> None:
    """Wait for the end, and look at everything."""
    stage.wait(made, run, limit_s)
    stage.assert_whole(made, run)


def count_begun_steps(made: Rig, run: Run) -> int:
    return sum(execution.run_id == str(run.pk) for execution in invariants.executions(made.log))
