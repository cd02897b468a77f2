"""What the admins of all tables have in common."""

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[models.Model]
else:
    ModelAdmin = admin.ModelAdmin  # takes no parameters when it runs

Names = Sequence[str]
# Too big or meaningless on a form; `heavy` also keeps them out of lists.
UNSHOWN = ("embedding", "search", "minhash", "wrapped_key", "answer", "request_body", "response_body")


def figure(value: Decimal | int | None, decimals: int = 0) -> str:
    """A number as people read it, in the interface's language; a dash for what is unknown or has no limit."""
    return "–" if value is None else number_format(value, decimals, use_l10n=True, force_grouping=True)


def used(spent: Decimal | int, limit: Decimal | int | None, decimals: int = 0) -> str:
    if limit is None:
        return figure(spent, decimals)
    return _("%(used)s of %(limit)s") % {"used": figure(spent, decimals), "limit": figure(limit)}


class TableAdmin(ModelAdmin):
    """What all tables have in common: newest first, keys as ids, no query per row."""

    list_per_page = 50
    show_full_result_count = False  # counting a large table twice costs more than it tells
    heavy: Names = ()  # columns that a list never shows

    def get_exclude(self, request: HttpRequest, obj: models.Model | None = None) -> list[str]:
        names = {field.name for field in self.model._meta.get_fields()}
        return [name for name in UNSHOWN if name in names]

    @property
    def raw_id_fields(self) -> list[str]:  # type: ignore[override]  # computed: every key, in every table
        return [field.name for field in self.model._meta.fields if field.is_relation]

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.Model]:
        rows = super().get_queryset(request)
        names = {field.name for field in self.model._meta.fields}
        return rows.defer(*(name for name in (*UNSHOWN, *self.heavy) if name in names))


class HistoryAdmin(TableAdmin):
    """What happened: to be read, not to be changed."""

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
