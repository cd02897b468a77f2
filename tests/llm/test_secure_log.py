"""The log of model calls keeps its fields, and nothing of what was said gets anywhere else."""

import hashlib
import io
import logging
import traceback

import pytest

from research.db.tenancy import tenant_context
from research.engine.error_boundary import log_failure as logged_failure
from research.llm.call_store import model_call_secure_log
from research.llm.model_errors import ModelError
from research.models import ModelCall, Tenant
from research.storage.keys.data_encryption_keys import open_sealed
from tests.fakes.openai_answers import (
    answer,
    cut_off,
    echo_in_error,
    invalid_json,
    not_json,
    schema_violation,
    text,
)
from tests.llm.asking import KEY, call, complete_one, list_logged_calls

PROMPT_CANARY = "canary-prompt-81f3"
ANSWER_CANARY = "canary-answer-27ac"
WORDS = f"Dear Mr Smith, {PROMPT_CANARY} was sent to ada@example.com from 192.0.2.7."
SAID = {"text": f"{ANSWER_CANARY} pays with 4111 1111 1111 1111.", "year": 1918}


def keep(step, setting):
    with tenant_context(step.tenant_id):
        Tenant.objects.filter(pk=step.tenant_id).update(kept_bodies=setting)
    model_call_secure_log.forget()


def open_column(row, name):
    with tenant_context(row.tenant_id):
        return open_sealed(bytes(getattr(row, name)), f"{name.removesuffix('_body')}:{row.pk}").decode()


def test_a_row_tells_who_what_and_how_much_without_the_words(gateway, step):
    gateway.script(answer(SAID))
    complete_one(call(step, WORDS))
    [row] = list_logged_calls(step)
    assert (row.role, row.model, row.prompt_version, row.status) == (
        "writer", "test-model", "writer/section.v1", "stored"
    )  # fmt: skip
    assert row.duration_ms is not None
    assert row.tokens_input > 0
    assert all(len(value) == 64 for value in (row.tenant_hash, row.user_hash, row.run_hash, row.request_hash))
    assert len({row.tenant_hash, row.user_hash, row.run_hash}) == 3


def test_the_hash_of_an_answer_is_that_of_its_words(gateway, step):
    gateway.script(text('{"text": "x", "year": 1}'))
    complete_one(call(step))
    assert list_logged_calls(step)[0].response_hash == hashlib.sha256(b'{"text": "x", "year": 1}').hexdigest()


def test_identities_cannot_be_told_without_our_secret_key(gateway, step, settings):
    complete_one(call(step))
    settings.SECRET_KEY = "another" * 10
    complete_one(call(step, purpose="again"))
    first, second = list_logged_calls(step)
    assert first.tenant_hash != second.tenant_hash
    assert hashlib.sha256(str(step.tenant_id).encode()).hexdigest() != first.tenant_hash


def test_kinds_of_personal_data_are_noted(gateway, step):
    gateway.script(answer(SAID))
    complete_one(call(step, WORDS))
    assert list_logged_calls(step)[0].pii_types == ["card", "email", "ip_address", "name"]


@pytest.mark.parametrize("setting", ["off", "hashed"])
def test_bodies_are_kept_only_where_the_tenant_wants_them(gateway, step, setting):
    keep(step, setting)
    complete_one(call(step, WORDS))
    [row] = list_logged_calls(step)
    assert (row.request_body, row.response_body) == (None, None)


def test_kept_bodies_are_redacted_and_encrypted(gateway, step):
    keep(step, "encrypted")
    gateway.script(answer(SAID))
    complete_one(call(step, WORDS))
    [row] = list_logged_calls(step)
    assert PROMPT_CANARY.encode() not in bytes(row.request_body)
    request, response = open_column(row, "request_body"), open_column(row, "response_body")
    assert PROMPT_CANARY in request
    assert "ada@example.com" not in request
    assert "[email]" in request
    assert "4111" not in response


def test_of_a_call_that_failed_the_request_is_kept_like_any_other(gateway, step):
    """The operator of a server wants to see what it refused."""
    keep(step, "encrypted")
    gateway.default = echo_in_error(400)
    with pytest.raises(ModelError):
        complete_one(call(step, WORDS))
    [row] = list_logged_calls(step)
    assert PROMPT_CANARY in open_column(row, "request_body")
    assert "ada@example.com" not in open_column(row, "request_body")
    assert (row.response_body, row.status, "email" in row.pii_types) == (None, "failed", True)


def test_no_column_of_a_row_holds_the_words_in_the_clear(gateway, step):
    keep(step, "encrypted")
    gateway.script(answer(SAID))
    complete_one(call(step, WORDS))
    with tenant_context(step.tenant_id):
        [row] = ModelCall.objects.filter(run_id=step.run_id).values()
    kept = b" ".join(
        bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
        for value in row.values()
    )
    assert not any(word.encode() in kept for word in (PROMPT_CANARY, ANSWER_CANARY, KEY))


FAULTS = [
    answer(SAID),
    echo_in_error(400),
    echo_in_error(401),
    echo_in_error(429),
    echo_in_error(500),
    invalid_json(),
    schema_violation(),
    text(f"no JSON but {ANSWER_CANARY}"),
    text(f'{{"text": 5, "{ANSWER_CANARY}": "{ANSWER_CANARY}"}}'),
    cut_off(),
    not_json(),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_no_prompt_answer_or_key_reaches_logs_or_exceptions(gateway, step, fault, caplog, capfd):
    """Everything that any library logs, at every level, and what a traceback of the error would print."""
    lines = io.StringIO()
    listener = logging.StreamHandler(lines)
    root = logging.getLogger()
    root.addHandler(listener)
    caplog.set_level(logging.DEBUG)
    logging.getLogger("research").setLevel(logging.DEBUG)
    gateway.default = fault
    printed = ""
    try:
        complete_one(call(step, WORDS))
    except ModelError as error:
        logged_failure(error)
        printed = "".join(traceback.format_exception(error)) + repr(error)
    finally:
        root.removeHandler(listener)
        logging.getLogger("research").setLevel(logging.NOTSET)
    out = "".join([lines.getvalue(), caplog.text, printed, *capfd.readouterr()])
    assert [word for word in (PROMPT_CANARY, ANSWER_CANARY, KEY, "ada@example.com") if word in out] == []


def test_the_errors_of_rows_hold_nothing_of_what_a_server_echoes(gateway, step):
    gateway.default = echo_in_error(400)
    with pytest.raises(ModelError):
        complete_one(call(step, WORDS))
    [row] = list_logged_calls(step)
    assert (
        row.error_message
        == "The model's server did not accept the request. HTTP 400 (invalid_request_error)."
    )


def test_an_endpoint_does_not_print_its_key(gateway):
    from research.llm.model_settings import environment_models

    assert KEY not in repr(environment_models())
