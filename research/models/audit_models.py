"""The audit log: acts of people and programs in immutable rows (spec: security.md; governance.md, Tenants)."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from research.models.base_models import TenantModel, new_id, one_of


class Act(models.TextChoices):
    """An audited action: a noun and a verb. The labels for people are in `research.web.account.audit_page_labels`."""

    SIGN_IN = "account.sign_in"
    SIGN_OUT = "account.sign_out"
    LOCKED_OUT = "account.locked_out"
    PASSWORD = "account.password"  # noqa: S105 - the name of an act
    SECOND_FACTOR = "account.second_factor"
    SESSIONS_ENDED = "account.sessions_end"
    SETTINGS = "account.settings"
    TOKEN_MAKE = "token.make"  # noqa: S105
    TOKEN_REVOKE = "token.revoke"  # noqa: S105
    WEBHOOKS = "webhooks.change"
    WORKSPACE_MAKE = "workspace.make"
    WORKSPACE_CHANGE = "workspace.change"
    WORKSPACE_SWITCH = "workspace.switch"
    WORKSPACE_DELETE = "workspace.delete"
    KEY_ROTATE = "workspace.key_rotate"
    RETENTION = "workspace.retention"
    MODEL = "workspace.model"
    FORGET = "workspace.forget"
    MEMBER_INVITE = "member.invite"
    MEMBER_UNINVITE = "member.uninvite"
    MEMBER_JOIN = "member.join"
    MEMBER_ROLE = "member.role"
    MEMBER_REMOVE = "member.remove"
    RUN_START = "run.start"
    RUN_STEER = "run.steer"
    RUN_CANCEL = "run.cancel"
    RUN_DELETE = "run.delete"
    PLAN_CHANGE = "run.plan"
    TABLE_CHANGE = "run.table"
    REVIEW = "review.decide"
    CALL_READ = "call.read"
    EXPORT_MAKE = "export.make"
    EXPORT_TAKE = "export.take"
    AUDIT_TAKE = "export.audit"
    SHARE_MAKE = "share.make"
    SHARE_REVOKE = "share.revoke"
    DECK_CHANGE = "deck.change"
    DECK_DELETE = "deck.delete"
    THEME_CHANGE = "theme.change"
    LIBRARY_ADD = "library.add"
    LIBRARY_CHANGE = "library.change"
    LIBRARY_DELETE = "library.delete"
    SCHEDULE_CHANGE = "schedule.change"
    SCHEDULE_DELETE = "schedule.delete"
    ADMIN_ADD = "admin.add"
    ADMIN_CHANGE = "admin.change"
    ADMIN_DELETE = "admin.delete"


class Outcome(models.TextChoices):
    DONE = "done"
    REFUSED = "refused"  # not allowed, not found, too often
    FAILED = "failed"  # a wrong password or code


class Via(models.TextChoices):
    """The interface through which somebody acted."""

    PAGES = "pages"
    ADMIN = "admin"
    API = "api"
    MCP = "mcp"
    COMMAND = "command"


class AuditRecord(models.Model):
    """One act: who, in which role, when, what, on which object, from which address, and the outcome."""

    # No foreign keys: a row outlives the account and the object that it describes.
    user_id = models.IntegerField(null=True, blank=True, editable=False)  # NULL: unknown
    who = models.CharField(max_length=150, blank=True)  # the account's name at the time; empty: no account
    role = models.CharField(max_length=20, blank=True)  # in the workspace at the time; empty: none
    via = models.CharField(max_length=7, choices=Via)
    act = models.CharField(max_length=40)  # one of `Act`; not constrained in the schema, because it grows
    outcome = models.CharField(max_length=7, choices=Outcome, default=Outcome.DONE)
    object_type = models.CharField(max_length=40, blank=True)  # "run", "apitoken"; empty: the whole workspace
    object_id = models.CharField(max_length=64, blank=True)
    object_name = models.CharField(max_length=200, blank=True)  # its name at the time
    address = models.GenericIPAddressField(
        null=True, blank=True, unpack_ipv4=True
    )  # NULL: not over a network
    before = models.JSONField(default=dict, blank=True)  # small values of what was changed; never a secret
    after = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.who or '?'}: {self.act}"


_KNOWN: list[models.BaseConstraint] = [
    models.CheckConstraint(
        name="%(app_label)s_%(class)s_act_form", condition=Q(act__regex=r"^[a-z]+\.[a-z_]+$")
    ),
    one_of("outcome", Outcome),
    one_of("via", Via),
]


class AuditEntry(AuditRecord, TenantModel):
    """An act in a workspace. The application may add and read rows; no role may change one."""

    class Meta:
        verbose_name_plural = "audit entries"
        constraints = _KNOWN
        indexes = [
            models.Index(fields=["tenant", "-created_at", "-id"], name="audit_newest"),
            models.Index(fields=["tenant", "who", "-created_at"], name="audit_of_person"),
            models.Index(fields=["tenant", "act", "-created_at"], name="audit_of_act"),
        ]


class SiteAuditEntry(AuditRecord):
    """An act outside any workspace: a sign-in with an unknown name, or by a user without a workspace.

    Any request may add a row; only `research.accounts.audit.read_audit_trail.site_rows` can read them.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Set in Python: a role that may insert a row may not read it back.
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "site audit entries"
        constraints = _KNOWN
        indexes = [models.Index(fields=["-created_at"], name="site_audit_newest")]
