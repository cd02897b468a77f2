"""SearXNG, asked at a local server that answers in its shape: results, pages, nothing, limits, nonsense."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from research.acquisition.providers.protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchHit,
    SearchType,
)
from research.acquisition.providers.searxng import MOST_PAGES, SearxngProvider
from research.models import SourceType
from tests.acquisition.site import Answer, Said, Site, result, searxng, serving
from tests.acquisition.sockets import run

WEB = Filters(SearchType.WEB, most=30)


def many(query: str, page: int) -> list[dict[str, object]]:
    return [result(f"https://site-{page}.example/{query}/{n}", f"Page {n}") for n in range(10)]


@contextmanager
def searching(answer: Answer) -> Iterator[tuple[Site, Callable[..., Hits]]]:
    with serving({"/search": answer}) as site:

        def search(query: str = "heat", filters: Filters = WEB, limit_s: float = 5) -> Hits:
            async def act() -> Hits:
                provider = SearxngProvider(f"{site.base}/", limit_s=limit_s)
                try:
                    return await provider.search(query, filters)
                finally:
                    await provider.aclose()

            return run(act())

        yield site, search


def asked(site: Site) -> list[dict[str, list[str]]]:
    return [parse_qs(urlsplit(path).query) for path in site.asked]


def test_results_become_hits():
    one = result(
        "https://www.gov.uk/a", " Heat\n pumps ", "A  snippet", "2024-05-01T10:00:00"
    )  # fmt: skip
    with searching(searxng(lambda query, page: [one] if page == 1 else [])) as (_, search):
        [hit] = search().hits
    assert hit == SearchHit(
        url="https://www.gov.uk/a",
        title="Heat pumps",
        snippet="A snippet",
        domain="gov.uk",
        published="2024-05-01",
        source_type=SourceType.GOVERNMENT,
    )


def test_as_many_pages_are_asked_for_as_are_needed():
    with searching(searxng(many)) as (site, search):
        assert len(search(filters=Filters(SearchType.WEB, most=25)).hits) == 25
    assert [one["pageno"] for one in asked(site)] == [["1"], ["2"], ["3"]]


def test_no_more_pages_are_asked_for_than_the_limit():
    with searching(searxng(many)) as (site, search):
        assert len(search(filters=Filters(SearchType.WEB, most=500)).hits) == 10 * MOST_PAGES
    assert len(site.asked) == MOST_PAGES


def test_a_server_that_repeats_itself_is_not_asked_without_end():
    with searching(searxng(lambda query, page: many(query, 1))) as (site, search):
        assert len(search().hits) == 10
    assert len(site.asked) == 2


def test_nothing_found_is_no_failure():
    with searching(searxng(lambda query, page: [])) as (_, search):
        assert search() == Hits(())


@pytest.mark.parametrize("odd", [7, None, [], {"url": 7}, {"url": "https://b.example/", "title": ["x"]}])
def test_a_result_of_another_shape_costs_only_itself_and_is_counted(odd):
    fine = result("https://a.example/", "Heat pumps")
    with searching(searxng(lambda query, page: [odd, fine] if page == 1 else [])) as (_, search):
        found = search()
    assert ([hit.url for hit in found.hits], found.unreadable) == (["https://a.example/"], 1)


def test_results_without_address_or_with_odd_values_do_no_harm():
    odd = [
        {"title": "no address"},
        {"url": "https://a.example/", "title": None, "content": None, "publishedDate": "soon"},
    ]
    with searching(searxng(lambda query, page: odd if page == 1 else [])) as (_, search):
        [hit] = search().hits
    assert (hit.url, hit.title, hit.published) == ("https://a.example/", "", "")


def test_characters_that_no_row_can_hold_are_left_out_of_a_result():
    odd = result("https://a.example/\x00b", "He\ud800at\x00 pumps", "A \u200bsnippet\udc00")
    with searching(searxng(lambda query, page: [odd] if page == 1 else [])) as (_, search):
        [hit] = search().hits
    assert (hit.url, hit.title, hit.snippet) == ("https://a.example/b", "Heat pumps", "A snippet")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (429, SearchCode.RATE_LIMITED), (500, SearchCode.TIMEOUT), (503, SearchCode.TIMEOUT),
        (403, SearchCode.NOT_AVAILABLE), (400, SearchCode.INVALID_QUERY), (302, SearchCode.INVALID_QUERY),
    ],
)  # fmt: skip
def test_a_failure_has_its_code(status, code):
    said = Said("oops", status, headers={"Location": "http://127.0.0.1:1/"})
    with searching(said) as (_, search), pytest.raises(SearchError) as failure:
        search()
    assert failure.value.code is code


@pytest.mark.parametrize("body", ["<html>not JSON</html>", "[]", '{"results": 7}', ""])
def test_an_answer_that_makes_no_sense_is_a_named_failure(body):
    with searching(Said(body)) as (_, search), pytest.raises(SearchError) as failure:
        search()
    assert failure.value.code is SearchCode.INVALID_QUERY


def test_a_server_that_is_away_is_a_named_failure():
    with searching(Said()) as (site, search):
        pass
    with pytest.raises(SearchError) as failure:
        search()
    assert failure.value.code is SearchCode.TIMEOUT
    assert site.asked == []


def test_a_slow_server_is_given_up():
    let_go = threading.Event()

    def slowly(path: str) -> Said:
        let_go.wait(10)
        return Said("{}")

    with searching(slowly) as (_, search):
        with pytest.raises(SearchError) as failure:
            search(limit_s=0.05)
        let_go.set()
    assert failure.value.code is SearchCode.TIMEOUT


@pytest.mark.parametrize(
    ("days", "words"), [(1, "day"), (7, "week"), (30, "month"), (300, "year"), (3_000, None)]
)
def test_the_time_range_is_the_narrowest_that_holds_all_that_is_wanted(days, words):
    since = datetime.now(tz=UTC).date() - timedelta(days)
    with searching(searxng(lambda query, page: [])) as (site, search):
        search(filters=Filters(SearchType.WEB, since))
    assert asked(site)[0].get("time_range") == ([words] if words else None)


@pytest.mark.parametrize(("kind", "category"), [(SearchType.NEWS, "news"), (SearchType.ACADEMIC, "science")])
def test_the_kind_of_search_is_a_category(kind, category):
    with searching(searxng(lambda query, page: [])) as (site, search):
        search(filters=Filters(kind))
    assert asked(site)[0]["categories"] == [category]


def test_pictures_and_the_library_are_not_its_business():
    provider = SearxngProvider("http://127.0.0.1:1")
    assert not provider.serves(SearchType.IMAGES)
    assert not provider.serves(SearchType.LIBRARY)
