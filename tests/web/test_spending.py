"""Estimates beside the button, what a run has used on its page, and the operator's figures."""

from decimal import Decimal

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.llm import model_prices
from research.llm.budgets import credits
from research.llm.budgets.budget_degradations import MEASURES, record_degradation
from research.llm.budgets.budget_limits import OperationCost
from research.models import (
    AccountName,
    Budget,
    CreditEntry,
    LanguageModel,
    ModelCall,
    Run,
    State,
    Tenant,
    Tier,
)
from research.ops.model_usage_metrics import operations
from tests.budgets.spending import reserve, settle
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import finish, make_report

FRAGMENT = {"HTTP_HX_REQUEST": "true"}
DOLLAR = OperationCost(1_000_000, 10_000, Decimal(1))


@pytest.fixture
def model(settings, db):
    settings.PLUMBLINE_MODEL_BASE_URL = "https://models.example/v1"
    settings.PLUMBLINE_MODEL = "writer-1"
    settings.PLUMBLINE_BUDGET_OPERATIONS = {"model_call": (Decimal(10**9), Decimal(10**9))}
    model_prices.forget()
    yield LanguageModel.objects.create(
        name="writer-1", usd_per_million_input=Decimal("0.25"), usd_per_million_output=Decimal(2)
    )
    model_prices.forget()


@pytest.fixture
def poor(ada):
    with tenant_context(ada.tenant.pk):
        Tenant.objects.update(tier=Tier.FREE)
        credits.grant_of_the_month()
        credits.reserve(Decimal(499), "another")


def test_without_a_model_the_form_says_that_it_is_free(client):
    assert "Without a language model a run costs nothing." in words(client.get("/runs/new/"))


def test_the_form_says_what_a_run_will_take(client, model):
    said = words(client.get("/runs/new/"))
    assert (
        "Estimate: about 5.15 credits ($0.05) · less than a minute · up to 30 sources · 93,000 tokens" in said
    )
    assert "The workspace has 10,000.00 credits." in said


def test_the_estimate_follows_the_number_of_sources(client, model):
    part = client.get("/runs/new/", {"target_sources": "200"}, **FRAGMENT)
    assert "27.25 credits" in words(part)
    assert "<html" not in part.content.decode()
    assert "HX-Request" in part["Vary"]


@pytest.mark.parametrize("typed", ["", "-5", "0", "501", "many", "٣٠", "9" * 400])
def test_an_impossible_number_counts_as_the_default(client, model, typed):
    assert "5.15 credits" in words(client.get("/runs/new/", {"target_sources": typed}, **FRAGMENT))


def test_an_unknown_price_is_said_and_is_never_zero(client, model):
    LanguageModel.objects.update(usd_per_million_input=None)
    said = words(client.get("/runs/new/"))
    assert "cost unknown" in said
    assert "0.00" not in said


def test_a_local_model_is_free(client, model):
    LanguageModel.objects.update(is_local=True)
    assert "free (the model runs on your own machines)" in words(client.get("/runs/new/"))


def test_too_few_credits_are_said_before_and_refused_after(client, model, poor, ada, library_stock):
    assert "The workspace has 1.00 credits: too few for this run." in words(client.get("/runs/new/"))
    response = client.post("/runs/new/", {"question": "What does it cost?"})
    assert response.status_code == 422
    assert "This run would take about 5.15 credits; the workspace has 1.00." in words(response)
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.exists()


def test_a_budget_is_compared_with_the_estimate_and_refuses_what_is_above(client, model, ada, library_stock):
    part = client.get("/runs/new/", {"target_sources": "200", "budget_credits": "20"}, **FRAGMENT)
    assert "more than the budget of 20 credits: it would not start" in words(part)
    part = client.get("/runs/new/", {"target_sources": "200", "budget_credits": "28"}, **FRAGMENT)
    assert "The workspace has 10,000.00 credits." in words(part)
    sent = {"question": "What does it cost?", "target_sources": "200", "budget_credits": "20"}
    response = client.post("/runs/new/", sent)
    assert response.status_code == 422
    assert "more than its budget of 20" in words(response)
    assert client.post("/runs/new/", sent | {"budget_credits": "28"}).status_code == 302
    with tenant_context(ada.tenant.pk):
        assert Run.objects.get().config["budget_credits"] == 28


