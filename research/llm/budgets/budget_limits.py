"""The limits in the settings, times the factor of the tenant's tier."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from enum import StrEnum
from functools import lru_cache
from uuid import UUID

from django.conf import settings

from research.db.tenancy import current_tenant_id
from research.models import AgentRole, Kind, Operation, Run, Tenant, Tier

# Each agent of these roles has limits of its own; agents of other roles share the limits of their role.
LIMITED_EACH = frozenset({AgentRole.RESEARCHER})
USD_STEP = Decimal("0.000001")


class LimitedResource(StrEnum):
    """A limited resource of a run."""

    TOKENS_INPUT = "tokens_input"
    TOKENS_OUTPUT = "tokens_output"
    TOKENS_TOTAL = "tokens_total"
    USD = "usd"
    CREDITS = "credits"  # the tenant's balance does not cover it
    CLOSED = "closed"  # the run has ended


@dataclass(frozen=True, slots=True)
class OperationCost:
    """Tokens and US dollars of one operation.

    `usd` is None if the price is unknown: then only the tokens count.
    """

    tokens_input: int
    tokens_output: int
    usd: Decimal | None = None

    def __post_init__(self) -> None:
        if self.tokens_input < 0 or self.tokens_output < 0 or (self.usd is not None and self.usd < 0):
            raise ValueError(f"less than nothing can't be spent: {self}")

    @property
    def dollars(self) -> Decimal:
        """The cost that counts towards a limit of money, in dollars to the millionth."""
        return (self.usd or Decimal(0)).quantize(USD_STEP)


NOTHING = OperationCost(0, 0, Decimal(0))


@dataclass(frozen=True, slots=True)
class TokenLimit:
    """Tokens that one role, or one agent, may use in a run."""

    tokens_input: int
    tokens_output: int


@dataclass(frozen=True, slots=True)
class RunLimit:
    """The spending limits of one run."""

    tokens_input: int
    tokens_output: int
    tokens_total: int
    usd: Decimal


def tier_of_tenant() -> str:
    """Return the tier of the current tenant. Needs `tenant_context`."""
    return Tenant.objects.values_list("tier", flat=True).get(pk=current_tenant_id())


def factor(tier: str) -> Decimal:
    """Return the tier's factor for all limits. Raises KeyError for a tier that the settings do not name."""
    return settings.PLUMBLINE_TIERS[Tier(tier).value][0]


def run_limit(tier: str) -> RunLimit:
    limits = settings.PLUMBLINE_BUDGET_RUN
    return RunLimit(
        tokens_input=_times(limits["input"][0], tier),
        tokens_output=_times(limits["output"][0], tier),
        tokens_total=_times(limits["total"][0], tier),
        usd=(limits["usd"][0] * factor(tier)).quantize(USD_STEP, ROUND_DOWN),
    )


def role_limits(tier: str) -> dict[AgentRole, TokenLimit]:
    """Return the limits of the roles that have limits of their own; the others draw on the run's."""
    return {
        AgentRole(role): TokenLimit(*(_times(number, tier) for number in numbers))
        for role, numbers in settings.PLUMBLINE_BUDGET_ROLES.items()
    }


# Roles that find and read sources; they may not use up the tokens that the report is written with.
READING = frozenset({AgentRole.ORCHESTRATOR, AgentRole.RESEARCHER, AgentRole.EXTRACTOR, AgentRole.EXECUTOR})
WRITTEN = frozenset({Kind.REPORT, Kind.TECHNICAL})  # kinds whose runs first read and then write


def share_of(run_id: UUID, role: str) -> Decimal:
    """Return the share of a run's limits, 0–1, that may be spent when this role reserves more.

    Needs `tenant_context`.
    """
    if role not in READING or kind_of_run(run_id) not in WRITTEN:
        return Decimal(1)
    return 1 - settings.PLUMBLINE_BUDGET_WRITING["share"][0]


@lru_cache(maxsize=4096)
def kind_of_run(run_id: UUID) -> str:
    return Run.objects.values_list("kind", flat=True).get(pk=run_id)


def find_exceeded_part(operation: Operation, tier: str, wanted: OperationCost) -> LimitedResource | None:
    """Return the first limit that one operation would pass; None if it fits."""
    limits = [_times(number, tier) for number in settings.PLUMBLINE_BUDGET_OPERATIONS[operation.value]]
    asked = {
        LimitedResource.TOKENS_INPUT: wanted.tokens_input,
        LimitedResource.TOKENS_OUTPUT: wanted.tokens_output,
    }
    if len(limits) == 1:
        asked = {LimitedResource.TOKENS_TOTAL: wanted.tokens_input + wanted.tokens_output}
    return next(
        (part for (part, want), limit in zip(asked.items(), limits, strict=True) if want > limit), None
    )


def most(name: str) -> int:
    """Return a limit of `PLUMBLINE_LIMITS`, such as runs or run_s, which is the same for every tier."""
    return int(settings.PLUMBLINE_LIMITS[name][0])


def _times(number: Decimal, tier: str) -> int:
    return int(number * factor(tier))
