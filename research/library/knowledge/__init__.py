"""The findings of a workspace's finished runs, as a graph of entities and claims."""
