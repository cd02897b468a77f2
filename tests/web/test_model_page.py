"""The page that connects a workspace's model: what it shows, saves, tests, refuses, and to whom."""

import re
import time
from concurrent.futures import Future

import pytest
from django.core.cache import cache

from research.db.tenancy import tenant_context
from research.llm import model_check
from research.llm.model_check_results import Probe, ProbeResult, ProbeVerdict
from research.llm.model_settings import Endpoint, Models, models_of
from research.models import AuditEntry, LanguageModel, ModelConnection, Role
from research.web.account import model_check_polls
from tests.fakes.openai_answers import capable, error, not_json
from tests.fakes.openai_server import FakeOpenAI
from tests.people import join

PAGE = "/account/model/"
KEY = "sk-page-canary-9f3e5a"


@pytest.fixture(autouse=True)
def own_network(settings):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = True
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def server():
    with FakeOpenAI(default=capable()) as fake:
        fake.models = ({"id": "small", "max_model_len": 32_768}, {"id": "large"})
        yield fake


@pytest.fixture
def at_once(monkeypatch):
    """Tests of servers end before the page that starts them is answered."""

    class Here:
        def submit(self, act, *given):
            ended = Future()
            ended.set_result(act(*given))
            return ended

    monkeypatch.setattr(model_check_polls, "_threads", type("Threads", (), {"get": staticmethod(Here)}))


def fill_form(server, **changed):
    return {"act": "save", "base_url": server.base_url, "key": KEY, "model": "small", **changed}


def load_connection(ada):
    with tenant_context(ada.tenant.pk):
        return ModelConnection.objects.get()


