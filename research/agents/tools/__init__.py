"""The agents' tools, each with typed input and output, limits, and error codes."""
