"""A table that a model proposes: asked for in words, looked through, changed, started."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Item, Run, State
from tests.people import join
from tests.web.pages import tree, words
from tests.web.tabled import make_proposal
from tests.web.test_table_start import ADDRESS, PROMPT, columns, form_of, items, runs_of

BUTTON = "Let the model propose rows and columns"


@pytest.fixture
def model(settings):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL = "https://models.example/v1", "writer-1"


@pytest.fixture
def proposal(ada):
    return make_proposal(ada)


def look_through(client, made):
    return client.get(ADDRESS, {"proposal": made.run.pk})


def rows_of(made):
    with tenant_context(made.person.tenant.pk):
        return list(Item.objects.filter(run=made.run).order_by("index").values_list("input", flat=True))


def test_it_is_offered_where_there_is_a_model(client, model):
    assert BUTTON in words(client.get(ADDRESS))


def test_it_is_not_offered_without_one(client):
    assert BUTTON not in words(client.get(ADDRESS))


def test_words_alone_start_a_run_that_proposes(client, ada, model):
    response = client.post(ADDRESS, {"act": "propose", "prompt": "The capitals of the Baltic states"})
    [run] = runs_of(ada)
    assert response["Location"] == f"/runs/{run.pk}/table/"
    assert run.config == {"proposal": "model", "plan_approval": "ask", "rows": 100}


LIST_BUTTON = "Find the rows in the sources"


def test_rows_can_be_looked_for_without_a_model(client, ada):
    assert LIST_BUTTON in words(client.get(ADDRESS))
    response = client.post(ADDRESS, {"act": "list", "prompt": "Mayor of the 300 largest towns: area, mayor"})
    [run] = runs_of(ada)
    assert response["Location"] == f"/runs/{run.pk}/table/"
    assert run.config["proposal"] == "list"
    assert "rows" not in run.config  # nothing is reserved before the rows are approved
    assert [field["name"] for field in run.config["fields"]] == ["listed_as"]


def test_a_list_that_is_given_is_not_looked_for(client, ada):
    response = client.post(ADDRESS, {"act": "list", "prompt": PROMPT, "text": "Norway\nChile"})
    assert (response.status_code, items(response), runs_of(ada)) == (200, ["Norway", "Chile"], [])


def test_the_page_says_how_complete_a_list_is(client, ada, proposal):
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get(pk=proposal.run.pk)
        plan = {**run.plan, "risks": ["187 of 500 asked for; from 3 pages."]}
        Run.objects.filter(pk=run.pk).update(config={**run.config, "proposal": "list"}, plan=plan)
    assert "These rows were found in lists" in words(client.get(proposal.address))
    assert "187 of 500 asked for; from 3 pages." in words(look_through(client, proposal))
    german = client.get(ADDRESS, {"proposal": proposal.run.pk}, headers={"accept-language": "de"})
    assert "187 von 500 gewünschten; von 3 Seiten." in words(german)


def test_a_list_goes_with_it(client, ada, model):
    client.post(ADDRESS, {"act": "propose", "prompt": PROMPT, "text": "Norway\nChile"})
    [run] = runs_of(ada)
    with tenant_context(ada.tenant.pk):
        assert list(run.items.order_by("index").values_list("input", flat=True)) == ["Norway", "Chile"]


def test_without_a_model_it_says_so_and_loses_nothing(client, ada):
    response = client.post(ADDRESS, {"act": "propose", "prompt": PROMPT})
    assert response.status_code == 422
    assert "No model is configured" in words(response)
    assert PROMPT in response.content.decode()
    assert runs_of(ada) == []


def test_without_words_nothing_is_proposed(client, ada, model):
    assert client.post(ADDRESS, {"act": "propose", "prompt": ""}).status_code == 422
    assert runs_of(ada) == []


def test_the_page_says_that_it_waits_and_what_was_left_open(client, proposal):
    page = client.get(proposal.address)
    assert "A model proposed these rows and columns" in words(page)
    assert "Disputed territories are left out." in words(page)
    assert tree(page).xpath(f"//a[@href='{ADDRESS}?proposal={proposal.run.pk}']")


def test_it_is_shown_as_it_was_proposed(client, proposal):
    page = look_through(client, proposal)
    assert columns(page) == ["Item", "Capital", "Population", "Independent since"]
    assert items(page) == ["Norway", "Chile", "Atlantis"]


def test_what_was_changed_is_filled_in_the_same_run(client, ada, proposal):
    sent = form_of(look_through(client, proposal)) | {"items": "Norway\nPeru", "act": "start"}
    assert client.post(ADDRESS, sent)["Location"] == proposal.address
    assert rows_of(proposal) == ["Norway", "Peru"]
    assert len(runs_of(ada)) == 1
    with tenant_context(ada.tenant.pk):
        assert Run.objects.get(pk=proposal.run.pk).state == State.COLLECTING


def test_what_has_been_decided_is_refused_in_words(client, proposal):
    sent = form_of(look_through(client, proposal)) | {"act": "start"}
    client.post(ADDRESS, sent)
    again = client.post(ADDRESS, sent | {"items": "Kenya"})
    assert (again.status_code, rows_of(proposal)) == (422, ["Norway", "Chile", "Atlantis"])
    assert "has already been decided" in words(again)


def test_a_stranger_s_proposal_is_not_there(client, proposal):
    bob = join("bob")
    form = form_of(look_through(client, proposal)) | {"act": "start"}
    client.force_login(bob.user)
    assert client.get(ADDRESS, {"proposal": proposal.run.pk}).status_code == 404
    assert client.post(ADDRESS, form).status_code == 409  # it was shown for another workspace
    assert client.post(ADDRESS, form | {"workspace": str(bob.tenant.pk)}).status_code == 404
