"""The operator's view of an installation: figures across all workspaces, and whether its parts are alive."""
