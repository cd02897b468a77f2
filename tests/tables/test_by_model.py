"""A table whose rows a model fills and checks: what it says counts only where its words stand in a source."""

import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from exports.document.document_tree import CellEntry, Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.states.state_run_authorship import read_authorship
from research.models import Item, ModelCall, Run, Step
from research.pipelines.pipeline_in_foreground import ask_table
from research.pipelines.table.filling.fill_table_cells_by_model import rank_check
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.start_table import AskedTable
from research.pipelines.table.table_columns import TableField
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_step_names import TableStepName
from tests.fakes.openai_answers import Request, refusal
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import scribe
from tests.tables.rows import AREA, CAPITAL

SAYS = {
    "Arden": {"capital": ("Port Arden", "Capital | Port Arden"), "area": ("41285", "Area | 41,285 km²")},
    "Brightsea": {
        "capital": ("Lanthorn", "The capital is Lanthorn."),
        "area": ("920", "The total area is 920 square kilometres."),
    },
}


def row(request: Request) -> dict[str, object]:
    """Return the model's answer about the item that it is asked about."""
    item = re.search(r"^The item: (.+)$", request.text, re.MULTILINE)
    assert item is not None
    found = SAYS.get(item[1], {})
    return {"cells": [_cell(name, *found[name]) for name in found]}


def _cell(field: str, value: str, quote: str) -> dict[str, object]:
    return {"field": field, "values": [value], "quote": quote, "passage": 1, "reason": ""}


def is_check(request: Request) -> bool:
    return "You check one row" in request.text


def insights(request: Request) -> dict[str, object]:
    """Four that hold, and one with a figure that stands nowhere."""
    texts = [
        "Arden has 41285.",
        "Brightsea has 920.",
        "Two capitals are ports.",
        "There are 2 rows.",
        "One has 77.",
    ]
    return {"insights": [{"text": text, "rows": [1, 2, 99]} for text in texts]}


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture
def ask(account: PersonalAccount, library: str, model: FakeOpenAI) -> Callable[..., Document]:
    def ask_model(
        *inputs: str,
        cells: Callable[[Request], object] = row,
        columns: tuple[TableField, ...] = (CAPITAL, AREA),
    ) -> Document:
        model.default = scribe(cells=cells, insights=insights)
        asked = AskedTable(inputs, columns)
        return ask_table(account, "Capital and area of each land", asked, {"folders": [library]})

    return ask_model


def cells(table: Document, number: int = 1) -> tuple[CellEntry, ...]:
    assert table.table is not None
    return table.table.rows[number - 1].cells


def test_each_row_takes_two_calls_and_its_cells_cite(
    account: PersonalAccount, ask: Callable[..., Document]
) -> None:
    table = ask("Arden", "Brightsea")
    assert (table.status, table.engine) == ("done", "model")
    assert [cell.value for cell in (*cells(table, 1), *cells(table, 2))] == [
        "Port Arden",
        41285,
        "Lanthorn",
        920,
    ]
    assert all(cell.claim and cell.claim.citations for cell in cells(table, 2))
    with tenant_context(account.tenant_id):
        calls = ModelCall.objects.filter(run_id=table.run_id, step_key__contains="/item.")
        assert sorted(calls.values_list("purpose", flat=True)) == ["check", "check", "fill", "fill"]
        assert float(Run.objects.get(pk=table.run_id).cost_credits) == pytest.approx(0.1)


def test_insights_by_a_model_have_figures_of_the_table_and_rows_that_are_there(
    ask: Callable[..., Document],
) -> None:
    found = ask("Arden", "Brightsea").table
    assert found is not None
    assert [(insight.text, insight.rows) for insight in found.insights] == [
        ("Arden has 41285.", (1, 2)),
        ("Brightsea has 920.", (1, 2)),
        ("Two capitals are ports.", (1, 2)),
        ("There are 2 rows.", (1, 2)),
    ]


def invent_cell(_request: Request) -> dict[str, object]:
    return {"cells": [_cell("capital", "Atlantis", "The capital has always been Atlantis.")]}


def test_words_that_stand_nowhere_fill_no_cell(ask: Callable[..., Document]) -> None:
    rumour = TableField(name="rumour", description="What is said of it")
    capital = cells(ask("Brightsea", columns=(rumour,), cells=invent_rumour))[0]
    assert (capital.state, capital.value) == ("not_found", None)
    assert capital.reason == "The words that were given for it stand in no source."


def invent_rumour(_request: Request) -> dict[str, object]:
    return {"cells": [_cell("rumour", "It sank", "It sank long ago.")]}


def test_rules_fill_the_cells_for_which_the_model_gives_words_from_nowhere_or_none(
    ask: Callable[..., Document],
) -> None:
    by_model, by_rules = cells(ask("Brightsea")), cells(ask("Brightsea", cells=invent_cell))
    assert [cell.value for cell in by_rules] == ["Lanthorn", 920]
    for sure, instead in zip(by_model, by_rules, strict=True):
        assert sure.claim is not None
        assert instead.claim is not None
        assert (instead.claim.confidence or 0) < (sure.claim.confidence or 0)


