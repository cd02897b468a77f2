"""SearXNG's JSON format: results by numbered pages, of no fixed size."""

import json
from collections.abc import Sequence

from tests.fetching.site import Said, result
from tests.search.apis.server import Call, Made, World

SIZE = 10


def answer(call: Call, results: Sequence[object]) -> Said:
    if call.path != "/search":
        return Said("", 404)
    if call.word("format") != "json":
        return Said("", 403)
    known = {"general", "news", "science", "it", "images"}
    if not known.issuperset(call.word("categories").split(",")) or not call.word("q"):
        return Said("", 400)
    start = SIZE * (call.number("pageno", 1) - 1)
    body = {
        "query": call.word("q"), "number_of_results": 0, "results": results[start : start + SIZE], "answers": [],
        "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": [],
    }  # fmt: skip
    return Said(json.dumps(body), kind="application/json")


def raw(made: Made) -> object:
    return result(made.url, made.title, made.text, f"{made.published}T10:00:00" if made.published else None)


WORLD = World(
    "searxng", answer, raw, SIZE, odd=(7, None, [], {"url": 7}, {"url": "https://b.example/", "title": ["x"]})
)
