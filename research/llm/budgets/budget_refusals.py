"""Refusals to spend: which limit would be passed, whose it is, and whether waiting helps."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from research.llm.budgets.budget_limits import LimitedResource, OperationCost
from research.models import Budget

Number = int | Decimal


MONEY: Final = frozenset({LimitedResource.USD, LimitedResource.CREDITS})


SHARE_IS_SPENT = (
    "Reading has used its share of what this run may spend; what is left is kept for writing and checking."
)


class BudgetExceeded(Exception):
    """A call would pass a limit, so it must not be made. str() is one sentence for the reader.

    `role` is empty for a limit of the whole run. `is_momentary`: the call would fit if calls in flight used
    less than their worst case, so it may work when they have returned. `is_hard`: the run must stop;
    otherwise it can go on with less (research.llm.budgets.budget_degradations).
    """

    def __init__(
        self,
        part: LimitedResource,
        role: str = "",
        *,
        is_momentary: bool = False,
        operation: str = "",
        is_share: bool = False,
    ) -> None:
        super().__init__(SHARE_IS_SPENT if is_share else _sentence(part, role, operation))
        self.part = part
        self.role = role
        self.operation = operation  # set if one call is larger than any call may be
        self.is_momentary = is_momentary
        self.is_share = is_share  # the rest is reserved for writing

    @property
    def is_hard(self) -> bool:
        return not self.is_share and (self.part in MONEY or self.part is LimitedResource.CLOSED)


WORDS: Final = {
    LimitedResource.TOKENS_INPUT: "tokens read by models",
    LimitedResource.TOKENS_OUTPUT: "tokens written by models",
    LimitedResource.TOKENS_TOTAL: "tokens",
    LimitedResource.USD: "dollars",
    LimitedResource.CREDITS: "credits",
}


def _sentence(part: LimitedResource, role: str, operation: str) -> str:
    if part is LimitedResource.CLOSED:
        return "The run has ended; nothing more may be spent on it."
    if part is LimitedResource.CREDITS:
        return "The workspace has no credits left for the next call of a model."
    if operation:
        return f"One {operation.replace('_', ' ')} may not use so many {WORDS[part]}."
    return (
        f"The next call would exceed the limit of {WORDS[part]} for {f'the {role}' if role else 'this run'}."
    )


@dataclass(frozen=True, slots=True)
class LimitUse:
    """One limit of a budget row, and how much of it is in use. `limit` is None if there is none."""

    part: LimitedResource
    limit: Number | None
    spent: Number
    reserved: Number
    wanted: Number

    def of_share(self, share: Decimal) -> "LimitUse":
        """Return the use of a share of this limit."""
        return self if self.limit is None else replace(self, limit=self.limit * share)

    @property
    def is_short(self) -> bool:
        return self.limit is not None and self.spent + self.reserved + self.wanted > self.limit

    @property
    def is_spent(self) -> bool:
        """Return True if the call would not fit even if nothing were in flight."""
        return self.limit is not None and self.spent + self.wanted > self.limit


def rooms(budget: Budget, wanted: OperationCost) -> tuple[LimitUse, ...]:
    spent, reserved = budget.spent_tokens_input, budget.reserved_tokens_input
    spent_out, reserved_out = budget.spent_tokens_output, budget.reserved_tokens_output
    want_in, want_out = wanted.tokens_input, wanted.tokens_output
    usd_limit = budget.limit_usd if wanted.dollars else None
    return (
        LimitUse(LimitedResource.TOKENS_INPUT, budget.limit_tokens_input, spent, reserved, want_in),
        LimitUse(
            LimitedResource.TOKENS_OUTPUT, budget.limit_tokens_output, spent_out, reserved_out, want_out
        ),
        LimitUse(
            LimitedResource.TOKENS_TOTAL,
            budget.limit_tokens_total,
            spent + spent_out,
            reserved + reserved_out,
            want_in + want_out,
        ),
        LimitUse(LimitedResource.USD, usd_limit, budget.spent_usd, budget.reserved_usd, wanted.dollars),
    )


def refusal_of_share(
    budget: Budget, wanted: OperationCost, share: Decimal, role: str
) -> BudgetExceeded | None:
    """Return the refusal of a call that fits the limits but not this share of them.

    None if it fits neither, or both.
    """
    whole = rooms(budget, wanted)
    if budget.closed_at is not None or any(room.is_short for room in whole):
        return None
    short = [room for room in (room.of_share(share) for room in whole) if room.is_short]
    if not short:
        return None
    is_momentary = not any(room.is_spent for room in short)
    return BudgetExceeded(short[0].part, role, is_momentary=is_momentary, is_share=True)


def refusal(budget: Budget, wanted: OperationCost) -> BudgetExceeded:
    """Return the reason why the budget has no room.

    If room was freed in the meantime, the refusal is momentary.
    """
    if budget.closed_at is not None:
        return BudgetExceeded(LimitedResource.CLOSED, budget.role)
    short = [room for room in rooms(budget, wanted) if room.is_short]
    spent = [room for room in short if room.is_spent]
    first = next(iter(spent or short), None)
    part = LimitedResource.TOKENS_TOTAL if first is None else first.part
    return BudgetExceeded(part, budget.role, is_momentary=not spent)
