"""The form's choice of search services: offered where there are several, kept with the run, refused where absent."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Run
from research.search.providers.search_catalogue import ENTRIES
from research.web.site.value_labels import PROVIDERS
from tests.web.pages import tree, words

QUESTION = "How long must a password be in 2025?"


@pytest.fixture
def two(settings):
    settings.PLUMBLINE_PROVIDERS = ("wikipedia", "hackernews")


def ask(client, **fields):
    return client.post("/runs/new/", {"question": QUESTION, "sources": "both"} | fields)


def boxes(response) -> dict[str, bool]:
    """Value → whether it is ticked."""
    found = tree(response).xpath("//input[@name='providers']")
    return {box.get("value"): box.get("checked") is not None for box in found}


def config_of(person):
    with tenant_context(person.tenant.pk):
        return Run.objects.get().config


def test_every_provider_has_a_name_that_people_know():
    assert set(PROVIDERS) == set(ENTRIES)


def test_the_services_that_are_set_up_are_offered_none_of_them_ticked(client, two):
    page = client.get("/runs/new/")
    assert boxes(page) == {"wikipedia": False, "hackernews": False}
    assert "Hacker News" in words(page)


@pytest.mark.parametrize("chosen", [(), ("wikipedia",)])
def test_where_there_is_no_choice_none_is_offered(client, settings, chosen):
    settings.PLUMBLINE_PROVIDERS = chosen
    assert boxes(client.get("/runs/new/")) == {}


def test_a_choice_is_kept_with_the_run(client, ada, two):
    ask(client, providers=["hackernews"])
    assert config_of(ada) == {"sources": "both", "providers": ["hackernews"]}


def test_no_choice_is_no_configuration(client, ada, two):
    ask(client)
    assert config_of(ada) == {"sources": "both"}


def test_a_service_that_is_not_set_up_is_refused_and_nothing_typed_is_lost(client, ada, two):
    response = ask(client, providers=["brave", "wikipedia"])
    assert response.status_code == 422
    assert boxes(response) == {"wikipedia": True, "hackernews": False}
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.exists()


def test_asking_again_begins_with_the_choice(client, ada, two):
    ask(client, providers=["hackernews"])
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
    assert boxes(client.get(f"/runs/new/?again={run.pk}")) == {"wikipedia": False, "hackernews": True}
