"""The ledger of credits for display, one line for each movement. Needs `tenant_context`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import Case, DecimalField, F, Q, QuerySet, Sum, Value, When, Window

from research.llm.budgets.credits import NOTHING
from research.models import AccountName, CreditEntry, CreditKind, Run

RUN = re.compile(r"run:([0-9a-f-]{36})")
MONTH = re.compile(r"month:(\d{4})-(\d{2})")
# Spending reserved credits leaves the free ones unchanged, so the line of a settlement is its entry in the
# account of spent credits.
ONE_SIDE = Q(account__name=AccountName.AVAILABLE) | Q(account__name=AccountName.SPENT, kind=CreditKind.SETTLE)


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One movement in the ledger.

    `amount` is what moved, above zero; `change` is the change in free credits, `free` those after it.
    """

    at: datetime
    kind: CreditKind
    amount: Decimal
    change: Decimal
    free: Decimal
    run: Run | None  # None also if the run was deleted
    month: tuple[int, int] | None  # year and month, of a tier's grant
    reason: str  # of a grant by an administrator


@dataclass(frozen=True, slots=True)
class Balances:
    free: Decimal
    set_aside: Decimal
    spent: Decimal
    granted: Decimal


def balances() -> Balances:
    rows = CreditEntry.objects.order_by().values_list("account__name").annotate(total=Sum("amount"))
    found: Mapping[str, Decimal] = dict(rows)
    return Balances(
        free=found.get(AccountName.AVAILABLE, NOTHING),
        set_aside=found.get(AccountName.RESERVED, NOTHING),
        spent=found.get(AccountName.SPENT, NOTHING),
        granted=-found.get(AccountName.GRANTED, NOTHING),
    )


def movements() -> QuerySet[CreditEntry]:
    """Return one entry for each movement, newest first, annotated with the free credits after it."""
    change = Case(
        When(account__name=AccountName.AVAILABLE, then=F("amount")),
        default=Value(NOTHING),
        output_field=DecimalField(max_digits=14, decimal_places=4),
    )
    free = Window(Sum("change"), order_by=[F("created_at").asc(), F("pk").asc()])
    rows = CreditEntry.objects.filter(ONE_SIDE).annotate(change=change)
    return rows.annotate(free=free).order_by("-created_at", "-pk")


def lines(entries: Iterable[CreditEntry]) -> Sequence[LedgerLine]:
    """Return the ledger lines of a page of `movements()`."""
    found = list(entries)
    named = {entry.pk: _run_of(entry.ref) for entry in found}
    runs = Run.objects.only("topic", "state").in_bulk({run for run in named.values() if run})
    return [_line(entry, runs.get(named[entry.pk])) for entry in found]


def _run_of(ref: str) -> UUID | None:
    match = RUN.match(ref)
    return UUID(match[1]) if match else None


def _line(entry: CreditEntry, run: Run | None) -> LedgerLine:
    month = MONTH.fullmatch(entry.ref)
    by_hand = entry.ref.split(":", 3) if entry.ref.startswith("admin:") else []
    return LedgerLine(
        at=entry.created_at,
        kind=CreditKind(entry.kind),
        amount=abs(entry.amount),
        change=getattr(entry, "change", NOTHING),
        free=getattr(entry, "free", NOTHING),
        run=run,
        month=(int(month[1]), int(month[2])) if month else None,
        reason=by_hand[3] if len(by_hand) == 4 else "",
    )
