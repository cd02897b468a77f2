"""Who may look, and the one way in which pages find their rows."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from research.models import Role
from research.tenancy import NoTenant, access_in, current_tenant_id

P = ParamSpec("P")
Row = TypeVar("Row", bound=Model)
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def members_only(view: View[P]) -> View[P]:
    """The visitor is signed in and belongs to a tenant. What rows there are is then row-level security's."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            current_tenant_id()
        except NoTenant as error:
            raise PermissionDenied(
                _("Your account belongs to no workspace yet. Ask its owner to add you.")
            ) from error
        return view(request, *args, **kwargs)

    return checked


def writers_only(view: View[P]) -> View[P]:
    """As `members_only`, and more than a viewer."""

    @members_only
    @wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not may_write(request):
            raise PermissionDenied(_("You may read here, but not start or change anything."))
        return view(request, *args, **kwargs)

    return checked


def may_write(request: HttpRequest) -> bool:
    """More than a viewer of this tenant. For views behind `members_only`."""
    access = access_in(request)
    return access is not None and access.role != Role.VIEWER


def may_review(request: HttpRequest) -> bool:
    """Staff, and who may change things in this tenant. For views behind `members_only`."""
    return person(request).is_staff or may_write(request)


def reviewers_only(view: View[P]) -> View[P]:
    """As `members_only`, and one who may decide what people are asked."""

    @members_only
    @wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not may_review(request):
            raise PermissionDenied(_("You may read here, but not decide what people are asked."))
        return view(request, *args, **kwargs)

    return checked


def person(request: HttpRequest) -> User:
    """The signed-in user. For views behind `members_only`."""
    user: AbstractBaseUser | AnonymousUser = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    return user


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page; going back in history asks for the whole."""
    htmx = HtmxDetails(request)
    return bool(htmx) and not htmx.history_restore_request


def find(rows: QuerySet[Row], pk: UUID) -> Row:
    """The row of this tenant, or a 404: another tenant's rows do not exist here."""
    return get_object_or_404(rows, pk=pk)
