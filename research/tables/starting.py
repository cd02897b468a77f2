"""Starting a table: its items, its columns and what it may take are known before anything is spent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from research.estimating import table_estimate
from research.lifecycle.recipe import Json
from research.models import Item, Kind, Run
from research.recipes.table.config import (
    LONGEST_ITEM,
    MOST_ITEMS,
    PILOT_ITEMS,
    ConfigError,
    TableConfig,
    parse_config,
    prompt_for,
)
from research.recipes.table.fields import Field, complaints
from research.runs import is_binary, start_run
from research.tables.refusing import TableRefused

__all__ = ["AskedTable", "TableEstimate", "TableRefused", "checked_inputs", "estimate_table", "start_table"]


@dataclass(frozen=True, slots=True)
class AskedTable:
    """Items, columns, and how each item is asked."""

    inputs: tuple[str, ...]
    fields: tuple[Field, ...]
    template: str = ""


@dataclass(frozen=True, slots=True)
class TableEstimate:
    """What a table will take; minutes of 0: less than one."""

    rows: int
    credits: Decimal
    minutes_low: int
    minutes_high: int


def estimate_table(rows: int, config: Mapping[str, Json] | None = None) -> TableEstimate:
    """Before it is started. Needs no database."""
    found = table_estimate({**(config or {}), "rows": rows})
    return TableEstimate(rows, found.credits or Decimal(0), found.minutes_low, found.minutes_high)


def start_table(
    *,
    owner: User,
    prompt: str,
    inputs: Sequence[str],
    fields: Sequence[Field],
    template: str = "",
    config: Mapping[str, object] | None = None,
    is_pilot: bool = False,
    client_key: str | None = None,
) -> Run:
    """Create a table's run with its rows. The same `client_key` again gives the run of the first time.

    `is_pilot`: after the first five rows the others wait to be released. Raises TableRefused for rows and columns
    that make no table; InvalidTopic and StartRefused as `start_run` does.
    """
    rows = checked_inputs(inputs)
    checked = _config(fields, template, {**(config or {}), "rows": len(rows)})
    asks = checked.reviews == "ask"
    with transaction.atomic():
        run = start_run(
            owner=owner,
            kind=Kind.TABLE,
            topic=prompt,
            config=checked.model_dump(mode="json", exclude_defaults=True),
            client_key=client_key,
        )
        if not Item.objects.filter(run=run).exists():
            held_from = PILOT_ITEMS if is_pilot and asks else len(rows)
            Item.objects.bulk_create(new_items(run, checked, rows, held_from=held_from))
            Run.objects.filter(pk=run.pk).update(items_total=len(rows))
    return run


def _config(fields: Sequence[Field], template: str, values: Mapping[str, object]) -> TableConfig:
    """Raises TableRefused."""
    if wrong := complaints(fields):
        raise TableRefused(" ".join(wrong))
    columns = [field.model_dump(mode="json", exclude_defaults=True) for field in fields]
    given = {**values, "fields": columns} | ({"template": template.strip()} if template.strip() else {})
    try:
        return parse_config(given)
    except ConfigError as error:
        raise TableRefused(str(error)) from error


def checked_inputs(inputs: Sequence[str], room: int = MOST_ITEMS) -> list[str]:
    """Items as they are stored: no blank ones, each once. Raises TableRefused."""
    rows = list(dict.fromkeys(filter(None, (" ".join(one.split()) for one in inputs))))
    if not rows:
        raise TableRefused(_("A table needs at least one item."))
    if len(rows) > room:
        raise TableRefused(
            _("At most %(most)d items are possible here; these are %(count)d.")
            % {"most": room, "count": len(rows)}
        )
    for number, row in enumerate(rows, 1):
        if len(row) > LONGEST_ITEM:
            message = _("Item %(number)d has %(length)d characters; at most %(most)d are possible.")
            raise TableRefused(message % {"number": number, "length": len(row), "most": LONGEST_ITEM})
        if any(map(is_binary, row)):
            raise TableRefused(_("Item %(number)d holds characters that are not text.") % {"number": number})
    return rows


def new_items(
    run: Run, config: TableConfig, rows: Sequence[str], *, first: int = 0, held_from: int | None = None
) -> list[Item]:
    """Not saved yet. Those from the place `held_from` on wait to be released."""
    wanted = [field.name for field in config.fields]
    return [
        Item(
            run=run,
            index=index,
            input=row,
            prompt=prompt_for(config.template, row),
            wanted=wanted,
            is_held=held_from is not None and index >= held_from,
            version=run.snapshot_version,
        )
        for index, row in enumerate(rows, first)
    ]
