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
    is_wanted,
)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A provider that gave nothing or not all, and why; told in the run's log."""

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
        tuple(filter(None, map(_trouble, asked, done))),
        sum(one.unreadable for one in answered),
    )


def _trouble(asked: tuple[SearchProvider, str], done: Hits | Skipped) -> Skipped | None:
    """Who gave nothing, and who gave less than it has."""
    if isinstance(done, Skipped):
        return done
    return Skipped(asked[0].name, *done.trouble) if done.trouble else None


async def _ask(provider: SearchProvider, query: str, filters: Filters) -> Hits | Skipped:
    try:
        return await provider.search(query, filters)
    except SearchError as error:
        return Skipped(provider.name, error.code, error.message)
