"""MediaWiki's Action API: search by offsets, failures with status 200 and a header of their own."""

import json
from collections.abc import Sequence

from research.models import SourceType
from tests.fetching.site import Said
from tests.search.apis.server import Call, Made, World

HOST = "https://en.wikipedia.org/wiki"


def build_failure(code: str, **headers: str) -> Said:
    named = {
        "MediaWiki-API-Error": code,
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    body = {"error": {"code": code, "info": "No.", "docref": "See the docs."}, "servedby": "mw1"}
    return Said(json.dumps(body), kind="application/json", headers=named)


def answer(call: Call, results: Sequence[object]) -> Said:
    """It may stand behind a path, as in a mirror of several languages."""
    if not call.path.endswith("/w/api.php"):
        return Said("", 404)
    if (call.word("action"), call.word("list"), call.word("formatversion")) != ("query", "search", "2"):
        return build_failure("badvalue")
    if not call.word("srsearch"):
        return build_failure("missingparam")
    size, offset = call.number("srlimit", 10), call.number("sroffset")
    query = {"searchinfo": {"totalhits": len(results)}, "search": results[offset : offset + size]}
    body: dict[str, object] = {"batchcomplete": True, "query": query}
    if offset + size < len(results):
        body["continue"] = {"sroffset": offset + size, "continue": "-||"}
    return Said(json.dumps(body), kind="application/json")


def make(number: int) -> Made:
    title = f"Heat pump {number}"
    url = f"{HOST}/Heat_pump_{number}"
    return Made(url, title, f"A heat pump {number} says.", kind=SourceType.WIKI, domain="en.wikipedia.org")


def raw(made: Made) -> object:
    snippet = made.text.replace("heat", '<span class="searchmatch">heat</span>')
    return {"ns": 0, "title": made.title, "pageid": 7, "snippet": snippet}


WORLD = World(
    "wikipedia",
    answer,
    raw,
    50,
    make=make,
    odd=(7, None, [], {}, {"title": 7}, {"title": "x", "snippet": ["y"]}),
    limited=build_failure("ratelimited", Retry_After="60"),
    nonsense=("<html>oops", "", "[7", "null", "{}", '{"query": 7}', '{"query": {"search": 7}}'),
)
