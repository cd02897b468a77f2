"""The current tenant: one setting per transaction, read by the row-level security policies.

Every policy compares `tenant_id` with the transaction's `plumbline.tenant`. Outside `tenant_context` the
setting is empty, no row is visible and none can be written (spec: governance.md, Tenants).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

import psycopg
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn

from config.databases import IDLE_LIMIT_S
from research.db.thread_pool import process_rows

if TYPE_CHECKING:
    from research.models import Tenant

T = TypeVar("T")
CHOSEN = "workspace"  # session key: the id of the current tenant
GO_THERE = "go_there"  # query parameter of a form that is sent again: its tenant's id
_current: ContextVar[UUID | None] = ContextVar("tenant", default=None)


class NoTenant(RuntimeError):
    """A tenant's row was created or read outside `tenant_context`: a programming error."""


@dataclass(frozen=True, slots=True)
class TenantAccess:
    """A tenant that a user belongs to, and the user's role in it."""

    tenant_id: UUID
    role: str
    name: str
    version: int  # increases when a member of the tenant is removed or gets another role


def current_tenant_id() -> UUID:
    """Return the tenant of the current `tenant_context`. Raises NoTenant outside one."""
    tenant_id = _current.get()
    if tenant_id is None:
        raise NoTenant("this needs a tenant: enter research.db.tenancy.tenant_context first")
    return tenant_id


def may_see(tenant_id: UUID) -> bool:
    """Return True if data of this tenant may be opened here: not within another tenant's context."""
    return _current.get() in (None, tenant_id)


@contextmanager
def tenant_context(
    tenant_id: UUID, *, is_durable: bool = True, lock_wait_s: float | None = None
) -> Iterator[None]:
    """Open a transaction in which only this tenant's rows are visible.

    May be nested; the outer tenant is restored.

    A transaction with `is_durable` False does not wait for the disk: if the server crashes within a second,
    it may be lost. Never use that for something others have been informed of. No transaction survives without
    those before it, since the write-ahead log keeps their order.

    A statement that waits longer than `lock_wait_s` for a lock raises OperationalError.
    """
    previous = _current.get()
    is_nested = connection.in_atomic_block
    is_set = is_nested and previous == tenant_id
    token = _current.set(tenant_id)
    try:
        with transaction.atomic():
            if not is_nested:
                _begin(tenant_id, is_durable, lock_wait_s)
            elif not is_set:
                _set_tenant(tenant_id)
            yield
            # A rollback or the end of the transaction restores the setting anyway.
            if is_nested and not is_set and not transaction.get_rollback():
                _set_tenant(previous)
    finally:
        _current.reset(token)


async def in_tenant(tenant_id: UUID, act: Callable[[], T]) -> T:
    """Run `act` in a thread, in a short transaction of this tenant. For callers in an event loop."""
    return await in_thread(partial(_act_in_tenant, tenant_id, act))


async def in_thread(act: Callable[[], T]) -> T:
    """Run `act` in a thread; it sets the tenants it needs itself. For callers in an event loop."""
    return await process_rows().do(act)


def _act_in_tenant(tenant_id: UUID, act: Callable[[], T]) -> T:
    with tenant_context(tenant_id):
        return act()


def _set_tenant(tenant_id: UUID | None) -> None:
    # Local to the transaction, so that a pooled connection never passes a tenant on to its next user.
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('plumbline.tenant', %s, true)", [str(tenant_id or "")])


def _begin(tenant_id: UUID, is_durable: bool, lock_wait_s: float | None) -> None:
    """Send BEGIN and the transaction's settings in one message, since most transactions are short."""
    words = f"BEGIN; SELECT set_config('plumbline.tenant', '{UUID(str(tenant_id))}', true)"
    if not is_durable:
        words += "; SET LOCAL synchronous_commit = off"
    if lock_wait_s is not None:
        words += f"; SET LOCAL lock_timeout = '{lock_wait_s * 1000:.0f}ms'"
    if settings.PLUMBLINE_POOLER:
        words += f"; SET LOCAL idle_in_transaction_session_timeout = '{IDLE_LIMIT_S}s'"
    server: PGconn = connection.connection.pgconn
    with connection.wrap_database_errors:
        done = server.exec_(words.encode())
        if done.status == ExecStatus.FATAL_ERROR or server.status == ConnStatus.BAD:
            is_ours = (
                done.error_field(DiagnosticField.SQLSTATE) is None
            )  # an error of libpq's own: the connection is gone
            raise psycopg.OperationalError(server.get_error_message()) if is_ours else error_from_result(done)


