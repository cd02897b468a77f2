"""The step log: what was done, by whom, with what, for how long."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from research.models import AgentMessage, Run, Step
from research.tools.notebook import read_workspace
from research.web.access import find, members_only
from research.web.words import ROLES, STEP_STATUSES

STEPS_A_PAGE = 50


class StepFilterForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), required=False, choices=[("", _("All")), *ROLES.items()])
    status = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *STEP_STATUSES.items()]
    )


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """What an agent said to another, to a tool or to a model, in the download."""

    key: str
    trace_id: str
    sender: str
    recipient: str
    type: str
    status: str
    payload: object
    result: object
    error_code: str
    error_message: str
    is_recoverable: bool
    progress: float | None
    sent_at: datetime
    duration_ms: int | None


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """A line of the run's workspace in the download."""

    kind: str
    number: int
    role: str
    text: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """A step in the download."""

    index: int
    key: str
    role: str
    tool: str
    status: str
    attempt: int
    input: object
    output: object
    error_code: str
    error_message: str
    started_at: datetime | None
    completed_at: datetime | None
    duration_ms: int | None
    tokens_input: int
    tokens_output: int
    cost_usd: str | None
    messages: list[LoggedMessage]


@members_only
@require_safe
def log(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.all(), run_id)
    form = StepFilterForm(request.GET)
    steps = _filtered(form, _steps(run))
    page = Paginator(steps, STEPS_A_PAGE).get_page(request.GET.get("page"))
    shown = {
        "run": run,
        "form": form,
        "page": page,
        "is_filtered": form.has_changed(),
        "workspace": read_workspace(run.pk),
    }
    return render(request, "research/log.html", shown)


@members_only
@require_safe
def log_as_json(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.all(), run_id)
    written = {
        "run": run.pk,
        "topic": run.topic,
        "workspace": [asdict(entry) for entry in _entries(run)],
        "steps": [asdict(step) for step in _logged(_steps(run))],
    }
    text = DjangoJSONEncoder(ensure_ascii=False, indent=2).encode(written)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="log-{run.pk}.json"'
    return response


def _steps(run: Run) -> QuerySet[Step]:
    """With what was said in each, in its order."""
    messages = AgentMessage.objects.order_by("created_at", "id")
    steps = Step.objects.filter(run=run).order_by("step_index")
    return steps.prefetch_related(Prefetch("messages", messages))


def _filtered(form: StepFilterForm, steps: QuerySet[Step]) -> QuerySet[Step]:
    if not form.is_valid():
        return steps
    if role := form.cleaned_data["role"]:
        steps = steps.filter(agent_role=role)
    if status := form.cleaned_data["status"]:
        steps = steps.filter(status=status)
    return steps


def _logged(steps: QuerySet[Step]) -> Iterator[LoggedStep]:
    for step in steps.iterator(chunk_size=200):
        yield LoggedStep(
            index=step.step_index,
            key=step.key,
            role=step.agent_role,
            tool=step.tool_name,
            status=step.status,
            attempt=step.attempt,
            input=step.input,
            output=step.output,
            error_code=step.error_code,
            error_message=step.error_message,
            started_at=step.started_at,
            completed_at=step.completed_at,
            duration_ms=step.duration_ms,
            tokens_input=step.tokens_input,
            tokens_output=step.tokens_output,
            cost_usd=None if step.cost_usd is None else str(step.cost_usd),
            messages=[_message(message) for message in step.messages.all()],
        )


def _message(message: AgentMessage) -> LoggedMessage:
    return LoggedMessage(
        key=message.key,
        trace_id=message.trace_id,
        sender=message.sender,
        recipient=message.recipient,
        type=message.type,
        status=message.status,
        payload=message.payload,
        result=message.result,
        error_code=message.error_code,
        error_message=message.error_message,
        is_recoverable=message.is_recoverable,
        progress=message.progress,
        sent_at=message.created_at,
        duration_ms=message.duration_ms,
    )


def _entries(run: Run) -> Iterator[LoggedEntry]:
    found = read_workspace(run.pk)
    for entry in (*found.plan, *found.notes, *found.findings):
        yield LoggedEntry(entry.kind, entry.position, entry.role, entry.text, entry.is_done)
