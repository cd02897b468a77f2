"""A workspace's own model server: sealed in its row, called from the next call on, with a fallback model."""

import asyncio
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from research.db.tenancy import create_tenant, tenant_context
from research.llm.gateway import complete
from research.llm.model_check_results import Probe, ProbeResult, ProbeVerdict
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_process import model_process
from research.llm.model_settings import Endpoint, engine, environment_models, models_of
from research.llm.save_model_connection import (
    EnteredModels,
    keep_findings,
    mark_of,
    models_as_entered,
    normal_url,
    remove_connection,
    save_connection,
)
from research.models import AgentRole, AuditEntry, DataKey, ModelCallStatus, ModelConnection
from research.storage.keys.data_encryption_keys import forget
from research.storage.keys.key_rotation import reseal, rotate
from tests.fakes.openai_answers import answer, error, generate_answer, not_json
from tests.fakes.openai_server import FakeOpenAI
from tests.llm.asking import Finding, call, complete_one, list_logged_calls

OWN_KEY = "sk-own-canary-81b27d"
OTHER_KEY = "sk-other-canary-42"
BUILT = {"text": "Built.", "year": 1918}
SPARE = {"fallback_model": "b", "fallback_url": "https://b.example/v1", "fallback_key": OTHER_KEY}


@pytest.fixture
def other():
    """Another server than the one that the environment names."""
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def private(settings):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = True


def connect(tenant_id, url, model="own-model", **more):
    with tenant_context(tenant_id):
        return save_connection(EnteredModels(url, model, **{"key": OWN_KEY, **more}), None)


def catch_failure(one, **how):
    with pytest.raises(ModelError) as raised:
        asyncio.run(complete(one, **how))
    return raised.value


# --- the row ---


def test_a_key_is_sealed_in_the_row_and_only_its_end_is_readable(tenant):
    connect(tenant.pk, "https://models.example/v1", **SPARE)
    with tenant_context(tenant.pk):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT row_to_json(one)::text, sealed_key, sealed_fallback_key"
                " FROM research_modelconnection AS one"
            )
            [(text, *sealed)] = cursor.fetchall()
        row = ModelConnection.objects.get()
    assert OWN_KEY not in text
    assert OTHER_KEY not in text
    assert not any(OWN_KEY.encode() in bytes(one) or OTHER_KEY.encode() in bytes(one) for one in sealed)
    assert (row.key_hint, row.fallback_key_hint) == (OWN_KEY[-4:], OTHER_KEY[-4:])
    assert models_of(tenant.pk).endpoint == Endpoint("https://models.example/v1", OWN_KEY, is_guarded=True)
    assert OWN_KEY not in repr(models_of(tenant.pk))


def test_nothing_of_a_short_key_is_shown(tenant):
    assert connect(tenant.pk, "https://models.example/v1", key="secret").key_hint == "…"


def test_another_workspace_sees_and_calls_nothing_of_it(tenant):
    other = create_tenant("other")
    connect(tenant.pk, "https://models.example/v1")
    with tenant_context(other.pk):
        assert not ModelConnection.objects.exists()
        assert engine() == "extractive"
    assert models_of(other.pk) is None


def test_a_workspace_has_one_connection(tenant):
    connect(tenant.pk, "https://models.example/v1")
    with pytest.raises(IntegrityError), tenant_context(tenant.pk):
        ModelConnection.objects.create(base_url="https://b.example/v1", model="b")


def test_a_key_stays_with_its_server_and_goes_to_no_other(tenant):
    connect(tenant.pk, "https://models.example/v1")
    connect(tenant.pk, "https://models.example/api/v1", model="b", key=None)
    assert (models_of(tenant.pk).endpoint.api_key, models_of(tenant.pk).model) == (OWN_KEY, "b")
    for elsewhere in (
        "https://evil.example/v1",
        "https://models.example:8443/v1",
        "http://models.example/v1",
    ):
        with tenant_context(tenant.pk):
            entered = models_as_entered(EnteredModels(elsewhere, "b"))
        assert entered.endpoint.api_key == ""
    connect(tenant.pk, "https://evil.example/v1", key=None)
    assert models_of(tenant.pk).endpoint.api_key == ""


