"""Whether a table carries a claim: all readings of the claim are tried, weighed, and the best one explains."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from citations.normalizing import Span
from citations.tables.affirming import affirmations
from citations.tables.comparisons import comparisons
from citations.tables.counting import counts
from citations.tables.extremes import extremes, frequencies
from citations.tables.linking import Linked
from citations.tables.lookups import lookups
from citations.tables.quantifiers import quantified
from citations.tables.questions import ask, linkage
from citations.tables.readings import Reading
from citations.tables.scoring import Weighed, probability, score, weighed
from citations.tables.table import Table
from citations.tables.totals import totals

PROFILE = Path(__file__).parent.parent / "profiles" / "tables.json"
_OPERATIONS = (lookups, affirmations, counts, extremes, frequencies, comparisons, quantified, totals)


class TableVerdict(StrEnum):
    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"  # the table says nothing about it


@dataclass(frozen=True, slots=True)
class TableFinding:
    """What a table says about a claim.

    `probability`, 0 to 1, is that of the table carrying the claim. `spans` are the cells that decide, as offsets
    into the passage the table was found in.
    """

    verdict: TableVerdict
    probability: float
    reason: str
    spans: tuple[Span, ...] = ()


LEAST_LINKAGE = 0.34  # of a claim's words must name something of the table, or it is about something else
_EMPTY_READINGS = 2
_UNKNOWN = TableFinding(TableVerdict.UNKNOWN, 0.0, "The table names nothing that the claim does.")


@lru_cache(maxsize=1)
def profile() -> Mapping[str, float]:
    return {name: float(weight) for name, weight in json.loads(PROFILE.read_text())["weights"].items()}


def readings_of(linked: Linked) -> tuple[Reading, ...]:
    return tuple(reading for operation in _OPERATIONS for reading in operation(linked))


def weigh(claim: str, table: Table) -> tuple[Weighed, ...]:
    linked = ask(claim, table)
    return weighed(linked, readings_of(linked))


def judge(claim: str, table: Table) -> TableFinding:
    linked = ask(claim, table)
    found = weighed(linked, readings_of(linked))
    share = linkage(linked)
    if len(found) == _EMPTY_READINGS or not share:
        return _UNKNOWN
    weights = profile()
    chance = probability(found, weights) * min(1.0, share / LEAST_LINKAGE)
    holds = chance >= 0.5
    best = max(
        (each for each in found if each.reading is not None and each.holds is holds),
        key=lambda each: score(each.features, weights),
        default=None,
    )
    verdict = TableVerdict.TRUE if holds else TableVerdict.FALSE
    if share < LEAST_LINKAGE:
        verdict = TableVerdict.UNKNOWN
    if best is None or best.reading is None:
        return TableFinding(verdict, chance, "The table does not say this.")
    return TableFinding(verdict, chance, best.reading.reason, best.reading.spans)
