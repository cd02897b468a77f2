"""Questions for tests."""

import asyncio

from pydantic import BaseModel

from research.db.tenancy import tenant_context
from research.llm.call_types import Call, Completion, Message, Prompt, Speaker, StepIds
from research.llm.gateway import complete
from research.llm.model_errors import ModelError
from research.llm.model_settings import Endpoint
from research.llm.provider.completion_replies import Reply
from research.llm.provider.openai_client import OpenAiModel, Request
from research.llm.provider.structured_output_schema import build_structured_output
from research.models import AgentRole, ModelCall
from tests.fakes.openai_server import FakeOpenAI

KEY = "sk-canary-5c1b7e90"
SENTENCE = "The bridge of Remagen was finished in 1918."


class Finding(BaseModel):
    """A small answer."""

    text: str
    year: int


def user(words: str = SENTENCE) -> Message:
    return Message(Speaker.USER, words)


def request(*messages: Message, **changed: object) -> Request:
    values = {"output": build_structured_output(Finding), "tools": (), "max_output_tokens": 500, **changed}
    return Request("test-model", messages or (user(),), **values)


def ask(server: FakeOpenAI, *requests: Request, limit_s: float = 20) -> list[Reply | ModelError]:
    """Answers or errors, in order, through one client."""

    async def ask_all() -> list[Reply | ModelError]:
        model = OpenAiModel(Endpoint(server.base_url, KEY), limit_s)
        outcomes = []
        for one in requests or (request(),):
            try:
                outcomes.append(await model.complete(one))
            except ModelError as error:
                outcomes.append(error)
        await model.close()
        return outcomes

    return asyncio.run(ask_all())


def call(step: StepIds, words: str = SENTENCE, purpose: str = "draft", **changed: object) -> Call[Finding]:
    """A call on behalf of a step."""
    prompt = Prompt("writer/section", "v1", (user(words),))
    values = {"role": AgentRole.WRITER, "schema": Finding, "max_output_tokens": 500, "prompt": prompt}
    return Call(step=step, purpose=purpose, **{**values, **changed})


def complete_all(*calls: Call[Finding]) -> list[Completion[Finding] | ModelError]:
    """Completions or errors, asked for at once."""

    async def outcome(one: Call[Finding]) -> Completion[Finding] | ModelError:
        try:
            return await complete(one)
        except ModelError as error:
            return error

    async def all_of_them() -> list[Completion[Finding] | ModelError]:
        return await asyncio.gather(*map(outcome, calls))

    return asyncio.run(all_of_them())


def complete_one(one: Call[Finding]) -> Completion[Finding]:
    """Raises ModelError."""
    return asyncio.run(complete(one))


def list_logged_calls(step: StepIds, **filters: object) -> list[ModelCall]:
    """The step's rows in the log of model calls."""
    with tenant_context(step.tenant_id):
        return list(ModelCall.objects.filter(run_id=step.run_id, **filters).order_by("created_at", "n"))
