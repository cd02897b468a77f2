"""The gateway to models: every text completion goes through it.

    completion = await complete(Call(work, AgentRole.WRITER, prompt, Section, "draft", 4000))

The workspace of the step determines the model and the server. This is looked up for each call, so saved
changes apply to the next one. If the workspace names a fallback model, it is called after the first model has
failed past its retries.

In order: has an earlier execution of the step stored the answer already? → the call is claimed and its worst case
reserved → a slot of the provider's limiter → the call (180 s) → the answer is stored and its cost settled
→ it is checked against the schema, with one repair turn, unless the model's last repairs failed. Stored answers
are looked up before the reservation because they cost nothing and must be available even when the budget is
spent.
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Generic
from uuid import UUID

from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.call_store import model_call_rows
from research.llm.call_types import Answer, Call, Completion, Message, Usage
from research.llm.model_errors import ModelError, Trouble, over_budget
from research.llm.model_prices import ModelFacts, facts_of, find_cached_facts
from research.llm.model_process import ModelProcess, model_process
from research.llm.model_requests import ModelCallRequest, Turn, turn
from research.llm.model_residency import keep_within
from research.llm.model_settings import Endpoint, FallbackModel
from research.llm.parse_model_answers import Fitting, Flaw, judge, repair_messages
from research.llm.provider import model_server_features
from research.llm.provider.completion_replies import Reply
from research.llm.provider.openai_client import OpenAiModel
from research.llm.send_call import Patience, Sender, since
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.log_context import of_step
from research.runtime.tracing import span

log = logging.getLogger(__name__)

# After waiting this long the step is put back, so that waiting does not use up its time limit.
PATIENCE = Patience(queue_s=100.0, tries=4, pause_s=60.0)
MAX_TURN_S = 100.0  # for another execution's call, or for room in the budget
MIN_WAIT_S, MAX_WAIT_S = 0.05, 1.0

FLAWS = {
    Trouble.INVALID_OUTPUT: "The model's answer does not have the requested format.",
    Trouble.TRUNCATED: "The model stopped in the middle of its answer.",
    Trouble.TOO_LONG: "The model's answer exceeds the size limit.",
    Trouble.EMPTY: "The model gave no answer.",
    Trouble.ONLY_THOUGHT: "The model only thought and gave no answer.",
    Trouble.REFUSED: "The model refused to answer.",
}
NO_FALLBACK_AFTER = frozenset(
    {Trouble.BUDGET_TOKENS, Trouble.BUDGET_HARD, Trouble.SUPERSEDED, Trouble.GIVEN_UP}
)
GIVEN_UP = "The model's earlier answers of this kind could not be used, so it was not asked."


@dataclass(frozen=True, slots=True)
class CallResult:
    """One stored reply, whether it is useful or not."""

    call_id: UUID
    reply: Reply
    usage: Usage
    was_stored: bool


def _never(_error: ModelError) -> bool:
    return False


async def complete(
    call: Call[Answer], *, is_tried_again: Callable[[ModelError], bool] = _never
) -> Completion[Answer]:
    """Call a model and return its answer. Raises ModelError with a named code.

    May run in any event loop and be cancelled.

    `is_tried_again` returns True for a failure after which the caller will repeat the call; the fallback
    model is then not called.
    """
    process = model_process()
    return await process.do(_complete_by_either(process, call, is_tried_again))


async def _complete_by_either(
    process: ModelProcess, call: Call[Answer], is_tried_again: Callable[[ModelError], bool]
) -> Completion[Answer]:
    models = await process.models(call.step.tenant_id)
    if models is None:
        raise ModelError(Trouble.NOT_CONFIGURED, "No model is configured.")
    first = _Exchange(process, call, models.endpoint, models.model_for(call.role))
    if models.fallback is None:
        return await first.complete()
    second = _of_fallback(process, call, models.fallback)
    if call.step.fence > 1 and await second.has_answer() and not await first.has_answer():
        return await second.complete()  # an earlier execution fell back: use the answer that it paid for
    try:
        return await first.complete()
    except ModelError as error:
        if error.code in NO_FALLBACK_AFTER or is_tried_again(error):
            raise
        log.warning("model_fallback role=%s model=%s code=%s", call.role, models.fallback.model, error.code)
        return await _instead_of(error, second)


def _of_fallback(process: ModelProcess, call: Call[Answer], fallback: FallbackModel) -> "_Exchange[Answer]":
    return _Exchange(process, call, fallback.endpoint, fallback.model)


async def _instead_of(error: ModelError, second: "_Exchange[Answer]") -> Completion[Answer]:
    """Return the fallback model's answer. If it fails too, raise the first failure: it is the one to fix."""
    try:
        return await second.complete()
    except ModelError as other:
        raise (other if other.code in NO_FALLBACK_AFTER else error) from None


