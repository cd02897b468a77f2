"""Workspaces, as people call tenants: making one, who belongs to it and as what, inviting others.

Pages: `research.web.workspace_page`, `research.web.invitation_page`; what a role may do: `research.roles`.
"""
