"""Rank sources for a technical question: relevance to the question times a score for the kind of source. Pure.

The kind is scored by the rules of technical search (spec: agents-and-tools.md): type, preference, recency, length,
code. These ignore the question, so that alone they would rank a new page on another subject first.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from citations.credibility.source_hosts import host_of
from research.models import SourceType
from research.pipelines.technical.technical_config import Preference
from research.search.search_protocol import SearchHit
from research.search.technical_search_ranking import technical_parts

TYPES: Mapping[Preference, frozenset[SourceType]] = {
    Preference.OFFICIAL: frozenset({SourceType.DOCUMENTATION}),
    Preference.GITHUB: frozenset({SourceType.CODE}),
    Preference.STACKOVERFLOW: frozenset(),
    Preference.ACADEMIC: frozenset({SourceType.ACADEMIC}),
    Preference.BLOGS: frozenset({SourceType.BLOG}),
}
SITES: Mapping[Preference, tuple[str, ...]] = {
    Preference.GITHUB: ("github.com", "githubusercontent.com", "github.io"),
    Preference.STACKOVERFLOW: ("stackoverflow.com", "stackexchange.com", "serverfault.com", "superuser.com"),
    Preference.ACADEMIC: ("arxiv.org", "doi.org", "acm.org", "ieee.org", "mlr.press"),
}


@dataclass(frozen=True, slots=True)
class Relevance:
    """A relevance of 0–1 and its parts: `matches` is a factor, the others are summed, to 1 at most."""

    value: float
    why: Mapping[str, float]


def is_preferred(kind: SourceType, url: str, preferences: Iterable[Preference]) -> bool:
    host = host_of(url)
    return any(
        kind in TYPES[preference]
        or any(host == site or host.endswith(f".{site}") for site in SITES.get(preference, ()))
        for preference in preferences
    )


def relevance_of(
    hit: SearchHit, matches: float, preferences: Collection[Preference], today: date
) -> Relevance:
    """Return the relevance of a source.

    `matches` (0–1) is the score of its best passage relative to the best of all sources."""
    preferred = is_preferred(hit.source_type, hit.url, preferences)
    parts = technical_parts(hit, today, is_preferred=preferred)
    kind = min(1.0, sum(parts.values()))
    return Relevance(round(matches * kind, 4), {"matches": round(matches, 4), **parts})
