"""Tests of a model server: what it can do, how fast it is, and what will be done without it.

    async for finding in check(models):
        print(words_of(finding))

Each probe is one or two short requests, in the form that runs use. The answers are untrusted, and nothing of
them is stored but names of models and numbers: the findings (`research.llm.model_check_results`).
"""

import asyncio
import json
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from urllib.parse import urlsplit, urlunsplit

import httpcore2
import httpx2
from django.conf import settings
from pydantic import BaseModel, JsonValue

from research.llm.call_types import Message, Speaker, ToolSchema
from research.llm.embedding_client import read_vectors
from research.llm.model_check_results import (
    WHOLE_LIMIT_S,
    ListedModel,
    NotListed,
    Probe,
    ProbeResult,
    ProbeVerdict,
    Reason,
)
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_settings import Endpoint, Models
from research.llm.parse_model_answers import Fitting, judge, repair_messages
from research.llm.provider import model_server_features
from research.llm.provider.completion_replies import estimate_tokens, read_properties, read_reply
from research.llm.provider.model_connection_guard import backend_for
from research.llm.provider.model_server_connections import BodyTooLong, PooledTransport
from research.llm.provider.model_server_failures import complaint_of, failure
from research.llm.provider.model_server_features import NEW_LIMIT, OLD_LIMIT
from research.llm.provider.openai_client import OpenAiModel, Request
from research.llm.provider.structured_output_schema import build_structured_output
from research.parsing.lenient_json import read_json

LIST_LIMIT_S = 8.0  # how long people wait beside a form
PROBE_LIMIT_S = 60.0
FIRST_LIMIT_S = (
    150.0  # of a local model's first answer: it may have to be loaded first, or others are waiting
)
MAX_MODELS = 500  # of a list
MAX_ID_LENGTH = 100  # characters of a model's name
PROSE_TOKENS = 160  # requested to measure the speed
ANSWER_TOKENS = 400  # enough for models that think first
MIN_SECONDS = 0.001
SMALL_CONTEXT = 8_000  # tokens: with less, sources are read in parts that barely fit


@dataclass(frozen=True, slots=True)
class _CheckedReply:
    status: int
    body: bytes
    media_type: str

    @property
    def is_web_page(self) -> bool:
        return "html" in self.media_type or self.body.lstrip()[:15].lower().startswith(
            (b"<!doctype html", b"<html")
        )

    def json(self) -> object:
        """Parse the body; None if it is not JSON."""
        try:
            return read_json(self.body)
        except ValueError:
            return None


class _Server:
    """Plain requests to one server, with the connection guard if an owner entered its address."""

    def __init__(self, endpoint: Endpoint, limit_s: float) -> None:
        self.endpoint = endpoint
        self._client = httpx2.AsyncClient(
            transport=PooledTransport(endpoint.base_url, backend_for(endpoint)),
            timeout=None,  # each request has a limit of its own
            follow_redirects=False,
            trust_env=False,
        )
        self._limit_s = limit_s

    async def __aenter__(self) -> "_Server":
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self._client.aclose()

    async def ask(
        self,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        at_root: bool = False,
        limit_s: float | None = None,
    ) -> _CheckedReply:
        """Send a request, and return the answer, whatever its status. Raises NotListed if there is none."""
        limit_s = limit_s or self._limit_s
        url = f"{_root(self.endpoint.base_url) if at_root else self.endpoint.base_url}{path}"
        headers = {"accept": "application/json", "accept-encoding": "identity"}
        if self.endpoint.api_key:
            headers["authorization"] = f"Bearer {self.endpoint.api_key}"
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["content-type"] = "application/json"
        try:
            async with asyncio.timeout(limit_s):
                answer = await self._client.request(
                    "GET" if content is None else "POST", url, content=content, headers=headers
                )
        except ModelError as refused:
            is_refused = refused.code is Trouble.NOT_FOUND
            raise NotListed(
                Reason.REFUSED_ADDRESS if is_refused else Reason.NO_HOST, {"told": refused.message}
            ) from None
        except (TimeoutError, httpcore2.TimeoutException, httpx2.TimeoutException):
            raise NotListed(Reason.TIMEOUT, {"seconds": round(limit_s)}) from None
        except BodyTooLong:
            raise NotListed(Reason.NOT_AN_API) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.HTTPError, OSError) as error:
            raise NotListed(_why_unreachable(error)) from None
        return _CheckedReply(answer.status_code, answer.content, answer.headers.get("content-type", ""))


