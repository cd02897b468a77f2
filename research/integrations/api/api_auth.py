"""Authentication: the token of the `Authorization` header, its scopes, and its user's role in the workspace."""

from collections.abc import Mapping

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from research.accounts.api_tokens import ApiCaller, find_caller
from research.accounts.workspace_roles import Right, may
from research.integrations.api.api_problems import Problem
from research.models import Scope

SCHEME = "bearer"
# Methods that need more of the user's role than reading, whatever the token's scopes.
CHANGING: frozenset[str] = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def caller_from(authorization: str) -> ApiCaller | None:
    """Return the caller that the header identifies; None if it has no valid token."""
    scheme, _space, token = authorization.partition(" ")
    return find_caller(token.strip()) if scheme.casefold() == SCHEME else None


def caller_of(request: HttpRequest) -> ApiCaller:
    """Return the caller that `Gate` authenticated. Raises Problem if there is none."""
    found: ApiCaller | None = getattr(request, "caller", None)
    if found is None:
        raise Problem(
            "not_authenticated", _("Send the header “Authorization: Bearer <token>” with a valid token.")
        )
    return found


class Bearer(HttpBearer):
    """The authorization of one operation: its scope, and the right needed by a caller who changes something by it.

    Ninja calls it before the body is read.
    """

    openapi_bearerFormat = "opaque"

    def __init__(self, scope: Scope, right: Right = Right.STEER) -> None:
        super().__init__()
        self.scope, self.right = scope, right

    def __call__(self, request: HttpRequest) -> ApiCaller:
        caller = caller_of(request)
        check(caller, self.scope, self.right if request.method in CHANGING else Right.READ)
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> ApiCaller:
        raise NotImplementedError  # `__call__` already has the caller


def check(caller: ApiCaller, scope: Scope, right: Right) -> None:
    """Check the token's scope and its user's current right. Raises Problem."""
    if scope not in caller.scopes:
        words = _("This token lacks the scope “%(scope)s”.") % {"scope": scope.value}
        raise Problem("missing_scope", words, headers=_challenge(scope))
    if not may(caller.role, right):
        raise Problem("read_only")


def _challenge(scope: Scope) -> Mapping[str, str]:
    return {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope.value}"'}


NEEDS = {scope: Bearer(scope) for scope in Scope}
DECIDES = Bearer(Scope.WRITE, Right.REVIEW)
