"""The fake server does what its docstring promises, so that the tests which trust it can."""

import json
import subprocess
import sys
import urllib.request

import pytest

from tests.fakes.openai_answers import (
    INJECTION,
    INVENTED_ID,
    INVENTED_QUOTE,
    answer,
    echo_injection,
    error,
    generate_answer,
    invent_sources,
    mixture,
)
from tests.fakes.openai_server import FakeOpenAI

PROMPT = "The bridge of Remagen was finished in 1918. It was built by four hundred workers."
SCHEMA = {
    "type": "object",
    "properties": {
        "claims": {"type": "array", "items": {"$ref": "#/$defs/Claim"}},
        "mood": {"enum": ["sure", "unsure"]},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "$defs": {
        "Claim": {
            "type": "object",
            "properties": {
                "quote": {"type": "string"},
                "source_id": {"type": "string"},
                "year": {"type": "integer"},
            },
        }
    },
}


@pytest.fixture
def server():
    with FakeOpenAI() as fake:
        yield fake


def post(server, body, path="/chat/completions"):
    request = urllib.request.Request(
        server.base_url + path, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as answered:
        return json.load(answered)


def ask_server(server, prompt=PROMPT):
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}], "response_format": form}
    return json.loads(post(server, body)["choices"][0]["message"]["content"])


def test_generated_answers_have_the_shape_asked_for_and_quote_the_prompt(server):
    got = ask_server(server)
    assert got["mood"] in ("sure", "unsure")
    assert all(claim["quote"] in PROMPT for claim in got["claims"])


def test_the_same_request_gets_the_same_answer(server):
    assert ask_server(server) == ask_server(server)


def test_values_of_fields_can_be_fixed(server):
    server.default = generate_answer(year=1918)
    assert {claim["year"] for claim in ask_server(server)["claims"]} == {1918}


def test_invented_answers_name_sources_and_quotes_that_do_not_exist(server):
    server.default = invent_sources()
    [first, *_others] = ask_server(server)["claims"]
    assert (first["quote"], first["source_id"]) == (INVENTED_QUOTE, INVENTED_ID)
    assert INVENTED_QUOTE not in PROMPT


def test_an_echoed_injection_stands_in_every_string(server):
    server.default = echo_injection()
    assert {claim["quote"] for claim in ask_server(server)["claims"]} == {INJECTION}


def test_the_script_comes_before_the_default(server):
    server.script(answer({"first": True}))
    assert ask_server(server) == {"first": True}
    assert "claims" in ask_server(server)


def test_only_whole_answers_count_as_paid(server):
    server.script(error(500))
    with pytest.raises(urllib.error.HTTPError):
        ask_server(server)
    ask_server(server)
    assert (len(server.requests), server.paid) == (2, 1)


def test_a_mixture_faults_the_same_requests_for_the_same_seed():
    def faults(seed):
        with FakeOpenAI(default=mixture(0.3, [error(500)], seed=seed)) as server:
            return [is_fault(server) for _ in range(20)]

    assert faults(1) == faults(1) != faults(2)


def is_fault(server):
    try:
        ask_server(server)
    except urllib.error.HTTPError:
        return True
    return False


def test_embeddings_are_unit_vectors_in_order(server):
    got = post(server, {"model": "e", "input": ["a", "b", "a"]}, "/embeddings")["data"]
    first, second, third = (row["embedding"] for row in got)
    assert first == third != second
    assert sum(value * value for value in first) == pytest.approx(1)


def test_it_serves_as_a_process_of_its_own_and_writes_each_call_down(tmp_path):
    log = tmp_path / "calls.jsonl"
    command = [sys.executable, "-m", "tests.fakes.openai_server", "--log", str(log)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().strip()
        fake = FakeOpenAI(port=int(url.rsplit(":", 1)[1].split("/")[0]))
        ask_server(fake)
    finally:
        process.kill()
        process.wait(10)
    [line] = log.read_text().splitlines()
    assert json.loads(line)["path"] == "/v1/chat/completions"