def _why_unreachable(error: BaseException) -> Reason:
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    if any(isinstance(each, ssl.SSLError) for each in causes):
        return Reason.TLS
    if any("name" in str(each).lower() and "known" in str(each).lower() for each in causes):
        return Reason.NO_HOST
    return Reason.UNREACHABLE


def _root(base_url: str) -> str:
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc, "", "", ""))


# --- the list of models ------------------------------------------------------------------------


async def list_models(endpoint: Endpoint, limit_s: float = LIST_LIMIT_S) -> list[ListedModel]:
    """Return the models that the server lists, in its order. Raises NotListed."""
    async with _Server(endpoint, limit_s) as server:
        return await _fetch_models(server)


async def _fetch_models(server: _Server) -> list[ListedModel]:
    answer = await server.ask("/models")
    if answer.status != 200:
        raise NotListed(_why_not(answer, server.endpoint), await _suggestion(server, answer))
    models = _models_in(answer.json())
    if models is None:
        reason = Reason.WEB_PAGE if answer.is_web_page else Reason.NOT_AN_API
        raise NotListed(reason, await _suggestion(server, answer))
    return models


def _models_in(body: object) -> list[ListedModel] | None:
    """Read a list of models; None if the body is not one."""
    rows = body.get("data", body.get("models")) if isinstance(body, dict) else body
    if not isinstance(rows, list):
        return None
    found = [_model_in(row) for row in rows[:MAX_MODELS]]
    return [model for model in found if model is not None]


def _model_in(row: object) -> ListedModel | None:
    if not isinstance(row, dict):
        return None
    name = row.get("id") or row.get("name") or row.get("model")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_ID_LENGTH or not name.isprintable():
        return None
    return ListedModel(name, _context_in(row))


CONTEXT_NAMES = (
    "loaded_context_length", "max_model_len", "context_length", "max_context_length", "context_window", "n_ctx",
    "n_ctx_train",
)  # fmt: skip


def _context_in(row: Mapping[str, object]) -> int | None:
    """Return the context length in a server's description.

    OpenRouter, vLLM, LM Studio and llama.cpp each name it differently.
    """
    meta = row.get("meta")
    for place in (row, meta if isinstance(meta, dict) else {}):
        for name in CONTEXT_NAMES:
            value = place.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 100_000_000:
                return value
    return None


def _why_not(answer: _CheckedReply, endpoint: Endpoint) -> Reason:
    if answer.status in (401, 403):
        return Reason.KEY if endpoint.api_key else Reason.NO_KEY
    if answer.is_web_page:
        return Reason.WEB_PAGE
    if 300 <= answer.status < 400:
        return Reason.PATH
    error = failure(answer.status, answer.body, None, datetime.now(tz=UTC))
    return BY_TROUBLE.get(error.code, Reason.SERVER_ERROR)


BY_TROUBLE: Mapping[Trouble, Reason] = {
    Trouble.ACCESS_DENIED: Reason.KEY,
    Trouble.NOT_FOUND: Reason.PATH,
    Trouble.QUOTA: Reason.QUOTA,
    Trouble.RATE_LIMIT: Reason.BUSY,
    Trouble.TIMEOUT: Reason.TIMEOUT,
    Trouble.UNAVAILABLE: Reason.SERVER_ERROR,
    Trouble.EMPTY: Reason.USELESS,
    Trouble.BAD_REQUEST: Reason.NOT_OFFERED,
}


async def _suggestion(server: _Server, answer: _CheckedReply) -> dict[str, JsonValue]:
    """Return the values of a failure, with the URL that was probably meant if /v1 has a list of models."""
    values: dict[str, JsonValue] = {"status": answer.status}
    url = server.endpoint.base_url
    if answer.status in (401, 403) or url.endswith("/v1"):
        return values
    try:
        other = await server.ask("/v1/models")
    except NotListed:
        return values
    is_there = other.status in (401, 403) or (other.status == 200 and _models_in(other.json()) is not None)
    return {**values, "meant": f"{url}/v1"} if is_there else values


# --- the whole test ----------------------------------------------------------------------------


class _Colour(BaseModel):
    """The answer that the JSON probe requests."""

    colour: str
    letters: int


class _WeatherQuery(BaseModel):
    """Looks up the weather of a city."""

    city: str


QUESTION = (
    "What colour is a ripe tomato? Answer with the colour and the number of letters of its English name."
)
TOOL_QUESTION = "Look up today's weather in Paris. Use the tool; do not guess."
PROSE = "Describe a stone bridge over a river, in about eighty words of plain prose."


