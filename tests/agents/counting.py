"""An agent that counts words with a tool, and what its conversation was."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, Field

from research.agents.agent_prompt_data_blocks import Fence
from research.agents.agent_prompt_files import RenderedPrompt
from research.agents.agent_roles import RoleLimits
from research.agents.agent_tool_loop import AgentResult, AgentTask, run_agent
from research.agents.tools.tool_interface import AnyTool, Tool, ToolInput, ToolOutput, Use
from research.db.tenancy import tenant_context
from research.llm.call_types import Message, Speaker, StepIds
from research.llm.model_errors import ModelError
from research.models import AgentMessage, AgentRole
from tests.fakes.openai_server import FakeOpenAI

FENCE = Fence("0123456789abcdef0123")
LIMITS = RoleLimits(iterations=20, time_s=30, max_output_tokens=500)


class Counted(BaseModel):
    """The agent's answer."""

    words: int | None
    reason: str = ""


class Text(ToolInput):
    text: str = Field(min_length=1)


class Count(ToolOutput):
    words: int
    text: str


@dataclass
class Counter:
    """The tool's work; `uses` tells how often it was really done."""

    act: Callable[[Text, Use], Awaitable[Count]] | None = None
    uses: list[str] = field(default_factory=list)

    async def __call__(self, given: Text, use: Use) -> Count:
        self.uses.append(use.key)
        if self.act is not None:
            return await self.act(given, use)
        return Count(words=len(given.text.split()), text=given.text)


def build_counting_tool(counter: Counter, name: str = "retrieve", limit_s: float = 5) -> Tool[Text, Count]:
    return Tool(name, "Counts the words of a text.", Text, counter, limit_s)


def a_task(words: str = "How many words?", key: str = "") -> AgentTask:
    messages = (Message(Speaker.SYSTEM, "You count."), Message(Speaker.USER, words))
    return AgentTask(RenderedPrompt("writer/try_out", "v1", "0" * 64, messages), "a" * 32, key)


def run(
    step: StepIds, *tools: AnyTool, role: AgentRole = AgentRole.WRITER, key: str = "", **limits: float
) -> AgentResult[Counted]:
    """Raises ModelError."""
    wanted = replace(LIMITS, **limits)
    return asyncio.run(run_agent(role, a_task(key=key), tools, step, Counted, wanted))


def failure(step: StepIds, *tools: AnyTool, **rest: object) -> ModelError:
    try:
        result = run(step, *tools, **rest)
    except ModelError as error:
        return error
    raise AssertionError(f"the agent answered: {result}")


def messages(step: StepIds) -> dict[str, AgentMessage]:
    """Return the messages that the step stored, by key."""
    with tenant_context(step.tenant_id):
        return {
            row.key: row for row in AgentMessage.objects.filter(step_id=step.step_id).order_by("created_at")
        }


def read_tool_answers(server: FakeOpenAI, request: int = -1) -> list[str]:
    """Return what the tools' answers in a request said."""
    return [turn["content"] for turn in server.requests[request].body["messages"] if turn["role"] == "tool"]
