"""The rows and columns of a table as they are before any of it is filled."""

from collections.abc import Mapping, Sequence

from citations.models import Claim
from research.models import Item, Run
from research.models.schemas import StoredCell
from research.pipelines.table.decomposing.table_request_decomposition import NOTHING_BESIDE, Beside
from research.pipelines.table.table_columns import LISTED, TableField
from research.pipelines.table.table_config import TableConfig, number_cell_claim, prompt_for

UNLISTED = "No list that was read names this row: a person added it."


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
    wanted = [field.name for field in config.fields if field.name != LISTED]
    unlisted = {LISTED: StoredCell(state="not_found", reason=UNLISTED).model_dump(mode="json")}
    return [
        Item(
            run=run,
            index=index,
            input=row,
            beside=beside.of(row),
            prompt=prompt_for(config.template, row),
            wanted=wanted,
            result=unlisted if config.field(LISTED) else None,
            is_held=held_from is not None and index >= held_from,
            version=run.snapshot_version,
        )
        for index, row in enumerate(rows, first)
    ]


def _keep_listed(run: Run, config: TableConfig, items: list[Item], listed: Mapping[str, Item]) -> list[Item]:
    """Rows that a source lists keep the claim which says so, under the number of their new place."""
    claims = Claim.objects.filter(run=run, number__isnull=False).in_bulk()
    section = next((claim.section_id for claim in claims.values()), None)
    Claim.objects.filter(pk__in=claims).update(number=None, section=None)
    kept = []
    for item in items if config.field(LISTED) else ():
        before = listed.get(item.input)
        cell = StoredCell.model_validate(before.result[LISTED]) if before and before.result else None
        claim = claims.get(cell.claim) if cell and cell.claim else None
        if before is None or cell is None or claim is None:
            continue
        claim.number = claim.position = number_cell_claim(config, item.index + 1, LISTED)
        claim.section_id = section
        kept.append(claim)
        cell.number = claim.number
        item.result, item.sources = {LISTED: cell.model_dump(mode="json")}, before.sources
    Claim.objects.bulk_update(kept, ["number", "position", "section"], batch_size=500)
    return items


def set_rows(
    run: Run, rows: Sequence[str], fields: Sequence[TableField], template: str, held_from: int | None = None
) -> TableConfig:
    """Put these in the place of what was there; nothing of it has been filled. Needs the run's row locked."""
    columns = [field.model_dump(mode="json", exclude_defaults=True) for field in fields]
    stored = {**run.config, "fields": columns, "rows": len(rows)} | (
        {"template": template} if template else {}
    )
    config = TableConfig.model_validate(stored)
    listed = {item.input: item for item in Item.objects.filter(run=run) if LISTED in (item.result or {})}
    Item.objects.filter(run=run).delete()
    Item.objects.bulk_create(
        _keep_listed(run, config, new_items(run, config, rows, held_from=held_from), listed)
    )
    Run.objects.filter(pk=run.pk).update(config=stored, items_total=len(rows))
    run.config, run.items_total = stored, len(rows)
    return config
