"""Admins of messages from and to other services, and of workspaces' model servers: read-only."""

from django.contrib import admin

from research.admin.base_admin import HistoryAdmin
from research.models import (
    BriefRecord,
    ModelConnection,
    TenantSecret,
    WatchedTask,
    WebhookDelivery,
    WebhookEndpoint,
)


@admin.register(TenantSecret)
class TenantSecretAdmin(HistoryAdmin):
    list_display = ("purpose", "hint", "made_by", "created_at", "retired_at")
    list_filter = ("purpose",)
    search_fields = ("purpose",)


@admin.register(ModelConnection)
class ModelConnectionAdmin(HistoryAdmin):
    list_display = ("base_url", "model", "key_hint", "fallback_model", "checked_at", "updated_at")
    search_fields = ("base_url", "model")


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(HistoryAdmin):
    list_display = ("consumer", "url", "enabled", "updated_at")
    search_fields = ("url",)


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(HistoryAdmin):
    list_display = ("message_id", "consumer", "state", "attempts", "delivered_at", "created_at")
    list_filter = ("consumer", "state")
    search_fields = ("message_id",)


@admin.register(WatchedTask)
class WatchedTaskAdmin(HistoryAdmin):
    list_display = ("external_run", "state", "attempts", "problem", "created_at")
    list_filter = ("state",)
    search_fields = ("external_run",)


@admin.register(BriefRecord)
class BriefRecordAdmin(HistoryAdmin):
    list_display = ("input_hash", "created_at")
    search_fields = ("input_hash",)
