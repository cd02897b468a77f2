"""What an owner does to a table that is there: release, try again, add. A finished table is opened again for it.

Each act is one transaction with the run's row locked, and refuses in words (`TableRefused`) what can't be done now.
While a table is under way its rows are taken up as they become free; nothing of what it has is lost.
"""

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from exports.stored.matching import stored
from research.governance.credits import usd_of
from research.governance.funding import ITEM_CREDITS, fund_again
from research.lifecycle.recipe import JsonObject
from research.lifecycle.reopening import open_again
from research.lifecycle.transitions import lock_run
from research.models import Escalation, EscalationStatus, Item, ItemStatus, Kind, ReviewAct, Run, State
from research.models.schemas import StoredDecision
from research.recipes.table.config import MOST_ITEMS, TableConfig, parse_config
from research.recipes.table.fields import Field, complaints
from research.recipes.table.items.lanes import touch
from research.recipes.table.items.rows import new_items
from research.recipes.table.planning import next_version
from research.reviewing.deciding import DecisionRefused, decide_whole
from research.tables.refusing import TableRefused, credits_in_words
from research.tables.starting import checked_inputs

__all__ = ["TableRefused", "add_field", "add_rows", "release_rest", "rerun_cell", "retry_failed"]

ENDED = (ItemStatus.COMPLETED, ItemStatus.FAILED)


def release_rest(run_id: UUID, who: User) -> int:
    """Let the rows behind a pilot be filled too: how many. Raises TableRefused."""
    with transaction.atomic():
        run = _locked(run_id)
        held = Item.objects.filter(run=run, is_held=True).count()
        asked = Escalation.objects.filter(run=run, rule="pilot_release", status=EscalationStatus.OPEN).first()
        if not held:
            raise TableRefused(_("No row of this table waits to be released."))
        if asked is None:
            return _release_beforehand(run)
        try:
            decide_whole(asked.pk, who, ReviewAct.ACCEPT, StoredDecision())
        except DecisionRefused as refused:
            raise TableRefused(str(refused)) from refused
    return held


def _release_beforehand(run: Run) -> int:
    """The pilot is still under way, or the table has ended with it."""
    held = Q(is_held=True)
    if run.is_finished:
        return _fill(run, held, "release_rest", {})
    count = touch(run, held, is_held=False)
    _seen(run)
    return count


def retry_failed(run_id: UUID, who: User) -> int:
    """Have the rows that failed tried again: how many. Raises TableRefused."""
    with transaction.atomic():
        run = _locked(run_id)
        failed = Q(status=ItemStatus.FAILED)
        if not Item.objects.filter(failed, run=run).exists():
            raise TableRefused(_("No row of this table has failed."))
        return _fill(run, failed, "retry_failed", {"by": who.get_username()})


def rerun_cell(run_id: UUID, who: User, row: int, field: str) -> None:
    """Look for one cell again. `row` counts from 1. Raises TableRefused."""
    with transaction.atomic():
        run = _locked(run_id)
        if _config(run).field(field) is None:
            raise TableRefused(_("This table has no such column."))
        item = Item.objects.filter(run=run, index=row - 1).first()
        if item is None:
            raise TableRefused(_("This table has no such row."))
        if item.status not in ENDED:
            raise TableRefused(_("This row is being filled just now: wait until it has ended."))
        wanted = list(dict.fromkeys([*item.wanted, field]))
        Item.objects.filter(pk=item.pk).update(wanted=wanted)
        _fill(run, Q(pk=item.pk), "rerun_cell", {"by": who.get_username(), "row": row, "field": field})


def add_rows(run_id: UUID, who: User, inputs: Sequence[str]) -> int:
    """Those that the table does not have yet, behind the others: how many. Raises TableRefused."""
    with transaction.atomic():
        run = _locked(run_id)
        known = set(Item.objects.filter(run=run).values_list("input", flat=True))
        rows = [row for row in checked_inputs(inputs) if row not in known]
        if not rows:
            raise TableRefused(_("The table has these rows already."))
        checked_inputs(rows, MOST_ITEMS - len(known))
        first = Item.objects.filter(run=run).count()
        Item.objects.bulk_create(new_items(run, _config(run), rows, first=first))
        Run.objects.filter(pk=run.pk).update(items_total=F("items_total") + len(rows))
        _fill(run, Q(index__gte=first), "add_rows", {"by": who.get_username(), "rows": len(rows)})
    return len(rows)


def add_field(run_id: UUID, who: User, field: Field) -> None:
    """A further column, behind the others; its cells alone are looked for. Raises TableRefused."""
    with transaction.atomic():
        run = _locked(run_id)
        config = _config(run)
        if wrong := complaints([*config.fields, field]):
            raise TableRefused(" ".join(map(stored, wrong)))
        if Item.objects.filter(run=run).exclude(status__in=ENDED).exists():
            raise TableRefused(_("Rows are being filled just now: add the column when they have ended."))
        column = field.model_dump(mode="json", exclude_defaults=True)
        changed = {**run.config, "fields": [*run.config["fields"], column]}
        parse_config(changed)
        Run.objects.filter(pk=run.pk).update(config=changed)
        run.config = changed
        items = list(Item.objects.filter(run=run).only("pk", "wanted"))
        for item in items:
            item.wanted = [*item.wanted, field.name]
        Item.objects.bulk_update(items, ["wanted"], batch_size=500)
        _fill(run, Q(), "add_field", {"by": who.get_username(), "field": field.name})


def _locked(run_id: UUID) -> Run:
    """Raises TableRefused, and Run.DoesNotExist."""
    run = lock_run(run_id)
    if run is None:
        raise Run.DoesNotExist
    if run.kind != Kind.TABLE:
        raise TableRefused(_("This run is no table."))
    if run.state in (State.CREATED, State.PLANNING):
        raise TableRefused(_("The table is only being planned: wait until it has begun."))
    return run


def _config(run: Run) -> TableConfig:
    return TableConfig.model_validate(run.config)


def _fill(run: Run, which: Q, why: str, facts: JsonObject) -> int:
    """Have these rows filled: by the lanes that are there, or by the table opened again for it. Raises TableRefused."""
    count = touch(run, which, status=ItemStatus.PENDING, is_held=False, error="", error_code="")
    if run.is_finished:
        _open(run, count, {"what": why, **facts})
    elif run.state != State.COLLECTING:
        raise TableRefused(
            _("The table is being summed up, or waits for an answer: wait until that is over.")
        )
    _seen(run)
    return count


def _open(run: Run, count: int, facts: JsonObject) -> None:
    next_version(run)
    with credits_in_words():
        fund_again(run.pk, usd_of(ITEM_CREDITS * count))
    run.refresh_from_db()
    open_again(run, State.COLLECTING, facts)


def _seen(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(snapshot_version=F("snapshot_version") + 1)