def tenant_ids() -> list[UUID]:
    """Return the ids of all tenants; a SECURITY DEFINER function lists them, since no tenant is set yet."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM plumbline_tenants()")
        return [row[0] for row in cursor.fetchall()]


class SweepTarget(StrEnum):
    """A kind of row that a sweep looks for (migration 0028)."""

    RUNS = "runs"  # unfinished, just ended, or still holding something
    MESSAGES = "messages"
    MAIL = "mail"
    DELIVERIES = "deliveries"
    TASKS = "tasks"  # at Parallel
    SCHEDULES = "schedules"
    DECISIONS = "decisions"  # of people, not in effect yet
    DOCUMENTS = "documents"
    RECHECKS = "rechecks"
    FILES = "files"
    DECKS = "decks"


def tenants_with(what: SweepTarget, model: str = "") -> list[UUID]:
    """Return the tenants that may have something of this kind to sweep, found by one statement.

    `model`, for documents, is the embedding model that their passages should have vectors of.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM plumbline_tenants_with(%s, %s)", [what.value, model])
        return [row[0] for row in cursor.fetchall()]


def memberships(user_id: int) -> list[TenantAccess]:
    """Return the tenants that a user belongs to, oldest membership first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, role, name, version FROM plumbline_workspaces(%s)", [user_id])
        return [TenantAccess(*row) for row in cursor.fetchall()]


def create_tenant(name: str) -> "Tenant":
    """Create a tenant. Its id is chosen first, because its own row is visible only within its context."""
    tenant: Tenant = apps.get_model("research", "Tenant")(name=name)
    with tenant_context(tenant.pk):
        tenant.save(force_insert=True)
    return tenant


def access_of(user: AbstractBaseUser | AnonymousUser) -> TenantAccess | None:
    """Return a user's oldest membership, for callers without a choice such as the command line.

    None if not signed in.
    """
    return next(iter(workspaces_of(user)), None)


def workspaces_of(user: AbstractBaseUser | AnonymousUser) -> list[TenantAccess]:
    """Return all tenants that the user belongs to, oldest membership first; none if not signed in."""
    return memberships(user.pk) if user.is_authenticated else []


def access_in(request: HttpRequest) -> TenantAccess | None:
    """Return the tenant in which the request runs; None if TenantMiddleware found none."""
    found: TenantAccess | None = getattr(request, "access", None)
    return found


def workspaces_in(request: HttpRequest) -> Sequence[TenantAccess]:
    """Return all memberships of the request's user, as loaded when the request arrived."""
    found: Sequence[TenantAccess] = getattr(request, "workspaces", ())
    return found


def find_workspace_access(workspaces: Sequence[TenantAccess], tenant_id: object) -> TenantAccess | None:
    """Return the membership of the tenant with this id, which may be any value; None if there is none."""
    return next((workspace for workspace in workspaces if str(workspace.tenant_id) == str(tenant_id)), None)


def work_in(request: HttpRequest, access: TenantAccess) -> None:
    """Let this session work in that tenant from the next request on."""
    request.session[CHOSEN] = str(access.tenant_id)


class TenantMiddleware:
    """Runs each request in a tenant of its user, in one transaction. A server error rolls it back.

    The session's choice is checked against the memberships at every request: a user who was removed from that
    tenant can no longer see any of it, and works in their oldest remaining membership.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        workspaces = workspaces_of(request.user)
        if not workspaces:
            return self.get_response(request)
        there = (
            find_workspace_access(workspaces, request.GET.get(GO_THERE)) if request.method == "POST" else None
        )
        access = there or find_workspace_access(workspaces, request.session.get(CHOSEN)) or workspaces[0]
        vars(request).update(access=access, workspaces=workspaces)
        with tenant_context(access.tenant_id):
            response = self.get_response(request)
            if response.status_code >= 500:
                # Django has turned the exception into a response by now, so nothing else rolls the writes
                # back.
                transaction.set_rollback(True)
        return response
