"""Images from an OpenAI-compatible server, if the settings name a model for them.

In order: has an earlier execution stored the picture already? → the call is recorded and its worst case
reserved → a slot of the provider's limiter → the call → the answer is read → the picture is stored and its
cost settled. It is stored for a day as it arrived, under its hash, for the execution that continues after a
crash; the caller checks it and stores it for good.
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
from research.llm.budgets.budget_limits import OperationCost
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.call_store import model_call_rows
from research.llm.call_types import Payer, Usage
from research.llm.model_errors import ModelError, Trouble, over_budget
from research.llm.model_prices import ModelFacts, facts_of
from research.llm.model_process import ModelProcess, model_process
from research.llm.model_requests import ModelCallRequest, picture
from research.llm.model_residency import keep_within
from research.llm.model_settings import can_draw, image_endpoint
from research.llm.provider.completion_replies import Reply, estimate_tokens
from research.llm.send_call import Patience, Sender, since
from research.runtime.fault_injection import FaultPoint, crash_point
from research.storage.object_store import ObjectError, get_object, put_object

log = logging.getLogger(__name__)

MAX_TOKENS = 7_000  # of a picture; the most expensive of gpt-image-1 has 6,240
PATIENCE = Patience(queue_s=20.0, tries=3, pause_s=10.0)
TURNS = 3  # a refusal that no longer holds and a lost picture are each tried again


@dataclass(frozen=True, slots=True)
class GeneratedPicture:
    """A picture as the server sent it, not validated yet."""

    data: bytes
    usage: Usage
    model: str


def draw(payer: Payer, words: str, purpose: str) -> GeneratedPicture:
    """Generate a picture from a description. Blocks; call it from a thread without an event loop.

    Raises ModelError.
    """
    if not can_draw():
        raise ModelError(Trouble.NOT_CONFIGURED, "No model for pictures is configured.")
    process = model_process()
    return process.wait_for(_draw_picture(process, payer, words, purpose))


async def _draw_picture(process: ModelProcess, payer: Payer, words: str, purpose: str) -> GeneratedPicture:
    model, endpoint = str(settings.PLUMBLINE_IMAGE_MODEL), image_endpoint()
    await keep_within(process, endpoint, payer.step.tenant_id)
    facts = await process.rows(partial(facts_of, endpoint, model))
    worst = _price_usage(Usage(estimate_tokens(words), MAX_TOKENS), facts)
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
        await process.rows(partial(model_call_rows.fail, found, asked, error, since(began)))
        raise
    usage = _price_usage(used or Usage(worst.tokens_input, worst.tokens_output, is_estimated=True), facts)
    crash_point(FaultPoint.ANSWERED_BEFORE_STORE)
    reply = await process.rows(partial(_store_picture, payer.step.tenant_id, data))
    await process.store(model_call_rows.CallOutcome(found, asked, reply, usage, duration_ms))
    crash_point(FaultPoint.STORED_BEFORE_FINISH)
    return GeneratedPicture(data, usage, model)


def _find_or_claim(asked: ModelCallRequest) -> GeneratedPicture | model_call_rows.ClaimedCall:
    """Return the stored picture, or claim the call. Raises ModelError."""
    for _turn in range(TURNS):
        try:
            found = model_call_rows.claim(asked)
        except BudgetExceeded as refused:
            raise over_budget(refused) from None
        if isinstance(found, model_call_rows.ClaimedCall):
            return found
        if isinstance(found, model_call_rows.CachedReply):
            if drawn := _load_picture(asked, found):
                return drawn
            model_call_rows.discard(asked.step.tenant_id, [found.call_id], Trouble.EMPTY.value)
    raise ModelError(Trouble.TIMEOUT, "Another execution still waits for the same picture.")


def _store_picture(tenant_id: UUID, data: bytes) -> Reply | None:
    """Store the picture, and return the reply to remember: its key. None if there is no room for it."""
    with tenant_context(tenant_id):
        try:
            return Reply(put_object(tenant_id, data))
        except ObjectError as error:
            log.warning("picture_not_kept reason=%s", error)
            return None


def _load_picture(asked: ModelCallRequest, stored: model_call_rows.CachedReply) -> GeneratedPicture | None:
    with tenant_context(asked.step.tenant_id):
        try:
            return GeneratedPicture(get_object(stored.reply.text), stored.usage, asked.model)
        except ObjectError:
            return None


def _price_usage(usage: Usage, facts: ModelFacts) -> Usage:
    """Add the cost: a picture's price in the settings, else that of the tokens in the operator's table."""
    flat: Decimal | None = settings.PLUMBLINE_IMAGE_USD
    cost = facts.cost(usage) if flat is None else flat
    return Usage(usage.tokens_input, usage.tokens_output, cost, usage.is_estimated)


class _ImageData(BaseModel):
    b64_json: str = Field(min_length=1)


class _ImageUsage(BaseModel):
    input_tokens: int = Field(ge=0, le=2**31 - 1)
    output_tokens: int = Field(ge=0, le=2**31 - 1)


class _ImageReply(BaseModel):
    data: list[_ImageData] = Field(min_length=1)
    usage: object = None


def read_picture(body: bytes) -> tuple[bytes, Usage | None]:
    """Return the first picture of a server's answer, and the tokens it billed, if it reports them.

    Raises ModelError, also for a URL instead of a picture: nothing is fetched from there.
    """
    try:
        answer = _ImageReply.model_validate_json(body)
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
