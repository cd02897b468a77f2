"""Roles in a workspace and their rights, defined only here.

Each role includes the rights of the previous one. Pages check them in `research.web.site.page_rights`, the API in
`research.integrations.api.api_auth`; background jobs call `roles_with`.
"""

from collections.abc import Mapping
from enum import IntEnum

from research.models import Role


class Right(IntEnum):
    """A right in a workspace; each includes all previous ones."""

    READ = 1
    REVIEW = 2  # decide on review items
    STEER = 3  # start and change runs, the library, schedules, files, one's own tokens
    OWN = 4  # members, invitations, the workspace itself, webhooks


MOST: Mapping[str, Right] = {
    Role.VIEWER: Right.READ,
    Role.REVIEWER: Right.REVIEW,
    Role.MEMBER: Right.STEER,
    Role.OWNER: Right.OWN,
}


def may(role: str, right: Right) -> bool:
    """Return True if the role includes the right. An unknown role includes none."""
    return right <= MOST.get(role, 0)


def roles_with(right: Right) -> list[str]:
    return [role for role, most in MOST.items() if right <= most]
