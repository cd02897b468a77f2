"""A table whose rows nobody listed: they are found in lists of the sources, approved, and filled."""

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.test import Client, override_settings

from citations.models import Citation, Claim
from research.accounts.api_tokens import find_caller, issue_token
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.fetching.fetch_process import close_fetch_process
from research.integrations.mcp import mcp_tools
from research.integrations.mcp.mcp_tools import RunRequest
from research.library.import_library_folder import import_folder
from research.llm.budgets import credits
from research.models import AccountName, Item, PlanVersion, ReviewAct, Run, Scope, Source, State, Step
from research.models.schemas import Plan, StoredDecision
from research.pipelines.table.items.initial_table_rows import UNLISTED
from research.pipelines.table.listing import further_pages_of_table_lists
from research.pipelines.table.listing.table_list_steps import FROM_MEMORY
from research.pipelines.table.start_proposed_table import begin_proposed, is_proposal, list_rows
from research.pipelines.table.table_changes import TableRefused, rerun_cell
from research.pipelines.table.table_columns import LISTED, TableField
from research.pipelines.table.table_step_names import TableStepName
from research.review.decide_review_items import DecisionRefused, decide_whole
from tests.fakes.firms import NAMES, count_true
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.stub_world import StubWorld
from tests.fetching.site import Said, Site, result, searxng, serve_site
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import ANSWERS, scribe
from tests.tables.rows import fill_table, now, values

ROWS = 40
PROMPT = "Mayor and area of the 50 largest towns of the coast by population"
HEAD = "| Rank | Town | Population | Mayor |\n|---|---|---|---|\n"
MORE = "Here stands what travellers tell of the coast, of its harbours and of its weather in winter. " * 6


def town(number: int) -> str:
    return f"{'North South East West Upper Lower Old New'.split()[number % 8]} Harbour {number // 8 + 1}"


