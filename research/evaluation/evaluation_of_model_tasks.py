"""Run reports, a table, a brief and a tool loop on a model server and measure their requests, time and outcomes.

A proxy in front of the server counts requests; calls and their outcomes are read from the log of model calls.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

from django.db.models import QuerySet

from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.agents.agent_delegation import Delegation, carry_out
from research.agents.agent_delegation_plan import PlannedStep
from research.agents.agent_findings import Findings
from research.agents.tools.tool_catalogue import catalogue
from research.db.tenancy import tenant_context
from research.evaluation.evaluation_heat_pump_library import (
    COLUMNS,
    LOOK_UP,
    PROMPT,
    PUMPS,
    QUESTIONS,
    brief_result,
    build_expected_cells,
    right_cells,
    write_library,
)
from research.evaluation.evaluation_proxy import CountingProxy, Exchange
from research.llm.model_errors import ModelError
from research.llm.model_settings import load_connection
from research.models import AgentMessage, AgentRole, Item, Kind, ModelCall, ModelCallStatus, Step
from research.models.schemas import StoredCell
from research.pipelines.brief.start_brief import BriefInput
from research.pipelines.pipeline_in_foreground import ask, ask_kind, open_library
from research.pipelines.report.report_step_names import TAKING_NOTES
from research.pipelines.table.start_table import AskedTable
from research.runs.start_and_cancel import cancel_run, start_run

REPAIR = ".repair"  # suffix of the purpose of a repair turn
TASKS = ("report", "table", "brief", "tools")


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """The outcome of one task, with the number of claims proposed by the model and of those whose quotes were found."""

    ended: str
    run_ids: tuple[UUID, ...]
    proposed: int = 0
    anchored: int = 0
    task: str = ""
    seconds: float = 0.0
    requests: int = 0


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """Figures of all tasks together. Shares and rates are None if there was nothing to count."""

    requests: int
    statuses: dict[str, int]  # HTTP status → requests
    forms: dict[str, int]  # requested response format → requests
    refusals: dict[str, int]  # status and start of the message → requests
    calls: int
    used: int  # calls with a usable answer, perhaps after a repair turn
    requests_per_used: float | None
    failures: dict[str, int]  # code → calls
    repaired: int
    tokens_input: int
    tokens_output: int
    tokens_per_second: float | None  # output tokens per second of calls with a reply
    anchored: float | None  # share of the claims that the model proposed
    seconds: float


class OtherModelConnected(Exception):
    """The runs would call the model that is connected on the workspace's page."""


