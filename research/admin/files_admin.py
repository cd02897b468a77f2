"""Admins of files and links, which can be viewed, not changed. Links are revoked on the report's page."""

from django.contrib import admin

from exports.models import Export, ShareLink
from research.admin.base_admin import HistoryAdmin


@admin.register(Export)
class ExportAdmin(HistoryAdmin):
    list_display = (
        "run",
        "format",
        "report_version",
        "state",
        "error_code",
        "file_size",
        "duration_ms",
        "download_count",
        "created_at",
        "expires_at",
    )
    list_filter = ("format", "state", "error_code")
    list_select_related = ("run",)
    search_fields = ("filename", "run__topic", "error")
    ordering = ("-created_at",)


@admin.register(ShareLink)
class ShareLinkAdmin(HistoryAdmin):
    list_display = ("__str__", "run", "made_by", "created_at", "expires_at", "revoked_at", "view_count")
    list_select_related = ("run", "made_by")
    search_fields = ("note", "run__topic")
    ordering = ("-created_at",)
