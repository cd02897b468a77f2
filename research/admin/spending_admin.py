"""Admins of budgets and credits: spending, balances, and grants of credits."""

from decimal import Decimal
from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from research.admin.base_admin import HistoryAdmin, TableAdmin, figure, format_usage
from research.llm.budgets import credits
from research.models import (
    AccountName,
    AgentRole,
    Budget,
    CreditEntry,
)
from research.ops.model_usage_metrics import operations


class DegradationAdmin(HistoryAdmin):
    list_display = ("code", "run", "quality_impact", "created_at")
    list_filter = ("code",)
    list_select_related = ("run",)
    search_fields = ("code", "reason")
    ordering = ("-created_at",)


class BudgetAdmin(HistoryAdmin):
    list_display = ("whose", "tokens_in", "tokens_out", "dollars", "exceeded", "run")
    list_filter = ("role", "exceeded", ("closed_at", admin.EmptyFieldListFilter))
    list_select_related = ("run",)
    search_fields = ("run__topic",)
    ordering = ("-created_at",)

    @admin.display(description=_("of"), ordering="role")
    def whose(self, row: Budget) -> str:
        return f"{AgentRole(row.role).label} {row.agent_id}".strip() if row.role else str(_("The whole run"))

    @admin.display(description=_("tokens in"), ordering="spent_tokens_input")
    def tokens_in(self, row: Budget) -> str:
        return format_usage(row.spent_tokens_input, row.limit_tokens_input)

    @admin.display(description=_("tokens out"), ordering="spent_tokens_output")
    def tokens_out(self, row: Budget) -> str:
        return format_usage(row.spent_tokens_output, row.limit_tokens_output)

    @admin.display(description=_("US dollars"), ordering="spent_usd")
    def dollars(self, row: Budget) -> str:
        return format_usage(row.spent_usd, row.limit_usd, decimals=4)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.operations_view)
        own = path("operations/", view, name="research_budget_operations")
        return [own, *super().get_urls()]

    def operations_view(self, request: HttpRequest) -> HttpResponse:
        """Show tokens by role, dollars, calls per minute and degradations to users who may view budgets."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        shown = {
            **self.admin_site.each_context(request),
            "title": _("What models do and cost"),
            "operations": operations(timezone.now()),
        }
        return render(request, "admin/research/operations.html", shown)


class ReservationAdmin(HistoryAdmin):
    list_display = ("ref", "run", "role", "operation", "tokens_input", "tokens_output", "usd", "created_at")
    list_filter = ("role", "operation")
    list_select_related = ("run",)
    search_fields = ("ref", "holder")
    ordering = ("-created_at",)


class UsageEntryAdmin(HistoryAdmin):
    list_display = (
        "operation",
        "ref",
        "run",
        "role",
        "tokens_input",
        "tokens_output",
        "cost_usd",
        "created_at",
    )
    list_filter = ("operation", "role")
    list_select_related = ("run",)
    search_fields = ("ref",)
    ordering = ("-created_at",)


class CreditAccountAdmin(HistoryAdmin):
    list_display = ("name", "created_at")
    search_fields = ("name",)
    ordering = ("name",)


if TYPE_CHECKING:
    EntryForm = forms.ModelForm[models.Model]
else:
    EntryForm = forms.ModelForm  # it takes no type parameters at run time


class GrantForm(EntryForm):
    """A grant of credits by an operator: the only movement made by hand."""

    amount = forms.DecimalField(
        label=_("Credits to give"), min_value=Decimal("0.01"), max_value=Decimal(10_000_000), decimal_places=2
    )
    reason = forms.CharField(label=_("Reason"), max_length=100)

    class Meta:
        model = CreditEntry
        fields = ("amount",)


class CreditEntryAdmin(HistoryAdmin):
    """The ledger, read-only. "Add" grants credits to the operator's own workspace."""

    form = GrantForm
    list_display = ("ref", "account", "kind", "in_credits", "created_at")
    list_filter = ("kind", "account__name")
    list_select_related = ("account",)
    search_fields = ("ref",)
    ordering = ("-created_at",)

    @admin.display(description=_("credits"), ordering="amount")
    def in_credits(self, row: CreditEntry) -> str:
        return figure(row.amount, decimals=2)

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return TableAdmin.has_add_permission(self, request)

    def save_model(self, request: HttpRequest, obj: models.Model, form: GrantForm, change: bool) -> None:
        """Store both sides of the grant; `obj` becomes the side that the workspace can spend."""
        given = form.cleaned_data
        ref = f"admin:{request.user.pk}:{obj.pk}:{given['reason']}"
        credits.grant(given["amount"], ref)
        obj.pk = CreditEntry.objects.get(ref=ref, account__name=AccountName.AVAILABLE).pk
