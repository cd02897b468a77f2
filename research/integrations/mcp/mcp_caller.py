"""The caller of a tool, authenticated as in the API by a token that is looked up for every call."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from mcp.server.mcpserver.exceptions import ToolError

from research.accounts.api_tokens import ApiCaller, find_caller
from research.accounts.audit.write_audit_trail import Actor, act_as
from research.accounts.workspace_roles import Right
from research.db.tenancy import in_thread, tenant_context
from research.integrations.api.api_auth import check
from research.integrations.api.api_problems import CODES, Problem
from research.integrations.api_rate_limit import take
from research.models import Scope, Via
from research.pipelines.pipeline_kinds import REFUSALS

T = TypeVar("T")
token_in_use: ContextVar[str] = ContextVar("token_in_use", default="")
NOBODY = "The token is unknown, over or taken back. Make another one on the account page."


async def run_for_caller(act: Callable[[ApiCaller], T], scope: Scope, limits: Sequence[str] = ()) -> T:
    """Run `act` in a transaction of the caller's workspace and return its result.

    Raises ToolError with the reason if that is refused. Scopes that change something need the right to steer.
    `limits` are counted.
    """
    return await in_thread(partial(_act, token_in_use.get(), act, scope, limits))


def _act(token: str, act: Callable[[ApiCaller], T], scope: Scope, limits: Sequence[str]) -> T:
    with translate_errors():
        caller = find_caller(token)
        if caller is None:
            raise ToolError(NOBODY)
        check(caller, scope, Right.STEER if scope == Scope.WRITE else Right.READ)
        _count(caller, limits)
        with tenant_context(caller.tenant_id), act_as(_actor(caller)):
            return act(caller)


def _actor(caller: ApiCaller) -> Actor:
    return Actor(Via.MCP, caller.user_id, caller.user().username, caller.role)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise refusals in the block as ToolError, with a message for the caller."""
    try:
        yield
    except Problem as problem:
        raise ToolError(problem.detail or str(CODES[problem.code][1])) from problem
    except REFUSALS as refusal:
        raise ToolError(str(refusal)) from refusal


def _count(caller: ApiCaller, limits: Sequence[str]) -> None:
    """Count a request against the limits. Raises ToolError if one is exceeded."""
    wait_s = (
        max((limit.wait_s for limit in take(caller.user_id, limits).values()), default=0) if limits else 0
    )
    if wait_s:
        words = ngettext("Try again in %(count)d second.", "Try again in %(count)d seconds.", wait_s)
        raise ToolError(f"{_('Too many requests.')} {words % {'count': wait_s}}")
