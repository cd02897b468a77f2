"""Workspaces, called tenants in the code: creation, members and roles, invitations.

Pages: `research.web.account.workspace_page`, `invitation_page`. Rights: `research.accounts.workspace_roles`.
"""
