"""Changes by an owner to an existing table: release the rest, retry, add, change.

Each act is one transaction with the run's row locked, and refuses in words (`TableRefused`) what can't be done now.
While a table is under way its rows are taken up as they become free; nothing of what it has is lost. One that has ended
is opened again for it; a pilot that waits for its release fills its first rows again, then waits anew.
"""

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from exports.stored.translate_exported_sentences import translate_stored_text
from research.engine.pipeline_registry import JsonObject
from research.engine.states.state_reopening import reopen_run
from research.engine.states.transitions import lock_run
from research.llm.budgets.budget_credit_funding import ITEM_CREDITS, fund_again
from research.llm.budgets.credits import usd_of
from research.models import Escalation, EscalationStatus, Item, ItemStatus, Kind, ReviewAct, Run, State
from research.models.schemas import StoredDecision
from research.pipelines.table.items.initial_table_rows import new_items
from research.pipelines.table.items.table_row_lanes import touch
from research.pipelines.table.plan_table import next_version
from research.pipelines.table.start_table import validate_inputs
from research.pipelines.table.table_columns import LISTED, TableField, complaints
from research.pipelines.table.table_config import MAX_ITEMS, TableConfig, parse_config
from research.pipelines.table.table_refusals import TableRefused, credits_in_words
from research.review.decide_review_items import DecisionRefused, answer_by_change, decide_whole

__all__ = [
    "TableRefused",
    "add_field",
    "add_rows",
    "change_field",
    "release_rest",
    "rerun_cell",
    "retry_failed",
]

ENDED = (ItemStatus.COMPLETED, ItemStatus.FAILED)


def release_rest(run_id: UUID, who: User) -> int:
    """Release the rows held behind a pilot and return how many there are. Raises TableRefused."""
    with transaction.atomic():
        run = _lock_table_run(run_id)
        held = Item.objects.filter(run=run, is_held=True).count()
        asked = _pilot(run)
        if not held:
            raise TableRefused(_("No row of this table is waiting to be released."))
        if asked is None:
            return _release_beforehand(run, who)
        try:
            decide_whole(asked.pk, who, ReviewAct.ACCEPT, StoredDecision())
        except DecisionRefused as refused:
            raise TableRefused(str(refused)) from refused
    return held


def _pilot(run: Run) -> Escalation | None:
    """Return the open escalation that a pilot waits on, if any."""
    return Escalation.objects.filter(run=run, rule="pilot_release", status=EscalationStatus.OPEN).first()


def _release_beforehand(run: Run, who: User) -> int:
    """Release the held rows while no escalation is open: the pilot is under way, or the table has ended with it."""
    held = Q(is_held=True)
    if run.is_finished:
        return _fill(run, held, who, {"what": "release_rest"})
    count = touch(run, held, is_held=False)
    _increment_snapshot_version(run)
    return count


def retry_failed(run_id: UUID, who: User) -> int:
    """Retry the failed rows and return how many there are. Raises TableRefused."""
    with transaction.atomic():
        run = _lock_table_run(run_id)
        failed = Q(status=ItemStatus.FAILED)
        if not Item.objects.filter(failed, run=run).exists():
            raise TableRefused(_("No row of this table has failed."))
        return _fill(run, failed, who, {"what": "retry_failed", "by": who.get_username()})


def rerun_cell(run_id: UUID, who: User, row: int, field: str) -> None:
    """Look for one cell again. `row` counts from 1. Raises TableRefused."""
    with transaction.atomic():
        run = _lock_table_run(run_id)
        if _config(run).field(field) is None:
            raise TableRefused(_("This table has no such column."))
        item = Item.objects.filter(run=run, index=row - 1).first()
        if item is None:
            raise TableRefused(_("This table has no such row."))
        _check_is_looked_up(field)
        if item.status not in ENDED:
            raise TableRefused(_("This row is being filled. Wait until it is finished."))
        wanted = list(dict.fromkeys([*item.wanted, field]))
        Item.objects.filter(pk=item.pk).update(wanted=wanted)
        facts: JsonObject = {"what": "rerun_cell", "by": who.get_username(), "row": row, "field": field}
        _fill(run, Q(pk=item.pk), who, facts)


def add_rows(run_id: UUID, who: User, inputs: Sequence[str]) -> int:
    """Append the rows that the table does not have yet and return how many there are. Raises TableRefused."""
    with transaction.atomic():
        run = _lock_table_run(run_id)
        known = set(Item.objects.filter(run=run).values_list("input", flat=True))
        rows = [row for row in validate_inputs(inputs) if row not in known]
        if not rows:
            raise TableRefused(_("The table already has these rows."))
        validate_inputs(rows, MAX_ITEMS - len(known))
        first, pilot = Item.objects.filter(run=run).count(), _pilot(run)
        held_from = first if pilot else None  # with the others that wait for their release
        Item.objects.bulk_create(new_items(run, _config(run), rows, first=first, held_from=held_from))
        Run.objects.filter(pk=run.pk).update(items_total=F("items_total") + len(rows))
        facts: JsonObject = {"what": "add_rows", "by": who.get_username(), "rows": len(rows)}
        if pilot:
            _increment_snapshot_version(run)
        else:
            _fill(run, Q(index__gte=first), who, facts)
    return len(rows)


