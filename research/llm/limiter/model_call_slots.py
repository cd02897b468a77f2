"""Slots for the calls of one run: of those that wait, the lowest rank goes first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class Slots:
    """A limited number of slots, for one event loop."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = count()

    @asynccontextmanager
    async def hold_slot(self, rank: int) -> AsyncIterator[None]:
        """Wait for a slot, and hold it.

        The lowest rank goes first; within a rank, first come, first served.
        """
        if self._free:
            self._free -= 1
        else:
            await self._turn(rank)
        try:
            yield
        finally:
            self._pass_on()

    async def _turn(self, rank: int) -> None:
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (rank, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # we had been given the slot already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            *_place, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
