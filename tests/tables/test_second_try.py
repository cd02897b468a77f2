"""Cells that are empty or disputed after the first try are looked for once more, in other words."""

from collections import Counter
from collections.abc import Iterator

import pytest
from django.test import override_settings

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.library.import_library_folder import import_folder
from research.models import Item, Step
from research.pipelines.pipeline_in_foreground import ask_table
from research.pipelines.table.finding.table_column_lexicon import synonyms
from research.pipelines.table.gathering.table_item_mentions import other_names
from research.pipelines.table.start_table import AskedTable
from research.pipelines.table.table_columns import FieldType, TableField
from research.pipelines.table.table_step_names import TableStepName
from tests.fakes.stub_world import OwnPage, StubWorld

FIRMS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir")
FIELDS = (
    TableField(name="founded", type=FieldType.DATE, format="year"),
    TableField(name="headquarters"),
    TableField(name="employees", type=FieldType.NUMBER),
)


def first_page(name: str, number: int) -> OwnPage:
    text = f"{name} Works is a maker of tools. {name} Works was founded in {1900 + number}."
    return OwnPage(f"{name} Works", (text,), lambda query: name in query)


def second_page(name: str, number: int) -> OwnPage:
    """It is found by other words alone than those of the columns."""
    texts = (f"Workforce: {100 * number}", f"{name} Works is based in Port {name}.")
    return OwnPage(f"{name} Works", texts, lambda query: name in query and "workforce" in query.casefold())


PAGES = {
    **{f"{name}-first": first_page(name, number) for number, name in enumerate(FIRMS, 1)},
    **{f"{name}-second": second_page(name, number) for number, name in enumerate(FIRMS, 1)},
}


@pytest.fixture(scope="module")
def world(account: PersonalAccount) -> Iterator[StubWorld]:
    with (
        StubWorld(own=PAGES, others=0) as served,
        override_settings(
            PLUMBLINE_ALLOW_LOOPBACK=True,
            PLUMBLINE_POLITENESS_MS=0,
            PLUMBLINE_SEARXNG_URL=served.address,
            PLUMBLINE_PROVIDERS=("searxng",),
        ),
    ):
        close_fetch_process()
        yield served
        close_fetch_process()


@pytest.fixture(scope="module")
def table(account: PersonalAccount, world: StubWorld):
    rows = tuple(f"{name} Works" for name in FIRMS)
    config = {"sources": "web", "pages_per_item": 2, "reviews": "never"}
    return ask_table(account, "Facts of each firm", AskedTable(rows, FIELDS), config)


def cells_of(run_id) -> Counter[str]:
    rows = Item.objects.filter(run=run_id).values_list("result", flat=True)
    return Counter(cell["state"] for row in rows for cell in row.values())


def test_the_second_try_fills_what_the_first_left_empty(account, table):
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=table.run_id, handler=TableStepName.FILL_ROW)
        firsts = Counter[str]()
        for output in steps.values_list("output__cells", flat=True):
            firsts.update(output)
        last = cells_of(table.run_id)
    assert firsts["found"] / firsts.total() == pytest.approx(1 / 3)
    assert last == {"found": 18}


def test_a_row_counts_once(account, table):
    with tenant_context(account.tenant_id):
        assert Item.objects.filter(run=table.run_id, status="completed", wanted=[]).count() == len(FIRMS)
        [item] = Item.objects.filter(run=table.run_id, index=0).select_related("run")
        assert (item.run.items_completed, item.run.items_failed) == (len(FIRMS), 0)


def test_only_open_columns_are_looked_for_again(account, table):
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=table.run_id, handler=TableStepName.FILL_ROW_AGAIN)
        assert {tuple(columns) for columns in steps.values_list("output__columns", flat=True)} == {
            ("headquarters", "employees")
        }


def test_in_a_library_another_name_of_the_item_is_tried(account, tmp_path):
    text = "# The Northern Rail Authority (NRA)\n\nFounded: 1951. Headquarters: Port Alder.\n"
    (tmp_path / "authority.md").write_text(text, encoding="utf-8")
    folder = import_folder(account.tenant_id, tmp_path).folder
    asked = AskedTable(("Northern Rail Authority, Ltd",), FIELDS[:2])
    table = ask_table(account, "Facts of each body", asked, {"folders": [folder], "reviews": "never"})
    with tenant_context(account.tenant_id):
        assert cells_of(table.run_id) == {"found": 2}


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Acme Tools, Inc.", ["Acme Tools"]),
        ("Burma (Myanmar)", ["Burma", "Myanmar"]),
        ("Müller GmbH", ["Müller"]),
        ("Acme", []),
        ("Bank of Co", []),
    ],
)
def test_an_item_is_called_by_what_stands_beside_its_name(name, others):
    assert other_names(name) == others


def test_words_of_the_same_column_are_told():
    assert "workforce" in synonyms("employees")
    assert synonyms("zebra") == ()
