"""A request sees its tenant's rows only, and its writes are kept or undone as a whole."""

import asyncio

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError, connection, connections
from django.http import HttpRequest, HttpResponse

from research.db.tenancy import TenantMiddleware, create_tenant, current_tenant_id, in_tenant, tenant_context
from research.db.thread_pool import ROW_THREADS
from research.engine.error_boundary import drop_broken_connection
from research.models import Run, Tenant


def request_of(user: object) -> HttpRequest:
    request = HttpRequest()
    request.user = user
    request.session = {}
    return request


def test_a_members_request_sees_the_members_rows(world):
    seen = []

    def view(_request: HttpRequest) -> HttpResponse:
        seen.extend([current_tenant_id(), *Run.objects.all()])
        return HttpResponse()

    TenantMiddleware(view)(request_of(world.owner))
    assert seen == [world.tenant.pk, world.run]


@pytest.mark.parametrize("who", ["anonymous", "user without a tenant"])
def test_a_strangers_request_sees_nothing(world, who, django_user_model):
    user = AnonymousUser() if who == "anonymous" else django_user_model.objects.create_user("bob")
    seen = []

    def view(_request: HttpRequest) -> HttpResponse:
        seen.extend(Run.objects.all())
        return HttpResponse()

    TenantMiddleware(view)(request_of(user))
    assert seen == []


@pytest.mark.parametrize(("status", "kept"), [(200, "new"), (302, "new"), (404, "new"), (500, "Ada's")])
def test_only_a_server_error_undoes_what_a_request_wrote(world, status, kept):
    def view(_request: HttpRequest) -> HttpResponse:
        Tenant.objects.update(name="new")
        return HttpResponse(status=status)

    TenantMiddleware(view)(request_of(world.owner))
    with tenant_context(world.tenant.pk):
        assert Tenant.objects.get().name == kept


def waits_for_the_disk() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        return cursor.fetchone()[0] == "on"


@pytest.mark.django_db(transaction=True)
def test_only_a_transaction_that_may_be_lost_does_not_wait_for_the_disk():
    tenant = create_tenant("Ada's")
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")  # the server of the tests waits for no disk at all
    with tenant_context(tenant.pk):
        assert waits_for_the_disk()
        with tenant_context(tenant.pk, is_durable=False):
            assert waits_for_the_disk()
    with tenant_context(tenant.pk, is_durable=False):
        assert not waits_for_the_disk()
    assert waits_for_the_disk()
    connection.close()


def test_an_error_inside_a_tenant_leaves_no_tenant_behind(world):
    with pytest.raises(RuntimeError), tenant_context(world.tenant.pk):
        raise RuntimeError
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_broke_meanwhile_is_a_failure_that_the_next_try_mends():
    tenant = create_tenant("Ada's")
    with tenant_context(tenant.pk):
        pass
    connection.connection.pgconn.finish()
    with pytest.raises(OperationalError), tenant_context(tenant.pk):
        pass
    drop_broken_connection()
    with tenant_context(tenant.pk):
        assert Tenant.objects.get() == tenant


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_a_connection_that_the_server_ended_is_a_failure_too():
    tenant = create_tenant("Ada's")
    with tenant_context(tenant.pk), connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        mine = cursor.fetchone()[0]
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [mine])
    with pytest.raises(OperationalError), tenant_context(tenant.pk):
        pass
    drop_broken_connection()
    with tenant_context(tenant.pk):
        assert Tenant.objects.get() == tenant


@pytest.mark.django_db(transaction=True)
def test_who_waits_in_an_event_loop_gets_connections_that_are_kept():
    tenant = create_tenant("Ada's")

    def read_tenant() -> tuple[int, str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return cursor.fetchone()[0], Tenant.objects.get().name

    # Each run has an event loop of its own.
    found = {asyncio.run(in_tenant(tenant.pk, read_tenant)) for _ in range(2 * ROW_THREADS)}
    assert len(found) <= ROW_THREADS
    assert {name for _backend, name in found} == {"Ada's"}
