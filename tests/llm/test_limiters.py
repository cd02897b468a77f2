"""Slots of a provider: never more than allowed, fair between runs, freed when their holder dies."""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from research.llm.limiter import shared_limiter
from research.llm.limiter.local_limiter import LocalLimiter
from research.llm.limiter.provider_limiter import ProviderLimiter
from research.llm.limiter.provider_limits import RequestLimits
from research.llm.limiter.shared_limiter import LimiterAway, SharedLimiter

MANY = 1_000_000
NOWHERE = "redis://127.0.0.1:9/0"


@asynccontextmanager
async def processes(url, count, limits):
    """Limiters of one provider as `count` processes have them."""
    clients = [Redis.from_url(url) for _ in range(count)]
    limiters = [SharedLimiter(client, "p", limits) for client in clients]
    yield limiters
    for limiter in limiters:
        await limiter.close()
    for client in clients:
        await client.aclose()


async def settle(redis_url, *limiters):
    """Everything that was said has been heard: one round through Redis for each."""
    for limiter in limiters:
        while limiter._unsaid:
            await asyncio.sleep(0)
        await limiter._tell()


async def gives_a_turn(limiter):
    """Return whether somebody who asks now gets a slot, also when it takes a while; the slot is given back."""
    try:
        async with asyncio.timeout(10):
            await limiter.release(await limiter.acquire("later"))
    except TimeoutError:
        return False
    return True


class Watched:
    """Counts who holds a slot."""

    def __init__(self):
        self.now = Counter()
        self.most = 0
        self.order = []

    async def call(self, limiter, run, gate=None):
        ticket = await limiter.acquire(run)
        self.now[run] += 1
        self.order.append(run)
        self.most = max(self.most, self.now.total())
        await (gate.wait() if gate else asyncio.sleep(0))
        self.now[run] -= 1
        await limiter.release(ticket)


def test_all_processes_together_never_hold_more_than_allowed(valkey):
    async def run():
        watched = Watched()
        async with processes(valkey, 4, RequestLimits(7, MANY)) as limiters:
            await asyncio.gather(*(watched.call(limiters[n % 4], f"run{n % 3}") for n in range(200)))
        return watched

    watched = asyncio.run(run())
    assert (watched.most, len(watched.order)) == (7, 200)


def test_a_slot_freed_by_one_process_goes_to_another_that_waits(valkey):
    async def run():
        async with processes(valkey, 2, RequestLimits(1, MANY)) as (first, second):
            ticket = await first.acquire("a")
            waiting = asyncio.create_task(second.acquire("b"))
            await asyncio.sleep(0)
            await settle(valkey, second)
            assert not waiting.done()
            await first.release(ticket)
            return await waiting

    assert asyncio.run(asyncio.wait_for(run(), 10)).run == "b"


@pytest.mark.parametrize("kind", ["shared", "local"])
def test_of_runs_that_wait_the_one_with_fewer_calls_in_flight_goes_first(valkey, kind):
    async def run():
        gate, watched = asyncio.Event(), Watched()
        async with processes(valkey, 1, RequestLimits(4, MANY)) as (shared_limiter,):
            limiter = shared_limiter if kind == "shared" else LocalLimiter(RequestLimits(4, MANY))
            big = [asyncio.create_task(watched.call(limiter, "big", gate)) for _ in range(30)]
            while watched.now["big"] < 4:
                await asyncio.sleep(0)
            small = [asyncio.create_task(watched.call(limiter, "small", gate)) for _ in range(4)]
            if kind == "shared":
                await asyncio.sleep(0)
                await settle(valkey, shared_limiter)
            gate.set()
            await asyncio.gather(*big, *small)
        return watched.order

    order = asyncio.run(run())
    assert "small" in order[4:6]
    assert order[4:12].count("small") == 4  # half of what was freed, until it needed no more


