"""Every search service that there is, by name, and which of them the settings choose."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from django.conf import settings

from config.mcp_servers import McpTool, tools_of
from config.providers import AUTO, NEEDED
from research.acquisition.providers import (
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
from research.acquisition.providers.entry import Entry

_WEB = (searxng, brave, ddgs, wikipedia, hackernews, reddit)
_WORKS = (arxiv, openalex, crossref, semantic_scholar)
_CODE = (github, stackexchange)
ENTRIES: Mapping[str, Entry] = MappingProxyType(
    {one.name: one for one in (*(each.ENTRY for each in (*_WEB, *_WORKS, *_CODE)), github.CODE_ENTRY)}
)


def configured() -> tuple[str, ...]:
    """The names of those that are searched, in the catalogue's order."""
    chosen: Collection[str] = settings.PLUMBLINE_PROVIDERS
    there = (*filter(is_ready, ENTRIES), *outside_tools())
    return tuple(name for name in there if name in chosen or AUTO in chosen)


def outside_tools() -> Mapping[str, tuple[str, McpTool]]:
    """Tools of servers that the settings plug in, by the names of their providers, each with its server's name."""
    return tools_of(settings.PLUMBLINE_MCP_SERVERS)


def is_ready(name: str) -> bool:
    """Whether it has what it cannot do without: a key, or the address of one's own server."""
    match NEEDED.get(name):
        case "key":
            return bool(key_of(name))
        case "address":
            return bool(base_url_of(ENTRIES[name]))
    return True


def key_of(name: str) -> str:
    return str(settings.PLUMBLINE_PROVIDER_KEYS.get(name, ""))


def base_url_of(entry: Entry) -> str:
    """The service's own, or where the settings point it."""
    if entry.is_inside:
        return str(settings.PLUMBLINE_SEARXNG_URL)
    return str(settings.PLUMBLINE_PROVIDER_URLS.get(entry.name) or entry.base_url)
