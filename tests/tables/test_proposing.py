"""A table asked for in words: a model proposes rows and columns; nothing is filled before a person agrees."""

import re
from collections.abc import Callable, Iterator

import pytest

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.llm.budgets.credits import balance
from research.models import AccountName, Item, PlanVersion, ReviewAct, Run, State, Step
from research.models.schemas import StoredDecision
from research.pipelines.table.start_proposed_table import (
    TableRefused,
    begin_proposed,
    is_proposal,
    propose_table,
)
from research.pipelines.table.table_columns import FieldType, TableField
from research.review.decide_review_items import DecisionRefused, decide_whole
from tests.fakes.openai_answers import Request, refusal
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import ANSWERS, scribe
from tests.tables.rows import AREA, CAPITAL, fill_table, now, values
from tests.tables.test_by_model import insights, row

PROMPT = "Capital and area of the lands of the northern sea"
COLUMNS = [
    {"title": "Capital", "description": "Seat of the government.", "type": "string"},
    {"title": "Area", "description": "Land and water, in km².", "type": "number", "format": "km²"},
]


def proposal(request: Request) -> dict[str, object]:
    """Two lands, one of them twice."""
    return {
        "items": ["Arden", " brightsea", "ARDEN"],
        "columns": COLUMNS,
        "template": "Capital and area of {{input}}",
        "note": "Islands are left out.",
    }


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture
def propose(account: PersonalAccount, library: str, model: FakeOpenAI, monkeypatch) -> Callable[..., Run]:
    def start(*inputs: str, says: Callable[[Request], object] = proposal) -> Run:
        monkeypatch.setitem(ANSWERS, "TableAnswer", says)
        model.default = scribe(cells=row, insights=insights)
        with tenant_context(account.tenant_id):
            config = {"folders": [library]}
            run = propose_table(owner=account.user, prompt=PROMPT, inputs=inputs, config=config)
        return fill_table(account, run)

    return start


def begin(account: PersonalAccount, run: Run, *inputs: str, **options: object) -> Run:
    with tenant_context(account.tenant_id):
        begin_proposed(run.pk, account.user, inputs=inputs, fields=[CAPITAL, AREA], **options)
    return fill_table(account, run)


def rows_of(run: Run) -> list[str]:
    with tenant_context(run.tenant_id):
        return list(Item.objects.filter(run=run).order_by("index").values_list("input", flat=True))


def test_rows_and_columns_are_proposed_and_wait_for_their_owner(propose: Callable[..., Run]) -> None:
    run = propose()
    with tenant_context(run.tenant_id):
        assert (run.state, is_proposal(run)) == (State.HUMAN_REVIEW_PLAN, True)
    assert rows_of(run) == ["Arden", "brightsea"]
    assert [(one["name"], one.get("type", "string")) for one in run.config["fields"]] == [
        ("capital", "string"),
        ("area", "number"),
    ]
    assert run.config["template"] == "Capital and area of {{input}}"
    with tenant_context(run.tenant_id):
        assert PlanVersion.objects.get(run=run).plan["risks"] == ["Islands are left out."]
        assert not Step.objects.filter(run=run, key__contains="/item.").exists()


def test_a_list_that_was_given_stays_as_it_is(model: FakeOpenAI, propose: Callable[..., Run]) -> None:
    assert rows_of(propose("Calder", "Arden")) == ["Calder", "Arden"]
    asked = model.requests[-1].text
    assert "Calder" in asked
    assert "leave this empty" in asked


def test_what_its_owner_made_of_it_is_filled(account: PersonalAccount, propose: Callable[..., Run]) -> None:
    run = begin(account, propose(), "Brightsea")
    assert run.state == State.COMPLETED
    assert values(run) == {"Brightsea": {"capital": "Lanthorn", "area": 920}}


def test_it_can_be_accepted_as_it_is(account: PersonalAccount, propose: Callable[..., Run]) -> None:
    run = propose()
    with tenant_context(account.tenant_id):
        decide_whole(run.escalations.get(status="open").pk, account.user, ReviewAct.ACCEPT, StoredDecision())
    assert rows_of(fill_table(account, run)) == ["Arden", "brightsea"]
    assert now(run).state == State.COMPLETED


def test_a_pilot_of_it_fills_five_rows(account: PersonalAccount, propose: Callable[..., Run]) -> None:
    lands = [f"Land {number}" for number in range(6)]
    run = begin(account, propose(), *lands, is_pilot=True)
    assert run.state == State.HUMAN_REVIEW_PLAN
    with tenant_context(run.tenant_id):
        assert not is_proposal(run)
        assert Item.objects.filter(run=run, is_held=True).count() == 1


def test_it_is_decided_once(account: PersonalAccount, propose: Callable[..., Run]) -> None:
    run = begin(account, propose(), "Brightsea")
    with pytest.raises(TableRefused, match="already been decided"):
        begin(account, run, "Arden")
    assert rows_of(run) == ["Brightsea"]


def test_more_rows_than_were_set_aside_for_are_paid_for(
    account: PersonalAccount, propose: Callable[..., Run]
) -> None:
    run = propose("Arden")
    with tenant_context(account.tenant_id):
        held = balance(AccountName.RESERVED)
        lands = [f"Land {number}" for number in range(41)]
        begin_proposed(run.pk, account.user, inputs=lands, fields=[CAPITAL, AREA])
        assert balance(AccountName.RESERVED) - held == 2


def test_rows_that_were_set_aside_for_already_cost_nothing_more(
    account: PersonalAccount, propose: Callable[..., Run]
) -> None:
    run = propose()
    with tenant_context(account.tenant_id):
        held = balance(AccountName.RESERVED)
        lands = [f"Land {number}" for number in range(100)]
        begin_proposed(run.pk, account.user, inputs=lands, fields=[CAPITAL, AREA])
        assert balance(AccountName.RESERVED) == held


def test_a_proposal_without_rows_cannot_be_accepted(
    account: PersonalAccount, propose: Callable[..., Run]
) -> None:
    run = propose(says=lambda request: {"items": [], "columns": COLUMNS})
    with tenant_context(account.tenant_id):
        asked = run.escalations.get(status="open")
        with pytest.raises(DecisionRefused, match="needs rows and columns"):
            decide_whole(asked.pk, account.user, ReviewAct.ACCEPT, StoredDecision())
    assert begin(account, run, "Brightsea").state == State.COMPLETED


def test_where_the_model_refuses_rules_propose(propose: Callable[..., Run]) -> None:
    run = propose("Arden", says=lambda request: refusal()(request))
    assert run.state == State.HUMAN_REVIEW_PLAN
    assert rows_of(run) == ["Arden"]
    assert "capital" in [one["name"] for one in run.config["fields"]]


def test_without_a_model_nothing_is_proposed(account: PersonalAccount, settings) -> None:
    settings.PLUMBLINE_MODEL_BASE_URL = settings.PLUMBLINE_MODEL_API_KEY = ""
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match="No model is configured"):
        propose_table(owner=account.user, prompt=PROMPT)


def test_a_column_that_makes_no_table_is_left_out(propose: Callable[..., Run]) -> None:
    odd = {"title": "???", "type": "number"}
    again = {"title": "capital", "type": "date"}
    run = propose(
        says=lambda request: {"items": ["Arden"], "columns": [odd, *COLUMNS, again], "template": "x"}
    )
    kept = [TableField.model_validate(one) for one in run.config["fields"]]
    assert [(one.name, one.type) for one in kept] == [
        ("capital", FieldType.STRING),
        ("area", FieldType.NUMBER),
    ]
    assert re.search(r"\{\{input\}\}", run.config.get("template", "{{input}}"))
