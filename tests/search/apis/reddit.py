"""Reddit's search of posts: listings that name what comes after them; a token for an application."""

import json
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime

from research.models import SourceType
from tests.fetching.site import Said
from tests.search.apis.server import KEY, Call, Made, World

APPLICATION = f"Basic {b64encode(f'id:{KEY}'.encode()).decode()}"
TOKEN = {"access_token": "token-1", "token_type": "bearer", "expires_in": 86400, "scope": "*"}


def build_refusal(status: int, message: str, **headers: str) -> Said:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Said(json.dumps({"message": message, "error": status}), status, "application/json", named)


def answer(call: Call, results: Sequence[object]) -> Said:
    if call.path.endswith("/api/v1/access_token"):
        return _token(call)
    sent = call.headers.get("authorization")
    if not call.path.endswith("/search" if sent else "/search.json"):
        return build_refusal(404, "Not Found")
    if sent not in (None, "bearer token-1"):
        return build_refusal(401, "Unauthorized")
    start, size = int(call.word("after", "t3_0").removeprefix("t3_")), call.number("limit", 25)
    after = f"t3_{start + size}" if start + size < len(results) else None
    found = results[start : start + size]
    listing = {
        "after": after,
        "before": None,
        "children": found,
        "dist": len(found),
        "geo_filter": "",
        "modhash": "",
    }
    return Said(json.dumps({"kind": "Listing", "data": listing}), kind="application/json")


def _token(call: Call) -> Said:
    if call.method != "POST" or call.word("grant_type") != "client_credentials":
        return Said('{"error": "unsupported_grant_type"}', kind="application/json")
    if call.headers.get("authorization") != APPLICATION:
        return build_refusal(401, "Unauthorized")
    return Said(json.dumps(TOKEN), kind="application/json")


def make(number: int) -> Made:
    url = f"https://www.reddit.com/r/heating/comments/{number}/post/"
    day = f"2024-05-{1 + number % 28:02}"
    return Made(url, f"Post {number}", f"What {number} says.", day, SourceType.SOCIAL, "reddit.com")


def raw(made: Made) -> object:
    when = datetime.fromisoformat(made.published).replace(hour=12, tzinfo=UTC)
    post = {
        "title": made.title, "permalink": made.url.removeprefix("https://www.reddit.com"), "selftext": made.text,
        "url": "https://elsewhere.example/", "created_utc": when.timestamp(), "subreddit": "heating", "score": 7,
        "num_comments": 3, "over_18": False, "is_self": True, "author": "ada",
    }  # fmt: skip
    return {"kind": "t3", "data": post}


WORLD = World(
    "reddit",
    answer,
    raw,
    100,
    make=make,
    odd=(
        7,
        None,
        [],
        {"kind": "t3"},
        {"data": {"title": "x"}},
        {"data": {"title": "x", "permalink": "evil.example"}},
    ),
    limited=build_refusal(429, "Too Many Requests", X_Ratelimit_Remaining="0", X_Ratelimit_Reset="300"),
    nonsense=("<html>oops", "", "[7", "null", "{}", '{"data": {"children": 7}}'),
)
