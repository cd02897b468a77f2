"""What an operator sees of an installation: figures of all workspaces together, and whether its parts are alive."""
