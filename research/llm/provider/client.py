"""The OpenAI SDK against any compatible server: one pooled client a process and base URL, its own retries off."""

import asyncio
import json
import logging
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import httpcore2
import httpx2
import openai

from research.llm.calls import Message, Speaker, ToolSchema
from research.llm.errors import ModelError, Trouble
from research.llm.provider.connections import LARGEST_BODY, BodyTooLong, PooledTransport
from research.llm.provider.failures import WORDS, complaint_of, failure
from research.llm.provider.features import Features, Form, initial, lesser, remember, remembered
from research.llm.provider.replies import Reply, read_reply
from research.llm.provider.schema import Node, StructuredOutput, tool_parameters
from research.llm.settings import Endpoint

CALL_LIMIT_S = 180.0
EMBEDDING_LIMIT_S = 30.0
PICTURE_LIMIT_S = 120.0  # below what its taker may be silent for
CONNECT_LIMIT_S = 10.0
TEMPERATURE = 0.3
MOST_ADAPTATIONS = 5  # each feature once

# OPENAI_LOG=debug would write whole prompts to the log.
for _name in ("openai", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

Body = Mapping[str, object]
# The SDK would draw a random one for each call, for retries that we do not let it make; it sends none.
OPTIONS: openai.RequestOptions = {"idempotency_key": "unused"}


@dataclass(frozen=True, slots=True)
class Request:
    """A call as a server gets it, before its features are known."""

    model: str
    messages: tuple[Message, ...]
    output: StructuredOutput
    tools: tuple[ToolSchema, ...]
    max_output_tokens: int


def new_client(endpoint: Endpoint) -> openai.AsyncOpenAI:
    """A client with a pool of connections; of one event loop."""
    timeout = httpx2.Timeout(CALL_LIMIT_S, connect=CONNECT_LIMIT_S)
    # Redirects are not followed: a key goes where the operator sent it, nowhere else.
    pool = httpx2.AsyncClient(
        transport=PooledTransport(endpoint.base_url),
        timeout=timeout,
        follow_redirects=False,
        trust_env=False,
        headers={"accept-encoding": "identity"},  # the limit on bytes counts what was sent
    )
    return openai.AsyncOpenAI(
        api_key=endpoint.api_key or "none",
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=timeout,
        http_client=pool,
    )


class OpenAiModel:
    """One server. Its client belongs to the event loop in which it is first used."""

    def __init__(self, endpoint: Endpoint, limit_s: float = CALL_LIMIT_S) -> None:
        self._endpoint = endpoint
        self._limit_s = limit_s
        self._client = new_client(endpoint)

    async def close(self) -> None:
        await self._client.close()

    async def complete(self, request: Request, known: Features | None = None) -> Reply:
        """One answer. What the server does not accept is left out and remembered. Raises ModelError.

        `known` is what the operator's table says of the model.
        """
        url, model = self._endpoint.base_url, request.model
        features = remembered(url, model) or known or initial(self._endpoint.host)
        for _adaptation in range(MOST_ADAPTATIONS):
            answer = await self._post("/chat/completions", body_of(request, features), self._limit_s)
            if answer.status_code == 200:
                remember(url, model, features)
                return read_reply(answer.content)
            less = (
                lesser(features, complaint_of(answer.content)) if answer.status_code in (400, 422) else None
            )
            if less is None:
                raise failure_in(answer)
            features = less
        raise ModelError(Trouble.BAD_REQUEST, WORDS[Trouble.BAD_REQUEST])

    async def embed(self, model: str, texts: list[str]) -> bytes:
        """The body of an embeddings answer. Raises ModelError."""
        body = {"model": model, "input": texts, "encoding_format": "float"}
        answer = await self._post("/embeddings", body, min(self._limit_s, EMBEDDING_LIMIT_S))
        if answer.status_code != 200:
            raise failure_in(answer)
        return answer.content

    async def draw(self, model: str, words: str, size: str) -> bytes:
        """The body of an answer with one picture in it. Raises ModelError."""
        body: dict[str, object] = {"model": model, "prompt": words, "n": 1, "size": size}
        # Some servers give an address unless told otherwise, others know no other way and refuse the word.
        answer = await self._post(
            "/images/generations", body | {"response_format": "b64_json"}, self._picture_s
        )
        if answer.status_code in (400, 422) and "response_format" in complaint_of(answer.content):
            answer = await self._post("/images/generations", body, self._picture_s)
        if answer.status_code != 200:
            raise failure_in(answer)
        return answer.content

    @property
    def _picture_s(self) -> float:
        return min(self._limit_s, PICTURE_LIMIT_S)

    async def _post(self, path: str, body: Body, limit_s: float) -> httpx2.Response:
        try:
            async with asyncio.timeout(limit_s):
                return await self._client.post(path, cast_to=httpx2.Response, body=body, options=OPTIONS)
        except openai.APIStatusError as error:
            return error.response
        except (TimeoutError, httpcore2.TimeoutException):
            words = f"The model gave no answer within {limit_s:.0f} s."
            raise ModelError(Trouble.TIMEOUT, words) from None
        except BodyTooLong:
            words = f"The model's answer is longer than {LARGEST_BODY // 2**20} MB."
            raise ModelError(Trouble.TOO_LONG, words) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.HTTPError, ssl.SSLError) as error:
            raise _unreachable(error) from None


def failure_in(answer: httpx2.Response) -> ModelError:
    return failure(
        answer.status_code, answer.content, answer.headers.get("retry-after"), datetime.now(tz=UTC)
    )


def _unreachable(error: Exception) -> ModelError:
    reason = type(error).__name__
    return ModelError(Trouble.UNAVAILABLE, f"The model's server can't be reached ({reason}).")


def body_of(request: Request, features: Features) -> Body:
    """The JSON of a request, with what the server is known to accept."""
    body: dict[str, object] = {
        "model": request.model,
        "messages": [_turn(message) for message in _messages(request, features)],
        features.limit_name: request.max_output_tokens,
    }
    if features.temperature:
        body["temperature"] = TEMPERATURE
    if features.form is Form.JSON_SCHEMA:
        body["response_format"] = {"type": "json_schema", "json_schema": _named(request.output)}
    elif features.form is Form.JSON_MODE and not request.tools:
        body["response_format"] = {"type": "json_object"}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    return body


def _messages(request: Request, features: Features) -> tuple[Message, ...]:
    if features.form is Form.JSON_SCHEMA:
        return request.messages
    first, *others = request.messages
    if first.speaker is not Speaker.SYSTEM:
        return (Message(Speaker.SYSTEM, _wanted(request.output)), *request.messages)
    # One system message, at the beginning: many chat templates know no other place.
    return (replace(first, content=f"{first.content}\n\n{_wanted(request.output)}"), *others)


def _wanted(output: StructuredOutput) -> str:
    schema = json.dumps(output.schema, separators=(",", ":"))
    return f"Give the answer as one JSON object, and nothing else, that fits this JSON schema:\n{schema}"


def _named(output: StructuredOutput) -> dict[str, Node]:
    return {"name": output.name, "strict": output.is_strict, "schema": output.schema}


def _turn(message: Message) -> dict[str, object]:
    turn: dict[str, object] = {"role": message.speaker.value, "content": message.content}
    if message.tool_calls:
        turn["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        turn["tool_call_id"] = message.tool_call_id
    return turn


def _tool(tool: ToolSchema) -> dict[str, object]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool_parameters(tool.input),
    }
    return {"type": "function", "function": function}
