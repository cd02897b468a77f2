"""The package's MCP server, with a readable message for every refusal."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult, Tool
from pydantic import ValidationError


class ResearchMcpServer(MCPServer[None]):
    async def list_tools(self) -> list[Tool]:
        """List the tools with schemas that forbid unknown arguments."""
        tools = await super().list_tools()
        for tool in tools:
            tool.input_schema = {**tool.input_schema, "additionalProperties": False}
        return tools

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises ToolError with a sentence for each invalid argument, or with the reason for a refusal."""
        if unknown := await self._unknown(name, arguments):
            words = _("%(name)s: the tool does not have this argument")
            raise ToolError("; ".join(words % {"name": argument[:100]} for argument in unknown))
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError("; ".join(_complaints(error.__cause__))) from error
            if isinstance(error.__cause__, ToolError):  # our own, without the text that the package adds
                raise ToolError(str(error.__cause__)) from error
            raise

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[None, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Refuse every prompt, because there are none; the package would log an unknown name as a crash."""
        message = _("There is no prompt “%(name)s”: this server offers only tools.") % {"name": name[:100]}
        raise MCPError(INVALID_PARAMS, message)

    async def _unknown(self, name: str, arguments: dict[str, Any]) -> list[str]:
        tool = next((tool for tool in await super().list_tools() if tool.name == name), None)
        return [] if tool is None else sorted(set(arguments) - set(tool.input_schema["properties"]))[:10]


def _complaints(error: ValidationError) -> Iterable[str]:
    for detail in error.errors(include_url=False, include_input=False)[:10]:
        yield f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}"
