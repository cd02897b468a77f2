"""Starts a table: question and list, then an editable preview, then the start.

Nothing is stored before the start: the form carries everything, so that going back and trying again costs nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict
from uuid import UUID, uuid4

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from research.engine.pipeline_registry import Json
from research.library.library_folders import library_folders
from research.llm.model_settings import engine
from research.models import Item, Run
from research.pipelines.table.decomposing.table_request_decomposition import Beside, Decomposition
from research.pipelines.table.start_proposed_table import (
    begin_proposed,
    is_proposal,
    list_rows,
    propose_table,
)
from research.pipelines.table.start_table import TableRefused, start_table
from research.pipelines.table.table_columns import LISTED, TableField
from research.pipelines.table.table_config import TableConfig
from research.runs import start_and_cancel
from research.runs.run_estimate import table_estimate
from research.search.chosen_search_services import list_configured_services
from research.web.ask.ask_question_form import as_typed, key_of
from research.web.ask.estimate_view import EstimateView, offer_of
from research.web.ask.library_scope_field import as_choice, first_choice
from research.web.ask.new_run_page import run_id_of
from research.web.site.view_access import find, person, wants_fragment, writers_only
from research.web.table.table_column_forms import FieldFormSet, fields_for, fields_of
from research.web.table.table_forms import KEPT, OWN, ListForm, TableForm
from research.web.table.table_page import table_runs
from research.web.table.table_page_actions import find_open_points

FIRST_SHOWN = 10  # items of the preview
CARRIED = ("prompt", "items", "template", "text", "client_key", "proposal", *KEPT, *OWN)


@dataclass(frozen=True, slots=True)
class TablePreview:
    """A preview of a table before it starts: the forms to change it, and the items derived from the list."""

    form: TableForm
    fields: FieldFormSet
    notes: Sequence[str] = ()
    columns: Sequence[str] = ()  # columns of the pasted or uploaded table
    column: str = ""  # the column that contains the items

    @property
    def items(self) -> list[str]:
        return [line for line in str(self.form["items"].value() or "").splitlines() if line.strip()]

    @property
    def first(self) -> list[str]:
        return self.items[:FIRST_SHOWN]

    @property
    def more(self) -> int:
        return len(self.items) - len(self.first)

    @property
    def titles(self) -> list[str]:
        """Return the titles of the columns that have one."""
        return [title for form in self.fields if (title := str(form["title"].value() or "").strip())]


class TableStartInput(TypedDict):
    """The input that a table is started with, from valid forms."""

    inputs: Sequence[str]
    fields: Sequence[TableField]
    template: str
    config: Mapping[str, Json]
    is_pilot: bool


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    act = request.POST.get("act", "describe")
    if request.method != "POST":
        return _begin(request)
    if act == "describe":
        return _describe(request)
    if act in ("propose", "list"):
        return _propose(request, act)
    if act == "column":
        return _take_column(request)
    if act == "estimate" and wants_fragment(request):
        return _estimate(request)
    return _check(request, act)


def _begin(request: HttpRequest) -> HttpResponse:
    """Show an empty form, or one with the values of an earlier table or of a proposal."""
    again = run_id_of(request.GET.get("again", "") or request.GET.get("proposal", ""))
    if again is None:
        return _ask(request, ListForm())
    run = find(table_runs(), again)
    config = TableConfig.model_validate(run.config)
    items = Item.objects.filter(run=run).order_by("index").values_list("input", flat=True)
    own: dict[str, object] = {
        "prompt": run.topic,
        "items": "\n".join(items),
        "template": config.template,
        "client_key": str(uuid4()),
        "proposal": str(run.pk) if "proposal" in request.GET and is_proposal(run) else "",
    }
    initial = {
        name: as_typed(TableForm.base_fields[name], value)
        for name, value in run.config.items()
        if name in (*KEPT, *OWN)
    }
    there = library_folders()
    is_proposed = bool(own["proposal"])  # the folders of a proposal were not chosen yet
    own["folders"] = first_choice(person(request), there) if is_proposed else as_choice(config.folders, there)
    fields = [field for field in config.fields if is_proposed or field.name != LISTED]
    notes = find_open_points(run) if is_proposed else ()
    return _preview(request, TablePreview(TableForm(initial=initial | own), fields_for(fields), notes))


def _ask(request: HttpRequest, form: ListForm, status: int = 200) -> HttpResponse:
    return render(request, "research/table/new_table.html", {"form": form, "engine": engine()}, status=status)


def _propose(request: HttpRequest, act: str) -> HttpResponse:
    """Propose rows and columns; the proposal waits on the table's page.

    A model names the columns, and the rows if none are given; or the rows are looked up in lists of the sources.
    """
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _ask(request, form, 422)
    given = form.cleaned_data
    if act == "list" and (given["text"].strip() or given["file"]):
        return _describe(request)  # the list is given already
    try:
        run = _find_rows(request, given) if act == "list" else _ask_model(request, given)
    except (start_and_cancel.InvalidTopic, start_and_cancel.StartRefused, TableRefused) as refusal:
        form.add_error(None, str(refusal))
        return _ask(request, form, 422)
    return redirect("research:table", run.pk)


def _find_rows(request: HttpRequest, given: Mapping[str, str]) -> Run:
    """Start a run that looks for rows in the library and, if configured, the web. Raises InvalidTopic, StartRefused
    and TableRefused.
    """
    config = {"sources": "both" if list_configured_services() else "library"}
    key = key_of(given["client_key"], given["prompt"], config)
    return list_rows(owner=person(request), prompt=given["prompt"], config=config, client_key=key)


def _ask_model(request: HttpRequest, given: Mapping[str, str]) -> Run:
    """Start a run in which a model proposes the table. Raises InvalidTopic, StartRefused and TableRefused."""
    found = _decompose(given["prompt"], given["text"], [given["file"]] if given["file"] else [])
    key = key_of(given["client_key"], given["prompt"], {"items": list(found.items)})
    return propose_table(owner=person(request), prompt=given["prompt"], inputs=found.items, client_key=key)


def _describe(request: HttpRequest) -> HttpResponse:
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _ask(request, form, 422)
    given = form.cleaned_data
    text = given["file"] or given["text"]
    description = _decompose(given["prompt"], given["text"], [given["file"]] if given["file"] else [])
    key = given["client_key"] or str(uuid4())
    folders = first_choice(person(request), library_folders())
    initial = {"prompt": given["prompt"], "client_key": key, "folders": folders} | _build_initial_values(
        description, text
    )
    preview = _build_preview(TableForm(initial=initial), fields_for(description.fields), description)
    return _preview(request, replace(preview, notes=(*form.notes, *preview.notes)))


def _build_initial_values(found: Decomposition, text: str) -> dict[str, object]:
    """Return the initial values; a pasted table is kept, so that another of its columns can be chosen."""
    kept = text if found.columns else ""
    return {"items": "\n".join(found.items), "template": found.template, "text": kept}


def _build_preview(form: TableForm, fields: FieldFormSet, found: Decomposition) -> TablePreview:
    column = "" if found.column is None else found.columns[found.column]
    return TablePreview(form, fields, found.notes, found.columns, column)


def _take_column(request: HttpRequest) -> HttpResponse:
    """Take the items from another column of the same table; everything else stays as typed."""
    prompt, text = request.POST.get("prompt", ""), request.POST.get("text", "")
    found = _decompose(prompt, text, column=request.POST.get("column", ""))
    form = TableForm(initial=_read_sent_fields(request.POST) | {"items": "\n".join(found.items)})
    return _preview(request, _build_preview(form, _fields_again(request.POST), found))


def _read_sent_fields(sent: QueryDict) -> dict[str, object]:
    fields = TableForm.base_fields
    lists = {name for name in CARRIED if isinstance(fields[name], forms.MultipleChoiceField)}
    return {name: sent.getlist(name) if name in lists else sent[name] for name in CARRIED if name in sent}


def _fields_again(sent: QueryDict) -> FieldFormSet:
    """Return the forms as typed, with another empty one if all are valid."""
    fields = fields_of(sent)
    return fields_for(fields.table_fields) if fields.is_valid() else fields


def _check(request: HttpRequest, act: str) -> HttpResponse:
    """Start the table, or show the preview again."""
    form, fields = TableForm(request.POST), fields_of(request.POST)
    # Validates both, so that all errors are shown at once.
    is_sound = all([form.is_valid(), fields.is_valid()])
    if not is_sound:
        return _preview(request, _rebuild_preview(request, form, fields), status=422)
    if act not in ("start", "pilot"):
        return _preview(
            request, _rebuild_preview(request, TableForm(initial=_read_sent_fields(request.POST)), fields)
        )
    run = _start_run(request, form, fields, is_pilot=act == "pilot")
    return (
        redirect("research:table", run.pk)
        if run
        else _preview(request, _rebuild_preview(request, form, fields), status=422)
    )


def _rebuild_preview(request: HttpRequest, form: TableForm, fields: FieldFormSet) -> TablePreview:
    text = request.POST.get("text", "")
    found = _decompose("", text, column=request.POST.get("column", "")) if text else None
    again = _fields_again(request.POST) if fields.is_valid() else fields
    return _build_preview(form, again, found) if found else TablePreview(form, again)


def _start_run(request: HttpRequest, form: TableForm, fields: FieldFormSet, *, is_pilot: bool) -> Run | None:
    """Start the run; if it is refused, add the reason to the form and return None."""
    given = form.cleaned_data
    start_input = TableStartInput(
        inputs=given["items"],
        fields=fields.table_fields,
        template=given["template"],
        config=form.config(),
        is_pilot=is_pilot,
    )
    try:
        if proposed := run_id_of(given["proposal"]):
            return _begin_proposed(request, proposed, start_input)
        columns = [field.model_dump(mode="json") for field in fields.table_fields]
        key = key_of(given["client_key"], given["prompt"], form.request_values() | {"fields": columns})
        return start_table(
            owner=person(request),
            prompt=given["prompt"],
            client_key=key,
            beside=_select_other_columns(request, fields),
            **start_input,
        )
    except start_and_cancel.InvalidTopic as refusal:
        form.add_error("prompt", str(refusal))
    except (start_and_cancel.StartRefused, TableRefused) as refusal:
        form.add_error(None, str(refusal))
    return None


def _select_other_columns(request: HttpRequest, fields: FieldFormSet) -> Beside:
    """Return the columns of the pasted table that are kept beside the requested ones."""
    from research.pipelines.table.decomposing.table_columns_passed_through import (
        beside_of,  # like `decompose` below
    )

    asked = {field.name for field in fields.table_fields}
    return beside_of(request.POST.get("text", ""), request.POST.get("column", ""), asked)


def _begin_proposed(request: HttpRequest, run_id: UUID, asked: TableStartInput) -> Run:
    """Start a proposed table. Raises TableRefused, and Http404 for another person's."""
    return begin_proposed(find(table_runs(), run_id).pk, person(request), **asked)


def _preview(request: HttpRequest, preview: TablePreview, status: int = 200) -> HttpResponse:
    shown = {"preview": preview, "form": preview.form, "offer": _offer(preview), "engine": engine()}
    return render(request, "research/table/table_preview.html", shown, status=status)


def _decompose(prompt: str, text: str, files: Sequence[str] = (), *, column: str = "") -> Decomposition:
    from research.pipelines.table.decomposing.decompose_table_request_by_rules import (
        decompose,  # imports numpy, which only starting a table needs
    )

    return decompose(prompt, text, files, column=column)


def _estimate(request: HttpRequest) -> HttpResponse:
    """Render the estimate for the list that is being typed."""
    preview = TablePreview(TableForm(initial=_read_sent_fields(request.POST)), fields_of(request.POST))
    shown = {"offer": _offer(preview), "preview": preview}
    return render(request, "research/table/_table_estimate.html", shown)


def _offer(preview: TablePreview) -> EstimateView:
    form = preview.form
    budget = str(form["budget_credits"].value() or "") if "budget_credits" in form.fields else ""
    return offer_of(table_estimate({"rows": len(preview.items)}), budget)
