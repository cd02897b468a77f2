"""The tenant's credits: an append-only ledger of double entry (spec: governance.md, Budgets).

1 credit is 0.01 US dollars. Each movement has two sides that sum to zero, and a reference that makes it
happen once. A balance is the sum of an account's entries, and nothing else. All inside `tenant_context`.
"""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from research.db.tenancy import current_tenant_id
from research.llm.budgets.limits import tier_of_tenant
from research.models import AccountName, CreditAccount, CreditEntry, CreditKind
from research.models.base import new_id

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
    """From one account to another, for one reason. `amount` is in credits, above zero."""

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
    """Give the tenant credits. False: that was done before, under the same reference."""
    return _move(CreditKind.GRANT, amount, ref)


def grant_of_the_month() -> bool:
    """The tier's credits for this calendar month (UTC), once. What is left of earlier months stays."""
    return grant(settings.PLUMBLINE_CREDITS[tier_of_tenant()][0], f"month:{timezone.now():%Y-%m}")


def reserve(amount: Decimal, ref: str) -> None:
    """Set credits aside for a run. Of several at once, those get them that the balance is enough for.

    Raises CreditsShort.
    """
    left = _lock_balance()
    if left < amount:
        raise CreditsShort(amount, left)
    _move(CreditKind.RESERVE, amount, ref)


def reserve_up_to(least: Decimal, wished: Decimal, ref: str) -> Decimal:
    """Set aside `wished` credits, or what is left of the balance if that is `least` or more.

    Raises CreditsShort.
    """
    left = _lock_balance()
    if left < least:
        raise CreditsShort(least, left)
    _move(CreditKind.RESERVE, min(left, wished), ref)
    return min(left, wished)


def settle(used: Decimal, reserved: Decimal, ref: str) -> None:
    """A run is over: of what was reserved for it, `used` is spent and the rest is free again. Happens once."""
    _move(CreditKind.SETTLE, used, ref)
    _move(CreditKind.RELEASE, reserved - used, ref)


def refund(amount: Decimal, ref: str) -> bool:
    """Give spent credits back. False: that was done before."""
    return _move(CreditKind.REFUND, amount, ref)


def balance(name: AccountName = AccountName.AVAILABLE) -> Decimal:
    total = CreditEntry.objects.filter(account__name=name).aggregate(total=Sum("amount"))["total"]
    return total or NOTHING


def available() -> Decimal:
    """Return the credits that can be reserved now, this month's grant included."""
    grant_of_the_month()
    return balance()


def _lock_balance() -> Decimal:
    """Credits that are free; nobody else reserves any until the transaction ends."""
    grant_of_the_month()
    account = CreditAccount.objects.select_for_update(no_key=True).filter(name=AccountName.AVAILABLE)
    return balance() if account.first() else NOTHING


OPEN = """
INSERT INTO research_creditaccount (id, tenant_id, name) SELECT id, %s, name
FROM unnest(%s::uuid[], %s::text[]) AS new(id, name)
ON CONFLICT (tenant_id, name) DO NOTHING
"""

# Both sides by one statement: the database refuses one whose sides do not sum to zero.
MOVE = """
INSERT INTO research_creditentry (id, tenant_id, account_id, kind, amount, ref)
SELECT side.id, account.tenant_id, account.id, %(kind)s, side.amount, %(ref)s
FROM (VALUES (%(first)s::uuid, %(source)s, -%(amount)s::numeric), (%(second)s, %(target)s, %(amount)s))
    AS side(id, name, amount)
JOIN research_creditaccount account ON account.tenant_id = %(tenant)s AND account.name = side.name
ON CONFLICT (account_id, kind, ref) DO NOTHING
"""


def _move(kind: CreditKind, amount: Decimal, ref: str) -> bool:
    """False: nothing to move, or moved before. Raises ValueError for less than nothing."""
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
