"""Admins of users: their settings, escalations to them, and their decisions.

Escalations are history here; decisions are made in the review queue.
"""

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.admin import UserSessionAdmin
from allauth.usersessions.models import UserSession
from axes.admin import AccessAttemptAdmin, AccessFailureLogAdmin, AccessLogAdmin
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from research.accounts.audit.read_audit_trail import site_rows
from research.admin.base_admin import HistoryAdmin, TableAdmin, ValidatedLookupAdmin
from research.models import (
    ApiToken,
    AuditEntry,
    Escalation,
    Instruction,
    Invitation,
    KeptAnswer,
    Mail,
    PlanVersion,
    ReviewDecision,
    ReviewItem,
    Schedule,
    SiteAuditEntry,
    UserSettings,
)

Extra = dict[str, object] | None


@admin.register(Escalation)
class EscalationAdmin(HistoryAdmin):
    list_display = ("rule", "run", "priority", "type", "status", "deadline", "decided_by")
    list_filter = ("status", "priority", "type")
    list_select_related = ("run", "decided_by")
    search_fields = ("rule", "required_action")
    ordering = ("deadline",)


@admin.register(ReviewItem)
class ReviewItemAdmin(HistoryAdmin):
    list_display = ("__str__", "run", "reason", "decided_by", "decided_at", "taken_by")
    list_filter = ("status", "kind")
    list_select_related = ("run", "decided_by", "taken_by")
    search_fields = ("reason",)
    ordering = ("-created_at", "position")


@admin.register(ReviewDecision)
class ReviewDecisionAdmin(HistoryAdmin):
    list_display = ("act", "item", "escalation", "by", "created_at")
    list_filter = ("act",)
    list_select_related = ("item", "escalation", "by")
    search_fields = ("by__username",)
    ordering = ("-created_at",)


@admin.register(PlanVersion)
class PlanVersionAdmin(HistoryAdmin):
    list_display = ("number", "run", "trigger", "reason", "made_by", "created_at")
    list_filter = ("trigger",)
    list_select_related = ("run", "made_by")
    search_fields = ("run__topic", "reason")
    ordering = ("-created_at",)
    heavy = ("plan",)


@admin.register(Instruction)
class InstructionAdmin(HistoryAdmin):
    list_display = ("text", "run", "author", "status", "taken_at", "created_at")
    list_filter = ("status",)
    list_select_related = ("run", "author")
    search_fields = ("text",)
    ordering = ("-created_at",)


@admin.register(Invitation)
class InvitationAdmin(HistoryAdmin):
    """A read-only list of invitations. The workspace's owner invites, resends and revokes on the workspace page."""

    list_display = ("email", "role", "invited_by", "sent_count", "expires_at", "accepted_at", "revoked_at")
    list_filter = ("role", ("accepted_at", admin.EmptyFieldListFilter))
    list_select_related = ("invited_by",)
    search_fields = ("email",)
    ordering = ("-created_at",)


@admin.register(Mail)
class MailAdmin(HistoryAdmin):
    list_display = ("kind", "to", "subject", "attempts", "sent_at", "created_at")
    list_filter = ("kind", ("sent_at", admin.EmptyFieldListFilter))
    search_fields = ("to", "subject", "ref")
    ordering = ("-created_at",)
    secret = ("body",)  # an invitation's link works until it is used, and is in the body until it is sent


@admin.register(Schedule)
class ScheduleAdmin(TableAdmin):
    list_display = ("name", "kind", "owner", "cron", "interval_seconds", "next_at", "enabled")
    list_filter = ("enabled", "kind")
    list_select_related = ("owner",)
    search_fields = ("name", "topic")
    ordering = ("name",)


