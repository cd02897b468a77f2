"""The search services that the settings choose, by name. Imports none of them, because the web process uses it too."""

from collections.abc import Collection, Mapping

from django.conf import settings

from config.mcp_server_settings import McpTool, tools_of
from config.search_provider_settings import AUTO, NEEDED


def list_configured_services() -> tuple[str, ...]:
    """Return the names of the services to search, in the catalogue's order."""
    chosen: Collection[str] = settings.PLUMBLINE_PROVIDERS
    there = (*filter(is_ready, NEEDED), *outside_tools())
    return tuple(name for name in there if name in chosen or AUTO in chosen)


def outside_tools() -> Mapping[str, tuple[str, McpTool]]:
    """Return the search tools of configured MCP servers by provider name, each with its server's name."""
    return tools_of(settings.PLUMBLINE_MCP_SERVERS)


def is_ready(name: str) -> bool:
    """Return True if the service has the setting that it needs, if any: a key or the URL of the operator's server."""
    match NEEDED.get(name):
        case "key":
            return bool(key_of(name))
        case "address":
            return bool(settings.PLUMBLINE_SEARXNG_URL)
    return True


def key_of(name: str) -> str:
    return str(settings.PLUMBLINE_PROVIDER_KEYS.get(name, ""))
