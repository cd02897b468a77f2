"""Fifty callers at once, with kills: no limit is passed at any moment, and every credit is where it must be.

`make crash` does 10 000 operations, `make test` 500. STORM_SEED varies them.
"""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Sum

from research.db.tenancy import create_tenant, tenant_context
from research.llm.budgets import credits
from research.llm.budgets.budget_credit_funding import close
from research.llm.budgets.budgets import release_dead
from research.models import AccountName, Budget, CreditEntry, Reservation, Tenant, Tier, UsageEntry
from research.runtime.process_names import dead
from tests.budgets.conftest import make_run
from tests.often import IS_FULL

OPERATIONS = "10000" if IS_FULL else "500"
# So much that about half of the calls get what they ask for, and that every kind of limit is met.
CREDITS = int(OPERATIONS) // 6
LIMITS = {
    "PLUMBLINE_TIERS": f"free={int(OPERATIONS) / 4_000}",
    "PLUMBLINE_CREDITS": f"free={CREDITS}",
    "PLUMBLINE_BUDGET_RUN": "input=700000, output=250000, total=900000, usd=2.6",
}
SEED = os.environ.get("STORM_SEED", "1")


@pytest.fixture
def after(child_environment):
    """The storm's observations, and the rows that it left to three runs of a tenant of few credits."""
    tenant, owner = create_tenant("Stormy"), User.objects.create_user("ada")
    runs = [make_run(tenant, owner) for _ in range(3)]
    with tenant_context(tenant.pk):
        Tenant.objects.update(tier=Tier.FREE)
    names = [str(tenant.pk), OPERATIONS, SEED, *(str(run.pk) for run in runs)]
    command = [sys.executable, "-m", "tests.budgets.storm", *names]
    done = subprocess.run(
        command,
        env={**child_environment, **LIMITS},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with tenant_context(tenant.pk):
        yield json.loads(done.stdout), tenant, runs


def totals(run):
    used = UsageEntry.objects.filter(run=run).aggregate(
        read=Sum("tokens_input"), written=Sum("tokens_output"), usd=Sum("cost_usd")
    )
    return used["read"], used["written"], used["usd"]


def test_no_limit_is_passed_and_the_ledger_sums_whatever_is_killed(after):
    seen, tenant, runs = after
    print(f"{OPERATIONS} operations, seed {SEED}, {UsageEntry.objects.count()} settled: {seen}")
    assert seen["wrongs"] == {}
    assert seen["killed"] > 0
    assert seen["looks"] > 1
    assert seen["refused"].keys() >= {"tokens_output", "credits"}
    release_dead(tenant.pk, dead)
    assert release_dead(tenant.pk, dead) == Reservation.objects.count() == 0
    for row in Budget.objects.all():
        assert (row.reserved_tokens_input, row.reserved_tokens_output, row.reserved_usd) == (0, 0, 0)
    for run in runs:
        budget = Budget.objects.get(run=run, role="")
        assert (budget.spent_tokens_input, budget.spent_tokens_output, budget.spent_usd) == totals(run)
        close(run.pk)
    assert CreditEntry.objects.aggregate(sum=Sum("amount"))["sum"] == 0
    spent = Budget.objects.filter(role="").aggregate(sum=Sum("spent_usd"))["sum"]
    assert credits.balance(AccountName.SPENT) == credits.credits_of(spent)
    assert credits.balance(AccountName.RESERVED) == 0
    assert credits.balance(AccountName.AVAILABLE) == CREDITS - credits.credits_of(spent)
