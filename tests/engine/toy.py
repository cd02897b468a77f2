"""A kind of run made for tests: fan-out, fan-in, CPU and I/O steps, work begun early for a later state,
failures.

It collects `width` sources for each of three subtopics, reads them, and adds up their numbers in a tree.
The result is the same whatever happens on the way. `config["fail"]` maps the end of a step's key to failure
codes, one an execution.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from django.db import connection

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Handler, Policy, StepDraft, StepResult, StepWork, register
from research.engine.states.step_failures import StepError
from research.models import AgentRole, Kind, Queue, Run, Source, SourceStatus, State

if TYPE_CHECKING:
    import pytest

SUBTOPICS = ("alpha", "beta", "gamma")
ROLE = AgentRole.EXECUTOR

# Tests put an event here to hold the step whose key ends so, or a function to be called in it.
gates: dict[str, "Gate"] = {}
actions: dict[str, Callable[[StepWork], None]] = {}


class Gate(threading.Event):
    """Holds a step until it is set, and tells that the step has come."""

    def __init__(self) -> None:
        super().__init__()
        self.waited_for = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        self.waited_for.set()
        return super().wait(timeout)


class ToyPipeline:
    kind = Kind.TECHNICAL
    states = (State.PLANNING, State.COLLECTING, State.READING, State.ANALYZING)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {
            "toy.plan": plan,
            "toy.search": search,
            "toy.fetch": fetch,
            "toy.read": read,
            "toy.split": split,
            "toy.part": part,
            "toy.sum": add_up,
        }

    def policy(self, run: Run) -> Policy:
        return Policy(minimum_sources=int(run.config.get("minimum", 1)))

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        match state:
            case State.PLANNING:
                return [StepDraft("plan", "toy.plan", AgentRole.PLANNER)]
            case State.COLLECTING:
                return [
                    StepDraft(f"search.{name}", "toy.search", ROLE, input={"name": name})
                    for name in SUBTOPICS
                ]
            case State.ANALYZING:
                return [StepDraft("split", "toy.split", ROLE)]
            case _:
                return []


def use(patch: "pytest.MonkeyPatch", *states: State) -> None:
    """Have the recipe use more states, for one test; it has no work in them."""
    patch.setattr(ToyPipeline, "states", (*ToyPipeline.states, *states))


def config_of(work: StepWork) -> dict[str, object]:
    with tenant_context(work.tenant_id):
        return cast(dict[str, object], Run.objects.values_list("config", flat=True).get(pk=work.run_id))


def behave(work: StepWork) -> dict[str, object]:
    """Leave a trace that no kill can take back, then do what the test wants of this step."""
    if log := os.environ.get("TOY_LOG"):
        note_execution(Path(log), work)
    config = config_of(work)
    time.sleep(float(str(config.get("work_s", 0))))  # the work that a real step would do
    for ending, gate in gates.items():
        if work.key.endswith(ending):
            gate.wait(20)
    for ending, act in actions.items():
        if work.key.endswith(ending):
            act(work)
    fail_as_told(work, cast(dict[str, list[str]], config.get("fail", {})))
    return config


def behave_and_close(work: StepWork) -> None:
    """Behave, and close connections, in asyncio's own threads, which the runner does not know."""
    behave(work)
    connection.close()


def note_execution(log: Path, work: StepWork) -> None:
    line = f"{time.time():.6f} {work.run_id} {work.key} {work.fence} {os.getpid()}\n"
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(descriptor, line.encode())
    os.fsync(descriptor)
    os.close(descriptor)


def fail_as_told(work: StepWork, failures: Mapping[str, Sequence[str]]) -> None:
    for ending, codes in failures.items():
        if work.key.endswith(ending) and work.attempt <= len(codes):
            code = codes[work.attempt - 1]
            if code == "BUG":
                raise ZeroDivisionError("a bug in the handler")
            raise StepError(code, f"{work.key} failed on purpose")


async def plan(work: StepWork) -> StepResult:
    await asyncio.to_thread(behave_and_close, work)
    subtopics = [{"name": name, "queries": [name], "target_sources": 2} for name in SUBTOPICS]

    def save() -> None:
        run = Run.objects.get(pk=work.run_id)
        run.plan = {"goal": run.topic, "subtopics": subtopics, "confidence": 0.9}
        run.save(update_fields=["plan"])

    return StepResult({"subtopics": len(subtopics)}, save=save, activity="Planned")


def search(work: StepWork) -> StepResult:
    config = behave(work)
    name = str(work.input["name"])
    width = int(str(config.get("width", 2)))
    fetches = [
        StepDraft(f"fetch.{name}.{number}", "toy.fetch", ROLE, input={"name": name, "number": number})
        for number in range(width)
    ]
    return StepResult({"found": width}, children=fetches)


def fetch(work: StepWork) -> StepResult:
    behave(work)
    name, number = str(work.input["name"]), int(str(work.input["number"]))
    url = f"https://{name}.example/{number}"

    def save() -> None:
        Source.objects.create(run_id=work.run_id, canonical_url=url, subtopic=name)

    read_it = StepDraft(
        f"read.{name}.{number}",
        "toy.read",
        AgentRole.EXTRACTOR,
        Queue.READING,
        {"url": url, "number": number},
        stage=State.READING,
    )
    return StepResult({"url": url}, save=save, children=[read_it])


def read(work: StepWork) -> StepResult:
    behave(work)
    number = int(str(work.input["number"]))

    def save() -> None:
        Source.objects.filter(run_id=work.run_id, canonical_url=work.input["url"]).update(
            status=SourceStatus.PROCESSED, word_count=number + 1
        )

    return StepResult({"words": number + 1}, save=save)


def split(work: StepWork) -> StepResult:
    behave(work)
    with tenant_context(work.tenant_id):
        rows = Source.objects.filter(run_id=work.run_id).order_by("canonical_url")
        words = list(rows.values_list("word_count", flat=True))
    parts = [
        StepDraft(f"part.{number}", "toy.part", ROLE, input={"words": count})
        for number, count in enumerate(words)
    ]
    return StepResult(children=parts, then=StepDraft("sum", "toy.sum", ROLE))


async def part(work: StepWork) -> StepResult:
    await asyncio.to_thread(behave_and_close, work)
    return StepResult({"words": work.input["words"]})


def add_up(work: StepWork) -> StepResult:
    behave(work)
    children = work.children()
    total = sum(int(str(child.output["words"])) for child in children if child.status == "completed")

    def save() -> None:
        run = Run.objects.get(pk=work.run_id)
        run.result = {"summary": [f"{total} words in {len(children)} parts"]}
        run.save(update_fields=["result"])

    return StepResult({"total": total}, save=save)


register(ToyPipeline())
