"""The admin of model calls, and the page on which an owner reads the messages of one."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from research.accounts.audit.write_audit_trail import On, record
from research.accounts.workspace_roles import Right, may
from research.admin.base_admin import HistoryAdmin
from research.db.tenancy import access_in
from research.llm.call_store.read_model_calls import REASONS, CallWords, read_words, to_logged_call
from research.models import Act, ModelCall, Outcome


class ModelCallAdmin(HistoryAdmin):
    list_display = ("step_key", "run", "role", "model", "status", "tokens_input", "tokens_output", "cost_usd")
    list_filter = ("status", "operation", "role", "model", "cache_hit")
    list_select_related = ("run",)
    search_fields = ("step_key", "request_hash", "error_message")
    ordering = ("-created_at",)
    change_form_template = "admin/research/modelcall/change_form.html"

    def get_urls(self) -> list[URLPattern]:
        # Not `admin_view`: owners of the workspace may read them, staff or not; other staff may not.
        own = path("<uuid:call_id>/said/", self.show_transcript, name="research_modelcall_said")
        return [own, *super().get_urls()]

    @method_decorator((never_cache, login_required, require_safe))
    def show_transcript(self, request: HttpRequest, call_id: UUID) -> HttpResponse:
        """Show the messages of one call to owners of its workspace."""
        access = access_in(request)
        if access is None or not may(access.role, Right.OWN):
            record(Act.CALL_READ, on=On("modelcall", str(call_id)), outcome=Outcome.REFUSED)
            raise PermissionDenied(gettext("Only owners of this workspace can do this."))
        row = get_object_or_404(ModelCall.objects.select_related("run"), pk=call_id)
        words = read_words(row)
        site = self.admin_site.each_context(request)
        shown = {
            **site,
            "is_nav_sidebar_enabled": site["is_nav_sidebar_enabled"] and site["has_permission"],
            "title": _("Messages"),
            "call": to_logged_call(row),
            "words": words if isinstance(words, CallWords) else None,
            "reasons": () if isinstance(words, CallWords) else REASONS[words],
            "may_browse": self.has_view_permission(request),
        }
        return render(request, "admin/research/modelcall/said.html", shown)
