"""Work done side by side."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
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


class Places:
    """Room for so many at once, or for one that has to be alone. First come, first served."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._free = asyncio.Semaphore(most)
        self._door = asyncio.Lock()

    @asynccontextmanager
    async def taken(self, *, alone: bool) -> AsyncIterator[None]:
        wanted = self._most if alone else 1
        async with self._door:  # two that want all of it would wait for each other's half
            for _place in range(wanted):
                await self._free.acquire()
        try:
            yield
        finally:
            for _place in range(wanted):
                self._free.release()
