"""Starting a table: its items, its columns and what it may take are known before anything is spent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict
from pydantic import Field as Limited

from exports.stored.translate_exported_sentences import translate_stored_text
from research.models import Item, Kind, Run
from research.pipelines.pipeline_kinds import RunKind, Topic
from research.pipelines.report.start_report import with_sources_checked
from research.pipelines.table.decomposing.table_request_decomposition import NOTHING_BESIDE, Beside
from research.pipelines.table.items.initial_table_rows import new_items
from research.pipelines.table.table_columns import MAX_FIELDS, TableField, complaints
from research.pipelines.table.table_config import (
    MAX_ITEM_LENGTH,
    MAX_ITEMS,
    MAX_TEMPLATE,
    PILOT_ITEMS,
    ConfigError,
    TableConfig,
    parse_config,
)
from research.pipelines.table.table_refusals import TableRefused
from research.runs.start_and_cancel import is_binary, start_run

__all__ = [
    "KIND",
    "AskedTable",
    "TableInput",
    "TableRefused",
    "validate_inputs",
    "start_table",
]


class TableInput(BaseModel):
    """The request for a table. Missing parts are derived from the prompt, as the form does."""

    model_config = ConfigDict(extra="forbid")

    prompt: Topic
    items: list[str] = Limited(default_factory=list, max_length=MAX_ITEMS)
    fields: list[TableField] = Limited(default_factory=list, max_length=MAX_FIELDS)
    template: str = Limited(default="", max_length=MAX_TEMPLATE)  # the question on each {{input}}
    pilot: bool = False  # after the first five rows the others wait to be released
    find_rows: bool = False  # look for them in lists of the sources; the run then waits for consent


@dataclass(frozen=True, slots=True)
class AskedTable:
    """Items, columns, and how each item is asked."""

    inputs: tuple[str, ...]
    fields: tuple[TableField, ...]
    template: str = ""

    def as_input(self, prompt: str) -> TableInput:
        """Return the input of a run without validation, which is left to the start of the run."""
        return TableInput.model_construct(
            prompt=prompt, items=list(self.inputs), fields=list(self.fields), template=self.template
        )


def start_table(
    *,
    owner: User,
    prompt: str,
    inputs: Sequence[str],
    fields: Sequence[TableField],
    template: str = "",
    config: Mapping[str, object] | None = None,
    is_pilot: bool = False,
    client_key: str | None = None,
    beside: Beside = NOTHING_BESIDE,
) -> Run:
    """Create a table's run with its rows. The same `client_key` again gives the run of the first time.

    `is_pilot`: after the first five rows the others wait to be released. Raises TableRefused for rows and columns
    that make no table; InvalidTopic and StartRefused as `start_run` does.
    """
    rows = validate_inputs(inputs)
    if wrong := complaints(fields):
        raise TableRefused(" ".join(map(translate_stored_text, wrong)))
    checked = validate_config(
        fields, template, {**(config or {}), "rows": len(rows), "beside": list(beside.headers)}
    )
    asks = checked.reviews != "never"
    with transaction.atomic():
        run = begin_run(owner, prompt, checked, client_key)
        if not Item.objects.filter(run=run).exists():
            held_from = PILOT_ITEMS if is_pilot and asks else None
            Item.objects.bulk_create(new_items(run, checked, rows, held_from=held_from, beside=beside))
            Run.objects.filter(pk=run.pk).update(items_total=len(rows))
    return run


def begin_run(owner: User, prompt: str, config: TableConfig, client_key: str | None) -> Run:
    """Start a run without rows. Raises TableRefused for unusable folders and pages, and whatever `start_run` raises."""
    try:
        config = with_sources_checked(config)
    except ConfigError as error:
        raise TableRefused(str(error)) from error
    stored_config = config.model_dump(mode="json", exclude_defaults=True)
    return start_run(owner=owner, kind=Kind.TABLE, topic=prompt, config=stored_config, client_key=client_key)


def validate_config(fields: Sequence[TableField], template: str, values: Mapping[str, object]) -> TableConfig:
    """Return the configuration of a table. Raises TableRefused."""
    columns = [field.model_dump(mode="json", exclude_defaults=True) for field in fields]
    given = {**values, "fields": columns} | ({"template": template.strip()} if template.strip() else {})
    try:
        return parse_config(given)
    except ConfigError as error:
        raise TableRefused(str(error)) from error


def validate_inputs(inputs: Sequence[str], room: int = MAX_ITEMS) -> list[str]:
    """Return the items as they are stored: without blank ones and duplicates. Raises TableRefused."""
    rows = list(dict.fromkeys(filter(None, (" ".join(text.split()) for text in inputs))))
    if not rows:
        raise TableRefused(_("A table needs at least one item."))
    if len(rows) > room:
        raise TableRefused(
            _("At most %(most)d items are allowed; you gave %(count)d.") % {"most": room, "count": len(rows)}
        )
    for number, row in enumerate(rows, 1):
        if len(row) > MAX_ITEM_LENGTH:
            message = _("Item %(number)d has %(length)d characters; the limit is %(most)d.")
            raise TableRefused(message % {"number": number, "length": len(row), "most": MAX_ITEM_LENGTH})
        if any(map(is_binary, row)):
            raise TableRefused(
                _("Item %(number)d contains characters that are not text.") % {"number": number}
            )
    return rows


def start_asked(
    *, owner: User, asked: TableInput, config: Mapping[str, object], client_key: str | None = None
) -> Run:
    """Start a table; missing items, columns and template are derived from the prompt."""
    if asked.find_rows and not asked.items:
        from research.pipelines.table.start_proposed_table import list_rows  # which imports this module

        return list_rows(
            owner=owner, prompt=asked.prompt, fields=asked.fields, config=config, client_key=client_key
        )
    whole = _complete_input(asked)
    return start_table(
        owner=owner,
        prompt=whole.prompt,
        inputs=whole.items,
        fields=whole.fields,
        template=whole.template,
        config=config,
        is_pilot=whole.pilot,
        client_key=client_key,
    )


def _complete_input(asked: TableInput) -> TableInput:
    if asked.items and asked.fields:
        return asked
    from research.pipelines.table.decomposing.decompose_table_request_by_rules import (
        decompose,  # brings numpy: only who starts tables
    )

    found = decompose(asked.prompt, "\n".join(asked.items), ())
    return asked.model_copy(
        update={
            "items": asked.items or list(found.items),
            "fields": asked.fields or list(found.fields),
            "template": asked.template or found.template,
        }
    )


KIND = RunKind(
    kind=Kind.TABLE, config=TableConfig, input=TableInput, start=start_asked, question_field="prompt"
)
