"""Tables started, driven and looked at by tests."""

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.models import Item, Run
from research.pipelines.table.start_table import start_table
from research.pipelines.table.table_columns import FieldType, TableField

CAPITAL, AREA = TableField(name="capital"), TableField(name="area", type=FieldType.NUMBER, format="km²")


def begin(
    account: PersonalAccount, library: str, *inputs: str, is_pilot: bool = False, **config: object
) -> Run:
    with tenant_context(account.tenant_id):
        return start_table(
            owner=account.user,
            prompt="Capital and area of each land",
            inputs=inputs,
            fields=[CAPITAL, AREA],
            config={"folders": [library], **config},
            is_pilot=is_pilot,
        )


def fill_table(account: PersonalAccount, run: Run) -> Run:
    """Driven until it ends or waits for a person."""
    drive(account.tenant_id, run.pk)
    return now(run)


def now(run: Run) -> Run:
    with tenant_context(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def values(run: Run) -> dict[str, dict[str, object]]:
    """Return the values of the cells, row by row; a cell without a value is None."""
    with tenant_context(run.tenant_id):
        rows = Item.objects.filter(run=run).order_by("index")
        return {row.input: {name: cell["value"] for name, cell in (row.result or {}).items()} for row in rows}


def statuses(run: Run) -> list[str]:
    with tenant_context(run.tenant_id):
        rows = Item.objects.filter(run=run).order_by("index")
        return list(rows.values_list("status", flat=True))


def break_row(run: Run, index: int) -> None:
    """Break a row, as it is after its tries are spent."""
    with tenant_context(run.tenant_id):
        reason = {"state": "failed", "reason": "No answer in time."}
        Item.objects.filter(run=run, index=index).update(
            status="failed",
            error="No answer in time.",
            error_code="TIMEOUT",
            wanted=["capital", "area"],
            result={"capital": reason, "area": reason},
        )
