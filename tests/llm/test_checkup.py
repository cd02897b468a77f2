"""Testing a model server: what is found of servers in several states, and how it is said."""

import asyncio
import threading

import pytest

from research.llm import model_check
from research.llm.model_check import check, list_models
from research.llm.model_check_results import (
    NotListed,
    Probe,
    ProbeResult,
    ProbeVerdict,
    Reason,
    calls_at_once_in,
    can_write,
    context_length_in,
    read_finding,
    tokens_a_second,
)
from research.llm.model_settings import Endpoint, Models
from research.llm.provider import model_server_features
from research.llm.server_presets import PRESETS
from research.ops.health_model_check_text import verdict_of, words_of
from research.web.account.model_form import validate_address
from tests.fakes.openai_answers import (
    Wire,
    answer_with_models,
    capable,
    error,
    hold_answer,
    not_json,
    refuse_parameters,
    text,
)
from tests.fakes.openai_server import FakeOpenAI
from tests.llm.asking import KEY


def check_server(server, model="test-model", *, key=KEY, known_context=None):
    async def all_of_them():
        models = Models(Endpoint(server.base_url, key), model)
        return [finding async for finding in check(models, known_context)]

    return {finding.probe: finding for finding in asyncio.run(all_of_them())}


def verdicts(found):
    return {probe.value: finding.verdict.value for probe, finding in found.items()}


def test_a_capable_server_works_in_everything(server):
    server.default = capable()
    server.models = ({"id": "test-model", "max_model_len": 32_768}, {"id": "text-embed"})
    found = check_server(server)
    assert verdicts(found) == dict.fromkeys(
        "server models chat json tools embeddings images speed context".split(), "works"
    )
    assert found[Probe.JSON].values["form"] == "json_schema"
    assert found[Probe.EMBEDDINGS].values == {"model": "text-embed", "dimensions": 1536}
    assert found[Probe.CONTEXT].values["tokens"] == 32_768
    findings = list(found.values())
    assert (can_write(findings), context_length_in(findings)) == (True, 32_768)
    assert tokens_a_second(findings) > 0
    assert verdict_of(findings) == "This model can write reports."


def test_no_picture_is_paid_for_and_few_requests_are_sent(server):
    server.default = capable()
    check_server(server)
    pictures = [request.body for request in server.requests if request.path.endswith("/images/generations")]
    assert [(picture["n"], picture["prompt"]) for picture in pictures] == [(0, "")]
    assert len([request for request in server.requests if request.path.endswith("/chat/completions")]) == 3


def test_a_server_without_schemas_and_tools_is_told_what_is_done_without(server):
    server.default = refuse_parameters("response_format", "tools")
    found = check_server(server)
    assert found[Probe.JSON].verdict is ProbeVerdict.WORKS
    assert found[Probe.JSON].values["form"] != "json_schema"
    assert found[Probe.TOOLS].verdict is ProbeVerdict.MISSING
    assert "instead of agents" in words_of(found[Probe.TOOLS])
    assert can_write(list(found.values()))


def test_a_model_that_gives_no_object_cannot_write(server):
    server.default = text("A red tomato stands for itself, as a stone bridge does over its river.")
    found = check_server(server)
    assert (found[Probe.CHAT].verdict, found[Probe.JSON].verdict) == (ProbeVerdict.WORKS, ProbeVerdict.FAILED)
    assert not can_write(list(found.values()))
    assert "own sentences instead" in words_of(found[Probe.JSON])


@pytest.mark.parametrize(("key", "reason"), [(KEY, Reason.KEY), ("", Reason.NO_KEY)])
def test_a_wrong_or_missing_key_ends_the_test_by_name(server, key, reason):
    server.script_lists(error(401, "Unauthorized"))
    found = check_server(server, key=key)
    assert list(found) == [Probe.SERVER]
    assert found[Probe.SERVER].reason is reason


def test_a_key_that_only_the_chat_asks_for_is_told(server):
    server.default = error(401, "Unauthorized")
    found = check_server(server)
    assert (list(found)[-1], found[Probe.CHAT].reason) == (Probe.CHAT, Reason.KEY)


def test_a_model_that_is_not_there_is_told_with_its_neighbours(server):
    server.models = ({"id": "qwen3:latest"}, {"id": "llama3"})
    server.default = error(404, "model not found", code="model_not_found")
    found = check_server(server, "qwen33")
    assert found[Probe.CHAT].reason is Reason.NO_MODEL
    assert words_of(found[Probe.CHAT]) == "The server knows no model “qwen33”. It lists: qwen3:latest."


def test_a_tag_of_a_listed_model_need_not_be_named(server):
    server.models = ({"id": "qwen3:latest"},)
    assert check_server(server, "qwen3")[Probe.MODELS].verdict is ProbeVerdict.WORKS


def test_a_web_page_is_told_as_one(server):
    server.script_lists(not_json())
    found = check_server(server)
    assert found[Probe.SERVER].reason is Reason.WEB_PAGE
    assert "/v1" in words_of(found[Probe.SERVER])


def test_an_address_without_v1_is_completed_in_words(server):
    root = f"http://127.0.0.1:{server.port}"
    found = asyncio.run(_only(Endpoint(root, KEY)))
    assert found.verdict is ProbeVerdict.FAILED
    assert f"Try {root}/v1." in words_of(found)


