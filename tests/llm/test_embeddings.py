"""Vectors from a server: in order and of unit length, counted where a run asked, failures by name."""

import json
import logging

import numpy as np
import pytest

from research.db.tenancy import tenant_context
from research.llm.call_types import Payer
from research.llm.embedding_client import ServerEmbedder, read_vectors
from research.llm.model_errors import ModelError, Trouble
from research.models import AgentRole, Operation, Reservation, UsageEntry
from tests.fakes.openai_answers import drop_connection, echo_in_error, error, not_json, rate_limited
from tests.llm.asking import KEY, list_logged_calls

SECRET = "The bridge of Remagen was finished in 1918."


@pytest.fixture
def embeddings(gateway, settings):
    """The server, configured to be asked for embeddings too."""
    settings.PLUMBLINE_EMBEDDINGS = "openai"
    settings.PLUMBLINE_EMBEDDINGS_MODEL = "test-embedder"
    return gateway


def usage_of(step) -> list[UsageEntry]:
    with tenant_context(step.tenant_id):
        assert not Reservation.objects.filter(run_id=step.run_id).exists()
        return list(UsageEntry.objects.filter(run_id=step.run_id))


def test_each_text_gets_its_own_vector_a_hundred_a_request(embeddings):
    texts = [f"passage {number}" for number in range(250)]
    vectors = ServerEmbedder().embed(texts)
    assert [len(request.body["input"]) for request in embeddings.requests] == [100, 100, 50]
    assert vectors.shape == (250, 1536)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    [alone] = ServerEmbedder().embed([texts[137]])
    assert np.array_equal(vectors[137], alone)


def test_no_text_is_no_request(embeddings):
    assert len(ServerEmbedder().embed([])) == 0
    assert embeddings.requests == []


def test_an_empty_text_is_asked_for_as_a_blank_which_servers_accept(embeddings):
    ServerEmbedder().embed(["", "word"])
    assert embeddings.requests[0].body["input"] == [" ", "word"]


def test_embeddings_go_to_their_own_server_with_their_own_key(embeddings, settings):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL_API_KEY = "http://127.0.0.1:9/v1", "not this"
    settings.PLUMBLINE_EMBEDDINGS_BASE_URL = embeddings.base_url
    settings.PLUMBLINE_EMBEDDINGS_API_KEY = "sk-embeddings"
    ServerEmbedder().embed(["word"])
    [request] = embeddings.requests
    assert request.headers["authorization"] == "Bearer sk-embeddings"
    assert request.body["model"] == "test-embedder"


def test_what_a_run_asks_for_counts_in_its_usage(embeddings, step):
    ServerEmbedder(Payer(step, AgentRole.RESEARCHER)).embed([SECRET])
    [entry] = usage_of(step)
    told = (entry.operation, entry.role, entry.tokens_input, entry.tokens_output)
    assert told == (Operation.EMBEDDING, AgentRole.RESEARCHER, 11, 0)


def test_what_a_run_asks_for_is_in_the_log_of_calls(embeddings, step):
    ServerEmbedder(Payer(step, AgentRole.RESEARCHER)).embed(["Write to ada@example.org."])
    [row] = list_logged_calls(step)
    assert (row.operation, row.role, row.model) == (
        Operation.EMBEDDING,
        AgentRole.RESEARCHER,
        "test-embedder",
    )
    assert (row.status, row.tokens_input, row.cost_usd) == ("stored", 7, 0)
    assert (row.answer, row.pii_types) == (None, ["email"])


def test_vectors_are_asked_for_again_and_each_time_is_in_the_log(embeddings, step):
    for _time in range(2):
        ServerEmbedder(Payer(step, AgentRole.RESEARCHER)).embed([SECRET])
    assert [(row.n, row.cache_hit) for row in list_logged_calls(step)] == [(0, False), (1, False)]
    assert len(usage_of(step)) == len(embeddings.requests) == 2


def test_a_failed_call_is_in_the_log_with_its_code(embeddings, step):
    embeddings.script_embeddings(error(503, "down"))
    with pytest.raises(ModelError):
        ServerEmbedder(Payer(step, AgentRole.RESEARCHER)).embed([SECRET])
    assert [(row.status, row.error_code) for row in list_logged_calls(step)] == [
        ("failed", "LLM_UNAVAILABLE")
    ]


def test_a_server_that_never_stops_asking_for_pauses_is_left_alone(embeddings):
    embeddings.script_embeddings(*[rate_limited("0.01")] * 4)
    with pytest.raises(ModelError) as paused:
        ServerEmbedder().embed(["word"])
    assert (paused.value.code, len(embeddings.requests)) == (Trouble.RATE_LIMIT, 3)


