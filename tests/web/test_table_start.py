"""Starting a table: describe, look at what was made of it, change it, start."""

from io import BytesIO

import pytest
from openpyxl import Workbook

from research.db.tenancy import tenant_context
from research.models import Item, Kind, Run
from tests.web.pages import fold_spaces, tree, words
from tests.web.tabled import make_table

ADDRESS = "/runs/new/table/"
PROMPT = "Capital and population of each country"
LIST = "Norway\nChile\nPeru\nKenya\nNepal\nGhana"


def describe_table(client, **given):
    return client.post(ADDRESS, {"act": "describe", "prompt": PROMPT, "text": LIST} | given)


def form_of(response) -> dict[str, str]:
    """Return what the preview's form would send."""
    fields = {}
    for one in tree(response).xpath("//form[@id='table-form']//*[@name]"):
        if one.tag == "textarea":
            fields[one.get("name")] = (one.text or "").strip("\r\n")
        elif one.tag == "select":
            chosen = one.xpath("./option[@selected]") or one.xpath("./option")
            fields[one.get("name")] = chosen[0].get("value", chosen[0].text)
        elif one.tag == "input" and (one.get("type") not in ("checkbox", "radio") or one.get("checked")):
            fields[one.get("name")] = one.get("value", "on" if one.get("checked") else "")
    return fields


def columns(response) -> list[str]:
    return [
        fold_spaces(one.text_content())
        for one in tree(response).xpath("//div[contains(@class, 'sample')]//thead//th")
    ]


def items(response) -> list[str]:
    return tree(response).xpath("//*[@id='id_items']")[0].text.split()


def runs_of(ada):
    with tenant_context(ada.tenant.pk):
        return list(Run.objects.filter(kind=Kind.TABLE))


def test_a_list_and_a_question_become_rows_and_columns(client):
    response = describe_table(client)
    assert columns(response) == ["Item", "Capital", "Population"]
    assert items(response) == LIST.split()
    assert "6 rows · 2 columns" in words(response)


def test_nothing_is_stored_before_the_start(client, ada):
    describe_table(client)
    assert runs_of(ada) == []


@pytest.mark.parametrize("act", ["start", "pilot"])
def test_the_preview_is_started_as_it_stands(client, ada, act):
    response = client.post(ADDRESS, form_of(describe_table(client)) | {"act": act})
    [run] = runs_of(ada)
    assert response["Location"] == f"/runs/{run.pk}/table/"
    with tenant_context(ada.tenant.pk):
        rows = list(Item.objects.filter(run=run).order_by("index"))
    assert [row.input for row in rows] == LIST.split()
    assert [row.is_held for row in rows] == [False] * 5 + [act == "pilot"]
    assert [one["name"] for one in run.config["fields"]] == ["capital", "population"]


def test_a_second_click_finds_the_first_ones_table(client, ada):
    form = form_of(describe_table(client)) | {"act": "start"}
    assert client.post(ADDRESS, form)["Location"] == client.post(ADDRESS, form)["Location"]
    assert len(runs_of(ada)) == 1


def test_everything_can_be_changed_before_the_start(client, ada):
    form = form_of(describe_table(client)) | {"items": "Oslo\nLima", "template": "About {{input}}"}
    form |= {"field-0-title": "Founded", "field-0-type": "date", "field-0-name": "", "field-1-DELETE": "on"}
    client.post(ADDRESS, form | {"act": "start", "concurrency": "7"})
    [run] = runs_of(ada)
    assert run.config["template"] == "About {{input}}"
    assert [(one["name"], one["type"]) for one in run.config["fields"]] == [("founded", "date")]
    assert run.config["concurrency"] == 7


def test_another_column_is_there_for_each_update(client):
    form = form_of(describe_table(client)) | {"field-2-title": "Currency", "act": "update"}
    assert columns(client.post(ADDRESS, form)) == ["Item", "Capital", "Population", "Currency"]


def csv_file(text: str, name: str = "list.csv") -> BytesIO:
    file = BytesIO(text.encode())
    file.name = name
    return file


TABLE = "Rank,Country,Continent\n1,Norway,Europe\n2,Chile,South America\n3,Peru,South America\n"


def test_a_file_gives_its_rows_and_another_column_can_be_taken(client):
    response = describe_table(client, text="", file=csv_file(TABLE))
    assert items(response) == ["Norway", "Chile", "Peru"]
    other = client.post(ADDRESS, form_of(response) | {"act": "column", "column": "Continent"})
    assert "South America" in tree(other).xpath("//*[@id='id_items']")[0].text
    assert tree(other).xpath("//select[@id='column']/option[@selected]/text()") == ["Continent"]
    assert columns(other)[1:3] == columns(response)[1:3]


