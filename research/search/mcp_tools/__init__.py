"""Search tools of others, by the Model Context Protocol (docs/mcp.md)."""
