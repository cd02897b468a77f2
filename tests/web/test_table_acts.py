"""An owner acts on a table: release, try again, add rows, add a column."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Item, ItemStatus, Run, State
from tests.web.pages import fold_spaces, tree, words
from tests.web.tabled import add_waiting, make_table


@pytest.fixture
def table_world(ada):
    return make_table(ada)


def act(client, made, name, **typed):
    typed = {one.replace("__", "-"): value for one, value in typed.items()}
    return client.post(f"{made.address}change/", {"act": name, **typed})


def items_of(made):
    with tenant_context(made.person.tenant.pk):
        return list(Item.objects.filter(run=made.run).order_by("index"))


def state_of(made):
    with tenant_context(made.person.tenant.pk):
        return Run.objects.get(pk=made.run.pk).state


def test_a_failed_row_is_tried_again(client, table_world):
    page = client.get(act(client, table_world, "retry")["Location"])
    assert "1 row is being tried again." in words(page)
    assert [item.status for item in items_of(table_world)][2] == ItemStatus.RUNNING
    assert state_of(table_world) == State.COLLECTING
    assert "Try the failed row again" not in words(page)


def test_rows_are_added_behind_the_others(client, table_world):
    page = client.get(act(client, table_world, "rows", rows__items="Peru\n\n  Kenya ")["Location"])
    assert "2 rows were added." in words(page)
    assert [item.input for item in items_of(table_world)][3:] == ["Peru", "Kenya"]


def test_rows_that_are_there_are_left_out_and_that_is_said(client, table_world):
    page = client.get(act(client, table_world, "rows", rows__items="Peru\nNorway")["Location"])
    assert "1 row was added. Those that the table already has were left out." in words(page)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "Name at least one item."),
        (" \n ", "Name at least one item."),
        ("Norway", "The table already has these rows."),
        ("x" * 501, "is longer than 500 characters"),
        ("\n".join(f"item {n}" for n in range(2001)), "at most 2000 are allowed"),
        ("\n".join(f"item {n}" for n in range(1999)), "At most 1997 items are allowed"),
    ],
)
def test_rows_that_cannot_be_added_are_said_at_their_field_and_stay_there(
    client, table_world, typed, message
):
    page = act(client, table_world, "rows", rows__items=typed)
    assert page.status_code == 422
    assert message in fold_spaces(tree(page).xpath("//*[@id='error-summary']")[0].text_content())
    assert tree(page).xpath("//details[@open]//textarea")[0].text.strip("\r\n") == typed.strip("\r\n")
    assert len(items_of(table_world)) == 3


def test_what_a_further_column_takes_is_said_before_it_is_added(client, table_world):
    assert "Only the new cells are looked up. They need about 0.15 credits." in words(
        client.get(table_world.address)
    )


def test_a_column_is_added_and_only_its_cells_are_looked_up(client, table_world):
    page = client.get(
        act(client, table_world, "field", new__title="Currency", new__type="string")["Location"]
    )
    assert "The column “Currency” was added" in words(page)
    assert [item.wanted for item in items_of(table_world)] == [["currency"]] * 3
    assert tree(page).xpath("//thead//th/a/text()")[-1].strip() == "Currency"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"title": ""}, "Give the column a title."),
        ({"title": "資本"}, "Give a name in Latin letters"),
        ({"title": "Capital"}, "“capital”"),
        ({"title": "Size", "type": "colour"}, "Select a valid choice"),
        ({"title": "x" * 121}, "at most 120 characters"),
    ],
)
def test_a_column_that_cannot_be_added_is_said_at_its_field(client, table_world, typed, message):
    values = {f"new__{name}": value for name, value in ({"type": "string"} | typed).items()}
    page = act(client, table_world, "field", **values)
    assert page.status_code == 422
    assert message in fold_spaces(tree(page).xpath("//*[@id='error-summary']")[0].text_content())
    assert [item.wanted for item in items_of(table_world)] == [[]] * 3


def test_a_column_is_changed_in_a_form_that_has_what_it_asks_now(client, table_world):
    assert tree(client.get(table_world.address)).xpath("//details[@id='change']//a/text()")[0] == "Capital"
    page = client.get(f"{table_world.address}?change=capital")
    [form] = tree(page).xpath("//details[@id='change' and @open]//form")
    assert (form.inputs["changed-title"].value, form.inputs["changed-description"].value) == (
        "Capital",
        "Seat of government",
    )
    typed = {"changed__title": "Largest city", "changed__type": "string", "column": "capital"}
    page = client.get(act(client, table_world, "change", **typed)["Location"])
    assert "The column “Largest city” was changed: its cells are being looked up again." in words(page)
    assert [item.wanted for item in items_of(table_world)] == [["largest_city"]] * 3
    assert "capital" not in items_of(table_world)[0].result


def test_a_column_that_keeps_its_title_keeps_its_name(client, table_world):
    typed = {"changed__title": "Independent since", "changed__type": "date", "changed__format": "year"}
    act(client, table_world, "change", column="independence", **typed)
    assert [item.wanted for item in items_of(table_world)] == [["independence"]] * 3


@pytest.mark.parametrize(
    ("column", "title", "message"),
    [("capital", "", "Give the column a title."), ("colour", "Colour", "This table has no such column.")],
)
def test_a_change_that_cannot_be_made_is_said_at_its_field(client, table_world, column, title, message):
    page = act(client, table_world, "change", column=column, changed__title=title, changed__type="string")
    assert page.status_code == 422
    assert message in fold_spaces(tree(page).xpath("//*[@id='error-summary']")[0].text_content())
    assert [item.wanted for item in items_of(table_world)] == [[]] * 3


def test_a_column_that_there_is_not_opens_no_form(client, table_world):
    assert not tree(client.get(f"{table_world.address}?change=colour")).xpath("//details[@id='change']//form")


def test_after_a_pilot_the_other_rows_wait_for_their_release(client, table_world):
    add_waiting(table_world, 2, is_held=True)
    page = client.get(table_world.address)
    assert "2 rows wait for you." in words(page)
    page = client.get(act(client, table_world, "release")["Location"])
    assert "2 rows were released." in words(page)
    assert not any(item.is_held for item in items_of(table_world))
    assert state_of(table_world) == State.COLLECTING


def test_an_act_that_is_not_possible_is_refused_in_words(client, table_world):
    page = client.get(act(client, table_world, "release")["Location"])
    assert "No row of this table is waiting to be released." in words(page)


def test_who_pauses_a_table_on_its_page_stays_there(client, ada):
    made = make_table(ada, state=State.COLLECTING)
    [form] = tree(client.get(made.address)).xpath("//form[contains(@action, '/pause/')]")
    answer = client.post(form.action, dict(form.form_values()))
    assert answer["Location"] == made.address


def test_an_act_that_there_is_not_is_not_found(client, table_world):
    assert act(client, table_world, "burn").status_code == 404
    assert client.get(f"{table_world.address}change/").status_code == 405
