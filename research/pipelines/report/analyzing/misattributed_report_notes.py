"""Find quotes that are not in the source that a model named: in another source of the run, or made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.anchoring import Anchor, leaves_out_sense
from citations.quotes.locate_quotes import MisattributedQuote, locate
from research.pipelines.common.report_source_readings import SourceReading
from research.pipelines.report.reading.admit_report_notes import (
    AdmittedClaim,
    ClaimMatcher,
    ProposedClaim,
    RefusedClaim,
    anchor_own_words,
)
from research.pipelines.report.reading.store_report_notes import Admission

NO_ANCHOR = "Its words stand in none of the run's sources."
TURNED = "What its quote leaves out inverts its meaning."
MAX_LOOKED_FOR = (
    60  # quotes searched closely in all texts of a run: a model that makes up more is not worth it
)


@dataclass(frozen=True, slots=True)
class ReattributedClaim:
    """A claim whose quote is in another source than the one named for it."""

    named: UUID
    source: UUID
    claim: AdmittedClaim


@dataclass(frozen=True, slots=True)
class MisattributionResult:
    placed: tuple[ReattributedClaim, ...] = ()
    refused: tuple[RefusedClaim, ...] = ()


def relocate_quotes(
    admissions: Sequence[Admission], readings: Mapping[str, SourceReading]
) -> MisattributionResult:
    """Look the missing quotes up in `readings`, all sources of the run.

    Those after the first `MAX_LOOKED_FOR` are searched only letter by letter.
    """
    missing = [(admission.source, each.proposed) for admission in admissions for each in admission.unplaced]
    outcomes = [
        _relocate_quote(named, claim, readings, closely=number < MAX_LOOKED_FOR)
        for number, (named, claim) in enumerate(missing)
    ]
    return MisattributionResult(
        tuple(outcome for outcome in outcomes if isinstance(outcome, ReattributedClaim)),
        tuple(outcome for outcome in outcomes if isinstance(outcome, RefusedClaim)),
    )


def _relocate_quote(
    named: UUID, proposed: ProposedClaim, readings: Mapping[str, SourceReading], *, closely: bool
) -> ReattributedClaim | RefusedClaim:
    place = _find_quote(named, proposed, readings, closely=closely) or _find_claim_text(proposed, readings)
    if place is None:
        texts = (reading.text for reading in readings.values())
        is_turned = any(leaves_out_sense(proposed.quote, text) for text in texts)
        return RefusedClaim(proposed.text, TURNED if is_turned else NO_ANCHOR)
    source, found = place
    claim = ClaimMatcher(readings[source]).judge_claim(proposed, found)
    return claim if isinstance(claim, RefusedClaim) else ReattributedClaim(named, UUID(source), claim)


def _find_quote(
    named: UUID, proposed: ProposedClaim, readings: Mapping[str, SourceReading], *, closely: bool
) -> tuple[str, Anchor] | None:
    texts = {source: reading.text for source, reading in readings.items()}
    found = locate(proposed.quote, texts, str(named), closely=closely)
    return (found.source, found.anchor) if isinstance(found, MisattributedQuote) else None


def _find_claim_text(
    proposed: ProposedClaim, readings: Mapping[str, SourceReading]
) -> tuple[str, Anchor] | None:
    """Find the first source that says the claim itself, word for word."""
    for source, reading in readings.items():
        if (found := anchor_own_words(proposed, reading)) is not None:
            return source, found
    return None
