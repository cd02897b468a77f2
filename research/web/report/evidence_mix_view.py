"""The shares of a report's claims with strong, moderate and limited evidence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from uuid import UUID

from django.db.models import Count

from citations.models import Claim, Strength


@dataclass(frozen=True, slots=True)
class StrengthShare:
    """The part of the bar for one strength, in percent of its width."""

    strength: str
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class EvidenceMix:
    shares: tuple[StrengthShare, ...]

    @property
    def total(self) -> int:
        return sum(share.count for share in self.shares)

    @property
    def counts(self) -> Mapping[str, int]:
        return {share.strength: share.count for share in self.shares}

    @property
    def only(self) -> str:
        """Return the strength that all claims have; empty if they differ, and a bar tells them apart."""
        found = [share.strength for share in self.shares if share.count]
        return found[0] if len(found) == 1 else ""


def evidence_mix(counts: Mapping[str, int]) -> EvidenceMix:
    """Return the shares in falling strength; they add up to 100 % unless there is no claim."""
    found = [(strength, counts.get(strength, 0)) for strength in Strength.values]
    total = sum(count for _, count in found)
    widths = [100 * count / total if total else 0.0 for _, count in found]
    starts = [0.0, *accumulate(widths)]
    rows = zip(found, starts, widths, strict=False)
    return EvidenceMix(
        tuple(StrengthShare(strength, count, start, width) for (strength, count), start, width in rows)
    )


def mixes_of(run_ids: Iterable[UUID]) -> dict[UUID, EvidenceMix]:
    """Return the mix of each run that has claims in its report, by one query."""
    counts: dict[UUID, dict[str, int]] = {}
    placed = Claim.objects.filter(run_id__in=list(run_ids), section__isnull=False)
    for run_id, strength, count in placed.values_list("run_id", "strength").annotate(count=Count("id")):
        counts.setdefault(run_id, {})[strength] = count
    return {run_id: evidence_mix(found) for run_id, found in counts.items()}
