"""Crossref: works by offset; markup in titles and abstracts, dates in parts."""

import json
from collections.abc import Sequence

from research.search.providers.crossref import FIELDS
from research.search.search_protocol import SearchType
from tests.fetching.site import Said
from tests.search.apis.server import Call, World
from tests.search.apis.works import MadeWork, work


def answer(call: Call, results: Sequence[object]) -> Said:
    if call.path != "/works":
        return Said("Resource not found.", 404, kind="text/plain")
    start, size = call.number("offset"), call.number("rows", 20)
    if start > 10_000 or size > 1_000 or not call.word("query.bibliographic"):
        return refusal()
    message = {
        "facets": {}, "total-results": len(results), "items": results[start : start + size],
        "items-per-page": size, "query": {"start-index": start, "search-terms": call.word("query.bibliographic")},
    }  # fmt: skip
    body = {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}
    limits = {"X-Rate-Limit-Limit": "50", "X-Rate-Limit-Interval": "1s"}
    return Said(json.dumps(body), kind="application/json", headers=limits)


def refusal() -> Said:
    fault = {"type": "integer-not-valid", "value": "x", "message": "Integer specified as x is not valid"}
    body = {"status": "failed", "message-type": "validation-failure", "message": [fault]}
    return Said(json.dumps(body), 400, kind="application/json")


def raw(made: MadeWork) -> dict[str, object]:
    whole: dict[str, object] = {
        "DOI": made.doi.upper(), "title": [made.title.replace("Heat", "<i>Heat</i>")], "subtitle": [],
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{made.text}</jats:p>",
        "issued": {"date-parts": [[int(part) for part in made.published.split("-")]]},
        "resource": {"primary": {"URL": made.landing}},
        "link": [
            {"URL": "https://journal.example/xml", "content-type": "text/xml", "content-version": "vor"},
            {"URL": made.copy, "content-type": "application/pdf", "intended-application": "similarity-checking"},
        ],
        "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/", "content-version": "vor"}],
    }  # fmt: skip
    assert set(whole) == set(FIELDS.split(","))
    return whole


WORLD = World(
    "crossref", answer, raw, 50, work, SearchType.ACADEMIC,
    odd=(7, None, [], {}, {"DOI": 7}, {"DOI": "10.5555/1", "title": "not a list"}),
    nonsense=("<html>oops", "", "[7", "null", "{}", '{"message": {"items": 7}}'),
)  # fmt: skip
