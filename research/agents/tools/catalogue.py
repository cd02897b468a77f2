"""All tools by name."""

from collections.abc import Mapping

from research.tools.browse import browse_tool
from research.tools.cite import cite_tool
from research.tools.compute import compute_tool
from research.tools.dedupe import dedupe_tool
from research.tools.export import export_tool
from research.tools.extract import extract_tool
from research.tools.retrieve import retrieve_tool
from research.tools.search import Providers, configured, search_tool
from research.tools.store import store_tool
from research.tools.summarize import summarize_tool
from research.tools.tool import AnyTool
from research.tools.workspace import workspace_tool


def catalogue(providers: Providers = configured) -> Mapping[str, AnyTool]:
    """Every tool there is; a role may use those of its row in research.agents.roles."""
    tools: tuple[AnyTool, ...] = (
        search_tool(providers),
        browse_tool(),
        extract_tool(),
        summarize_tool(),
        cite_tool(),
        dedupe_tool(),
        store_tool(),
        retrieve_tool(),
        export_tool(),
        compute_tool(),
        workspace_tool(),
    )
    return {tool.name: tool for tool in tools}
