"""Query several providers at once and fuse their results, one hit per page."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from research.search.search_protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchHit,
    SearchProvider,
    filters_for,
    fuse_rankings,
    is_wanted,
)


@dataclass(frozen=True, slots=True)
class SkippedProvider:
    """A provider that returned nothing or not everything, and why; shown in the run's log."""

    provider: str
    code: SearchCode
    message: str
    pause_s: float | None = None  # until it may be queried again, if known


@dataclass(frozen=True, slots=True)
class Answers:
    """A ranking for each query that a provider answered, the failures, and the number of unreadable results."""

    rankings: tuple[Sequence[SearchHit], ...]
    skipped: tuple[SkippedProvider, ...]
    unreadable: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)  # provider → its results for all queries


@dataclass(frozen=True, slots=True)
class ProviderResults:
    """The results of all providers for one query, best first."""

    hits: tuple[SearchHit, ...]
    skipped: tuple[SkippedProvider, ...]
    unreadable: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


async def search_all(providers: Sequence[SearchProvider], query: str, filters: Filters) -> ProviderResults:
    answers = await ask_all(providers, [query], filters)
    hits = tuple(hit for hit, _ in fuse_rankings(answers.rankings) if is_wanted(hit, filters))
    return ProviderResults(hits[: filters.most], answers.skipped, answers.unreadable, answers.counts)


async def ask_all(providers: Sequence[SearchProvider], queries: Sequence[str], filters: Filters) -> Answers:
    """Send each query to each provider that serves it, all at once.

    A provider that raises SearchError is skipped; other errors are bugs and are raised.
    """
    served = [
        (provider, fitting)
        for provider in providers
        if (fitting := filters_for(provider, filters)) is not None
    ]
    requests = [(provider, query, fitting) for query in queries for provider, fitting in served]
    done = await asyncio.gather(*(_ask(*request) for request in requests))
    answered = [answer for answer in done if isinstance(answer, Hits)]
    return Answers(
        tuple(answer.hits for answer in answered),
        tuple(
            filter(
                None,
                (_trouble(provider, answer) for (provider, *_), answer in zip(requests, done, strict=True)),
            )
        ),
        sum(answer.unreadable for answer in answered),
        _counts((provider.name, answer) for (provider, *_), answer in zip(requests, done, strict=True)),
    )


def _counts(answers: Iterable[tuple[str, Hits | SkippedProvider]]) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for name, answer in answers:
        counts[name] += len(answer.hits) if isinstance(answer, Hits) else 0
    return dict(counts)


def _trouble(asked: SearchProvider, done: Hits | SkippedProvider) -> SkippedProvider | None:
    """Return the provider's failure if it returned nothing, or less than it has; else None."""
    if isinstance(done, SkippedProvider):
        return done
    return SkippedProvider(asked.name, *done.trouble) if done.trouble else None


async def _ask(provider: SearchProvider, query: str, filters: Filters) -> Hits | SkippedProvider:
    try:
        return await provider.search(query, filters)
    except SearchError as error:
        return SkippedProvider(provider.name, error.code, error.message, error.pause_s)
