"""A real server of the Model Context Protocol, whose tools answer in the shapes of Brave Search's and GitHub's.

Run as a program it speaks on its standard input and output.
"""

import json
import os

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent

THERE = 25  # results of each tool


def made() -> MCPServer:
    server = MCPServer("search")

    @server.tool(structured_output=False)
    def brave_web_search(query: str, count: int = 10, offset: int = 0, freshness: str = "") -> CallToolResult:
        """A text for each result, as Brave's server does; nothing found is an error there."""
        found = range(offset * count, min(THERE, (offset + 1) * count)) if query != "nothing" else ()
        if not found:
            return CallToolResult(content=[TextContent(text="No web results found")], is_error=True)
        texts = [brave(number, " ".join([query, freshness]).strip()) for number in found]
        return CallToolResult(content=[TextContent(text=json.dumps(text)) for text in texts])

    @server.tool(structured_output=False)
    def search_code(query: str, perPage: int = 30, page: int = 1) -> str:
        """One text with all of GitHub's answer."""
        items = [file(number) for number in range(perPage * (page - 1), min(THERE, perPage * page))]
        return json.dumps({"total_count": THERE, "incomplete_results": False, "items": items})

    @server.tool()
    def typed(words: str, region: str) -> dict[str, object]:
        """Typed content in names of its own."""
        hit = {"address": "https://typed.example/", "heading": words, "said": region, "day": "2024-05-01"}
        return {"data": {"hits": [hit, {"heading": "nowhere"}]}}

    @server.tool(structured_output=False)
    def variables(query: str) -> str:
        """What it finds in its environment."""
        return json.dumps([{"url": f"https://{os.getpid()}.example/", "title": " ".join(sorted(os.environ))}])

    return server


def brave(number: int, words: str) -> dict[str, object]:
    return {
        "url": f"https://site-{number}.example/", "title": f"Page <strong>{number}</strong>",
        "description": f"What {number} says of {words}.", "extra_snippets": ["More."],
    }  # fmt: skip


def file(number: int) -> dict[str, object]:
    return {
        "name": f"pump_{number}.py", "path": f"src/pump_{number}.py", "sha": "ab" * 20,
        "html_url": f"https://github.com/heat/pumps/blob/main/src/pump_{number}.py",
        "repository": {"full_name": "heat/pumps", "html_url": "https://github.com/heat/pumps"},
    }  # fmt: skip


if __name__ == "__main__":
    made().run()
