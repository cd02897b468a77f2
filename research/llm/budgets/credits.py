"""The tenant's credits, as an append-only double-entry ledger (spec: governance.md, Budgets).

1 credit is 0.01 US dollars. Each movement has two entries that sum to zero, and a reference that makes it
idempotent. A balance is nothing but the sum of an account's entries. All functions need `tenant_context`.
"""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from research.db.tenancy import current_tenant_id
from research.llm.budgets.budget_limits import tier_of_tenant
from research.models import AccountName, CreditAccount, CreditEntry, CreditKind
from research.models.base_models import new_id

CREDITS_PER_USD = 100
NOTHING = Decimal(0)


class CreditsShort(Exception):
    """The tenant has fewer credits than are needed."""

    def __init__(self, needed: Decimal, available: Decimal) -> None:
        super().__init__(f"{needed} credits are needed, {available} are available")
        self.needed = needed
        self.available = available


@dataclass(frozen=True, slots=True)
class Movement:
    """A kind of movement, from one account to another."""

    kind: CreditKind
    source: AccountName
    target: AccountName


MOVEMENTS = {
    CreditKind.GRANT: Movement(CreditKind.GRANT, AccountName.GRANTED, AccountName.AVAILABLE),
    CreditKind.RESERVE: Movement(CreditKind.RESERVE, AccountName.AVAILABLE, AccountName.RESERVED),
    CreditKind.SETTLE: Movement(CreditKind.SETTLE, AccountName.RESERVED, AccountName.SPENT),
    CreditKind.RELEASE: Movement(CreditKind.RELEASE, AccountName.RESERVED, AccountName.AVAILABLE),
    CreditKind.REFUND: Movement(CreditKind.REFUND, AccountName.SPENT, AccountName.AVAILABLE),
}


def credits_of(usd: Decimal) -> Decimal:
    return usd * CREDITS_PER_USD


def usd_of(credits: Decimal) -> Decimal:
    return credits / CREDITS_PER_USD


def grant(amount: Decimal, ref: str) -> bool:
    """Give the tenant credits. Return False if that was done before, under the same reference."""
    return _move(CreditKind.GRANT, amount, ref)


def grant_of_the_month() -> bool:
    """Grant the tier's credits for this calendar month (UTC), once. What is left of earlier months stays.

    Return False if that was done before.
    """
    return grant(settings.PLUMBLINE_CREDITS[tier_of_tenant()][0], f"month:{timezone.now():%Y-%m}")


def reserve(amount: Decimal, ref: str) -> None:
    """Reserve credits for a run.

    Concurrent reservations succeed in turn, for as long as the balance is enough.

    Raises CreditsShort.
    """
    left = _lock_balance()
    if left < amount:
        raise CreditsShort(amount, left)
    _move(CreditKind.RESERVE, amount, ref)


def reserve_up_to(least: Decimal, wished: Decimal, ref: str) -> Decimal:
    """Reserve `wished` credits, or what is left of the balance if that is at least `least`.

    Return the amount reserved.

    Raises CreditsShort.
    """
    left = _lock_balance()
    if left < least:
        raise CreditsShort(least, left)
    _move(CreditKind.RESERVE, min(left, wished), ref)
    return min(left, wished)


def settle(used: Decimal, reserved: Decimal, ref: str) -> None:
    """Spend `used` of the credits reserved for a run that is over, and release the rest. Safe to repeat."""
    _move(CreditKind.SETTLE, used, ref)
    _move(CreditKind.RELEASE, reserved - used, ref)


def balance(name: AccountName = AccountName.AVAILABLE) -> Decimal:
    total = CreditEntry.objects.filter(account__name=name).aggregate(total=Sum("amount"))["total"]
    return total or NOTHING


def available() -> Decimal:
    """Return the credits that can be reserved now, this month's grant included."""
    grant_of_the_month()
    return balance()


def _lock_balance() -> Decimal:
    """Return the free credits, and lock their account until the transaction ends."""
    grant_of_the_month()
    account = CreditAccount.objects.select_for_update(no_key=True).filter(name=AccountName.AVAILABLE)
    return balance() if account.first() else NOTHING


OPEN = """
INSERT INTO research_creditaccount (id, tenant_id, name) SELECT id, %s, name
FROM unnest(%s::uuid[], %s::text[]) AS new(id, name)
ON CONFLICT (tenant_id, name) DO NOTHING
"""

# One statement writes both entries, because the database refuses a movement whose entries do not sum to zero.
MOVE = """
INSERT INTO research_creditentry (id, tenant_id, account_id, kind, amount, ref)
SELECT side.id, account.tenant_id, account.id, %(kind)s, side.amount, %(ref)s
FROM (VALUES (%(first)s::uuid, %(source)s, -%(amount)s::numeric), (%(second)s, %(target)s, %(amount)s))
    AS side(id, name, amount)
JOIN research_creditaccount account ON account.tenant_id = %(tenant)s AND account.name = side.name
ON CONFLICT (account_id, kind, ref) DO NOTHING
"""


def _move(kind: CreditKind, amount: Decimal, ref: str) -> bool:
    """Record a movement. Return False if there is nothing to move or it was recorded before.

    Raises ValueError for a negative amount.
    """
    if amount < 0:
        raise ValueError(f"{kind} of {amount} credits")
    if amount == 0:
        return False
    movement, tenant = MOVEMENTS[kind], current_tenant_id()
    facts: dict[str, str | UUID | Decimal] = {
        "tenant": tenant, "kind": kind.value, "ref": ref, "amount": amount,
        "first": new_id(), "source": movement.source.value,
        "second": new_id(), "target": movement.target.value,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(MOVE, facts)
        if cursor.rowcount == 0 and not _is_open():
            names = [name.value for name in AccountName]
            cursor.execute(OPEN, [tenant, [new_id() for _ in names], names])
            cursor.execute(MOVE, facts)
        return bool(cursor.rowcount)


def _is_open() -> bool:
    return CreditAccount.objects.filter(name=AccountName.AVAILABLE).exists()
