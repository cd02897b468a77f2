"""Questions for tests."""

import asyncio

from pydantic import BaseModel

from research.llm.calls import Message, Speaker
from research.llm.errors import ModelError
from research.llm.openai_client import OpenAiModel, Request
from research.llm.replies import Reply
from research.llm.schema import structured_output
from research.llm.settings import Endpoint
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
    values = {"output": structured_output(Finding), "tools": (), "max_output_tokens": 500, **changed}
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
