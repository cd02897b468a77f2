"""Admins of decks, which can be viewed, not changed."""

from django.contrib import admin

from research.admin.base_admin import HistoryAdmin
from slides.models import Deck, DeckFile, DeckTheme, DeckVersion, DrawnPicture, Picture, RenderedSlide


@admin.register(Deck)
class DeckAdmin(HistoryAdmin):
    list_display = (
        "title",
        "run",
        "state",
        "outline",
        "outlined_by",
        "error_code",
        "duration_ms",
        "created_at",
    )
    list_filter = ("state", "outlined_by", "error_code")
    list_select_related = ("run",)
    search_fields = ("title", "run__topic", "error")
    ordering = ("-created_at",)


@admin.register(DeckVersion)
class DeckVersionAdmin(HistoryAdmin):
    list_display = ("deck", "number", "change", "slide", "slide_count", "made_by", "created_at")
    list_filter = ("change",)
    list_select_related = ("deck", "made_by")
    search_fields = ("title",)
    ordering = ("-created_at",)


@admin.register(DeckFile)
class DeckFileAdmin(HistoryAdmin):
    list_display = (
        "version",
        "mode",
        "state",
        "error_code",
        "created_at",
        "duration_ms",
        "file_size",
        "download_count",
        "expires_at",
    )
    list_filter = ("mode", "state", "error_code")
    list_select_related = ("version",)
    search_fields = ("filename", "error")
    ordering = ("-created_at",)


@admin.register(DrawnPicture)
class DrawnPictureAdmin(HistoryAdmin):
    list_display = (
        "__str__",
        "version",
        "slide",
        "state",
        "error_code",
        "is_placed",
        "created_at",
        "duration_ms",
    )
    list_filter = ("state", "error_code", "is_placed")
    list_select_related = ("version",)
    search_fields = ("words", "error")
    ordering = ("-created_at",)


@admin.register(RenderedSlide)
class RenderedSlideAdmin(HistoryAdmin):
    list_display = ("__str__", "deck", "file_size", "created_at")
    list_select_related = ("deck",)
    search_fields = ("content_hash",)
    ordering = ("-created_at",)


@admin.register(DeckTheme)
class DeckThemeAdmin(HistoryAdmin):
    list_display = ("name", "primary", "accent", "background", "heading_font", "body_font", "updated_at")
    search_fields = ("name",)
    ordering = ("name",)


@admin.register(Picture)
class PictureAdmin(HistoryAdmin):
    list_display = ("__str__", "media_type", "file_size", "is_generated", "added_by", "created_at")
    list_filter = ("is_generated", "media_type")
    list_select_related = ("added_by",)
    search_fields = ("prompt",)
    ordering = ("-created_at",)
