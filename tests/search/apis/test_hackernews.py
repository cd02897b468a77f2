"""Behaviour of Hacker News alone, or of its provider."""

from collections.abc import Iterator
from datetime import date

import pytest

from research.models import SourceType
from tests.search.apis.hackernews import WORLD
from tests.search.apis.server import Asking, serve_world


@pytest.fixture
def hackernews() -> Iterator[Asking]:
    with serve_world(WORLD) as service:
        yield service


@pytest.mark.parametrize("url", [None, ""])
def test_a_question_of_its_own_is_the_discussion_with_its_day(hackernews, url):
    hackernews.has(WORLD.raw(WORLD.make(1)) | {"url": url, "objectID": "42"})
    [hit] = hackernews.search().hits
    assert hit.url == "https://news.ycombinator.com/item?id=42"
    assert (hit.published, hit.source_type) == ("2024-05-01", SourceType.SOCIAL)


def test_the_page_of_a_story_is_not_of_the_story_s_day(hackernews):
    hackernews.has(WORLD.raw(WORLD.make(1)))
    [hit] = hackernews.search().hits
    assert (hit.url, hit.published, hit.snippet) == ("https://site-1.example/page", "", "What page 1 says.")


def test_stories_since_a_day_are_asked_for(hackernews):
    hackernews.search(published_from=date(2024, 5, 1))
    assert hackernews.calls[0].word("numericFilters") == "created_at_i>=1714521600"


def test_sites_that_are_not_wanted_are_left_out_afterwards(hackernews):
    hackernews.has(*(WORLD.raw(WORLD.make(number)) for number in range(3)))
    found = hackernews.search(excluded_domains=frozenset({"site-1.example"}))
    assert [hit.domain for hit in found.hits] == ["site-0.example", "site-2.example"]