def test_a_lost_key_is_told_and_can_be_entered_again(tenant):
    connect(tenant.pk, "https://models.example/v1")
    with tenant_context(tenant.pk):
        DataKey.objects.all().delete()
    forget()
    with pytest.raises(ModelError) as raised:
        models_of(tenant.pk)
    assert raised.value.code is Trouble.ACCESS_DENIED
    connect(tenant.pk, "https://models.example/v1")
    assert models_of(tenant.pk).endpoint.api_key == OWN_KEY


def test_keys_are_sealed_anew_when_the_data_key_is_exchanged(tenant):
    connect(tenant.pk, "https://models.example/v1", **SPARE)
    rotate(tenant.pk)
    with tenant_context(tenant.pk):
        DataKey.objects.exclude(retired_at=None).update(retired_at=timezone.now() - timedelta(days=2))
    assert reseal(tenant.pk).values == 2
    found = models_of(tenant.pk)
    assert (found.endpoint.api_key, found.fallback.endpoint.api_key) == (OWN_KEY, OTHER_KEY)


def test_the_trail_tells_of_a_save_and_a_removal_without_the_key(tenant):
    connect(tenant.pk, "https://models.example/v1")
    with tenant_context(tenant.pk):
        remove_connection()
        rows = list(AuditEntry.objects.filter(act="workspace.model").order_by("created_at"))
    assert [(row.before.get("address"), row.after.get("address")) for row in rows] == [
        (None, "https://models.example/v1"),
        ("https://models.example/v1", None),
    ]
    assert OWN_KEY not in str([(row.before, row.after) for row in rows])


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("https://a.example/v1/", "https://a.example/v1"),
        ("https://a.example/v1/chat/completions", "https://a.example/v1"),
        (" https://a.example/v1/models ", "https://a.example/v1"),
        ("https://a.example", "https://a.example"),
    ],
)
def test_an_address_is_kept_without_what_clients_add(typed, kept):
    assert normal_url(typed) == kept


def test_findings_are_kept_with_what_was_tested_alone(tenant):
    connect(tenant.pk, "https://models.example/v1")
    with tenant_context(tenant.pk):
        tested = mark_of(models_as_entered(EnteredModels("https://models.example/v1", "own-model")))
        elsewhere = mark_of(models_as_entered(EnteredModels("https://b.example/v1", "own-model", OWN_KEY)))
        version = ModelConnection.objects.get().updated_at
        assert not keep_findings(elsewhere, [{"probe": "chat"}], timezone.now(), 1)
        assert keep_findings(tested, [{"probe": "chat"}], timezone.now(), 32_000)
        row = ModelConnection.objects.get()
        assert (row.findings, row.context_length, row.updated_at) == ([{"probe": "chat"}], 32_000, version)
        save_connection(EnteredModels("https://models.example/v1", "another"), None)
        assert ModelConnection.objects.get().findings == []


def test_what_a_test_found_bounds_the_next_calls(tenant, settings):
    connect(tenant.pk, "https://models.example/v1")
    before = models_of(tenant.pk)  # remembered from here on
    found = ProbeResult(Probe.CONTEXT, ProbeVerdict.WORKS, None, {"tokens": 8_192, "at_once": 1})
    with tenant_context(tenant.pk):
        tested = mark_of(models_as_entered(EnteredModels("https://models.example/v1", "own-model")))
        assert keep_findings(tested, [found.to_json()], timezone.now(), 8_192)
    after = models_of(tenant.pk)
    assert (before.endpoint.at_once, after.endpoint.at_once) == (None, 1)

    async def most() -> list[int]:
        return [(await process.limiter(models.endpoint)).limits.at_once for models in (before, after)]

    process = model_process()
    assert process.wait_for(most()) == [settings.PLUMBLINE_MODEL_CALLS_AT_ONCE, 1]


# --- calls ---


def test_the_next_call_goes_where_the_workspace_says(gateway, other, step, private):
    complete_one(call(step))
    connect(step.tenant_id, other.base_url, role_models={"writer": "poet"})
    done = complete_one(call(step, purpose="second"))
    assert (done.model, len(gateway.requests), len(other.requests)) == ("poet", 1, 1)
    assert other.requests[0].headers["authorization"] == f"Bearer {OWN_KEY}"
    connect(step.tenant_id, other.base_url, "another", key=OTHER_KEY)
    assert complete_one(call(step, purpose="third")).model == "another"
    assert other.requests[1].headers["authorization"] == f"Bearer {OTHER_KEY}"
    with tenant_context(step.tenant_id):
        remove_connection()
    assert complete_one(call(step, purpose="fourth")).model == "test-model"
    assert [row.server for row in list_logged_calls(step)] == [
        f"127.0.0.1:{gateway.port}",
        f"127.0.0.1:{other.port}",
        f"127.0.0.1:{other.port}",
        f"127.0.0.1:{gateway.port}",
    ]


