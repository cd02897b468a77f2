"""Spending of models for a deck, within the budgets of the deck's run, which has ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_credit_funding import close_beside, fund_beside

TOO_FEW_CREDITS = "Your workspace has too few credits for it."


@dataclass(frozen=True, slots=True)
class DeckCaller:
    """A caller of a model outside any step of the run."""

    tenant_id: UUID
    run_id: UUID
    key: str
    fence: int
    step_id: UUID | None = None


@contextmanager
def open_run_budget(caller: DeckCaller, estimate_usd: Decimal) -> Iterator[None]:
    """Open the run's budgets inside the block. Raises CreditsShort.

    A process that is killed leaves them open; the next one uses and closes them.
    """
    ref = caller.key.replace("/", ":")
    with tenant_context(caller.tenant_id):
        fund_beside(caller.run_id, estimate_usd, ref)
    try:
        yield
    finally:
        with tenant_context(caller.tenant_id):
            close_beside(caller.run_id, ref)
