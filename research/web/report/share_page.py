"""Share links: creating and revoking them, and the pages that they open without an account."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from citations.models import Claim
from exports.building.build_document import build_document, read_claim
from exports.building.document_latest_recheck import evidence_version
from exports.document.document_tree import select_cited_sources
from exports.export_share_links import (
    SharedRun,
    ShareRefused,
    count_view,
    make_link,
    resolve_share_token,
    revoke,
)
from exports.models import ShareLink
from research.db.tenancy import tenant_context
from research.models import Run
from research.web.report.evidence_mix_view import evidence_mix
from research.web.report.export_page import ExportForm, export_response
from research.web.report.share_form import ShareForm, is_sharing_allowed
from research.web.site.view_access import find, person, wants_fragment, writers_only


@writers_only
@require_POST
def share(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Create a link, whose URL is shown in this response and never again."""
    run = find(Run.objects.defer("plan", "outline"), run_id)
    form = ShareForm(request.POST)
    if not is_sharing_allowed() or not form.is_valid():
        return export_response(request, run, ExportForm(), share_form=form, status=422)
    given = form.cleaned_data
    try:
        _link, token = make_link(run, person(request), int(given["days"]), str(given["note"]).strip())
    except ShareRefused as refused:
        messages.error(request, str(refused))
        return redirect("research:export", run_id)
    address = request.build_absolute_uri(reverse("research:shared", args=[token]))
    return export_response(request, run, ExportForm(), address=address)


@writers_only
@require_POST
def revoke_share(request: HttpRequest, run_id: UUID, link_id: UUID) -> HttpResponse:
    revoke(find(ShareLink.objects.filter(run_id=run_id), link_id))
    messages.success(request, _("Revoked. The link no longer works."))
    return redirect(f"{reverse('research:export', args=[run_id])}#links")


@require_safe
def show_shared_report(request: HttpRequest, token: str) -> HttpResponse:
    """Show the report and its sources, without links to pages of the workspace."""
    with _open_link(token) as opened:
        run = Run.objects.defer("plan", "outline").get(pk=opened.run_id)
        document = build_document(run.pk, with_context=False)
        shown = {
            "token": token,
            "run": run,
            "document": document,
            "evidence_version": evidence_version(run),
            "answer": document.answer,
            "cited": select_cited_sources(document.sources),
            "mix": evidence_mix(document.counts),
            "ends": ShareLink.objects.values_list("expires_at", flat=True).get(pk=opened.link_id),
        }
        count_view(opened.link_id)
        return _private(render(request, "research/report/shared.html", shown))


@require_safe
def show_shared_claim(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Show the evidence of a claim: the body of its popover, or a page of its own without htmx."""
    with _open_link(token) as found:
        run = Run.objects.defer("plan", "outline").get(pk=found.run_id)
        try:
            entry = read_claim(run.pk, number)
        except Claim.DoesNotExist as error:
            raise Http404 from error
        shown = {"token": token, "run": run, "claim": entry}
        template = (
            "research/report/_claim.html" if wants_fragment(request) else "research/report/shared_claim.html"
        )
        response = _private(render(request, template, shown))
    patch_vary_headers(response, ["HX-Request"])
    return response


@contextmanager
def _open_link(token: str) -> Iterator[SharedRun]:
    """Enter the tenant of the link. Raises Http404 for an invalid or expired one."""
    found = resolve_share_token(token) if is_sharing_allowed() else None
    if found is None:
        raise Http404
    with tenant_context(found.tenant_id):
        yield found


def _private(response: HttpResponse) -> HttpResponse:
    """Keep the response out of search engines, caches and Referer headers."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
