"""Slots of a run's calls: how many at once, and who comes next."""

import asyncio
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from research.llm.limiter.model_call_slots import Slots


async def hold(slots: Slots, rank: int, name: str, began: list[str], until: asyncio.Event) -> None:
    async with slots.hold_slot(rank):
        began.append(name)
        await until.wait()


async def moments() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_the_end_of_a_row_goes_before_the_begin_of_another():
    async def record_order() -> list[str]:
        slots, began, go = Slots(1), [], asyncio.Event()
        first = asyncio.create_task(hold(slots, 1, "first", began, go))
        await moments()
        others = [
            asyncio.create_task(hold(slots, rank, name, began, go))
            for rank, name in [(1, "fill"), (0, "check"), (0, "later check")]
        ]
        await moments()
        go.set()
        await asyncio.gather(first, *others)
        return began

    assert asyncio.run(record_order()) == ["first", "check", "later check", "fill"]


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=12), st.integers(1, 3))
def test_never_more_than_there_are_and_none_is_lost_with_who_gives_up(callers, most):
    """`True` gives up while it waits, or while it holds one."""

    async def count_at_once() -> tuple[int, int]:
        slots, at_once, highest = Slots(most), 0, 0

        async def take(rank: int) -> None:
            nonlocal at_once, highest
            async with slots.hold_slot(rank):
                at_once += 1
                highest = max(highest, at_once)
                try:
                    await asyncio.sleep(0)
                finally:
                    at_once -= 1

        tasks = [(asyncio.create_task(take(rank)), gives_up) for rank, gives_up in callers]
        for task, gives_up in tasks:
            await asyncio.sleep(0)
            if gives_up:
                task.cancel()
        for task, _gives_up in tasks:
            with suppress(asyncio.CancelledError):
                await task
        async with asyncio.timeout(5):  # all are there again
            await asyncio.gather(*(take(0) for _ in range(most)))
        return highest, at_once

    assert asyncio.run(count_at_once()) <= (most, 0)
