"""Recency of a source, weighted by the user's preference."""

from collections.abc import Mapping
from enum import StrEnum


class RecencyBias(StrEnum):
    """The user's preference for recent or older sources."""

    RECENT = "recent"
    BALANCED = "balanced"
    HISTORICAL = "historical"


# Months after which a source is stale; in half of them it loses half of its recency.
STALE_MONTHS: Mapping[RecencyBias, float] = {
    RecencyBias.RECENT: 12.0,
    RecencyBias.BALANCED: 60.0,
    RecencyBias.HISTORICAL: 240.0,
}
