"""The only door to a model.

    completion = await complete(Call(work, AgentRole.WRITER, prompt, Section, "draft", 4000))

In order: is the answer there already, paid for by an earlier execution of the step? → a slot of the provider's
limiter → the call is claimed and its worst case reserved → the call (180 s) → the answer is kept and its cost
settled → it is checked against the schema, with one repair turn. A stored answer comes before the reservation:
it costs nothing, and must be had also when the budget is spent.
"""

import asyncio
import logging
import random
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic
from uuid import UUID

from research.governance.refusals import BudgetExceeded
from research.llm.answers import Fitting, Flaw, judge, repair_messages
from research.llm.calls import Answer, Call, Completion, Message, Usage
from research.llm.errors import ModelError, Trouble
from research.llm.log import journal
from research.llm.log.secure_log import said
from research.llm.prices import ModelFacts, facts_of, kept_facts
from research.llm.process import ModelProcess, model_process
from research.llm.provider.replies import Reply, estimated_prompt_tokens, estimated_tokens
from research.llm.requests import Asked, asked
from research.llm.settings import engine, model_endpoint, model_for

log = logging.getLogger(__name__)

LONGEST_QUEUE_S = 100.0  # for a slot; beyond it the step is put back, so that its time limit is not eaten up
LONGEST_TURN_S = 100.0  # for another execution's call, or for room in the budget
MOST_PAUSES = 4  # asked for by the provider, before the step is put back
LONGEST_PAUSE_S = 60.0  # a longer one is not waited out here
SHORTEST_WAIT_S, LONGEST_WAIT_S = 0.05, 1.0
NO_SLOT_S = 5.0

FLAWS = {
    Trouble.INVALID_OUTPUT: "The model's answer is not of the form that was asked for.",
    Trouble.TRUNCATED: "The model stopped in the middle of its answer.",
    Trouble.TOO_LONG: "The model's answer is too long to be read.",
    Trouble.EMPTY: "The model gave no answer.",
    Trouble.REFUSED: "The model refused to answer.",
}


@dataclass(frozen=True, slots=True)
class Answered:
    """One reply that is stored, be it of any use or not."""

    call_id: UUID
    reply: Reply
    usage: Usage
    was_stored: bool


async def complete(call: Call[Answer]) -> Completion[Answer]:
    """Ask a model. Raises ModelError with a named code. Safe in any event loop, and to be cancelled."""
    if engine() == "extractive":
        raise ModelError(Trouble.NOT_CONFIGURED, "No model is configured.")
    process = model_process()
    return await process.do(_Exchange(process, call).complete())


