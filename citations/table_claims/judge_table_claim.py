"""Decides if a table supports a claim: all readings of the claim are weighed, and the best one explains the result."""

from dataclasses import dataclass, replace
from enum import StrEnum

from citations.table_claims.claim_table import PassageTable
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.rules.claimed_cells import lookups
from citations.table_claims.rules.claimed_comparisons import comparisons
from citations.table_claims.rules.claimed_counts import counts
from citations.table_claims.rules.claimed_extremes import extremes, frequencies
from citations.table_claims.rules.claimed_quantifiers import find_quantifier_readings
from citations.table_claims.rules.claimed_totals import totals
from citations.table_claims.rules.claimed_yes_no import affirmations
from citations.table_claims.score_claim_readings import Ballot, ballot
from citations.table_claims.table_claim_questions import ask
from citations.table_claims.table_claim_readings import TableReading
from citations.table_claims.table_claim_weights import TableProfile, table_profile
from citations.text.quote_span import Span

_OF_PARTS = (lookups, affirmations)  # operations that do not depend on missing rows
_OPERATIONS = (
    lookups,
    affirmations,
    counts,
    extremes,
    frequencies,
    comparisons,
    find_quantifier_readings,
    totals,
)


class TableVerdict(StrEnum):
    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"  # the table says nothing about it


@dataclass(frozen=True, slots=True)
class TableFinding:
    """The finding of a table about a claim.

    `probability`, 0 to 1, is that of the table supporting the claim. `spans` are the deciding cells, as offsets in the
    table's passage.
    """

    verdict: TableVerdict
    probability: float
    reason: str
    spans: tuple[Span, ...] = ()


_UNKNOWN = TableFinding(TableVerdict.UNKNOWN, 0.0, "The table names nothing that the claim does.")


def _readings_of(linked: LinkedClaim) -> tuple[TableReading, ...]:
    operations = _OPERATIONS if linked.table.is_whole else _OF_PARTS
    return tuple(reading for operation in operations for reading in operation(linked))


def weigh(claim: str, table: PassageTable) -> Ballot:
    linked = ask(claim, table)
    return ballot(linked, _readings_of(linked))


def judge(claim: str, table: PassageTable) -> TableFinding:
    """Judge the claim by the table; deterministic, and independent of case."""
    found = _build_finding(weigh(claim, table), table_profile())
    if found.verdict is TableVerdict.FALSE and not table.is_whole:
        return replace(found, verdict=TableVerdict.UNKNOWN)
    return found


def _build_finding(ballot: Ballot, profile: TableProfile) -> TableFinding:
    if ballot.is_empty:
        return _UNKNOWN
    chance = ballot.probability(profile.weights, profile.least_linkage)
    verdict = TableVerdict.TRUE if chance >= profile.cut else TableVerdict.FALSE
    best = ballot.best(profile.weights, holds=verdict is TableVerdict.TRUE)
    if ballot.linkage < profile.least_linkage:
        verdict = TableVerdict.UNKNOWN
    if best is None:
        return TableFinding(verdict, chance, "The table does not say this.")
    return TableFinding(verdict, chance, best.reason, best.spans)
