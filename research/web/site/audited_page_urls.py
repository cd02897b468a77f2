"""The URLs that are recorded in the audit trail, with the name of each act.

Every URL that takes a form or an API request is in one of the tables; a test fails for one that is not.
"""

from collections.abc import Mapping

from research.models import Act

# Recorded when they succeed or are refused, but not when a form is shown again with errors.
RECORDED: Mapping[str, Act] = {
    "research:settings": Act.SETTINGS,
    "research:password": Act.PASSWORD,
    "usersessions_list": Act.SESSIONS_ENDED,
    "mfa_generate_recovery_codes": Act.SECOND_FACTOR,
    "research:webhooks": Act.WEBHOOKS,
    "research:tokens": Act.TOKEN_MAKE,
    "research:revoke_token": Act.TOKEN_REVOKE,
    **dict.fromkeys(
        (
            "research:new_run",
            "research:new_table",
            "research:rerun",
            "research:follow_up",
            "research:extend",
            "research:technical_follow_up",
            "research:briefs",
            "research:digests",
            "research:syntheses",
            "research:technical",
            "research:run_schedule",
            "api:create_run",
            "api:follow_up",
            "api:run_schedule_now",
        ),
        Act.RUN_START,
    ),
    **dict.fromkeys(
        (
            "research:pause",
            "research:resume",
            "research:instruct",
            "research:recheck",
            "api:pause",
            "api:resume",
            "api:instruct",
        ),
        Act.RUN_STEER,
    ),
    "research:cancel": Act.RUN_CANCEL,
    "api:cancel": Act.RUN_CANCEL,
    "research:delete_run": Act.RUN_DELETE,
    "research:plan": Act.PLAN_CHANGE,
    **dict.fromkeys(
        (
            "research:change_table",
            "research:table_cell",
            "api:start_proposed",
            "api:add_rows",
            "api:add_column",
            "api:change_column",
            "api:release_rows",
            "api:retry_rows",
            "api:look_again",
        ),
        Act.TABLE_CHANGE,
    ),
    **dict.fromkeys(
        (
            "research:review",
            "admin_review",
            "research:mark_claims",
            "research:review_doubts",
            "research:answer",
            "api:answer",
        ),
        Act.REVIEW,
    ),
    **dict.fromkeys(
        (
            "research:export",
            "research:export_again",
            "research:make_deck_files",
            "research:deck_file_again",
            "api:create_export",
        ),
        Act.EXPORT_MAKE,
    ),
    "research:share": Act.SHARE_MAKE,
    "research:revoke_share": Act.SHARE_REVOKE,
    **dict.fromkeys(
        ("research:decks", "research:deck_again", "research:change_deck", "research:deck_picture"),
        Act.DECK_CHANGE,
    ),
    "research:delete_deck": Act.DECK_DELETE,
    **dict.fromkeys(("research:new_theme", "research:edit_theme", "research:delete_theme"), Act.THEME_CHANGE),
    **dict.fromkeys(("research:library", "research:add_pages", "api:upload_document"), Act.LIBRARY_ADD),
    **dict.fromkeys(
        ("research:rename_folder", "research:reread", "research:move_document"), Act.LIBRARY_CHANGE
    ),
    **dict.fromkeys(("research:delete_document", "api:remove_document"), Act.LIBRARY_DELETE),
    **dict.fromkeys(
        (
            "research:new_schedule",
            "research:edit_schedule",
            "research:pause_schedule",
            "research:resume_schedule",
        ),
        Act.SCHEDULE_CHANGE,
    ),
    "research:delete_schedule": Act.SCHEDULE_DELETE,
    "research:switch_workspace": Act.WORKSPACE_SWITCH,
    **dict.fromkeys(("research:new_workspace", "research:first_workspace"), Act.WORKSPACE_MAKE),
    "research:retention": Act.RETENTION,
    **dict.fromkeys(("research:model", "research:check_model"), Act.MODEL),
    "research:rename_workspace": Act.WORKSPACE_CHANGE,
    "research:erase_workspace": Act.WORKSPACE_DELETE,
    "research:change_role": Act.MEMBER_ROLE,
    **dict.fromkeys(("research:remove_member", "research:leave_workspace"), Act.MEMBER_REMOVE),
    **dict.fromkeys(("research:invite", "research:resend_invitation"), Act.MEMBER_INVITE),
    "research:revoke_invitation": Act.MEMBER_UNINVITE,
    "research:invitation": Act.MEMBER_JOIN,
}

# Downloads of data are recorded although they change nothing.
TAKEN: Mapping[str, Act] = {
    "research:download": Act.EXPORT_TAKE,
    "research:deck_file": Act.EXPORT_TAKE,
    "api:download": Act.EXPORT_TAKE,
    "api:download_deck": Act.EXPORT_TAKE,
    "research:audit_file": Act.AUDIT_TAKE,
    "admin:research_modelcall_said": Act.CALL_READ,
}

_SIGNALS = "recorded where it happens (research.web.site.page_audit_signals)"
_MAIL = "a mail is asked for; what its link leads to is recorded"
_LOOK = "how the site looks in one browser"
NOT_RECORDED: Mapping[str, str] = {
    "login": _SIGNALS,
    "account_login": _SIGNALS,
    "logout": _SIGNALS,
    "account_logout": _SIGNALS,
    "mfa_authenticate": _SIGNALS,
    "mfa_activate_totp": _SIGNALS,
    "mfa_deactivate_totp": _SIGNALS,
    "account_reset_password_from_key": _SIGNALS,
    "research:sign_in_locally": _SIGNALS,
    "account_reauthenticate": "confirms who is signed in already; what it is asked for is recorded",
    "mfa_reauthenticate": "the same",
    "account_reset_password": _MAIL,
    "set_language": _LOOK,
    "research:display": _LOOK,
    "research:model_list": "the names that a server lists, beside a form that is not sent yet",
    "research:parallel_hook": "a program's message, which has its own row (WebhookEvent)",
}
STARTS = frozenset(name for name, act in RECORDED.items() if act == Act.RUN_START)
