"""What a workspace's finished runs have found, as a graph of entities and claims."""
