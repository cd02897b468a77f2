"""One request at a time to a domain, with a rest between; others need not wait."""

import asyncio

import pytest

from research.acquisition.politeness import FORGOTTEN_ABOVE, Politeness
from tests.acquisition.sockets import run


def test_a_domain_never_gets_two_requests_at_once_and_others_do():
    async def act() -> dict[str, int]:
        politeness, now, most = Politeness(1e-6), {"a": 0, "b": 0}, {"a": 0, "b": 0, "both": 0}

        async def one(domain: str) -> None:
            async with politeness.turn(domain):
                await politeness.rest(domain)
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

    monkeypatch.setattr("research.acquisition.politeness.asyncio.sleep", sleep)
    return waits


def test_requests_to_a_domain_rest_between_and_the_first_does_not_wait(slept):
    async def act() -> None:
        politeness = Politeness(30)
        await politeness.rest("a")
        await politeness.rest("b")
        await politeness.rest("a")

    run(act())
    assert slept == [0, 0, 30]


def test_a_site_may_ask_for_a_longer_rest(slept):
    async def act() -> None:
        politeness = Politeness(30)
        await politeness.rest("a", least_s=60)
        politeness.pause("b", 90)
        await politeness.rest("a")
        await politeness.rest("b")

    run(act())
    assert slept == [0, 60, 90]


def test_turns_are_given_in_the_order_in_which_they_were_asked_for():
    async def act() -> list[int]:
        politeness, order = Politeness(0.0), []

        async def one(number: int) -> None:
            async with politeness.turn("a"):
                order.append(number)

        await asyncio.gather(*map(one, range(5)))
        return order

    assert run(act()) == [0, 1, 2, 3, 4]


def test_domains_that_nobody_waits_for_are_forgotten():
    async def act() -> int:
        politeness = Politeness(0.0)
        for number in range(3 * FORGOTTEN_ABOVE):
            async with politeness.turn(f"site-{number}"):
                pass
        return len(politeness._places)

    assert run(act()) <= FORGOTTEN_ABOVE + 1


def test_where_no_rest_is_wanted_requests_go_side_by_side():
    async def act() -> int:
        politeness, now, most = Politeness(0.0), 0, 0

        async def one() -> None:
            nonlocal now, most
            async with politeness.turn("a"):
                await politeness.rest("a")
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
        await asyncio.gather(*(politeness.rest("a", least_s=5) for _ in range(3)))

    run(act())
    assert slept == [0, 5, 10]
