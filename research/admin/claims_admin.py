"""Admins of claims and their evidence. Findings are history: they can be viewed, not changed."""

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from citations.credibility.source_hosts import host_of
from citations.models import (
    Citation,
    Claim,
    Contradiction,
    DomainRule,
    Recheck,
    RecheckedCitation,
    Section,
    VerificationIssue,
    VerificationReport,
    Warning,
)
from research.admin.base_admin import HistoryAdmin, TableAdmin
from research.admin.calibration_admin import calibration_page


@admin.register(Section)
class SectionAdmin(HistoryAdmin):
    list_display = ("heading", "run", "index", "report_version", "status")
    list_filter = ("status",)
    list_select_related = ("run",)
    search_fields = ("heading",)
    ordering = ("-created_at", "index")
    heavy = ("body",)


@admin.register(Claim)
class ClaimAdmin(HistoryAdmin):
    list_display = ("__str__", "run", "number", "strength", "origins", "confidence", "verification_status")
    list_filter = ("strength", "verification_status", "contradiction_status", "claim_type")
    list_select_related = ("run",)
    search_fields = ("text",)
    ordering = ("-created_at", "number")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.calibration_view)
        return [path("calibration/", view, name="citations_claim_calibration"), *super().get_urls()]

    def calibration_view(self, request: HttpRequest) -> HttpResponse:
        """Show the calibration to users who may view claims."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return calibration_page(request, self.admin_site)


@admin.register(Citation)
class CitationAdmin(HistoryAdmin):
    list_display = ("__str__", "source", "page_number", "match_type", "similarity", "confidence")
    list_filter = ("match_type", "verification_status", "verified_by")
    list_select_related = ("source",)
    search_fields = ("quote",)
    ordering = ("-created_at",)


@admin.register(Recheck)
class RecheckAdmin(HistoryAdmin):
    list_display = ("source", "state", "asked_by", "attempts", "reason", "created_at", "finished_at")
    list_filter = ("state", "is_same_text")
    list_select_related = ("source", "asked_by")
    search_fields = ("source__title", "source__canonical_url", "reason")
    ordering = ("-created_at",)


@admin.register(RecheckedCitation)
class RecheckedCitationAdmin(HistoryAdmin):
    list_display = ("citation", "outcome", "similarity", "now", "created_at")
    list_filter = ("outcome",)
    list_select_related = ("citation",)
    search_fields = ("citation__quote", "now")
    ordering = ("-created_at",)


@admin.register(Contradiction)
class ContradictionAdmin(HistoryAdmin):
    list_display = ("__str__", "run", "claim_a", "claim_b", "margin", "resolution", "resolved_by")
    list_filter = ("kind", "resolution")
    list_select_related = ("run", "claim_a", "claim_b", "resolved_by")
    search_fields = ("note", "claim_a__text", "claim_b__text")
    ordering = ("-created_at",)


@admin.register(VerificationReport)
class VerificationReportAdmin(HistoryAdmin):
    list_display = ("__str__", "run", "report_version", "level", "overall_status", "accuracy", "created_at")
    list_filter = ("overall_status", "level")
    list_select_related = ("run",)
    search_fields = ("run__topic",)
    ordering = ("-created_at",)


@admin.register(VerificationIssue)
class VerificationIssueAdmin(HistoryAdmin):
    list_display = ("__str__", "claim", "issue_type", "severity", "resolution")
    list_filter = ("issue_type", "severity", "report__overall_status", "report__level")
    list_select_related = ("claim", "report")
    search_fields = ("explanation", "location")
    ordering = ("-created_at",)


@admin.register(Warning)
class WarningAdmin(HistoryAdmin):
    list_display = ("code", "text", "run", "kind", "severity", "computed")
    list_filter = ("kind", "severity", "computed")
    list_select_related = ("run",)
    search_fields = ("code", "text")
    ordering = ("-created_at",)


if TYPE_CHECKING:
    RuleForm = forms.ModelForm[Model]
else:
    RuleForm = forms.ModelForm  # it takes no type parameters at run time


class DomainRuleForm(RuleForm):
    class Meta:
        model = DomainRule
        fields = ("domain", "tier", "source_type", "publisher", "reason")

    def clean_domain(self) -> str:
        host = host_of(str(self.cleaned_data["domain"]))
        if "." not in host:
            raise forms.ValidationError("Give a domain, such as example.org, or an address on it.")
        if DomainRule.objects.filter(domain=host).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"There is a rule for {host} already.")
        return host


@admin.register(DomainRule)
class DomainRuleAdmin(TableAdmin):
    """The only table here that people edit: a publisher's rules take precedence over the built-in ones."""

    form = DomainRuleForm
    list_display = ("domain", "tier", "source_type", "publisher", "reason", "updated_at")
    list_filter = ("tier", "source_type")
    search_fields = ("domain", "publisher", "reason")
    ordering = ("domain",)
