"""Turns at web sites over several processes: one at a time, spaced, freed when their holder dies."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from research.fetching import shared_host_limit
from research.fetching.per_host_limit import Politeness
from research.fetching.shared_host_limit import SharedTurns, SiteRests, TurnsAway
from tests.fetching.sockets import run

NOWHERE = "redis://127.0.0.1:9/0"
GAP_S = 0.02


@asynccontextmanager
async def processes(url, count, gap_s=GAP_S, longest_s=30.0):
    """Turns as `count` processes have them."""
    clients = [Redis.from_url(url) for _ in range(count)]
    turns = [SharedTurns(client, gap_s, longest_s) for client in clients]
    yield turns
    for turn in turns:
        await turn.close()
    for client in clients:
        await client.aclose()


async def settle(*turns):
    """Everything that was said has been heard."""
    for turn in turns:
        while turn._unsaid:
            await asyncio.sleep(0)
        await turn._tell()


class Watched:
    """Records who is at a site, and when each request may begin, in milliseconds by the server's clock."""

    def __init__(self, redis):
        self._redis = redis
        self.now = self.most = 0
        self.began: list[int] = []

    async def request(self, turns, site="a"):
        ticket, _ = await turns.enter(site)
        self.now += 1
        self.most = max(self.most, self.now)
        self.began.append(int(await self._redis.hget(f"{shared_host_limit.PREFIX}:at:{site}", "began")))
        self.now -= 1
        turns.leave(site, ticket)


def test_a_site_never_gets_two_requests_at_once_nor_too_soon_after_each_other(valkey):
    async def act():
        async with processes(valkey, 3) as turns, Redis.from_url(valkey) as clock:
            watched = Watched(clock)
            await asyncio.gather(*(watched.request(turns[n % 3]) for n in range(15)))
            return watched

    watched = run(act())
    gaps = [later - one for one, later in zip(watched.began, watched.began[1:], strict=False)]
    assert (watched.most, len(watched.began)) == (1, 15)
    assert min(gaps) >= GAP_S * 1000


def test_other_sites_need_not_wait(valkey):
    async def act():
        async with processes(valkey, 2) as (first, second):
            await first.enter("a")
            return await second.enter("b")

    assert run(act())[1] == 0


def test_a_turn_that_is_left_goes_to_who_waits_longest(valkey):
    async def act():
        async with processes(valkey, 3) as (first, second, third):
            ticket, _ = await first.enter("a")
            order = []

            async def wait(turns, name):
                held, _ = await turns.enter("a")
                order.append(name)
                turns.leave("a", held)

            waiting = [asyncio.create_task(wait(second, "second"))]
            await asyncio.sleep(0)
            await settle(second)
            waiting.append(asyncio.create_task(wait(third, "third")))
            await asyncio.sleep(0)
            await settle(third)
            first.leave("a", ticket)
            await asyncio.gather(*waiting)
            return order

    assert run(asyncio.wait_for(act(), 20)) == ["second", "third"]


def test_the_site_of_a_killed_process_is_free_again(valkey, monkeypatch):
    async def act():
        async with processes(valkey, 2) as (killed, other), Redis.from_url(valkey) as redis:
            ticket, _ = await killed.enter("a")
            killed._held.clear()  # it never says a word again
            await redis.hset(f"{shared_host_limit.PREFIX}:at:a", "until", "1")  # as if its time had passed
            return ticket, await other.enter("a")

    ticket, (other, _) = run(asyncio.wait_for(act(), 20))
    assert ticket != other


def test_who_waits_looks_by_itself_when_a_holder_fell_silent(valkey, monkeypatch):
    monkeypatch.setattr(shared_host_limit, "BEAT_S", 0.05)

    async def act():
        async with processes(valkey, 2) as (killed, other), Redis.from_url(valkey) as redis:
            await killed.enter("a")
            killed._held.clear()
            waiting = asyncio.create_task(other.enter("a"))
            await asyncio.sleep(0)
            await settle(other)
            assert not waiting.done()
            await redis.hset(f"{shared_host_limit.PREFIX}:at:a", "until", "1")
            return await waiting

    assert run(asyncio.wait_for(act(), 20))


def test_a_holder_that_lives_keeps_its_turn_however_long_its_page_takes(valkey, monkeypatch):
    monkeypatch.setattr(shared_host_limit, "BEAT_S", 0.02)

    async def act():
        async with processes(valkey, 1) as (turns,), Redis.from_url(valkey) as redis:
            await turns.enter("a")
            await redis.hset(f"{shared_host_limit.PREFIX}:at:a", "until", "1")
            while await redis.hget(f"{shared_host_limit.PREFIX}:at:a", "until") == b"1":
                await asyncio.sleep(0.01)
            return True

    assert run(asyncio.wait_for(act(), 20))


