"""Names for what servers answer instead of a completion."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.engine.states.step_failures import DEFINITIONS, FailureType, failure_of
from research.llm.model_errors import RETRYABLE, ModelError, Trouble
from research.llm.provider.model_server_failures import complaint_of, failure, retry_after_s

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
CANARY = "canary Sk-99 prompt"


def build_failure(status, body):
    return failure(status, json.dumps(body).encode(), None, NOW)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": CANARY, "type": CANARY, "code": CANARY, "param": CANARY}},
        {"error": CANARY},
        {"message": CANARY, "type": CANARY, "object": "error"},
        {"detail": CANARY},
        [CANARY],
        CANARY,
    ],
)
def test_nothing_of_what_a_server_says_gets_into_the_message(body):
    assert "canary" not in build_failure(400, body).message


def test_a_servers_own_identifiers_get_into_the_message():
    body = {"error": {"message": "x", "type": "invalid_request_error", "code": "model_not_found"}}
    assert build_failure(404, body).message.endswith("HTTP 404 (model_not_found, invalid_request_error).")


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "The context length is exceeded"}},
        {"object": "error", "message": "This model's maximum context length is 4096 tokens"},
        {"error": "the request exceeds the available context size"},
    ],
)
def test_every_servers_way_of_saying_that_the_input_is_too_long_is_understood(body):
    assert build_failure(400, body).code is Trouble.CONTEXT_TOO_LONG


def test_a_complaint_is_read_in_every_form():
    assert "temperature" in complaint_of(b'{"error": {"param": "temperature"}}')
    assert "temperature" in complaint_of(b'{"message": "temperature is not allowed"}')
    assert "temperature" in complaint_of(b"plain words about temperature")


@given(st.binary(max_size=200), st.integers(300, 599))
def test_no_body_is_too_odd_to_be_named(body, status):
    assert failure(status, body, None, NOW).code in Trouble


@given(st.text(max_size=40))
def test_no_header_is_too_odd_to_be_read(header):
    seconds = retry_after_s(header, NOW)
    assert seconds is None or 0 <= seconds <= 3600


def test_a_date_in_the_past_means_now():
    assert retry_after_s("Sun, 01 Nov 2026 11:00:00 GMT", NOW) == 0


def test_the_lifecycle_knows_every_code():
    assert {trouble.value for trouble in Trouble} <= DEFINITIONS.keys()


def test_what_may_be_tried_again_is_so_in_the_lifecycles_table_too():
    tried_again = {code for code in Trouble if DEFINITIONS[code].retries}
    assert tried_again == RETRYABLE


def test_a_failed_call_fails_its_step_by_name_and_with_the_servers_pause():
    found = failure_of(ModelError(Trouble.RATE_LIMIT, "Wait.", retry_after_s=12))
    assert (found.code, found.message, found.retry_after_s) == ("LLM_RATE_LIMIT", "Wait.", 12)
    assert found.definition.type is FailureType.TRANSIENT
