"""Calls that spend, without a model: reserved and stored as the gateway does."""

from uuid import UUID

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_limits import OperationCost
from research.llm.budgets.budgets import BudgetReservation, make, reservation_for
from research.llm.call_store.model_call_sql import store
from research.models import ModelCall, UsageEntry
from research.models.base_models import new_id


def reserve(run_id: UUID, role: str, ref: str, worst: OperationCost, **about: object) -> BudgetReservation:
    wanted = reservation_for(run_id, role, ref, worst, **about)
    make(wanted)
    return wanted


def settle(reservation: BudgetReservation, used: OperationCost) -> bool:
    """Store a call that used this; return False if it was stored before."""
    run_id, call_id = reservation.run_id, new_id()
    columns = {
        "call": call_id,
        "response_hash": "",
        "pii_types": "[]",
        "is_estimated": False,
        "cost": used.usd,
        "duration_ms": 1,
        "answer": None,
        "request_body": None,
        "response_body": None,
    }
    with tenant_context(reservation.tenant_id):
        entries = UsageEntry.objects.filter(
            run_id=run_id, operation=reservation.operation, ref=reservation.ref
        )
        was_stored = entries.exists()
        ModelCall.objects.create(
            id=call_id,
            run_id=run_id,
            step_key=reservation.ref,
            request_hash=str(call_id),
            role=reservation.role,
        )
        store([(columns, reservation, used)])
    return not was_stored
