"""Access checks of views, and the function with which pages find their rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy
from django_htmx.middleware import HtmxDetails

from research.accounts.workspace_roles import Right, may
from research.db.tenancy import NoTenant, access_in, current_tenant_id

P = ParamSpec("P")
Row = TypeVar("Row", bound=Model)
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
REASONS: Mapping[Right, Promise] = {
    Right.READ: lazy(
        "Your account does not belong to a workspace yet. Ask the owner of a workspace to add you."
    ),
    Right.REVIEW: lazy("You can read here, but you cannot answer questions from runs."),
    Right.STEER: lazy("You can read in this workspace, but not start or change anything."),
    Right.OWN: lazy("Only owners of this workspace can do this."),
}


def members_only(view: View[P]) -> View[P]:
    """Require a signed-in member of a tenant; row-level security selects the rows."""

    @login_required
    @wraps(view)
    def call_if_allowed(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            current_tenant_id()
        except NoTenant as error:
            raise PermissionDenied(str(REASONS[Right.READ])) from error
        return view(request, *args, **kwargs)

    return call_if_allowed


def writers_only(view: View[P]) -> View[P]:
    """Require a member who may start and change things."""
    return _require_right(view, Right.STEER)


def reviewers_only(view: View[P]) -> View[P]:
    """Require a member who may decide on review items."""
    return _require_right(view, Right.REVIEW)


def owners_only(view: View[P]) -> View[P]:
    """Require an owner of the workspace."""
    return _require_right(view, Right.OWN)


def _require_right(view: View[P], right: Right) -> View[P]:
    @members_only
    @wraps(view)
    def check_right(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not has_right(request, right):
            raise PermissionDenied(str(REASONS[right]))
        return view(request, *args, **kwargs)

    return check_right


def has_right(request: HttpRequest, right: Right) -> bool:
    """Return True if the person's role in this workspace has the right.

    Staff may also decide on review items, whatever their role.
    """
    access = access_in(request)
    if access is None:
        return False
    return may(access.role, right) or (right == Right.REVIEW and person(request).is_staff)


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of the person on the current page, for templates: `{% if may.steer %}`."""

    review: bool = False
    steer: bool = False
    own: bool = False


def rights_of(request: HttpRequest) -> Rights:
    if access_in(request) is None:
        return Rights()
    return Rights(*(has_right(request, right) for right in (Right.REVIEW, Right.STEER, Right.OWN)))


def may_write(request: HttpRequest) -> bool:
    return has_right(request, Right.STEER)


def may_review(request: HttpRequest) -> bool:
    return has_right(request, Right.REVIEW)


def person(request: HttpRequest) -> User:
    """Return the signed-in user, in views behind `members_only`."""
    user: AbstractBaseUser | AnonymousUser = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    return user


def wants_fragment(request: HttpRequest) -> bool:
    """Return True if htmx requests a part of the page; going back in history requests the whole page."""
    htmx = HtmxDetails(request)
    return bool(htmx) and not htmx.history_restore_request


def find(rows: QuerySet[Row], pk: UUID) -> Row:
    """Return the row of this tenant. Raises Http404, also for other tenants' rows."""
    return get_object_or_404(rows, pk=pk)