@pytest.mark.parametrize("typed", ["0", "-3", "much"])
def test_a_budget_that_is_none_is_refused_at_its_field(client, model, typed):
    response = client.post("/runs/new/", {"question": "What does it cost?", "budget_credits": typed})
    assert response.status_code == 422
    assert tree(response).xpath("//*[@id='error-summary']//a/@href") == ["#id_budget_credits"]


def test_without_a_model_there_is_no_budget_to_set(client):
    assert not tree(client.get("/runs/new/")).xpath("//input[@name='budget_credits']")


@pytest.fixture
def at_work(world, model):
    """A run that reads, has an estimate of five dollars and has spent one."""
    with tenant_context(world.person.tenant.pk):
        finish(world.run, State.READING)
        estimate = {"sources": 30, "calls": 41, "tokens": 9, "usd": 5, "minutes_low": 1, "minutes_high": 2}
        Run.objects.filter(pk=world.run.pk).update(estimate=estimate, sources_found=10, sources_processed=5)
    spend(world, "planner.1", "orchestrator")
    return world


def spend(world, ref, role, amount=DOLLAR):
    settle(reserve(world.run.pk, role, ref, amount, tenant_id=world.person.tenant.pk), amount)


def limit(world, **columns):
    with tenant_context(world.person.tenant.pk):
        Budget.objects.filter(run=world.run, role="").update(**columns)


def test_a_run_shows_what_it_used_and_what_it_will_probably_use(client, at_work):
    said = words(client.get(f"/runs/{at_work.run.pk}/"))
    assert "Credits" in said
    assert "100.00 of 5,000" in said
    assert "1,010,000 of 2,500,000" in said
    assert "about 294.12 credits at the end" in said
    assert "9,900.00 credits left in the workspace" in said


def test_a_bar_says_in_words_what_its_colour_means(client, at_work):
    limit(at_work, limit_usd=Decimal("1.2"))
    page = client.get(f"/runs/{at_work.run.pk}/")
    assert tree(page).xpath("//meter/@aria-label") == ["Credits used", "Tokens used"]
    assert "less than 30% left" in words(page)
    assert "enough left" in words(page)


def test_a_used_up_limit_is_said(client, at_work):
    limit(at_work, limit_usd=Decimal(1))
    assert "used up" in words(client.get(f"/runs/{at_work.run.pk}/"))


def test_a_poll_brings_the_budget(client, at_work):
    part = client.get(f"/runs/{at_work.run.pk}/progress/", **FRAGMENT)
    assert "100.00 of 5,000" in words(part)


def test_what_was_given_up_is_shown(client, at_work):
    with tenant_context(at_work.person.tenant.pk):
        record_degradation(at_work.run.pk, MEASURES[1])
    said = words(client.get(f"/runs/{at_work.run.pk}/"))
    assert "Done with less than planned The remaining sources were read less deeply." in said


def test_the_report_names_what_was_given_up(client, world):
    assert "Done with less" not in words(client.get(f"/runs/{world.run.pk}/report/"))
    with tenant_context(world.person.tenant.pk):
        record_degradation(world.run.pk, MEASURES[3])
    said = words(client.get(f"/runs/{world.run.pk}/report/"))
    assert "Done with less than planned The claims were checked by rules alone, without a model." in said


def test_a_run_without_a_model_shows_no_budget(client, world):
    assert "Tokens" not in words(client.get(f"/runs/{world.run.pk}/"))


def test_a_run_of_unknown_price_shows_tokens_only(client, world, model):
    LanguageModel.objects.update(usd_per_million_input=None)
    with tenant_context(world.person.tenant.pk):
        finish(world.run, State.READING)
    spend(world, "planner.2", "orchestrator", OperationCost(1_000, 10))
    page = client.get(f"/runs/{world.run.pk}/")
    assert tree(page).xpath("//meter/@aria-label") == ["Tokens used"]
    assert "The cost is unknown" in words(page)


