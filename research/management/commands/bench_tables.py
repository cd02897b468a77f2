"""`bench_tables`: measure tables from request to finished run, in this process or by a site's workers."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import asdict, dataclass
from datetime import datetime

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Min
from django.utils import timezone

from citations.models import Citation
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.management.bench_process_costs import NoSite, costs_of_site
from research.management.bench_viewer import wait_for_end
from research.management.command_options import settings_of, whole
from research.models import (
    FINISHED,
    Escalation,
    EscalationStatus,
    Item,
    ItemStatus,
    ModelCall,
    ReviewAct,
    Run,
    Source,
    SourceStatus,
    State,
    Step,
)
from research.models.schemas import Plan, StoredDecision
from research.pipelines.pipeline_in_foreground import NoSuchLibrary, open_library, workplace
from research.pipelines.report.report_config import ConfigError
from research.pipelines.table.start_proposed_table import list_rows
from research.pipelines.table.start_table import start_table
from research.pipelines.table.table_columns import LISTED, FieldType, TableField
from research.pipelines.table.table_refusals import TableRefused
from research.pipelines.table.table_step_names import TableStepName
from research.review.decide_review_items import decide_whole

Server = Callable[[Run, Container[str]], State]

FIELDS = (
    TableField(name="capacity", type=FieldType.NUMBER),
    TableField(name="revenue", type=FieldType.NUMBER),
    TableField(name="year", type=FieldType.DATE, format="year"),
)


@dataclass(frozen=True, slots=True)
class TableTiming:
    """The figures of one table. `first_row_s` counts from the start of the run; None if no row was
    completed.
    """

    rows: int
    seconds: float
    first_row_s: float | None
    completed: int
    failed: int
    steps: int
    calls: int  # of a model
    filled: float  # share of the cells that have a value
    filled_at_first: float  # before the empty and disputed ones were tried again


@dataclass(frozen=True, slots=True)
class ListTiming:
    """The figures of a list of rows that a table found by itself."""

    found: int
    cited: int  # rows with a quote of a list that names them
    pages: int  # that were read for it
    seconds: float
    completeness: str


class Command(BaseCommand):
    """Items are called “item 0 of 0”, “item 1 of 0” …; with --library they are looked up in its documents."""

    help = "Measure a table: seconds from the request to the last row and to the first, CPU and commits."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--items", type=whole(), default=200, help="rows; 200 by default")
        parser.add_argument(
            "--find", metavar="PROMPT", help="find the rows in lists of the sources, instead of --items"
        )
        parser.add_argument("--library", metavar="DIR", help="a folder of documents, one for each item")
        parser.add_argument("--repeat", type=whole(), default=1, help="number of repetitions; 1 by default")
        parser.add_argument("--limit", type=whole(), default=600, help="maximum seconds to wait")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the runs"
        )
        parser.add_argument(
            "--by-workers", action="store_true", help="leave the work to a running site's workers"
        )

    def handle(self, *args: object, **options: str) -> None:
        config = settings_of(options["set"])
        try:
            with workplace() as account:
                if options["library"]:
                    config["folders"] = [open_library(account, options["library"])]
                for number in range(int(options["repeat"])):
                    inputs = [f"item {index} of {number}" for index in range(int(options["items"]))]
                    serve = _server(account, int(options["limit"]), by_workers=bool(options["by_workers"]))
                    with costs_of_site() as costs:
                        if options["find"]:
                            run, listed = _find_rows(account, options["find"], config, serve)
                            began = timezone.now()
                            self.stdout.write(json.dumps(asdict(listed)))
                        else:
                            run = _start_table(account, inputs, config)
                            began = run.created_at
                        measured = _measure_table(account, run, began, serve)
                    self.stdout.write(json.dumps(asdict(measured)))
                    self.stdout.write(json.dumps(costs.as_json(measured.calls)))
        except (ConfigError, NoSite, NoSuchLibrary, TableRefused) as error:
            raise CommandError(str(error)) from error


def _server(account: PersonalAccount, limit_s: float, *, by_workers: bool) -> Server:
    """Return what works on a run until it is in one of the given states, and returns that."""
    if by_workers:
        return lambda run, ends: wait_for_end(account, run.pk, limit_s, ends)
    return lambda run, _: drive(account.tenant_id, run.pk)


def _start_table(account: PersonalAccount, inputs: list[str], config: dict[str, object]) -> Run:
    with tenant_context(account.tenant_id):
        return start_table(
            owner=account.user,
            prompt="Capacity and revenue of each item",
            inputs=inputs,
            fields=FIELDS,
            template="Capacity and revenue of {{input}}",
            config={"reviews": "never", **config},
        )


def _find_rows(
    account: PersonalAccount, prompt: str, config: dict[str, object], serve: Server
) -> tuple[Run, ListTiming]:
    """Find the rows of a table, and approve them. Raises CommandError if none are found."""
    with tenant_context(account.tenant_id):
        run = list_rows(owner=account.user, prompt=prompt, config=config)
    state = serve(run, {*FINISHED, State.HUMAN_REVIEW_PLAN})
    with tenant_context(account.tenant_id):
        run.refresh_from_db()
        asked = Escalation.objects.filter(run=run, status=EscalationStatus.OPEN).first()
        if state != State.HUMAN_REVIEW_PLAN or asked is None or not run.items_total:
            raise CommandError(f"No rows were found; the run is {state}.")
        listed = ListTiming(
            found=run.items_total,
            cited=Citation.objects.filter(claim__run=run).values("claim").distinct().count(),
            pages=Source.objects.filter(run=run, status=SourceStatus.PROCESSED).count(),
            seconds=round((asked.created_at - run.created_at).total_seconds(), 2),
            completeness=Plan.model_validate(run.plan).risks[0],
        )
        decide_whole(asked.pk, account.user, ReviewAct.ACCEPT, StoredDecision())
    return run, listed


def _measure_table(account: PersonalAccount, run: Run, began: datetime, serve: Server) -> TableTiming:
    """Fill a table and return its figures, counted from `began`. Raises CommandError if it does not complete."""
    state = serve(run, FINISHED)
    if state != State.COMPLETED:
        raise CommandError(f"The table ended as {state}.")
    with tenant_context(account.tenant_id):
        run.refresh_from_db()
        done = Item.objects.filter(run=run, status=ItemStatus.COMPLETED)
        first = done.aggregate(at=Min("completed_at"))["at"]
        ended = run.completed_at or began
        return TableTiming(
            rows=run.items_total,
            seconds=round((ended - began).total_seconds(), 2),
            first_row_s=round((first - began).total_seconds(), 2) if first else None,
            completed=run.items_completed,
            failed=run.items_failed,
            steps=Step.objects.filter(run=run).count(),
            calls=ModelCall.objects.filter(run=run).count(),
            filled=_share_found(_count_cells(run)),
            filled_at_first=_share_found(_count_first_cells(run)),
        )


def _count_cells(run: Run) -> Counter[str]:
    rows = Item.objects.filter(run=run).values_list("result", flat=True)
    return Counter(cell["state"] for row in rows for name, cell in (row or {}).items() if name != LISTED)


def _count_first_cells(run: Run) -> Counter[str]:
    """Count the states of the cells as the first try of each row left them."""
    steps = Step.objects.filter(run=run, handler=TableStepName.FILL_ROW)
    counts = Counter[str]()
    for cells in steps.values_list("output__cells", flat=True):
        counts.update(cells or {})
    return counts


def _share_found(cells: Counter[str]) -> float:
    return round(cells["found"] / max(1, cells.total()), 4)
