"""The tool loop of one agent: a new conversation in which the model calls tools until it answers.

    result = await run_agent(AgentRole.RESEARCHER, task, tools, work, Findings, limits_of(AgentRole.RESEARCHER))

There are at most 20 turns within the step's time. No tools are offered in the last two turns, or once no more than two
turns as long as the longest have time, so that the model must answer; the gateway requests one repair of an invalid
answer; then the step fails with the model's error. If the conversation becomes longer than the model reads, the older
results of tools are left out, and the model must answer from the others.

Each turn is stored before the model is called, and so is each tool call, later with its result. A step that is
executed again after a crash repeats the same conversation, finds each answer stored under the turn's purpose
("turn.3"), and pays for nothing twice.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic

from research.agents.agent_messages import (
    MessageOutcome,
    Opening,
    build_failed_outcome,
    close_message,
    open_message,
)
from research.agents.agent_prompt_data_blocks import Fence
from research.agents.agent_prompt_files import RenderedPrompt, render, with_data_rule
from research.agents.agent_roles import RoleLimits, may_use
from research.agents.agent_toolbox import Toolbox, ToolCaller
from research.agents.tools.tool_interface import AnyTool
from research.db.tenancy import in_tenant
from research.llm.call_types import Answer, Call, Completion, Message, Output, Speaker, StepIds, Usage
from research.llm.gateway import complete
from research.llm.model_errors import ModelError, Trouble
from research.llm.provider.completion_replies import estimate_prompt_tokens
from research.models import AgentRole, MessageStatus
from research.runtime.time_left import within

LEFT_OUT = "(left out, since the conversation had become longer than the model reads)"
LAST_TURNS = 2  # turns without tools: one for the answer, one for its repair
ANSWERING_SHARE = 0.6  # share of the time limit after which the answer is forced
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class AgentTask:
    """The task of one agent. `key` tells apart several agents of one step."""

    prompt: RenderedPrompt
    trace_id: str
    key: str = ""
    agent_id: str = ""


@dataclass(frozen=True, slots=True)
class AgentResult(Generic[Output]):
    """The answer, with its usage and numbers of turns and tool calls."""

    answer: Output
    usage: Usage
    turns: int
    tool_calls: int
    was_forced: bool


async def run_agent(
    role: AgentRole,
    task: AgentTask,
    tools: Sequence[AnyTool],
    step: StepIds,
    schema: type[Answer],
    limits: RoleLimits,
    clock: Clock = time.monotonic,
) -> AgentResult[Answer]:
    """Run an agent until it answers. Raises ValueError for a tool that its role may not use.

    Raises ModelError if the budget is spent, or if no valid answer arrives, or none in time.
    """
    foreign = [tool.name for tool in tools if not may_use(role, tool.name)]
    if foreign:
        raise ValueError(f"a {role} may not use {', '.join(foreign)}")
    actor = ToolCaller(role, step, task.trace_id, f"{task.key}." if task.key else "")
    conversation = _Conversation(actor, task, Toolbox(actor, tools), schema, limits, clock)
    try:
        with within(limits.time_s):
            async with asyncio.timeout(limits.time_s):
                return await conversation.answer()
    except TimeoutError:
        words = f"The {role.label.lower()} had no answer within {limits.time_s:.0f} s."
        raise ModelError(Trouble.TIMEOUT, words) from None


class _Conversation(Generic[Answer]):
    def __init__(
        self,
        actor: ToolCaller,
        task: AgentTask,
        toolbox: Toolbox,
        schema: type[Answer],
        limits: RoleLimits,
        clock: Clock,
    ) -> None:
        self._actor, self._task, self._toolbox = actor, task, toolbox
        self._schema, self._limits, self._clock = schema, limits, clock
        self._began = clock()
        # With tools, source text arrives later, so the rule for it is given at the beginning.
        opening = task.prompt.messages
        self._messages = list(with_data_rule(opening) if toolbox.schemas else opening)
        self._usage: Usage | None = None
        self._tool_calls = 0
        self._longest_turn_s = 0.0
        self._is_full = False  # the conversation was longer than the model reads

    async def answer(self) -> AgentResult[Answer]:
        """Take turns until the model answers, at the latest in the first turn whose answer is forced."""
        number = 0
        while True:
            number += 1
            turn = f"{self._actor.prefix}turn.{number}"
            forced = await self._begin(turn, number)
            try:
                completion = await self._ask(turn, forced)
            except ModelError as error:
                if error.code is not Trouble.CONTEXT_TOO_LONG or not self._leave_out_results():
                    raise
                continue
            self._usage = completion.usage if self._usage is None else self._usage + completion.usage
            if completion.parsed is not None:
                return AgentResult(completion.parsed, self._usage, number, self._tool_calls, forced)
            self._tool_calls += len(completion.tool_calls)
            self._messages.extend(await self._toolbox.answer(turn, completion.tool_calls))

    def _leave_out_results(self) -> bool:
        """Leave out the older half of the tools' results. Return False if there is only one."""
        said = self._messages
        results = [
            place
            for place, message in enumerate(said)
            if message.speaker is Speaker.TOOL and message.content != LEFT_OUT
        ]
        if len(results) < 2:
            return False
        for place in results[: (len(results) + 1) // 2]:
            said[place] = replace(said[place], content=LEFT_OUT)
        self._is_full = True
        return True

    async def _begin(self, turn: str, number: int) -> bool:
        """Begin a turn and return True if its answer is forced; the first execution decides for later ones."""
        opening = Opening(
            turn, self._task.trace_id, self._actor.role.value, "model", {"forced": self._is_last(number)}
        )
        step = self._actor.step
        opened = await in_tenant(step.tenant_id, partial(open_message, step, opening))
        return bool(opened.payload["forced"])

    def _is_last(self, number: int) -> bool:
        limits, spent_s = self._limits, self._clock() - self._began
        return (
            self._is_full
            or number > limits.iterations - LAST_TURNS
            or spent_s > ANSWERING_SHARE * limits.time_s
            or spent_s + LAST_TURNS * self._longest_turn_s > limits.time_s
            or estimate_prompt_tokens(tuple(self._messages)) > limits.context_tokens
        )

    async def _ask(self, turn: str, forced: bool) -> Completion[Answer]:
        if forced and self._toolbox.schemas:
            self._messages.append(_finish())
        prompt = replace(self._task.prompt.prompt, messages=tuple(self._messages))
        call = Call(
            self._actor.step,
            self._actor.role,
            prompt,
            self._schema,
            turn,
            self._limits.max_output_tokens,
            () if forced else self._toolbox.schemas,
            self._task.agent_id,
        )
        began = self._clock()
        try:
            completion = await complete(call)
        except ModelError as error:
            await self._end(turn, build_failed_outcome(error), began)
            raise
        await self._end(turn, _build_outcome(completion), began)
        return completion

    async def _end(self, turn: str, outcome: MessageOutcome, began: float) -> None:
        turn_s = self._clock() - began
        self._longest_turn_s = max(self._longest_turn_s, turn_s)
        timed = replace(outcome, duration_ms=int(turn_s * 1000))
        step = self._actor.step
        await in_tenant(step.tenant_id, partial(close_message, step, turn, timed))


def _finish() -> Message:
    return render("finish", {}, Fence("")).messages[-1]


def _build_outcome(completion: Completion[Answer]) -> MessageOutcome:
    return MessageOutcome(
        MessageStatus.COMPLETED,
        {
            "model": completion.model,
            "calls": [call.name for call in completion.tool_calls],
            "is_final": completion.parsed is not None,
            "was_repaired": completion.was_repaired,
            "tokens_input": completion.usage.tokens_input,
            "tokens_output": completion.usage.tokens_output,
        },
    )
