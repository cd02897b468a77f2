"""Workspaces, as people call tenants: making one, who belongs to it and as what, inviting others.

Pages: `research.web.account.workspace_page`, `invitation_page`. What a role may do: `research.accounts.roles`.
"""
