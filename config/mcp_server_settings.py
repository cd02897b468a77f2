"""Settings of search tools on servers of the Model Context Protocol (docs/mcp.md)."""

import os
import re
from collections.abc import Mapping
from typing import Literal

from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError, model_validator

from config import environment

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


class _StrictSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Since(_StrictSettings):
    """The argument that limits a tool's search by date: a day in ISO 8601, or the tool's own word for a range."""

    argument: str = Field(min_length=1)
    day: str = ""
    week: str = ""
    month: str = ""
    year: str = ""

    @property
    def ranges(self) -> tuple[tuple[int, str], ...]:
        """The ranges as days and word, shortest first; none if the tool takes a day."""
        words = ((1, self.day), (7, self.week), (31, self.month), (366, self.year))
        return tuple(word for word in words if word[1])


class ResultFields(_StrictSettings):
    """The names of the fields of a search result; "" for a field that has its usual name."""

    url: str = ""
    title: str = ""
    snippet: str = ""
    published: str = ""


class McpTool(_StrictSettings):
    """A search tool. `query`, `most` and `page` are names of its arguments; "" for one that it lacks."""

    name: str = Field(min_length=1)
    query: str = Field("query", min_length=1)
    most: str = ""
    a_page: int = Field(20, ge=1, le=100)
    page: str = ""
    first_page: int = Field(1, ge=0, le=1)
    since: Since | None = None
    fixed: Mapping[str, JsonValue] = Field(default_factory=dict)
    types: frozenset[Literal["web", "news", "academic", "code", "images"]] = frozenset({"web"})
    # The path of the list of results, as "data.items"; "" if it can be found by its shape.
    results: str = ""
    fields: ResultFields = ResultFields()
    reads: str = ""  # the tool of the same server that reads a file found in a repository


_BRAVE = Since(argument="freshness", day="pd", week="pw", month="pm", year="py")
_GITHUB = {"most": "perPage", "a_page": 50, "page": "page", "types": {"code"}}
# For Brave Search's and GitHub's reference servers only the names of the tools are needed.
KNOWN: Mapping[str, McpTool] = {
    tool.name: tool
    for tool in (
        McpTool(name="brave_web_search", most="count", page="offset", first_page=0, since=_BRAVE),
        McpTool(
            name="brave_news_search", most="count", page="offset", first_page=0, since=_BRAVE,
            types=frozenset({"news"}),
        ),
        McpTool.model_validate({"name": "search_code", **_GITHUB}),
        McpTool.model_validate({"name": "search_repositories", "reads": "get_file_contents", **_GITHUB}),
    )
}  # fmt: skip
# Requests a minute that the services behind these tools allow.
USUAL_PACE = 60
PACES: Mapping[str, int] = {
    "brave_web_search": 60, "brave_news_search": 60, "search_code": 10, "search_repositories": 10,
}  # fmt: skip


class McpServer(_StrictSettings):
    """A server: a program that is started here, or a URL.

    `env` names the variables that it gets besides PATH. A header may refer to one as ${NAME}.
    """

    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    url: str = ""
    headers: Mapping[str, str] = Field(default_factory=dict, repr=False)
    inside: bool = False
    a_minute: int = Field(USUAL_PACE, ge=1, le=6_000)  # default: that of its slowest known tool
    tools: tuple[McpTool, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _complete_known_tools(cls, given: object) -> object:
        if not isinstance(given, dict) or not isinstance(given.get("tools"), list):
            return given
        tools = [_tool(entry) for entry in given["tools"]]
        names = [tool.name if isinstance(tool, McpTool) else _name_of(tool) for tool in tools]
        pace = min((PACES[name] for name in names if name in PACES), default=USUAL_PACE)
        return {"a_minute": pace, **given, "tools": tools}

    @model_validator(mode="after")
    def _check_kind(self) -> "McpServer":
        if bool(self.command) == bool(self.url):
            raise ValueError("it needs either a command or a url")
        if self.url and not self.url.startswith(("https://", "http://")):
            raise ValueError("its url must begin with https:// or http://")
        if "@" in self.url.partition("//")[2].partition("/")[0]:
            raise ValueError("its url must be without a login; use headers")
        return self

    def variables(self) -> Mapping[str, str]:
        """Return the environment variables of its program. Raises KeyError for a variable that is not set."""
        return {"PATH": os.environ.get("PATH", os.defpath), **{name: os.environ[name] for name in self.env}}

    def expand_headers(self) -> Mapping[str, str]:
        """Return the headers with variables replaced. Raises KeyError for a variable that is not set."""
        return {
            name: _VARIABLE.sub(lambda found: os.environ[found[1]], text)
            for name, text in self.headers.items()
        }

    def secrets(self) -> tuple[str, ...]:
        """Return the values of its variables and headers, which must never be disclosed; longest first."""
        variables = [os.environ[name] for name in self.env]
        headers = [part for value in self.expand_headers().values() for part in (value, *value.split())]
        return tuple(
            sorted({word for word in (*variables, *headers) if len(word) >= 6}, key=len, reverse=True)
        )


def tools_of(given: Mapping[str, McpServer]) -> Mapping[str, tuple[str, McpTool]]:
    """Map the name of each tool as a search provider to its server's name and the tool."""
    return {
        f"mcp:{name}" if len(server.tools) == 1 else f"mcp:{name}:{tool.name}".lower(): (name, tool)
        for name, server in given.items()
        for tool in server.tools
    }


_SERVERS = TypeAdapter(dict[str, McpServer])


def servers(setting: str) -> Mapping[str, McpServer]:
    """Return the servers by name. Raises ImproperlyConfigured, whose message contains no value of the setting."""
    text = environment.text(setting)
    if not text:
        return {}
    try:
        parsed = _SERVERS.validate_json(text)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the whole"
        raise ImproperlyConfigured(f"{setting}: {place}: {fault['msg']}. See docs/mcp.md.") from None
    for name, server in parsed.items():
        _check(setting, name, server)
    return parsed


def _check(setting: str, name: str, server: McpServer) -> None:
    if not _NAME.fullmatch(name):
        raise ImproperlyConfigured(f"{setting}: a name must be of a–z, 0–9, - and _; {name[:40]!r} is none.")
    try:
        server.variables(), server.expand_headers()
    except KeyError as error:
        raise ImproperlyConfigured(
            f"{setting}: {name} names the variable {error}, which is not set."
        ) from None


def _name_of(tool: object) -> str:
    return str(tool.get("name", "")) if isinstance(tool, dict) else ""


def _tool(given: object) -> object:
    """Complete a tool with the known defaults of its name; given values take precedence."""
    if isinstance(given, str):
        return KNOWN.get(given) or {"name": given}
    if isinstance(given, dict) and given.get("name") in KNOWN:
        return {**KNOWN[given["name"]].model_dump(exclude_defaults=True), **given}
    return given
