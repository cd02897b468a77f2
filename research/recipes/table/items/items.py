"""An item as its steps see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now

from research.lifecycle.failures import StepError
from research.lifecycle.recipe import StepWork
from research.models import Item
from research.recipes.table.config import ITEM_LIMIT_S, TableConfig, prompt_for
from research.recipes.table.engine import is_by_model
from research.recipes.table.fields import Field

WANTED = ("index", "input", "wanted", "sources", "result", "run__config", "run__result")
OVERDUE = f"It took longer than an item may take ({ITEM_LIMIT_S} s)."


@dataclass(frozen=True, slots=True)
class AskedItem:
    """A row with the fields that it still wants."""

    pk: UUID
    index: int  # from 0
    input: str
    config: TableConfig
    fields: tuple[Field, ...]
    sources: tuple[UUID, ...]
    result: Mapping[str, object]  # its cells so far: no other step changes them
    is_by_model: bool  # that its cells are filled

    @property
    def number(self) -> int:
        """As readers count."""
        return self.index + 1

    @property
    def prompt(self) -> str:
        return prompt_for(self.config.template, self.input)


def read_item(work: StepWork) -> AskedItem:
    """Needs the tenant set. Raises StepError for an item whose time is up."""
    worked = ExpressionWrapper(Now() - F("started_at"), output_field=DurationField())
    rows = Item.objects.filter(run_id=work.run_id).annotate(worked=worked).select_related("run").only(*WANTED)
    row = rows.get(index=int(str(work.input["item"])))
    if row.worked is not None and row.worked > timedelta(seconds=ITEM_LIMIT_S):
        raise StepError("TIMEOUT", OVERDUE, retryable=False)
    config = TableConfig.model_validate(row.run.config)
    return AskedItem(
        pk=row.pk,
        index=row.index,
        input=row.input,
        config=config,
        fields=tuple(field for field in config.fields if field.name in row.wanted),
        sources=tuple(map(UUID, row.sources)),
        result=row.result or {},
        is_by_model=is_by_model(row.run),
    )
