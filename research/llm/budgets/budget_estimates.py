"""Estimates of what a run needs, before it starts and while it works (spec: governance.md, Budgets;
performance.md).

The loads follow from how a report is made: one call plans, one reads each source (about 2,000 tokens a
source, whatever their number), one compares, one writes each section, and one checks ten claims that the
rules left undecided. In a deep report agents with tools come on top: a researcher for each subtopic, writers and a
verifier that ask for more evidence, a look for what is still open, and, after the check, one for evidence of claims,
whose sections are written and checked again. Other reports look for open parts within what is left of their budget,
which their estimate does not count.
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
MIN_SECTIONS, MAX_SECTIONS = 3, 12
CLAIMS_A_SOURCE = 3
CLAIM_TOKENS = 60
CLAIMS_LEFT_OPEN = 1 / 3  # share that the rules leave to a model
CLAIMS_A_CHECK = 10

# An agent sends its instructions and tools (about 3,000 tokens) with each turn, and the results of the turns before:
# thirty search results, or the beginnings of two pages.
RESEARCHER_TURNS, REQUEST_TURNS = 8, 3
TOKENS_A_TURN, TOKENS_A_RESULT, TOKENS_WRITTEN_A_TURN = 3_000, 1_500, 200
USUAL_SUBTOPICS = 4  # of a plan that is not made yet
MAX_WRITERS = 4  # that ask for more evidence, beside one verifier
OPEN_PARTS, PAGES_A_PART = (
    2,
    3,
)  # that are looked for once more: a researcher for each part, and pages to read
UNPROVEN_CLAIMS = 2  # of a deep report: a researcher for each

SERIAL_CALLS = 3  # plan, write, check: all other calls run concurrently
LOOK_CALLS = 3  # delegate, read, analyze again: beside the turns of an agent
SUPPORT_CALLS = 2  # write and check again
SEARCH_AND_PAGE_S = 4
CALL_S = 8.0  # if there are no calls yet to measure
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
    """An estimate of what a run needs. Dollars and credits are None if a price is unknown."""

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
    """Return the estimate of a run whose work is done by rules: no tokens, no cost."""
    return Estimate(sources, 0, 0, Decimal(0), 0, 0)


def report(
    sources: int,
    prices: Prices,
    *,
    calls_a_minute: int,
    calls_at_once: int,
    call_s: float = CALL_S,
    sections: int | None = None,
    researchers: int = 0,
) -> Estimate:
    """Estimate a report.

    `call_s` is the duration of one model call in seconds; `sections` is known once there is a plan. `researchers` share
    the first round.
    """
    loads = report_loads(sources, sections, researchers)
    calls = sum(load.calls for load in loads)
    tokens = sum(load.tokens_input + load.tokens_output for load in loads)
    looks = 3 * RESEARCHER_TURNS + REQUEST_TURNS + LOOK_CALLS + SUPPORT_CALLS if researchers else 0
    minutes = minutes_of(calls, call_s, calls_a_minute, calls_at_once, SERIAL_CALLS + looks)
    return Estimate(sources, calls, tokens, _usd(loads, prices), *_range(minutes))


# For a table: model calls and tokens for one item, and the duration of a batch (spec: kinds.md, table).
CALLS_AN_ITEM = 2
TOKENS_AN_ITEM = 5_000
BATCH, BATCH_S, RULES_BATCH_S = 10, 30, 3  # ten items at once


def table(items: int, item_credits: Decimal, *, pages: int, at_once: int, by_model: bool) -> Estimate:
    """Estimate a table. `pages` are read for each item, and `at_once` items are worked on concurrently."""
    batch_s = BATCH_S if by_model else RULES_BATCH_S
    minutes = ceil(items / min(at_once, items)) * batch_s / 60 if items else 0.0
    calls = CALLS_AN_ITEM * items if by_model else 0
    usd = (item_credits * items / CREDITS_PER_USD).quantize(USD_STEP, ROUND_UP)
    return Estimate(items * pages, calls, TOKENS_AN_ITEM * items if by_model else 0, usd, *_range(minutes))


def report_loads(sources: int, sections: int | None = None, researchers: int = 0) -> Sequence[RoleLoad]:
    if sections is None:
        sections = min(MAX_SECTIONS, max(MIN_SECTIONS, ceil(sources / SOURCES_A_SECTION)))
    claims = CLAIMS_A_SOURCE * sources
    return (
        RoleLoad(AgentRole.PLANNER, 1, 1_500, 900),
        _reading(sources),
        _analysis(claims),
        _writing(sections, claims),
        _checking(ceil(claims * CLAIMS_LEFT_OPEN / CLAIMS_A_CHECK)),
        *((*_look_loads(claims), *agent_loads(researchers, sections)) if researchers else ()),
    )


def _reading(sources: int) -> RoleLoad:
    return RoleLoad(AgentRole.EXTRACTOR, sources, 1_700 * sources, 300 * sources)


def _analysis(claims: int) -> RoleLoad:
    return RoleLoad(AgentRole.ANALYZER, 1, 1_000 + CLAIM_TOKENS * claims, 800)


def _writing(sections: int, claims: int) -> RoleLoad:
    return RoleLoad(AgentRole.WRITER, sections, 1_200 * sections + CLAIM_TOKENS * claims, 700 * sections)


def _checking(checks: int) -> RoleLoad:
    return RoleLoad(AgentRole.VERIFIER, checks, 1_800 * checks, 400 * checks)


def _look_loads(claims: int) -> Sequence[RoleLoad]:
    """Return the loads of the one look for what the analysis left open."""
    pages = OPEN_PARTS * PAGES_A_PART
    return (
        RoleLoad(AgentRole.ORCHESTRATOR, 1, 2_000, 800),
        _agents_load(AgentRole.RESEARCHER, OPEN_PARTS, RESEARCHER_TURNS),
        _reading(pages),
        _analysis(claims + CLAIMS_A_SOURCE * pages),
    )


def agent_loads(researchers: int, sections: int) -> Sequence[RoleLoad]:
    """Return what a shared first round adds: its researchers, requests for evidence, and the look after the check."""
    rewritten = min(sections, UNPROVEN_CLAIMS)
    return (
        _agents_load(AgentRole.RESEARCHER, researchers + UNPROVEN_CLAIMS, RESEARCHER_TURNS),
        _agents_load(AgentRole.WRITER, min(sections, MAX_WRITERS), REQUEST_TURNS),
        _agents_load(AgentRole.VERIFIER, 1, REQUEST_TURNS),
        _writing(rewritten, CLAIMS_A_SOURCE * SOURCES_A_SECTION * rewritten),
        _checking(1),
    )


def _agents_load(role: AgentRole, agents: int, turns: int) -> RoleLoad:
    results = TOKENS_A_RESULT * turns * (turns - 1) // 2
    return RoleLoad(
        role,
        agents * turns,
        agents * (TOKENS_A_TURN * turns + results),
        agents * TOKENS_WRITTEN_A_TURN * turns,
    )


def minutes_of(
    calls: int, call_s: float, calls_a_minute: int, calls_at_once: int, serial: int = SERIAL_CALLS
) -> float:
    """Return the minutes that the latencies or the provider's rate limit need, whichever is longer."""
    side_by_side = max(calls - serial, 0) * call_s / calls_at_once
    seconds = serial * call_s + SEARCH_AND_PAGE_S + max(call_s, side_by_side)
    return max(seconds / 60, calls / calls_a_minute)


