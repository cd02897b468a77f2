"""Search tools of other servers, over the Model Context Protocol (docs/mcp.md)."""
