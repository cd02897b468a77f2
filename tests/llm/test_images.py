"""Pictures from a server: counted in the run's budget, read with suspicion, failures by name."""

import base64
import json
from decimal import Decimal
from hashlib import sha256

import pytest

from research.db.tenancy import tenant_context
from research.llm.call_store.close_model_calls import forget_late_answers
from research.llm.call_types import Payer, Usage
from research.llm.image_client import MAX_TOKENS, draw, read_picture
from research.llm.model_errors import ModelError, Trouble
from research.models import AgentRole, ModelCall, Operation, UsageEntry
from research.storage.object_store import object_key, storage_of
from tests.fakes.openai_answers import error, not_json, picture, refuse_parameters
from tests.llm.asking import KEY, list_logged_calls

WORDS = "A heat pump in the snow"
PNG = b"\x89PNG whatever"


@pytest.fixture
def images(gateway, settings):
    """The server, configured to be asked for pictures too."""
    settings.PLUMBLINE_IMAGE_MODEL = "test-painter"
    return gateway


def draw_picture(step):
    return draw(Payer(step, AgentRole.EXECUTOR), WORDS, "picture")


def usage_of(step) -> list[UsageEntry]:
    with tenant_context(step.tenant_id):
        return list(UsageEntry.objects.filter(run_id=step.run_id))


def test_a_picture_is_asked_for_and_counted_in_the_runs_budget(images, step):
    images.script_pictures(picture(PNG))
    assert draw_picture(step).data == PNG
    [request] = images.requests
    assert (request.path, request.headers["authorization"]) == ("/v1/images/generations", f"Bearer {KEY}")
    assert {name: request.body[name] for name in ("model", "prompt", "n", "size")} == {
        "model": "test-painter",
        "prompt": WORDS,
        "n": 1,
        "size": "1536x1024",
    }
    [entry] = usage_of(step)
    assert (entry.operation, entry.tokens_output) == (Operation.PICTURE, 1584)
    [row] = list_logged_calls(step)
    assert (row.operation, row.model, row.status) == ("picture", "test-painter", "stored")


def test_who_goes_on_after_a_kill_finds_the_picture_and_pays_nothing(images, step):
    images.script_pictures(picture(PNG))
    first = draw_picture(step)
    with tenant_context(step.tenant_id):
        assert forget_late_answers() == 0
    again = draw_picture(step.again())
    assert (again, len(images.requests), len(usage_of(step))) == (first, 1, 1)
    assert list_logged_calls(step)[0].cache_hit


def test_a_call_that_nobody_knows_the_end_of_is_made_anew_and_not_charged(images, step):
    images.script_pictures(picture(PNG), picture(PNG))
    draw_picture(step)
    with tenant_context(step.tenant_id):
        ModelCall.objects.update(status="sent", answer=None)  # as who was killed while it waited leaves it
    assert draw_picture(step.again()).data == PNG
    assert sorted(row.status for row in list_logged_calls(step)) == ["stored", "unknown"]


def test_a_picture_that_is_lost_is_asked_for_anew(images, step):
    images.script_pictures(picture(PNG), picture(PNG))
    draw_picture(step)
    with tenant_context(step.tenant_id):
        storage_of(step.tenant_id).delete(object_key(step.tenant_id, sha256(PNG).hexdigest()))
    assert draw_picture(step.again()).data == PNG
    assert [row.status for row in list_logged_calls(step)] == ["failed", "stored"]


def test_a_price_for_a_picture_counts_instead_of_tokens(images, step, settings):
    settings.PLUMBLINE_IMAGE_USD = Decimal("0.04")
    images.script_pictures(picture(PNG, usage=False))
    usage = draw_picture(step).usage
    assert (usage.cost_usd, usage.tokens_output, usage.is_estimated) == (Decimal("0.04"), MAX_TOKENS, True)
    assert usage_of(step)[0].cost_usd == Decimal("0.04")


def test_a_server_that_refuses_the_form_of_the_answer_is_asked_without_it(images, step):
    images.script_pictures(*[refuse_parameters("response_format", behaviour=picture(PNG))] * 2)
    assert draw_picture(step).data == PNG
    assert [("response_format" in request.body) for request in images.requests] == [True, False]


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (error(401, "no"), Trouble.ACCESS_DENIED),
        (error(400, "no", code="content_policy_violation"), Trouble.REFUSED),
        (picture(b"", url="https://elsewhere.example/a.png"), Trouble.INVALID_OUTPUT),
        (not_json(), Trouble.INVALID_OUTPUT),
    ],
)
def test_failures_have_names_and_cost_nothing(images, step, behaviour, code):
    images.script_pictures(behaviour)
    with pytest.raises(ModelError) as failed:
        draw_picture(step)
    assert failed.value.code is code
    assert usage_of(step) == []
    assert [row.error_code for row in list_logged_calls(step)] == [code.value]


def test_a_picture_beyond_the_limit_of_one_operation_is_not_asked_for(images, step, settings):
    limits = settings.PLUMBLINE_BUDGET_OPERATIONS
    settings.PLUMBLINE_BUDGET_OPERATIONS = {**limits, "picture": (Decimal(100),)}
    with pytest.raises(ModelError) as refused:
        draw_picture(step)
    assert refused.value.code is Trouble.BUDGET_TOKENS
    assert images.requests == []


def test_without_a_model_for_pictures_none_is_asked(gateway, step):
    with pytest.raises(ModelError) as refused:
        draw_picture(step)
    assert (refused.value.code, gateway.requests) == (Trouble.NOT_CONFIGURED, [])


def body(**given: object) -> bytes:
    return json.dumps(given).encode()


@pytest.mark.parametrize(
    "usage",
    [None, {}, {"input_tokens": -1, "output_tokens": 2}, {"input_tokens": "x", "output_tokens": 2}, 7],
)
def test_a_usage_that_makes_no_sense_is_estimated(usage):
    data = [{"b64_json": base64.b64encode(PNG).decode()}]
    assert read_picture(body(data=data, usage=usage)) == (PNG, None)


def test_the_first_picture_and_its_tokens_are_read():
    data = [{"b64_json": base64.b64encode(one).decode(), "revised_prompt": "…"} for one in (PNG, b"other")]
    usage = {"input_tokens": 3, "output_tokens": 5, "total_tokens": 8}
    assert read_picture(body(data=data, usage=usage)) == (PNG, Usage(3, 5))


@pytest.mark.parametrize(
    "given", [{}, {"data": []}, {"data": [{"b64_json": ""}]}, {"data": [{"b64_json": "*"}]}]
)
def test_an_answer_without_a_picture_is_refused(given):
    with pytest.raises(ModelError, match="without a picture"):
        read_picture(body(**given))