class _Exchange(Generic[Answer]):
    """One call to one model, with its repair turn. It runs in the process's event loop for models."""

    def __init__(self, process: ModelProcess, call: Call[Answer], endpoint: Endpoint, model: str) -> None:
        self._process = process
        self._call = call
        self._endpoint = endpoint
        self._model = model
        run_id, turns = call.step.run_id, call.turns
        own = partial(process.slots(run_id, turns.at_once).hold_slot, turns.rank) if turns else None
        self._sender = Sender(process, self._endpoint, str(run_id), PATIENCE, own)
        self._tools = {tool.name for tool in call.tools}

    async def has_answer(self) -> bool:
        """Return True if an earlier execution of the step stored an answer of this model."""
        call = self._call
        asking = turn(
            call, call.purpose, call.prompt.messages, self._model, await self._facts(), self._endpoint.place
        )
        return await self._process.rows(partial(model_call_rows.look, asking.asked)) is not None

    async def complete(self) -> Completion[Answer]:
        call = self._call
        await keep_within(self._process, self._endpoint, call.step.tenant_id)
        first = await self._answer(call.purpose, call.prompt.messages)
        judged = judge(first.reply, call.schema, self._tools)
        if isinstance(judged, Fitting):
            return self._completion(judged, first)
        flaw = judged
        told = self._endpoint.base_url, self._model, flaw.code
        if not flaw.can_be_repaired or model_server_features.is_repaired_in_vain(*told):
            raise await self._useless(flaw, first)
        turns = repair_messages(call.prompt.messages, first.reply, flaw, call.schema)
        second = await self._answer(f"{call.purpose}.repair", turns)
        judged = judge(second.reply, call.schema, self._tools)
        model_server_features.note_repair(*told, is_in_vain=not isinstance(judged, Fitting))
        if isinstance(judged, Fitting):
            if flaw.is_prose:
                self._process.model(self._endpoint).note_prose(self._model)
            return self._completion(judged, first, second)
        raise await self._useless(judged, first, second)

    def _completion(self, fitting: Fitting[Answer], *answers: CallResult) -> Completion[Answer]:
        usage = answers[0].usage if len(answers) == 1 else answers[0].usage + answers[1].usage
        return Completion(
            fitting.parsed,
            fitting.tool_calls,
            usage,
            self._model,
            was_stored=all(answer.was_stored for answer in answers),
            was_repaired=len(answers) > 1,
        )

    async def _useless(self, flaw: Flaw, *answers: CallResult) -> ModelError:
        """Mark the answers as useless, and return the error to raise."""
        call_ids = [answer.call_id for answer in answers]
        await self._process.rows(
            partial(model_call_rows.discard, self._call.step.tenant_id, call_ids, flaw.code.value)
        )
        log.warning("model_answer_useless role=%s model=%s code=%s", self._call.role, self._model, flaw.code)
        return ModelError(flaw.code, FLAWS[flaw.code])

    async def _answer(self, purpose: str, messages: tuple[Message, ...]) -> CallResult:
        """Return the stored reply, or the model's. Raises ModelError."""
        facts = await self._facts()
        asking = turn(self._call, purpose, messages, self._model, facts, self._endpoint.place)
        if self._call.step.fence > 1:  # executed before: the answer may be stored, and needs no slot
            stored = await self._process.rows(partial(model_call_rows.look, asking.asked))
            if stored is not None:
                return _build_stored_answer(stored)
        found, held = await self._claim(asking.asked)
        if isinstance(found, model_call_rows.CachedReply):
            return _build_stored_answer(found)
        return await self._pay(found, asking, held)

    async def _facts(self) -> ModelFacts:
        kept = find_cached_facts(self._endpoint, self._model)
        if kept is not None:
            return kept
        return await self._process.rows(partial(facts_of, self._endpoint, self._model))

    async def _claim(
        self, wanted: ModelCallRequest
    ) -> tuple[model_call_rows.CachedReply | model_call_rows.ClaimedCall, AsyncExitStack]:
        """Claim the call and wait for a slot; or return the answer that another caller stored in the meantime.

        As many calls of a run as there are slots are claimed ahead of them, so that no slot is held while a claim is
        stored; and no more, so that a killed process leaves few claims and reservations behind.
        """
        ahead = await self._process.claimed_ahead(wanted.step.run_id, self._endpoint)
        wait, until = MIN_WAIT_S, time.monotonic() + MAX_TURN_S
        rank = self._call.turns.rank if self._call.turns else 0
        while True:
            refused: BudgetExceeded | None = None
            async with ahead.hold_slot(rank):
                crash_point(FaultPoint.BEFORE_WRITE_AHEAD)
                is_wanted = self._call.is_wanted
                if is_wanted is not None and not await self._process.rows(is_wanted):
                    raise ModelError(Trouble.GIVEN_UP, GIVEN_UP)
                try:
                    found = await self._claim_or_withdraw(wanted)
                except BudgetExceeded as error:
                    refused, found = error, model_call_rows.InFlight()
                if isinstance(found, model_call_rows.ClaimedCall):
                    return found, await self._slot_for(found)
                if isinstance(found, model_call_rows.CachedReply):
                    return found, AsyncExitStack()
            if refused is not None and not refused.is_momentary:
                raise over_budget(refused)
            if time.monotonic() > until:
                raise _no_turn(refused)
            await asyncio.sleep(wait * random.uniform(0.5, 1))  # noqa: S311 - spreads, hides nothing
            wait = min(2 * wait, MAX_WAIT_S)

    async def _claim_or_withdraw(self, wanted: ModelCallRequest) -> model_call_rows.Found:
        """Claim the call; give back what was claimed while this was cancelled. Raises BudgetExceeded."""
        claiming = asyncio.ensure_future(self._process.claim(wanted))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            found = await asyncio.shield(claiming)
            if isinstance(found, model_call_rows.ClaimedCall):
                await asyncio.shield(self._process.rows(partial(model_call_rows.withdraw, found)))
            raise

    async def _slot_for(self, claimed: model_call_rows.ClaimedCall) -> AsyncExitStack:
        """Wait for a slot; if there is none, give the claim back. Raises ModelError."""
        try:
            return await self._sender.slot()
        except (ModelError, asyncio.CancelledError):
            await asyncio.shield(self._process.rows(partial(model_call_rows.withdraw, claimed)))
            raise

    async def _pay(
        self, claimed: model_call_rows.ClaimedCall, turn: Turn, held: AsyncExitStack
    ) -> CallResult:
        rows, began, asked = self._process.rows, time.monotonic(), turn.asked
        try:
            with self._span():
                reply, duration_ms = await self._sender.send(partial(_complete, turn), held)
        except ModelError as error:
            log.warning("model_call_failed role=%s model=%s code=%s", asked.role, asked.model, error.code)
            await rows(partial(model_call_rows.fail, claimed, asked, error, since(began)))
            raise
        except asyncio.CancelledError:
            await asyncio.shield(rows(partial(model_call_rows.abandon, claimed, asked, since(began))))
            raise
        usage = turn.usage(reply)
        crash_point(FaultPoint.ANSWERED_BEFORE_STORE)
        ending = model_call_rows.CallOutcome(claimed, asked, reply, usage, duration_ms)
        await asyncio.shield(self._process.store(ending))
        crash_point(FaultPoint.STORED_BEFORE_FINISH)
        log.debug("model_called role=%s model=%s ms=%d", asked.role, asked.model, duration_ms)
        return CallResult(claimed.call_id, reply, usage, was_stored=False)

    def _span(self) -> AbstractContextManager[None]:
        """Return a span of the run's trace, from the first request to the reply, including retries."""
        step, call = self._call.step, self._call
        facts = {"run": str(step.run_id), "step": step.key, "role": call.role.value, "model": self._model}
        return span("model.call", of_step(step.tenant_id, step.run_id, step.key), facts)


async def _complete(turn: Turn, model: OpenAiModel) -> Reply:
    return await model.complete(turn.request, turn.facts.features)


def _build_stored_answer(stored: model_call_rows.CachedReply) -> CallResult:
    return CallResult(stored.call_id, stored.reply, stored.usage, was_stored=True)


def _no_turn(refused: BudgetExceeded | None) -> ModelError:
    if refused is not None:
        return over_budget(refused)
    return ModelError(Trouble.TIMEOUT, "Another execution of this step is still waiting for the same answer.")
