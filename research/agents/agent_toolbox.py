"""Execute the tool calls of one turn concurrently, each with its time limit and recorded."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from research.agents.agent_messages import (
    JsonObject,
    MessageOutcome,
    Opening,
    StoredMessage,
    close_message,
    open_message,
)
from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.parallel_agent_work import all_of
from research.agents.tools.tool_interface import AnyTool, ToolCode, ToolError, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.llm.call_types import Message, Speaker, StepIds, ToolCall, ToolSchema
from research.llm.model_errors import ModelError, Trouble
from research.models import AgentRole, MessageStatus

MAX_CALLS = 8  # per turn
MAX_RESULT_LENGTH = 24_000  # characters of a result that are shown to the model
MAX_ARGUMENTS_LENGTH = 20_000  # characters of a call's arguments
# Errors that end the step, because no other tool could succeed.
FATAL = frozenset({Trouble.BUDGET_HARD, Trouble.BUDGET_TOKENS, Trouble.SUPERSEDED})


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """The agent that calls a tool, and the trace under which its calls are recorded."""

    role: AgentRole
    step: StepIds
    trace_id: str
    prefix: str = ""  # of the keys, if one step runs several agents


class Toolbox:
    """The tools of one agent."""

    def __init__(self, actor: ToolCaller, tools: Sequence[AnyTool]) -> None:
        self._actor = actor
        self._tools: Mapping[str, AnyTool] = {tool.name: tool for tool in tools}

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        return tuple(tool.schema for tool in self._tools.values())

    async def answer(self, turn: str, calls: Sequence[ToolCall]) -> tuple[Message, ...]:
        """Return the next messages of the conversation: the calls, then their results in the same order."""
        named = _with_ids(turn, calls)
        outcomes = await all_of(map(self._execute_call, named))
        asked = Message(Speaker.ASSISTANT, "", tuple(named))
        return asked, *(
            self._build_message(call, outcome) for call, outcome in zip(named, outcomes, strict=True)
        )

    async def results(self, turn: str, calls: Sequence[ToolCall]) -> list[JsonObject]:
        """Execute the calls for rules; return the outputs of those that succeeded, in the same order."""
        outcomes = await all_of(map(self._execute_call, _with_ids(turn, calls)))
        return [
            output
            for outcome in outcomes
            if outcome.status == MessageStatus.COMPLETED
            and isinstance(output := outcome.result["output"], dict)
        ]

    async def _execute_call(self, call: ToolCall) -> MessageOutcome:
        step = self._actor.step
        opened = await in_tenant(step.tenant_id, partial(open_message, step, self._opening(call)))
        if not opened.outcome.is_open:
            return opened.outcome  # from an earlier execution of the step
        began = time.monotonic()
        outcome = await self._try_call(call)
        timed = replace(outcome, duration_ms=int((time.monotonic() - began) * 1000))
        closed: StoredMessage = await in_tenant(step.tenant_id, partial(close_message, step, call.id, timed))
        return closed.outcome

    def _opening(self, call: ToolCall) -> Opening:
        actor = self._actor
        recipient = f"tool:{call.name}" if call.name in self._tools else "tool:unknown"
        payload: JsonObject = {"arguments": call.arguments[:MAX_ARGUMENTS_LENGTH]}
        return Opening(call.id, actor.trace_id, actor.role.value, recipient, payload)

    async def _try_call(self, call: ToolCall) -> MessageOutcome:
        try:
            got = await self._result(call)
        except ToolError as error:
            return _failure(error)
        except ModelError as error:
            if error.code in FATAL:
                raise
            return _failure(ToolError(ToolCode.MODEL_FAILED, error.message))
        content: JsonObject = {
            "holds_source_text": got.holds_source_text,
            "output": got.model_dump(mode="json", exclude_none=True),
        }
        return MessageOutcome(MessageStatus.COMPLETED, content)

    async def _result(self, call: ToolCall) -> ToolOutput:
        number = int(call.id.rsplit(".", 1)[1])
        if number > MAX_CALLS:
            words = f"At most {MAX_CALLS} calls a turn are done; ask again in the next one."
            raise ToolError(ToolCode.TOO_MANY_CALLS, words)
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(sorted(self._tools)) or "none"
            raise ToolError(ToolCode.UNKNOWN_TOOL, f"There is no such tool; there are: {known}.")
        if len(call.arguments) > MAX_ARGUMENTS_LENGTH:
            words = f"The arguments are longer than {MAX_ARGUMENTS_LENGTH} characters."
            raise ToolError(ToolCode.INVALID_ARGUMENTS, words)
        return await tool.use(call.arguments, Use(self._actor.step, self._actor.role, call.id))

    def _build_message(self, call: ToolCall, outcome: MessageOutcome) -> Message:
        return Message(Speaker.TOOL, self._words(call, outcome), tool_call_id=call.id)

    def _words(self, call: ToolCall, outcome: MessageOutcome) -> str:
        if outcome.status == MessageStatus.FAILED:
            error = {
                "code": outcome.error_code,
                "message": outcome.error_message,
                "recoverable": outcome.is_recoverable,
            }
            return json.dumps({"error": error}, ensure_ascii=False)
        shown = _truncate_text(json.dumps(outcome.result["output"], ensure_ascii=False))
        if not outcome.result["holds_source_text"]:
            return shown
        return fence_for(self._actor.step, call.id).block(SourceText(shown), {"tool": call.name})


def _with_ids(turn: str, calls: Sequence[ToolCall]) -> list[ToolCall]:
    return [
        ToolCall(f"{turn}.call.{number}", call.name, call.arguments)
        for number, call in enumerate(calls, start=1)
    ]


def _failure(error: ToolError) -> MessageOutcome:
    return MessageOutcome(
        MessageStatus.FAILED,
        error_code=error.code.value,
        error_message=error.message,
        is_recoverable=error.is_recoverable,
    )


def _truncate_text(text: str) -> str:
    if len(text) <= MAX_RESULT_LENGTH:
        return text
    return f"{text[:MAX_RESULT_LENGTH]} … (cut: {len(text) - MAX_RESULT_LENGTH} characters more; ask for less at once)"
