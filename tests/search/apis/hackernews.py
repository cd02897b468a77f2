"""Algolia's search of Hacker News: numbered pages from 0, a thousand results at most, JSON messages for errors."""

import json
from collections.abc import Sequence

from tests.fetching.site import Said
from tests.search.apis.server import Call, Made, World, make_page


def answer(call: Call, results: Sequence[object]) -> Said:
    size, page = call.number("hitsPerPage", 20), call.number("page")
    if call.path != "/api/v1/search":
        return Said("<h1>Not found</h1>", 404)
    if size > 1000 or call.word("tags") != "story":
        return Said(json.dumps({"message": "invalid parameter", "status": 400}), 400, "application/json")
    body = {
        "exhaustive": {"nbHits": True, "typo": True}, "hits": results[page * size : (page + 1) * size],
        "hitsPerPage": size, "nbHits": len(results), "nbPages": min(-(-len(results) // size), 1000 // size),
        "page": page, "params": "query=x&advancedSyntax=true", "processingTimeMS": 3, "query": call.word("query"),
    }  # fmt: skip
    return Said(json.dumps(body), kind="application/json")


def raw(made: Made) -> object:
    return {
        "_highlightResult": {"title": {"value": "<em>x</em>", "matchLevel": "full", "matchedWords": ["x"]}},
        "_tags": ["story", "author_ada", "story_1"], "author": "ada", "children": [2, 3],
        "created_at": "2024-05-01T10:00:00Z", "created_at_i": 1714557600, "num_comments": 2, "objectID": "1",
        "points": 12, "story_id": 1, "title": made.title,
        "story_text": f"<p>{made.text}", "updated_at": "2024-07-01T00:00:00Z", "url": made.url,
    }  # fmt: skip


def make_undated(number: int) -> Made:
    one = make_page(number)
    return Made(one.url, one.title, one.text, domain=one.domain)


WORLD = World(
    "hackernews",
    answer,
    raw,
    50,
    make=make_undated,
    odd=(7, None, [], {}, {"objectID": "1"}, {"objectID": "1", "title": 7}),
    nonsense=("<html>oops", "", "[7", "null", "{}", '{"hits": 7, "nbPages": 1}'),
)