def test_the_bucket_lets_no_more_through_than_it_holds(valkey):
    async def run():
        async with processes(valkey, 1, RequestLimits(50, 3)) as (limiter,):
            for _ in range(3):
                await limiter.release(await limiter.acquire("a"))
            fourth = asyncio.create_task(limiter.acquire("a"))
            await asyncio.sleep(0)
            await settle(valkey, limiter)
            late, due_in_s = not fourth.done(), limiter._due_at - asyncio.get_running_loop().time()
            fourth.cancel()
            await asyncio.gather(fourth, return_exceptions=True)
        return late, due_in_s

    late, due_in_s = asyncio.run(run())
    assert late
    assert 15 < due_in_s <= 20  # three a minute: one in 20 s


def test_time_refills_the_bucket(valkey):
    async def run():
        async with processes(valkey, 1, RequestLimits(50, 3000)) as (limiter,):
            redis = limiter._redis
            await limiter.release(await limiter.acquire("a"))
            await settle(valkey, limiter)
            await redis.hset(limiter._keys[3], "tokens", "0")
            return await gives_a_turn(limiter)  # 20 ms later

    assert asyncio.run(run())


def test_a_pause_holds_all_processes_back_and_ends_by_itself(valkey):
    async def run():
        async with processes(valkey, 2, RequestLimits(50, MANY)) as (first, second):
            await first.pause(0.2)
            await settle(valkey, first)
            waiting = asyncio.create_task(second.acquire("a"))
            await asyncio.sleep(0)
            await settle(valkey, second)
            was_held = not waiting.done()
            await second.release(await waiting)
        return was_held

    assert asyncio.run(asyncio.wait_for(run(), 10))


def test_a_shorter_pause_does_not_end_a_longer_one(valkey):
    async def run():
        async with processes(valkey, 1, RequestLimits(50, MANY)) as (limiter,):
            await limiter.pause(60)
            await limiter.pause(0.01)
            await settle(valkey, limiter)
            return await limiter._redis.pttl(limiter._keys[4])

    assert asyncio.run(run()) > 50_000


def test_slots_of_a_process_that_gives_no_sign_of_life_are_freed(valkey):
    async def run():
        async with processes(valkey, 2, RequestLimits(1, MANY)) as (dead, living):
            await dead.acquire("a")
            dead._talking.cancel()
            dead._listening.cancel()
            redis = living._redis
            await redis.zadd(living._keys[2], {dead.process: 1})  # its last sign of life is long ago
            return await gives_a_turn(living)

    assert asyncio.run(run())


@pytest.mark.parametrize("kind", ["shared", "local"])
@pytest.mark.parametrize("is_freed_just_then", [False, True])
def test_a_ticket_that_is_given_up_takes_no_slot(valkey, kind, is_freed_just_then):
    async def run():
        async with processes(valkey, 1, RequestLimits(1, MANY)) as (shared_limiter,):
            limiter = shared_limiter if kind == "shared" else LocalLimiter(RequestLimits(1, MANY))
            held = await limiter.acquire("a")
            waiting = asyncio.create_task(limiter.acquire("b"))
            await asyncio.sleep(0)
            waiting.cancel()
            if is_freed_just_then:
                await limiter.release(held)
                await asyncio.gather(waiting, return_exceptions=True)
            else:
                await asyncio.gather(waiting, return_exceptions=True)
                await limiter.release(held)
            return await gives_a_turn(limiter)

    assert asyncio.run(run())


class Flaky(Redis):
    """A connection to Redis that can break, or take its time."""

    is_away = False
    gate: asyncio.Event | None = None

    async def execute_command(self, *args, **options):
        if self.gate is not None and args[0].startswith("EVAL"):
            await self.gate.wait()
        if self.is_away:
            raise ConnectionError
        return await super().execute_command(*args, **options)


def test_a_slot_that_was_given_back_while_redis_was_away_is_missed_and_freed(valkey):
    async def run():
        redis = Flaky.from_url(valkey)
        limiter = SharedLimiter(redis, "p", RequestLimits(1, MANY))
        held = await limiter.acquire("a")
        redis.is_away = True
        await limiter.release(held)
        with pytest.raises(LimiterAway):
            await limiter.acquire("a")
        redis.is_away = False
        await redis.zadd(limiter._keys[2], {held.process: 1})  # some seconds later
        is_free = await gives_a_turn(limiter)
        await limiter.close()
        await redis.aclose()
        return is_free

    assert asyncio.run(run())