def test_a_run_with_a_model_of_ones_own_shows_tokens_and_that_it_is_free(client, at_work):
    with tenant_context(at_work.person.tenant.pk):
        estimate = Run.objects.get(pk=at_work.run.pk).estimate | {"usd": 0}
        Run.objects.filter(pk=at_work.run.pk).update(estimate=estimate)
        Budget.objects.filter(run=at_work.run).update(spent_usd=0)
    page = client.get(f"/runs/{at_work.run.pk}/")
    assert tree(page).xpath("//meter/@aria-label") == ["Tokens used"]
    assert "Free: the model runs on your own machines." in words(page)
    assert "credits" not in words(page)


@pytest.fixture
def operator(db):
    return join("grace", is_staff=True, is_superuser=True)


def test_operators_see_tokens_dollars_calls_and_degradations(at_work):
    with tenant_context(at_work.person.tenant.pk):
        record_degradation(at_work.run.pk, MEASURES[0])
        for n in range(3):
            ModelCall.objects.create(
                run=at_work.run, step_key=f"s{n}", request_hash="h", role="writer", model="m"
            )
        seen = operations(timezone.now())
    assert [(role.role, role.tokens_input, role.usd) for role in seen.roles] == [
        ("orchestrator", 1_000_000, 1)
    ]
    assert (seen.calls_last_hour, seen.calls_a_minute) == (4, 4 / 60)  # with the one of the fixture
    assert [(degradation.code, degradation.runs) for degradation in seen.degradations] == [
        ("stop_collecting", 1)
    ]
    assert dict(seen.balances) | {"Granted": 10_000, "Available": 9_900} == dict(seen.balances)


def test_the_operators_page_opens_for_operators_only(operator, client):
    page = operator.sign_in().get("/admin/research/budget/operations/")
    assert "Tokens and dollars by role, last 30 days: $0.00" in words(page)
    assert client.get("/admin/research/budget/operations/").status_code == 302


def test_staff_without_the_right_do_not_see_the_operators_page(db):
    clerk = join("clerk", is_staff=True)
    assert clerk.sign_in().get("/admin/research/budget/operations/").status_code == 403


def test_an_operator_gives_credits(operator):
    browser = operator.sign_in()
    response = browser.post("/admin/research/creditentry/add/", {"amount": "250", "reason": "goodwill"})
    assert response.status_code == 302
    with tenant_context(operator.tenant.pk):
        assert credits.balance() == 250
        assert CreditEntry.objects.get(account__name=AccountName.GRANTED).amount == -250
        assert CreditEntry.objects.first().ref.endswith("goodwill")


def test_a_grant_of_nothing_is_refused(operator):
    response = operator.sign_in().post("/admin/research/creditentry/add/", {"amount": "-1", "reason": "x"})
    assert response.status_code == 200
    with tenant_context(operator.tenant.pk):
        assert not CreditEntry.objects.exists()


def list_admin_rows(client, table):
    """The rows of a list in the admin, each as its words."""
    page = tree(client.get(f"/admin/research/{table}/"))
    rows = page.xpath("//table[@id='result_list']/tbody/tr")
    return [" ".join(" ".join(row.xpath("./th//text() | ./td//text()")).split()) for row in rows]


def test_operators_see_prices_and_that_one_is_unknown(operator, model):
    LanguageModel.objects.create(name="writer-2", base_url="https://x.example/v1")
    rows = list_admin_rows(operator.sign_in(), "languagemodel")
    assert any(row.startswith("writer-1 any 0.250 2.000 –") for row in rows)
    assert any(row.startswith("writer-2 https://x.example/v1 unknown unknown –") for row in rows)


def test_operators_see_of_each_budget_what_is_used_of_what(operator, model):
    world = make_report(operator)
    with tenant_context(operator.tenant.pk):
        finish(world.run, State.READING)
    spend(world, "planner.1", "planner", OperationCost(1_000, 100, Decimal("0.01")))
    rows = list_admin_rows(operator.sign_in(), "budget")
    assert any(row.startswith("Planner 1,000 of 50,000 100 of 10,000 0.0100") for row in rows)
    assert any(row.startswith("The whole run 1,000 of 2,000,000") for row in rows)


def test_the_ledger_reads_in_credits(operator):
    with tenant_context(operator.tenant.pk):
        credits.grant_of_the_month()
    assert any("Grant 10,000.00" in row for row in list_admin_rows(operator.sign_in(), "creditentry"))
