"""Results of searches, kept for a tenant: how long, for whom, and what is never taken for an answer."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from uuid import UUID

import pytest
from django.test import override_settings
from redis import Redis

from research.models import SourceType
from research.runtime.shared_redis import SharedRedis
from research.search.search_protocol import Filters, Hits, SearchHit, SearchType
from research.search.search_result_cache import DAY_S, HOUR_S, Identity, KeptResults, select_cache_lifetime
from tests.fetching.site import Said
from tests.fetching.sockets import run
from tests.search.apis.searxng import WORLD
from tests.search.apis.server import Asking, serve_world
from tests.search.test_pace import AWAY

TODAY = date(2024, 6, 15)
ADA, BOB = UUID(int=1), UUID(int=2)
ONE = Identity(ADA, "brave", "https://api.example", "heat pumps", Filters(SearchType.WEB))
HITS = Hits(
    (SearchHit("https://a.example/", "A", "Words.", "a.example", "2024", SourceType.NEWS),), unreadable=2
)


@pytest.mark.parametrize(
    ("days", "kept"),
    [(1, HOUR_S / 2), (7, HOUR_S), (31, 2 * HOUR_S), (366, 4 * HOUR_S), (4_000, DAY_S), (None, DAY_S)],
)
def test_the_shorter_the_time_that_is_searched_the_sooner_it_is_asked_again(days, kept):
    since = TODAY - timedelta(days) if days else None
    assert select_cache_lifetime(Filters(SearchType.NEWS, since), TODAY) == kept


def test_code_is_kept_for_a_week():
    assert select_cache_lifetime(Filters(SearchType.CODE), TODAY) == 7 * DAY_S


def use_cache(url: str, act: Callable) -> Hits | None:
    async def within() -> Hits | None:
        shared = SharedRedis(url)
        try:
            return await act(KeptResults(shared))
        finally:
            await shared.aclose()

    return run(within())


def find(url: str, identity: Identity = ONE) -> Hits | None:
    return use_cache(url, lambda kept: kept.find(identity))


@pytest.fixture
def cache_with_hits(valkey: str) -> str:
    use_cache(valkey, lambda kept: kept.keep(ONE, HITS, 60))
    return valkey


def test_what_was_kept_comes_back_as_it_was(cache_with_hits):
    assert find(cache_with_hits) == HITS


@pytest.mark.parametrize(
    "change",
    [
        {"tenant": BOB}, {"provider": "ddgs"}, {"place": "https://other.example"}, {"query": "heat pump"},
        {"filters": Filters(SearchType.NEWS)}, {"filters": Filters(SearchType.WEB, region="de")},
        {"filters": Filters(SearchType.WEB, TODAY)},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_it_answers_nothing_else_and_nobody_else(cache_with_hits, change):
    assert find(cache_with_hits, replace(ONE, **change)) is None


PACKED = [zlib.compress(odd) for odd in (b"", b"{}", b"[]", b'{"identity": 1, "hits": 2}')]


@pytest.mark.parametrize("odd", [b"", b"nonsense", b"{}", b"\xff\x00", *PACKED])
def test_what_makes_no_sense_is_not_there(cache_with_hits, odd):
    with Redis.from_url(cache_with_hits) as client:
        client.set(ONE.key, odd)
    assert find(cache_with_hits) is None


def test_no_more_is_unpacked_than_an_entry_can_be(cache_with_hits):
    with Redis.from_url(cache_with_hits) as client:
        client.set(ONE.key, zlib.compress(b" " * 50_000_000))
    assert find(cache_with_hits) is None


def test_what_is_kept_takes_a_fraction_of_its_words(valkey):
    """The queue lives in the same memory."""
    hits = tuple(
        replace(HITS.hits[0], url=f"https://{n}.example/", snippet=f"Words {n} " * 40) for n in range(30)
    )
    use_cache(valkey, lambda kept: kept.keep(ONE, Hits(hits), 60))
    with Redis.from_url(valkey) as client:
        assert len(client.get(ONE.key)) < sum(len(hit.snippet) for hit in hits) / 4


def test_an_answer_to_something_else_in_its_place_is_not_taken(cache_with_hits):
    other = replace(ONE, tenant=BOB)
    with Redis.from_url(cache_with_hits) as client:
        client.set(other.key, client.get(ONE.key))
    assert find(cache_with_hits, other) is None


def test_it_goes_when_its_time_is_over(cache_with_hits):
    with Redis.from_url(cache_with_hits) as client:
        assert 0 < client.ttl(ONE.key) <= 60


def test_while_redis_is_away_nothing_is_kept_and_nothing_fails():
    use_cache(AWAY, lambda kept: kept.keep(ONE, HITS, 60))
    assert find(AWAY) is None


# --- in a search ---


@pytest.fixture
def searxng(valkey):
    with serve_world(WORLD) as service, override_settings(REDIS_LOCATION=valkey):
        service.has(WORLD.raw(WORLD.make(1)))
        yield service


def test_the_same_question_is_asked_once(searxng: Asking):
    assert searxng.search("heat").hits == searxng.search("heat").hits != ()
    assert len([call for call in searxng.calls if call.number("pageno") == 1]) == 1


def test_another_tenant_asks_for_itself(searxng: Asking):
    searxng.search("heat")
    searxng.tenant = BOB
    searxng.search("heat")
    assert len([call for call in searxng.calls if call.number("pageno") == 1]) == 2


def test_what_came_incomplete_is_asked_again(searxng: Asking):
    answers = searxng.server.says
    searxng.server.says = lambda call: answers(call) if call.number("pageno") == 1 else Said("", 500)
    assert searxng.search("heat").trouble is not None
    before = len(searxng.calls)
    searxng.search("heat")
    assert len(searxng.calls) == 2 * before
