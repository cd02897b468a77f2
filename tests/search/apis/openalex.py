"""OpenAlex: works by numbered pages of up to 100, their abstracts as inverted indexes."""

import json
from collections.abc import Sequence

from research.search.providers.openalex import FIELDS
from research.search.search_protocol import SearchType
from tests.fetching.site import Said
from tests.search.apis.server import Call, World
from tests.search.apis.works import MadeWork, work


def answer(call: Call, results: Sequence[object]) -> Said:
    size, number = call.number("per_page", 25), call.number("page", 1)
    if call.path != "/works" or not call.word("search") or not 1 <= size <= 100 or size * number > 10_000:
        return refusal("Pagination or search is wrong.")
    if any(mark in call.word("search") for mark in "?*~:()"):
        return refusal("Wildcards are not for this plan.")
    part = results[size * (number - 1) : size * number]
    body = {
        "meta": {"count": len(results), "db_response_time_ms": 20, "page": number, "per_page": size},
        "results": part, "group_by": [],
    }  # fmt: skip
    return Said(json.dumps(body), kind="application/json")


def refusal(words: str) -> Said:
    return Said(json.dumps({"error": "Invalid query parameters error.", "message": words}), 403)


def raw(made: MadeWork) -> dict[str, object]:
    whole: dict[str, object] = {
        "id": "https://openalex.org/W2741809807", "doi": made.url if made.doi else None, "display_name": made.title,
        "publication_year": int(made.published[:4]), "publication_date": made.published,
        "primary_location": {
            "is_oa": False, "landing_page_url": made.landing, "pdf_url": None,
            "source": {"display_name": "Journal of Heat", "type": "journal"}, "license": None,
        },
        "best_oa_location": {"is_oa": True, "landing_page_url": made.landing, "pdf_url": made.copy},
        "open_access": {"is_oa": True, "oa_status": "gold", "oa_url": made.copy, "any_repository_has_fulltext": True},
        "abstract_inverted_index": made.places,
    }  # fmt: skip
    assert set(whole) == set(FIELDS.split(","))
    return whole


WORLD = World(
    "openalex", answer, raw, 50, work, SearchType.ACADEMIC,
    odd=(7, None, [], {}, {"id": 7}, {"id": "x", "abstract_inverted_index": {"a": "b"}}),
    nonsense=("<html>oops", "", "[7", "null", "{}", '{"results": 7}'),
)  # fmt: skip
