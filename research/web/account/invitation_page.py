"""The page of an invitation link: for people with an account, without one, or signed in as someone else."""

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from research.accounts.workspaces.invitations import OpenInvitation, accept, find_open_invitation
from research.accounts.workspaces.workspace_members import WorkspaceRefused
from research.db.tenancy import memberships, work_in
from research.models import Role
from research.web.account.workspace_forms import SHORT_ROLES, NewAccountForm

BACKEND = "research.accounts.people.AccountBackend"


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    opened = find_open_invitation(token)
    if opened is None:
        return render(request, "research/account/invitation_over.html", status=410)
    user, account = request.user, opened.account
    if isinstance(user, User):
        is_theirs = opened.is_for(user)
        if request.method == "POST" and is_theirs:
            return _join(request, opened, user)
        return _page(
            request,
            opened,
            token,
            "accept" if is_theirs else "other",
            status=403 if _is_post(request) else 200,
        )
    if account is not None:
        return _page(request, opened, token, "sign_in", status=403 if _is_post(request) else 200)
    if request.method == "POST":
        return _make_account(request, opened, token)
    return _page(request, opened, token, "new", NewAccountForm(opened.row.email, initial=_first_name(opened)))


def _is_post(request: HttpRequest) -> bool:
    return request.method == "POST"


def _first_name(found: OpenInvitation) -> dict[str, str]:
    return {"username": found.row.email.partition("@")[0][:150]}


def _page(
    request: HttpRequest,
    found: OpenInvitation,
    token: str,
    case: str,
    form: NewAccountForm | None = None,
    status: int = 200,
) -> HttpResponse:
    values = {
        "found": found,
        "token": token,
        "case": case,
        "form": form,
        "role": SHORT_ROLES[Role(found.row.role)],
    }
    return render(request, "research/account/invitation.html", values, status=status)


def _make_account(request: HttpRequest, found: OpenInvitation, token: str) -> HttpResponse:
    """Create the account. The link was mailed to the address, which therefore counts as verified."""
    form = NewAccountForm(found.row.email, request.POST)
    if not form.is_valid():
        return _page(request, found, token, "new", form, status=422)
    try:
        with transaction.atomic():
            user = User.objects.create_user(
                form.cleaned_data["username"], found.row.email, form.cleaned_data["password"]
            )
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
            accept(found, user)
    except WorkspaceRefused as refused:
        form.add_error(None, str(refused))
        return _page(request, found, token, "new", form, status=422)
    except IntegrityError:  # another person took the name in the meantime
        form.add_error("username", User._meta.get_field("username").error_messages["unique"])
        return _page(request, found, token, "new", form, status=422)
    login(request, user, backend=BACKEND)
    UserSession.objects.create_from_request(request)
    return _welcome(request, found, user)


def _join(request: HttpRequest, found: OpenInvitation, user: User) -> HttpResponse:
    try:
        accept(found, user)
    except WorkspaceRefused as refused:
        messages.error(request, str(refused))
        return redirect("research:home")
    return _welcome(request, found, user)


def _welcome(request: HttpRequest, found: OpenInvitation, user: User) -> HttpResponse:
    work_in(
        request,
        next(membership for membership in memberships(user.pk) if membership.tenant_id == found.tenant_id),
    )
    messages.success(request, _("Welcome. You are now working in “%(name)s”.") % {"name": found.workspace})
    return redirect("research:home")
