"""The purpose of each address, by its name: one class each. An address without an entry fails the test by its name.

The class says what each kind of visitor meets (`EXPECTED`): it is written here a second time, on purpose, and not read
from `research.web.site.page_rights`, so that a slip there is seen.
"""

from collections.abc import Mapping
from enum import StrEnum


class Visitor(StrEnum):
    ANONYMOUS = "anonymous"
    VIEWER = "viewer"
    REVIEWER = "reviewer"
    MEMBER = "member"
    OWNER = "owner"
    STRANGER = "another tenant's owner"
    STAFF = "staff without membership"  # with every right in the admin


class Kind(StrEnum):
    PUBLIC = "public"  # whoever comes
    SIGNED_IN = "signed in"  # of oneself, with or without a workspace
    READ = "read"
    OWN_THINGS = "own things"  # read, and change what is one's own
    DECIDE = "decide"  # read; who reviews decides
    REVIEW = "review"
    CHANGE = "change"  # read; members change
    STEER = "steer"
    PEOPLE = "people"  # read; owners change
    OWN = "own"
    PROGRAMS = "programs"  # tokens only: tests/api/test_isolation.py goes on with scopes and roles
    ADMIN = "admin"


_LEVELS = (Visitor.VIEWER, Visitor.REVIEWER, Visitor.MEMBER, Visitor.OWNER)
# The least role that sees, and the least that sends a form.
LEAST: Mapping[Kind, tuple[Visitor, Visitor]] = {
    Kind.READ: (Visitor.VIEWER, Visitor.MEMBER),
    Kind.OWN_THINGS: (Visitor.VIEWER, Visitor.VIEWER),
    Kind.DECIDE: (Visitor.VIEWER, Visitor.REVIEWER),
    Kind.REVIEW: (Visitor.REVIEWER, Visitor.REVIEWER),
    Kind.CHANGE: (Visitor.VIEWER, Visitor.MEMBER),
    Kind.STEER: (Visitor.MEMBER, Visitor.MEMBER),
    Kind.PEOPLE: (Visitor.VIEWER, Visitor.OWNER),
    Kind.OWN: (Visitor.OWNER, Visitor.OWNER),
}


def is_let_in(kind: Kind, visitor: Visitor, method: str) -> bool:
    """Return True if the visitor, a member or as `STRANGER` the owner of another workspace, has the right role."""
    least = LEAST[kind][0 if method in ("GET", "HEAD") else 1]
    role = Visitor.OWNER if visitor == Visitor.STRANGER else visitor
    return role in _LEVELS and _LEVELS.index(role) >= _LEVELS.index(least)


def _each(kind: Kind, names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), kind)


PAGES: Mapping[str, Kind] = {
    **_each(
        Kind.PUBLIC,
        "sign_in_locally display styles mermaid shared shared_claim parallel_hook invitation help api shortcuts"
        " accessibility",
    ),
    **_each(Kind.SIGNED_IN, "password first_workspace"),
    **_each(
        Kind.READ,
        "home account runs run progress log log_json report brief_json claim evidence_table studies table table_rows"
        " contradictions warnings changes changes_json sources reference_file export_files download technical_output"
        " technical_diagram deck deck_state slide_preview deck_picture deck_files deck_file themes theme_preview"
        " picture source page_image source_picture recheck_status schedules document knowledge",
    ),
    **_each(Kind.OWN_THINGS, "settings revoke_token switch_workspace leave_workspace new_workspace"),
    **_each(Kind.DECIDE, "plan answer mark_claims review_doubts"),
    **_each(Kind.REVIEW, "review"),
    **_each(
        Kind.CHANGE,
        "library export decks table_cell tokens briefs digests syntheses technical cancel pause resume instruct"
        " follow_up extend rerun change_table export_again share revoke_share technical_follow_up deck_again"
        " delete_deck change_deck make_deck_files deck_file_again delete_theme recheck pause_schedule resume_schedule"
        " run_schedule delete_schedule delete_run add_pages rename_folder reread move_document",
    ),
    **_each(Kind.STEER, "new_run new_table new_theme edit_theme new_schedule edit_schedule delete_document"),
    **_each(
        Kind.PEOPLE,
        "workspace rename_workspace erase_workspace change_role remove_member invite resend_invitation"
        " revoke_invitation",
    ),
    **_each(Kind.OWN, "webhooks audit audit_file retention model model_list check_model model_check"),
}
# Outside of the pages' namespace: signing in, and what is one's own.
SITE: Mapping[str, Kind] = {
    **_each(
        Kind.PUBLIC,
        "login logout account_login account_logout account_inactive mfa_authenticate account_reset_password"
        " account_reset_password_done account_reset_password_from_key account_reset_password_from_key_done"
        " set_language live ready metrics",
    ),
    **_each(
        Kind.SIGNED_IN,
        "account_reauthenticate mfa_reauthenticate usersessions_list mfa_index mfa_activate_totp"
        " mfa_deactivate_totp mfa_view_recovery_codes mfa_generate_recovery_codes",
    ),
    **_each(Kind.ADMIN, "admin_review admin_installation"),
}
# Of the admin, beside each table's own pages.
ADMIN_PAGES = frozenset(
    "index login logout password_change password_change_done jsi18n autocomplete view_on_site app_list".split()
)
ADMIN_OPEN = frozenset({"login", "logout", "jsi18n"})  # Django's own, which show nothing of ours
TABLE_PAGES = ("changelist", "add", "history", "delete", "change")
