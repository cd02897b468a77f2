"""Work done side by side."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def all_of(works: Iterable[Awaitable[T]]) -> list[T]:
    """Their results in order. Where one fails, its error once all have ended, so that none works on unseen."""
    results: list[T] = []
    for outcome in await asyncio.gather(*works, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
        results.append(outcome)
    return results
