"""Research as tools of agents: a server of the Model Context Protocol."""
