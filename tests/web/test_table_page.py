"""The wide table: its rows and cells, filters, orders, pages, and what is new while it fills."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Item, Run, State
from research.pipelines.table.read_table_rows import ROWS_A_PAGE
from tests.web.pages import fold_spaces, tree, words
from tests.web.tabled import add_waiting, change, grow_table, make_table
from tests.web.test_statements import statements


@pytest.fixture
def table_world(ada):
    return make_table(ada)


def page(client, made, query=""):
    return client.get(f"{made.address}{query}")


def names(response) -> list[str]:
    return tree(response).xpath("//div[contains(@class, 'wide')]//tbody//*[@class='item-name']/text()")


def cell(response, row, column):
    [found] = tree(response).xpath(f"//*[@id='row-{row}']/td[{column}]")
    return found


def read_text(found) -> str:
    return fold_spaces(found.text_content())


def test_each_row_shows_its_item_and_its_values_as_the_reader_writes_them(client, table_world):
    response = page(client, table_world)
    assert names(response) == ["Norway", "Chile", "Atlantis"]
    assert [read_text(one) for one in tree(response).xpath("//*[@id='row-1']/td")] == [
        "Oslo",
        "5,550,203≠".replace("≠", "≠"),
        "7 June 1905",
    ]


def test_a_value_opens_onto_its_evidence_and_says_how_strong_it_is(client, table_world):
    [badge] = cell(page(client, table_world), 1, 1).xpath(".//button")
    assert badge.get("formaction") == badge.get("hx-get") == table_world.cell(1, "capital")
    assert badge.get("aria-label") == "Norway, Capital: Strong evidence"
    assert len(badge.xpath(".//i[@class='on']")) == 3


def test_a_cell_without_a_value_says_so_and_tells_why_when_asked(client, table_world):
    found = cell(page(client, table_world), 2, 2)
    assert read_text(found).startswith("not found")
    assert "No page of the library is about it." in words(client.get(table_world.cell(2, "population")))


def test_a_failed_row_says_why_and_its_cells_say_that_they_failed(client, table_world):
    response = page(client, table_world)
    [row] = tree(response).xpath("//*[@id='row-3']")
    assert "It took too long." in read_text(row.xpath("./th")[0])
    assert read_text(cell(response, 3, 1)).startswith("failed")
    assert "It took too long." in words(client.get(table_world.cell(3, "capital")))


def test_a_row_that_waits_has_nothing_to_open(client, ada):
    made = make_table(ada, state=State.COLLECTING)
    add_waiting(made, 1)
    found = cell(page(client, made), 4, 1)
    assert (found.xpath(".//@aria-label"), found.xpath(".//button")) == (["waiting"], [])


@pytest.mark.parametrize(
    ("show", "found"),
    [
        ("", ["Norway", "Chile", "Atlantis"]),
        ("low", ["Norway"]),
        ("disputed", ["Norway"]),
        ("empty", ["Chile"]),
        ("failed", ["Atlantis"]),
        ("nonsense", ["Norway", "Chile", "Atlantis"]),
    ],
)
def test_rows_of_one_kind_are_shown_alone(client, table_world, show, found):
    assert names(page(client, table_world, f"?show={show}")) == found


def test_filters_say_how_many_rows_they_leave(client, table_world):
    chips = tree(page(client, table_world, "?show=empty")).xpath("//*[@id='table-filters']//a")
    assert [fold_spaces(chip.text_content()) for chip in chips] == [
        "All 3", "Low confidence 1", "Disputed 1", "Empty 1", "Failed 1",
    ]  # fmt: skip
    assert [chip.get("aria-current") for chip in chips] == [None, None, None, "true", None]


@pytest.mark.parametrize(
    ("sort", "first", "last"),
    [
        ("population", "Country 5", "Atlantis"),
        ("-population", "Norway", "Atlantis"),
        ("input", "Atlantis", "Norway"),
        ("-input", "Norway", "Atlantis"),
        ("capital; drop table", "Norway", "Country 6"),
    ],
)
def test_rows_go_by_any_column_and_what_has_no_value_comes_last(client, table_world, sort, first, last):
    grow_table(table_world, 3)
    with tenant_context(table_world.person.tenant.pk):
        lowest = Item.objects.get(run=table_world.run, index=4)
        lowest.result["population"]["value"] = 9
        lowest.save()
    found = names(page(client, table_world, f"?sort={sort}"))
    assert (found[0], found[-1]) == (first, last)


def test_a_heading_says_how_rows_go_and_turns_them_round(client, table_world):
    [heading] = tree(page(client, table_world, "?sort=population")).xpath("//th[@aria-sort]")
    assert heading.get("aria-sort") == "ascending"
    assert heading.xpath(".//a/@href") == ["?sort=-population#table-title"]


def test_a_long_table_goes_on_on_other_pages(client, table_world):
    grow_table(table_world, ROWS_A_PAGE)
    first, second = page(client, table_world), page(client, table_world, "?page=2")
    assert len(names(first)) == ROWS_A_PAGE
    assert names(second) == [f"Country {n}" for n in range(ROWS_A_PAGE + 1, ROWS_A_PAGE + 4)]
    assert tree(first).xpath("//a[@rel='next']/@href") == ["?page=2#table-title"]
    assert names(page(client, table_world, "?page=99")) == names(second)


def test_what_stands_out_is_told_with_the_rows_that_show_it(client, table_world):
    response = page(client, table_world)
    assert "Only Norway has a population. Rows: 1" in words(response)
    assert "Three countries were looked up." in words(response)
    assert tree(response).xpath("//*[@class='insights']//a/@href") == [f"{table_world.address}#row-1"]


def test_markup_in_items_and_values_is_text(client, table_world):
    change(table_world, 1, input="<b>x</b>")
    assert b"<b>x</b>" not in page(client, table_world).content


# --- while it fills ------------------------------------------------------------------------------


@pytest.fixture
def table_at_work(ada):
    made = make_table(ada, state=State.COLLECTING)
    add_waiting(made, 2)
    return made


def poll(client, made, tag=None):
    """Return the answer to the page's own poll; with its tag only what is new since."""
    [asks] = tree(page(client, made)).xpath("//*[@id='poll']")
    return client.get(
        asks.get("hx-get"), headers={"HX-Request": "true", "HX-PTag": tag or asks.get("hx-ptag")}
    )


