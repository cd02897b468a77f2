"""Providers of web sources behind the search protocol, and what a run gets of them: fused, one hit a page."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from research.library.addresses import canonical_url
from research.tools.providers import Filters, SearchHit, SearchProvider, fused
from research.tools.tool import ToolError


@dataclass(frozen=True, slots=True)
class Skipped:
    """A provider that gave nothing, and why; told in the run's log."""

    provider: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the providers have for one query, best first."""

    hits: tuple[SearchHit, ...]
    skipped: tuple[Skipped, ...]


async def search_all(providers: Sequence[SearchProvider], query: str, filters: Filters) -> Found:
    """Ask all at once. One that fails is skipped; other errors than ToolError are bugs and are raised."""
    serving = [one for one in providers if one.serves(filters.type)]
    answers = await asyncio.gather(*(_ask(one, query, filters) for one in serving))
    rankings = [one for one in answers if not isinstance(one, Skipped)]
    hits = tuple(hit for hit, _ in fuse(rankings) if is_wanted(hit, filters))
    return Found(hits[: filters.most], tuple(one for one in answers if isinstance(one, Skipped)))


def fuse(rankings: Sequence[Sequence[SearchHit]]) -> list[tuple[SearchHit, float]]:
    """By reciprocal rank, each page once: the first spelling of its address stands for all of them."""
    spelling: dict[str, str] = {}
    for hit in (hit for ranking in rankings for hit in ranking):
        spelling.setdefault(canonical_url(hit.url), hit.url)
    return fused([_once(ranking, spelling) for ranking in rankings])


def _once(ranking: Sequence[SearchHit], spelling: dict[str, str]) -> list[SearchHit]:
    """Without what is no web address, and without a page's second place in the same ranking."""
    seen: dict[str, SearchHit] = {}
    for hit in ranking:
        canonical = canonical_url(hit.url)
        if canonical:
            seen.setdefault(canonical, replace(hit, url=spelling[canonical]))
    return list(seen.values())


def is_wanted(hit: SearchHit, filters: Filters) -> bool:
    """An undated hit stays: its page may say when it is from."""
    if any(hit.domain == one or hit.domain.endswith(f".{one}") for one in filters.excluded_domains):
        return False
    earliest = filters.published_from
    return not (earliest and hit.published and hit.published < earliest.isoformat()[: len(hit.published)])


async def _ask(provider: SearchProvider, query: str, filters: Filters) -> Sequence[SearchHit] | Skipped:
    try:
        return await provider.search(query, filters)
    except ToolError as error:
        return Skipped(provider.name, error.code.value, error.message)
