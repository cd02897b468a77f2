"""Behaviour of DuckDuckGo alone, or of its provider."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from research.search.search_protocol import SearchCode
from tests.fetching.site import Said
from tests.search.apis.ddgs import CHALLENGE, WORLD
from tests.search.apis.server import Asking, serve_world


@pytest.fixture
def ddgs() -> Iterator[Asking]:
    with serve_world(WORLD) as service:
        yield service


def test_a_link_that_counts_clicks_is_unwrapped(ddgs):
    ddgs.has(
        '<div class="result"><a class="result__a"'
        ' href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F%3Fb%3Dc%26d">A</a></div>'
    )
    assert [hit.url for hit in ddgs.search().hits] == ["https://a.example/?b=c&d"]


def test_a_link_that_is_not_wrapped_is_taken_as_it_stands(ddgs):
    ddgs.has('<div class="result"><a class="result__a" href="https://a.example/">A</a></div>')
    assert [hit.url for hit in ddgs.search().hits] == ["https://a.example/"]


def test_an_advertisement_is_no_result(ddgs):
    ddgs.has(
        '<div class="result"><a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=x">Buy</a></div>'
    )
    assert ddgs.search().hits == ()


def test_markup_in_a_title_stays_text(ddgs):
    ddgs.has(
        '<div class="result"><a class="result__a" href="https://a.example/">&lt;script&gt; <b>in</b> C</a></div>'
    )
    assert ddgs.search().hits[0].title == "<script> in C"


@pytest.mark.parametrize(
    "said",
    [CHALLENGE, Said(CHALLENGE.body, 403), Said(CHALLENGE.body, 200), Said("", 202)],
    ids=["202", "403", "200", "empty"],
)
def test_a_proof_of_being_human_counts_as_too_often(ddgs, said):
    ddgs.server.says = lambda call: said
    [error, _] = ddgs.failures("heat", "pumps")
    assert (error.code, error.pause_s) == (SearchCode.RATE_LIMITED, 600)
    assert len(ddgs.calls) == 1


@pytest.mark.parametrize(
    ("region", "word"), [("", "wt-wt"), ("de", "de-de"), ("uk", "uk-en"), ("fr-ch", "ch-fr"), ("eu", "wt-wt")]
)
def test_a_region_is_a_country_and_a_language(ddgs, region, word):
    ddgs.search(region=region)
    assert ddgs.calls[0].word("kl") == word


def test_a_time_range_is_told_to_the_day(ddgs):
    ddgs.search(published_from=date(2024, 2, 29))
    assert ddgs.calls[0].word("df") == f"2024-02-29..{datetime.now(tz=UTC).date()}"


def test_sites_are_told_in_its_operators(ddgs):
    ddgs.search(excluded_domains=frozenset({"a.example"}))
    ddgs.search("heat", allowed_domains=frozenset({"b.example", "c.example"}))
    assert [call.word("q") for call in ddgs.calls] == [
        "heat pumps -site:a.example",
        "heat (site:b.example OR site:c.example)",
    ]
