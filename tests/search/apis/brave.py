"""Brave's Search API: web results by pages of at most 20, news of at most 50, ten pages; images at once.

Limits are told in headers.
"""

import json
from collections.abc import Sequence

from tests.fetching.site import Said
from tests.search.apis.server import KEY, Call, Made, World

SIZES = {"/res/v1/web/search": 20, "/res/v1/news/search": 50, "/res/v1/images/search": 100}


def build_refusal(status: int, code: str, **headers: str) -> Said:
    error = {"id": "x", "status": status, "code": code, "detail": "No.", "meta": {}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"type": "ErrorResponse", "error": error, "time": 1732270000})
    return Said(body, status, "application/json", named)


def limits(remaining: str, reset: str) -> Said:
    said = {"X_RateLimit_Limit": "1, 2000", "X_RateLimit_Policy": "1;w=1, 2000;w=2592000"}
    return build_refusal(
        429, "RATE_LIMITED", X_RateLimit_Remaining=remaining, X_RateLimit_Reset=reset, **said
    )


def answer(call: Call, results: Sequence[object]) -> Said:
    if call.headers.get("x-subscription-token") != KEY:
        return build_refusal(422, "SUBSCRIPTION_TOKEN_INVALID")
    size, offset = call.number("count", 20), call.number("offset")
    query, most = call.word("q"), SIZES.get(call.path, 0)
    if size > most or offset > 9 or not query or len(query) > 400 or len(query.split()) > 50:
        return build_refusal(422, "VALIDATION")
    if "images" in call.path and {"offset", "freshness", "text_decorations"} & set(call.query):
        return build_refusal(422, "VALIDATION")
    found = results[offset * size : (offset + 1) * size]
    asked = {"original": query, "more_results_available": len(results) > (offset + 1) * size}
    if "web" not in call.path:
        kind = call.path.split("/")[3]
        return Said(json.dumps({"type": kind, "query": asked, "results": found}), kind="application/json")
    body: dict[str, object] = {"type": "search", "query": asked, "mixed": {"type": "mixed", "main": []}}
    if found:
        body["web"] = {"type": "search", "results": found, "family_friendly": True}
    return Said(json.dumps(body), kind="application/json")


def raw(made: Made) -> object:
    return {
        "type": "search_result", "title": made.title, "url": made.url, "description": made.text.replace("'", "&#x27;"),
        "is_source_local": False, "is_source_both": False, "language": "en", "family_friendly": True,
        "page_age": f"{made.published}T00:00:00" if made.published else None, "age": "a while ago",
        "profile": {"name": "Site", "url": made.url}, "meta_url": {"scheme": "https", "path": "› page"},
    }  # fmt: skip


WORLD = World(
    "brave",
    answer,
    raw,
    20,
    odd=(7, None, [], {}, {"url": 7}, {"url": "https://b.example/", "title": ["x"]}),
    limited=limits("0, 1999", "60, 1419704"),
    nonsense=("<html>oops", "", "[7", "null", "{}", '{"type": "search", "web": 7}'),
    key=KEY,
)
