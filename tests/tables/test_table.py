"""A table over a small library, by rules, from its start to its end."""

import pytest

from citations.models import Citation, Claim
from exports.document.document_tree import CellEntry, Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.llm.budgets.credits import balance
from research.models import AccountName, Item, Run, Source, State, Step, StepStatus
from research.pipelines.pipeline_in_foreground import ask_table
from research.pipelines.table.start_table import AskedTable
from research.pipelines.table.table_columns import FieldType, TableField

CAPITAL, AREA = TableField(name="capital"), TableField(name="area", type=FieldType.NUMBER, format="km²")
LANDS = ("Arden", "Brightsea", "Calder", "Nowhere")


@pytest.fixture(scope="module")
def table(account: PersonalAccount, library: str) -> Document:
    """One table, looked at by many tests."""
    asked = AskedTable(LANDS, (CAPITAL, AREA))
    return ask_table(account, "Capital and area of each land", asked, {"folders": [library]})


def cells(table: Document, row: int) -> tuple[CellEntry, ...]:
    assert table.table is not None
    return table.table.rows[row - 1].cells


def test_every_value_that_the_library_has_is_in_its_cell(table: Document) -> None:
    assert table.status == "done"
    found = {row: [cell.value for cell in cells(table, row)] for row in (1, 2, 3)}
    assert found == {1: ["Port Arden", 41285], 2: ["Lanthorn", 920], 3: ["Weir", 12400]}


def test_an_item_without_a_source_has_empty_cells_that_say_why(table: Document) -> None:
    assert table.table is not None
    assert table.table.rows[3].status == "completed"
    assert [(cell.state, bool(cell.reason), cell.claim) for cell in cells(table, 4)] == [
        ("not_found", True, None)
    ] * 2


def test_each_cell_is_a_claim_with_the_words_of_its_source(account: PersonalAccount, table: Document) -> None:
    with tenant_context(account.tenant_id):
        claims = Claim.objects.filter(run_id=table.run_id, section__isnull=False).order_by("number")
        quotes = Citation.objects.filter(claim__in=claims).select_related("source__content", "claim")
        assert [claim.number for claim in claims] == [101, 102, 201, 202, 301, 302]
        assert claims[2].text == "Brightsea – Capital: Lanthorn"
        assert {row.claim_id for row in quotes} == {claim.pk for claim in claims}
        assert all(row.source.text[row.start_offset : row.end_offset] == row.quote for row in quotes)


def test_a_cell_shows_its_confidence_and_its_source(table: Document) -> None:
    claim = cells(table, 2)[0].claim
    assert claim is not None
    assert claim.confidence is not None
    assert 0 < claim.confidence < 0.8
    assert [citation.source.file for citation in claim.citations] == ["brightsea.md"]
    assert claim.citations[0].label == "[2]"  # sources are numbered in the order of the rows


def test_the_document_is_found_by_the_item_s_name(account: PersonalAccount, table: Document) -> None:
    with tenant_context(account.tenant_id):
        items = Item.objects.filter(run_id=table.run_id).order_by("index")
        titles = [
            set(Source.objects.filter(pk__in=item.sources).values_list("title", flat=True)) for item in items
        ]
    assert titles == [{"Arden"}, {"Brightsea"}, {"Calder"}, set()]


def test_statistics_are_over_all_rows(table: Document) -> None:
    assert table.table is not None
    found = {(one.column, one.name): one.value for one in table.table.statistics}
    assert found["", "rows"] == 4
    assert found["", "filled"] == 6
    assert (found["area", "minimum"], found["area", "maximum"]) == (920, 41285)
    assert (found["capital", "count"], found["capital", "missing"]) == (3, 1)


def test_insights_name_the_rows_that_show_them(table: Document) -> None:
    assert table.table is not None
    extremes = next(insight for insight in table.table.insights if "(Arden)" in insight.text)
    assert extremes.rows == (2, 1)
    assert extremes.text == "Area: from 920 (Brightsea) to 41,285 (Arden), over 3 rows."
    assert table.summary[0] == "The table has 4 rows; 6 of 8 cells have a value (75 %)."


def test_credits_are_settled_by_completed_rows(account: PersonalAccount, table: Document) -> None:
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=table.run_id)
        assert (run.state, run.items_total, run.items_completed) == (State.COMPLETED, 4, 4)
        assert float(run.cost_credits) == pytest.approx(0.2)
        assert balance(AccountName.RESERVED) == 0


def test_no_step_failed(account: PersonalAccount, table: Document) -> None:
    with tenant_context(account.tenant_id):
        bad = Step.objects.filter(run_id=table.run_id).exclude(status=StepStatus.COMPLETED)
        assert list(bad.values_list("key", "error_message")) == []
