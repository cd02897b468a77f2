"""Semantic Scholar's graph: papers by offset, of which 1 000 can be reached; 429 without much provocation."""

import json
from collections.abc import Sequence

from research.search.providers.semantic_scholar import FIELDS
from research.search.search_protocol import SearchType
from tests.fetching.site import Said
from tests.search.apis.server import KEY, Call, World
from tests.search.apis.works import MadeWork, work

LIMITED = {
    "message": "Too Many Requests. Please wait and try again or apply for a key for higher rate limits.",
    "code": "429",
}


def answer(call: Call, results: Sequence[object]) -> Said:
    if call.path != "/graph/v1/paper/search":
        return Said(json.dumps({"error": "Not found"}), 404)
    if call.headers.get("x-api-key") != KEY:
        return Said(json.dumps({"message": "Forbidden"}), 403)
    start, size = call.number("offset"), call.number("limit", 100)
    if size > 100 or start + size > 1_000 or "-" in call.word("query"):
        return Said(
            json.dumps({"error": "Requested data for this limit and/or offset is not available"}), 400
        )
    part = results[start : start + size]
    body: dict[str, object] = {"total": len(results), "offset": start}
    if part:
        body["data"] = part
    if start + size < len(results):
        body["next"] = start + size
    return Said(json.dumps(body), kind="application/json")


def raw(made: MadeWork) -> dict[str, object]:
    whole: dict[str, object] = {
        "title": made.title, "abstract": made.text, "url": "https://www.semanticscholar.org/paper/649def34",
        "year": int(made.published[:4]), "publicationDate": made.published,
        "externalIds": {"DOI": made.doi, "CorpusId": 13756489, "MAG": "2963403868"},
        "openAccessPdf": {"url": made.copy, "status": "GOLD", "license": "CCBY", "disclaimer": ""},
    }  # fmt: skip
    assert set(whole) == set(FIELDS.split(","))
    return {"paperId": "649def34f8be52c8b66281af98ae884c09aef38b", **whole}


def paper(number: int) -> MadeWork:
    """It names the DOI, and not the publisher's page."""
    one = work(number)
    return MadeWork(one.url, one.title, one.text, one.published, domain="doi.org", doi=one.doi, copy=one.copy)


WORLD = World(
    "semantic_scholar", answer, raw, 50, paper, SearchType.ACADEMIC, key=KEY,
    odd=(7, None, [], {"year": "soon"}, {"title": ["x"]}, {"externalIds": 7}),
    limited=Said(json.dumps(LIMITED), 429, kind="application/json"),
    nonsense=("<html>oops", "", "[7", "null", '{"data": 7}'),
)  # fmt: skip
