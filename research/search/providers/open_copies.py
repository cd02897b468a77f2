"""A work of scholars by its DOI: what it is called, when it is from, and where a copy is that anyone may read."""

from urllib.parse import quote

from research.search.providers import openalex
from research.search.search_protocol import SearchError, SearchHit
from research.search.search_services import Services


async def find_openalex_work(services: Services, doi: str) -> SearchHit | None:
    """As OpenAlex knows it, which asks nothing for a single work. None where it does not, is away or not set up."""
    api = services.api(openalex.ENTRY.name)
    if api is None:
        return None
    try:
        reply = await api.get(f"/works/doi:{quote(doi, safe='')}", {"select": openalex.FIELDS})
        return openalex.hit(reply.parsed(openalex.OpenAlexWork))
    except SearchError:
        return None