@pytest.fixture(scope="module")
def towns(account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Key of a folder with one list and a page on something else."""
    folder = tmp_path_factory.mktemp("towns")
    rows = "".join(
        f"| {n + 1} | {town(n)} | {90_000 - n} | Mayor {chr(65 + n % 26)}. Weir |\n" for n in range(ROWS)
    )
    (folder / "towns.md").write_text(
        f"# Largest towns of the coast by population\n\n{MORE}\n\n{HEAD}{rows}", encoding="utf-8"
    )
    (folder / "rivers.md").write_text(f"# Rivers\n\n{MORE}\n\n- Blue\n- Red\n- Green\n", encoding="utf-8")
    return import_folder(account.tenant_id, folder).folder


def find(account: PersonalAccount, prompt: str = PROMPT, **config: object) -> Run:
    with tenant_context(account.tenant_id):
        run = list_rows(owner=account.user, prompt=prompt, config=config)
    return fill_table(account, run)


def accept(account: PersonalAccount, run: Run) -> Run:
    with tenant_context(account.tenant_id):
        decide_whole(run.escalations.get(status="open").pk, account.user, ReviewAct.ACCEPT, StoredDecision())
    return fill_table(account, run)


def get_reserved() -> Decimal:
    return credits.balance(AccountName.RESERVED)


def fields(run: Run) -> list[TableField]:
    return [TableField.model_validate(field) for field in run.config["fields"]]


def test_rows_are_found_cited_and_wait_for_their_owner(account: PersonalAccount, towns: str) -> None:
    run = find(account, folders=[towns])
    with tenant_context(account.tenant_id):
        assert (run.state, is_proposal(run), run.items_total) == (State.HUMAN_REVIEW_PLAN, True, ROWS)
        assert [field.name for field in fields(run)] == [LISTED, "mayor", "area", "population"]
        notes = PlanVersion.objects.get(run=run).plan["risks"]
        assert notes[0] == f"{ROWS} of 50 asked for; from 1 page."
        items = list(Item.objects.filter(run=run).order_by("index"))
        assert [item.input for item in items] == [town(number) for number in range(ROWS)]
        citations = list(Citation.objects.filter(claim__run=run).select_related("source__content", "claim"))
        assert len(citations) == ROWS
        for citation in citations:
            text = citation.source.content.text
            assert text[citation.start_offset : citation.end_offset] == citation.quote
            assert citation.claim.entities[0] in citation.quote
        assert all(item.wanted == ["mayor", "area", "population"] for item in items)
        assert not Citation.objects.filter(claim__run=run, chunk=None).exists()


def test_an_approved_list_is_filled_from_its_own_columns(account: PersonalAccount, towns: str) -> None:
    run = accept(account, find(account, folders=[towns]))
    assert (run.state, run.items_completed) == (State.COMPLETED, ROWS)
    rows = values(run)
    assert rows[town(5)] == {LISTED: town(5), "mayor": "Mayor F. Weir", "area": None, "population": 89_995}


def test_rows_that_stay_keep_their_citation_under_their_new_number(
    account: PersonalAccount, towns: str
) -> None:
    run = find(account, folders=[towns])
    kept = [town(7), "Nowhere", town(2)]
    with tenant_context(account.tenant_id):
        begin_proposed(run.pk, account.user, inputs=kept, fields=fields(run))
        cells = [item.result[LISTED] for item in Item.objects.filter(run=run).order_by("index")]
        assert [cell["text"] for cell in cells] == [town(7), "", town(2)]
        assert cells[1]["reason"] == UNLISTED
        placed = Claim.objects.filter(run=run, number__isnull=False).order_by("number")
        assert [(claim.number, claim.entities) for claim in placed] == [(101, [town(7)]), (301, [town(2)])]
    run = fill_table(account, run)
    assert run.state == State.COMPLETED
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match="cannot be looked up again"):
        rerun_cell(run.pk, account.user, 1, LISTED)


def test_where_no_list_is_found_the_owner_can_give_one(account: PersonalAccount, towns: str) -> None:
    run = find(account, "all bridges of the moon", folders=[towns])
    with tenant_context(account.tenant_id):
        asked = run.escalations.get(status="open")
        assert (
            PlanVersion.objects.get(run=run).plan["risks"][0].startswith("No list of “bridges of the moon”")
        )
        with pytest.raises(DecisionRefused, match="needs rows and columns"):
            decide_whole(asked.pk, account.user, ReviewAct.ACCEPT, StoredDecision())
        begin_proposed(run.pk, account.user, inputs=[town(1)], fields=[TableField(name="mayor")])
    assert values(fill_table(account, run))[town(1)]["mayor"] == "Mayor B. Weir"


FOUNDERS = "The harbour pact was signed in 1900 by North Harbour and by South Harbour, in that order."


@pytest.fixture
def model(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """It names one column, and a town from memory."""
    columns = [{"title": "Harbour master", "description": "Who runs the harbour.", "type": "string"}]
    answer = {"items": ["Atlantis"], "columns": columns, "template": "Harbour master of {{input}}"}
    monkeypatch.setitem(ANSWERS, "TableAnswer", lambda request: answer)
    told = [
        ("North Harbour", FOUNDERS),
        ("South Harbour", FOUNDERS),
        ("Atlantis", "Atlantis signed it, too."),
    ]
    members = [{"name": name, "quote": quote, "passage": 1} for name, quote in told]
    monkeypatch.setitem(
        ANSWERS, "MembersAnswer", lambda request: {"members": members if FOUNDERS in request.text else []}
    )
    with model_world(valkey_url) as server:
        server.default = scribe()
        yield server


def test_a_model_names_columns_and_leaves_the_rows_that_were_found(
    account: PersonalAccount, towns: str, model: FakeOpenAI
) -> None:
    run = find(account, folders=[towns])
    assert [field.name for field in fields(run)] == [LISTED, "harbour_master"]
    assert list(values(run)) == [town(number) for number in range(ROWS)]


def test_where_no_list_is_found_a_model_proposes_rows_and_the_owner_is_told(
    account: PersonalAccount, towns: str, model: FakeOpenAI
) -> None:
    run = find(account, "all bridges of the moon", folders=[towns])
    with tenant_context(account.tenant_id):
        assert FROM_MEMORY in PlanVersion.objects.get(run=run).plan["risks"]
        item = Item.objects.get(run=run)
        assert (item.input, item.result[LISTED]["reason"]) == ("Atlantis", UNLISTED)


def test_rows_that_sources_name_in_prose_are_read_by_a_model_and_cited(
    account: PersonalAccount, model: FakeOpenAI, tmp_path: Path
) -> None:
    (tmp_path / "pact.md").write_text(f"# The harbour pact\n\n{MORE}\n\n{FOUNDERS}\n", encoding="utf-8")
    folder = import_folder(account.tenant_id, tmp_path).folder
    run = find(account, "all signatories of the harbour pact", folders=[folder])
    assert names_of(run) == ["North Harbour", "South Harbour"]
    with tenant_context(account.tenant_id):
        assert {row.quote for row in Citation.objects.filter(claim__run=run)} == {FOUNDERS}
        notes = PlanVersion.objects.get(run=run).plan["risks"]
    assert "Names that the model gave and no source has, left out: 1." in notes
    assert FROM_MEMORY not in notes


PAGE = """<html lang="en"><title>Largest towns of the coast by population</title><h1>Largest towns of the coast by
population, {first}–{last}</h1><p>{more}</p><table><tr><th>Rank</th><th>Town</th><th>Population</th></tr>
{rows}</table></html>"""


def page_of_towns(first: int, last: int) -> Said:
    rows = "".join(
        f"<tr><td>{n + 1}</td><td>{town(n)}</td><td>{90_000 - n}</td></tr>" for n in range(first, last)
    )
    return Said(PAGE.format(first=first + 1, last=last, more=MORE, rows=rows))


@pytest.fixture
def site() -> Iterator[Site]:
    """A search that knows two halves of the list, and a page on each town."""
    pages = {"/a": page_of_towns(0, 12), "/b": page_of_towns(12, 24)}

    def answer(query: str, page: int) -> list[dict[str, object]]:
        return [result(f"{site.base}{path}", "Largest towns") for path in pages] if page == 1 else []

    with serve_site({**pages, "/search": searxng(answer)}) as site:
        settings = {
            "PLUMBLINE_ALLOW_LOOPBACK": True, "PLUMBLINE_POLITENESS_MS": 0, "PLUMBLINE_PROVIDERS": ("searxng",),
            "PLUMBLINE_SEARXNG_URL": site.base,
        }  # fmt: skip
        with override_settings(**settings):
            close_fetch_process()
            yield site
            close_fetch_process()


def test_a_list_on_two_pages_of_the_web_is_one_table(account: PersonalAccount, site: Site) -> None:
    run = find(account, sources="web")
    with tenant_context(account.tenant_id):
        notes = PlanVersion.objects.get(run=run).plan["risks"]
        assert notes[0] == "24 of 50 asked for; from 2 pages."
        assert Item.objects.filter(run=run).count() == 24
    assert now(run).state == State.HUMAN_REVIEW_PLAN


# --- what it takes


def test_credits_are_reserved_for_the_rows_that_are_approved(account: PersonalAccount, towns: str) -> None:
    with tenant_context(account.tenant_id):
        before = get_reserved()
    run = find(account, "All towns of the coast by population: mayor", folders=[towns])
    with tenant_context(account.tenant_id):
        assert get_reserved() == before
        plan = Plan.model_validate(run.plan)
        assert (plan.estimated_cost_usd, run.estimate["usd"]) == (0.02, "0.0200")
        begin_proposed(run.pk, account.user, inputs=[town(n) for n in range(30)])
        assert get_reserved() == before + Decimal("1.50")
        assert now(run).estimate["usd"] == "0.0150"
    run = fill_table(account, run)
    with tenant_context(account.tenant_id):
        assert (run.cost_credits, get_reserved()) == (Decimal("1.50"), before)


def test_rows_beyond_the_budget_of_the_table_are_not_started(account: PersonalAccount, towns: str) -> None:
    run = find(account, folders=[towns], budget_credits=1)
    with tenant_context(account.tenant_id):
        asked = run.escalations.get(status="open")
        with pytest.raises(DecisionRefused, match="2.00 credits, more than the table's budget of 1"):
            decide_whole(asked.pk, account.user, ReviewAct.ACCEPT, StoredDecision())
        begin_proposed(run.pk, account.user, inputs=[town(n) for n in range(20)])
    assert fill_table(account, run).cost_credits == Decimal("1.00")


def test_rows_that_the_workspace_can_not_pay_are_not_started(account: PersonalAccount, towns: str) -> None:
    run = find(account, folders=[towns])
    with tenant_context(account.tenant_id):
        credits.reserve(left := credits.available(), "all that is left")
        with pytest.raises(DecisionRefused, match="This would take 2.00 credits; the workspace has 0.00"):
            decide_whole(
                run.escalations.get(status="open").pk, account.user, ReviewAct.ACCEPT, StoredDecision()
            )
        assert now(run).state == State.HUMAN_REVIEW_PLAN
        credits.settle(Decimal(0), left, "all that is left")


def test_the_page_says_what_the_rows_take(account: PersonalAccount, towns: str) -> None:
    run = find(account, folders=[towns])
    client = Client()
    client.force_login(account.user)
    shown = client.get(f"/runs/{run.pk}/table/").content.decode()
    assert "40 rows" in shown
    assert "about 2.00 credits" in shown


def test_a_run_that_asks_nobody_fills_its_rows_at_once(account: PersonalAccount, towns: str) -> None:
    run = find(account, folders=[towns], reviews="never")
    assert (run.state, run.items_completed, run.cost_credits) == (State.COMPLETED, ROWS, Decimal("2.00"))


def test_a_run_that_asks_nobody_stops_at_its_budget(account: PersonalAccount, towns: str) -> None:
    run = find(account, folders=[towns], reviews="never", budget_credits=1)
    assert (run.state, run.failure_code, run.cost_credits) == (State.FAILED, "BUDGET_EXCEEDED_HARD", 0)


# --- lists that go on


@pytest.fixture(params=["linked"])
def list_site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A list of 40 towns on four pages, of which a search finds the third and the first, in this order.

    Each page links to the next one, if it is "linked".
    """

    def page(path: str) -> Said:
        number = int(path.partition("page=")[2] or 1)
        said = page_of_towns(10 * number - 10, 10 * number)
        more = f'<a href="/towns?page={number + 1}">Next ›</a><a href="http://elsewhere.example/">Next</a>'
        return Said(f"{said.body}{more}" if number < 4 and request.param == "linked" else said.body)

    def answer(query: str, number: int) -> list[dict[str, object]]:
        pages = [f"{site.base}/towns?page=3", f"{site.base}/towns"]
        return [result(url, "Largest towns") for url in pages] if number == 1 else []

    with serve_site({"/towns": page, "/search": searxng(answer)}) as site:
        settings = {
            "PLUMBLINE_ALLOW_LOOPBACK": True, "PLUMBLINE_POLITENESS_MS": 0, "PLUMBLINE_PROVIDERS": ("searxng",),
            "PLUMBLINE_SEARXNG_URL": site.base,
        }  # fmt: skip
        with override_settings(**settings):
            close_fetch_process()
            yield site
            close_fetch_process()


def names_of(run: Run) -> list[str]:
    with tenant_context(run.tenant_id):
        return list(Item.objects.filter(run=run).order_by("index").values_list("input", flat=True))


def test_the_next_pages_of_a_list_are_followed_in_its_order(
    account: PersonalAccount, list_site: Site
) -> None:
    run = find(account, sources="web")
    assert names_of(run) == [town(number) for number in range(ROWS)]
    with tenant_context(account.tenant_id):
        assert PlanVersion.objects.get(run=run).plan["risks"][0] == "40 of 50 asked for; from 4 pages."
        assert {source.domain for source in Source.objects.filter(run=run)} == {"127.0.0.1"}


def test_no_further_page_is_read_than_rows_are_wanted(account: PersonalAccount, list_site: Site) -> None:
    run = find(account, "Mayor of the 10 largest towns of the coast by population", sources="web")
    assert names_of(run) == [town(number) for number in range(10)]
    assert not any("page=2" in path or "page=4" in path for path in list_site.asked)


@pytest.mark.parametrize("list_site", ["unlinked"], indirect=True)
def test_pages_that_a_search_finds_are_read_in_the_order_of_the_list(
    account: PersonalAccount, list_site: Site
) -> None:
    run = find(account, sources="web")
    assert names_of(run) == [town(number) for number in (*range(10), *range(20, 30))]


def test_pages_beyond_the_limit_are_left_and_the_owner_is_told(
    account: PersonalAccount, list_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(further_pages_of_table_lists, "MAX_FURTHER", 1)
    run = find(account, sources="web", excluded_domains=[])
    with tenant_context(account.tenant_id):
        notes = PlanVersion.objects.get(run=run).plan["risks"]
    assert names_of(run) == [town(number) for number in (*range(10), *range(20, 40))]
    assert "The list goes on after the pages that were read." in notes


def test_a_site_that_the_run_leaves_out_is_not_followed(account: PersonalAccount, list_site: Site) -> None:
    run = find(account, sources="web", urls=[f"{list_site.base}/towns"], excluded_domains=["127.0.0.1"])
    assert names_of(run) == [town(number) for number in range(10)]


# --- all of it, in a small world


@pytest.fixture(scope="module")
def firms(account: PersonalAccount) -> Iterator[StubWorld]:
    with (
        StubWorld(firms=120, others=2) as served,
        override_settings(
            PLUMBLINE_ALLOW_LOOPBACK=True,
            PLUMBLINE_POLITENESS_MS=0,
            PLUMBLINE_SEARXNG_URL=served.address,
            PLUMBLINE_PROVIDERS=("searxng",),
            # 110 rows would wait for minutes within what a site lets a workspace search.
            PLUMBLINE_LIMITS={
                **settings.PLUMBLINE_LIMITS,
                "searches_a_minute": (6_000,),
                "fetches_a_minute": (6_000,),
            },
        ),
    ):
        close_fetch_process()
        yield served
        close_fetch_process()


def test_a_table_from_one_sentence_is_listed_cited_approved_and_filled(
    account: PersonalAccount, firms: StubWorld
) -> None:
    asked = "Founding year, headquarters and employees of the 110 largest firms of the coast by turnover"
    run = find(account, asked, sources="web", pages_per_item=1)
    assert names_of(run) == NAMES[:110]
    with tenant_context(account.tenant_id):
        assert Citation.objects.filter(claim__run=run).values("claim").distinct().count() == 110
    run = accept(account, run)
    assert (run.state, run.items_completed, run.items_failed) == (State.COMPLETED, 110, 0)
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=run, handler=TableStepName.FILL_ROW)
        first = sum((Counter(cells) for cells in steps.values_list("output__cells", flat=True)), Counter())
        rows = {
            item.input: {
                name: cell["value"] for name, cell in item.result.items() if name not in (LISTED, "turnover")
            }
            for item in Item.objects.filter(run=run)
        }
    assert first.total() == 4 * 110
    last = sum(value is not None for row in rows.values() for value in row.values())
    assert first["found"] - 110 == 258  # without the turnover, which the list itself has
    assert last == 3 * 110 - 6  # the size of one firm in twenty stands nowhere
    assert count_true({name: _by_column(row) for name, row in rows.items()}) == last


def _by_column(row: dict[str, object]) -> dict[str, object]:
    return {
        "founded": row["founding_year"],
        "headquarters": row["headquarters"],
        "employees": row["employees"],
    }


# --- by programs


def test_a_program_finds_rows_looks_through_them_and_starts_the_table(
    account: PersonalAccount, towns: str
) -> None:
    with tenant_context(account.tenant_id):
        token = issue_token(account.user, "a program", tuple(Scope), None)[1]
    program = Client(headers={"Authorization": f"Bearer {token}"})

    def call(method: str, path: str, body: object = None) -> dict:
        response = program.generic(
            method, f"/api/v1{path}", json.dumps(body) if body else "", content_type="application/json"
        )
        assert response.status_code < 300, response.content
        return response.json()

    asked = {"prompt": PROMPT, "find_rows": True, "fields": [{"name": "mayor"}]}
    run = call("POST", "/runs", {"kind": "table", "input": asked, "config": {"folders": [towns]}})
    drive(account.tenant_id, UUID(run["id"]))
    assert call("GET", f"/runs/{run['id']}")["phase"] == "waiting"
    plan = call("GET", f"/runs/{run['id']}/plan")
    assert (plan["notes"][0], plan["estimated_cost_usd"]) == ("40 of 50 asked for; from 1 page.", 0.02)
    row = call("GET", f"/runs/{run['id']}/rows")["rows"][3]
    assert row["input"] == town(3)
    started = call("POST", f"/runs/{run['id']}/table/start", {"items": [town(3), town(1)]})
    drive(account.tenant_id, UUID(started["id"]))
    rows = call("GET", f"/runs/{run['id']}/rows")["rows"]
    assert [row["input"] for row in rows] == [town(3), town(1)]
    assert [row["cells"][1]["value"] for row in rows] == ["Mayor D. Weir", "Mayor B. Weir"]


def test_an_agent_finds_rows_by_the_tools_of_the_server(account: PersonalAccount, towns: str) -> None:
    with tenant_context(account.tenant_id):
        caller = find_caller(issue_token(account.user, "an agent", tuple(Scope), None)[1])
        asked = RunRequest("table", PROMPT, {"find_rows": True}, {"folders": [towns]})
        run = mcp_tools.start(caller, asked).run.id
    drive(account.tenant_id, run)
    with tenant_context(account.tenant_id):
        assert len(mcp_tools.progress(run).waits_for) == 1
        assert mcp_tools.plan(run).notes[0] == "40 of 50 asked for; from 1 page."
