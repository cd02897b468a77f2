"""Starting a run: its estimate is kept, its credits are set aside, and a user has so many runs at once."""

from decimal import Decimal

import pytest

from research.db.tenancy import tenant_context
from research.engine.sweeper import sweep_tenant
from research.llm import model_prices
from research.llm.budgets import credits
from research.llm.budgets.budget_credit_funding import share_of_balance
from research.llm.budgets.budget_limits import OperationCost
from research.llm.budgets.budgets import release_dead
from research.llm.model_settings import Endpoint, Models
from research.models import (
    AccountName,
    Budget,
    LanguageModel,
    ModelCall,
    Reservation,
    Run,
    State,
    Step,
    Tenant,
    Tier,
)
from research.models.schemas import Division, Plan, PlannedSection, Subtopic
from research.runs.run_estimate import estimate_for, terms, usual_call_s, with_estimate
from research.runs.start_and_cancel import StartRefused, cancel_run, pause_run, start_run
from research.runtime.process_names import owner_name
from tests.budgets.conftest import budget_of
from tests.budgets.spending import reserve, settle

USD = OperationCost(100, 10, Decimal("0.01"))


@pytest.fixture
def model(settings, db):
    """A model with a price, and no memory of earlier prices."""
    settings.PLUMBLINE_MODEL_BASE_URL = "https://models.example/v1"
    settings.PLUMBLINE_MODEL = "writer-1"
    model_prices.forget()
    yield LanguageModel.objects.create(
        name="writer-1", usd_per_million_input=Decimal("0.25"), usd_per_million_output=Decimal(2)
    )
    model_prices.forget()


@pytest.fixture
def start(tenant, owner):
    def begin(**config):
        with tenant_context(tenant.pk):
            return start_run(owner=owner, kind="report", topic="What does it cost?", config=config)

    return begin


def balance(tenant, name=AccountName.AVAILABLE):
    with tenant_context(tenant.pk):
        return credits.balance(name)


def test_without_a_model_nothing_is_set_aside(start, tenant):
    run = start()
    assert (run.estimate["calls"], Decimal(run.estimate["usd"])) == (0, 0)
    with tenant_context(tenant.pk):
        assert not Budget.objects.exists()


def test_a_run_that_asked_no_model_cost_nothing_however_it_ended(start, tenant):
    run = start()
    with tenant_context(tenant.pk):
        cancel_run(run.pk)
        run.refresh_from_db()
    assert (run.is_finished, run.cost_usd) == (True, 0)


def test_with_a_model_the_estimate_is_kept_and_set_aside(model, start, tenant):
    run = start(target_sources=100)
    with tenant_context(tenant.pk):
        run.refresh_from_db()
    estimated = Decimal(run.estimate["usd"])
    assert run.estimate["sources"] == 100
    assert budget_of(run).funded_usd == estimated > 0
    assert balance(tenant, AccountName.RESERVED) == 100 * estimated


def test_an_unknown_price_sets_no_credits_aside_and_counts_tokens(model, start, tenant):
    LanguageModel.objects.update(usd_per_million_output=None)
    run = start()
    assert run.estimate["usd"] is None
    assert budget_of(run).limit_tokens_total == 2_500_000
    assert balance(tenant, AccountName.RESERVED) == 0


def make_plan(*sources: int) -> Plan:
    subtopics = [Subtopic(name=str(n), queries=["q"], target_sources=n) for n in sources]
    outline = [PlannedSection(heading=subtopic.name) for subtopic in subtopics]
    return Plan(goal="g", subtopics=subtopics, outline=outline)


def test_a_plan_is_estimated_by_what_its_subtopics_want(model, tenant):
    with tenant_context(tenant.pk):
        known = terms()
    small, large = with_estimate(make_plan(3, 4), known), with_estimate(make_plan(3, 4, 223), known)
    assert 0 < small.estimated_tokens < large.estimated_tokens
    assert 0 < small.estimated_cost_usd < large.estimated_cost_usd
    assert large.estimated_minutes > 0


def test_a_plan_that_is_divided_is_estimated_with_its_researchers(model, tenant):
    with tenant_context(tenant.pk):
        known = terms()
    divided = make_plan(3, 4).model_copy(update={"division": Division.DIVIDED})
    assert (
        with_estimate(divided, known).estimated_tokens
        > 2 * with_estimate(make_plan(3, 4), known).estimated_tokens
    )


def test_a_deep_report_is_estimated_with_researchers_before_there_is_a_plan(model, tenant):
    with tenant_context(tenant.pk):
        plain, deep = (
            estimate_for("report", {"target_sources": 75, "depth": depth})
            for depth in ("standard", "exhaustive")
        )
    assert deep.calls > plain.calls
    assert deep.credits > plain.credits


def test_a_plan_of_an_unknown_price_has_no_cost(model, tenant):
    with tenant_context(tenant.pk):
        LanguageModel.objects.update(usd_per_million_input=None)
        plan = with_estimate(make_plan(3), terms())
    assert (plan.estimated_cost_usd, plan.estimated_tokens > 0) == (None, True)


def test_the_share_of_the_balance_counts_what_was_set_aside_for_the_run(model, start, tenant):
    run = start(target_sources=100)
    with tenant_context(tenant.pk):
        held = budget_of(run).funded_usd
        whole = credits.balance() / 100 + held
        assert share_of_balance(run.pk, held) == held / whole < share_of_balance(run.pk, whole) == 1


def test_there_is_no_share_of_no_credits(run):
    with tenant_context(run.tenant_id):
        assert share_of_balance(run.pk, Decimal(1)) is None


