"""Posts of Reddit with their comments, from a service of this machine."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from research.pipelines.digest.fetch_digest_discussion import post_of, to_fetch_error
from research.search.providers.search_catalogue import ENTRIES
from research.search.providers.search_reddit_threads import ThreadResults, fetch_threads
from research.search.search_protocol import SearchCode, SearchError
from research.search.search_services import Services
from tests.fetching.site import Said
from tests.search.apis.reddit import WORLD, answer, build_refusal
from tests.search.apis.server import KEY, Asking, Call, serve_world

POST = {
    "id": "p1",
    "title": "Banging pipes",
    "permalink": "/r/Plumbing/comments/p1/x/",
    "subreddit": "Plumbing",
}


def comment(name: str, body: str, replies: object = "") -> dict[str, object]:
    return {
        "kind": "t1",
        "data": {"id": name, "parent_id": "t3_p1", "body": body, "score": 5, "replies": replies},
    }


def make_listing(*children: object) -> dict[str, object]:
    return {"kind": "Listing", "data": {"children": list(children)}}


THREAD = [
    make_listing({"kind": "t3", "data": POST}),
    make_listing(
        comment("c1", "Fit a valve.", make_listing(comment("c2", "Both."))),
        {"kind": "more", "data": {"count": 9}},
    ),
]


def says(call: Call) -> Said:
    if "/comments/" in call.path:
        return Said(json.dumps(THREAD), kind="application/json")
    return answer(call, [{"kind": "t3", "data": POST}])


@pytest.fixture
def reddit() -> Iterator[Asking]:
    with serve_world(replace(WORLD, key=f"id:{KEY}"), "/{host}") as service:
        service.server.says = says
        yield service


def threads() -> ThreadResults:
    async def ask() -> ThreadResults:
        services = Services([ENTRIES["reddit"]])
        try:
            api = services.api("reddit")
            assert api is not None
            return await fetch_threads(api, "banging pipes", 5, 20)
        finally:
            await services.aclose()

    return asyncio.run(ask())


def test_posts_come_with_their_comments_as_an_application(reddit):
    [post] = threads().posts
    assert [(one.id, one.body) for one in post.comments] == [("c1", "Fit a valve."), ("c2", "Both.")]
    assert [call.path for call in reddit.calls] == [
        "/www/api/v1/access_token",
        "/oauth/search",
        "/oauth/comments/p1",
    ]


def test_they_become_posts_of_a_digest(reddit):
    post = post_of(threads().posts[0])
    assert (post.id, post.forum, post.url) == (
        "p1",
        "Plumbing",
        "https://www.reddit.com/r/Plumbing/comments/p1/x/",
    )
    assert [one.answers for one in post.comments] == ["", ""]


def test_a_rate_limit_is_named_with_its_pause(reddit):
    reddit.server.says = lambda call: says(call) if "token" in call.path else WORLD.limited
    with pytest.raises(SearchError) as refusal:
        threads()
    error = to_fetch_error(refusal.value)
    assert (refusal.value.code, error.status, error.is_rate_limit) == (SearchCode.RATE_LIMITED, 429, True)
    assert error.retry_after == 300


def test_posts_stay_where_their_comments_cannot_be_had(reddit):
    reddit.server.says = lambda call: build_refusal(500, "oops") if "/comments/" in call.path else says(call)
    found = threads()
    assert ([post.id for post in found.posts], [error.code for error in found.errors]) == (
        ["p1"],
        [SearchCode.TIMEOUT],
    )


def test_nothing_found_is_no_error(reddit):
    reddit.server.says = lambda call: answer(call, [])
    assert threads() == ThreadResults(())


@pytest.mark.parametrize("odd", ["[]", "{}", "[7, 8]", '[{"data": {"children": 7}}]', "null"])
def test_odd_answers_cost_their_comments_alone(reddit, odd):
    reddit.server.says = lambda call: (
        Said(odd, kind="application/json") if "/comments/" in call.path else says(call)
    )
    assert threads().posts[0].comments == []
