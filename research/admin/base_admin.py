"""Base classes and helpers that the admins of all tables share."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AdminSplitDateTime, AutocompleteSelect
from django.core.exceptions import BadRequest, ValidationError
from django.core.validators import validate_ipv46_address
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from research.admin.admin_labels import column_name

if TYPE_CHECKING:
    from django.contrib.admin.options import _ListFilterT as ListFilter
    from django.forms import ModelChoiceField

    ModelAdmin = admin.ModelAdmin[models.Model]
else:
    ModelAdmin = admin.ModelAdmin  # it takes no type parameters at run time

Names = Sequence[str]
# Too large or meaningless for a form; `heavy` only hides columns from lists.
UNSHOWN = (
    "embedding",
    "search",
    "minhash",
    "wrapped_key",
    "sealed",
    "answer",
    "request_body",
    "response_body",
    "token_hash",
)


def figure(value: Decimal | int | None, decimals: int = 0) -> str:
    """Format a number in the interface's language; a dash for an unknown value or no limit."""
    return "–" if value is None else number_format(value, decimals, use_l10n=True, force_grouping=True)


def format_usage(spent: Decimal | int, limit: Decimal | int | None, decimals: int = 0) -> str:
    if limit is None:
        return figure(spent, decimals)
    return _("%(used)s of %(limit)s") % {"used": figure(spent, decimals), "limit": figure(limit)}


class NamedMoment(AdminSplitDateTime):
    """A date and time whose inputs have accessible names, which Django only writes before them."""

    def decompress(self, value: datetime | None) -> tuple[date | None, time | None]:
        """Split the value into date and time; ignore other types, which the URL of a new row may pass."""
        return super().decompress(value if isinstance(value, datetime) else None)

    def get_context(self, name: str, value: object, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        names = (context["date_label"], context["time_label"])
        for part, label in zip(context["widget"]["subwidgets"], names, strict=True):
            part["attrs"]["aria-label"] = str(label).removesuffix(":")
        return context


class KnownKeys(AutocompleteSelect):
    """A key input that ignores initial values which are no valid keys, as URLs and forms may contain anything."""

    def optgroups(
        self, name: str, value: Sequence[str], attr: dict[str, Any] | None = None
    ) -> "list[tuple[str | None, list[dict[str, Any]], int | None]]":
        return super().optgroups(name, [one for one in value if _fits(self.field.target_field, one)], attr)


def _fits(column: "models.Field[Any, Any]", value: object) -> bool:
    try:
        column.to_python(value)
    except ValidationError:
        return False
    return True


class ValidatedLookupAdmin(ModelAdmin):
    """A list that answers 400 to lookups with invalid addresses or keys.

    Django only notices them when it builds the query, too late for its own check.
    """

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list. Raises BadRequest for NUL characters and invalid keys."""
        key = self.model._meta.pk
        asked = (*request.GET.lists(), *request.POST.lists())
        if any("\0" in text for name, values in asked for text in (name, *values)):
            raise BadRequest("What is asked for holds what is no text.")
        if not all(_fits(key, one) for one in request.POST.getlist(ACTION_CHECKBOX_NAME)):
            raise BadRequest("A row that is named has no such key.")
        return super().changelist_view(request, extra_context)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        name, _gap, how = lookup.partition("__")
        columns = {field.name for field in self.model._meta.fields if isinstance(field, _ADDRESS)}
        is_compared = name in columns and how in _COMPARING
        if is_compared and not all(map(_is_address, str(value).split(","))):
            return False
        last = lookup.rpartition("__")[2] if "__" in lookup else ""
        if last in _NOT_OFFERED or (last in _OF_DATES and not _is_part_of_a_date(str(value))):
            return False
        return bool(super().lookup_allowed(lookup, value, request))


_ADDRESS = models.GenericIPAddressField
_OF_DATES = frozenset({"year", "month", "day"})
# The lookups that filters use; all others could run a visitor's pattern, or fail on it.
_OFFERED = _OF_DATES | {"exact", "in", "isnull", "gt", "gte", "lt", "lte"}
_NOT_OFFERED = frozenset(
    name
    for column in (models.CharField(), models.DateTimeField(), models.JSONField())
    for name in column.get_lookups()
    if name not in _OFFERED
)
_COMPARING = frozenset({"", "exact", "in", "gt", "gte", "lt", "lte", "range"})


def _is_part_of_a_date(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 0 < int(text[:5]) < 10_000


def _is_address(text: str) -> bool:
    try:
        validate_ipv46_address(text)
    except ValidationError:
        return False
    return True


class TableAdmin(ValidatedLookupAdmin):
    """Base of the admins of all tables: newest first, keys found by typing, no query per row."""

    list_per_page = 50
    show_full_result_count = False  # counting a large table twice costs more than it is worth
    heavy: Names = ()  # columns that lists never show
    secret: Names = ()  # never shown or searched, like UNSHOWN: reading rows must not allow acting as others
    formfield_overrides: "ClassVar[Mapping[type[models.Field[Any, Any]], Mapping[str, Any]]]" = {
        models.DateTimeField: {"widget": NamedMoment}
    }

    def get_exclude(self, request: HttpRequest, obj: models.Model | None = None) -> list[str]:
        names = {field.name for field in self.model._meta.get_fields()}
        return [name for name in (*UNSHOWN, *self.secret) if name in names]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Reject lookups by hidden or secret columns: the matches in a list would reveal them letter by letter."""
        if lookup.partition("__")[0] in (*UNSHOWN, *self.secret):
            return False
        return bool(super().lookup_allowed(lookup, value, request))

    def formfield_for_foreignkey(
        self, db_field: "models.ForeignKey[Any, Any]", request: HttpRequest, **kwargs: object
    ) -> "ModelChoiceField[models.Model] | None":
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", KnownKeys(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    @property
    def autocomplete_fields(self) -> list[str]:  # type: ignore[override]  # computed: every key, in every table
        return [field.name for field in self.model._meta.fields if field.is_relation and field.editable]

    def get_list_filter(self, request: HttpRequest) -> "list[ListFilter]":
        """Return the table's own filters and one by creation date."""
        named = list(super().get_list_filter(request))
        return [*named, "created_at"] if "created_at" in self._columns() else named

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Return the table's own search fields; rows of a run can also be found by its question."""
        named = list(super().get_search_fields(request))
        return [*named, "run__topic"] if "run" in self._columns() and "run__topic" not in named else named

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Return the list with a help text that names the searched columns."""
        shown = super().get_changelist_instance(request)
        looked_at = ", ".join(column_name(path) for path in shown.search_fields)
        shown.search_help_text = _("Searches in: %(columns)s") % {"columns": looked_at}
        return shown

    def _columns(self) -> set[str]:
        return {field.name for field in self.model._meta.fields}

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.Model]:
        rows = super().get_queryset(request)
        return rows.defer(
            *(name for name in (*UNSHOWN, *self.secret, *self.heavy) if name in self._columns())
        )


class HistoryAdmin(TableAdmin):
    """An admin of rows that record history: they can be viewed, not changed."""

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
