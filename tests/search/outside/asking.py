"""Tools of servers asked as a run asks them: by the settings, through the services of a process."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from django.test import override_settings

from config.mcp_server_settings import McpServer
from research.search.chosen_search_services import outside_tools
from research.search.search_protocol import Filters, Hits, SearchError, SearchType
from research.search.search_services import Services

FOLDER = Path(__file__).parent


def program(script: str, *args: str, tools: Sequence[object] = ("find",), **more: object) -> McpServer:
    given = {"command": sys.executable, "args": [str(FOLDER / script), *args], "tools": list(tools), **more}
    return McpServer.model_validate(given)


class Asked:
    """The services of a process, with these servers plugged in."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def search(
        self, query: str = "heat", name: str = "mcp:one", **filters: object
    ) -> Hits | SearchError:
        [provider] = self.services.of(uuid4(), [name])
        try:
            return await provider.search(query, Filters(**{"type": SearchType.WEB, **filters}))
        except SearchError as error:
            return error


def run_with_servers(work, *, allow_loopback: bool = True, **servers: McpServer) -> object:
    """Return the result of `work`, with the servers plugged in by their names."""

    async def act() -> object:
        services = Services([], outside_tools())
        try:
            return await work(Asked(services))
        finally:
            await services.aclose()

    with override_settings(
        REDIS_LOCATION="unix:///nowhere.sock",  # turns are those of one process, whatever ran before
        PLUMBLINE_MCP_SERVERS=servers,
        PLUMBLINE_ALLOW_LOOPBACK=allow_loopback,
    ):
        return asyncio.run(act())
