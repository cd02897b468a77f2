"""A ring is heard, or the one who rings is told that nobody is in."""

import asyncio
import threading

from research.engine.wakeup import Wakeup


def heard(bell: Wakeup, seconds: float = 30) -> tuple[set, set, bool]:
    async def act():
        bell.listen(asyncio.get_running_loop())
        return await bell.wait((), seconds)

    return asyncio.run(act())


async def some_turns() -> None:
    """Let the loop do what it has been asked for."""
    for _turn in range(10):
        await asyncio.sleep(0)


def test_a_ring_from_another_thread_ends_the_wait():
    bell = Wakeup()

    async def act():
        bell.listen(asyncio.get_running_loop())
        threading.Thread(target=bell.wake_up).start()
        task = asyncio.create_task(asyncio.sleep(1000))
        done, going, _was_rung = await bell.wait([task], 30)
        task.cancel()
        return done, going == {task}

    assert asyncio.run(act()) == (set(), True)


def test_the_first_task_that_is_done_ends_the_wait():
    bell = Wakeup()

    async def act():
        bell.listen(asyncio.get_running_loop())
        endless = asyncio.create_task(asyncio.sleep(1000))
        short = asyncio.create_task(asyncio.sleep(0))
        found = await asyncio.wait_for(bell.wait([endless, short], 600), 30)
        endless.cancel()
        return found == ({short}, {endless}, False)

    assert asyncio.run(act())


def test_a_ring_before_anybody_listens_is_not_forgotten():
    bell = Wakeup()
    assert bell.wake_up()
    assert heard(bell) == (set(), set(), True)


def test_who_has_been_rung_for_stays_and_leaves_the_next_time():
    bell = Wakeup()
    assert bell.wake_up()
    assert not bell.close()
    assert bell.close()
    assert not bell.wake_up()


def test_a_ring_that_was_heard_does_not_keep_anybody():
    bell = Wakeup()
    bell.wake_up()
    heard(bell)
    assert bell.close()


def test_nobody_is_in_after_the_end_whatever_its_reason():
    bell = Wakeup()
    with bell:
        assert bell.wake_up()
    assert not bell.wake_up()


def test_a_task_that_is_done_ends_the_wait():
    bell = Wakeup()

    async def act():
        bell.listen(asyncio.get_running_loop())
        first, second = asyncio.create_task(asyncio.sleep(0)), asyncio.create_task(asyncio.sleep(1000))
        done, going, _was_rung = await bell.wait([first, second], 30)
        second.cancel()
        return done == {first}, going == {second}

    assert asyncio.run(act()) == (True, True)


def test_a_wait_ends_when_its_time_is_over():
    assert heard(Wakeup(), 0.01) == (set(), set(), False)


def test_each_ring_is_heard_once():
    bell = Wakeup()

    async def act():
        bell.listen(asyncio.get_running_loop())
        bell.wake_up()
        await bell.wait((), 30)
        waits = asyncio.create_task(bell.wait((), 30))
        await some_turns()
        was_done = waits.done()
        bell.wake_up()
        await waits
        return was_done

    assert asyncio.run(act()) is False


def test_who_stayed_for_a_ring_waits_for_the_next():
    bell = Wakeup()

    async def act():
        bell.listen(asyncio.get_running_loop())
        bell.wake_up()
        await asyncio.sleep(0)
        assert not bell.close()
        waits = asyncio.create_task(bell.wait((), 30))
        await some_turns()
        was_done = waits.done()
        assert bell.wake_up()
        await waits
        return was_done

    assert asyncio.run(act()) is False


def test_who_left_does_not_come_back_for_a_ring():
    bell = Wakeup()
    assert bell.close()
    assert not bell.wake_up()
    bell.shut()
    assert not bell.wake_up()
