"""A table whose rows nobody listed: they are found in lists of the sources, approved, and filled."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from citations.models import Citation, Claim
from research.accounts.people import Account
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.library.import_folder import import_folder
from research.models import Item, PlanVersion, ReviewAct, Run, State
from research.models.schemas import StoredDecision
from research.pipelines.table.change import TableRefused, rerun_cell
from research.pipelines.table.fields import LISTED, TableField
from research.pipelines.table.items.rows import UNLISTED
from research.pipelines.table.listing.steps import FROM_MEMORY
from research.pipelines.table.start_proposal import begin_proposed, is_proposal, list_rows
from research.review.decide import DecisionRefused, decide_whole
from tests.fakes.openai_server import FakeOpenAI
from tests.fetching.site import Said, Site, result, searxng, serving
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import ANSWERS, scribe
from tests.tables.rows import filled, now, values

ROWS = 40
PROMPT = "Mayor and area of the 50 largest towns of the coast by population"
HEAD = "| Rank | Town | Population | Mayor |\n|---|---|---|---|\n"
MORE = "Here stands what travellers tell of the coast, of its harbours and of its weather in winter. " * 6


def town(number: int) -> str:
    return f"{'North South East West Upper Lower Old New'.split()[number % 8]} Harbour {number // 8 + 1}"


@pytest.fixture(scope="module")
def towns(account: Account, tmp_path_factory: pytest.TempPathFactory) -> str:
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


def find(account: Account, prompt: str = PROMPT, **config: object) -> Run:
    with tenant_context(account.tenant_id):
        run = list_rows(owner=account.user, prompt=prompt, config=config)
    return filled(account, run)


def fields(run: Run) -> list[TableField]:
    return [TableField.model_validate(field) for field in run.config["fields"]]


def test_rows_are_found_cited_and_wait_for_their_owner(account: Account, towns: str) -> None:
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


def test_an_approved_list_is_filled_from_its_own_columns(account: Account, towns: str) -> None:
    run = find(account, folders=[towns])
    with tenant_context(account.tenant_id):
        decide_whole(run.escalations.get(status="open").pk, account.user, ReviewAct.ACCEPT, StoredDecision())
    run = filled(account, run)
    assert (run.state, run.items_completed) == (State.COMPLETED, ROWS)
    rows = values(run)
    assert rows[town(5)] == {LISTED: town(5), "mayor": "Mayor F. Weir", "area": None, "population": 89_995}


def test_rows_that_stay_keep_their_citation_under_their_new_number(account: Account, towns: str) -> None:
    run = find(account, folders=[towns])
    kept = [town(7), "Nowhere", town(2)]
    with tenant_context(account.tenant_id):
        begin_proposed(run.pk, account.user, inputs=kept, fields=fields(run))
        cells = [item.result[LISTED] for item in Item.objects.filter(run=run).order_by("index")]
        assert [cell["text"] for cell in cells] == [town(7), "", town(2)]
        assert cells[1]["reason"] == UNLISTED
        placed = Claim.objects.filter(run=run, number__isnull=False).order_by("number")
        assert [(claim.number, claim.entities) for claim in placed] == [(101, [town(7)]), (301, [town(2)])]
    run = filled(account, run)
    assert run.state == State.COMPLETED
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match="not looked up again"):
        rerun_cell(run.pk, account.user, 1, LISTED)


def test_where_no_list_is_found_the_owner_can_give_one(account: Account, towns: str) -> None:
    run = find(account, "all bridges of the moon", folders=[towns])
    with tenant_context(account.tenant_id):
        asked = run.escalations.get(status="open")
        assert (
            PlanVersion.objects.get(run=run).plan["risks"][0].startswith("No list of “bridges of the moon”")
        )
        with pytest.raises(DecisionRefused, match="needs rows and columns"):
            decide_whole(asked.pk, account.user, ReviewAct.ACCEPT, StoredDecision())
        begin_proposed(run.pk, account.user, inputs=[town(1)], fields=[TableField(name="mayor")])
    assert values(filled(account, run))[town(1)]["mayor"] == "Mayor B. Weir"


@pytest.fixture
def model(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """It names one column, and a town from memory."""
    columns = [{"title": "Harbour master", "description": "Who runs the harbour.", "type": "string"}]
    answer = {"items": ["Atlantis"], "columns": columns, "template": "Harbour master of {{input}}"}
    monkeypatch.setitem(ANSWERS, "TableAnswer", lambda request: answer)
    with model_world(valkey_url) as server:
        server.default = scribe()
        yield server


def test_a_model_names_columns_and_leaves_the_rows_that_were_found(
    account: Account, towns: str, model: FakeOpenAI
) -> None:
    run = find(account, folders=[towns])
    assert [field.name for field in fields(run)] == [LISTED, "harbour_master"]
    assert list(values(run)) == [town(number) for number in range(ROWS)]


def test_where_no_list_is_found_a_model_proposes_rows_and_the_owner_is_told(
    account: Account, towns: str, model: FakeOpenAI
) -> None:
    run = find(account, "all bridges of the moon", folders=[towns])
    with tenant_context(account.tenant_id):
        assert FROM_MEMORY in PlanVersion.objects.get(run=run).plan["risks"]
        item = Item.objects.get(run=run)
        assert (item.input, item.result[LISTED]["reason"]) == ("Atlantis", UNLISTED)


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

    with serving({**pages, "/search": searxng(answer)}) as site:
        settings = {
            "PLUMBLINE_ALLOW_LOOPBACK": True, "PLUMBLINE_POLITENESS_MS": 0, "PLUMBLINE_PROVIDERS": ("searxng",),
            "PLUMBLINE_SEARXNG_URL": site.base,
        }  # fmt: skip
        with override_settings(**settings):
            close_fetch_process()
            yield site
            close_fetch_process()


def test_a_list_on_two_pages_of_the_web_is_one_table(account: Account, site: Site) -> None:
    run = find(account, sources="web")
    with tenant_context(account.tenant_id):
        notes = PlanVersion.objects.get(run=run).plan["risks"]
        assert notes[0] == "24 of 50 asked for; from 2 pages."
        assert Item.objects.filter(run=run).count() == 24
    assert now(run).state == State.HUMAN_REVIEW_PLAN