def _range(minutes: float) -> tuple[int, int]:
    low, high = (factor * minutes for factor in LIKELY)
    return (max(1, int(low)), ceil(high)) if high >= 1 else (0, 0)


def likely_minutes(middle: float) -> tuple[int, int]:
    """Return the range around a middle, as in an estimate; (0, 0) means less than one minute."""
    return _range(middle / (sum(LIKELY) / len(LIKELY)))


def _usd(loads: Sequence[RoleLoad], prices: Prices) -> Decimal | None:
    total = Decimal(0)
    for load in loads:
        price = prices.get(load.role)
        if price is None:
            return None
        total += (price.usd_input * load.tokens_input + price.usd_output * load.tokens_output) / MILLION
    return total.quantize(USD_STEP, ROUND_UP)


# Share of a report's spending that is done when a state begins, from the loads of thirty sources.
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


def researchers_share(sources: int, researchers: int) -> float:
    """Return the share of a report's tokens that the researchers of its first round use, 0–1."""
    load = _agents_load(AgentRole.RESEARCHER, researchers, RESEARCHER_TURNS)
    loads = report_loads(sources, researchers=researchers)
    total = sum(each.tokens_input + each.tokens_output for each in loads)
    return (load.tokens_input + load.tokens_output) / total


def share_done(state: str, parts_done: int = 0, parts: int = 0, collected: float = 0.0) -> float | None:
    """Return the share of its spending that a run has behind it, 0–1; None if its state does not tell.

    `parts` are what the state works on: sources to read, or sections to write. `collected` is the share that
    researchers use while sources are collected.
    """
    order = dict(ORDER)
    begins = {
        each: share * (1 - collected) + (collected if share > order[State.COLLECTING] else 0.0)
        for each, share in ORDER
    }
    if state not in begins:
        return None
    here = State(state)
    later = [share for share in begins.values() if share > begins[here]]
    within = min(parts_done / parts, 1.0) if parts else 0.0
    return begins[here] + within * ((later[0] if later else 1.0) - begins[here])


ENOUGH_TO_TELL = 0.1


def at_completion(used: Decimal, done: float | None, estimate: Decimal | None) -> Decimal | None:
    """Return the total that a run will have used at its end, projected from what it used so far.

    While it is too early for a projection, this is the earlier estimate, but never less than what was used.
    """
    if done is None or done < ENOUGH_TO_TELL:
        return None if estimate is None else max(estimate, used)
    return used / Decimal(str(done))
