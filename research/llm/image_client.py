"""Pictures from an OpenAI-compatible server, where the settings name a model for them.

In this order: is the picture there already, paid for by an earlier execution? → the call is written down and its worst
case reserved → a slot of the provider's limiter → the call → the answer is read → the picture is kept and its cost
settled. It is kept as it came, under its hash and for a day, for whoever goes on after a kill; who asked for it checks
and stores it.
"""

import base64
import binascii
import logging
import time
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from uuid import UUID

from django.conf import settings
from pydantic import BaseModel, Field, ValidationError

from research.db.tenancy import tenant_context
from research.llm.budgets.limits import OperationCost
from research.llm.budgets.refusals import BudgetExceeded
from research.llm.call_store import call_rows
from research.llm.call_types import Payer, Usage
from research.llm.model_errors import ModelError, Trouble, over_budget
from research.llm.model_prices import ModelFacts, facts_of
from research.llm.model_process import ModelProcess, model_process
from research.llm.model_requests import ModelCallRequest, picture
from research.llm.model_residency import keep_within
from research.llm.model_settings import can_draw, image_endpoint
from research.llm.provider.replies import Reply, estimate_tokens
from research.llm.send_call import Patience, Sender, since
from research.runtime.fault_injection import FaultPoint, crash_point
from research.storage.object_store import ObjectError, get_object, put_object

log = logging.getLogger(__name__)

MOST_TOKENS = 7_000  # of a picture; the dearest of gpt-image-1 has 6 240
PATIENCE = Patience(queue_s=20.0, tries=3, pause_s=10.0)
TURNS = 3  # a refusal that is none any more and a picture that is lost have their call asked for anew


@dataclass(frozen=True, slots=True)
class GeneratedPicture:
    """A picture as the server sent it, not looked at yet."""

    data: bytes
    usage: Usage
    model: str


def draw(payer: Payer, words: str, purpose: str) -> GeneratedPicture:
    """Have a picture made of what the words say. For a thread without an event loop: it waits. Raises ModelError."""
    if not can_draw():
        raise ModelError(Trouble.NOT_CONFIGURED, "No model for pictures is configured.")
    process = model_process()
    return process.wait_for(_draw_picture(process, payer, words, purpose))


async def _draw_picture(process: ModelProcess, payer: Payer, words: str, purpose: str) -> GeneratedPicture:
    model, endpoint = str(settings.PLUMBLINE_IMAGE_MODEL), image_endpoint()
    await keep_within(process, endpoint, payer.step.tenant_id)
    facts = await process.rows(partial(facts_of, endpoint, model))
    worst = _price_usage(Usage(estimate_tokens(words), MOST_TOKENS), facts)
    amount = OperationCost(worst.tokens_input, worst.tokens_output, worst.cost_usd)
    asked = picture(payer, model, words, purpose, amount, endpoint.place)
    found, began = await process.rows(partial(_find_or_claim, asked)), time.monotonic()
    if isinstance(found, GeneratedPicture):
        return found
    sender = Sender(process, endpoint, str(payer.step.run_id), PATIENCE)
    try:
        body, duration_ms = await sender.send(
            lambda server: server.draw(model, words, settings.PLUMBLINE_IMAGE_SIZE)
        )
        data, used = read_picture(body)
    except ModelError as error:
        await process.rows(partial(call_rows.fail, found, asked, error, since(began)))
        raise
    usage = _price_usage(used or Usage(worst.tokens_input, worst.tokens_output, is_estimated=True), facts)
    crash_point(FaultPoint.ANSWERED_BEFORE_STORE)
    reply = await process.rows(partial(_store_picture, payer.step.tenant_id, data))
    await process.store(call_rows.CallOutcome(found, asked, reply, usage, duration_ms))
    crash_point(FaultPoint.STORED_BEFORE_FINISH)
    return GeneratedPicture(data, usage, model)


def _find_or_claim(asked: ModelCallRequest) -> GeneratedPicture | call_rows.ClaimedCall:
    """The picture, or the call to make. Raises ModelError."""
    for _turn in range(TURNS):
        try:
            found = call_rows.claim(asked)
        except BudgetExceeded as refused:
            raise over_budget(refused) from None
        if isinstance(found, call_rows.ClaimedCall):
            return found
        if isinstance(found, call_rows.CachedReply):
            if drawn := _load_picture(asked, found):
                return drawn
            call_rows.discard(asked.step.tenant_id, [found.call_id], Trouble.EMPTY.value)
    raise ModelError(Trouble.TIMEOUT, "Another execution still waits for the same picture.")


def _store_picture(tenant_id: UUID, data: bytes) -> Reply | None:
    """The answer that is remembered: where the picture lies. None where there is no room for it."""
    with tenant_context(tenant_id):
        try:
            return Reply(put_object(tenant_id, data))
        except ObjectError as error:
            log.warning("picture_not_kept reason=%s", error)
            return None


def _load_picture(asked: ModelCallRequest, stored: call_rows.CachedReply) -> GeneratedPicture | None:
    with tenant_context(asked.step.tenant_id):
        try:
            return GeneratedPicture(get_object(stored.reply.text), stored.usage, asked.model)
        except ObjectError:
            return None


def _price_usage(usage: Usage, facts: ModelFacts) -> Usage:
    """With the price of a picture that the settings name, else by tokens as the operator's table has them."""
    flat: Decimal | None = settings.PLUMBLINE_IMAGE_USD
    cost = facts.cost(usage) if flat is None else flat
    return Usage(usage.tokens_input, usage.tokens_output, cost, usage.is_estimated)


class _Picture(BaseModel):
    b64_json: str = Field(min_length=1)


class _ImageUsage(BaseModel):
    input_tokens: int = Field(ge=0, le=2**31 - 1)
    output_tokens: int = Field(ge=0, le=2**31 - 1)


class _Answer(BaseModel):
    data: list[_Picture] = Field(min_length=1)
    usage: object = None


def read_picture(body: bytes) -> tuple[bytes, Usage | None]:
    """The first picture of a server's answer, and the tokens that it billed, if it tells them.

    Raises ModelError, also for an address in the place of a picture: nothing is fetched from there.
    """
    try:
        answer = _Answer.model_validate_json(body)
        data = base64.b64decode(answer.data[0].b64_json, validate=True)
    except (ValidationError, binascii.Error):
        raise ModelError(
            Trouble.INVALID_OUTPUT, "The server for pictures answered without a picture."
        ) from None
    try:
        used = _ImageUsage.model_validate(answer.usage)
    except ValidationError:
        return data, None
    return data, Usage(used.input_tokens, used.output_tokens)
