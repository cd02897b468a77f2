"""The OpenAI SDK for any compatible server: one pooled client per process and URL, without SDK retries."""

import asyncio
import json
import logging
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf

import httpcore2
import httpx2
import openai

from research.llm.call_types import Message, Speaker, ToolSchema
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_settings import Endpoint
from research.llm.provider.completion_replies import (
    Reply,
    ServerProperties,
    estimate_prompt_tokens,
    read_properties,
    read_reply,
)
from research.llm.provider.model_connection_guard import backend_for
from research.llm.provider.model_server_connections import MAX_BODY, BodyTooLong, PooledTransport
from research.llm.provider.model_server_failures import complaint_of, failure, pause_of
from research.llm.provider.model_server_features import (
    ModelCapabilities,
    ServerRefusal,
    StructuredOutputMode,
    find_learned_features,
    initial,
    is_known_host,
    lesser,
    remember,
    room_for_output,
)
from research.llm.provider.model_server_speed import ServerSpeed
from research.llm.provider.structured_output_schema import (
    Node,
    StructuredOutput,
    describe_parameters,
    tool_parameters,
    with_tool_calls,
)
from research.parsing.lenient_json import read_json
from research.runtime.time_left import seconds_left

log = logging.getLogger(__name__)

CALL_LIMIT_S = 180.0
EMBEDDING_LIMIT_S = 30.0
PICTURE_LIMIT_S = 120.0  # less than the caller's own time limit
CONNECT_LIMIT_S = 10.0
TEMPERATURE = 0.3
MAX_ADAPTATIONS = 9  # each feature once
ADAPTED = (400, 403, 404, 415, 422, 500, 501)  # statuses with which servers refuse a parameter
REFUSED_FOR_GOOD = frozenset(
    {Trouble.ACCESS_DENIED, Trouble.NOT_FOUND, Trouble.QUOTA, Trouble.BAD_REQUEST}
)  # the same request would fail in the same way
MAX_ALIKE = 2  # identical refusals in a row; then no call is sent to the server for
REST_S = 60.0
SLOW_REST_S = (
    300.0  # of a kind of answer for which a slow server had too little time: about the time of one call
)
UNREACHABLE = (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.HTTPError, ssl.SSLError)
SLACK = 1.5  # of the time that the longest answer takes by the measured speed
MIN_CUT_OUTPUT = 200  # tokens: fewer hold no complete item of most answers
LEARNING_S = 0.4  # after the first call was sent: a refusal comes quickly

