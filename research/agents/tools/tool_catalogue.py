"""All tools by name."""

from collections.abc import Mapping

from research.agents.tools.browse import browse_tool
from research.agents.tools.cite import cite_tool
from research.agents.tools.compute import compute_tool
from research.agents.tools.dedupe import dedupe_tool
from research.agents.tools.export import export_tool
from research.agents.tools.extract import extract_tool
from research.agents.tools.retrieve import retrieve_tool
from research.agents.tools.search import Providers, search_tool, select_providers
from research.agents.tools.store import store_tool
from research.agents.tools.summarize import summarize_tool
from research.agents.tools.tool import AnyTool
from research.agents.tools.workspace import workspace_tool


def catalogue(providers: Providers = select_providers) -> Mapping[str, AnyTool]:
    """Return all tools by name; research.agents.agent_roles lists those that each role may use."""
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
