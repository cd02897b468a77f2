"""Admins of agents' messages and notes."""

from research.admin.base_admin import HistoryAdmin


class AgentMessageAdmin(HistoryAdmin):
    list_display = ("key", "step", "sender", "recipient", "status", "error_code", "duration_ms", "created_at")
    list_filter = ("status", "type", "recipient")
    list_select_related = ("step",)
    search_fields = ("key", "trace_id", "error_message")
    ordering = ("-created_at",)
    heavy = ("payload", "result")


class WorkspaceEntryAdmin(HistoryAdmin):
    list_display = ("text", "run", "kind", "role", "is_done", "created_at")
    list_filter = ("kind", "role", "is_done")
    list_select_related = ("run",)
    search_fields = ("text",)
    ordering = ("-created_at",)