def test_a_run_beyond_the_balance_is_refused_in_a_sentence(model, start, tenant):
    with tenant_context(tenant.pk):
        Tenant.objects.update(tier=Tier.FREE)
        credits.grant_of_the_month()
        credits.reserve(Decimal(498), "another")
    with pytest.raises(StartRefused, match=r"would take about 5\.\d\d credits; the workspace has 2\.00"):
        start()
    with tenant_context(tenant.pk):
        assert not Run.objects.exists()


def test_the_same_form_sent_twice_is_paid_once(model, tenant, owner):
    with tenant_context(tenant.pk):
        for _ in range(2):
            start_run(owner=owner, kind="report", topic="Again?", client_key="form-1")
    assert balance(tenant, AccountName.RESERVED) == 100 * Decimal("0.0515")


def test_an_eleventh_run_of_a_user_is_refused_until_one_ends(start, tenant):
    runs = [start() for _ in range(10)]
    with pytest.raises(StartRefused, match="You already have 10 runs in progress"):
        start()
    with tenant_context(tenant.pk):
        cancel_run(runs[0].pk)
    assert start()


def test_paused_and_waiting_runs_do_not_count(start, tenant):
    runs = [start() for _ in range(10)]
    with tenant_context(tenant.pk):
        pause_run(runs[0].pk)
        Run.objects.filter(pk=runs[1].pk).update(state=State.HUMAN_REVIEW_PLAN)
    assert start()
    assert start()


def test_other_users_runs_do_not_count(start, tenant, django_user_model):
    for _ in range(10):
        start()
    other = django_user_model.objects.create_user("bob")
    with tenant_context(tenant.pk):
        assert start_run(owner=other, kind="report", topic="And for me?")


def test_a_run_that_ends_pays_what_it_used(model, start, tenant):
    run = start()
    settle(reserve(run.pk, "writer", "draft", USD, tenant_id=tenant.pk), USD)
    with tenant_context(tenant.pk):
        cancel_run(run.pk)
    assert balance(tenant, AccountName.SPENT) == 1
    assert balance(tenant, AccountName.RESERVED) == 0


def test_the_sweeper_releases_what_a_dead_process_had_reserved(model, start, tenant):
    run = start()
    with tenant_context(tenant.pk):
        Step.objects.filter(run=run).update(
            status="running", lease_owner="here", lease_until="2100-01-01T00:00Z"
        )
        step = Step.objects.get(run=run)
    reserve(run.pk, "writer", "draft", USD, tenant_id=tenant.pk, step_id=step.pk)
    with tenant_context(tenant.pk):
        Reservation.objects.update(holder=owner_name().replace("|", "|9", 1))
    assert sweep_tenant(tenant.pk).released == 1
    assert release_dead(tenant.pk, list) == 0
    assert budget_of(run).reserved_tokens_input == 0


def test_the_seconds_of_a_call_are_learned_from_the_latest(model, run, tenant):
    with tenant_context(tenant.pk):
        assert usual_call_s() == 8
        for operation, milliseconds in (("model_call", 1_000), ("model_call", 3_000), ("embedding", 50)):
            ModelCall.objects.create(
                run=run, step_key=f"s{milliseconds}", request_hash="h", role="writer", model="m",
                status="stored", operation=operation, duration_ms=milliseconds,
            )  # fmt: skip
        assert usual_call_s() == 2


def test_estimate_follows_the_test_of_the_model_until_it_was_called(model, run, tenant, monkeypatch):
    slow = Endpoint("http://localhost:8080/v1", "", at_once=1, tokens_a_second=10.0)
    monkeypatch.setattr("research.runs.run_estimate.usable_models_of", lambda _tenant: Models(slow, "m"))
    with tenant_context(tenant.pk):
        untouched = estimate_for("report", {"target_sources": 30})
        for server in ("localhost:8080", "other.example"):
            ModelCall.objects.create(
                run=run, step_key=server, request_hash="h", role="writer", model="m", status="stored",
                operation="model_call", duration_ms=500 if server == "localhost:8080" else 90_000, server=server,
            )  # fmt: skip
        measured = estimate_for("report", {"target_sources": 30})
    assert untouched.minutes_low >= 20
    assert measured.minutes_high < 3


def test_a_kind_without_a_formula_takes_nothing(model, tenant):
    with tenant_context(tenant.pk):
        assert estimate_for("digest", {}).calls == 0


def test_a_technical_run_is_priced_as_a_report_of_as_many_sources(model, tenant, settings):
    with tenant_context(tenant.pk):
        priced = [estimate_for(kind, {"target_sources": 24}) for kind in ("technical", "report")]
        assert priced[0] == priced[1]
        assert priced[0].usd > 0
        settings.PLUMBLINE_MODEL_BASE_URL = ""
        assert estimate_for("technical", {"target_sources": 24}).calls == 0


def test_a_budget_of_its_own_is_the_limit_of_a_run(model, start, tenant):
    run = start(target_sources=100, budget_credits=40)
    assert budget_of(run).limit_usd == Decimal("0.4")


def test_a_budget_above_what_the_tier_allows_changes_nothing(model, start, tenant):
    assert budget_of(start(budget_credits=900_000)).limit_usd == budget_of(start()).limit_usd


def test_a_run_that_would_take_more_than_its_budget_does_not_start(model, start, tenant):
    with pytest.raises(StartRefused, match="more than its budget of 1. Ask for fewer sources, or raise"):
        start(target_sources=300, budget_credits=1)
    with tenant_context(tenant.pk):
        assert not Run.objects.exists()
        assert not Budget.objects.exists()


def test_where_the_price_is_unknown_a_budget_refuses_nothing(model, start, tenant):
    LanguageModel.objects.update(usd_per_million_output=None)
    assert start(target_sources=300, budget_credits=1).estimate["usd"] is None
