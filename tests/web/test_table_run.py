"""The other pages of a table's run: its summary, its progress, what leads to the table, and a report on top of it."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Kind, Relation, Run, State
from tests.web.pages import tree, words
from tests.web.tabled import add_waiting, make_table


@pytest.fixture
def table_world(ada):
    return make_table(ada)


def test_the_summary_says_what_stands_out_and_leads_to_the_table(client, table_world):
    response = client.get(f"/runs/{table_world.run.pk}/")
    text = words(response)
    assert "The table is ready" in text
    assert "Rows3Done2Failed1Disputed1" in text
    assert "Only Norway has a population. Rows: 1" in text
    assert text.count("Three countries were looked up.") == 1
    assert tree(response).xpath(f"//a[@class='button main'][@href='{table_world.address}']")


def test_while_it_is_filled_its_progress_counts_rows(client, ada):
    made = make_table(ada, state=State.COLLECTING)
    add_waiting(made, 3)
    response = client.get(f"/runs/{made.run.pk}/")
    assert "3/6 rows done" in words(response)
    stages = tree(response).xpath("//*[@id='rail']/li")
    assert [stage.text.strip() for stage in stages] == ["Plan", "Look up", "Sum up"]
    assert tree(response).xpath(f"//a[@href='{made.address}'][@class='button main']")


def test_tabs_lead_to_the_table_and_to_no_report(client, table_world):
    tabs = tree(client.get(table_world.address)).xpath("//*[@class='tabs']//a/@href")
    assert table_world.address in tabs
    assert f"/runs/{table_world.run.pk}/report/" not in tabs
    assert client.get(f"/runs/{table_world.run.pk}/report/")["Location"] == table_world.address


def test_a_claim_leads_back_to_its_table(client, table_world):
    response = client.get(f"/runs/{table_world.run.pk}/claims/101/")
    assert tree(response).xpath(f"//a[@href='{table_world.address}']")
    assert not tree(response).xpath("//a[@rel='next']")


def test_a_report_on_a_table_is_a_run_of_its_own_that_knows_where_to_look(client, ada, table_world):
    with tenant_context(ada.tenant.pk):
        table_world.run.config |= {"languages": ["en"]}
        table_world.run.save()
    sent = {"follow-question": "Which countries are oldest?", "follow-client_key": "k1"}
    response = client.post(f"/runs/{table_world.run.pk}/follow-up/", sent)
    with tenant_context(ada.tenant.pk):
        child = Run.objects.get(parent=table_world.run)
    assert response["Location"] == child.get_absolute_url()
    assert (child.kind, child.relation) == (Kind.REPORT, Relation.FOLLOW_UP)
    assert child.config["languages"] == ["en"]
    assert "fields" not in child.config


def test_a_table_is_not_extended_like_a_report(client, ada, table_world):
    response = client.post(
        f"/runs/{table_world.run.pk}/extend/", {"extend-more": "5", "extend-client_key": "k"}
    )
    assert response.status_code == 422
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.filter(parent=table_world.run).exists()
