"""Behaviour of Brave alone, or of its provider."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from research.search.search_protocol import SearchCode, SearchType
from tests.search.apis.brave import WORLD, build_refusal, limits
from tests.search.apis.server import KEY, Asking, serve_world


@pytest.fixture
def brave() -> Iterator[Asking]:
    with serve_world(WORLD) as service:
        yield service


def test_its_key_travels_in_a_header(brave):
    brave.search()
    assert brave.calls[0].headers["x-subscription-token"] == KEY


def test_news_are_asked_for_by_fifty(brave):
    brave.has(*(WORLD.raw(WORLD.make(number)) for number in range(60)))
    assert len(brave.search(type=SearchType.NEWS, most=60).hits) == 60
    assert [(call.path, call.word("count")) for call in brave.calls] == [("/res/v1/news/search", "50")] * 2


def test_images_are_pages_that_show_them_all_at_once(brave):
    brave.has(*(WORLD.raw(WORLD.make(number)) for number in range(120)))
    found = brave.search(type=SearchType.IMAGES, most=120, published_from=date(2020, 1, 1))
    assert (len(found.hits), len(brave.calls)) == (100, 1)


def test_one_request_a_second(brave, slept):
    brave.has(*(WORLD.raw(WORLD.make(number)) for number in range(60)))
    brave.search(most=60)
    assert [round(one) for one in slept] == [1, 2]


@pytest.mark.parametrize(
    ("region", "country"), [("de", "DE"), ("uk", "GB"), ("is", ""), ("eu", ""), ("", "")]
)
def test_a_country_is_asked_for_where_it_knows_it(brave, region, country):
    brave.search(region=region)
    assert brave.calls[0].word("country") == country


def test_a_time_range_is_told_to_the_day(brave):
    brave.search(published_from=date(2024, 2, 29))
    assert brave.calls[0].word("freshness") == f"2024-02-29to{datetime.now(tz=UTC).date()}"


def test_sites_are_told_in_its_operators(brave):
    brave.search(excluded_domains=frozenset({"b.example", "a.example"}))
    brave.search("heat", allowed_domains=frozenset({"c.example"}))
    asked = [call.word("q") for call in brave.calls]
    assert asked == ["heat pumps NOT site:a.example NOT site:b.example", "heat site:c.example"]


def test_a_long_question_is_cut_to_what_it_takes(brave):
    assert brave.search(" ".join(["word"] * 79)).hits == ()
    assert len(brave.calls[0].word("q").split()) == 50


def test_entities_in_a_description_are_words(brave):
    brave.has(WORLD.raw(WORLD.make(1)) | {"description": "It&#x27;s <strong>warm</strong>"})
    assert brave.search().hits[0].snippet == "It's warm"


def test_a_wrong_key_is_no_wrong_question(brave):
    brave.server.says = lambda call: build_refusal(422, "SUBSCRIPTION_TOKEN_INVALID")
    [error] = brave.failures("heat")
    assert (error.code, error.message) == (SearchCode.NOT_AVAILABLE, "It does not accept the key (422).")


def test_a_question_that_it_does_not_take_is_said_to_be_one(brave):
    brave.server.says = lambda call: build_refusal(422, "VALIDATION")
    assert brave.failures("heat")[0].code is SearchCode.INVALID_QUERY


@pytest.mark.parametrize(
    ("remaining", "reset", "seconds"),
    [
        ("0, 1999", "1, 1419704", 1), ("0, 0", "1, 3000", 3_000), ("1, 0", "1, 99", 99), ("0, 0", "1, 999999", 3_600),
        ("", "", 60), ("x", "y", 60),
    ],
)  # fmt: skip
def test_the_pause_lasts_until_the_window_that_is_used_up_begins_anew(brave, remaining, reset, seconds):
    brave.server.says = lambda call: limits(remaining, reset)
    assert [failure.pause_s for failure in brave.failures("heat")] == [seconds]