@dataclass
class Evaluation:
    """The tasks of an account, with the counting proxy. The library is written to `folder`.

    `only` names one of `TASKS`; empty: all.
    """

    account: PersonalAccount
    proxy: CountingProxy
    folder: Path
    only: str = ""
    outcomes: list[TaskOutcome] = field(default_factory=list)

    def run(self) -> Iterator[TaskOutcome]:
        """Run the tasks one after the other and yield their outcomes. Raises OtherModelConnected."""
        with tenant_context(self.account.tenant_id):
            if load_connection() is not None:
                raise OtherModelConnected(
                    "A model is connected to the workspace in this data folder, and its runs would call that one."
                    " Name another folder: PLUMBLINE_DATA=build/eval-model."
                )
        write_library(self.folder)
        library = open_library(self.account, str(self.folder))
        for name, act in self._tasks(library):
            if name.split(" ")[0] == self.only or not self.only:
                yield self._time_task(name, act)

    def figures(self) -> ServerFigures:
        run_ids = [run_id for outcome in self.outcomes for run_id in outcome.run_ids]
        with tenant_context(self.account.tenant_id):
            return server_figures(self.outcomes, self.proxy.exchanges, calls_of(run_ids))

    def _time_task(self, name: str, act: Callable[[], TaskOutcome]) -> TaskOutcome:
        began, sent = time.monotonic(), len(self.proxy.exchanges)
        outcome = act()
        timed = replace(
            outcome,
            task=name,
            seconds=round(time.monotonic() - began, 1),
            requests=len(self.proxy.exchanges) - sent,
        )
        self.outcomes.append(timed)
        return timed

    def _tasks(self, library: str) -> Iterator[tuple[str, Callable[[], TaskOutcome]]]:
        for number, question in enumerate(QUESTIONS, start=1):
            yield f"report {number}", partial(self._report, library, question)
        yield "table", partial(self._table, library)
        yield "brief", self._brief
        yield "tools", partial(self._tool_loop, library)

    def _report(self, library: str, question: str) -> TaskOutcome:
        document = ask(self.account, Kind.REPORT, question, {"folders": [library], "depth": "quick"})
        with tenant_context(self.account.tenant_id):
            proposed, anchored = proposals_of(document.run_id)
        return TaskOutcome(_describe_outcome(document), (document.run_id,), proposed, anchored)

    def _table(self, library: str) -> TaskOutcome:
        asked = AskedTable(tuple(name for name, *_ in PUMPS), COLUMNS).as_input(PROMPT)
        document = ask_kind(self.account, Kind.TABLE, asked, {"folders": [library]})
        with tenant_context(self.account.tenant_id):
            cells = load_found_cells(document.run_id)
        right = f"{right_cells(cells)} of {len(build_expected_cells())} cells right, {len(cells)} filled"
        return TaskOutcome(f"{_describe_outcome(document)}; {right}", (document.run_id,))

    def _brief(self) -> TaskOutcome:
        result = brief_result(uuid4())  # unique, because an identical result would get the stored brief
        asked = BriefInput.model_validate({"result": result})
        document = ask_kind(self.account, Kind.BRIEF, asked, {})
        return TaskOutcome(_describe_outcome(document), (document.run_id,))

    def _tool_loop(self, library: str) -> TaskOutcome:
        """Run one researcher with its tools, in a run that does nothing else."""
        with tenant_context(self.account.tenant_id):
            config = {"folders": [library]}
            run = start_run(owner=self.account.user, kind=Kind.REPORT, topic=LOOK_UP, config=config)
            step = Step.objects.get(run=run)
        planned = PlannedStep(id="look_up", title=LOOK_UP, role=AgentRole.RESEARCHER)
        actor = ModelTaskCaller(step.tenant_id, step.run_id, step.pk, step.key, step.fence)
        try:
            done = asyncio.run(carry_out(Delegation(actor, LOOK_UP, catalogue(), "0" * 32), planned, {}))
            found = Findings.model_validate(done.output)
            by = f"done by rules ({done.error_code}: {done.error_message})" if done.error_code else "answered"
            ended = f"{by}; {len(found.data_points)} values, {len(found.excerpts)} excerpts"
        except ModelError as error:
            ended = f"failed ({error.code}: {error.message})"
        with tenant_context(self.account.tenant_id):
            used = AgentMessage.objects.filter(step=step, recipient__startswith="tool:").count()
            cancel_run(run.pk)
        return TaskOutcome(f"{ended}; {used} tool calls", (run.pk,))


@dataclass(frozen=True, slots=True)
class ModelTaskCaller:
    """The run and step on whose behalf the researcher works."""

    tenant_id: UUID
    run_id: UUID
    step_id: UUID
    key: str
    fence: int


def _describe_outcome(document: Document) -> str:
    """Describe the status, engine, claims and failures of a run."""
    said = [f"{document.status}, {document.engine}, {len(document.claims)} claims"]
    said += [document.failure] if document.failure else []
    said += [degradation.reason for degradation in document.degradations]
    return "; ".join(said)


def proposals_of(run_id: UUID) -> tuple[int, int]:
    """Count the claims that a model proposed, and those whose quotes are in their sources. Needs the tenant set."""
    steps = Step.objects.filter(run_id=run_id, handler__in=TAKING_NOTES, output__has_key="admission")
    proposed = unplaced = 0
    for output in steps.values_list("output", flat=True):
        proposed += output["claims"] + output["refused"] + output["unplaced"]
        unplaced += output["unplaced"]
    return proposed, proposed - unplaced