def words(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# --- what it shows ---


def test_a_newcomer_without_a_model_is_led_here(client, ada):
    assert f'<a href="{PAGE}">Connect a model</a>' in client.get("/").content.decode()
    assert "No model is connected" in words(client.get(PAGE))


def test_who_may_not_connect_one_is_not_led_here(ada):
    member = join("mia", role=Role.MEMBER, tenant=ada.tenant).sign_in()
    assert "Connect a model" not in member.get("/").content.decode()


def test_the_environments_model_is_shown_without_its_key(client, settings):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL_API_KEY = "https://models.example/v1", KEY
    settings.PLUMBLINE_MODEL, settings.PLUMBLINE_ROLE_MODELS = "writer-1", {"verifier": "checker-1"}
    page = words(client.get(PAGE))
    assert all(each in page for each in ("In use now", "https://models.example/v1", "writer-1", "checker-1"))
    assert KEY not in page
    assert KEY[-4:] not in page


@pytest.mark.parametrize(
    ("preset", "address", "needs"),
    [
        ("ollama", "http://localhost:11434/v1", "ollama pull"),
        ("openai", "https://api.openai.com/v1", "platform.openai.com"),
        ("azure", "https://YOUR-RESOURCE.openai.azure.com/openai/v1", "deployment"),
        ("openrouter", "https://openrouter.ai/api/v1", "openrouter.ai"),
        ("vllm", "http://localhost:8001/v1", "vllm serve"),
        ("llamacpp", "http://localhost:8080/v1", "llama-server"),
        ("lmstudio", "http://localhost:1234/v1", "Developer"),
    ],
)
def test_a_preset_fills_in_the_address_and_says_what_is_needed(client, preset, address, needs):
    page = client.get(PAGE, {"preset": preset}).content.decode()
    assert f'value="{address}"' in page
    assert needs in page


def test_an_unknown_preset_fills_in_nothing(client):
    assert client.get(PAGE, {"preset": "../x"}).status_code == 200


# --- saving ---


def test_what_is_saved_is_used_tested_and_its_key_not_shown(client, ada, server, at_once):
    page = client.post(PAGE, fill_form(server, role_writer="large", regions="eu-west"), follow=True)
    assert "This model can write reports." in words(page)
    assert "Saved. From now on, calls go to this server." in words(page)
    assert KEY not in page.content.decode()
    assert "ends in 3e5a" in words(page)
    models = models_of(ada.tenant.pk)
    assert (models.endpoint.api_key, models.model, models.role_models) == (KEY, "small", {"writer": "large"})
    assert models.endpoint.regions == ("eu-west",)
    row = load_connection(ada)
    assert (row.context_length, len(row.findings), row.changed_by) == (32_768, 9, ada.user)
    assert row.checked_at
    again = words(client.get(PAGE))
    assert "What the test found" in again
    assert KEY not in again


def test_an_empty_key_keeps_the_saved_one_for_the_same_server_alone(client, ada, server, at_once):
    client.post(PAGE, fill_form(server))
    client.post(PAGE, fill_form(server, key="", model="large"))
    assert models_of(ada.tenant.pk).endpoint.api_key == KEY
    client.post(PAGE, fill_form(server, key="", base_url="https://elsewhere.example/v1"))
    assert models_of(ada.tenant.pk).endpoint.api_key == ""


def test_a_saved_key_can_be_forgotten(client, ada, server, at_once):
    client.post(PAGE, fill_form(server))
    client.post(PAGE, fill_form(server, key="", no_key="on"))
    assert (models_of(ada.tenant.pk).endpoint.api_key, load_connection(ada).sealed_key) == ("", None)


def test_removing_brings_the_environments_model_back(client, ada, server, at_once):
    client.post(PAGE, fill_form(server))
    page = client.post(PAGE, {"act": "remove"}, follow=True)
    assert "Removed." in words(page)
    assert models_of(ada.tenant.pk) is None
    assert client.post(PAGE, {"act": "remove"}, follow=True).status_code == 200
    with tenant_context(ada.tenant.pk):
        assert AuditEntry.objects.filter(act="workspace.model").count() >= 2


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"base_url": ""}, "Enter the server’s address"),
        ({"base_url": "localhost:11434"}, "Begin the address with http"),
        ({"base_url": "ftp://a.example/v1"}, "Begin the address with http"),
        ({"base_url": "https://"}, "names no host"),
        ({"base_url": "https://me:secret@a.example/v1"}, "user name in it"),
        ({"base_url": "https://a.example/v1?key=x"}, "Remove “?” or “#”"),
        ({"base_url": "http://169.254.169.254/v1"}, "169.254.169.254"),
        ({"base_url": "http://0.0.0.0:8000/v1"}, "use 127.0.0.1"),
        ({"base_url": "http://2130706433/v1"}, "cannot be used"),
        ({"base_url": "https://YOUR-RESOURCE.openai.azure.com/openai/v1"}, "resource’s name"),
        ({"base_url": "https://a.example/" + "x" * 600}, "500"),
        ({"model": ""}, "Choose a model"),
        ({"model": "x" * 101}, "100"),
        ({"key": "two words"}, "no spaces"),
        ({"key": "schlüssel"}, "only ASCII letters"),
        ({"fallback_url": "https://b.example/v1"}, "Enter the name of the model"),
        ({"regions": "EU West"}, "is not a region"),
        ({"context_length": "12"}, "512"),
        ({"context_length": "many"}, "whole number"),
        ({"role_writer": "x" * 101}, "100"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_saved(client, ada, server, changed, complaint):
    for address in (PAGE, f"{PAGE}check/"):
        response = client.post(address, fill_form(server, **changed))
        assert response.status_code == 422
        assert complaint in response.content.decode()
        assert KEY not in response.content.decode()
    with tenant_context(ada.tenant.pk):
        assert not ModelConnection.objects.exists()
    assert not server.requests


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://10.0.0.1/v1", "http://ollama:11434/v1"])
def test_addresses_of_the_own_network_need_the_operators_permission(client, server, settings, address):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = False
    response = client.post(PAGE, fill_form(server, base_url=address))
    assert response.status_code == 422
    assert "PLUMBLINE_MODEL_PRIVATE_ADDRESSES" in response.content.decode()


# --- testing ---


def test_a_test_without_saving_tells_all_and_saves_nothing(client, ada, server, at_once):
    page = client.post(f"{PAGE}check/", fill_form(server), headers={"hx-request": "true"})
    found = words(page)
    assert "This model can write reports." in found
    assert "no dollars" in found
    assert "Exhaustive" in found
    assert page.content.decode().count("<html") == 0
    with tenant_context(ada.tenant.pk):
        assert not ModelConnection.objects.exists()


def test_costs_are_told_by_the_operators_prices(client, server, at_once, monkeypatch):
    monkeypatch.setattr("research.llm.model_settings.Endpoint.is_local", False)
    LanguageModel.objects.create(name="small", usd_per_million_input=1, usd_per_million_output=2)
    found = words(client.post(f"{PAGE}check/", fill_form(server), headers={"hx-request": "true"}))
    assert re.search(r"about \$0\.0\d", found)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda server: server.script_lists(error(401, "No")), "does not accept the key"),
        (lambda server: server.script_lists(not_json()), "web page"),
        (
            lambda server: setattr(server, "default", error(404, "The model does not exist")),
            "does not have the model",
        ),
        (lambda server: setattr(server, "default", error(500, "Boom")), "HTTP 500"),
    ],
)
def test_a_test_that_fails_says_why(client, server, at_once, spoil, said):
    spoil(server)
    found = words(client.post(f"{PAGE}check/", fill_form(server), headers={"hx-request": "true"}))
    assert said in found
    assert "cannot write reports" in found


def test_a_test_goes_on_beside_the_page_and_is_asked_for(client, server):
    page = client.post(f"{PAGE}check/", fill_form(server), headers={"hx-request": "true"}).content.decode()
    address = re.search(rf"{PAGE}check/[0-9a-f-]+/", page)[0]
    until = time.monotonic() + 30
    while 'hx-trigger="every 1s"' in page and time.monotonic() < until:
        page = client.get(address).content.decode()
    assert "This model can write reports." in page


