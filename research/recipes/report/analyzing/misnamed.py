"""Quotes that are not in the source that a model named: looked for in the run's others, or made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.quoting.locating import Misattributed, locate
from research.recipes.report.reading.admission import Admission
from research.recipes.report.reading.admitting import Admitted, Desk, Proposed, Refused
from research.recipes.report.readings import Reading

NO_ANCHOR = "Its words stand in none of the run's sources."
MOST_LOOKED_FOR = 60  # in all texts of a run: a model that makes up more is not worth the search


@dataclass(frozen=True, slots=True)
class Replaced:
    """A claim whose quote stands in another source than the one that was named for it."""

    named: UUID
    source: UUID
    claim: Admitted


@dataclass(frozen=True, slots=True)
class Found:
    placed: tuple[Replaced, ...] = ()
    refused: tuple[Refused, ...] = ()


def replaced(admissions: Sequence[Admission], readings: Mapping[str, Reading]) -> Found:
    """`readings`: all sources of the run."""
    missing = [(one.source, each.proposed) for one in admissions for each in one.unplaced]
    looked_for, rest = missing[:MOST_LOOKED_FOR], missing[MOST_LOOKED_FOR:]
    outcomes = [_looked_up(named, one, readings) for named, one in looked_for]
    return Found(
        tuple(one for one in outcomes if isinstance(one, Replaced)),
        (
            *(one for one in outcomes if isinstance(one, Refused)),
            *(Refused(one.text, NO_ANCHOR) for _, one in rest),
        ),
    )


def _looked_up(named: UUID, proposed: Proposed, readings: Mapping[str, Reading]) -> Replaced | Refused:
    texts = {source: reading.text for source, reading in readings.items()}
    found = locate(proposed.quote, texts, str(named))
    if not isinstance(found, Misattributed):
        return Refused(proposed.text, NO_ANCHOR)
    claim = Desk(readings[found.source]).judged(proposed, found.anchor)
    if isinstance(claim, Refused):
        return claim
    return Replaced(named, UUID(found.source), claim)
