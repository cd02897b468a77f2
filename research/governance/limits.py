"""The limits that the settings name, times the factor of the tenant's tier."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from django.conf import settings

from research.models import AgentRole, Operation, Tier

# Agents of these roles have limits of their own each; the others share those of their role.
LIMITED_EACH = frozenset({AgentRole.RESEARCHER})
USD_STEP = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens and US dollars of one operation. A price of None is unknown: then only the tokens count."""

    tokens_input: int
    tokens_output: int
    usd: Decimal | None = None

    def __post_init__(self) -> None:
        if self.tokens_input < 0 or self.tokens_output < 0 or (self.usd is not None and self.usd < 0):
            raise ValueError(f"less than nothing can't be spent: {self}")

    @property
    def dollars(self) -> Decimal:
        """What counts towards a limit of money, in millionths."""
        return (self.usd or Decimal(0)).quantize(USD_STEP)


NOTHING = Amount(0, 0, Decimal(0))


@dataclass(frozen=True, slots=True)
class Limit:
    """What may be spent at most. None: no limit of its own."""

    tokens_input: int | None = None
    tokens_output: int | None = None
    tokens_total: int | None = None
    usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class TokenLimit:
    """Tokens that one role, or one agent, may use in a run."""

    tokens_input: int
    tokens_output: int


@dataclass(frozen=True, slots=True)
class RunLimit:
    """What one run may spend."""

    tokens_input: int
    tokens_output: int
    tokens_total: int
    usd: Decimal


def factor(tier: str) -> Decimal:
    """Of all limits. Raises KeyError for a tier that the settings do not name."""
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
    """Of the roles that have any: orchestrator and executor draw on the run's alone."""
    return {
        AgentRole(role): TokenLimit(*(_times(number, tier) for number in numbers))
        for role, numbers in settings.PLUMBLINE_BUDGET_ROLES.items()
    }


def operation_limit(operation: Operation, tier: str) -> Limit:
    numbers = [_times(number, tier) for number in settings.PLUMBLINE_BUDGET_OPERATIONS[operation.value]]
    if len(numbers) == 1:
        return Limit(tokens_total=numbers[0])
    return Limit(tokens_input=numbers[0], tokens_output=numbers[1])


def exceeded_part(limit: Limit, wanted: Amount) -> str:
    """Name of the first part of the limit that is too small: "tokens_input" …; empty: it fits."""
    asked: dict[str, tuple[int | Decimal | None, int | Decimal]] = {
        "tokens_input": (limit.tokens_input, wanted.tokens_input),
        "tokens_output": (limit.tokens_output, wanted.tokens_output),
        "tokens_total": (limit.tokens_total, wanted.tokens_input + wanted.tokens_output),
        "usd": (limit.usd, wanted.dollars),
    }
    return next((name for name, (most, want) in asked.items() if most is not None and want > most), "")


def most(name: str) -> int:
    """A limit of `PLUMBLINE_LIMITS`, the same for every tier: runs, fetches, searches_a_minute, run_s …"""
    return int(settings.PLUMBLINE_LIMITS[name][0])


def _times(number: Decimal, tier: str) -> int:
    return int(number * factor(tier))