def test_a_test_whose_last_probe_is_done_is_asked_for_until_it_is_over(client, ada, server, monkeypatch):
    monkeypatch.setattr(
        model_check_polls, "_threads", type("Threads", (), {"get": staticmethod(lambda: _Nobody())})
    )
    models = Models(Endpoint(server.base_url, KEY), "small")
    check_id = model_check_polls.begin_check(ada.tenant.pk, models, None)
    everything = [ProbeResult(probe, ProbeVerdict.WORKS) for probe in Probe]
    model_check_polls._tell(ada.tenant.pk, check_id, models, everything)
    page = client.get(f"{PAGE}check/{check_id}/").content.decode()
    assert 'hx-trigger="every 1s"' in page
    model_check_polls._tell(ada.tenant.pk, check_id, models, everything, is_over=True)
    page = client.get(f"{PAGE}check/{check_id}/").content.decode()
    assert ('hx-trigger="every 1s"' in page, "This model can write reports." in page) == (False, True)


def test_two_tests_of_one_workspace_do_not_run_at_once(client, ada, server):
    assert cache.add(model_check_polls._busy(ada.tenant.pk), "1", 60)
    response = client.post(f"{PAGE}check/", fill_form(server), headers={"hx-request": "true"})
    assert (response.status_code, "is still running" in words(response)) == (409, True)
    assert not server.requests


def test_a_test_whose_process_died_is_told_as_interrupted(client, ada, server, monkeypatch):
    monkeypatch.setattr(
        model_check_polls, "_threads", type("Threads", (), {"get": staticmethod(lambda: _Nobody())})
    )
    page = client.post(f"{PAGE}check/", fill_form(server), headers={"hx-request": "true"}).content.decode()
    address = re.search(rf"{PAGE}check/[0-9a-f-]+/", page)[0]
    monkeypatch.setattr(model_check_polls, "SILENT_FOR", model_check_polls.SILENT_FOR * 0)
    assert "The test was interrupted" in client.get(address).content.decode()


class _Nobody:
    def submit(self, *_given):
        """The process dies before it begins."""
        return Future()


def test_a_test_of_another_workspace_is_not_there(client, stranger, server, at_once):
    client.post(PAGE, fill_form(server))
    address = (
        client.post(PAGE, fill_form(server))["location"].replace("?check=", "check/").replace("#check", "/")
    )
    assert client.get(address).status_code == 200
    assert stranger.get(address).status_code == 404


def filled_in(page):
    found = re.search(r'<input[^>]* name="model"[^>]* hx-swap-oob="true"[^>]*>', page)
    return re.search(r' value="([^"]*)"', found[0])[1] if found else None


def test_only_model_of_a_server_is_filled_in_where_none_is_entered(client, server):
    assert filled_in(client.post(f"{PAGE}list/", fill_form(server, model="")).content.decode()) is None
    server.models = ({"id": 'my "own"'},)
    assert (
        filled_in(client.post(f"{PAGE}list/", fill_form(server, model="")).content.decode())
        == "my &quot;own&quot;"
    )
    assert filled_in(client.post(f"{PAGE}list/", fill_form(server, model="other")).content.decode()) is None


def test_model_chosen_in_the_list_is_filled_in(client, server):
    page = client.post(f"{PAGE}list/?choose=large", fill_form(server)).content.decode()
    assert filled_in(page) == "large"
    assert filled_in(client.post(f"{PAGE}list/?choose=unlisted", fill_form(server)).content.decode()) is None


def test_the_list_of_models_comes_from_the_server(client, server):
    page = client.post(f"{PAGE}list/", fill_form(server, model="")).content.decode()
    assert '<option value="small">' in page
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    server.script_lists(error(401, "No"))
    assert "does not accept the key" in client.post(f"{PAGE}list/", fill_form(server)).content.decode()
    server.requests.clear()
    for nonsense in ("", "localhost", "http://169.254.169.254/v1"):
        assert client.post(f"{PAGE}list/", fill_form(server, base_url=nonsense)).status_code == 200
    assert not server.requests


@pytest.mark.parametrize("role", [Role.MEMBER, Role.REVIEWER, Role.VIEWER])
def test_only_owners_see_and_change_it(ada, server, role):
    client = join("mia", role=role, tenant=ada.tenant).sign_in()
    assert client.get(PAGE).status_code == 403
    for address in (PAGE, f"{PAGE}check/", f"{PAGE}list/"):
        assert client.post(address, fill_form(server)).status_code == 403
    assert not server.requests


def test_another_workspace_has_its_own(client, stranger, server, at_once):
    client.post(PAGE, fill_form(server))
    assert "No model is connected" in words(stranger.get(PAGE))
    assert server.base_url not in words(stranger.get(PAGE))


def test_limits_of_a_test_are_told(client, server, at_once, monkeypatch):
    monkeypatch.setattr(model_check, "WHOLE_LIMIT_S", -1.0)
    found = words(client.post(f"{PAGE}check/", fill_form(server), headers={"hx-request": "true"}))
    assert "too slow" in found
