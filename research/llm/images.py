"""Pictures from an OpenAI-compatible server, where the settings name a model for them.

In this order: the call is written down and its worst case reserved → a slot of the provider's limiter → the call →
the answer is read → the cost is settled. The picture is not kept here: whoever asked for it checks and stores it.
"""

import base64
import binascii
import time
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from django.conf import settings
from pydantic import BaseModel, Field, ValidationError

from research.governance.limits import Amount
from research.governance.refusals import BudgetExceeded
from research.llm.calls import Payer, Usage
from research.llm.errors import ModelError, Trouble, over_budget
from research.llm.log import journal
from research.llm.prices import ModelFacts, facts_of
from research.llm.process import ModelProcess, model_process
from research.llm.provider.replies import estimated_tokens
from research.llm.requests import Asked, picture
from research.llm.residency import keep_within
from research.llm.sending import Patience, Sender, since
from research.llm.settings import can_draw, image_endpoint

MOST_TOKENS = 7_000  # of a picture; the dearest of gpt-image-1 has 6 240
PATIENCE = Patience(queue_s=20.0, tries=3, pause_s=10.0)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture as the server sent it, not looked at yet."""

    data: bytes
    usage: Usage
    model: str


def draw(payer: Payer, words: str, purpose: str) -> Drawn:
    """Have a picture made of what the words say. For a thread without an event loop: it waits. Raises ModelError."""
    if not can_draw():
        raise ModelError(Trouble.NOT_CONFIGURED, "No model for pictures is configured.")
    process = model_process()
    return process.wait_for(_drawn(process, payer, words, purpose))


async def _drawn(process: ModelProcess, payer: Payer, words: str, purpose: str) -> Drawn:
    model, endpoint = str(settings.PLUMBLINE_IMAGE_MODEL), image_endpoint()
    await keep_within(process, endpoint, payer.step.tenant_id)
    facts = await process.rows(partial(facts_of, endpoint, model))
    worst = _priced(Usage(estimated_tokens(words), MOST_TOKENS), facts)
    asked = picture(
        payer, model, words, purpose, Amount(worst.tokens_input, worst.tokens_output, worst.cost_usd)
    )
    claimed, began = await process.rows(partial(_claimed, asked)), time.monotonic()
    sender = Sender(process, endpoint, str(payer.step.run_id), PATIENCE)
    try:
        body, duration_ms = await sender.send(
            lambda server: server.draw(model, words, settings.PLUMBLINE_IMAGE_SIZE)
        )
        data, used = read_picture(body)
    except ModelError as error:
        await process.rows(partial(journal.fail, claimed, error, since(began)))
        raise
    usage = _priced(used or Usage(worst.tokens_input, worst.tokens_output, is_estimated=True), facts)
    await process.store(journal.Ending(claimed, asked, None, usage, duration_ms))
    return Drawn(data, usage, model)


def _claimed(asked: Asked) -> journal.Claimed:
    try:
        return journal.begin(asked)
    except BudgetExceeded as refused:
        raise over_budget(refused) from None


def _priced(usage: Usage, facts: ModelFacts) -> Usage:
    """With the price of a picture that the settings name, else by tokens as the operator's table has them."""
    flat: Decimal | None = settings.PLUMBLINE_IMAGE_USD
    cost = facts.cost(usage) if flat is None else flat
    return Usage(usage.tokens_input, usage.tokens_output, cost, usage.is_estimated)


class _Picture(BaseModel):
    b64_json: str = Field(min_length=1)


class _Used(BaseModel):
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
        used = _Used.model_validate(answer.usage)
    except ValidationError:
        return data, None
    return data, Usage(used.input_tokens, used.output_tokens)
