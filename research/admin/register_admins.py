"""Register the admins of all tables: searchable, filterable lists; history can be viewed, not changed."""

from decimal import Decimal

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from research.admin import knowledge_admin, people_admin, webhooks_admin  # noqa: F401 - register their tables
from research.admin.agents_admin import AgentMessageAdmin, WorkspaceEntryAdmin
from research.admin.base_admin import HistoryAdmin, TableAdmin, figure
from research.admin.model_calls_admin import ModelCallAdmin
from research.admin.spending_admin import (
    BudgetAdmin,
    CreditAccountAdmin,
    CreditEntryAdmin,
    DegradationAdmin,
    ReservationAdmin,
    UsageEntryAdmin,
)
from research.models import (
    AgentMessage,
    Budget,
    Chunk,
    Content,
    CreditAccount,
    CreditEntry,
    DataKey,
    Degradation,
    Erasure,
    Item,
    KeptPage,
    LanguageModel,
    LibraryChunk,
    LibraryDocument,
    Membership,
    ModelCall,
    Outbox,
    Reservation,
    Run,
    Source,
    Step,
    Tenant,
    UsageEntry,
    WebhookEvent,
    WorkspaceEntry,
)

# They belong to no tenant and can start any task for any tenant; users have schedules instead.
for beat_table in apps.get_app_config("django_celery_beat").get_models():
    if admin.site.is_registered(beat_table):
        admin.site.unregister(beat_table)

admin.site.site_header = admin.site.site_title = _("Plumbline administration")
admin.site.index_title = _("Tables")

admin.site.register(AgentMessage, AgentMessageAdmin)
admin.site.register(WorkspaceEntry, WorkspaceEntryAdmin)
admin.site.register(ModelCall, ModelCallAdmin)
admin.site.register(Degradation, DegradationAdmin)
admin.site.register(Budget, BudgetAdmin)
admin.site.register(Reservation, ReservationAdmin)
admin.site.register(UsageEntry, UsageEntryAdmin)
admin.site.register(CreditAccount, CreditAccountAdmin)
admin.site.register(CreditEntry, CreditEntryAdmin)


@admin.register(Run)
class RunAdmin(TableAdmin):
    list_display = ("topic", "kind", "state", "owner", "cost_usd", "duration_seconds", "created_at")
    list_filter = ("state", "kind")
    list_select_related = ("owner",)
    search_fields = ("topic", "failure_message")
    ordering = ("-created_at",)
    date_hierarchy = "created_at"
    heavy = ("plan", "outline", "config")
    # Only the lifecycle may change these: an edit would break its compare-and-set, or the figures.
    readonly_fields = (
        "state",
        "version",
        "snapshot_version",
        "step_count",
        "attempt",
        "plan",
        "outline",
        "result",
        "report_version",
        "estimate",
        "quality_score",
        "token_usage",
        "cost_usd",
        "cost_credits",
        "failure_code",
        "failure_message",
        "degradations",
        "prompt_versions",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Step)
class StepAdmin(HistoryAdmin):
    list_display = ("key", "run", "agent_role", "status", "attempt", "duration_ms", "cost_usd", "started_at")
    list_filter = ("status", "agent_role", "queue")
    list_select_related = ("run",)
    search_fields = ("key", "handler", "error_message")
    ordering = ("-created_at",)
    heavy = ("input", "output")


@admin.register(Source)
class SourceAdmin(HistoryAdmin):
    list_display = ("__str__", "run", "source_type", "tier", "status", "published_date", "error_code")
    list_filter = ("status", "source_type", "tier")
    list_select_related = ("run",)
    search_fields = ("title", "canonical_url", "author", "publisher")
    ordering = ("-created_at",)


@admin.register(Content)
class ContentAdmin(HistoryAdmin):
    list_display = ("__str__", "media_type", "language", "word_count", "raw_size", "extractor", "created_at")
    list_filter = ("media_type", "language")
    search_fields = ("sha256", "raw_sha256")
    ordering = ("-created_at",)
    heavy = ("text", "blocks", "pages", "tables")


class PassageAdmin(HistoryAdmin):
    list_filter = ("content_type", "embedding_model")
    search_fields = ("text_hash", "section_header")
    ordering = ("-created_at", "chunk_index")


