"""`bench_tables`: measure tables from request to finished run, in this process or by a site's workers."""

import json
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Min

from research.accounts.people import Account
from research.db.tenancy import tenant_context
from research.engine.runner import drive
from research.management.bench_viewer import duration_of, wait_for_end
from research.management.command_options import settings_of, whole
from research.management.process_costs import NoSite, costs_of_site
from research.models import Item, ItemStatus, ModelCall, Run, State, Step
from research.pipelines.foreground import NoSuchLibrary, open_library, workplace
from research.pipelines.report.report_config import ConfigError
from research.pipelines.table.fields import FieldType, TableField
from research.pipelines.table.refusals import TableRefused
from research.pipelines.table.start import start_table

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


class Command(BaseCommand):
    """Items are called “item 0 of 0”, “item 1 of 0” …; with --library they are looked up in its documents."""

    help = "Measure a table: seconds from the request to the last row and to the first, CPU and commits."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--items", type=whole(), default=200, help="rows; 200 by default")
        parser.add_argument("--library", metavar="DIR", help="a folder of documents, one for each item")
        parser.add_argument("--repeat", type=whole(), default=1, help="how often; 1 by default")
        parser.add_argument("--limit", type=whole(), default=600, help="seconds to wait at the longest")
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
                    with costs_of_site() as costs:
                        measured = _measure_table(
                            account,
                            inputs,
                            config,
                            by_workers=bool(options["by_workers"]),
                            limit_s=int(options["limit"]),
                        )
                    self.stdout.write(json.dumps(asdict(measured)))
                    self.stdout.write(json.dumps(costs.as_json(measured.calls)))
        except (ConfigError, NoSite, NoSuchLibrary, TableRefused) as error:
            raise CommandError(str(error)) from error


def _measure_table(
    account: Account, inputs: list[str], config: dict[str, object], *, by_workers: bool, limit_s: int
) -> TableTiming:
    """Run a table and return its figures. Raises CommandError if it does not finish in time."""
    with tenant_context(account.tenant_id):
        run = start_table(
            owner=account.user,
            prompt="Capacity and revenue of each item",
            inputs=inputs,
            fields=FIELDS,
            template="Capacity and revenue of {{input}}",
            config={"reviews": "never", **config},
        )
    state = wait_for_end(account, run.pk, limit_s) if by_workers else drive(account.tenant_id, run.pk)
    if state != State.COMPLETED:
        raise CommandError(f"The table ended as {state}.")
    return _figures(account, run.pk, duration_of(account, run.pk))


def _figures(account: Account, run_id: UUID, seconds: float) -> TableTiming:
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=run_id)
        done = Item.objects.filter(run=run, status=ItemStatus.COMPLETED)
        first = done.aggregate(at=Min("completed_at"))["at"]
        return TableTiming(
            rows=run.items_total,
            seconds=round(seconds, 2),
            first_row_s=round((first - run.created_at).total_seconds(), 2) if first else None,
            completed=run.items_completed,
            failed=run.items_failed,
            steps=Step.objects.filter(run=run).count(),
            calls=ModelCall.objects.filter(run=run).count(),
        )
