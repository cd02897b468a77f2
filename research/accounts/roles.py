"""The rights of people in a workspace, by their role: the only place that defines them.

Each role may do what the one before it may, and one thing more. Pages ask `research.web.site.rights`, programs
`research.integrations.api.auth`, what starts by itself asks `roles_with`.
"""

from collections.abc import Mapping
from enum import IntEnum

from research.models import Role


class Right(IntEnum):
    """A right in a workspace; each includes all before it."""

    READ = 1
    REVIEW = 2  # decide what people are asked
    STEER = 3  # start and change: runs, the library, schedules, files, tokens of one's own
    OWN = 4  # members, invitations, the workspace itself, where it sends to


MOST: Mapping[str, Right] = {
    Role.VIEWER: Right.READ,
    Role.REVIEWER: Right.REVIEW,
    Role.MEMBER: Right.STEER,
    Role.OWNER: Right.OWN,
}


def may(role: str, right: Right) -> bool:
    """Return True if the role gives the right. An unknown role gives none."""
    return right <= MOST.get(role, 0)


def roles_with(right: Right) -> list[str]:
    return [role for role, most in MOST.items() if right <= most]
