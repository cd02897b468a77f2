"""Research as tools for agents: a server for the Model Context Protocol."""