def test_a_holder_is_known_again_after_everything_was_forgotten(valkey, monkeypatch):
    monkeypatch.setattr(shared_host_limit, "BEAT_S", 0.02)

    async def act():
        async with processes(valkey, 1) as (turns,), Redis.from_url(valkey) as redis:
            ticket, _ = await turns.enter("a")
            await redis.flushall()
            while (holder := await redis.hget(f"{shared_host_limit.PREFIX}:at:a", "holder")) is None:
                await asyncio.sleep(0.01)
            return holder.decode() == ticket

    assert run(asyncio.wait_for(act(), 20))


def test_who_gives_up_waiting_stands_in_nobodys_way(valkey):
    async def act():
        async with processes(valkey, 2) as (first, second):
            ticket, _ = await first.enter("a")
            waiting = asyncio.create_task(second.enter("a"))
            await asyncio.sleep(0)
            await settle(second)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await settle(second)
            first.leave("a", ticket)
            return await first.enter("a")

    assert run(asyncio.wait_for(act(), 20))


def test_another_request_within_a_turn_waits_as_well(valkey):
    async def act():
        async with processes(valkey, 1, gap_s=10) as (turns,):
            ticket, wait_s = await turns.enter("a")
            return wait_s, await turns.again("a", ticket, 0)

    first, again = run(act())
    assert first == 0
    assert 9 < again <= 10


def test_a_delay_that_a_site_asks_for_holds_for_all(valkey):
    async def act():
        async with processes(valkey, 2, gap_s=1) as (first, second):
            ticket, _ = await first.enter("a")
            first.slower("a", ticket, 10)
            first.leave("a", ticket)
            await settle(first)
            return await second.enter("a")

    assert 9 < run(act())[1] <= 10


def test_a_pause_that_a_site_asks_for_holds_for_all(valkey):
    async def act():
        async with processes(valkey, 2) as (first, second):
            first.pause("a", 10)
            await settle(first)
            return await second.enter("a")

    assert 9 < run(act())[1] <= 10


def test_nobody_waits_for_a_long_pause(valkey):
    async def act():
        async with processes(valkey, 2, longest_s=5) as (first, second):
            first.pause("a", 300)
            await settle(first)
            with pytest.raises(SiteRests) as rest:
                await second.enter("a")
            return rest.value.seconds

    assert 290 < run(act()) <= 300


def test_what_is_said_within_a_moment_is_one_message(valkey):
    async def act():
        async with processes(valkey, 1, gap_s=0) as (turns,), Redis.from_url(valkey) as redis:
            for name in "abcdef":
                turns.leave(name, (await turns.enter(name))[0])
            await settle(turns)
            before = await redis.info("commandstats")
            await asyncio.gather(*(turns.enter(name) for name in "abcdef"))
            after = await redis.info("commandstats")
            return after["cmdstat_evalsha"]["calls"] - before["cmdstat_evalsha"]["calls"]

    assert run(act()) == 1


def test_without_redis_who_waits_learns_it():
    async def act():
        async with processes(NOWHERE, 1) as (turns,):
            with pytest.raises(TurnsAway):
                await turns.enter("a")

    run(act())


def test_a_request_that_is_sent_late_puts_off_that_of_another_process(valkey):
    """However long it took from its turn to its sending."""

    async def act():
        async with processes(valkey, 2, gap_s=2) as (first, second), Redis.from_url(valkey) as redis:
            turn = await Politeness(2, first).enter("a")
            began = int(await redis.hget(f"{shared_host_limit.PREFIX}:at:a", "began"))
            turn._reserved_at -= 5  # the turn was had five seconds ago
            await turn.start()
            turn.begins_now()
            turn.leave()
            await settle(first)
            await second.enter("a")
            return int(await redis.hget(f"{shared_host_limit.PREFIX}:at:a", "began")) - began

    assert run(act()) >= 7_000


# --- falling back ---


def test_without_redis_a_process_is_polite_for_itself_and_says_so_once(caplog):
    async def act():
        async with processes(NOWHERE, 1) as (turns,):
            politeness = Politeness(GAP_S, turns)
            for domain in "ab":
                turn = await politeness.enter(domain)
                await turn.start()
                turn.leave()

    run(act())
    assert [record.message.partition(":")[0] for record in caplog.records] == ["turns_away"]


def test_a_turn_at_a_site_is_kept_when_redis_goes_in_the_middle(valkey):
    async def act():
        async with processes(valkey, 1, gap_s=20) as (turns,):
            politeness = Politeness(20, turns)
            turn = await politeness.enter("a")
            await turn.start()
            turns._fail(TurnsAway())
            turn.leave()
            return politeness._places["a"].next_at - asyncio.get_running_loop().time()

    assert 19 < run(act()) <= 20
