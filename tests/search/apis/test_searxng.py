"""Behaviour of SearXNG alone, or of its provider."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from research.models import SourceType
from research.search.providers.search_catalogue import ENTRIES
from research.search.search_protocol import SearchCode, SearchHit, SearchType
from tests.fetching.site import Said, result
from tests.search.apis.searxng import WORLD
from tests.search.apis.server import Asking, Call, serve_world


@pytest.fixture
def searxng() -> Iterator[Asking]:
    with serve_world(WORLD) as service:
        yield service


def test_a_result_is_cleaned_and_classified(searxng):
    searxng.has(result("https://www.gov.uk/a", " Heat\n pumps ", "A  snippet", "2024-05-01T10:00:00"))
    assert searxng.search().hits == (
        SearchHit(
            url="https://www.gov.uk/a",
            title="Heat pumps",
            snippet="A snippet",
            domain="gov.uk",
            published="2024-05-01",
            source_type=SourceType.GOVERNMENT,
        ),
    )


def test_a_server_that_repeats_itself_is_not_asked_without_end(searxng):
    same = [result(f"https://site-{n}.example/", f"Page {n}") for n in range(10)]
    searxng.server.says = lambda call: WORLD.answer(call, [*same, *same, *same])
    assert len(searxng.search(most=30).hits) == 10
    assert sorted(call.number("pageno", 1) for call in searxng.calls) == [1, 2, 3]  # and none after these


def test_after_the_first_page_those_that_are_still_wanted_are_asked_for_together(searxng):
    there = threading.Barrier(3, timeout=20)  # none of the three is answered before all of them are asked

    def says(call: Call) -> Said:
        if call.number("pageno", 1) > 1:
            there.wait()
        return WORLD.answer(call, [result(f"https://site-{n}.example/", f"Page {n}") for n in range(60)])

    searxng.server.says = says
    assert [hit.title for hit in searxng.search(most=40).hits] == [f"Page {n}" for n in range(40)]
    assert sorted(call.number("pageno", 1) for call in searxng.calls) == [1, 2, 3, 4]


def test_a_page_that_fails_among_others_leaves_those_before_it(searxng):
    def says(call: Call) -> Said:
        if call.number("pageno", 1) == 3:
            return Said("", 500)
        return WORLD.answer(call, [result(f"https://site-{n}.example/", f"Page {n}") for n in range(60)])

    searxng.server.says = says
    found = searxng.search(most=40)
    assert [hit.title for hit in found.hits] == [f"Page {n}" for n in range(20)]
    assert found.trouble is not None


def test_results_without_address_or_with_odd_values_do_no_harm(searxng):
    odd = {"url": "https://a.example/", "title": None, "content": None, "publishedDate": "soon"}
    searxng.has({"title": "no address"}, odd)
    [hit] = searxng.search().hits
    assert (hit.url, hit.title, hit.published) == ("https://a.example/", "", "")


def test_characters_that_no_row_can_hold_are_left_out_of_a_result(searxng):
    searxng.has(result("https://a.example/\x00b", "He\ud800at\x00 pumps", "A \u200bsnippet\udc00"))
    [hit] = searxng.search().hits
    assert (hit.url, hit.title, hit.snippet) == ("https://a.example/b", "Heat pumps", "A snippet")


def test_a_server_whose_json_is_off_says_what_may_be_wrong(searxng):
    searxng.server.says = lambda call: Said("", 403)
    [error] = searxng.failures("heat")
    assert "JSON format may be disabled" in error.message


def none_of(*engines: list[str]) -> Said:
    return Said(json.dumps({"results": [], "unresponsive_engines": engines}), kind="application/json")


def test_nothing_found_because_no_engine_answered_is_a_failure(searxng):
    searxng.server.says = lambda call: none_of(["google", "CAPTCHA"], ["bing", "timeout"])
    [error] = searxng.failures("heat")
    assert (error.code, error.message) == (
        SearchCode.TIMEOUT, "None of its engines answered: google (CAPTCHA), bing (timeout).",
    )  # fmt: skip


@pytest.mark.parametrize(("region", "word"), [("de", "de-DE"), ("fr-ch", "fr-CH"), ("eu", ""), ("", "")])
def test_a_country_is_asked_for_with_its_language(searxng, region, word):
    searxng.search(region=region)
    assert searxng.calls[0].word("language") == word


def test_several_kinds_of_search_are_several_categories(searxng):
    searxng.search(type=SearchType.ACADEMIC, also=(SearchType.WEB,))
    assert searxng.calls[0].word("categories") == "science,general"


def test_a_server_of_ones_own_that_is_away_is_asked_again_each_time(searxng, settings):
    settings.PLUMBLINE_SEARXNG_URL = "http://127.0.0.1:1"
    assert [failure.code for failure in searxng.failures("heat", "pumps")] == [SearchCode.TIMEOUT] * 2


@pytest.mark.parametrize(
    ("days", "words"), [(1, "day"), (7, "week"), (30, "month"), (300, "year"), (3_000, "")]
)
def test_the_time_range_is_the_narrowest_that_holds_all_that_is_wanted(searxng, days, words):
    searxng.search(published_from=datetime.now(tz=UTC).date() - timedelta(days))
    assert searxng.calls[0].word("time_range") == words


@pytest.mark.parametrize(("kind", "category"), [(SearchType.NEWS, "news"), (SearchType.IMAGES, "images")])
def test_the_kind_of_search_is_a_category(searxng, kind, category):
    searxng.search(type=kind)
    assert searxng.calls[0].word("categories") == category


def test_the_library_is_not_its_business():
    assert not ENTRIES["searxng"].serves & {SearchType.LIBRARY}
