"""Pages of what a workspace's finished runs have found."""