def test_a_call_larger_than_an_embedding_may_be_is_not_made(embeddings, step):
    with pytest.raises(ModelError) as refused:
        ServerEmbedder(Payer(step, AgentRole.RESEARCHER)).embed(["word " * 20_000])
    assert refused.value.code is Trouble.BUDGET_TOKENS
    assert (embeddings.requests, usage_of(step), list_logged_calls(step)) == ([], [], [])


def test_a_failed_call_costs_the_run_nothing(embeddings, step):
    embeddings.script_embeddings(error(503, "down"))
    with pytest.raises(ModelError):
        ServerEmbedder(Payer(step, AgentRole.RESEARCHER)).embed([SECRET])
    assert usage_of(step) == []


def test_a_pause_that_the_server_asks_for_is_kept_and_the_call_repeated(embeddings):
    embeddings.script_embeddings(rate_limited("0.05"))
    assert ServerEmbedder().embed(["word"]).shape == (1, 1536)
    assert len(embeddings.requests) == 2


def test_a_long_pause_is_not_waited_out(embeddings):
    embeddings.script_embeddings(rate_limited("600"))
    with pytest.raises(ModelError) as paused:
        ServerEmbedder().embed(["word"])
    assert (paused.value.code, paused.value.retry_after_s) == (Trouble.RATE_LIMIT, 600)
    assert len(embeddings.requests) == 1


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (error(401, "no"), Trouble.ACCESS_DENIED),
        (error(404, "no such model"), Trouble.NOT_FOUND),
        (error(500, "oops"), Trouble.UNAVAILABLE),
        (drop_connection(), Trouble.UNAVAILABLE),
        (not_json(), Trouble.INVALID_OUTPUT),
    ],
)
def test_failures_have_names(embeddings, behaviour, code):
    embeddings.script_embeddings(behaviour)
    with pytest.raises(ModelError) as failed:
        ServerEmbedder().embed(["word"])
    assert failed.value.code is code


def test_neither_key_nor_text_is_ever_in_a_message_or_a_log(embeddings, caplog):
    embeddings.script_embeddings(echo_in_error(), echo_in_error(500))
    caplog.set_level(logging.DEBUG)
    for _try in range(2):
        with pytest.raises(ModelError) as failed:
            ServerEmbedder().embed([SECRET])
        assert KEY not in str(failed.value)
        assert SECRET not in str(failed.value)
    assert KEY not in caplog.text
    assert SECRET not in caplog.text


def body(*rows: tuple[int, list[float]], **more: object) -> bytes:
    return json.dumps({"data": [{"index": n, "embedding": row} for n, row in rows], **more}).encode()


def test_rows_are_put_in_the_order_of_their_texts_and_made_unit_vectors():
    first, second = [3.0, 4.0] + [0.0] * 382, [0.0] * 383 + [2.0]
    vectors, tokens = read_vectors(body((1, second), (0, first), usage={"prompt_tokens": 7}), 2)
    assert np.allclose(vectors[0][:2], [0.6, 0.8])
    assert (vectors[1][-1], tokens) == (1.0, 7)


@pytest.mark.parametrize("told", [{}, {"usage": None}, {"usage": {"prompt_tokens": None}}, {"usage": "many"},
                                  {"usage": {"prompt_tokens": -1}}, {"usage": {"prompt_tokens": 2**31}}])  # fmt: skip
def test_a_server_that_tells_no_usage_that_makes_sense_is_counted_by_length(told):
    assert read_vectors(body((0, [1.0] * 384), **told), 1)[1] is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (body(), "one vector for each of 1"),
        (body((0, [1.0] * 384), (1, [1.0] * 384)), "one vector for each of 1"),
        (body((1, [1.0] * 384)), "one vector for each of 1"),
        (body((0, [1.0] * 768)), "768 dimensions; 384 or 1536"),
        (body((0, [0.0] * 384)), "without a length"),
        (body((0, [float("nan")] * 384)), "without a length"),
        (b'{"data": [{"index": 0, "embedding": "AAAA"}]}', "no vectors"),
        (b"<html>", "no vectors"),
    ],
)
def test_what_can_not_be_stored_or_compared_is_refused(answer, words):
    with pytest.raises(ModelError, match=words) as refused:
        read_vectors(answer, 1)
    assert refused.value.code is Trouble.INVALID_OUTPUT