def load_found_cells(run_id: UUID) -> Mapping[tuple[str, str], object]:
    """Return the found values by item and column. Needs the tenant set."""
    cells: dict[tuple[str, str], object] = {}
    for row in Item.objects.filter(run=run_id):
        for column, stored in (row.result or {}).items():
            cell = StoredCell.model_validate(stored)
            if cell.state == "found":
                cells[row.input, column] = cell.value
    return cells


def calls_of(run_ids: Sequence[UUID]) -> "QuerySet[ModelCall, ModelCall]":
    return ModelCall.objects.filter(run__in=run_ids)


def server_figures(
    outcomes: Sequence[TaskOutcome], exchanges: Sequence[Exchange], calls: "QuerySet[ModelCall, ModelCall]"
) -> ServerFigures:
    """Return the figures of all tasks. Needs the tenant set."""
    answered = [call for call in calls if call.status == ModelCallStatus.STORED]
    used = {(call.run_id, call.step_key, call.purpose.removesuffix(REPAIR)) for call in answered}
    proposed = sum(outcome.proposed for outcome in outcomes)
    # Replies that could not be used were generated, too.
    replied = [call for call in calls if call.tokens_output]
    busy_s = sum(call.duration_ms or 0 for call in replied) / 1000
    written = sum(call.tokens_output for call in replied)
    return ServerFigures(
        requests=len(exchanges),
        statuses=_count_names(str(exchange.status) for exchange in exchanges),
        forms=_count_names(exchange.form for exchange in exchanges),
        refusals=_count_names(
            f"{refused.status} {refused.reason}" for refused in exchanges if refused.status != 200
        ),
        calls=len(calls),
        used=len(used),
        requests_per_used=round(len(exchanges) / len(used), 2) if used else None,
        failures=_count_names(call.error_code or call.status for call in calls if call not in answered),
        repaired=sum(call.purpose.endswith(REPAIR) for call in answered),
        tokens_input=sum(call.tokens_input for call in replied),
        tokens_output=written,
        tokens_per_second=round(written / busy_s, 1) if busy_s else None,
        anchored=round(sum(outcome.anchored for outcome in outcomes) / proposed, 3) if proposed else None,
        seconds=round(sum(outcome.seconds for outcome in outcomes), 1),
    )


def _count_names(names: Iterator[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


def format_figures(figures: ServerFigures) -> Iterator[str]:
    """Yield a line for each figure, for a terminal."""
    per = "–" if figures.requests_per_used is None else f"{figures.requests_per_used:.2f}"
    counts = f"{_format_counts(figures.statuses)}; {_format_counts(figures.forms)}"
    yield f"requests sent           {figures.requests} ({counts})"
    yield f"calls                   {figures.calls}, {figures.used} of use, {figures.repaired} after a repair turn"
    yield f"requests a call of use  {per}"
    yield f"failures                {_format_counts(figures.failures) or 'none'}"
    yield from (f"refused                 {count} × {reason}" for reason, count in figures.refusals.items())
    rate = "" if figures.tokens_per_second is None else f", {figures.tokens_per_second} a second"
    yield f"tokens                  {figures.tokens_input} read, {figures.tokens_output} written{rate}"
    share = "no claim was proposed" if figures.anchored is None else f"{figures.anchored:.0%}"
    yield f"claims anchored         {share}"
    yield f"seconds                 {figures.seconds}"


def _format_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def as_json(outcomes: Sequence[TaskOutcome], figures: ServerFigures) -> dict[str, object]:
    tasks = [
        {**asdict(outcome), "run_ids": [str(run_id) for run_id in outcome.run_ids]} for outcome in outcomes
    ]
    return {"tasks": tasks, "figures": asdict(figures)}
