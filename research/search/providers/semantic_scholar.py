"""Semantic Scholar: works of all fields with open copies. All users without a key share one rate limit.

https://api.semanticscholar.org/api-docs/graph
"""

import re
from collections.abc import Mapping

from pydantic import Field

from research.search.providers.scholarly_search_results import ProviderSchema, ScholarlyWork, hit_of
from research.search.providers.search_service_entry import Key, ProviderEntry, ResultPage
from research.search.search_dois import doi_of
from research.search.search_hits import day
from research.search.search_protocol import Filters, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import readable

A_PAGE = 50
FIELDS = "title,abstract,url,year,publicationDate,externalIds,openAccessPdf"
_HYPHEN = re.compile(r"[-\u2010\u2011\u2013]")


class _Copy(ProviderSchema):
    url: str | None = None


class _Names(ProviderSchema):
    doi: str | None = Field(None, alias="DOI")
    arxiv: str | None = Field(None, alias="ArXiv")


class _FoundPaper(ProviderSchema):
    url: str | None = None
    title: str | None = None
    abstract: str | None = None
    year: int | None = None
    date: str | None = Field(None, alias="publicationDate")
    names: _Names | None = Field(None, alias="externalIds")
    open_copy: _Copy | None = Field(None, alias="openAccessPdf")


class _SemanticScholarReply(ProviderSchema):
    data: list[object] = Field(default_factory=list)  # not there where nothing is found
    next: int | None = None


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    """Return a page of results. Hyphens are removed, because words with one find nothing."""
    parameters = {
        "query": " ".join(_HYPHEN.sub(" ", query).split()),
        "offset": which or "0",
        "limit": str(A_PAGE),
        "fields": FIELDS,
    }
    if filters.published_from:
        parameters["publicationDateOrYear"] = f"{filters.published_from.isoformat()}:"
    answer = (await api.get("/graph/v1/paper/search", parameters)).parse_as(_SemanticScholarReply)
    papers, odd = readable(answer.data, _FoundPaper)
    return ResultPage(tuple(map(_hit, papers)), odd, str(answer.next or ""))


def _hit(paper: _FoundPaper) -> SearchHit:
    names = paper.names or _Names()
    preprint = f"https://arxiv.org/abs/{names.arxiv}" if names.arxiv else ""
    doi = doi_of(names.doi or "")
    return hit_of(
        ScholarlyWork(
            title=paper.title or "",
            abstract=paper.abstract or "",
            doi=doi,
            landing="" if doi else preprint or paper.url or "",
            full_text=(paper.open_copy and paper.open_copy.url) or preprint.replace("/abs/", "/pdf/"),
            published=day(paper.date or str(paper.year or "")),
        )
    )


def _headers(key: str) -> Mapping[str, str]:
    return {"x-api-key": key} if key else {}


ENTRY = ProviderEntry(
    "semantic_scholar", page, frozenset({SearchType.ACADEMIC}), "https://api.semanticscholar.org",
    Rate(3.0, burst=2), Rate(1.0), key=Key.OPTIONAL, headers=_headers,
)  # fmt: skip