def tag_of_page(client, made) -> str:
    return tree(page(client, made)).xpath("//*[@id='poll']/@hx-ptag")[0]


def test_only_rows_that_changed_travel(client, table_at_work):
    tag = tag_of_page(client, table_at_work)
    change(table_at_work, 4, status="running")
    response = poll(client, table_at_work, tag)
    text = response.content.decode()
    assert [n for n in range(1, 6) if f'id="row-{n}"' in text] == [4]
    assert "being looked up" in text
    assert response["HX-PTag"] != tag


def test_nothing_travels_while_nothing_changes(client, table_at_work):
    assert poll(client, table_at_work).status_code == 304


def test_under_a_filter_the_rows_that_are_shown_stay_and_the_page_says_that_there_are_others(
    client, table_at_work
):
    [asks] = tree(page(client, table_at_work, "?show=empty")).xpath("//*[@id='poll']")
    change(table_at_work, 1, status="running", wanted=["capital"])
    change(table_at_work, 2, status="running", wanted=["capital"])
    found = client.get(
        asks.get("hx-get"), headers={"HX-Request": "true", "HX-PTag": asks.get("hx-ptag")}
    ).content.decode()
    assert 'id="row-2"' in found
    assert 'id="row-1"' not in found
    assert "Rows have changed since you opened this view." in found


def test_at_the_end_nothing_is_asked_any_more_and_what_stands_out_is_there(client, table_at_work):
    tag = tag_of_page(client, table_at_work)
    with tenant_context(table_at_work.person.tenant.pk):
        Run.objects.filter(pk=table_at_work.run.pk).update(
            state=State.COMPLETED, version=9, snapshot_version=9, duration_seconds=3, cost_usd=0
        )
    asks = client.get(f"{table_at_work.address}rows/?rows=1", headers={"HX-Request": "true", "HX-PTag": tag})
    assert "Only Norway has a population." in words(asks)
    assert b"hx-trigger" not in asks.content


def test_without_a_script_the_poll_leads_to_the_page(client, table_at_work):
    assert client.get(f"{table_at_work.address}rows/?rows=1")["Location"] == table_at_work.address
    assert tree(page(client, table_at_work)).xpath("//noscript/meta[@http-equiv='refresh']")


@pytest.mark.parametrize("rows", ["", "x", "1,,x,-1", "99999999999", ",".join(["7"] * 500)])
def test_nonsense_in_the_poll_is_no_error(client, table_at_work, rows):
    found = client.get(
        f"{table_at_work.address}rows/?rows={rows}", headers={"HX-Request": "true", "HX-PTag": "a.b"}
    )
    assert found.status_code == 200


@pytest.mark.parametrize(
    ("page", "few"), [("", 11), ("?show=low&sort=-population", 11), ("rows/?rows=1,2,4,5,6", 11)]
)
def test_a_page_takes_the_same_statements_for_much_as_for_little(client, table_at_work, page, few):
    counts = []
    for more in (1, 9):
        grow_table(table_at_work, more)
        counts.append(statements(client, f"{table_at_work.address}{page}", **{"HX-Request": "true"}))
    assert counts == [few, few]


def test_a_report_is_no_table(client, world):
    assert client.get(f"/runs/{world.run.pk}/table/").status_code == 404
