"""The tools of agents: each has a typed input and output, limits, and named failures."""
