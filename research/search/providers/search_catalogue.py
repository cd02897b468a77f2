"""All search services by name."""

from collections.abc import Mapping
from types import MappingProxyType

from django.conf import settings

from research.search.providers import (
    arxiv,
    brave,
    crossref,
    ddgs,
    github,
    hackernews,
    openalex,
    reddit,
    searxng,
    semantic_scholar,
    stackexchange,
    wikipedia,
)
from research.search.providers.search_service_entry import ProviderEntry

_WEB = (searxng, brave, ddgs, wikipedia, hackernews, reddit)
_WORKS = (arxiv, openalex, crossref, semantic_scholar)
_CODE = (github, stackexchange)
ENTRIES: Mapping[str, ProviderEntry] = MappingProxyType(
    {entry.name: entry for entry in (*(each.ENTRY for each in (*_WEB, *_WORKS, *_CODE)), github.CODE_ENTRY)}
)


def base_url_of(entry: ProviderEntry) -> str:
    """Return the URL from the settings, or else the service's own."""
    if entry.is_inside:
        return str(settings.PLUMBLINE_SEARXNG_URL)
    return str(settings.PLUMBLINE_PROVIDER_URLS.get(entry.name) or entry.base_url)
