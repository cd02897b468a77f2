"""The log as a JSON file, streamed so that a run of thousands of steps is never completely in memory."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

from research.agents.tools.agent_notebook import read_workspace
from research.db.tenancy import tenant_context
from research.models import AgentMessage, Run, Step
from research.web.runs.trace.log_page_entries import tell
from research.web.runs.trace.log_page_json_schema import (
    VERSION,
    TracedEntry,
    TracedEvent,
    TracedFailure,
    TracedHead,
    TracedMessage,
    TracedStep,
    TraceSchema,
)
from research.web.runs.trace.log_page_timeline import TimelineEntry, load_events
from research.web.runs.trace.step_failure_labels import past_failures, without_failures

STEPS_AT_ONCE = 100


def stream_log_json(tenant_id: UUID, run_id: UUID) -> Iterator[str]:
    """Yield the file in pieces. It is read after the request, each piece in its own short transaction."""
    with tenant_context(tenant_id):
        run = Run.objects.get(pk=run_id)
        yield _head(run).model_dump_json(indent=1).rstrip("}\n")
        yield from _list("workspace", _entries(run))
        yield from _list("events", map(_event, load_events(run)))
    yield from _list("steps", _steps(tenant_id, run_id))
    yield "\n}\n"


def _list(name: str, items: Iterable[TraceSchema]) -> Iterator[str]:
    yield f',\n "{name}": ['
    for number, item in enumerate(items):
        yield f"{',' if number else ''}\n  {item.model_dump_json()}"
    yield "\n ]"


def _head(run: Run) -> TracedHead:
    return TracedHead(
        version=VERSION,
        run=run.pk,
        kind=run.kind,
        topic=run.topic,
        state=run.state,
        created_at=run.created_at,
        started_at=run.started_at,
        completed_at=run.completed_at,
        cost_usd=run.cost_usd,
        failure_code=run.failure_code,
        failure_message=run.failure_message,
    )


def _entries(run: Run) -> Iterator[TracedEntry]:
    found = read_workspace(run.pk)
    for entry in (*found.plan, *found.notes, *found.findings):
        yield TracedEntry(
            kind=entry.kind, number=entry.position, role=entry.role, text=entry.text, is_done=entry.is_done
        )


def _event(entry: TimelineEntry) -> TracedEvent:
    description = tell(entry)
    return TracedEvent(
        at=entry.at,
        what=entry.what.value,
        title=description.title,
        by=description.by,
        lines=list(description.lines),
        words=description.words,
        figures=list(description.figures),
    )


def _steps(tenant_id: UUID, run_id: UUID) -> Iterator[TracedStep]:
    """Yield steps by index; those added while the file is written come last."""
    after = -1
    while True:
        with tenant_context(tenant_id):
            rows = Step.objects.filter(run_id=run_id, step_index__gt=after).order_by("step_index")
            steps = list(rows[:STEPS_AT_ONCE])
            said = _load_messages(steps)
        for step in steps:
            yield _step(step, said[step.pk])
        if len(steps) < STEPS_AT_ONCE:
            return
        after = steps[-1].step_index


def _load_messages(steps: Sequence[Step]) -> defaultdict[UUID | None, list[TracedMessage]]:
    """Return messages by step.

    They are not prefetched, because prefetching creates reference cycles that stay in memory for a long time.
    """
    found = defaultdict[UUID | None, list[TracedMessage]](list)
    rows = AgentMessage.objects.filter(step_id__in=[step.pk for step in steps])
    for message in rows.order_by("created_at", "id"):
        found[message.step_id].append(_message(message))
    return found


def _step(step: Step, messages: list[TracedMessage]) -> TracedStep:
    return TracedStep(
        index=step.step_index,
        key=step.key,
        handler=step.handler,
        role=step.agent_role,
        tool=step.tool_name,
        status=step.status,
        attempt=step.attempt,
        input=step.input,
        output=without_failures(step.output),
        failures=[
            TracedFailure(
                attempt=failure.attempt, code=failure.code, message=failure.message, follows=failure.follows
            )
            for failure in past_failures(step.output)
        ],
        error_code=step.error_code,
        error_message=step.error_message,
        started_at=step.started_at,
        completed_at=step.completed_at,
        duration_ms=step.duration_ms,
        tokens_input=step.tokens_input,
        tokens_output=step.tokens_output,
        cost_usd=step.cost_usd,
        messages=messages,
    )


def _message(message: AgentMessage) -> TracedMessage:
    return TracedMessage(
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
