"""OpenAlex: an open index of scholarly works of all fields. Its limits without a key are low; keys are free.

https://developers.openalex.org/api-reference/works
"""

import re
from collections.abc import Mapping

from research.search.providers.scholarly_search_results import ProviderSchema, ScholarlyWork, hit_of, rebuilt
from research.search.providers.search_service_entry import Key, ProviderEntry, ResultPage
from research.search.search_dois import doi_of
from research.search.search_hits import day
from research.search.search_protocol import Filters, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import readable

A_PAGE = 50
FIELDS = (
    "id,doi,display_name,publication_date,publication_year,primary_location,best_oa_location,open_access,"
    "abstract_inverted_index"
)
# Operators, and wildcards, which only some plans allow. Commas and colons end only filters, not searches.
_ODD = re.compile(r"[^\w\s\"'.,&/+-]|\b(?:AND|OR|NOT)\b")


class _Location(ProviderSchema):
    landing_page_url: str | None = None
    pdf_url: str | None = None


class _Access(ProviderSchema):
    oa_url: str | None = None


class OpenAlexWork(ProviderSchema):
    """A work in a reply of OpenAlex."""

    id: str
    doi: str | None = None
    display_name: str | None = None
    publication_date: str | None = None
    publication_year: int | None = None
    primary_location: _Location | None = None
    best_oa_location: _Location | None = None
    open_access: _Access | None = None
    abstract_inverted_index: dict[str, list[int]] | None = None


class _OpenAlexReply(ProviderSchema):
    results: list[object]


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    """Return a numbered page: cursors, which reach beyond 10 000 results, require a key."""
    number = int(which or 1)
    parameters = {
        "search": " ".join(_ODD.sub(" ", query).split()),
        "per_page": str(A_PAGE),
        "page": str(number),
        "select": FIELDS,
    }
    if filters.published_from:
        parameters["filter"] = f"from_publication_date:{filters.published_from.isoformat()}"
    results = (await api.get("/works", parameters)).parse_as(_OpenAlexReply).results
    works, odd = readable(results, OpenAlexWork)
    return ResultPage(tuple(map(hit, works)), odd, str(number + 1) if len(results) == A_PAGE else "")


def hit(work: OpenAlexWork) -> SearchHit:
    """Return the hit of a work: the publisher's page, and the best open-access copy to read."""
    primary = work.primary_location or _Location()
    best = work.best_oa_location or _Location()
    access = work.open_access or _Access()
    return hit_of(
        ScholarlyWork(
            title=work.display_name or "",
            abstract=rebuilt(work.abstract_inverted_index or {}),
            doi=doi_of(work.doi or ""),
            landing=primary.landing_page_url or work.id,
            full_text=best.pdf_url or access.oa_url or "",
            published=day(work.publication_date or str(work.publication_year or "")),
        )
    )


def _params(key: str) -> Mapping[str, str]:
    return {"api_key": key} if key else {}


ENTRY = ProviderEntry(
    "openalex", page, frozenset({SearchType.ACADEMIC}), "https://api.openalex.org",
    Rate(0.2, burst=5), key=Key.OPTIONAL, params=_params,
)  # fmt: skip
