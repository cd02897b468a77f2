"""The operator's view of an installation: metrics across all workspaces, and the health of its parts."""
