"""Changes a table: releases the remaining rows, retries failed ones, adds rows, adds or changes a column."""

from collections.abc import Callable, Mapping
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from research.pipelines.table import table_changes
from research.pipelines.table.table_changes import TableRefused
from research.pipelines.table.table_columns import MAX_NAME, TableField
from research.pipelines.table.table_config import TableConfig
from research.web.site.view_access import find, person, writers_only
from research.web.table.table_page import table_runs, table_with
from research.web.table.table_page_actions import ActForms, ChangedField, NewFieldForm, RowsForm


class TableFormRefused(Exception):
    """Raised when the input of a table's form is invalid; the form says why."""

    def __init__(self, forms: ActForms) -> None:
        super().__init__("refused")
        self.forms = forms


@writers_only
@require_POST
def change_table(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(table_runs(), run_id)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    try:
        messages.success(request, act(request, run_id))
    except TableRefused as refusal:
        messages.error(request, str(refusal))
    except TableFormRefused as refused:
        return table_with(request, run, refused.forms)
    return redirect("research:table", run_id)


def _release(request: HttpRequest, run_id: UUID) -> str:
    count = table_changes.release_rest(run_id, person(request))
    text = ngettext("%(count)d row was released.", "%(count)d rows were released.", count)
    return text % {"count": count}


def _retry(request: HttpRequest, run_id: UUID) -> str:
    count = table_changes.retry_failed(run_id, person(request))
    text = ngettext("%(count)d row is being tried again.", "%(count)d rows are being tried again.", count)
    return text % {"count": count}


def _add_rows(request: HttpRequest, run_id: UUID) -> str:
    form = RowsForm(request.POST, prefix="rows")
    if not form.is_valid():
        raise TableFormRefused(ActForms(rows=form))
    try:
        items = form.cleaned_data["items"]
        count = table_changes.add_rows(run_id, person(request), items)
    except TableRefused as refusal:  # keeps the typed values
        form.add_error("items", str(refusal))
        raise TableFormRefused(ActForms(rows=form)) from refusal
    told = ngettext("%(count)d row was added.", "%(count)d rows were added.", count) % {"count": count}
    left_out = _("Those that the table already has were left out.")
    return told if count == len(items) else f"{told} {left_out}"


def _add_field(request: HttpRequest, run_id: UUID) -> str:
    form = NewFieldForm(request.POST, prefix="new")
    if not form.is_valid():
        raise TableFormRefused(ActForms(field=form))
    try:
        table_changes.add_field(run_id, person(request), form.field)
    except TableRefused as refusal:
        form.add_error("title", str(refusal))
        raise TableFormRefused(ActForms(field=form)) from refusal
    return _("The column “%(title)s” was added: only its cells are being looked up.") % {
        "title": form.field.title
    }


def _change_field(request: HttpRequest, run_id: UUID) -> str:
    name, form = request.POST.get("column", "")[:MAX_NAME], NewFieldForm(request.POST, prefix="changed")
    if not form.is_valid():
        raise TableFormRefused(ActForms(changed=ChangedField(name, form)))
    try:
        table_changes.change_field(run_id, person(request), name, _keep_field_name(run_id, name, form.field))
    except TableRefused as refusal:
        form.add_error("title", str(refusal))
        raise TableFormRefused(ActForms(changed=ChangedField(name, form))) from refusal
    return _("The column “%(title)s” was changed: its cells are being looked up again.") % {
        "title": form.field.title
    }


def _keep_field_name(run_id: UUID, name: str, field: TableField) -> TableField:
    """Keep the field's name if the title is unchanged; names are derived from titles."""
    before = TableConfig.model_validate(find(table_runs(), run_id).config).field(name)
    is_kept = before is not None and before.title == field.title
    return field.model_copy(update={"name": name}) if is_kept else field


_ACTS: Mapping[str, Callable[[HttpRequest, UUID], str]] = {
    "release": _release,
    "retry": _retry,
    "rows": _add_rows,
    "field": _add_field,
    "change": _change_field,
}
