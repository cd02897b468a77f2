"""Recency of a source, weighed by the preference that the user chooses."""

from collections.abc import Mapping
from enum import StrEnum


class RecencyBias(StrEnum):
    """The user's preference for recent or older sources."""

    RECENT = "recent"
    BALANCED = "balanced"
    HISTORICAL = "historical"


# Months from which a source is called stale; in half of them it loses half of its recency.
STALE_MONTHS: Mapping[RecencyBias, float] = {
    RecencyBias.RECENT: 12.0,
    RecencyBias.BALANCED: 60.0,
    RecencyBias.HISTORICAL: 240.0,
}