def test_what_is_being_said_is_said_to_the_end(valkey, monkeypatch):
    """Also when the listener went home just then, and a new call needs it again."""
    monkeypatch.setattr(shared_limiter, "BEAT_S", 0.05)

    async def run():
        redis = Flaky.from_url(valkey)
        limiter = SharedLimiter(redis, "p", RequestLimits(1, MANY))
        held = await limiter.acquire("a")
        redis.gate = asyncio.Event()
        await limiter.release(held)
        while not limiter._listening.done():
            await asyncio.sleep(0)
        waiting = asyncio.create_task(limiter.acquire("b"))
        await asyncio.sleep(0)
        redis.gate.set()
        got = await waiting
        await limiter.close()
        await redis.aclose()
        return got

    assert asyncio.run(asyncio.wait_for(run(), 10)).run == "b"


def test_a_server_that_lost_everything_is_told_again(valkey, monkeypatch):
    monkeypatch.setattr(shared_limiter, "BEAT_S", 0.05)

    async def run():
        async with processes(valkey, 1, RequestLimits(1, MANY)) as (limiter,):
            held = await limiter.acquire("a")
            waiting = asyncio.create_task(limiter.acquire("b"))
            await asyncio.sleep(0)
            await settle(valkey, limiter)
            await limiter._redis.flushall()
            while not await limiter._redis.zcard(limiter._keys[0]):
                await asyncio.sleep(0)
            assert not waiting.done()  # the slot is still held
            await limiter.release(held)
            return await waiting

    assert asyncio.run(asyncio.wait_for(run(), 10)).run == "b"


def test_without_redis_acquiring_says_so():
    async def run():
        async with processes(NOWHERE, 1, RequestLimits(1, MANY)) as (limiter,):
            with pytest.raises(LimiterAway):
                await limiter.acquire("a")

    asyncio.run(run())


def test_without_redis_the_process_limits_itself_and_says_so_once(caplog):
    async def run():
        watched = Watched()
        async with processes(NOWHERE, 1, RequestLimits(3, MANY)) as (shared_limiter,):
            limiter = ProviderLimiter(shared_limiter, RequestLimits(3, MANY))

            async def call():
                async with limiter.slot("a"):
                    watched.now["a"] += 1
                    watched.most = max(watched.most, watched.now["a"])
                    await asyncio.sleep(0)
                    watched.now["a"] -= 1

            await asyncio.gather(*(call() for _ in range(20)))
        return watched.most

    assert asyncio.run(run()) == 3
    assert len([line for line in caplog.messages if line.startswith("limiter_away")]) == 1


def test_the_local_bucket_waits_for_its_refill():
    async def run():
        now = [0.0]
        limiter = LocalLimiter(RequestLimits(10, 2), clock=lambda: now[0])
        for _ in range(2):
            await limiter.release(await limiter.acquire("a"))
        third = asyncio.create_task(limiter.acquire("a"))
        await asyncio.sleep(0)
        assert not third.done()
        now[0] = 31.0
        limiter._grant()
        return await third

    assert asyncio.run(asyncio.wait_for(run(), 10)).run == "a"


def test_a_local_pause_ends_by_itself():
    async def run():
        limiter = LocalLimiter(RequestLimits(10, MANY))
        await limiter.pause(0.01)
        return await gives_a_turn(limiter)

    assert asyncio.run(run())


def test_a_local_pause_holds_back():
    async def run():
        now = [0.0]
        limiter = LocalLimiter(RequestLimits(10, MANY), clock=lambda: now[0])
        await limiter.pause(5)
        waiting = asyncio.create_task(limiter.acquire("a"))
        await asyncio.sleep(0)
        assert not waiting.done()
        now[0] = 6.0
        limiter._grant()
        return await waiting

    assert asyncio.run(asyncio.wait_for(run(), 10)).run == "a"