def test_rules_fill_a_cell_for_which_the_model_gives_no_value_of_its_column(
    ask: Callable[..., Document],
) -> None:
    def vague(_request: Request) -> dict[str, object]:
        return {"cells": [_cell("area", "rather large", "The total area is 920 square kilometres.")]}

    assert cells(ask("Brightsea", cells=vague))[1].value == 920


def test_table_says_that_rules_filled_it_although_the_model_answered(
    account: PersonalAccount, ask: Callable[..., Document]
) -> None:
    table = ask("Brightsea", "Arden", cells=invent_cell)
    assert [cell.value for cell in cells(table, 2)] == ["Port Arden", 41285]
    with tenant_context(account.tenant_id):
        reading = next(stage for stage in read_authorship(Run.objects.get(pk=table.run_id)).stages)
    assert (reading.name, reading.by, reading.unanswered) == ("read", "rules", 2)
    assert any("support nothing that the model wrote" in loss.reason for loss in table.degradations)


def test_cell_stays_empty_where_the_model_says_why(ask: Callable[..., Document]) -> None:
    def deny(_request: Request) -> dict[str, object]:
        missing = {"values": [], "quote": "", "passage": 0, "reason": "The passages disagree too much."}
        return {"cells": [{"field": "capital", **missing}, {"field": "area", **missing}]}

    found = cells(ask("Brightsea", cells=deny))
    assert [(cell.value, cell.reason) for cell in found] == [(None, "The passages disagree too much.")] * 2


def test_what_the_second_look_corrects_is_shown_as_disputed(ask: Callable[..., Document]) -> None:
    def hasty(request: Request) -> dict[str, object]:
        if is_check(request):
            return row(request)
        return {"cells": [_cell("capital", "Brightsea", "Brightsea was founded in 1905.")]}

    capital = cells(ask("Brightsea", cells=hasty))[0]
    assert (capital.value, capital.is_disputed) == ("Lanthorn", True)


def test_what_the_second_look_does_not_confirm_is_trusted_little(ask: Callable[..., Document]) -> None:
    def unsure(request: Request) -> dict[str, object]:
        return {"cells": []} if is_check(request) else row(request)

    sure, doubted = cells(ask("Brightsea"))[0].claim, cells(ask("Brightsea", cells=unsure))[0].claim
    assert sure is not None
    assert sure.confidence is not None
    assert doubted is not None
    assert doubted.confidence is not None
    assert doubted.confidence <= min(0.5, sure.confidence - 0.1)


def test_a_check_that_the_model_refuses_leaves_the_row_as_it_was_filled(
    account: PersonalAccount, ask: Callable[..., Document]
) -> None:
    def shy(request: Request) -> object:
        return refusal()(request) if is_check(request) else row(request)

    checked, table = ask("Brightsea"), ask("Brightsea", cells=shy)
    assert [cell.value for cell in cells(table)] == ["Lanthorn", 920]
    for sure, doubted in zip(cells(checked), cells(table), strict=True):
        assert sure.claim is not None
        assert doubted.claim is not None
        assert (doubted.claim.confidence or 0) < (sure.claim.confidence or 0)
    with tenant_context(account.tenant_id):
        step = Step.objects.get(run=table.run_id, handler=TableStepName.FILL_ROW)
        assert step.output["fallback"]["code"] == "LLM_REFUSED"


def test_a_step_has_the_tokens_of_both_calls(account: PersonalAccount, ask: Callable[..., Document]) -> None:
    table = ask("Arden")
    with tenant_context(account.tenant_id):
        step = Step.objects.get(run=table.run_id, handler=TableStepName.FILL_ROW)
        calls = ModelCall.objects.filter(run_id=table.run_id, step_key=step.key)
        assert calls.count() == 2
        assert step.tokens_input == sum(calls.values_list("tokens_input", flat=True))


def test_where_the_model_refuses_rules_fill_the_row(
    account: PersonalAccount, ask: Callable[..., Document]
) -> None:
    table = ask("Brightsea", cells=lambda request: refusal()(request))
    assert [cell.value for cell in cells(table)] == ["Lanthorn", 920]
    with tenant_context(account.tenant_id):
        item = Item.objects.get(run_id=table.run_id)
        assert (item.status, item.retry_count) == ("completed", 0)
        [step] = Step.objects.filter(run=table.run_id, key__contains="/item.")
        assert step.output["fallback"]["code"] == "LLM_REFUSED"


@pytest.mark.parametrize(("index", "rank"), [(0, 0), (93, 0), (94, 2), (99, 2)])
def test_the_last_rows_are_checked_when_all_are_filled(index: int, rank: int) -> None:
    config = TableConfig(fields=[CAPITAL], concurrency=3)
    item = AskedItem(uuid4(), index, "Arden", config, (CAPITAL,), (), {}, True, of_items=100)
    assert rank_check(item) == rank
