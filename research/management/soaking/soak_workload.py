"""The workload of a soak test: runs of every kind one after the other, their files, and viewers."""

import itertools
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from uuid import UUID

import httpx2

from exports.files.request_export import request_export, why_not
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from exports.models import Export, ExportState
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.library.sample.sample_library_listing import load_suggested_questions
from research.models import FINISHED, Kind, Run, State
from research.pipelines.pipeline_kinds import run_kinds

ASKED = Path(__file__).with_name("asked.json")
LOOK_EVERY_S = 0.5
VIEW_EVERY_S = 2.0  # as often as a page polls at first
RUN_LIMIT_S, FILE_LIMIT_S = 600.0, 300.0  # a run or a file that takes longer is stuck
_CSRF = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_LOCAL = re.compile(r'<form[^>]*action="([^"]*)"')


@dataclass(slots=True)
class SoakResults:
    """The results of a soak so far; written by several threads."""

    ended: Counter[str] = field(default_factory=Counter)  # "report completed" → runs
    files: Counter[str] = field(default_factory=Counter)  # "pdf ready" → files
    answers: Counter[int] = field(default_factory=Counter)  # status → requests; 0: no response
    stuck: list[str] = field(default_factory=list)
    watched: UUID | None = None  # the newest run

    @property
    def faults(self) -> list[str]:
        """Return a description of each fault found so far."""
        wrong = [f"run: {name} ({n})" for name, n in self.ended.items() if not name.endswith(State.COMPLETED)]
        wrong += [
            f"file: {name} ({n})" for name, n in self.files.items() if not name.endswith(ExportState.READY)
        ]
        wrong += [
            f"page: status {status} ({n})" for status, n in self.answers.items() if not 200 <= status < 400
        ]
        return wrong + [f"stuck: {name}" for name in self.stuck]


@cache
def load_run_inputs() -> Mapping[str, dict[str, object]]:
    """Load the inputs and configurations by kind; a report's question is one of the sample library's."""
    found: dict[str, dict[str, object]] = json.loads(ASKED.read_text(encoding="utf-8"))
    return found


def orders() -> Iterator[tuple[Kind, dict[str, object]]]:
    """Yield kinds with their inputs, endlessly."""
    questions = itertools.cycle(question.question for question in load_suggested_questions())
    while True:
        for entry in run_kinds():
            if entry.kind == Kind.REPORT:
                yield entry.kind, {"question": next(questions)}
            else:
                yield entry.kind, dict(load_run_inputs()[entry.kind]["input"])  # type: ignore[call-overload]  # from JSON


class SoakWorkload:
    """Threads that start runs and view them until the context ends."""

    def __init__(self, account: PersonalAccount, address: str, *, askers: int, viewers: int) -> None:
        self.soaked = SoakResults()
        self._account = account
        self._address = address
        self._end = threading.Event()
        self._orders = orders()
        self._formats = itertools.cycle(Format)
        self._lock = threading.Lock()
        kinds = [self._ask] * askers + [self._view] * viewers
        self._threads = [threading.Thread(target=act, daemon=True) for act in kinds]

    @property
    def has_lost_one(self) -> bool:
        """Return True if a thread has died; its traceback is on standard error."""
        return not all(thread.is_alive() for thread in self._threads)

    def __enter__(self) -> "SoakWorkload":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        """Stop the threads after their current run."""
        self._end.set()
        for thread in self._threads:
            thread.join(RUN_LIMIT_S + FILE_LIMIT_S)

    def _ask(self) -> None:
        while not self._end.is_set():
            with self._lock:
                kind, given = next(self._orders)
                formats = [next(self._formats), next(self._formats)]
            run = self._run(kind, given)
            if run.state == State.COMPLETED and not why_not(
                run
            ):  # a run that abstained has no report to export
                for format_ in formats:
                    self._file(run, format_)

    def _run(self, kind: Kind, given: dict[str, object]) -> Run:
        entry = next(run_kind for run_kind in run_kinds() if run_kind.kind == kind)
        quietly = {"reviews": "never"} if "reviews" in entry.config.model_fields else {}
        with tenant_context(self._account.tenant_id):
            run = entry.start_with(self._account.user, given, quietly)
        self.soaked.watched = run.pk
        run = self._wait_for_end(run, RUN_LIMIT_S)
        with self._lock:
            self.soaked.ended[f"{kind} {run.state}"] += 1
        return run

    def _wait_for_end(self, run: Run, limit_s: float) -> Run:
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            with tenant_context(self._account.tenant_id):
                run.refresh_from_db()
            if run.state in FINISHED:
                return run
            time.sleep(LOOK_EVERY_S)
        self.soaked.stuck.append(f"{run.kind} {run.pk} at {run.state}")
        return run

    def _file(self, run: Run, format_: Format) -> None:
        with tenant_context(self._account.tenant_id):
            row = request_export(run, format_, ExportOptions(), self._account.user)
        until = time.monotonic() + FILE_LIMIT_S
        while row.is_open and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
            with tenant_context(self._account.tenant_id):
                row = Export.objects.get(pk=row.pk)
        with self._lock:
            self.soaked.files[f"{format_} {row.state}"] += 1

    def _view(self) -> None:
        with httpx2.Client(base_url=self._address, follow_redirects=True, timeout=60) as client:
            sign_in(client)
            for number in itertools.count():
                if self._end.wait(VIEW_EVERY_S):
                    return
                self._look_on(client, number)

    def _look_on(self, client: httpx2.Client, number: int) -> None:
        """Request a page of the newest run: usually its polled fragment, every fifth time a whole page."""
        run = self.soaked.watched
        page = ("", "log/", "")[number % 3] if number % 5 == 0 else "progress/"
        path = f"/runs/{run}/{page}" if run else "/"
        try:
            status = client.get(
                path, headers={"HX-Request": "true"} if page == "progress/" else {}
            ).status_code
        except httpx2.HTTPError:
            status = 0
        with self._lock:
            self.soaked.answers[status] += 1


def sign_in(client: httpx2.Client) -> None:
    """Sign in as the local user with the first form of the page. Raises httpx2.HTTPError."""
    page = client.get("/login/").text
    form = page[page.index("<form", page.index("<main")) :]
    token, action = _CSRF.search(form), _LOCAL.search(form)
    if token and action:
        client.post(action[1] or "/login/", data={"csrfmiddlewaretoken": token[1]}).raise_for_status()
