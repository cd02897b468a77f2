"""Estimates of what a run takes, before it starts and while it works (spec: governance.md, Budgets; performance.md).

The loads follow from how a report is made: one call plans, one reads each source (about 2 000 tokens a source, flat
in their number), one compares, one writes each section, and one checks ten claims that the rules left open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from math import ceil

from research.llm.budgets.credits import CREDITS_PER_USD, credits_of
from research.models import AgentRole, State

MILLION = Decimal(1_000_000)
CREDIT_STEP = Decimal("0.01")
USD_STEP = Decimal("0.0001")

SOURCES_A_SECTION = 5
FEWEST_SECTIONS, MOST_SECTIONS = 3, 12
CLAIMS_A_SOURCE = 3
CLAIM_TOKENS = 60
CLAIMS_LEFT_OPEN = 1 / 3  # by the rules, for a model to judge
CLAIMS_A_CHECK = 10

SERIAL_CALLS = 3  # plan, write, check: the rest runs side by side
SEARCH_AND_PAGE_S = 4
CALL_S = 8.0  # where no call was made yet to learn it from
LIKELY = (0.7, 1.5)  # the range around the estimated minutes


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """US dollars for a million tokens."""

    usd_input: Decimal
    usd_output: Decimal


Prices = Mapping[AgentRole, TokenPrice | None]  # None: unknown


@dataclass(frozen=True, slots=True)
class RoleLoad:
    """The calls that one role makes, and their tokens together."""

    role: AgentRole
    calls: int
    tokens_input: int
    tokens_output: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of what a run takes. Dollars and credits of None: a price is unknown."""

    sources: int
    calls: int
    tokens: int
    usd: Decimal | None
    minutes_low: int
    minutes_high: int  # 0: less than one minute

    @property
    def credits(self) -> Decimal | None:
        return None if self.usd is None else credits_of(self.usd).quantize(CREDIT_STEP, ROUND_UP)


def without_model(sources: int) -> Estimate:
    """Rules do the work: no tokens, no cost."""
    return Estimate(sources, 0, 0, Decimal(0), 0, 0)


def report(
    sources: int,
    prices: Prices,
    *,
    calls_a_minute: int,
    calls_at_once: int,
    call_s: float = CALL_S,
    sections: int | None = None,
) -> Estimate:
    """`call_s` is what one call of a model takes, in seconds; `sections` are known once there is a plan."""
    loads = report_loads(sources, sections)
    calls = sum(load.calls for load in loads)
    tokens = sum(load.tokens_input + load.tokens_output for load in loads)
    minutes = minutes_of(calls, call_s, calls_a_minute, calls_at_once)
    return Estimate(sources, calls, tokens, _usd(loads, prices), *_range(minutes))


# A table: what is asked of a model for one item, and how long items take (spec: kinds.md, table).
CALLS_AN_ITEM = 2
TOKENS_AN_ITEM = 5_000
BATCH, BATCH_S, RULES_BATCH_S = 10, 30, 3  # ten items at once


def table(items: int, item_credits: Decimal, *, pages: int, at_once: int, by_model: bool) -> Estimate:
    """`pages` are read for each item, `at_once` items worked on side by side."""
    batch_s = BATCH_S if by_model else RULES_BATCH_S
    minutes = ceil(items / min(at_once, items)) * batch_s / 60 if items else 0.0
    calls = CALLS_AN_ITEM * items if by_model else 0
    usd = (item_credits * items / CREDITS_PER_USD).quantize(USD_STEP, ROUND_UP)
    return Estimate(items * pages, calls, TOKENS_AN_ITEM * items if by_model else 0, usd, *_range(minutes))


def report_loads(sources: int, sections: int | None = None) -> Sequence[RoleLoad]:
    if sections is None:
        sections = min(MOST_SECTIONS, max(FEWEST_SECTIONS, ceil(sources / SOURCES_A_SECTION)))
    claims = CLAIMS_A_SOURCE * sources
    checks = ceil(claims * CLAIMS_LEFT_OPEN / CLAIMS_A_CHECK)
    return (
        RoleLoad(AgentRole.PLANNER, 1, 1_500, 900),
        RoleLoad(AgentRole.EXTRACTOR, sources, 1_700 * sources, 300 * sources),
        RoleLoad(AgentRole.ANALYZER, 1, 1_000 + CLAIM_TOKENS * claims, 800),
        RoleLoad(AgentRole.WRITER, sections, 1_200 * sections + CLAIM_TOKENS * claims, 700 * sections),
        RoleLoad(AgentRole.VERIFIER, checks, 1_800 * checks, 400 * checks),
    )


def minutes_of(calls: int, call_s: float, calls_a_minute: int, calls_at_once: int) -> float:
    """The least that the latencies allow, or the provider's limit of calls, whichever is longer."""
    side_by_side = max(calls - SERIAL_CALLS, 0) * call_s / calls_at_once
    seconds = SERIAL_CALLS * call_s + SEARCH_AND_PAGE_S + max(call_s, side_by_side)
    return max(seconds / 60, calls / calls_a_minute)


def _range(minutes: float) -> tuple[int, int]:
    low, high = (factor * minutes for factor in LIKELY)
    return (max(1, int(low)), ceil(high)) if high >= 1 else (0, 0)


def likely_minutes(middle: float) -> tuple[int, int]:
    """The range of which this is the middle, as an estimate has it; (0, 0): less than one minute."""
    return _range(middle / (sum(LIKELY) / len(LIKELY)))


def _usd(loads: Sequence[RoleLoad], prices: Prices) -> Decimal | None:
    total = Decimal(0)
    for load in loads:
        price = prices.get(load.role)
        if price is None:
            return None
        total += (price.usd_input * load.tokens_input + price.usd_output * load.tokens_output) / MILLION
    return total.quantize(USD_STEP, ROUND_UP)


# Share of a report's spending that is behind it when a state begins, by the loads of thirty sources.
ORDER: Sequence[tuple[State, float]] = (
    (State.PLANNING, 0.0),
    (State.COLLECTING, 0.03),
    (State.READING, 0.04),
    (State.ANALYZING, 0.64),
    (State.SYNTHESIZING, 0.70),
    (State.CITING, 0.92),
    (State.VERIFYING, 0.93),
    (State.EXPORTING, 1.0),
)


def share_done(state: str, parts_done: int = 0, parts: int = 0) -> float | None:
    """Share of its spending that a run has behind it, 0–1; None where its state does not tell.

    `parts` are what the state works on: sources to read, sections to write.
    """
    begins = dict(ORDER)
    if state not in begins:
        return None
    here = State(state)
    later = [share for _state, share in ORDER if share > begins[here]]
    within = min(parts_done / parts, 1.0) if parts else 0.0
    return begins[here] + within * ((later[0] if later else 1.0) - begins[here])


ENOUGH_TO_TELL = 0.1


def at_completion(used: Decimal, done: float | None, estimate: Decimal | None) -> Decimal | None:
    """Return the total that a run will have used at its end, projected from its use for the share that is done.

    Too early to tell, it is the estimate of before; never less than what was used.
    """
    if done is None or done < ENOUGH_TO_TELL:
        return None if estimate is None else max(estimate, used)
    return used / Decimal(str(done))
