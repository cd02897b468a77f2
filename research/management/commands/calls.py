"""`manage.py calls`: list the model calls of a run, or show the messages of one."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from pydantic import JsonValue

from config.services.embedded import run_services
from research.db.tenancy import tenant_context, tenant_ids
from research.llm.call_store.read_model_calls import (
    REASONS,
    CallWords,
    LoggedCall,
    Repair,
    SaidTurn,
    UnreadableReason,
    indent_json,
    load_logged_calls,
    read_words,
    to_logged_call,
)
from research.models import ModelCall, ModelCallStatus, Run

OUTCOMES = {
    ModelCallStatus.SENT: "under way",
    ModelCallStatus.STORED: "answered",
    ModelCallStatus.FAILED: "failed",
    ModelCallStatus.UNKNOWN: "unknown",
}
REPAIRS = {
    Repair.NONE: "",
    Repair.REPAIRED: "repaired",
    Repair.NOT_REPAIRED: "not repaired",
    Repair.IS_REPAIR: "repair turn",
}
HEADS = ("call", "role", "model", "purpose", "prompt", "in", "out", "USD", "ms", "outcome", "form")
FIGURES = ("in", "out", "USD", "ms")


class Command(BaseCommand):
    help = (
        "Lists the calls of models that a run made, or shows what was said in one of them, turn by turn, as far as its"
        " workspace keeps it. Whoever shows a call is recorded in the workspace's activity. See docs/audit.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="list|show")
        listing = acts.add_parser("list", help="list the calls of a run in order, without their texts")
        listing.add_argument("run", type=UUID, metavar="RUN", help="the run's id, as in its address")
        showing = acts.add_parser("show", help="show one call with its texts")
        showing.add_argument("call", type=UUID, metavar="CALL_ID", help="the id that “calls list” prints")
        for subparser in (listing, showing):
            subparser.add_argument(
                "--json", action="store_true", dest="as_json", help="as JSON, for programs"
            )

    def handle(self, *args: object, **options: object) -> None:
        with run_services():
            if options["act"] == "list":
                self._list(UUID(str(options["run"])), as_json=bool(options["as_json"]))
            else:
                self._show(UUID(str(options["call"])), as_json=bool(options["as_json"]))

    def _list(self, run_id: UUID, *, as_json: bool) -> None:
        calls = _calls_of(run_id)
        if as_json:
            self.stdout.write(_as_json([_facts(call) for call in calls]))
        elif not calls:
            self.stdout.write("This run has asked no model.")
        else:
            for line in _table([_row(call) for call in calls]):
                self.stdout.write(line)

    def _show(self, call_id: UUID, *, as_json: bool) -> None:
        call, words = _call_with_words(call_id)
        if as_json:
            self.stdout.write(_as_json(_facts(call) | _words(words)))
            return
        for line in _format_call(call, words):
            self.stdout.write(_plain(line))


def _calls_of(run_id: UUID) -> list[LoggedCall]:
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            if Run.objects.filter(pk=run_id).exists():
                return load_logged_calls(run_id)
    raise CommandError(f"There is no run {run_id}. “manage.py runs” lists those under way.")


def _call_with_words(call_id: UUID) -> tuple[LoggedCall, CallWords | UnreadableReason]:
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            row = ModelCall.objects.filter(pk=call_id).first()
            if row is not None:
                return to_logged_call(row), read_words(row)
    raise CommandError(f"There is no call {call_id}. “manage.py calls list RUN” lists those of a run.")


def _facts(call: LoggedCall) -> dict[str, JsonValue]:
    row = call.row
    return {
        "id": str(row.pk),
        "run": str(row.run_id) if row.run_id else None,
        "step": row.step_key,
        "role": row.role,
        "operation": row.operation,
        "model": row.model,
        "purpose": row.purpose,
        "prompt_version": row.prompt_version,
        "sent_at": row.created_at.isoformat(),
        "duration_ms": row.duration_ms,
        "tokens_input": row.tokens_input,
        "tokens_output": row.tokens_output,
        "is_estimated": row.is_estimated,
        "cost_usd": None if row.cost_usd is None else str(row.cost_usd),
        "status": row.status,
        "error_code": row.error_code,
        "error_message": row.error_message,
        "repair": call.repair.value,
    }


def _words(words: CallWords | UnreadableReason) -> dict[str, JsonValue]:
    """Return the messages of a call; `words` is null if they can't be read, and `why_not` states the
    reason.
    """
    if isinstance(words, UnreadableReason):
        return {"words": None, "why_not": {"code": words.value, "message": _why_not(words)}}
    return {
        "words": {
            "messages": [turn.model_dump(mode="json") for turn in words.turns],
            "schema_name": words.schema_name,
            "schema": words.schema and json.loads(words.schema),
            "tools": [
                {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": json.loads(tool.parameters),
                }
                for tool in words.tools
            ],
            "max_output_tokens": words.max_output_tokens,
            "reply": words.reply.model_dump(mode="json") if words.reply else None,
        },
        "why_not": None,
    }


def _why_not(why: UnreadableReason) -> str:
    return " ".join(map(str, REASONS[why]))


def _row(call: LoggedCall) -> tuple[str, ...]:
    row = call.row
    outcome = OUTCOMES[ModelCallStatus(row.status)]
    return (
        str(row.pk),
        row.role,
        row.model,
        row.purpose,
        row.prompt_version,
        str(row.tokens_input),
        str(row.tokens_output),
        "unknown" if row.cost_usd is None else f"{row.cost_usd:.6f}",
        "" if row.duration_ms is None else str(row.duration_ms),
        f"{outcome} {row.error_code}".strip(),
        REPAIRS[call.repair],
    )


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(HEADS, *rows, strict=True)]
    for row in (HEADS, *rows):
        cells = (
            cell.rjust(width) if head in FIGURES else cell.ljust(width)
            for head, cell, width in zip(HEADS, row, widths, strict=True)
        )
        yield _plain("  ".join(cells).rstrip())


def _format_call(call: LoggedCall, words: CallWords | UnreadableReason) -> Iterator[str]:
    for head, value in zip(HEADS, _row(call), strict=True):
        if value:
            yield f"{head:<8} {value}"
    yield f"{'step':<8} {call.row.step_key}"
    if call.row.error_message:
        yield f"{'error':<8} {call.row.error_message}"
    yield ""
    if isinstance(words, UnreadableReason):
        yield _why_not(words)
    else:
        yield from _turns(words)


def _turns(words: CallWords) -> Iterator[str]:
    for turn in words.turns:
        yield from _turn(turn)
    if words.schema:
        yield f"--- form of the answer: {words.schema_name or 'unnamed'}"
        yield words.schema
    for tool in words.tools:
        yield f"--- tool {tool.name}: {tool.description}"
    yield "=== answer"
    if words.reply is None:
        yield "No words came back."
        return
    if words.reply.text:
        yield words.reply.text
    if words.reply.refusal:
        yield f"refused: {words.reply.refusal}"
    for call in words.reply.tool_calls:
        yield f"calls {call.name} {indent_json(call.arguments)}"


def _turn(turn: SaidTurn) -> Iterator[str]:
    yield f"=== {turn.speaker or 'request'}"
    if turn.content:
        yield turn.content
    for call in turn.tool_calls:
        yield f"calls {call.name} {indent_json(call.arguments)}"


def _plain(text: str) -> str:
    """Replace unprintable characters, which could move the terminal's cursor or change its colours."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)


def _as_json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=True, indent=2)
