"""All tools by name."""

from collections.abc import Mapping

from research.agents.tools.browse_tool import browse_tool
from research.agents.tools.cite_tool import cite_tool
from research.agents.tools.compute_tool import compute_tool
from research.agents.tools.dedupe_tool import dedupe_tool
from research.agents.tools.extract_tool import extract_tool
from research.agents.tools.retrieve_tool import retrieve_tool
from research.agents.tools.search_tool import Providers, search_tool, select_providers
from research.agents.tools.store_tool import store_tool
from research.agents.tools.summarize_tool import summarize_tool
from research.agents.tools.tool_interface import AnyTool
from research.agents.tools.workspace_tool import workspace_tool


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
        compute_tool(),
        workspace_tool(),
    )
    return {tool.name: tool for tool in tools}