@admin.register(UserSettings)
class UserSettingsAdmin(TableAdmin):
    """An admin of the settings of every tenant's users, like Django's own list of them.

    A row exists once a user chose something.
    """

    list_display = (
        "user",
        "theme",
        "language",
        "single_keys",
        "mail_asked",
        "mail_failures",
        "mail_schedules",
    )
    list_filter = ("theme", "language", "mail_asked", "mail_failures", "mail_schedules")
    list_select_related = ("user",)
    search_fields = ("user__username", "user__email")
    ordering = ("user__username",)
    readonly_fields = ("user",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


for theirs in (
    *(Authenticator, UserSession, AccessAttempt, AccessFailureLog, AccessLog),
    *(User, Group, EmailAddress),
):
    admin.site.unregister(theirs)


@admin.register(User)
class AccountAdmin(ValidatedLookupAdmin, UserAdmin):  # type: ignore[type-arg]  # it takes no type parameters at run time
    """Django's admin of users."""


@admin.register(Group)
class RightsAdmin(ValidatedLookupAdmin, GroupAdmin):
    """Django's admin of groups."""


@admin.register(EmailAddress)
class AddressAdmin(ValidatedLookupAdmin, EmailAddressAdmin):  # type: ignore[misc]  # has no types
    """allauth's admin of mail addresses."""


@admin.register(Authenticator)
class SecondFactorAdmin(TableAdmin):
    """Second factors, which can be deleted for users who lost their device, but not created or read."""

    secret = ("data",)
    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("user__username",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(AccessAttempt)
class OpenAttemptAdmin(ValidatedLookupAdmin, AccessAttemptAdmin):  # type: ignore[misc]  # has no types
    """axes' admin of failed sign-ins."""


@admin.register(AccessFailureLog)
class FailureAdmin(ValidatedLookupAdmin, AccessFailureLogAdmin):  # type: ignore[misc]  # has no types
    """axes' log of failed sign-ins."""


@admin.register(AccessLog)
class SignInAdmin(ValidatedLookupAdmin, AccessLogAdmin):  # type: ignore[misc]  # has no types
    """axes' log of sign-ins."""


@admin.register(UserSession)
class OpenSessionAdmin(ValidatedLookupAdmin, UserSessionAdmin):  # type: ignore[misc]  # has no types
    """allauth's admin of sessions. A session key lets anyone act as its user, so it can't be searched for."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return not lookup.startswith("session_key") and bool(super().lookup_allowed(lookup, value, request))


@admin.register(ApiToken)
class ApiTokenAdmin(HistoryAdmin):
    """A read-only list of API tokens. The user revokes a token on the account page.

    The tokens of a user who may not sign in grant no access.
    """

    list_display = (
        "name",
        "user",
        "hint",
        "scopes",
        "created_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    )
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("name", "user__username", "hint")
    ordering = ("-created_at",)


@admin.register(KeptAnswer)
class KeptAnswerAdmin(HistoryAdmin):
    list_display = ("key", "token", "status", "location", "created_at")
    list_select_related = ("token",)
    search_fields = ("key", "location")
    ordering = ("-created_at",)
    heavy = ("body",)


@admin.register(AuditEntry)
class AuditEntryAdmin(HistoryAdmin):
    list_display = (
        "act",
        "who",
        "role",
        "outcome",
        "object_type",
        "object_name",
        "address",
        "via",
        "created_at",
    )
    list_filter = ("outcome", "via")
    search_fields = ("act", "who", "object_name", "object_id")
    ordering = ("-created_at", "-id")


@admin.register(SiteAuditEntry)
class SiteAuditEntryAdmin(HistoryAdmin):
    """Audit entries of no workspace, for superusers only."""

    list_display = ("act", "who", "outcome", "address", "via", "created_at")
    list_filter = ("outcome",)
    search_fields = ("act", "who", "address")
    ordering = ("-created_at",)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return isinstance(request.user, User) and request.user.is_active and request.user.is_superuser

    def changelist_view(self, request: HttpRequest, extra_context: Extra = None) -> HttpResponse:
        with site_rows():
            return render_response(super().changelist_view(request, extra_context))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Extra = None,
    ) -> HttpResponse:
        with site_rows():
            return render_response(super().changeform_view(request, object_id, form_url, extra_context))


def render_response(response: HttpResponse) -> HttpResponse:
    """Render the response now, while its rows can be read, not when it is sent."""
    return response.render() if isinstance(response, TemplateResponse) else response
