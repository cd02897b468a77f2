"""The page of the workspace's model: its server, a change of it, the findings of a test, and the costs of reports."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exports.labels.document_labels import DEPTHS as DEPTH_NAMES
from research.db.tenancy import current_tenant_id
from research.llm.model_check_results import (
    NotListed,
    Probe,
    ProbeResult,
    ProbeVerdict,
    can_write,
    context_length_in,
    findings_in,
    tokens_a_second,
)
from research.llm.model_prices import facts_of
from research.llm.model_settings import (
    Endpoint,
    Models,
    environment_models,
    load_connection,
    usable_models_of,
)
from research.llm.save_model_connection import (
    keep_findings,
    models_as_entered,
    remove_connection,
    save_connection,
)
from research.llm.server_presets import PRESETS, preset_called
from research.models import ModelConnection
from research.ops.health_model_check_text import NAMES, verdict_of, words_of
from research.pipelines.report.report_config import DEPTHS
from research.runs.run_estimate import DepthCost, depth_costs
from research.web.account.model_check_polls import CheckUnderWay, ModelCheck, begin_check, check_called
from research.web.account.model_form import ModelForm, initial_of
from research.web.site.view_access import owners_only, person, wants_fragment


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A row of a test's findings."""

    name: str
    verdict: ProbeVerdict
    words: str


@dataclass(frozen=True, slots=True)
class ModelTestReport:
    """The findings of a test, as the page shows them."""

    address: str
    model: str
    rows: Sequence[FindingRow]
    verdict: str
    can_write: bool
    at: datetime | None
    costs: Sequence[tuple[str, DepthCost]] = ()
    next_probe: str = ""  # the running test; empty once the tests are over


@owners_only
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def model(request: HttpRequest) -> HttpResponse:
    """Show the page; a POST saves the input, or removes the connection."""
    if request.method != "POST":
        return _page(request, _new_form(request))
    if request.POST.get("act") == "remove":
        if remove_connection():
            messages.success(
                request, _("Removed. From now on, calls go to the server in the site’s settings.")
            )
        return redirect("research:model")
    form = ModelForm(request.POST, saved=load_connection())
    if not form.is_valid():
        return _page(request, form, status=422)
    save_connection(form.entered_models, person(request))
    messages.success(request, _("Saved. From now on, calls go to this server."))
    try:
        check_id = _begin(models_as_entered(form.entered_models))
    except CheckUnderWay:
        return redirect("research:model")
    return redirect(f"{reverse('research:model')}?check={check_id}#check")


@owners_only
@require_POST
@never_cache
def model_list(request: HttpRequest) -> HttpResponse:
    """List the models that the server offers, or say why there are none.

    The one that was chosen in the list is filled in, and the only one where none is entered.
    """
    from research.llm.model_check import list_models

    form = ModelForm(request.POST, saved=load_connection())
    form.full_clean()
    shown: dict[str, object] = {}
    wrong = form.errors.get("base_url") or form.errors.get("key")
    if not request.POST.get("base_url", "").strip() or wrong:
        return render(request, "research/account/_model_list.html", shown)
    # Other errors of the form do not matter here.
    form.cleaned_data = (
        dict.fromkeys(form.fields, "") | {"regions": [], "context_length": None} | form.cleaned_data
    )
    try:
        listed = asyncio.run(list_models(models_as_entered(form.entered_models).endpoint))
        only = listed[0].id if len(listed) == 1 and not request.POST.get("model", "").strip() else ""
        chosen = next((model.id for model in listed if model.id == request.GET.get("choose")), only)
        shown = {"models": listed, "filled_in": form.fill_in_model(chosen) if chosen else ""}
    except NotListed as error:
        shown["why_not"] = words_of(
            ProbeResult(Probe.MODELS, ProbeVerdict.MISSING, error.reason, error.values)
        )
    return render(request, "research/account/_model_list.html", shown)


