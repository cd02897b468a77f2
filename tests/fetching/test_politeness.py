"""One request at a time to a domain, with a rest between; others need not wait. Within one process."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from research.fetching.per_host_limit import FORGOTTEN_ABOVE, MAX_S, Politeness
from research.fetching.shared_host_limit import SiteRests
from tests.fetching.sockets import run


@asynccontextmanager
async def turn(politeness: Politeness, domain: str):
    held = await politeness.enter(domain)
    try:
        yield held
    finally:
        held.leave()


async def request(politeness: Politeness, domain: str, least_s: float = 0.0) -> None:
    async with turn(politeness, domain) as held:
        await held.start(least_s)


def test_a_domain_never_gets_two_requests_at_once_and_others_do():
    async def act() -> dict[str, int]:
        politeness, now, most = Politeness(1e-6), {"a": 0, "b": 0}, {"a": 0, "b": 0, "both": 0}

        async def one(domain: str) -> None:
            async with turn(politeness, domain) as held:
                await held.start()
                now[domain] += 1
                most[domain] = max(most[domain], now[domain])
                most["both"] = max(most["both"], sum(now.values()))
                await asyncio.sleep(0)
                now[domain] -= 1

        await asyncio.gather(*(one(domain) for domain in "abababab"))
        return most

    assert run(act()) == {"a": 1, "b": 1, "both": 2}


@pytest.fixture
def slept(monkeypatch) -> list[float]:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(round(seconds, 1))

    monkeypatch.setattr("research.fetching.per_host_limit.asyncio.sleep", sleep)
    return waits


def test_requests_to_a_domain_rest_between_and_the_first_does_not_wait(slept):
    async def act() -> None:
        politeness = Politeness(20)
        for domain in "aba":
            await request(politeness, domain)

    run(act())
    assert slept == [0, 0, 20]


def test_requests_within_a_turn_rest_too(slept):
    async def act() -> None:
        async with turn(Politeness(20), "a") as held:
            await held.start()
            await held.start()

    run(act())
    assert slept == [0, 20]


def test_a_site_may_ask_for_a_longer_rest(slept):
    async def act() -> None:
        politeness = Politeness(10)
        await request(politeness, "a", least_s=20)
        async with turn(politeness, "b") as held:
            held.pause(25)
        await request(politeness, "a")
        await request(politeness, "b")

    run(act())
    assert slept == [0, 20, 25]


def test_a_request_that_is_sent_late_puts_off_the_next(slept, monkeypatch):
    async def act() -> None:
        politeness, loop = Politeness(10), asyncio.get_running_loop()
        async with turn(politeness, "a") as held:
            await held.start()
            later = loop.time() + 7  # it waited for something else
            with monkeypatch.context() as patch:
                patch.setattr(loop, "time", lambda: later)
                held.begins_now()
                held.begins_now()  # told twice where a connection broke
        await request(politeness, "a")

    run(act())
    assert slept == [0, 17]


def test_nobody_waits_for_a_site_that_rests_for_long():
    async def act() -> None:
        politeness = Politeness(10)
        async with turn(politeness, "a") as held:
            held.pause(2 * MAX_S)
        with pytest.raises(SiteRests) as rest:
            await politeness.enter("a")
        assert rest.value.seconds > MAX_S
        async with turn(politeness, "b"):
            pass

    run(act())


def test_turns_are_given_in_the_order_in_which_they_were_asked_for():
    async def act() -> list[int]:
        politeness, order = Politeness(1e-6), []

        async def one(number: int) -> None:
            async with turn(politeness, "a"):
                order.append(number)

        await asyncio.gather(*map(one, range(5)))
        return order

    assert run(act()) == [0, 1, 2, 3, 4]


def test_who_gives_up_waiting_stands_in_nobodys_way():
    async def act() -> list[str]:
        politeness, had = Politeness(1e-6), []
        async with turn(politeness, "a"):
            waiting = asyncio.create_task(politeness.enter("a"))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            had.append("first")
        async with asyncio.timeout(5), turn(politeness, "a"):
            had.append("next")
        return had

    assert run(act()) == ["first", "next"]


def test_domains_that_nobody_waits_for_are_forgotten():
    async def act() -> int:
        politeness = Politeness(0.0)
        for number in range(3 * FORGOTTEN_ABOVE):
            async with turn(politeness, f"site-{number}"):
                pass
        return len(politeness._places)

    assert run(act()) <= FORGOTTEN_ABOVE + 1


def test_where_no_rest_is_wanted_requests_go_side_by_side():
    async def act() -> int:
        politeness, now, most = Politeness(0.0), 0, 0

        async def one() -> None:
            nonlocal now, most
            async with turn(politeness, "a") as held:
                await held.start()
                now += 1
                most = max(most, now)
                await asyncio.sleep(0)
                now -= 1

        await asyncio.gather(*(one() for _ in range(5)))
        return most

    assert run(act()) == 5


def test_a_delay_that_a_site_asks_for_is_kept_where_we_want_none(slept):
    async def act() -> None:
        politeness = Politeness(0.0)
        await asyncio.gather(*(request(politeness, "a", least_s=5) for _ in range(3)))

    run(act())
    assert slept == [0, 5, 10]
