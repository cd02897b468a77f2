"""Spending is reserved before a call, for the worst case, and settled after it (spec: governance.md, Budgets).

    wanted = reservation_for(run_id, role, ref, worst, tenant_id=..., step_id=..., fence=...)
    make(wanted)  # raises BudgetExceeded
    ... the call, whose answer and cost research.llm.call_store.model_call_sql stores ...
    release(wanted)  # when nothing was spent

Each function is a transaction of its own. The UPDATE that reserves also enforces the limit: it checks for
room under the row's lock, first of the run's row and then of the role's, so that no number of concurrent
callers can pass the limit. What a call used beyond its worst case is counted as `excess`.

A reservation whose process died is found and released by the sweeper (`release_dead`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Required, TypedDict, Unpack
from uuid import UUID

from django.conf import settings
from django.db import connection

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_credit_funding import top_up
from research.llm.budgets.budget_limits import (
    LIMITED_EACH,
    NOTHING,
    LimitedResource,
    OperationCost,
    find_exceeded_part,
    share_of,
)
from research.llm.budgets.budget_refusals import BudgetExceeded, refusal, refusal_of_share
from research.llm.budgets.budget_sql import CHANGE, DEAD, DROP, NOTE, TAKE
from research.llm.budgets.open_budgets import WHOLE_RUN, open_budgets, open_for_agent
from research.models import FINISHED, Budget, Operation, Run
from research.models import Reservation as ReservationRow
from research.models.base_models import new_id
from research.runtime.process_local import ProcessLocal
from research.runtime.process_names import owner_name

Value = int | str | Decimal | UUID | list[str] | None
Parameters = dict[str, Value]
# After this time, a call whose holder's fate is unknown has certainly returned.
MAX_CALL_S = settings.PLUMBLINE_MODEL_TIMEOUT_SECONDS + 60
MAX_WITHOUT_STEP_S = 900
_holder_name = ProcessLocal(owner_name)  # of all reservations of this process


@dataclass(frozen=True, slots=True)
class BudgetReservation:
    """The worst case of one call, reserved in the limits of its run and its role."""

    id: UUID
    tenant_id: UUID
    run_id: UUID
    step_id: UUID | None
    fence: int | None
    role: str
    agent_id: str  # empty unless agents of the role have limits of their own
    operation: Operation
    ref: str
    worst: OperationCost


class About(TypedDict, total=False):
    """The caller of a reservation, and its operation; the default is a call of a model."""

    tenant_id: Required[UUID]
    step_id: UUID | None
    fence: int | None
    agent_id: str
    operation: Operation


def reservation_for(
    run_id: UUID,
    role: str,
    ref: str,
    worst: OperationCost,
    **about: Unpack[About],
) -> BudgetReservation:
    """Return the reservation of the worst case of a call, without reserving anything yet.

    `ref` names one paid call within the run. `step_id` and `fence` are those of the calling step; without `fence`, the
    step's present one is used.
    """
    return BudgetReservation(
        id=new_id(),
        tenant_id=about["tenant_id"],
        run_id=run_id,
        step_id=about.get("step_id"),
        fence=about.get("fence"),
        role=role,
        agent_id=about.get("agent_id", "") if role in LIMITED_EACH else "",
        operation=about.get("operation", Operation.MODEL_CALL),
        ref=ref,
        worst=worst,
    )


def make(wanted: BudgetReservation) -> None:
    """Make a reservation.

    Raises BudgetExceeded, which names the limit that would be passed and says whether only calls in flight are in the
    way (`is_momentary`: try again when they have returned).
    """
    try:
        with tenant_context(wanted.tenant_id):
            _check_operation(wanted, _take_of_run(wanted))
            _take_of_role(wanted)
            _note(wanted)
    except BudgetExceeded as refused:
        _remember(wanted, refused)
        raise


def release(reservation: BudgetReservation) -> None:
    """Release a reservation of which nothing was spent. Safe to repeat."""
    reserved = reservation
    with tenant_context(reserved.tenant_id), connection.cursor() as cursor:
        cursor.execute(DROP, {"reservation": reserved.id})
        if cursor.rowcount:
            _change(reserved.run_id, reserved.role, reserved.agent_id, reserved.worst, NOTHING)


def release_dead(tenant_id: UUID, gone: Callable[[Iterable[str]], Sequence[str]]) -> int:
    """Release reservations that nobody will settle any more, and return how many there were.

    `gone` returns those of the given holders whose processes died.

    Safe to run at any time and to repeat.
    """
    with tenant_context(tenant_id):
        held = set(ReservationRow.objects.order_by().values_list("run_id", "holder").distinct())
    dead = list(gone({holder for _run, holder in held if holder}))
    return sum(_release_dead_of(tenant_id, run_id, dead) for run_id in sorted({run for run, _ in held}))


def _release_dead_of(tenant_id: UUID, run_id: UUID, gone: list[str]) -> int:
    facts: Parameters = {
        "run": run_id,
        "gone": gone,
        "finished": [str(state) for state in FINISHED],
        "longest": MAX_CALL_S,
        "alone": MAX_WITHOUT_STEP_S,
    }
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(DEAD, facts)
        rows = cursor.fetchall()
        ReservationRow.objects.filter(pk__in=[row[0] for row in rows]).delete()
        for _id, role, agent_id, *amount in rows:
            _change(run_id, role, agent_id, OperationCost(*amount), NOTHING)
    return len(rows)


def _take_of_run(wanted: BudgetReservation) -> str:
    """Reserve the call in the run's limits, and return the tenant's tier. Raises BudgetExceeded."""
    share = share_of(wanted.run_id, wanted.role)
    tier = _take(wanted, WHOLE_RUN, "", share)
    if tier is None:
        _open(wanted)
        if wanted.worst.dollars:
            top_up(wanted.run_id, wanted.worst)
        tier = _take(wanted, WHOLE_RUN, "", share)
    if tier is None:
        budget = Budget.objects.get(run_id=wanted.run_id, role=WHOLE_RUN)
        raise refusal_of_share(budget, wanted.worst, share, wanted.role) or refusal(budget, wanted.worst)
    return tier


def _open(wanted: BudgetReservation) -> None:
    """Open the budgets of a run that was started without an estimate."""
    if Budget.objects.filter(run_id=wanted.run_id, role=WHOLE_RUN).exists():
        return
    if not Run.objects.unfinished().filter(pk=wanted.run_id).exists():
        raise BudgetExceeded(LimitedResource.CLOSED)
    open_budgets(wanted.run_id)


def _take_of_role(wanted: BudgetReservation) -> None:
    if wanted.role not in settings.PLUMBLINE_BUDGET_ROLES:
        return  # it draws on the run's limits alone
    rows = Budget.objects.filter(run_id=wanted.run_id, role=wanted.role, agent_id=wanted.agent_id)
    if _take(wanted, wanted.role, wanted.agent_id) is None:
        if not rows.exists():
            open_for_agent(wanted.run_id, wanted.role, wanted.agent_id)
        if _take(wanted, wanted.role, wanted.agent_id) is None:
            raise refusal(rows.get(), wanted.worst)


def _take(wanted: BudgetReservation, role: str, agent_id: str, share: Decimal = Decimal(1)) -> str | None:
    """Reserve the call in one row, and return the tenant's tier.

    Return None if that share of the row's limits has no room, or there is no such row.
    """
    facts: Parameters = {
        "run": wanted.run_id, "role": role, "agent": agent_id, "share": share, **amount_of(wanted.worst)
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(TAKE, facts)
        row = cursor.fetchone()
    return None if row is None else str(row[0])


def _check_operation(wanted: BudgetReservation, tier: str) -> None:
    too_much = find_exceeded_part(wanted.operation, tier, wanted.worst)
    if too_much is not None:
        raise BudgetExceeded(too_much, wanted.role, operation=wanted.operation)


def _note(wanted: BudgetReservation) -> None:
    with connection.cursor() as cursor:
        cursor.execute(NOTE, {**facts_of(wanted), **amount_of(wanted.worst)})


def _remember(wanted: BudgetReservation, refused: BudgetExceeded) -> None:
    """Mark the row that has too little left, so that the recipe can decide how to go on with less."""
    if refused.is_momentary or refused.operation or refused.part is LimitedResource.CLOSED:
        return
    agent_id = wanted.agent_id if refused.role else ""
    part = (
        LimitedResource.TOKENS_TOTAL if refused.is_share else refused.part
    )  # the role's own money has no limit
    with tenant_context(wanted.tenant_id):
        rows = Budget.objects.filter(run_id=wanted.run_id, role=refused.role, agent_id=agent_id)
        rows.update(exceeded=part)


def _change(run_id: UUID, role: str, agent_id: str, given_back: OperationCost, used: OperationCost) -> None:
    """Change the budgets of the run and of the role, the run's row first."""
    facts: Parameters = {"run": run_id, **amount_of(used), **amount_of(given_back, "back_")}
    with connection.cursor() as cursor:
        cursor.execute(CHANGE, {**facts, "role": WHOLE_RUN, "agent": ""})
        cursor.execute(CHANGE, {**facts, "role": role, "agent": agent_id})


def facts_of(reservation: BudgetReservation) -> Parameters:
    return {
        "reservation": reservation.id,
        "tenant": reservation.tenant_id,
        "run": reservation.run_id,
        "step": reservation.step_id,
        "step_fence": reservation.fence,
        "role": reservation.role,
        "agent": reservation.agent_id,
        "operation": reservation.operation,
        "ref": reservation.ref,
        "holder": _holder_name.get(),
    }


def amount_of(amount: OperationCost, prefix: str = "") -> Parameters:
    return {
        f"{prefix}input": amount.tokens_input,
        f"{prefix}output": amount.tokens_output,
        f"{prefix}usd": amount.dollars,
        f"{prefix}price": None if amount.usd is None else amount.dollars,
    }
