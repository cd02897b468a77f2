"""The rows and columns of a table as they are before any of it is filled."""

from collections.abc import Sequence

from research.models import Item, Run
from research.pipelines.table.config import TableConfig, prompt_for
from research.pipelines.table.decomposing.decomposition import NOTHING_BESIDE, Beside
from research.pipelines.table.fields import TableField


def new_items(
    run: Run,
    config: TableConfig,
    rows: Sequence[str],
    *,
    first: int = 0,
    held_from: int | None = None,
    beside: Beside = NOTHING_BESIDE,
) -> list[Item]:
    """Not saved yet. Those from the place `held_from` on wait to be released."""
    wanted = [field.name for field in config.fields]
    return [
        Item(
            run=run,
            index=index,
            input=row,
            beside=beside.of(row),
            prompt=prompt_for(config.template, row),
            wanted=wanted,
            is_held=held_from is not None and index >= held_from,
            version=run.snapshot_version,
        )
        for index, row in enumerate(rows, first)
    ]


def set_rows(
    run: Run, rows: Sequence[str], fields: Sequence[TableField], template: str, held_from: int | None = None
) -> TableConfig:
    """Put these in the place of what was there; nothing of it has been filled. Needs the run's row locked."""
    columns = [field.model_dump(mode="json", exclude_defaults=True) for field in fields]
    stored = {**run.config, "fields": columns, "rows": len(rows)} | (
        {"template": template} if template else {}
    )
    config = TableConfig.model_validate(stored)
    Item.objects.filter(run=run).delete()
    Item.objects.bulk_create(new_items(run, config, rows, held_from=held_from))
    Run.objects.filter(pk=run.pk).update(config=stored, items_total=len(rows))
    run.config, run.items_total = stored, len(rows)
    return config