def add_field(run_id: UUID, who: User, field: TableField) -> None:
    """Append a column and look up its cells only. Raises TableRefused."""
    with transaction.atomic():
        run = _lock_table_run(run_id)
        config = _config(run)
        if wrong := complaints([*config.fields, field]):
            raise TableRefused(" ".join(map(translate_stored_text, wrong)))
        if _are_being_filled(run):
            raise TableRefused(_("Rows are being filled. Add the column when they are finished."))
        _set_fields(run, [*config.fields, field])
        _want(Item.objects.filter(run=run), field.name)
        facts: JsonObject = {"what": "add_field", "by": who.get_username(), "field": field.name}
        _fill(run, Q(status__in=ENDED), who, facts)


def change_field(run_id: UUID, who: User, name: str, field: TableField) -> None:
    """Change a column and look up its cells again in the rows that have ended. Raises TableRefused.

    The column takes the name of `field`, because values are found by the column's name, too.
    """
    with transaction.atomic():
        run = _lock_table_run(run_id)
        config = _config(run)
        if (before := config.field(name)) is None:
            raise TableRefused(_("This table has no such column."))
        _check_is_looked_up(name)
        if before == field:
            raise TableRefused(_("You have not changed anything about the column."))
        changed = [field if column.name == name else column for column in config.fields]
        if wrong := complaints(changed):
            raise TableRefused(" ".join(map(translate_stored_text, wrong)))
        if _are_being_filled(run):
            raise TableRefused(_("Rows are being filled. Change the column when they are finished."))
        _set_fields(run, changed)
        _rename(run, name, field.name)
        _want(Item.objects.filter(run=run, status__in=ENDED), field.name)
        facts: JsonObject = {"what": "change_field", "by": who.get_username(), "field": field.name}
        _fill(run, Q(status__in=ENDED), who, facts)


def _check_is_looked_up(field: str) -> None:
    """Raise TableRefused for the column that says where a row is listed."""
    if field == LISTED:
        raise TableRefused(_("This column says where each row is listed. It cannot be looked up again."))


def _rename(run: Run, before: str, name: str) -> None:
    """Rename the column in the stored cells and in the lists of wanted fields of all items."""
    items = list(Item.objects.filter(run=run).only("pk", "wanted", "result")) if before != name else []
    for item in items:
        item.wanted = [name if column == before else column for column in item.wanted]
        cells = item.result or {}
        item.result = {name if key == before else key: cell for key, cell in cells.items()} or None
    Item.objects.bulk_update(items, ["wanted", "result"], batch_size=500)


def _are_being_filled(run: Run) -> bool:
    return Item.objects.filter(run=run, is_held=False).exclude(status__in=ENDED).exists()


def _set_fields(run: Run, fields: Sequence[TableField]) -> None:
    columns = [field.model_dump(mode="json", exclude_defaults=True) for field in fields]
    changed = {**run.config, "fields": columns}
    parse_config(changed)
    Run.objects.filter(pk=run.pk).update(config=changed)
    run.config = changed


def _want(rows: QuerySet[Item], name: str) -> None:
    """Mark the column's cell as wanted in each of the rows."""
    items = list(rows.only("pk", "wanted"))
    for item in items:
        item.wanted = list(dict.fromkeys([*item.wanted, name]))
    Item.objects.bulk_update(items, ["wanted"], batch_size=500)


def _lock_table_run(run_id: UUID) -> Run:
    """Lock the run and return it. Raises TableRefused and Run.DoesNotExist."""
    run = lock_run(run_id)
    if run is None:
        raise Run.DoesNotExist
    if run.kind != Kind.TABLE:
        raise TableRefused(_("This run is not a table."))
    if run.state in (State.CREATED, State.PLANNING):
        raise TableRefused(_("The table is still being planned. Wait until it has started."))
    return run


def _config(run: Run) -> TableConfig:
    return TableConfig.model_validate(run.config)


def _fill(run: Run, which: Q, who: User, facts: JsonObject) -> int:
    """Queue the rows to be filled, reopening a finished run, and return how many there are. Raises TableRefused."""
    pilot = _pilot(run)
    count = touch(run, which, status=ItemStatus.PENDING, is_held=False, error="", error_code="")
    if run.is_finished:
        _open(run, count, facts)
    elif pilot is not None:
        _fill_pilot(pilot, who)
    elif run.state != State.COLLECTING:
        raise TableRefused(
            _("The table is being summarized or is waiting for an answer. Wait until that is done.")
        )
    _increment_snapshot_version(run)
    return count


def _fill_pilot(pilot: Escalation, who: User) -> None:
    """Close the pilot's escalation as answered by the change; it is raised anew once the first rows have ended."""
    try:
        answer_by_change(pilot.pk, who, StoredDecision(note=_("Changed on the page of the table.")))
    except DecisionRefused as refused:
        raise TableRefused(str(refused)) from refused


def _open(run: Run, count: int, facts: JsonObject) -> None:
    next_version(run)
    with credits_in_words():
        fund_again(run.pk, usd_of(ITEM_CREDITS * count))
    run.refresh_from_db()
    reopen_run(run, State.COLLECTING, facts)


def _increment_snapshot_version(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(snapshot_version=F("snapshot_version") + 1)
