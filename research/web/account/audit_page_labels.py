"""Labels of the audit trail's acts, in the reader's language."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from research.models import Act, Outcome, Via

ACTS: Mapping[str, Promise] = {
    Act.SIGN_IN: lazy("Sign-in"),
    Act.SIGN_OUT: lazy("Sign-out"),
    Act.LOCKED_OUT: lazy("Locked after wrong passwords"),
    Act.PASSWORD: lazy("New password"),
    Act.SECOND_FACTOR: lazy("Second step changed"),
    Act.SESSIONS_ENDED: lazy("Other sessions ended"),
    Act.SETTINGS: lazy("Settings changed"),
    Act.TOKEN_MAKE: lazy("Token made"),
    Act.TOKEN_REVOKE: lazy("Token revoked"),
    Act.WEBHOOKS: lazy("Webhooks changed"),
    Act.WORKSPACE_MAKE: lazy("Workspace made"),
    Act.WORKSPACE_CHANGE: lazy("Workspace changed"),
    Act.WORKSPACE_SWITCH: lazy("Workspace entered"),
    Act.WORKSPACE_DELETE: lazy("Workspace deleted"),
    Act.KEY_ROTATE: lazy("Data key changed"),
    Act.FORGET: lazy("Data deleted after its retention period"),
    Act.MODEL: lazy("Model connected, tested or removed"),
    Act.RETENTION: lazy("Retention periods changed"),
    Act.MEMBER_INVITE: lazy("Person invited"),
    Act.MEMBER_UNINVITE: lazy("Invitation revoked"),
    Act.MEMBER_JOIN: lazy("Person joined"),
    Act.MEMBER_ROLE: lazy("Role changed"),
    Act.MEMBER_REMOVE: lazy("Person removed"),
    Act.RUN_START: lazy("Run started"),
    Act.RUN_STEER: lazy("Run steered"),
    Act.RUN_CANCEL: lazy("Run cancelled"),
    Act.RUN_DELETE: lazy("Run deleted"),
    Act.PLAN_CHANGE: lazy("Plan changed or started"),
    Act.TABLE_CHANGE: lazy("Table changed"),
    Act.REVIEW: lazy("Decision or answer"),
    Act.CALL_READ: lazy("Words of a model call read"),
    Act.EXPORT_MAKE: lazy("File asked for"),
    Act.EXPORT_TAKE: lazy("File downloaded"),
    Act.AUDIT_TAKE: lazy("Activity downloaded"),
    Act.SHARE_MAKE: lazy("Report shared by a link"),
    Act.SHARE_REVOKE: lazy("Link revoked"),
    Act.DECK_CHANGE: lazy("Slides made or changed"),
    Act.DECK_DELETE: lazy("Slides deleted"),
    Act.THEME_CHANGE: lazy("Theme of slides changed"),
    Act.LIBRARY_ADD: lazy("Added to the library"),
    Act.LIBRARY_CHANGE: lazy("Library changed"),
    Act.LIBRARY_DELETE: lazy("Deleted from the library"),
    Act.SCHEDULE_CHANGE: lazy("Schedule made or changed"),
    Act.SCHEDULE_DELETE: lazy("Schedule deleted"),
    Act.ADMIN_ADD: lazy("Added in the admin"),
    Act.ADMIN_CHANGE: lazy("Changed in the admin"),
    Act.ADMIN_DELETE: lazy("Deleted in the admin"),
}
OUTCOMES: Mapping[str, Promise] = {
    Outcome.DONE: lazy("Done"),
    Outcome.REFUSED: lazy("Refused"),
    Outcome.FAILED: lazy("Failed"),
}
CHANNELS: Mapping[str, Promise] = {
    Via.PAGES: lazy("Pages"),
    Via.ADMIN: lazy("Admin"),
    Via.API: lazy("API"),
    Via.MCP: lazy("Model Context Protocol"),
    Via.COMMAND: lazy("Command line"),
}