# OPENAI_LOG=debug would write whole prompts to the log.
for _name in ("openai", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

Body = Mapping[str, object]
# The SDK would draw a random key for each call, for its retries, which are off; it does not send the key.
OPTIONS: openai.RequestOptions = {"idempotency_key": "unused"}


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a server, before the server's features are applied."""

    model: str
    messages: tuple[Message, ...]
    output: StructuredOutput
    tools: tuple[ToolSchema, ...]
    max_output_tokens: int


def new_client(endpoint: Endpoint) -> openai.AsyncOpenAI:
    """Create a client with a connection pool, for one event loop."""
    timeout = httpx2.Timeout(None, connect=CONNECT_LIMIT_S)  # each request has a limit of its own
    # Redirects are not followed: a key goes only to the server that the operator entered.
    pool = httpx2.AsyncClient(
        transport=PooledTransport(endpoint.base_url, backend_for(endpoint)),
        timeout=timeout,
        follow_redirects=False,
        trust_env=False,
        headers={"accept-encoding": "identity"},  # the size limit counts bytes on the wire
    )
    return openai.AsyncOpenAI(
        api_key=endpoint.api_key or "none",
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=timeout,
        http_client=pool,
    )


class OpenAiModel:
    """A client of one server. It belongs to the event loop in which it is first used."""

    def __init__(self, endpoint: Endpoint, limit_s: float = CALL_LIMIT_S) -> None:
        self._endpoint = endpoint
        self._limit_s = limit_s
        self._client = new_client(endpoint)
        # Of the first call, by model: its end, and until when the others wait for it.
        self._first: dict[str, tuple[asyncio.Event, float]] = {}
        self._unexplained: dict[str, str] = {}  # the complaint in the server's last failure, by model
        self._adapted: dict[
            str, ModelCapabilities
        ] = {}  # to refusals that said why, before the first answer, by model
        self._properties = ServerProperties()
        self._speeds: dict[str, ServerSpeed] = {}  # by model
        self._refusals: dict[tuple[str, str], _Refusals] = {}

    async def close(self) -> None:
        await self._client.close()

    async def complete(self, request: Request, known: ModelCapabilities | None = None) -> Reply:
        """Return one reply. Parameters that the server refuses are left out and remembered.

        Raises ModelError.

        `known` are the capabilities in the operator's table. If nothing is known of a server, one call finds
        out what it refuses; the others wait for it, but not if its answer is slow.
        """
        url, model = self._endpoint.base_url, request.model
        if known or is_known_host(self._endpoint.host):
            return await self._complete(request, known)
        while not find_learned_features(url, model):
            if model not in self._first:
                is_over = asyncio.Event()
                self._first[model] = is_over, time.monotonic() + LEARNING_S
                try:
                    return await self._complete(request, known)
                finally:
                    del self._first[model]
                    is_over.set()
            first, until = self._first[model]
            try:
                await asyncio.wait_for(first.wait(), max(0.0, until - time.monotonic()))
            except TimeoutError:
                break
        return await self._complete(request, known)

    async def _complete(self, request: Request, known: ModelCapabilities | None) -> Reply:
        ours, everyones = (request.model, request.output.name), (request.model, "")
        for key in (ours, everyones):
            refusals = self._refusals.get(key)
            if refusals is not None and refusals.is_resting(time.monotonic()):
                raise refusals.repeat()
        limit_s = self._limit_for(request)
        try:
            reply = await self._complete_with_adaptation(self._within_time(request, limit_s), known, limit_s)
        except ModelError as error:
            if error.code in REFUSED_FOR_GOOD or error.code is Trouble.TOO_SLOW:
                key = ours if error.code in (Trouble.BAD_REQUEST, Trouble.TOO_SLOW) else everyones
                self._refusals[key] = _Refusals.after(self._refusals.get(key), error, time.monotonic())
            raise
        self._refusals.pop(ours, None)
        self._refusals.pop(everyones, None)
        return reply

    def _speed(self, model: str) -> ServerSpeed:
        return self._speeds.setdefault(model, ServerSpeed(self._endpoint.tokens_a_second))

    def _limit_for(self, request: Request) -> float:
        """Return the seconds that a request may take: the usual limit; more at a server that is known to be slow,
        as far as the caller's step has the time. Raises ModelError if it has none.
        """
        left_s = seconds_left()
        if left_s <= 0:
            raise ModelError(Trouble.TIMEOUT, "The step has no time left to ask the model.")
        longest_s = self._longest_s(request)
        wanted_s = self._limit_s if longest_s is None else max(self._limit_s, SLACK * longest_s)
        return min(wanted_s, left_s if left_s < inf else self._limit_s)

    def _longest_s(self, request: Request) -> float | None:
        """Return the seconds that the longest answer takes by the measured speed; None if that is not known."""
        tokens_input = estimate_prompt_tokens(request.messages)
        return self._speed(request.model).longest_s(tokens_input, request.max_output_tokens)

    def _within_time(self, request: Request, limit_s: float) -> Request:
        """Return the request with a limit of output that a slow server reaches in time: of an answer that was cut off
        the complete items are used, of one that comes too late nothing.
        """
        tokens_input = estimate_prompt_tokens(request.messages)
        most = self._speed(request.model).most_output(tokens_input, limit_s / SLACK)
        if most is None or not MIN_CUT_OUTPUT <= most < request.max_output_tokens:
            return request
        return replace(request, max_output_tokens=most)

    def _out_of_time(self, request: Request, limit_s: float) -> ModelError:
        """Return the failure of a request that had this much time."""
        speed, longest_s = self._speed(request.model), self._longest_s(request)
        is_hanging = longest_s is not None and longest_s < limit_s and not self._endpoint.is_local
        if self._endpoint.is_local:
            tokens_input = estimate_prompt_tokens(request.messages)
            speed.note_late(tokens_input, request.max_output_tokens, limit_s)
        rate = speed.tokens_a_second
        if rate is None or is_hanging:
            return ModelError(Trouble.TIMEOUT, f"The model gave no answer within {limit_s:.0f} s.")
        words = (
            f"The model's server writes about {rate:.1f} tokens a second: no answer within {limit_s:.0f} s."
        )
        return ModelError(Trouble.TOO_SLOW, words)

    async def _complete_with_adaptation(
        self, request: Request, known: ModelCapabilities | None, limit_s: float
    ) -> Reply:
        url, model = self._endpoint.base_url, request.model
        learned = find_learned_features(url, model) or self._adapted.get(model)
        features = learned or known or initial(self._endpoint.host)
        features = replace(features, tools=features.tools and self._properties.has_tools)
        tried: set[ModelCapabilities] = set()
        while features not in tried and len(tried) < MAX_ADAPTATIONS:
            tried.add(features)
            began = time.monotonic()
            try:
                answer = await self._post("/chat/completions", body_of(request, features), limit_s)
            except ModelError as error:
                raise (
                    self._out_of_time(request, limit_s) if error.code is Trouble.TIMEOUT else error
                ) from None
            if answer.status_code == 200:
                reply = read_reply(answer.content)
                if reply.tokens_output is not None:
                    seconds = time.monotonic() - began
                    tokens_read = (reply.tokens_input or 0) - reply.tokens_cached
                    self._speed(model).note(tokens_read, reply.tokens_output, seconds)
                remember(url, model, features)
                self._unexplained.pop(model, None)
                return reply
            complaint = complaint_of(answer.content)
            learned = find_learned_features(url, model)
            if learned is not None and learned not in tried:  # another call has learned this in the meantime
                features = learned
                continue
            room = room_for_output(complaint, request.max_output_tokens)
            if room is not None:
                request = replace(request, max_output_tokens=room)
                tried.discard(features)
                continue
            less = self._less(answer, complaint, request, features)
            if less is None:
                break
            features = less
        raise failure_in(answer)

    def _less(
        self, answer: httpx2.Response, complaint: str, request: Request, features: ModelCapabilities
    ) -> ModelCapabilities | None:
        """Return the capabilities to try after a refusal, judged by its text; None if there is nothing else
        to try.

        A server that has never answered is assumed to refuse the output mode, without saying so, if it refuses a
        request or fails twice with the same text. Once it has refused the plainest mode too, that is remembered.
        """
        status = answer.status_code
        if status not in ADAPTED:
            return None
        refusal = ServerRefusal(complaint.lower(), output_limit(request, features), bool(request.tools))
        less = lesser(features, refusal)
        if less is not None:
            self._adapted[request.model] = less
        if less is not None or find_learned_features(self._endpoint.base_url, request.model):
            return less
        is_refused = failure_in(answer).code is Trouble.BAD_REQUEST
        if not is_refused and status < 500:
            return None
        is_repeated = self._unexplained.get(request.model) == complaint
        is_plainest = features.form is StructuredOutputMode.WORDS
        if is_plainest or not is_refused:
            self._unexplained[request.model] = complaint
        if is_plainest or is_repeated is is_refused:
            return None
        is_first = features.form is StructuredOutputMode.JSON_SCHEMA
        return replace(
            features, form=StructuredOutputMode.JSON_MODE if is_first else StructuredOutputMode.WORDS
        )

    def note_prose(self, model: str) -> None:
        """Remember that the model answered in prose although a schema was sent, and add it to the prompt."""
        url = self._endpoint.base_url
        features = find_learned_features(url, model)
        if features is not None and not features.schema_in_prompt:
            remember(url, model, replace(features, schema_in_prompt=True))

    async def embed(self, model: str, texts: list[str]) -> bytes:
        """Return the body of an embeddings response. Raises ModelError."""
        body = {"model": model, "input": texts, "encoding_format": "float"}
        answer = await self._post("/embeddings", body, min(self._limit_s, EMBEDDING_LIMIT_S))
        if answer.status_code != 200:
            raise failure_in(answer)
        return answer.content

    async def ask_properties(self) -> ServerProperties:
        """Ask what the server says of itself, and observe it from now on."""
        self._properties = await self._fetch_properties()
        return self._properties

    async def _fetch_properties(self) -> ServerProperties:
        url = httpx2.URL(self._endpoint.base_url).copy_with(path="/props", query=None)
        try:
            async with asyncio.timeout(CONNECT_LIMIT_S):
                answer = await self._client.get(str(url), cast_to=httpx2.Response, options=OPTIONS)
            return read_properties(read_json(answer.content))
        except (openai.APIStatusError, ValueError, BodyTooLong):
            return ServerProperties()
        except (TimeoutError, ModelError, httpcore2.TimeoutException, *UNREACHABLE):
            return ServerProperties()  # the call itself will tell why

    async def draw(self, model: str, words: str, size: str) -> bytes:
        """Return the body of a response with one picture. Raises ModelError."""
        body: dict[str, object] = {"model": model, "prompt": words, "n": 1, "size": size}
        # Some servers return a URL by default; others support nothing else and refuse the parameter.
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
            words = f"The model's answer is longer than {MAX_BODY // 2**20} MB."
            raise ModelError(Trouble.TOO_LONG, words) from None
        except UNREACHABLE as error:
            raise _unreachable(error) from None


@dataclass(frozen=True, slots=True)
class _Refusals:
    """A server's consecutive permanent refusals with the same message, or answers that did not come in time: their
    number and the time of the last one.
    """

    error: ModelError
    count: int
    at: float

    @classmethod
    def after(cls, before: "_Refusals | None", error: ModelError, now: float) -> "_Refusals":
        if before is None:
            return cls(error, 1, now)
        are_slow = (
            before.error.code is error.code is Trouble.TOO_SLOW
        )  # their messages name the speed of the moment
        is_same = are_slow or before.error.message == error.message
        return cls(error, before.count + 1 if is_same else 1, now)

    def is_resting(self, now: float) -> bool:
        rest_s = SLOW_REST_S if self.error.code is Trouble.TOO_SLOW else REST_S
        return self.count >= MAX_ALIKE and now - self.at < rest_s

    def repeat(self) -> ModelError:
        """Return the error again, for a call that is not sent."""
        return ModelError(self.error.code, self.error.message)


def failure_in(answer: httpx2.Response) -> ModelError:
    return failure(answer.status_code, answer.content, pause_of(answer.headers), datetime.now(tz=UTC))


def _unreachable(error: Exception) -> ModelError:
    log.warning("model_server_unreachable error=%s", type(error).__name__)
    return ModelError(Trouble.UNAVAILABLE, "The model's server could not be reached.")


def output_limit(request: Request, features: ModelCapabilities) -> int:
    """Return the largest number of tokens that the answer may have."""
    return min(request.max_output_tokens, features.most_output or request.max_output_tokens)


def body_of(request: Request, features: ModelCapabilities) -> Body:
    """Return the JSON of a request, within what the server is known to accept."""
    body: dict[str, object] = {
        "model": request.model,
        "messages": [_turn(message) for message in _messages(request, features)],
        features.limit_name: output_limit(request, features),
    }
    if features.temperature:
        body["temperature"] = TEMPERATURE
    has_tools = bool(request.tools) and features.tools
    if not has_tools or features.form_beside_tools:
        body |= _form(request, features, has_tools=has_tools)
    if has_tools:
        body["tools"] = [
            _tool(tool.name, tool.description, tool_parameters(tool.input)) for tool in request.tools
        ]
    return body


def _form(request: Request, features: ModelCapabilities, *, has_tools: bool) -> dict[str, object]:
    """Return the request fields for structured output.

    JSON modes are left out beside tools, since they prevent tool calls.
    """
    output = request.output
    schema = _schema(output, features)
    if request.tools and not has_tools:
        schema = with_tool_calls(schema, {tool.name: tool_parameters(tool.input) for tool in request.tools})
    match features.form:
        case StructuredOutputMode.JSON_SCHEMA:
            named = {"name": output.name, "strict": output.is_strict, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case StructuredOutputMode.JSON_MODE_WITH_SCHEMA if not has_tools:
            return {"response_format": {"type": "json_object", "schema": schema}}
        case StructuredOutputMode.JSON_MODE if not has_tools:
            return {"response_format": {"type": "json_object"}}
        case StructuredOutputMode.TOOL_CALL if not request.tools:
            return {
                "tools": [_tool(output.name, "Give the answer.", schema)],
                "tool_choice": {"type": "function", "function": {"name": output.name}},
            }
    return {}


def _messages(request: Request, features: ModelCapabilities) -> tuple[Message, ...]:
    messages = request.messages
    orders = []
    if request.tools and not features.tools:
        orders.append(_describe_tools(request.tools))
    is_without_form = bool(request.tools) and features.tools and not features.form_beside_tools
    if features.form is not StructuredOutputMode.JSON_SCHEMA or features.schema_in_prompt or is_without_form:
        orders.append(_describe_schema(_schema(request.output, features)))
    if orders:
        messages = _with_order(messages, "\n\n".join(orders))
    if not features.tools:
        messages = tuple(map(_to_plain_message, messages))
    if not features.system_role:
        messages = tuple(
            replace(message, speaker=Speaker.USER) if message.speaker is Speaker.SYSTEM else message
            for message in messages
        )
    if not (features.repeated_roles and features.system_role):
        messages = _merge_turns(messages)
    return messages


def _with_order(messages: tuple[Message, ...], order: str) -> tuple[Message, ...]:
    first, *others = messages
    if first.speaker is not Speaker.SYSTEM:
        return (Message(Speaker.SYSTEM, order), *messages)
    # One system message, at the beginning: many chat templates allow no other position.
    return (replace(first, content=f"{first.content}\n\n{order}"), *others)


def _merge_turns(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Merge consecutive turns of the same speaker."""
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last and last.speaker is message.speaker and message.speaker in (Speaker.USER, Speaker.ASSISTANT):
            joined[-1] = Message(
                last.speaker, f"{last.content}\n\n{message.content}", last.tool_calls + message.tool_calls
            )
        else:
            joined.append(message)
    return tuple(joined)


def _to_plain_message(message: Message) -> Message:
    """Return a turn about tools as plain text, for a model without tool support."""
    if message.tool_calls:
        calls = [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls]
        return Message(message.speaker, f"{message.content}\n{json.dumps({'tool_calls': calls})}".strip())
    if message.speaker is Speaker.TOOL:
        return Message(Speaker.USER, f"The tool answered:\n{message.content}")
    return message


def _describe_tools(tools: tuple[ToolSchema, ...]) -> str:
    listed = "\n".join(
        f"- {tool.name}: {tool.description} Arguments: {describe_parameters(tool_parameters(tool.input))}"
        for tool in tools
    )
    return (
        "You can use tools. To use one, give nothing but this JSON object: "
        '{"tool_calls": [{"name": "the tool\'s name", "arguments": {…}}]}. You then get what the tool answered.\n'
        f"The tools:\n{listed}"
    )


def _describe_schema(schema: Mapping[str, Node]) -> str:
    written = json.dumps(schema, separators=(",", ":"))
    return f"Give the answer as one JSON object, and nothing else, that fits this JSON schema:\n{written}"


def _schema(output: StructuredOutput, features: ModelCapabilities) -> Mapping[str, Node]:
    return output.bounded if features.bounds else output.schema


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


def _tool(name: str, description: str, parameters: Mapping[str, Node]) -> dict[str, object]:
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }
