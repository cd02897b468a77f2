"""Look up a scholarly work by its DOI, with its title, date and open-access copy."""

from urllib.parse import quote

from research.search.providers import openalex
from research.search.search_protocol import SearchError, SearchHit
from research.search.search_services import Services


async def find_openalex_work(services: Services, doi: str) -> SearchHit | None:
    """Return the work from OpenAlex, which is free for single works; None if it is unknown or OpenAlex unavailable."""
    api = services.api(openalex.ENTRY.name)
    if api is None:
        return None
    try:
        reply = await api.get(f"/works/doi:{quote(doi, safe='')}", {"select": openalex.FIELDS})
        return openalex.hit(reply.parse_as(openalex.OpenAlexWork))
    except SearchError:
        return None
