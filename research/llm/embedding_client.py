"""Embeddings from an OpenAI-compatible server (spec: agents-and-tools.md, The model gateway).

A request holds at most a hundred texts and goes through these steps: for a run, the call is recorded and its
worst case reserved → a slot of the provider's limiter → the call → the vectors are checked → the cost is
settled. Embeddings of the library's own passages are made for no run, so the operator pays for them.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.conf import settings
from pydantic import BaseModel, Field, ValidationError

from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.call_store import model_call_rows
from research.llm.call_types import Payer, Usage
from research.llm.model_errors import ModelError, Trouble, over_budget
from research.llm.model_prices import ModelFacts, facts_of
from research.llm.model_process import ModelProcess, model_process
from research.llm.model_requests import ModelCallRequest, embedding
from research.llm.model_residency import keep_within
from research.llm.model_settings import embeddings_endpoint, embeddings_model_id
from research.llm.provider.completion_replies import estimate_tokens
from research.llm.send_call import Patience, Sender, since
from research.models.base_models import EMBEDDING_DIMENSIONS

MAX_TEXTS = 100  # a request
PATIENCE = Patience(
    queue_s=20.0, tries=3, pause_s=10.0
)  # short, because passages can be found by full-text search until then

Vectors = npt.NDArray[np.float32]


class ServerEmbedder:
    """The embedding model that the settings name. Its callers run in threads without an event loop."""

    def __init__(self, payer: Payer | None = None, tenant_id: UUID | None = None) -> None:
        self._payer = payer
        self._tenant_id = payer.step.tenant_id if payer else tenant_id
        self._model = str(settings.PLUMBLINE_EMBEDDINGS_MODEL)
        self._endpoint = embeddings_endpoint()

    @property
    def model_id(self) -> str:
        return embeddings_model_id()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of shape (n, dimension), with rows of unit length. Raises ModelError."""
        process = model_process()
        return process.wait_for(self._embed(process, [text or " " for text in texts]))

    async def _embed(self, process: ModelProcess, texts: list[str]) -> Vectors:
        await keep_within(process, self._endpoint, self._tenant_id)
        starts = range(0, len(texts), MAX_TEXTS)
        parts = [await self._part(process, texts[start : start + MAX_TEXTS]) for start in starts]
        if len({part.shape[1] for part in parts}) > 1:
            raise _unfit("vectors of different dimensions")
        return np.concatenate(parts) if parts else np.empty((0, EMBEDDING_DIMENSIONS[0]), np.float32)

    async def _part(self, process: ModelProcess, texts: list[str]) -> Vectors:
        if self._payer is None:
            return (await self._send_texts(process, texts))[0]
        facts = await process.rows(partial(facts_of, self._endpoint, self._model))
        asked = embedding(self._payer, self._model, texts, _usage(None, texts, facts), self._endpoint.place)
        claimed, began = await process.rows(partial(_claim_call, asked)), time.monotonic()
        try:
            vectors, tokens, duration_ms = await self._send_texts(process, texts)
        except ModelError as error:
            await process.rows(partial(model_call_rows.fail, claimed, asked, error, since(began)))
            raise
        usage = _usage(tokens, texts, facts)
        await process.store(model_call_rows.CallOutcome(claimed, asked, None, usage, duration_ms))
        return vectors

    async def _send_texts(self, process: ModelProcess, texts: list[str]) -> tuple[Vectors, int | None, int]:
        """Return the vectors, the tokens billed (None if the server does not report them), and milliseconds.

        Raises ModelError.
        """
        whose = str(self._payer.step.run_id) if self._payer else "library"
        sender = Sender(process, self._endpoint, whose, PATIENCE)
        body, duration_ms = await sender.send(lambda model: model.embed(self._model, texts))
        return *read_vectors(body, len(texts)), duration_ms


def _claim_call(asked: ModelCallRequest) -> model_call_rows.ClaimedCall:
    try:
        return model_call_rows.begin(asked)
    except BudgetExceeded as refused:
        raise over_budget(refused) from None


def _usage(tokens: int | None, texts: Sequence[str], facts: ModelFacts) -> Usage:
    """Return the usage that the server reports.

    If it reports none, return an estimate from the length of the texts.
    """
    usage = Usage(sum(map(estimate_tokens, texts)) if tokens is None else tokens, is_estimated=tokens is None)
    return replace(usage, cost_usd=facts.cost(usage))


class _EmbeddingRow(BaseModel):
    index: int
    embedding: list[float]


class _EmbeddingUsage(BaseModel):
    prompt_tokens: int = Field(gt=0, le=2**31 - 1)


class _EmbeddingReply(BaseModel):
    data: list[_EmbeddingRow]
    usage: object = None


def read_vectors(body: bytes, count: int) -> tuple[Vectors, int | None]:
    """Return a server's vectors for `count` texts, as rows of unit length in their order, and the tokens it
    billed.

    Raises ModelError if the body does not follow the API, or the vectors can't be stored or compared.
    """
    try:
        answer = _EmbeddingReply.model_validate_json(body)
    except ValidationError:
        raise _unfit("no vectors") from None
    rows = sorted(answer.data, key=lambda row: row.index)
    if [row.index for row in rows] != list(range(count)):
        raise _unfit(f"not one vector for each of {count} texts")
    dimensions = {len(row.embedding) for row in rows}
    if len(dimensions) != 1 or not dimensions <= set(EMBEDDING_DIMENSIONS):
        told = ", ".join(map(str, sorted(dimensions)))
        raise _unfit(
            f"vectors of {told} dimensions; {' or '.join(map(str, EMBEDDING_DIMENSIONS))} can be kept"
        )
    vectors = np.array([row.embedding for row in rows], np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise _unfit("vectors without a length")
    return (vectors / lengths).astype(np.float32), _parse_billed_tokens(answer.usage)


def _parse_billed_tokens(usage: object) -> int | None:
    """Return the billed tokens; None if they are missing or invalid, to be estimated instead."""
    try:
        return _EmbeddingUsage.model_validate(usage).prompt_tokens
    except ValidationError:
        return None


def _unfit(what: str) -> ModelError:
    return ModelError(Trouble.INVALID_OUTPUT, f"The embeddings server answered with {what}.")
