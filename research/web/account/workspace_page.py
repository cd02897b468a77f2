"""The workspace page: members, invitations, leaving, another workspace."""

from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from research.accounts.workspace_roles import Right
from research.accounts.workspaces import invitations, workspace_members
from research.accounts.workspaces.workspace_members import WorkspaceRefused
from research.db.tenancy import current_tenant_id, memberships, work_in
from research.models import Invitation, Membership, Role, Tenant
from research.ops.retention import delete_workspace
from research.web.account.workspace_forms import EraseForm, InviteForm, NameForm, RoleForm
from research.web.runs.progress_page_polls import forget_viewers
from research.web.site.view_access import find, has_right, members_only, owners_only, person

MAX_SHOWN = 200  # members or invitations


@members_only
@require_safe
@never_cache
def workspace(request: HttpRequest) -> HttpResponse:
    return _page(request)


def _page(
    request: HttpRequest,
    *,
    invite: InviteForm | None = None,
    name: NameForm | None = None,
    another: NameForm | None = None,
    erase: EraseForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page. Only owners see the addresses of others and the invitations."""
    is_owner, tenant = has_right(request, Right.OWN), Tenant.objects.get(pk=current_tenant_id())
    people = Membership.objects.select_related("user").order_by("created_at", "pk")[:MAX_SHOWN]
    waiting = Invitation.objects.pending().select_related("invited_by").order_by("-created_at")
    values = {
        "tenant": tenant,
        "people": [
            (member, RoleForm(initial={"role": member.role}, auto_id=f"role-{member.pk}"))
            for member in people
        ],
        "me": person(request).pk,
        "last_owner": workspace_members.last_owner(),
        "invitations": waiting[:MAX_SHOWN] if is_owner else (),
        "invite_form": invite or InviteForm(prefix="invite"),
        "name_form": name or NameForm(prefix="name", initial={"name": tenant.name}),
        "another_form": another or NameForm(prefix="another"),
        "erase_form": erase or EraseForm(prefix="erase"),
        "form": next((form for form in (invite, name, another, erase) if form is not None), None),
    }
    return render(request, "research/account/workspace.html", values, status=status)


@owners_only
@require_POST
def rename_workspace(request: HttpRequest) -> HttpResponse:
    form = NameForm(request.POST, prefix="name")
    if not form.is_valid():
        return _page(request, name=form, status=422)
    workspace_members.rename(form.cleaned_data["name"])
    messages.success(request, _("Saved."))
    return redirect("research:workspace")


@owners_only
@require_POST
def change_role(request: HttpRequest, membership_id: UUID) -> HttpResponse:
    member, form = find(Membership.objects.select_related("user"), membership_id), RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles."))
        return redirect("research:workspace")
    role = Role(form.cleaned_data["role"])
    return _apply_and_redirect(
        request,
        lambda: workspace_members.change_role(member, role),
        _("Saved. The change applies from now on."),
    )


@owners_only
@require_POST
def remove_member(request: HttpRequest, membership_id: UUID) -> HttpResponse:
    member = find(Membership.objects.select_related("user"), membership_id)
    words = _("%(name)s is no longer a member of this workspace.") % {"name": member.user.get_username()}
    return _apply_and_redirect(request, lambda: workspace_members.remove(member), words)


@owners_only
@require_POST
def erase_workspace(request: HttpRequest) -> HttpResponse:
    """Block access to the workspace at once; the sweeper erases it within seconds."""
    form = EraseForm(request.POST, prefix="erase")
    if form.is_valid():
        try:
            delete_workspace.begin(current_tenant_id(), form.cleaned_data["name"])
        except delete_workspace.NotErased as refused:
            form.add_error("name", str(refused))
        else:
            forget_viewers()
            if not memberships(person(request).pk):
                logout(request)  # nothing is left for this session, and perhaps no account
            message = _(
                "Deleted: nobody can open the workspace any more, and its contents are being deleted."
            )
            messages.success(request, message)
            return redirect("research:home")
    return _page(request, erase=form, status=422)


@members_only
@require_POST
def leave_workspace(request: HttpRequest) -> HttpResponse:
    mine = get_object_or_404(Membership.objects.select_related("user", "tenant"), user=person(request))
    try:
        workspace_members.remove(mine)
    except WorkspaceRefused as refused:
        messages.error(request, str(refused))
        return redirect("research:workspace")
    forget_viewers()
    messages.success(request, _("You have left “%(name)s”.") % {"name": mine.tenant.name})
    return redirect("research:home")


@members_only
@require_POST
def new_workspace(request: HttpRequest) -> HttpResponse:
    """Create a workspace and switch to it."""
    form = NameForm(request.POST, prefix="another")
    if form.is_valid():
        try:
            made = workspace_members.make_workspace(person(request), form.cleaned_data["name"])
        except WorkspaceRefused as refused:
            form.add_error(None, str(refused))
        else:
            work_in(
                request,
                next(
                    membership
                    for membership in memberships(person(request).pk)
                    if membership.tenant_id == made.pk
                ),
            )
            messages.success(request, _("You are now working in “%(name)s”.") % {"name": made.name})
            return redirect("research:home")
    return _page(request, another=form, status=422)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def first_workspace(request: HttpRequest) -> HttpResponse:
    """The page for people without a workspace: they create one, if the site allows it, or read whom to ask."""
    user = person(request)
    if memberships(user.pk):
        return redirect("research:home")
    form = NameForm(request.POST if request.method == "POST" else None, prefix="first")
    if form.is_bound and form.is_valid():
        try:
            made = workspace_members.make_workspace(user, form.cleaned_data["name"])
        except WorkspaceRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("You are now working in “%(name)s”.") % {"name": made.name})
            return redirect("research:home")
    values = {
        "form": form,
        "may_make": bool(settings.PLUMBLINE_WORKSPACES),
        "contact": settings.PLUMBLINE_CONTACT,
    }
    return render(
        request, "research/account/first_workspace.html", values, status=422 if form.errors else 200
    )


@owners_only
@require_POST
def invite(request: HttpRequest) -> HttpResponse:
    form = InviteForm(request.POST, prefix="invite")
    if form.is_valid():
        given = form.cleaned_data
        try:
            invitations.invite(given["email"], Role(given["role"]), person(request))
        except WorkspaceRefused as refused:
            form.add_error("email", str(refused))
        else:
            messages.success(request, _("Invited. The mail is on its way; its link is valid for 7 days."))
            return redirect("research:workspace")
    return _page(request, invite=form, status=422)


@owners_only
@require_POST
def resend_invitation(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    row = find(Invitation.objects.all(), invitation_id)
    words = _("Sent again with a new link. The old link no longer works.")
    return _apply_and_redirect(request, lambda: invitations.send_again(row, person(request)), words)


@owners_only
@require_POST
def revoke_invitation(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    row = find(Invitation.objects.all(), invitation_id)
    return _apply_and_redirect(
        request, lambda: invitations.revoke(row), _("Revoked. The link no longer works.")
    )


def _apply_and_redirect(request: HttpRequest, act: Callable[[], None], words: str) -> HttpResponse:
    """Carry out the action and redirect to the page with its outcome."""
    try:
        act()
    except WorkspaceRefused as refused:
        messages.error(request, str(refused))
    else:
        forget_viewers()
        messages.success(request, words)
    return redirect("research:workspace")
