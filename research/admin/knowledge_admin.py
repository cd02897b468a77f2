"""Admins of the graph of finished runs' findings, which workers write: read-only."""

from django.contrib import admin

from research.admin.base_admin import HistoryAdmin
from research.models import ClaimLink, EntityMention, RunKnowledge


@admin.register(EntityMention)
class EntityMentionAdmin(HistoryAdmin):
    list_display = ("name", "kind", "key", "run", "created_at")
    list_filter = ("kind",)
    list_select_related = ("run",)
    search_fields = ("name", "key")


@admin.register(ClaimLink)
class ClaimLinkAdmin(HistoryAdmin):
    list_display = ("kind", "claim", "other", "mine", "theirs", "created_at")
    list_filter = ("kind",)
    list_select_related = ("claim", "other")
    search_fields = ("mine", "theirs")


@admin.register(RunKnowledge)
class RunKnowledgeAdmin(HistoryAdmin):
    list_display = ("run", "claims", "updated_at")
    list_select_related = ("run",)