@owners_only
@require_POST
@never_cache
def check_model(request: HttpRequest) -> HttpResponse:
    """Start a test of the input, saved or not."""
    form = ModelForm(request.POST, saved=load_connection())
    is_part = wants_fragment(request)
    if not form.is_valid():
        if is_part:
            return render(request, "research/account/_model_check.html", {"form": form}, status=422)
        return _page(request, form, status=422)
    try:
        check_id = _begin(models_as_entered(form.entered_models))
    except CheckUnderWay:
        problem = _("The last test of this workspace is still running. Wait a moment, then try again.")
        if is_part:
            return render(request, "research/account/_model_check.html", {"problem": problem}, status=409)
        return _page(request, form, problem=problem, status=409)
    found = check_called(current_tenant_id(), check_id)
    if is_part:
        return render(request, "research/account/_model_check.html", _check_values(found))
    return _page(request, form, check=found)


@owners_only
@require_safe
@never_cache
def model_check(request: HttpRequest, check_id: UUID) -> HttpResponse:
    """Show the findings of a test so far."""
    found = check_called(current_tenant_id(), check_id)
    if found is None:
        raise Http404
    if found.is_over:
        _keep(found)
    return render(request, "research/account/_model_check.html", _check_values(found))


def _begin(models: Models) -> UUID:
    known = facts_of(models.endpoint, models.model).context_window
    return begin_check(current_tenant_id(), models, known)


def _keep(found: ModelCheck) -> None:
    """Store the findings with the connection, if it is the one that was tested."""
    findings = [finding.to_json() for finding in found.findings]
    keep_findings(found.mark, findings, found.at, context_length_in(found.findings))


def _new_form(request: HttpRequest) -> ModelForm:
    row, preset = load_connection(), preset_called(request.GET.get("preset", ""))
    initial = initial_of(row) if row is not None else {}
    if preset is not None:
        initial |= {"base_url": preset.base_url}
    return ModelForm(initial=initial, saved=row)


def _page(
    request: HttpRequest,
    form: ModelForm,
    *,
    check: ModelCheck | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    row, environment = load_connection(), environment_models()
    check = check or _check_in_address(request)
    values = {
        "form": form,
        "saved": row,
        "environment": environment,
        "role_models": [(role, name) for role, name in settings.PLUMBLINE_ROLE_MODELS.items() if name],
        "presets": PRESETS,
        "preset": preset_called(request.GET.get("preset", "")),
        "problem": problem,
        **(_check_values(check) if check else _load_saved_report(row)),
    }
    return render(request, "research/account/model.html", values, status=status)


def _check_in_address(request: HttpRequest) -> ModelCheck | None:
    try:
        check_id = UUID(request.GET.get("check", ""))
    except ValueError:
        return None
    found = check_called(current_tenant_id(), check_id)
    if found is not None and found.is_over:
        _keep(found)
    return found


def _check_values(found: ModelCheck | None) -> dict[str, object]:
    if found is None:
        return {}
    is_going_on = not (found.is_over or found.is_lost)
    report = _report(found.address, found.model, found.findings, found.at, is_going_on=is_going_on)
    return {"check": found, "report": report}


def _load_saved_report(row: ModelConnection | None) -> dict[str, object]:
    if row is None or not row.findings:
        return {}
    findings = findings_in(row.findings)
    return {"report": _report(row.base_url, row.model, findings, row.checked_at)}


def _report(
    address: str,
    model: str,
    findings: Sequence[ProbeResult],
    at: datetime | None,
    *,
    is_going_on: bool = False,
) -> ModelTestReport:
    rows = [FindingRow(str(NAMES[each.probe]), each.verdict, words_of(each)) for each in findings]
    done = {each.probe for each in findings}
    # Its end is shown with the next poll.
    left = [probe for probe in Probe if probe not in done] or [*Probe][-1:]
    is_able = can_write(findings)
    return ModelTestReport(
        address,
        model,
        rows,
        "" if is_going_on else verdict_of(findings),
        is_able,
        at,
        () if is_going_on or not is_able else _costs(address, model, findings),
        str(NAMES[left[0]]) if is_going_on else "",
    )


def _costs(address: str, model: str, findings: Sequence[ProbeResult]) -> Sequence[tuple[str, DepthCost]]:
    """Return the costs of reports, with the saved models of each role if the tested server is the saved one."""
    saved = usable_models_of(current_tenant_id())
    is_saved = saved is not None and (saved.endpoint.base_url, saved.model) == (address, model)
    models = saved if saved is not None and is_saved else Models(Endpoint(address, ""), model)
    costs = depth_costs(models, DEPTHS, tokens_a_second(findings))
    return [(str(DEPTH_NAMES[cost.depth]), cost) for cost in costs]