async def check(models: Models, known_context: int | None = None) -> AsyncIterator[ProbeResult]:
    """Test the server and the first model, probe by probe.

    Probes that depend on a failed one are left out.

    `known_context` is the model's context length in the operator's table.
    """
    began = time.monotonic()
    async for finding in _Checkup(models, known_context).findings():
        yield finding
        if time.monotonic() - began > WHOLE_LIMIT_S:
            yield ProbeResult(
                Probe.SPEED, ProbeVerdict.MISSING, Reason.SLOW, {"seconds": round(WHOLE_LIMIT_S)}
            )
            return


class _Checkup:
    def __init__(self, models: Models, known_context: int | None) -> None:
        self._endpoint = models.endpoint
        self._name = models.model
        self._known_context = known_context
        self._limit_s = min(PROBE_LIMIT_S, float(settings.PLUMBLINE_MODEL_TIMEOUT_SECONDS))
        longest_s = FIRST_LIMIT_S if self._endpoint.is_local else PROBE_LIMIT_S
        self._first_limit_s = min(longest_s, float(settings.PLUMBLINE_MODEL_TIMEOUT_SECONDS))
        self._listed: list[ListedModel] = []

    async def findings(self) -> AsyncIterator[ProbeResult]:
        model = OpenAiModel(self._endpoint, self._limit_s)
        try:
            async with _Server(self._endpoint, self._limit_s) as server:
                server_finding, list_finding = await self._check_server(server)
                yield server_finding
                if server_finding.verdict is ProbeVerdict.FAILED:
                    return
                yield list_finding
                chat, speed = await self._chat(server)
                yield chat
                if chat.verdict is ProbeVerdict.FAILED:
                    return
                yield await self._json(model)
                yield await self._tools(model)
                yield await self._embeddings(model)
                yield await self._images(server)
                yield speed
                yield await self._context(server)
        finally:
            await model.close()

    async def _check_server(self, server: _Server) -> tuple[ProbeResult, ProbeResult]:
        try:
            self._listed = await _fetch_models(server)
        except NotListed as error:
            if (
                error.reason in (Reason.PATH, Reason.SERVER_ERROR, Reason.NOT_OFFERED)
                and "meant" not in error.values
            ):
                # Some servers have no list but answer all the same: the chat shows whether this is one.
                missing = ProbeResult(Probe.MODELS, ProbeVerdict.MISSING, Reason.NOT_OFFERED)
                return ProbeResult(Probe.SERVER, ProbeVerdict.WORKS), missing
            failed = ProbeResult(Probe.SERVER, ProbeVerdict.FAILED, error.reason, error.values)
            return failed, ProbeResult(Probe.MODELS, ProbeVerdict.MISSING, error.reason)
        return ProbeResult(Probe.SERVER, ProbeVerdict.WORKS), self._of_list()

    def _of_list(self) -> ProbeResult:
        names = [model.id for model in self._listed]
        values: dict[str, JsonValue] = {"count": len(names), "model": self._name}
        if not names or self._is_listed():
            return ProbeResult(Probe.MODELS, ProbeVerdict.WORKS, None, values)
        return ProbeResult(Probe.MODELS, ProbeVerdict.MISSING, Reason.NO_MODEL, {**values, **self._near()})

    def _is_listed(self) -> bool:
        """Return True if the server lists the model.

        Ollama lists `qwen3:latest` for what may be called `qwen3`.
        """
        return any(model.id in (self._name, f"{self._name}:latest") for model in self._listed)

    def _near(self) -> dict[str, JsonValue]:
        names = [model.id for model in self._listed]
        near: list[JsonValue] = [*get_close_matches(self._name, names, n=3, cutoff=0.4)]
        return {"near": near or [*names[:3]]}

    async def _chat(self, server: _Server) -> tuple[ProbeResult, ProbeResult]:
        """Test whether the model writes at all, and how fast."""
        limit = OLD_LIMIT
        for _try in range(2):
            body = {
                "model": self._name,
                "messages": [{"role": "user", "content": PROSE}],
                limit: PROSE_TOKENS,
            }
            began = time.monotonic()
            try:
                answer = await server.ask("/chat/completions", body, limit_s=self._first_limit_s)
            except NotListed as error:
                return _build_failed_finding(Probe.CHAT, error), _NO_SPEED
            seconds = max(time.monotonic() - began, MIN_SECONDS)
            if answer.status == 400 and NEW_LIMIT in complaint_of(answer.body):
                limit = NEW_LIMIT
                continue
            break
        if answer.status != 200:
            return self._chat_failed(answer), _NO_SPEED
        try:
            reply = read_reply(answer.body)
        except ModelError:
            reason = Reason.WEB_PAGE if answer.is_web_page else Reason.NOT_AN_API
            return ProbeResult(Probe.CHAT, ProbeVerdict.FAILED, reason), _NO_SPEED
        told = reply.tokens_output
        tokens = estimate_tokens(reply.text) if told is None else told
        if not tokens:
            return ProbeResult(Probe.CHAT, ProbeVerdict.FAILED, Reason.USELESS), _NO_SPEED
        rate = tokens / seconds
        values: dict[str, JsonValue] = {
            "tokens_a_second": round(rate, 1), "tokens": tokens, "seconds": round(seconds, 1)
        }  # fmt: skip
        slow = rate < SLOW_TOKENS_A_SECOND
        speed = ProbeResult(
            Probe.SPEED,
            ProbeVerdict.MISSING if slow else ProbeVerdict.WORKS,
            Reason.SLOW if slow else None,
            values,
        )
        return ProbeResult(Probe.CHAT, ProbeVerdict.WORKS), speed

    def _chat_failed(self, answer: _CheckedReply) -> ProbeResult:
        error = failure(answer.status, answer.body, None, datetime.now(tz=UTC))
        reason = _why_not(answer, self._endpoint)
        complaint = complaint_of(answer.body).lower()
        is_model = error.code is Trouble.NOT_FOUND or (
            error.code is Trouble.BAD_REQUEST and "model" in complaint
        )
        if is_model and not answer.is_web_page and (self._listed or "model" in complaint):
            reason = Reason.NO_MODEL
        values: dict[str, JsonValue] = {"status": answer.status, "model": self._name}
        if reason is Reason.NO_MODEL:
            values |= self._near()
        return ProbeResult(Probe.CHAT, ProbeVerdict.FAILED, reason, values)

    async def _json(self, model: OpenAiModel) -> ProbeResult:
        """Test JSON output, trying the output modes in the order of a run's calls, with the repair turn."""
        url = self._endpoint.base_url
        model_server_features.remember(url, self._name, model_server_features.initial(self._endpoint.host))
        messages, output = _build_messages(QUESTION), build_structured_output(_Colour)
        for turn in range(2):
            try:
                reply = await model.complete(Request(self._name, messages, output, (), ANSWER_TOKENS))
            except ModelError as error:
                return _of_error(Probe.JSON, ProbeVerdict.FAILED, error)
            judged = judge(reply, _Colour, ())
            known = model_server_features.find_learned_features(url, self._name)
            values: dict[str, JsonValue] = {
                "form": known.form.name.lower() if known else "",
                "turns": turn + 1,
            }
            if isinstance(judged, Fitting):
                return ProbeResult(Probe.JSON, ProbeVerdict.WORKS, None, values)
            if not judged.can_be_repaired:
                break
            messages = repair_messages(messages, reply, judged, _Colour)
        return ProbeResult(Probe.JSON, ProbeVerdict.FAILED, Reason.USELESS, values)

    async def _tools(self, model: OpenAiModel) -> ProbeResult:
        tool = ToolSchema("look_up_weather", "Looks up today's weather of a city.", _WeatherQuery)
        request = Request(
            self._name,
            _build_messages(TOOL_QUESTION),
            build_structured_output(_Colour),
            (tool,),
            ANSWER_TOKENS,
        )
        try:
            reply = await model.complete(request)
        except ModelError as error:
            return _of_error(Probe.TOOLS, ProbeVerdict.MISSING, error)
        if any(call.name == tool.name for call in reply.tool_calls):
            return ProbeResult(Probe.TOOLS, ProbeVerdict.WORKS)
        known = model_server_features.find_learned_features(self._endpoint.base_url, self._name)
        is_refused = known is not None and not known.tools
        return ProbeResult(
            Probe.TOOLS, ProbeVerdict.MISSING, Reason.NOT_OFFERED if is_refused else Reason.USELESS
        )

    async def _embeddings(self, model: OpenAiModel) -> ProbeResult:
        """Test embeddings with a listed model whose name contains "embed", else with the model itself."""
        named = (each.id for each in self._listed if "embed" in each.id.lower())
        name = next(named, self._name)
        try:
            vectors, _tokens = read_vectors(await model.embed(name, ["A bridge over the river."]), 1)
        except ModelError as error:
            return _of_error(Probe.EMBEDDINGS, ProbeVerdict.MISSING, error)
        return ProbeResult(
            Probe.EMBEDDINGS, ProbeVerdict.WORKS, None, {"model": name, "dimensions": vectors.shape[1]}
        )

    async def _images(self, server: _Server) -> ProbeResult:
        """Test whether the images endpoint exists: a request for zero pictures costs nothing."""
        try:
            answer = await server.ask("/images/generations", {"model": self._name, "prompt": "", "n": 0})
        except NotListed as error:
            return ProbeResult(Probe.IMAGES, ProbeVerdict.MISSING, error.reason)
        body = answer.json()
        has_error = isinstance(body, dict) and "error" in body
        is_there = answer.status in (400, 422) or (answer.status == 200 and not has_error)
        if is_there and isinstance(body, dict):
            return ProbeResult(Probe.IMAGES, ProbeVerdict.WORKS)
        return ProbeResult(Probe.IMAGES, ProbeVerdict.MISSING, Reason.NOT_OFFERED)

    async def _context(self, server: _Server) -> ProbeResult:
        tokens = (
            self._of_own_row(self._listed) or self._known_context or await self._context_elsewhere(server)
        )
        slots = await self._count_slots(server)
        values: dict[str, JsonValue] = {} if slots is None else {"at_once": slots}
        if tokens is None:
            return ProbeResult(Probe.CONTEXT, ProbeVerdict.MISSING, Reason.UNKNOWN, values)
        values["tokens"] = tokens
        if tokens < SMALL_CONTEXT:
            return ProbeResult(Probe.CONTEXT, ProbeVerdict.MISSING, Reason.SMALL, values)
        return ProbeResult(Probe.CONTEXT, ProbeVerdict.WORKS, None, values)

    def _of_own_row(self, models: Sequence[ListedModel]) -> int | None:
        own = (self._name, f"{self._name}:latest")
        return next((model.context for model in models if model.id in own and model.context), None)

    async def _count_slots(self, server: _Server) -> int | None:
        """Return how many requests llama.cpp answers concurrently.

        None for other servers, which do not report it.
        """
        if not self._endpoint.is_local:
            return None
        try:
            answer = await server.ask("/props", None, at_root=True)
        except NotListed:
            return None
        return read_properties(answer.json()).slots if answer.status == 200 else None

    async def _context_elsewhere(self, server: _Server) -> int | None:
        """Return the context length from the native endpoints of llama.cpp, Ollama or LM Studio."""
        places = (("/props", None), ("/api/show", {"model": self._name}), ("/api/v0/models", None))
        for path, body in places:
            try:
                answer = await server.ask(path, body, at_root=True)
            except NotListed:
                return None
            found = answer.json() if answer.status == 200 else None
            if isinstance(found, dict):
                tokens = _context_told(found) or self._of_own_row(_models_in(found) or ())
                if tokens:
                    return tokens
        return None