def test_columns_that_nobody_asks_for_go_with_their_items(client, ada):
    own = "No.,Country,Code,Capital,Note\n1,Norway,N-01,,\n2,Chile,C-07,Santiago,\n"
    page = describe_table(client, prompt="capital of each", text=own)
    assert "are included beside the answers in XLSX and CSV files" in words(page)
    client.post(ADDRESS, form_of(page) | {"act": "start"})
    [run] = runs_of(ada)
    with tenant_context(ada.tenant.pk):
        kept = dict(Item.objects.filter(run=run).values_list("input", "beside"))
    assert run.config["beside"] == ["No.", "Code"]  # the capital is looked for, the notes are empty
    assert kept == {"Norway": ["1", "N-01"], "Chile": ["2", "C-07"]}


def test_a_workbook_gives_its_rows(client):
    book = Workbook()
    for row in (("Country", "Continent"), ("Norway", "Europe"), ("Chile", "South America")):
        book.active.append(row)
    book.create_sheet("Sources").append(["Atlas"])
    file = BytesIO()
    book.save(file)
    file.seek(0)
    file.name = "list.xlsx"
    response = describe_table(client, text="", file=file)
    assert items(response) == ["Norway", "Chile"]
    assert "sheet of the workbook is used, “Sheet”; left out: Sources." in words(response)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"prompt": ""}, "Say what you want to know about each."),
        ({"prompt": "x"}, "at least 3 characters"),
        ({"text": "x", "file": csv_file("a,b\n1,2\n")}, "Paste the list or choose a file, not both."),
        ({"text": "", "file": csv_file("")}, "The file is empty."),
        ({"text": "", "file": csv_file("x" * 2_000_001)}, "The file is larger than 2 MB."),
        ({"text": "", "file": csv_file("PK\x03\x04 no workbook", "list.xlsx")}, "list.xlsx"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_typed_is_lost(client, given, message):
    response = describe_table(client, **given)
    assert response.status_code == 422
    assert message in fold_spaces(tree(response).xpath("//*[@id='error-summary']")[0].text_content())
    assert tree(response).xpath("//*[@id='id_text']")[0].text.strip() == given.get("text", LIST)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"items": ""}, "Name at least one item."),
        ({"items": "x" * 501}, "is longer than 500 characters"),
        ({"items": "\n".join(map(str, range(2001)))}, "at most 2000 are allowed"),
        ({"template": "no place for it"}, "Write {{input}} where the item belongs."),
        ({"concurrency": "51"}, "less than or equal to 50"),
        ({"field-0-title": "", "field-1-title": ""}, "Give the column a title."),
        ({"field-0-DELETE": "on", "field-1-DELETE": "on"}, "A table needs at least one column."),
        ({"field-1-name": "capital"}, "Two columns have the name “capital”."),
        ({"field-0-name": "Great Name"}, "Use lowercase letters, digits and underscores"),
    ],
)
def test_a_table_that_cannot_be_asked_for_is_said_and_nothing_typed_is_lost(client, ada, changed, message):
    response = client.post(ADDRESS, form_of(describe_table(client)) | changed | {"act": "start"})
    assert response.status_code == 422
    assert message in fold_spaces(tree(response).xpath("//*[@id='error-summary']")[0].text_content())
    shown = form_of(response)
    assert {name: shown.get(name) for name in changed} == changed
    assert runs_of(ada) == []


def test_while_the_list_is_typed_its_estimate_follows(client):
    form = form_of(describe_table(client)) | {"items": "a\nb\nc", "act": "estimate"}
    response = client.post(ADDRESS, form, headers={"HX-Request": "true"})
    assert "3 rows" in words(response)
    assert b"<html" not in response.content


def test_an_earlier_table_is_asked_for_again_with_changes(client, ada):
    made = make_table(ada)
    response = client.get(f"{ADDRESS}?again={made.run.pk}")
    assert items(response) == ["Norway", "Chile", "Atlantis"]
    assert columns(response) == ["Item", "Capital", "Population", "Independent since"]
    assert client.get(f"{ADDRESS}?again=nonsense").status_code == 200


def test_the_way_to_a_table_is_beside_the_question(client):
    assert tree(client.get("/runs/new/")).xpath(f"//a[@href='{ADDRESS}']")
    assert tree(client.get(ADDRESS)).xpath("//a[@href='/runs/new/']")
