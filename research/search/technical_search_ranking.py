"""Rank the results of a technical search (spec: agents-and-tools.md, Technical search). Pure functions."""

import re
from collections.abc import Collection, Sequence
from datetime import date, timedelta

from research.models import SourceType
from research.search.search_protocol import SearchHit

BASE = 0.5
PREFERRED, DOCUMENTATION, RECENT = 0.3, 0.2, 0.2
DESCRIBED, SHOWN, STARRED = 0.1, 0.1, 0.1
LONG = 200  # characters of a description
YEAR = timedelta(days=365)
_EXAMPLE = re.compile(r"\bexamples?\b|\bcode samples?\b|\bsnippets?\b|```|\w\(\)|=>|[{};]\s*$", re.IGNORECASE)


def technical_parts(hit: SearchHit, today: date, *, is_preferred: bool) -> dict[str, float]:
    """Return the parts of the score by reason; reasons that do not apply are absent. An unknown date adds nothing."""
    parts = {
        "base": (BASE, True),
        "preferred": (PREFERRED, is_preferred),
        "official": (DOCUMENTATION, hit.source_type == SourceType.DOCUMENTATION),
        "recent": (RECENT, _is_recent(hit.published, today)),
        "described": (DESCRIBED, len(hit.snippet) > LONG),
        "code": (SHOWN, hit.has_code or _EXAMPLE.search(f"{hit.title} {hit.snippet}") is not None),
        "stars": (STARRED, hit.stars is not None),
    }
    return {name: value for name, (value, holds) in parts.items() if holds}


def technical_score(hit: SearchHit, preferred: Collection[SourceType], today: date) -> float:
    """Return the score of a hit, from 0.5 to 1."""
    parts = technical_parts(hit, today, is_preferred=hit.source_type in preferred)
    return round(min(1.0, sum(parts.values())), 4)


def technically_ranked(
    ranked: Sequence[tuple[SearchHit, float]], preferred: Collection[SourceType], today: date
) -> list[tuple[SearchHit, float]]:
    """Return the hits with their scores, best first; equal ones keep their order."""
    scored = [(hit, technical_score(hit, preferred, today)) for hit, _relevance in ranked]
    return sorted(scored, key=lambda pair: -pair[1])


def _is_recent(published: str, today: date) -> bool:
    """Return True within twelve months; for a month or a year its last day counts."""
    first = (today - YEAR).isoformat()
    return bool(published) and first[: len(published)] <= published