def test_without_a_connection_and_settings_there_is_no_model(gateway, step, settings):
    settings.PLUMBLINE_MODEL_BASE_URL = settings.PLUMBLINE_MODEL_API_KEY = ""
    assert catch_failure(call(step)).code is Trouble.NOT_CONFIGURED


def test_another_workspaces_calls_go_on_to_the_environments_model(gateway, other, step, private):
    connect(create_tenant("other").pk, other.base_url)
    assert complete_one(call(step)).model == environment_models().model
    assert not other.requests


def test_an_own_address_of_this_network_is_not_dialled_unless_that_is_allowed(gateway, other, step, settings):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = False
    connect(step.tenant_id, other.base_url)
    refused = catch_failure(call(step))
    assert refused.code is Trouble.NOT_FOUND
    assert "PLUMBLINE_MODEL_PRIVATE_ADDRESSES" in refused.message
    assert not other.requests


# --- the fallback ---


def test_the_fallback_answers_where_the_first_model_fails_for_good(gateway, other, step, private):
    gateway.default = error(401, "No such key.")
    connect(
        step.tenant_id,
        gateway.base_url,
        fallback_model="spare",
        fallback_url=other.base_url,
        fallback_key=OTHER_KEY,
    )
    other.script(answer(BUILT))
    done = complete_one(call(step))
    assert (done.parsed, done.model) == (Finding(**BUILT), "spare")
    assert other.requests[0].headers["authorization"] == f"Bearer {OTHER_KEY}"
    assert [(row.model, row.server, row.status) for row in list_logged_calls(step)] == [
        ("own-model", f"127.0.0.1:{gateway.port}", ModelCallStatus.FAILED),
        ("spare", f"127.0.0.1:{other.port}", ModelCallStatus.STORED),
    ]


def test_the_fallback_may_be_another_model_of_the_same_server(gateway, step, private):
    def by_name(request):
        return (generate_answer() if request.body["model"] == "spare" else error(404, "no model"))(request)

    gateway.default = by_name
    connect(step.tenant_id, gateway.base_url, fallback_model="spare")
    assert complete_one(call(step)).model == "spare"


def test_the_fallback_waits_for_the_retries_of_the_first(gateway, other, step, private):
    gateway.default = error(500, "Down.")
    connect(step.tenant_id, gateway.base_url, fallback_model="spare", fallback_url=other.base_url)
    assert catch_failure(call(step), is_tried_again=lambda _error: True).code is Trouble.UNAVAILABLE
    assert not other.requests
    assert asyncio.run(complete(call(step), is_tried_again=lambda _error: False)).model == "spare"


def test_where_both_fail_the_first_failure_is_told(gateway, other, step, private):
    gateway.default, other.default = error(401, "No such key."), not_json(500)
    connect(step.tenant_id, gateway.base_url, fallback_model="spare", fallback_url=other.base_url)
    assert catch_failure(call(step)).code is Trouble.ACCESS_DENIED


def test_an_answer_of_the_fallback_is_not_paid_again_when_the_step_is_executed_again(
    gateway, other, step, private
):
    gateway.script(error(401, "No such key."))
    connect(step.tenant_id, gateway.base_url, fallback_model="spare", fallback_url=other.base_url)
    complete_one(call(step))
    again = complete_one(call(step.again()))
    assert (again.was_stored, again.model) == (True, "spare")
    assert (len(gateway.requests), len(other.requests)) == (1, 1)


def test_a_role_has_its_own_model(tenant):
    connect(tenant.pk, "https://models.example/v1", role_models={"writer": "poet", "planner": ""})
    models = models_of(tenant.pk)
    assert (models.model_for(AgentRole.WRITER), models.model_for(AgentRole.PLANNER)) == ("poet", "own-model")
