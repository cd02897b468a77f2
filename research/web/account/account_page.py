"""The account page: the workspace's credits, granted and spent, and what they were spent on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.core.paginator import Paginator
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_safe

from research.llm.budgets import credit_history, credits
from research.llm.model_settings import engine
from research.models import CreditKind, Membership, Role, Run, State, UsageEntry
from research.web.site.view_access import members_only, person

LINES_A_PAGE = 25
DAYS = 30
ACTS: Mapping[CreditKind, Promise] = {
    CreditKind.GRANT: lazy("Granted"),
    CreditKind.RESERVE: lazy("Reserved"),
    CreditKind.SETTLE: lazy("Spent from reserved credits"),
    CreditKind.RELEASE: lazy("Returned from reserved credits"),
    CreditKind.REFUND: lazy("Given back"),
}

ROLES: Mapping[Role, Promise] = {
    Role.OWNER: lazy("owner"),
    Role.MEMBER: lazy("member"),
    Role.REVIEWER: lazy("reviewer"),
    Role.VIEWER: lazy("viewer"),
}


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A row of the ledger with its text."""

    line: credit_history.LedgerLine
    act: str
    purpose: str  # if no run is named


@dataclass(frozen=True, slots=True)
class UsageFigures:
    """Usage of the last 30 days. `usd` leaves out calls without a known price; `unpriced` counts these."""

    runs: int
    finished: int
    calls: int
    tokens: int
    usd: Decimal
    unpriced: int


@members_only
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    credits.grant_of_the_month()
    page = Paginator(credit_history.movements(), LINES_A_PAGE).get_page(request.GET.get("page"))
    rows = [_row(line) for line in credit_history.lines(page)]
    mine = Membership.objects.select_related("tenant").filter(user=person(request)).first()
    shown = {
        "balances": credit_history.balances(),
        "page": page,
        "rows": rows,
        "has_payments": any(row.line.kind == CreditKind.SETTLE for row in rows),
        "figures": figures_since(timezone.now() - timedelta(days=DAYS)),
        "days": DAYS,
        "engine": engine(),
        "membership": mine,
        "role": str(ROLES[Role(mine.role)]) if mine else "",
    }
    return render(request, "research/account/account.html", shown)


def _row(line: credit_history.LedgerLine) -> LedgerRow:
    return LedgerRow(line, str(ACTS[line.kind]), _purpose(line))


def _purpose(line: credit_history.LedgerLine) -> str:
    if line.run is not None:
        return ""
    if line.month is not None:
        return _("Credits of %(month)s") % {"month": date_format(date(*line.month, 1), "F Y")}
    if line.kind == CreditKind.GRANT:
        return line.reason or _("Granted by the operator")
    return _("A run that was deleted")


def figures_since(start: datetime) -> UsageFigures:
    runs = Run.objects.filter(created_at__gt=start).aggregate(
        asked=Count("pk"), finished=Count("pk", filter=Q(state=State.COMPLETED))
    )
    used = UsageEntry.objects.filter(created_at__gt=start).aggregate(
        calls=Count("pk"),
        read=Sum("tokens_input", default=0),
        written=Sum("tokens_output", default=0),
        usd=Sum("cost_usd", default=Decimal(0)),
        unpriced=Count("pk", filter=Q(cost_usd=None)),
    )
    return UsageFigures(
        runs=runs["asked"],
        finished=runs["finished"],
        calls=used["calls"],
        tokens=used["read"] + used["written"],
        usd=used["usd"],
        unpriced=used["unpriced"],
    )
