"""The rate of requests to a service: by all processes together, and by each alone while Redis is away."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from research.runtime.shared_redis import SharedRedis
from research.search.search_request_pace import Pace, ProcessPace, Rate, TooFar
from tests.fetching.sockets import run

AWAY = "unix:///nowhere/valkey.sock"


def waits(rate: Rate, *asked_at: float) -> list[float]:
    line = ProcessPace(rate)
    return [round(line.take(at, 1_000), 3) for at in asked_at]


def test_one_after_the_other():
    assert waits(Rate(2), 0, 0, 0, 10) == [0, 2, 4, 0]


def test_a_rested_service_gets_its_burst_at_once():
    assert waits(Rate(10, burst=3), 0, 0, 0, 0, 100, 100, 100, 100) == [0, 0, 0, 10, 0, 0, 0, 10]


def test_without_a_limit_nobody_waits():
    assert waits(Rate(), *[0.0] * 50) == [0] * 50


def test_who_would_wait_too_long_takes_no_place():
    line = ProcessPace(Rate(5))
    line.take(0, 0)
    for _ in range(3):
        with pytest.raises(TooFar):
            line.take(0, 4)
    assert line.take(0, 5) == 5


def test_a_pause_holds_for_everyone_and_then_they_go_one_by_one():
    line = ProcessPace(Rate(1, burst=3))
    line.pause(0, 60)
    assert [line.take(0, 100), line.take(0, 100)] == [60, 61]


@given(st.floats(0.1, 10), st.integers(1, 10), st.lists(st.floats(0, 5), max_size=100))
def test_no_time_ever_has_more_than_its_burst_and_what_flows_in(interval, burst, gaps):
    line, now, begun = ProcessPace(Rate(interval, burst)), 0.0, []
    for gap in gaps:
        now += gap
        begun.append(now + line.take(now, 1e9))
    for span in (1.0, 10.0, 60.0):
        most = max((sum(start <= at < start + span - 1e-6 for at in begun) for start in begun), default=0)
        assert most <= burst + span / interval + 1e-6


# --- several processes ---


async def turns(url: str, count: int, rate: Rate, patience_s: float = 1e6) -> list[float]:
    """Each of a process of its own: how far away they are."""
    waits: list[float] = []
    for _ in range(count):
        shared = SharedRedis(url)
        try:
            waits.append(await Pace(shared, "service", rate).take(patience_s))
        finally:
            await shared.aclose()
    return waits


def test_processes_stand_in_one_line(valkey):
    first, second, third = run(turns(valkey, 3, Rate(1_000)))
    assert first == 0
    assert 900 < second <= 1_000
    assert 1_900 < third <= 2_000


def test_while_redis_is_away_each_process_counts_for_itself():
    assert run(turns(AWAY, 3, Rate(1_000))) == [0, 0, 0]


def test_a_process_that_would_wait_too_long_takes_no_place_in_the_common_line(valkey):
    with pytest.raises(TooFar):
        run(turns(valkey, 2, Rate(1_000), patience_s=5))
    with Redis.from_url(valkey) as client:
        assert int(client.get("plumbline:pace:service")) < 1000 * (time.time() + 1_001)


def test_a_pause_is_heard_by_every_process(valkey):
    async def act() -> float:
        one, other = SharedRedis(valkey), SharedRedis(valkey)
        await Pace(one, "service", Rate()).pause(500)
        wait = await Pace(other, "service", Rate()).take(1_000)
        await one.aclose()
        await other.aclose()
        return wait

    assert 400 < run(act()) <= 500


def test_a_pause_holds_while_redis_is_away():
    async def act() -> None:
        pace = Pace(SharedRedis(AWAY), "service", Rate())
        await pace.pause(60)
        await pace.take(5)

    with pytest.raises(TooFar):
        run(act())


def test_what_somebody_else_left_in_its_place_does_no_harm(valkey):
    with Redis.from_url(valkey) as client:
        client.set("plumbline:pace:service", "nonsense")
    assert run(turns(valkey, 1, Rate(1))) == [0]
