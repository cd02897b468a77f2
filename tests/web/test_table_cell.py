"""One cell: the words behind its value, as a popover and as a page, and asking for it again."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Item, ItemStatus, Run, State
from tests.web.pages import tree, words
from tests.web.tabled import add_waiting, make_table


@pytest.fixture
def table_world(ada):
    return make_table(ada)


def test_a_cell_shows_its_value_and_the_words_that_it_was_taken_from(client, table_world):
    response = client.get(table_world.cell(1, "capital"))
    text = words(response)
    assert "Norway: Capital Oslo" in text
    assert tree(response).xpath("//blockquote//mark")[0].text_content() == "Its capital is Oslo"
    assert "Atlas" in text
    assert (
        tree(response)
        .xpath("//a[@class='view-source']/@href")[0]
        .startswith(f"/sources/{table_world.page.pk}/")
    )


def test_the_popover_is_the_same_without_the_page(client, table_world):
    response = client.get(table_world.cell(1, "capital"), headers={"HX-Request": "true"})
    assert b"<html" not in response.content
    assert "Its capital is Oslo" in words(response)
    assert response["Vary"].count("HX-Request") == 1


def test_only_the_popover_leads_to_the_page_of_the_cell(client, table_world):
    shown, page = (
        client.get(table_world.cell(1, "capital"), headers={"HX-Request": "true"}),
        client.get(table_world.cell(1, "capital")),
    )
    assert ("This cell as a page" in words(shown), "This cell as a page" in words(page)) == (True, False)


def test_where_sources_differ_what_the_others_say_is_shown_with_its_words(client, table_world):
    text = words(client.get(table_world.cell(1, "population")))
    assert "Sources differ on this value." in text
    said, other = text.split("What other sources say")
    assert "It has 5,550,203 inhabitants" in said
    assert "Norway had 5,328,212 inhabitants" in other
    assert "Nordic figures" in other


@pytest.mark.parametrize("cell", ["9/capital/", "0/capital/", "1/colour/", "99999999999/capital/"])
def test_a_cell_that_there_is_not_is_not_found(client, table_world, cell):
    assert client.get(f"{table_world.address}{cell}").status_code == 404


def test_one_cell_is_looked_up_again_and_the_others_stay(client, table_world):
    response = client.post(table_world.cell(2, "population"))
    assert response["Location"] == table_world.address
    with tenant_context(table_world.person.tenant.pk):
        run, chile = Run.objects.get(pk=table_world.run.pk), Item.objects.get(run=table_world.run, index=1)
    assert (run.state, chile.status, chile.wanted) == (State.COLLECTING, ItemStatus.RUNNING, ["population"])
    shown = tree(client.get(response["Location"]))
    assert shown.xpath("//*[@id='row-2']/td[2]//@aria-label") == ["being looked up"]
    assert shown.xpath("//*[@id='row-2']/td[1]")[0].text_content().startswith("not found")


def test_what_cannot_be_looked_up_again_just_now_is_said_in_words(client, ada):
    made = make_table(ada, state=State.COLLECTING)
    add_waiting(made, 1)
    page = client.get(client.post(made.cell(4, "capital"))["Location"])
    assert "This row is being filled. Wait until it is finished." in words(page)


def test_the_source_leads_back_to_the_row(client, table_world):
    address = tree(client.get(table_world.cell(1, "capital"))).xpath("//a[@class='view-source']/@href")[0]
    page = client.get(address)
    assert "Table, row 1" in words(page)
    assert tree(page).xpath(f"//header//a[@href='{table_world.address}']")
