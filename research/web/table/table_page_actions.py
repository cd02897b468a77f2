"""The actions on a table's page, with their forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from research.llm.budgets.budget_credit_funding import ITEM_CREDITS
from research.models import Run
from research.models.schemas import Plan
from research.pipelines.table.decomposing.table_request_decomposition import MAX_ITEMS
from research.pipelines.table.read_table_rows import RowCounts
from research.pipelines.table.start_proposed_table import is_proposal
from research.pipelines.table.table_columns import TableField
from research.pipelines.table.table_config import TableConfig
from research.runs.run_estimate import table_estimate
from research.web.ask.estimate_view import EstimateView, offer_of
from research.web.site.line_list_form_field import LinesField
from research.web.table.table_column_forms import FieldForm
from research.web.table.table_forms import item_of


class RowsForm(forms.Form):
    """Items to add to a table."""

    items = LinesField(
        gettext_lazy("More items"), gettext_lazy("One per line; each becomes a row."), MAX_ITEMS, item_of
    )

    def clean_items(self) -> list[str]:
        items = list(self.cleaned_data["items"])
        if not items:
            raise forms.ValidationError(_("Name at least one item."))
        return items


class NewFieldForm(FieldForm):
    """The form for a column to add to a table; a title is required."""

    def clean_title(self) -> str:
        title = str(self.cleaned_data["title"])
        if not title:
            raise forms.ValidationError(_("Give the column a title."))
        return title


@dataclass(frozen=True, slots=True)
class ActForms:
    """Forms that were refused or requested; None for the others."""

    rows: RowsForm | None = None
    field: NewFieldForm | None = None
    changed: "ChangedField | None" = None


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A column as it is, or with its requested changes."""

    name: str
    form: NewFieldForm


def as_asked(field: TableField) -> ChangedField:
    return ChangedField(field.name, NewFieldForm(prefix="changed", initial=field.model_dump(mode="json")))


@dataclass(frozen=True, slots=True)
class Acts:
    """The actions for people who may change the table, with their forms and figures."""

    held: int  # rows that wait to be released
    failed: int  # rows that can be retried
    offer: EstimateView | None  # estimate for the held rows, or for all of a proposal
    rows: RowsForm
    field: NewFieldForm
    field_credits: Decimal  # estimate for adding or changing a column
    columns: Sequence[TableField]
    changed: ChangedField | None  # the column whose form is shown
    is_open: str  # the form that was refused or requested: rows, field, changed
    is_proposal: bool  # whether the table is a proposal that waits for a check
    is_listed: bool  # the rows of the proposal were found in the sources
    open_point: str  # a sentence on what the proposal left open


def acts_of(run: Run, counts: RowCounts, sent: ActForms | None = None) -> Acts:
    sent, proposed = sent or ActForms(), is_proposal(run)
    waiting = counts.total if proposed else counts.held
    return Acts(
        held=counts.held,
        failed=counts.failed,
        offer=offer_of(table_estimate({**run.config, "rows": waiting})) if waiting else None,
        rows=sent.rows or RowsForm(prefix="rows"),
        field=sent.field or NewFieldForm(prefix="new"),
        field_credits=ITEM_CREDITS * (counts.completed + counts.failed) if run.is_finished else Decimal(0),
        columns=TableConfig.model_validate(run.config).fields,
        changed=sent.changed,
        is_open="rows" if sent.rows else "field" if sent.field else "changed" if sent.changed else "",
        is_proposal=proposed,
        is_listed=proposed and run.config.get("proposal") == "list",
        open_point=" ".join(find_open_points(run)) if proposed else "",
    )


def find_open_points(run: Run) -> list[str]:
    """Return what a proposal left open, in sentences."""
    plan = Run.objects.values_list("plan", flat=True).get(pk=run.pk)
    return Plan.model_validate(plan).risks if plan else []
