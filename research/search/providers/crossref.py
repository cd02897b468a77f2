"""Crossref: works as their publishers register them. Requests with a contact address are served better.

https://api.crossref.org/swagger-ui/index.html
"""

from collections.abc import Mapping

from pydantic import Field

from research.search.providers.scholarly_search_results import ProviderSchema, ScholarlyWork, date_of, hit_of
from research.search.providers.search_service_entry import Key, ProviderEntry, ResultPage
from research.search.search_dois import doi_of
from research.search.search_protocol import Filters, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import readable

A_PAGE = 50
FIELDS = "DOI,title,subtitle,abstract,issued,resource,link,license"
_FREE = "creativecommons.org/"


class _Date(ProviderSchema):
    parts: list[list[int | None]] = Field(default_factory=list, alias="date-parts")


class _Address(ProviderSchema):
    url: str = Field("", alias="URL")
    kind: str = Field("", alias="content-type")


class _Resource(ProviderSchema):
    primary: _Address = Field(default_factory=_Address)


class CrossrefWork(ProviderSchema):
    """A work in a reply of Crossref."""

    doi: str = Field(alias="DOI")
    title: list[str] = Field(default_factory=list)
    subtitle: list[str] = Field(default_factory=list)
    abstract: str = ""
    issued: _Date = Field(default_factory=_Date)
    resource: _Resource = Field(default_factory=_Resource)
    link: list[_Address] = Field(default_factory=list)
    license: list[_Address] = Field(default_factory=list)

    @property
    def open_copy(self) -> str:
        """Return the PDF of a work under a free licence, or ""; other links are for subscribers' programs."""
        is_open = any(_FREE in address.url for address in self.license)
        return next(
            (address.url for address in self.link if is_open and address.kind == "application/pdf"), ""
        )


class _Message(ProviderSchema):
    items: list[object]


class _CrossrefReply(ProviderSchema):
    message: _Message


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    offset = int(which or 0)
    asked = {"query.bibliographic": query, "rows": str(A_PAGE), "offset": str(offset), "select": FIELDS}
    if filters.published_from:
        asked["filter"] = f"from-pub-date:{filters.published_from.isoformat()}"
    items = (await api.get("/works", asked)).parse_as(_CrossrefReply).message.items
    works, odd = readable(items, CrossrefWork)
    return ResultPage(tuple(map(hit, works)), odd, str(offset + A_PAGE) if len(items) == A_PAGE else "")


def hit(work: CrossrefWork) -> SearchHit:
    return hit_of(
        ScholarlyWork(
            title=": ".join([*work.title[:1], *work.subtitle[:1]]),
            abstract=work.abstract,
            doi=doi_of(work.doi),
            landing=work.resource.primary.url,
            full_text=work.open_copy,
            published=date_of(work.issued.parts[0]) if work.issued.parts else "",
        )
    )


def _params(address: str) -> Mapping[str, str]:
    return {"mailto": address} if address else {}


ENTRY = ProviderEntry(
    "crossref", page, frozenset({SearchType.ACADEMIC}), "https://api.crossref.org",
    Rate(1.0, burst=2), Rate(0.34, burst=3), key=Key.OPTIONAL, params=_params,
)  # fmt: skip
