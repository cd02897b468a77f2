"""How long an answer is waited for, and what is said of a server that is too slow."""

import asyncio
import json
import threading
from dataclasses import replace

import pytest
from django.test import override_settings

from research.llm.model_errors import ModelError, Trouble
from research.llm.model_settings import Endpoint
from research.llm.provider.completion_replies import read_reply
from research.llm.provider.model_server_speed import ServerSpeed
from research.llm.provider.openai_client import OpenAiModel
from research.llm.provider.structured_output_schema import build_structured_output
from research.pipelines.common.ask_model_in_pipeline_step import is_worth_another_try
from research.runtime.time_left import seconds_left, seconds_left_for_retries, within
from tests.fakes.openai_answers import hold_answer
from tests.llm.asking import KEY, Finding, request


class OtherFinding(Finding):
    """Another kind of answer."""


SLOW = 5.0  # tokens a second: 500 take longer than the limits below
LATE = ModelError(Trouble.TIMEOUT, "The model gave no answer within 180 s.")


def fail_in_time(server, seconds, rate=None, limit_s=0.2):
    server.default = hold_answer(threading.Event())

    async def ask():
        model = OpenAiModel(replace(Endpoint(server.base_url, KEY), tokens_a_second=rate), limit_s)
        try:
            with within(seconds):
                await model.complete(request())
        finally:
            await model.close()

    with pytest.raises(ModelError) as raised:
        asyncio.run(ask())
    return raised.value


def test_the_speed_of_a_server_follows_its_answers():
    speed = ServerSpeed()
    assert speed.longest_s(800, 900) is None
    speed.note(800, 100, 20)  # reading counts an eighth
    assert (speed.tokens_a_second, speed.longest_s(800, 900)) == (10, 100)
    speed.note(0, 400, 10)
    assert speed.tokens_a_second == 19
    speed.note(0, 0, 10)
    assert speed.tokens_a_second == 19


def test_a_late_answer_bounds_the_measured_speed():
    speed = ServerSpeed(150.0)
    speed.note_late(800, 4000, 180)
    assert speed.tokens_a_second == pytest.approx(4100 / 180)
    assert speed.most_output(800, 90) == 1950
    speed.note_late(800, 9000, 180)
    assert speed.tokens_a_second == pytest.approx(4100 / 180)


@pytest.mark.parametrize(
    ("details", "cached"),
    [({"cached_tokens": 7900}, 7900), ({"cached_tokens": 9000}, 8000)]
    + [
        (told, 0)
        for told in (None, [], {"cached_tokens": None}, {"cached_tokens": "many"}, {"cached_tokens": -1})
    ],
)
def test_what_a_server_had_cached_of_a_prompt_is_told_apart(details, cached):
    """Taken as read, it made a server appear to write six times as fast as it does."""
    usage = {"prompt_tokens": 8000, "completion_tokens": 5, "prompt_tokens_details": details}
    body = {"choices": [{"message": {"role": "assistant", "content": "{}"}}], "usage": usage}
    assert read_reply(json.dumps(body).encode()).tokens_cached == cached


def test_an_answer_is_not_waited_for_longer_than_the_step_lasts(server):
    failed = fail_in_time(server, 0.1, limit_s=20)
    assert (failed.code, failed.message) == (Trouble.TIMEOUT, "The model gave no answer within 0 s.")


def test_nothing_is_sent_without_time_for_it(server):
    assert fail_in_time(server, 0).code is Trouble.TIMEOUT
    assert server.requests == []


def test_a_slow_server_gets_the_time_of_the_step_and_is_called_slow(server):
    failed = fail_in_time(server, 1.2, rate=SLOW)
    assert (failed.code, failed.is_retryable) == (Trouble.TOO_SLOW, False)
    assert failed.message == "The model's server writes about 5.0 tokens a second: no answer within 1 s."


@pytest.mark.parametrize(("rate", "most"), [(5.0, 220), (1.0, 500), (50.0, 500), (None, 500)])
def test_slow_server_is_asked_for_as_much_as_it_writes_in_time(server, rate, most):
    async def ask():
        model = OpenAiModel(replace(Endpoint(server.base_url, KEY), tokens_a_second=rate))
        with within(67):
            await model.complete(request())
        await model.close()

    asyncio.run(ask())
    assert abs(server.requests[0].body["max_tokens"] - most) <= 3


def test_server_that_was_late_before_it_was_measured_is_asked_for_less(server):
    server.script(hold_answer(threading.Event()))

    async def ask() -> None:
        model = OpenAiModel(Endpoint(server.base_url, KEY), 0.2)
        with within(1), pytest.raises(ModelError, match="no answer within"):
            await model.complete(request())
        with within(1):
            await model.complete(request())
        await model.close()

    asyncio.run(ask())
    first, second = (sent.body["max_tokens"] for sent in server.requests)
    assert first == 500
    assert 300 <= second <= 334  # two thirds of it, with time for slower writing


def test_slow_server_is_not_asked_again_for_what_it_did_not_answer_in_time(server):
    server.default = hold_answer(threading.Event())
    other = request(output=build_structured_output(OtherFinding))

    async def ask() -> list[ModelError]:
        model = OpenAiModel(replace(Endpoint(server.base_url, KEY), tokens_a_second=SLOW), 0.2)
        failures = []
        for wanted in (*[request()] * 5, other):
            with within(0.3), pytest.raises(ModelError) as raised:
                await model.complete(wanted)
            failures.append(raised.value)
        await model.close()
        return failures

    assert {failure.code for failure in asyncio.run(ask())} == {Trouble.TOO_SLOW}
    assert len(server.requests) == 3  # two of the first kind of answer, one of the other


def test_a_server_that_has_never_answered_is_called_late(server):
    failed = fail_in_time(server, 1.2)
    assert (failed.code, failed.is_retryable) == (Trouble.TIMEOUT, True)


@override_settings(PLUMBLINE_MODEL_TIMEOUT_SECONDS=180)
def test_a_late_answer_is_asked_for_again_only_if_as_much_time_is_left():
    assert is_worth_another_try(LATE, attempt=1)
    with within(285, with_retries=2_000):
        assert is_worth_another_try(LATE, attempt=1)
        assert not is_worth_another_try(LATE, attempt=3)
    with within(285, with_retries=100):
        assert not is_worth_another_try(LATE, attempt=1)


def test_an_inner_limit_never_extends_an_outer_one():
    with within(10, with_retries=20), within(300):
        assert seconds_left() <= 10
        assert seconds_left_for_retries() <= 20
    assert seconds_left() == seconds_left_for_retries() == float("inf")
