"""Providers behind the search protocol, asked at once, and what a run gets of the web's: fused, one hit a page."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from research.acquisition.providers.protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchHit,
    SearchProvider,
    fused,
)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A provider that gave nothing, and why; told in the run's log."""

    provider: str
    code: SearchCode
    message: str


@dataclass(frozen=True, slots=True)
class Answers:
    """A ranking for each query that a provider answered, who did not, and how many results made no sense."""

    rankings: tuple[Sequence[SearchHit], ...]
    skipped: tuple[Skipped, ...]
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What the providers have for one query, best first."""

    hits: tuple[SearchHit, ...]
    skipped: tuple[Skipped, ...]
    unreadable: int = 0


async def search_all(providers: Sequence[SearchProvider], query: str, filters: Filters) -> Found:
    answers = await ask_all(providers, [query], filters)
    hits = tuple(hit for hit, _ in fused(answers.rankings) if is_wanted(hit, filters))
    return Found(hits[: filters.most], answers.skipped, answers.unreadable)


async def ask_all(providers: Sequence[SearchProvider], queries: Sequence[str], filters: Filters) -> Answers:
    """Each query to each provider that serves it, all at once.

    One that fails is skipped; other errors than SearchError are bugs and are raised.
    """
    asked = [(one, query) for query in queries for one in providers if one.serves(filters.type)]
    done = await asyncio.gather(*(_ask(one, query, filters) for one, query in asked))
    answered = [one for one in done if isinstance(one, Hits)]
    return Answers(
        tuple(one.hits for one in answered),
        tuple(one for one in done if isinstance(one, Skipped)),
        sum(one.unreadable for one in answered),
    )


def is_wanted(hit: SearchHit, filters: Filters) -> bool:
    """An undated hit stays: its page may say when it is from."""
    if any(hit.domain == one or hit.domain.endswith(f".{one}") for one in filters.excluded_domains):
        return False
    earliest = filters.published_from
    return not (earliest and hit.published and hit.published < earliest.isoformat()[: len(hit.published)])


async def _ask(provider: SearchProvider, query: str, filters: Filters) -> Hits | Skipped:
    try:
        return await provider.search(query, filters)
    except SearchError as error:
        return Skipped(provider.name, error.code, error.message)
