"""Behaviour of Reddit alone, or of its provider."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from research.search.search_protocol import SearchCode
from tests.fetching.site import Said
from tests.search.apis.reddit import WORLD, answer, make, raw
from tests.search.apis.server import KEY, Asking, serve_world


@pytest.fixture
def reddit() -> Iterator[Asking]:
    with serve_world(WORLD) as service:
        yield service


@pytest.fixture
def application() -> Iterator[Asking]:
    """Return an application with a key; its two hosts stand at two paths."""
    with serve_world(replace(WORLD, key=f"id:{KEY}"), "/{host}") as service:
        yield service


def test_without_a_key_it_is_asked_in_public(reddit):
    reddit.search()
    assert [(call.path, call.headers.get("authorization")) for call in reddit.calls] == [
        ("/search.json", None)
    ]


def test_with_one_a_token_is_asked_for_once_and_carried_along(application):
    application.has(raw(make(1)))
    first, second = application.answers(["heat", "pumps"])
    assert first.hits == second.hits == (make(1).hit,)
    assert [call.path for call in application.calls] == [
        "/www/api/v1/access_token",
        "/oauth/search",
        "/oauth/search",
    ]
    assert {call.headers["authorization"] for call in application.calls[1:]} == {"bearer token-1"}


def test_a_token_that_ran_out_is_renewed(application):
    def brief(call) -> Said:
        said = answer(call, [])
        return Said(str(said.body).replace("86400", "60"), said.status, said.kind)

    application.server.says = brief
    application.answers(["heat", "pumps"])
    assert [call.path.rpartition("/")[2] for call in application.calls] == ["access_token", "search"] * 2


@pytest.mark.parametrize(
    "body", ['{"error": "invalid_grant"}', '{"access_token": "a\\nb"}', '{"access_token": ""}', "[]"]
)
def test_no_token_is_a_named_failure(application, body):
    application.server.says = lambda call: Said(body, kind="application/json")
    [error] = application.failures("heat")
    assert (error.code, error.message) == (SearchCode.NOT_AVAILABLE, "It issued no token for the key.")


def test_a_wrong_key_is_a_named_failure_without_the_key(application, settings):
    settings.PLUMBLINE_PROVIDER_KEYS = {"reddit": "id:wrong"}
    [error] = application.failures("heat")
    assert (error.code, error.message) == (SearchCode.NOT_AVAILABLE, "It refused the request (401).")


def test_a_post_without_text_names_its_community(reddit):
    one = raw(make(1))
    reddit.has({"kind": "t3", "data": one["data"] | {"selftext": ""}})
    assert reddit.search().hits[0].snippet == "r/heating"


@pytest.mark.parametrize(
    ("days", "word"), [(1, "day"), (7, "week"), (31, "month"), (366, "year"), (4_000, "all")]
)
def test_the_time_range_is_the_narrowest_that_holds_all_that_is_wanted(reddit, days, word):
    reddit.search(published_from=datetime.now(tz=UTC).date() - timedelta(days))
    assert reddit.calls[0].word("t") == word


def test_the_pause_lasts_as_long_as_it_says(reddit):
    reddit.server.says = lambda call: WORLD.limited
    assert reddit.failures("heat")[0].pause_s == 300
