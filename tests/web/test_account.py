"""The account page: balances, the ledger line by line, figures of the last month."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.llm.budgets import credit_history, credits
from research.models import Run, UsageEntry
from tests.web.pages import fold_spaces, tree, words

PAGE = "/account/"


@pytest.fixture
def world_with_ledger(world):
    """A month’s grant, a run that set 50 aside and used 20, and a gift."""
    with tenant_context(world.person.tenant.pk):
        credits.grant_of_the_month()
        credits.reserve(Decimal(50), f"run:{world.run.pk}")
        credits.settle(Decimal(20), Decimal(50), f"run:{world.run.pk}")
        credits.grant(Decimal("1.5"), "admin:7:abc:goodwill: late: again")
    return world


def sums(page):
    return {
        fold_spaces(one.find("dt").text_content()): fold_spaces(one.find("dd").text_content())
        for one in tree(page).xpath("//dl[@class='sums']/div")
    }


def lines(page):
    rows = tree(page).xpath("//table[contains(@class, 'ledger')]/tbody/tr")
    return [[fold_spaces(cell.text_content()) for cell in row.xpath("td")][1:] for row in rows]


def test_the_balances_add_up(client, world_with_ledger):
    assert sums(client.get(PAGE)) | {
        "Free to use": "9,981.50",
        "Reserved for runs in progress": "0.00",
        "Spent so far": "20.00",
        "Granted so far": "10,001.50",
    } == sums(client.get(PAGE))


def test_each_movement_is_a_line_with_what_it_is_for(client, world_with_ledger):
    asked = world_with_ledger.run.topic
    assert lines(client.get(PAGE)) == [
        ["Granted", "goodwill: late: again", "+1.50", "9,981.50"],
        ["Returned from reserved credits", asked, "+30.00", "9,980.00"],
        ["Spent from reserved credits", asked, "(20.00)", "9,950.00"],
        ["Reserved", asked, "−50.00", "9,950.00"],
        ["Granted", f"Credits of {timezone.now():%B %Y}", "+10,000.00", "10,000.00"],
    ]


def test_a_line_leads_to_its_run(client, world_with_ledger):
    links = tree(client.get(PAGE)).xpath("//table//a/@href")
    assert links == [world_with_ledger.run.get_absolute_url()] * 3


def test_the_lines_of_a_run_that_is_gone_stay(client, ada):
    with tenant_context(ada.tenant.pk):
        credits.reserve(Decimal(5), "run:00000000-0000-7000-8000-000000000001")
    assert lines(client.get(PAGE))[0] == ["Reserved", "A run that was deleted", "−5.00", "9,995.00"]


def test_of_a_top_up_the_run_is_named_too(client, world):
    with tenant_context(world.person.tenant.pk):
        credits.reserve_up_to(Decimal(1), Decimal(2), f"run:{world.run.pk}:0.5")
    assert lines(client.get(PAGE))[0][:2] == ["Reserved", world.run.topic]


def test_at_the_first_visit_the_months_credits_are_there(client):
    assert sums(client.get(PAGE))["Free to use"] == "10,000.00"


def test_figures_are_of_the_last_thirty_days(client, world):
    with tenant_context(world.person.tenant.pk):
        use = {"run": world.run, "operation": "model_call", "tokens_input": 1000, "tokens_output": 24}
        UsageEntry.objects.create(ref="a", cost_usd=Decimal("0.25"), **use)
        UsageEntry.objects.create(ref="b", cost_usd=None, **use)
        old = UsageEntry.objects.create(ref="c", cost_usd=9, **use)
        UsageEntry.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=31))
    found = sums(client.get(PAGE))
    assert (found["Questions asked"], found["Reports finished"]) == ("1", "1")
    assert (found["Calls of models"], found["Tokens"]) == ("2", "2,048")
    assert found["US dollars"] == "0.25 and 1 call with unknown price"


def test_many_lines_are_paged_and_the_sums_after_them_go_on(client, ada):
    with tenant_context(ada.tenant.pk):
        credits.grant_of_the_month()
        for number in range(30):
            credits.grant(Decimal(1), f"gift {number}")
    assert len(lines(client.get(PAGE))) == 25
    last = lines(client.get(PAGE, {"page": "2"}))
    assert len(last) == 6
    assert last[0][-1] == "10,005.00"
    assert client.get(PAGE, {"page": "nonsense"}).status_code == 200


def test_nobody_sees_the_ledger_of_another_workspace(stranger, world_with_ledger):
    assert "goodwill" not in words(stranger.get(PAGE))
    assert sums(stranger.get(PAGE))["Spent so far"] == "0.00"


def test_workspace_and_role_are_named(client):
    assert "Workspace “ada’s” · your role: owner" in words(client.get(PAGE))


def test_the_last_line_says_what_is_free(world_with_ledger):
    with tenant_context(world_with_ledger.person.tenant.pk):
        assert (
            credit_history.lines(credit_history.movements()[:1])[0].free
            == credits.balance()
            == credit_history.balances().free
        )
        Run.objects.filter(pk=world_with_ledger.run.pk).delete()
        assert credit_history.balances().spent == 20
