"""How much the age of a source counts, as the one who asks says."""

from collections.abc import Mapping
from enum import StrEnum


class RecencyBias(StrEnum):
    """How much the age of a source counts."""

    RECENT = "recent"
    BALANCED = "balanced"
    HISTORICAL = "historical"


# Months from which a source is called stale; in half of them it loses half of its recency.
STALE_MONTHS: Mapping[RecencyBias, float] = {
    RecencyBias.RECENT: 12.0,
    RecencyBias.BALANCED: 60.0,
    RecencyBias.HISTORICAL: 240.0,
}
