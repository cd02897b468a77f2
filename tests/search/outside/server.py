"""A real server of the Model Context Protocol, whose tools answer in the shapes of Brave Search's and GitHub's.

Run as a program it speaks on its standard input and output.
"""

import json
import os

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, EmbeddedResource, TextContent, TextResourceContents

THERE = 25  # results of each tool


def build_server() -> MCPServer:
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

    add_repositories(server)

    @server.tool()
    def typed(words: str, region: str) -> dict[str, object]:
        """Typed content in names of its own."""
        hit = {"address": "https://typed.example/", "heading": words, "said": region, "day": "2024-05-01"}
        return {"data": {"hits": [hit, {"heading": "nowhere"}]}}

    @server.tool(structured_output=False)
    def variables(query: str) -> str:
        """Return what it finds in its environment."""
        return json.dumps([{"url": f"https://{os.getpid()}.example/", "title": " ".join(sorted(os.environ))}])

    return server


def add_repositories(server: MCPServer) -> None:
    @server.tool(structured_output=False)
    def search_repositories(query: str, perPage: int = 30, page: int = 1) -> str:
        """The best first, as GitHub tells them."""
        items = [repository(name) for name in ("heat/pumps", "heat/pipes", "heat/tools")]
        return json.dumps({"total_count": 3, "items": items if page == 1 else []})

    @server.tool(structured_output=False)
    def get_file_contents(owner: str, repo: str, path: str) -> CallToolResult:
        """A remark and the file as a resource, as GitHub's server sends it; one repository has no such file."""
        if repo == "pipes":
            return CallToolResult(
                content=[TextContent(text="failed to get file: 404 Not Found")], is_error=True
            )
        text = f"# {repo}\n\n[![build](a)](b)\n\nRead from {path}: {owner} finds leaks in pumps.\n\n```sh\nmake\n```\n"
        file = TextResourceContents(uri=f"repo://{owner}/{repo}/contents/{path}", text=text)
        said = TextContent(text="successfully downloaded text file (SHA: abc)")
        return CallToolResult(content=[said, EmbeddedResource(resource=file)])


def brave(number: int, words: str) -> dict[str, object]:
    return {
        "url": f"https://site-{number}.example/", "title": f"Page <strong>{number}</strong>",
        "description": f"What {number} says of {words}.", "extra_snippets": ["More."],
    }  # fmt: skip


def repository(name: str) -> dict[str, object]:
    return {
        "name": name.split("/")[1], "full_name": name, "html_url": f"https://github.com/{name}",
        "description": f"Repository {name}.", "stargazers_count": 7,
    }  # fmt: skip


def file(number: int) -> dict[str, object]:
    return {
        "name": f"pump_{number}.py", "path": f"src/pump_{number}.py", "sha": "ab" * 20,
        "html_url": f"https://github.com/heat/pumps/blob/main/src/pump_{number}.py",
        "repository": {"full_name": "heat/pumps", "html_url": "https://github.com/heat/pumps"},
    }  # fmt: skip


if __name__ == "__main__":
    build_server().run()