@admin.register(Chunk)
class ChunkAdmin(PassageAdmin):
    list_display = ("__str__", "source", "content_type", "token_count", "page_number")
    list_select_related = ("source",)


@admin.register(LibraryChunk)
class LibraryChunkAdmin(PassageAdmin):
    list_display = ("__str__", "document", "content_type", "token_count", "page_number")
    list_select_related = ("document",)


@admin.register(LibraryDocument)
class LibraryDocumentAdmin(TableAdmin):
    list_display = ("__str__", "folder", "status", "source_type", "published_date", "file_size", "error_code")
    list_filter = ("status", "source_type", "folder")
    search_fields = ("title", "path", "author", "publisher")
    ordering = ("folder", "path")
    # A folder is a path on the server, which workers open, so it can't be edited here.
    readonly_fields = ("folder", "path", "raw_sha256", "file_mtime", "file_size")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Item)
class ItemAdmin(HistoryAdmin):
    list_display = ("__str__", "run", "status", "retry_count", "completed_at")
    list_filter = ("status",)
    list_select_related = ("run",)
    search_fields = ("input", "error")
    ordering = ("-created_at",)


@admin.register(Outbox)
class OutboxAdmin(HistoryAdmin):
    list_display = ("dedupe_key", "topic", "run", "published_at", "created_at")
    list_filter = ("topic", ("published_at", admin.EmptyFieldListFilter))
    list_select_related = ("run",)
    search_fields = ("dedupe_key",)
    ordering = ("-created_at",)


@admin.register(WebhookEvent)
class WebhookEventAdmin(HistoryAdmin):
    list_display = ("message_id", "provider", "external_run", "status", "processed_at", "created_at")
    list_filter = ("provider", "status")
    search_fields = ("message_id", "external_run")
    ordering = ("-created_at",)


@admin.register(LanguageModel)
class LanguageModelAdmin(TableAdmin):
    """Prices and features of models. Changes take effect within a minute."""

    list_display = ("name", "server", "price_in", "price_out", "window", "is_local")
    list_filter = ("is_local", "json_schema")
    search_fields = ("name", "base_url")
    ordering = ("name", "base_url")

    @admin.display(description=_("server"), ordering="base_url")
    def server(self, row: LanguageModel) -> str:
        return row.base_url or gettext("any")

    @admin.display(description=_("$ per M in"), ordering="usd_per_million_input")
    def price_in(self, row: LanguageModel) -> str:
        return _price(row.usd_per_million_input)

    @admin.display(description=_("$ per M out"), ordering="usd_per_million_output")
    def price_out(self, row: LanguageModel) -> str:
        return _price(row.usd_per_million_output)

    @admin.display(description=_("context"), ordering="context_window")
    def window(self, row: LanguageModel) -> str:
        return figure(row.context_window)


def _price(usd: Decimal | None) -> str:
    """Format a price; an unknown price is shown as unknown, not as zero."""
    return gettext("unknown") if usd is None else figure(usd, 3)


@admin.register(Tenant)
class TenantAdmin(TableAdmin):
    list_display = ("name", "tier", "region", "kept_bodies", "created_at")
    list_filter = ("kept_bodies",)
    search_fields = ("name",)
    ordering = ("name",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a tenant's row is visible only to itself: research.db.tenancy.create_tenant makes one

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False  # it would delete everything


@admin.register(Erasure)
class ErasureAdmin(HistoryAdmin):
    list_display = ("workspace", "begun_at", "done_at", "rows", "files")
    list_filter = (("done_at", admin.EmptyFieldListFilter),)
    ordering = ("-begun_at",)


@admin.register(Membership)
class MembershipAdmin(TableAdmin):
    list_display = ("user", "role", "created_at")
    list_filter = ("role",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__email")
    ordering = ("user__username",)


@admin.register(KeptPage)
class KeptPageAdmin(TableAdmin):
    """Pages can be viewed and deleted; a deleted page is fetched again when it is needed."""

    list_display = ("canonical_url", "media_type", "fetched_at")
    list_filter = ("must_check",)
    search_fields = ("canonical_url", "final_url")
    ordering = ("-fetched_at",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(DataKey)
class DataKeyAdmin(HistoryAdmin):
    list_display = ("__str__", "kek_id", "retired_at", "created_at")
    list_filter = (("retired_at", admin.EmptyFieldListFilter),)
    search_fields = ("kek_id",)
    ordering = ("-created_at",)
