"""Switches a session's workspace, and rejects forms that were shown in another.

Each form carries the workspace that it was shown in (`web/templatetags/workspace_form_tags.py` adds it to every `{%
csrf_token %}`). A form that is submitted after a switch, for example in another tab, changes nothing: the response
says so, and offers to switch back and send it again.
"""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from research.db.tenancy import (
    GO_THERE,
    TenantAccess,
    access_in,
    find_workspace_access,
    work_in,
    workspaces_in,
)
from research.web.account.sign_in_page import resolve_next_page
from research.web.runs.progress_page_polls import forget_viewers
from research.web.site.view_access import members_only, rights_of

FIELD = "workspace"
OWN_FIELDS = ("csrfmiddlewaretoken", FIELD)
MAX_REPEATED_LENGTH = 200_000  # characters of a form that is offered again
# Forms that name their own target, or whose text no page should repeat.
ANYWHERE = frozenset({"switch_workspace"})
NOT_REPEATED = frozenset({"webhooks", "password"})


def provide_workspace(request: HttpRequest) -> dict[str, object]:
    """Provide the workspace to every template (a context processor)."""
    workspaces: Sequence[TenantAccess] = workspaces_in(request)
    return {"workspace": access_in(request), "workspaces": workspaces, "may": rights_of(request)}


@members_only
@require_POST
def switch_workspace(request: HttpRequest) -> HttpResponse:
    """Switch the workspace and go to the first page, or to the target that the form names.

    Nothing of the former workspace is shown.
    """
    wanted = find_workspace_access(workspaces_in(request), request.POST.get("to"))
    if wanted is None:
        raise Http404
    work_in(request, wanted)
    forget_viewers()
    messages.success(request, _("You are now working in “%(name)s”.") % {"name": wanted.name})
    return redirect(resolve_next_page(request))


def check_form_workspace(request: HttpRequest) -> HttpResponseBase | None:
    """Return a page if the form was shown in another workspace; None if it was not, or there is no form."""
    access, match = access_in(request), request.resolver_match
    if request.method in ("GET", "HEAD", "OPTIONS") or access is None or match is None:
        return None
    carried = request.POST.get(FIELD)
    if carried == str(access.tenant_id):
        if GO_THERE in request.GET:
            work_in(request, access)
            forget_viewers()
        return None
    if match.url_name in ANYWHERE or (carried is None and len(workspaces_in(request)) == 1):
        return None
    return _render_other_workspace(request, access, find_workspace_access(workspaces_in(request), carried))


def _render_other_workspace(
    request: HttpRequest, now: TenantAccess, meant: TenantAccess | None
) -> HttpResponse:
    match = request.resolver_match
    fields = [
        (name, value) for name, values in request.POST.lists() for value in values if name not in OWN_FIELDS
    ]
    may_repeat = (
        not request.FILES
        and sum(len(value) for _name, value in fields) <= MAX_REPEATED_LENGTH
        and (match is None or match.url_name not in NOT_REPEATED)
    )
    values = {
        "now": now,
        "meant": meant,
        "fields": fields if may_repeat else None,
        "had_files": bool(request.FILES),
        "there": f"{request.path}?{urlencode({GO_THERE: str(meant.tenant_id)})}" if meant else "",
    }
    response = render(request, "research/site/other_workspace.html", values, status=409)
    # With htmx, replace the whole page.
    response["HX-Retarget"], response["HX-Reselect"], response["HX-Reswap"] = "#main", "#main", "outerHTML"
    return response
