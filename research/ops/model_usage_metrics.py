"""Recent use and cost of models, for operators. Runs inside `tenant_context`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncMinute

from research.llm.budgets import credits
from research.models import AccountName, Degradation, ModelCall, ModelCallStatus, Reservation, UsageEntry

DAYS, MINUTES = 30, 60


@dataclass(frozen=True, slots=True)
class RoleUse:
    """The usage of a role. Calls without a known price are not in `usd`; `unpriced` counts them."""

    role: str
    calls: int
    tokens_input: int
    tokens_output: int
    usd: Decimal
    unpriced: int


@dataclass(frozen=True, slots=True)
class GivenUp:
    code: str
    runs: int


@dataclass(frozen=True, slots=True)
class Operations:
    """The last 30 days; calls per minute are those of the last hour."""

    roles: Sequence[RoleUse]
    degradations: Sequence[GivenUp]
    calls_last_hour: int
    busiest_minute: int  # calls
    failed_last_hour: int
    in_flight: int
    balances: Sequence[tuple[str, Decimal]]  # credits

    @property
    def calls_a_minute(self) -> float:
        return self.calls_last_hour / MINUTES

    @property
    def usd(self) -> Decimal:
        return sum((role.usd for role in self.roles), Decimal(0))


def operations(now: datetime) -> Operations:
    calls = ModelCall.objects.filter(created_at__gt=now - timedelta(minutes=MINUTES))
    by_minute = calls.annotate(minute=TruncMinute("created_at")).values("minute").annotate(count=Count("pk"))
    counts = [row["count"] for row in by_minute.order_by()]
    return Operations(
        roles=_roles(now),
        degradations=_count_degraded_runs(now),
        calls_last_hour=sum(counts),
        busiest_minute=max(counts, default=0),
        failed_last_hour=calls.filter(status=ModelCallStatus.FAILED).count(),
        in_flight=Reservation.objects.count(),
        balances=[(str(name.label), abs(credits.balance(name))) for name in AccountName],  # granted: negative
    )


def _roles(now: datetime) -> Sequence[RoleUse]:
    lately = UsageEntry.objects.filter(created_at__gt=now - timedelta(days=DAYS))
    rows = lately.values("role").annotate(
        calls=Count("pk"),
        read=Sum("tokens_input"),
        written=Sum("tokens_output"),
        usd=Sum("cost_usd"),
        unpriced=Count("pk", filter=Q(cost_usd=None)),
    )
    return [
        RoleUse(
            row["role"], row["calls"], row["read"], row["written"], row["usd"] or Decimal(0), row["unpriced"]
        )
        for row in rows.order_by("role")
    ]


def _count_degraded_runs(now: datetime) -> Sequence[GivenUp]:
    lately = Degradation.objects.filter(created_at__gt=now - timedelta(days=DAYS))
    rows = lately.values("code").annotate(runs=Count("run", distinct=True))
    return [GivenUp(row["code"], row["runs"]) for row in rows.order_by("code")]