def test_a_server_without_a_list_is_tested_all_the_same(server):
    server.default = capable()
    server.script_lists(error(404, "Not found"))
    found = check_server(server)
    assert (found[Probe.MODELS].verdict, found[Probe.CHAT].verdict) == (
        ProbeVerdict.MISSING,
        ProbeVerdict.WORKS,
    )


def test_what_answers_nothing_is_unreachable():
    with FakeOpenAI() as gone:
        endpoint = Endpoint(gone.base_url, "")
    assert asyncio.run(_only(endpoint)).reason is Reason.UNREACHABLE


async def _only(endpoint):
    return [finding async for finding in check(Models(endpoint, "m"))][0]


def test_a_server_that_is_silent_times_out(server, monkeypatch):
    monkeypatch.setattr(model_check, "PROBE_LIMIT_S", 0.2)
    server.script_lists(hold_answer(threading.Event(), answer_with_models(())))
    found = check_server(server)
    assert found[Probe.SERVER].reason is Reason.TIMEOUT


def test_an_owners_address_in_this_network_is_refused_in_words(server, settings):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = False
    found = asyncio.run(_only(Endpoint(server.base_url, "", is_guarded=True)))
    assert found.reason is Reason.REFUSED_ADDRESS
    assert "PLUMBLINE_MODEL_PRIVATE_ADDRESSES" in words_of(found)
    assert not server.requests


def test_a_small_context_and_a_slow_model_are_said(server):
    server.default = capable()
    server.models = ({"id": "test-model", "meta": {"n_ctx_train": 2048}},)
    found = check_server(server)
    assert words_of(found[Probe.CONTEXT]).startswith("Only 2,048 tokens")
    slow = ProbeResult(Probe.SPEED, ProbeVerdict.MISSING, Reason.SLOW, {"tokens_a_second": 1.4})
    assert words_of(slow) == "Slow: 1.4 tokens a second."


@pytest.mark.parametrize(
    ("slots", "said"),
    [
        (1, "The server answers one request at a time, so that is how it is called."),
        (4, "The server answers 4 requests at once, so no more are sent."),
    ],
)
def test_a_server_that_says_how_many_requests_it_answers_at_once_gets_no_more(server, slots, said):
    server.default = capable()
    server.models = ({"id": "test-model", "meta": {"n_ctx": 32_768}},)
    server.props = {"total_slots": slots, "default_generation_settings": {"n_ctx": 32_768}}
    found = check_server(server)
    assert words_of(found[Probe.CONTEXT]).endswith(said)
    assert calls_at_once_in(list(found.values())) == slots


def test_a_server_that_does_not_say_it_is_called_as_the_settings_have_it(server):
    server.default = capable()
    server.models = ({"id": "test-model", "meta": {"n_ctx": 32_768}},)
    assert calls_at_once_in(list(check_server(server).values())) is None


def test_the_operators_table_tells_the_context_where_the_server_does_not(server):
    server.default = capable()
    assert check_server(server, known_context=400_000)[Probe.CONTEXT].values["tokens"] == 400_000
    assert check_server(server)[Probe.CONTEXT].reason is Reason.UNKNOWN


def test_a_form_that_an_earlier_test_gave_up_is_tried_anew(server):
    server.default = capable()
    known = model_server_features.initial("127.0.0.1")
    model_server_features.remember(
        server.base_url, "test-model", known.__class__(form=model_server_features.StructuredOutputMode.WORDS)
    )
    assert check_server(server)[Probe.JSON].values["form"] == "json_schema"


def test_the_list_holds_names_alone(server):
    server.models = (
        {"id": "a", "context_length": 8192},
        {"id": 7},
        {"name": "b"},
        {"id": "x" * 101},
        {"id": "a\nb"},
    )
    found = asyncio.run(list_models(Endpoint(server.base_url, KEY)))
    assert [(one.id, one.context) for one in found] == [("a", 8192), ("b", None)]


@pytest.mark.parametrize("body", [b'{"a": 1}', b"[1, 2", b"\xff", b'"models"', b"[" * 100_000])
def test_something_else_than_a_list_is_no_list(server, body):
    server.script_lists(lambda request: Wire(200, body))
    with pytest.raises(NotListed) as raised:
        asyncio.run(list_models(Endpoint(server.base_url, KEY)))
    assert raised.value.reason is Reason.NOT_AN_API


def test_findings_are_stored_and_read_and_what_is_unknown_is_left_out():
    found = ProbeResult(Probe.CHAT, ProbeVerdict.FAILED, Reason.KEY, {"status": 401})
    assert read_finding(found.to_json()) == found
    for strange in (None, 1, {"probe": "future", "verdict": "works"}, {"probe": "chat"}):
        assert read_finding(strange) is None


def test_every_finding_has_words_even_without_values():
    for probe in Probe:
        for reason in Reason:
            assert words_of(ProbeResult(probe, ProbeVerdict.MISSING, reason))
        assert words_of(ProbeResult(probe, ProbeVerdict.WORKS))


def test_presets_have_addresses_that_may_be_entered(settings):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = True
    for preset in PRESETS:
        assert str(preset.needs)
        if preset.key != "azure":
            assert validate_address(preset.base_url) == preset.base_url


def test_a_model_that_is_right_at_the_second_try_is_said_to_be(server):
    server.script(capable(), text("Red, of course."), capable())
    server.default = capable()
    found = check_server(server)[Probe.JSON]
    assert (found.verdict, found.values["turns"]) == (ProbeVerdict.WORKS, 2)
    assert "second attempt" in words_of(found)
