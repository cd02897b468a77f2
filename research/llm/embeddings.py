"""Vectors from an OpenAI-compatible server (spec: agents-and-tools.md, The model gateway).

At most a hundred texts a request, each in this order: the worst case is reserved, where a run asks → a slot of the
provider's limiter → the call → the vectors are checked → the cost is settled. What nobody waits for in a run, the
library's own passages, is the operator's cost and no run's.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt
from django.conf import settings
from pydantic import BaseModel, ValidationError

from research.governance.budgets import Reservation, release, reserve, settle
from research.governance.limits import Amount
from research.governance.refusals import BudgetExceeded
from research.llm.calls import Payer, Usage
from research.llm.errors import ModelError, Trouble
from research.llm.prices import ModelFacts, facts_of
from research.llm.process import ModelProcess, model_process
from research.llm.provider.replies import estimated_tokens
from research.llm.settings import embeddings_endpoint, embeddings_model_id
from research.models import Operation
from research.models.base import EMBEDDING_DIMENSIONS, new_id

MOST_TEXTS = 100  # a request
LONGEST_QUEUE_S = 20.0  # for a slot: passages can be found by their words meanwhile
MOST_PAUSES = 2  # asked for by the provider
LONGEST_PAUSE_S = 10.0  # a longer one is not waited out here

Vectors = npt.NDArray[np.float32]


class ServerEmbedder:
    """The model that the settings name. Whoever calls it waits in a thread without an event loop."""

    def __init__(self, payer: Payer | None = None) -> None:
        self._payer = payer
        self._model = str(settings.PLUMBLINE_EMBEDDINGS_MODEL)
        self._endpoint = embeddings_endpoint()

    @property
    def model_id(self) -> str:
        return embeddings_model_id()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension), rows of unit length. Raises ModelError."""
        process = model_process()
        return process.wait_for(self._embed(process, [text or " " for text in texts]))

    async def _embed(self, process: ModelProcess, texts: list[str]) -> Vectors:
        starts = range(0, len(texts), MOST_TEXTS)
        parts = [await self._paid(process, texts[start : start + MOST_TEXTS]) for start in starts]
        if len({part.shape[1] for part in parts}) > 1:
            raise _unfit("vectors of different dimensions")
        return np.concatenate(parts) if parts else np.empty((0, EMBEDDING_DIMENSIONS[0]), np.float32)

    async def _paid(self, process: ModelProcess, texts: list[str]) -> Vectors:
        facts = await process.rows(partial(facts_of, self._endpoint, self._model))
        worst = _used(None, texts, facts)
        held = await process.rows(partial(_reserved, self._payer, worst)) if self._payer else None
        try:
            vectors, tokens = read_vectors(await self._answer(process, texts), len(texts))
        except ModelError:
            if held is not None:
                await process.rows(partial(release, held))
            raise
        if held is not None:
            await process.rows(partial(settle, held, _used(tokens, texts, facts)))
        return vectors

    async def _answer(self, process: ModelProcess, texts: list[str]) -> bytes:
        """Pauses that the provider asks for are kept by all processes. Raises ModelError."""
        limiter, pauses = process.limiter(self._endpoint), 0
        while True:
            try:
                async with await self._slot(process):
                    return await process.model(self._endpoint).embed(self._model, texts)
            except ModelError as error:
                if error.code is not Trouble.RATE_LIMIT or pauses == MOST_PAUSES:
                    raise
                pause = error.retry_after_s if error.retry_after_s is not None else float(2**pauses)
                await limiter.pause(pause)
                pauses += 1
                if pause > LONGEST_PAUSE_S:
                    raise

    async def _slot(self, process: ModelProcess) -> AsyncExitStack:
        name = str(self._payer.step.run_id) if self._payer else "library"
        held = AsyncExitStack()
        try:
            async with asyncio.timeout(LONGEST_QUEUE_S):
                await held.enter_async_context(process.limiter(self._endpoint).slot(name))
        except TimeoutError:
            raise ModelError(Trouble.TIMEOUT, "Too many calls of models wait for their turn.") from None
        return held


def _reserved(payer: Payer, worst: Amount) -> Reservation:
    step = payer.step
    try:
        return reserve(
            step.run_id,
            payer.role,
            f"embedding:{new_id()}",
            worst,
            tenant_id=step.tenant_id,
            step_id=step.step_id,
            operation=Operation.EMBEDDING,
        )
    except BudgetExceeded as refused:
        code = Trouble.BUDGET_HARD if refused.is_hard else Trouble.BUDGET_TOKENS
        raise ModelError(code, str(refused)) from None


def _used(tokens: int | None, texts: Sequence[str], facts: ModelFacts) -> Amount:
    """As the server tells it; by length where it does not."""
    usage = Usage(sum(map(estimated_tokens, texts)) if tokens is None else tokens)
    usage = replace(usage, cost_usd=facts.cost(usage))
    return Amount(usage.tokens_input, 0, usage.cost_usd)


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Used(BaseModel):
    prompt_tokens: int | None = None


class _Answer(BaseModel):
    data: list[_Row]
    usage: _Used | None = None


def read_vectors(body: bytes, count: int) -> tuple[Vectors, int | None]:
    """A server's answer for `count` texts: rows of unit length in their order, and the tokens it billed.

    Raises ModelError for what is not the API's, and for vectors that can't be stored or compared.
    """
    try:
        answer = _Answer.model_validate_json(body)
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
    told_tokens = answer.usage.prompt_tokens if answer.usage else None
    return (vectors / lengths).astype(np.float32), told_tokens if told_tokens and told_tokens > 0 else None


def _unfit(what: str) -> ModelError:
    return ModelError(Trouble.INVALID_OUTPUT, f"The embeddings server answered with {what}.")