class _Exchange(Generic[Answer]):
    """One call with its repair turn. Lives in the process's loop for models."""

    def __init__(self, process: ModelProcess, call: Call[Answer]) -> None:
        self._process = process
        self._call = call
        self._endpoint = model_endpoint()
        self._model = model_for(call.role)
        self._tools = {tool.name for tool in call.tools}

    async def complete(self) -> Completion[Answer]:
        call = self._call
        first = await self._answer(call.purpose, call.prompt.messages)
        judged = judge(first.reply, call.schema, self._tools)
        if isinstance(judged, Fitting):
            return self._completion(judged, first)
        if not judged.can_be_repaired:
            raise await self._useless(judged, first)
        turns = repair_messages(call.prompt.messages, first.reply, judged, call.schema)
        second = await self._answer(f"{call.purpose}.repair", turns)
        judged = judge(second.reply, call.schema, self._tools)
        if isinstance(judged, Fitting):
            return self._completion(judged, first, second)
        raise await self._useless(judged, first, second)

    def _completion(self, fitting: Fitting[Answer], *answers: Answered) -> Completion[Answer]:
        usage = answers[0].usage if len(answers) == 1 else answers[0].usage + answers[1].usage
        return Completion(
            fitting.parsed,
            fitting.tool_calls,
            usage,
            self._model,
            was_stored=all(answer.was_stored for answer in answers),
            was_repaired=len(answers) > 1,
        )

    async def _useless(self, flaw: Flaw, *answers: Answered) -> ModelError:
        """The error to raise, once the answers are marked as not to be used again."""
        call_ids = [answer.call_id for answer in answers]
        await self._process.rows(
            partial(journal.discard, self._call.step.tenant_id, call_ids, flaw.code.value)
        )
        log.warning("model_answer_useless role=%s model=%s code=%s", self._call.role, self._model, flaw.code)
        return ModelError(flaw.code, FLAWS[flaw.code])

    async def _answer(self, purpose: str, messages: tuple[Message, ...]) -> Answered:
        """The reply, from the rows or from the model. Raises ModelError."""
        facts = await self._facts()
        wanted = asked(self._call, purpose, messages, self._model, facts)
        if wanted.fence > 1:  # executed before: the answer may be here, and needs no slot
            stored = await self._process.rows(partial(journal.look, wanted))
            if stored is not None:
                return _answered(stored)
        found, held = await self._claim(wanted)
        if isinstance(found, journal.Stored):
            return _answered(found)
        return await self._pay(found, wanted, facts, held)

    async def _facts(self) -> ModelFacts:
        kept = kept_facts(self._endpoint, self._model)
        if kept is not None:
            return kept
        return await self._process.rows(partial(facts_of, self._endpoint, self._model))

    async def _claim(self, wanted: Asked) -> tuple[journal.Stored | journal.Claimed, AsyncExitStack]:
        """The call is ours, with a slot to make it in; or others made it meanwhile.

        It is claimed with the slot in hand, some milliseconds before it is sent: so that a killed process
        leaves as few claims and reservations behind as it had calls in flight.
        """
        wait, until = SHORTEST_WAIT_S, time.monotonic() + LONGEST_TURN_S
        while True:
            held = await self._slot()
            refused: BudgetExceeded | None = None
            async with held:
                try:
                    found = await self._process.rows(partial(journal.claim, wanted))
                except BudgetExceeded as error:
                    refused, found = error, journal.InFlight()
                if isinstance(found, journal.Claimed):
                    return found, held.pop_all()
                if isinstance(found, journal.Stored):
                    return found, AsyncExitStack()
            if refused is not None and not refused.is_momentary:
                raise _over_budget(refused)
            if time.monotonic() > until:
                raise _no_turn(refused)
            await asyncio.sleep(wait * random.uniform(0.5, 1))  # noqa: S311 - spreads, hides nothing
            wait = min(2 * wait, LONGEST_WAIT_S)

    async def _pay(
        self, claimed: journal.Claimed, wanted: Asked, facts: ModelFacts, held: AsyncExitStack
    ) -> Answered:
        rows, began = self._process.rows, time.monotonic()
        try:
            reply, duration_ms = await self._send(wanted, facts, held)
        except ModelError as error:
            log.warning("model_call_failed role=%s model=%s code=%s", wanted.role, wanted.model, error.code)
            await rows(partial(journal.fail, claimed, error, _since(began)))
            raise
        except asyncio.CancelledError:
            await asyncio.shield(rows(partial(journal.abandon, claimed, _since(began))))
            raise
        usage = _usage(reply, wanted, facts)
        await asyncio.shield(rows(partial(journal.store, claimed, wanted, reply, usage, duration_ms)))
        log.debug("model_called role=%s model=%s ms=%d", wanted.role, wanted.model, duration_ms)
        return Answered(claimed.call_id, reply, usage, was_stored=False)

    async def _send(self, wanted: Asked, facts: ModelFacts, held: AsyncExitStack) -> tuple[Reply, int]:
        """The reply and its milliseconds. Pauses that the provider asks for are kept by all processes."""
        limiter, pauses = self._process.limiter(self._endpoint), 0
        while True:
            try:
                async with held:
                    began = time.monotonic()
                    reply = await self._process.model(self._endpoint).complete(wanted.request, facts.features)
                return reply, _since(began)
            except ModelError as error:
                if error.code is not Trouble.RATE_LIMIT:
                    raise
                pause = error.retry_after_s if error.retry_after_s is not None else float(2**pauses)
                await limiter.pause(pause)
                pauses += 1
                if pauses == MOST_PAUSES or pause > LONGEST_PAUSE_S:
                    raise ModelError(error.code, error.message, retry_after_s=pause) from None
            held = await self._slot()

    async def _slot(self) -> AsyncExitStack:
        """Wait for one of the provider's slots; leaving the stack gives it back."""
        held = AsyncExitStack()
        limiter = self._process.limiter(self._endpoint)
        try:
            async with asyncio.timeout(LONGEST_QUEUE_S):
                await held.enter_async_context(limiter.slot(str(self._call.step.run_id)))
        except TimeoutError:
            words = "Too many calls of models wait for their turn; this one is made later."
            raise ModelError(Trouble.RATE_LIMIT, words, retry_after_s=NO_SLOT_S) from None
        return held


def _answered(stored: journal.Stored) -> Answered:
    return Answered(stored.call_id, stored.reply, stored.usage, was_stored=True)


def _no_turn(refused: BudgetExceeded | None) -> ModelError:
    if refused is not None:
        return _over_budget(refused)
    return ModelError(Trouble.TIMEOUT, "Another execution of this step still waits for the same answer.")


def _over_budget(refused: BudgetExceeded) -> ModelError:
    code = Trouble.BUDGET_HARD if refused.is_hard else Trouble.BUDGET_TOKENS
    return ModelError(code, str(refused))


def _usage(reply: Reply, wanted: Asked, facts: ModelFacts) -> Usage:
    """As the reply tells it; by length where it does not."""
    told_in, told_out = reply.tokens_input, reply.tokens_output
    usage = Usage(
        estimated_prompt_tokens(wanted.request.messages) if told_in is None else told_in,
        estimated_tokens(said(reply)) if told_out is None else told_out,
        is_estimated=told_in is None or told_out is None,
    )
    return replace(usage, cost_usd=facts.cost(usage))


def _since(began: float) -> int:
    """Milliseconds."""
    return int((time.monotonic() - began) * 1000)
