"""The share for writing a report is set aside before its sources are read: reading stops at its own share."""

from collections.abc import Iterator
from decimal import Decimal

import pytest

from exports.building.build_document_authorship import describe_authorship, stages
from research.db.tenancy import tenant_context
from research.llm.budgets.budget_limits import OperationCost
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.budgets.open_budgets import open_budgets
from research.models import AgentRole, Budget, Kind, Run, WorkspaceEntry
from tests.budgets.spending import reserve, settle
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import count, scribe

TOKENS = 20_000


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture
def short(settings) -> None:
    """Few tokens for a run, of which a fifth may be read with."""
    settings.PLUMBLINE_TIERS = dict.fromkeys(settings.PLUMBLINE_TIERS, (Decimal(1),))
    settings.PLUMBLINE_BUDGET_RUN = {
        name: (Decimal(TOKENS if name == "total" else 500_000),) for name in settings.PLUMBLINE_BUDGET_RUN
    }
    settings.PLUMBLINE_BUDGET_WRITING = {"share": (Decimal("0.8"),)}


def test_a_report_is_written_by_the_model_although_reading_was_cut_short(
    ask_in_library, model, short, account
):
    model.requests.clear()
    model.default = scribe()
    document = ask_in_library(QUESTION)
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=document.run_id)
        notes = list(WorkspaceEntry.objects.filter(run=run).values_list("text", flat=True))
    assert 0 < count(model.requests, "ClaimsAnswer") < run.sources_processed
    assert count(model.requests, "SectionAnswer") > 0
    assert describe_authorship(document) == "Written by a model, checked by rules"
    [loss] = [degradation for degradation in document.degradations if degradation.code == "reading_cut_short"]
    assert loss.reason.startswith("The tokens for reading were spent: a model read ")
    assert "a model and rules" in dict(stages(document))["Reading"]
    assert [note for note in notes if note.startswith("Tokens: planning ") and "16,000 are kept" in note]


def test_what_is_short_is_told_once(ask_in_library, model, short):
    model.default = scribe()
    assert "model_partly" not in {degradation.code for degradation in ask_in_library(QUESTION).degradations}


# --- the share itself ---


@pytest.fixture
def make_budgeted_run(account, short):
    """Open the budgets of a run of a kind."""

    def of_kind(kind: Kind) -> Run:
        with tenant_context(account.tenant_id):
            run = Run.objects.create(kind=kind, topic="Question", owner=account.user)
            open_budgets(run.pk, Decimal(40))
        return run

    return of_kind


def ask(run: Run, role: AgentRole, tokens: int, usd: str = "0") -> None:
    """Spend so much."""
    amount = OperationCost(tokens, 0, Decimal(usd))
    settle(reserve(run.pk, role, f"{role}.{tokens}.{usd}", amount, tenant_id=run.tenant_id), amount)


@pytest.mark.parametrize("role", [AgentRole.EXTRACTOR, AgentRole.RESEARCHER, AgentRole.ORCHESTRATOR])
def test_reading_may_not_use_what_writing_needs(role: AgentRole, make_budgeted_run):
    run = make_budgeted_run(Kind.REPORT)
    ask(run, role, 4_000)
    with pytest.raises(BudgetExceeded, match="kept for writing") as refused:
        ask(run, role, 100)
    assert not refused.value.is_hard
    ask(run, AgentRole.WRITER, 15_000)


def test_money_is_kept_for_writing_too_and_its_lack_ends_no_run(make_budgeted_run, settings):
    settings.PLUMBLINE_BUDGET_RUN = settings.PLUMBLINE_BUDGET_RUN | {"usd": (Decimal(10),)}
    run = make_budgeted_run(Kind.REPORT)
    ask(run, AgentRole.EXTRACTOR, 100, "2")
    with pytest.raises(BudgetExceeded, match="kept for writing") as refused:
        ask(run, AgentRole.EXTRACTOR, 100, "1")
    assert not refused.value.is_hard
    ask(run, AgentRole.WRITER, 100, "7")


def test_a_table_is_filled_with_all_it_has(make_budgeted_run):
    ask(make_budgeted_run(Kind.TABLE), AgentRole.RESEARCHER, 15_000)


def test_the_role_that_was_refused_is_remembered_and_the_run_is_not(make_budgeted_run, account):
    run = make_budgeted_run(Kind.REPORT)
    ask(run, AgentRole.EXTRACTOR, 3_000)
    with pytest.raises(BudgetExceeded):
        ask(run, AgentRole.EXTRACTOR, 2_000)
    with tenant_context(account.tenant_id):
        rows = dict(Budget.objects.filter(run=run).values_list("role", "exceeded"))
    assert (rows[AgentRole.EXTRACTOR], rows[""]) == ("tokens_total", "")