SLOW_TOKENS_A_SECOND = 3.0
_NO_SPEED = ProbeResult(Probe.SPEED, ProbeVerdict.MISSING, Reason.UNKNOWN)


def _context_told(body: Mapping[str, object]) -> int | None:
    settings_of_model = body.get("default_generation_settings")
    if isinstance(settings_of_model, dict):  # llama.cpp
        return _context_in(settings_of_model)
    facts = body.get("model_info")  # Ollama: {"llama.context_length": …}
    if isinstance(facts, dict):
        told = [value for name, value in facts.items() if str(name).endswith(".context_length")]
        return _context_in({"context_length": told[0]}) if told else None
    return None


def _build_messages(words: str) -> tuple[Message, ...]:
    return (Message(Speaker.SYSTEM, "You answer briefly."), Message(Speaker.USER, words))


def _build_failed_finding(probe: Probe, error: NotListed) -> ProbeResult:
    return ProbeResult(probe, ProbeVerdict.FAILED, error.reason, error.values)


def _of_error(probe: Probe, verdict: ProbeVerdict, error: ModelError) -> ProbeResult:
    reason = BY_TROUBLE.get(error.code, Reason.USELESS)
    if probe is not Probe.JSON and reason in (Reason.PATH, Reason.SERVER_ERROR):
        reason = Reason.NOT_OFFERED
    return ProbeResult(probe, verdict, reason)
