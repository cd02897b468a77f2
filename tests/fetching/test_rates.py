"""So many a minute for each run."""

from collections.abc import Iterator
from math import inf
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.fetching.fetch_process import FetchProcess
from research.fetching.fetch_rates import FORGOTTEN_ABOVE, FetchRateLimiter
from research.search.search_process import SearchProcess
from research.search.search_protocol import Filters, SearchType
from tests.fetching.site import Said, Site, result, searxng, serve_site
from tests.fetching.sockets import run


def waits(rate: FetchRateLimiter, *asked_at: float, who: str = "run") -> list[float]:
    return [round(rate.wait_s(who, at), 3) for at in asked_at]


def test_the_first_of_a_minute_begin_at_once_and_the_others_one_by_one():
    assert waits(FetchRateLimiter(3), 0, 0, 0, 0, 0) == [0, 0, 0, 20, 40]


def test_what_is_not_used_comes_back_and_no_more_than_that():
    rate = FetchRateLimiter(3)
    assert waits(rate, 0, 0, 0) == [0, 0, 0]
    assert waits(rate, 40, 40, 40) == [0, 0, 20]
    assert waits(rate, 9_000, 9_000, 9_000, 9_000) == [0, 0, 0, 20]


def test_runs_do_not_wait_for_each_other():
    rate = FetchRateLimiter(1)
    assert waits(rate, 0, 0, who="a") == [0, 60]
    assert waits(rate, 0, who="b") == [0]


def test_without_a_limit_nobody_waits():
    assert waits(FetchRateLimiter(inf), *[0.0] * 500) == [0.0] * 500


def test_a_limit_of_none_still_lets_one_through():
    assert waits(FetchRateLimiter(0), 0, 0) == [0, 60]


def test_runs_of_long_ago_are_forgotten_and_those_that_wait_are_not():
    rate = FetchRateLimiter(1)
    for number in range(FORGOTTEN_ABOVE):
        rate.wait_s(f"old {number}", 0)
    assert waits(rate, 30, 30, who="waits") == [0, 60]
    assert waits(rate, 61, who="new") == [0]
    assert waits(rate, 61, who="waits") == [89]


@given(a_minute=st.integers(1, 100), gaps=st.lists(st.floats(0, 30), max_size=200))
def test_no_minute_ever_begins_more_than_twice_the_limit_and_no_ten_more_than_eleven_times(a_minute, gaps):
    """A full bucket and what flows into it within the time: the bound of every token bucket."""
    rate, now, begun = FetchRateLimiter(a_minute), 0.0, []
    for gap in gaps:
        now += gap
        begun.append(now + rate.wait_s("run", now))
    for minutes in (1, 10):
        most = max(
            (sum(start <= at < start + 60 * minutes - 1e-6 for at in begun) for start in begun), default=0
        )
        assert most <= a_minute * (minutes + 1)


# --- where it is applied ---

QUERY, FILTERS, TENANT = "heat pumps", Filters(SearchType.WEB), UUID(int=1)


@pytest.fixture
def site() -> Iterator[Site]:
    with serve_site({"/a": Said("A page."), "/b": Said("Another.")}) as site:
        site.pages["/search"] = searxng(lambda query, page: [result(f"{site.base}/a")] if page == 1 else [])
        yield site


@pytest.fixture
def make_process(settings, site):
    """A process that searches and fetches so often a minute."""
    made: list[FetchProcess] = []

    def make(politeness_ms: int = 1, **limits: int) -> FetchProcess:
        settings.PLUMBLINE_LIMITS = {
            **settings.PLUMBLINE_LIMITS,
            **{name: (number,) for name, number in limits.items()},
        }
        settings.PLUMBLINE_ALLOW_LOOPBACK = True
        settings.PLUMBLINE_POLITENESS_MS = politeness_ms
        settings.PLUMBLINE_SEARXNG_URL = site.base
        made.append(FetchProcess())
        return made[-1]

    yield make
    for process in made:
        process.close()


@pytest.fixture
def slept(monkeypatch) -> list[int]:
    """Whole seconds that somebody would have waited."""
    waits: list[int] = []

    async def sleep(seconds: float) -> None:
        waits.extend([round(seconds)] if seconds > 1 else [])

    monkeypatch.setattr("research.fetching.fetch_rates.asyncio.sleep", sleep)
    return waits


async def search_all(process: FetchProcess, *runs: str) -> int:
    searches = process.extension(SearchProcess)
    return sum([len((await searches.search(QUERY, FILTERS, run, TENANT)).hits) for run in runs])


async def fetch_all(process: FetchProcess, *urls: str) -> list[str]:
    return [(await process.do(process.fetcher.fetch(url, "run"))).url for url in urls]


def test_a_runs_searches_wait_beyond_the_settings_limit(make_process, slept):
    assert run(search_all(make_process(searches_a_minute=2), "a", "a", "b", "a")) == 4
    assert slept == [30]


def test_a_runs_fetches_wait_beyond_the_settings_limit(make_process, site, slept):
    urls = [f"{site.base}/a", f"{site.base}/b"]
    assert run(fetch_all(make_process(fetches_a_minute=1), *urls)) == urls
    assert slept == [60]


def test_asking_for_robots_txt_does_not_count(make_process, site, slept):
    run(fetch_all(make_process(fetches_a_minute=1), f"{site.base}/a"))
    assert (site.asked, slept) == (["/robots.txt", "/a"], [])


def test_sites_of_ones_own_are_fetched_as_fast_as_they_answer(make_process, site, slept):
    process = make_process(politeness_ms=0, fetches_a_minute=1)
    assert len(run(fetch_all(process, f"{site.base}/a", f"{site.base}/b"))) == 2
    assert slept == []
