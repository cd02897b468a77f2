"""Database work that is requested at one time is done in one transaction, and each request gets its own outcome."""

import asyncio
import threading
from collections.abc import Sequence
from itertools import chain

import pytest
from django.db import OperationalError, connection

from research.db import sql_batcher
from research.db.sql_batcher import MANY, MAX_AT_ONCE, WAVE, Batcher
from research.db.tenancy import current_tenant_id, tenant_context
from research.models import Tenant
from research.runtime.process_local import ProcessLocal
from tests.batches import do_batch
from tests.people import join

pytestmark = pytest.mark.django_db(transaction=True)


def request_all(*wanted: tuple[Batcher, object]) -> list[object]:
    """Return the outcomes of requests that are made at one moment."""

    async def gather() -> list[object]:
        calls = [batcher.do(request) for batcher, request in wanted]
        return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(gather())


def transaction_id() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text")
        return cursor.fetchone()[0]


def transactions(tenant_id, **options) -> Batcher:
    """Return a batcher whose outcomes are the transactions that they are done in."""
    return Batcher(lambda _request: tenant_id, lambda group: [transaction_id()] * len(group), **options)


def test_who_comes_while_others_are_served_goes_with_the_next():
    ada, seen = join("ada").tenant.pk, []

    def together(group: Sequence[int]) -> list[int]:
        seen.append(list(group))
        return [10 * number for number in group]

    batcher = Batcher(lambda _number: ada, together)
    count = 2 * MAX_AT_ONCE + 5
    assert request_all(*((batcher, number) for number in range(count))) == [
        10 * number for number in range(count)
    ]
    assert [len(group) for group in seen] == [MAX_AT_ONCE, MAX_AT_ONCE, 5]
    assert list(chain(*seen)) == list(range(count))


def test_a_wave_of_requests_ends_a_long_tick(monkeypatch):
    monkeypatch.setattr(sql_batcher, "TICK_S", 600)
    monkeypatch.setattr(sql_batcher, "_writer", ProcessLocal(sql_batcher._Writer))
    ada = join("ada").tenant.pk
    batcher = Batcher(lambda _number: ada, list)

    async def request(count: int) -> list[int]:
        async with asyncio.timeout(60):
            return await asyncio.gather(*(batcher.do(number) for number in range(count)))

    assert asyncio.run(request(MANY)) == list(range(MANY))
    assert asyncio.run(request(WAVE)) == list(range(WAVE))


def test_requests_of_each_tenant_share_a_transaction_and_a_failing_one_fails_alone():
    ada, bob = join("ada").tenant.pk, join("bob").tenant.pk

    def together(requests: Sequence[tuple[object, int]]) -> list[int]:
        assert {tenant for tenant, _number in requests} == {current_tenant_id()}
        if any(number < 0 for _tenant, number in requests):
            raise ValueError("negative")
        return [number + 1 for _tenant, number in requests]

    batcher = Batcher(lambda request: request[0], together)
    wanted = [(ada, 1), (bob, 2), (ada, 3), (bob, -1)]
    first, second, third, failed = request_all(*((batcher, request) for request in wanted))
    assert (first, second, third) == (2, 3, 4)
    assert isinstance(failed, ValueError)


def test_all_kinds_of_work_of_a_tick_share_one_transaction():
    ada = join("ada").tenant.pk
    done = request_all(*((transactions(ada, is_durable=number > 0), number) for number in range(4)))
    assert len(set(done)) == 1


def test_work_that_fails_is_done_apart_and_what_goes_with_it_is_stored():
    ada = join("ada").tenant

    def rename(group: Sequence[str]) -> list[int]:
        return [Tenant.objects.filter(pk=ada.pk).update(name=name) for name in group]

    def fail(_group: Sequence[int]) -> list[int]:
        Tenant.objects.filter(pk=ada.pk).update(name="wrong")
        raise ValueError("as requested")

    names = Batcher(lambda _name: ada.pk, rename)
    broken = Batcher(lambda _number: ada.pk, fail, lambda number: number + 1, is_durable=False)
    assert request_all((broken, 1), (names, "right")) == [2, 1]
    with tenant_context(ada.pk):
        assert Tenant.objects.get(pk=ada.pk).name == "right"


def test_work_that_waits_for_a_lock_holds_up_no_other_work():
    ada = join("ada").tenant
    is_locked, may_go = threading.Event(), threading.Event()

    def hold_lock() -> None:
        try:
            with tenant_context(ada.pk):
                Tenant.objects.select_for_update().get(pk=ada.pk)
                is_locked.set()
                may_go.wait(60)
        finally:
            connection.close()

    def rename(_group: Sequence[int]) -> list[int]:
        return [Tenant.objects.filter(pk=ada.pk).update(name="renamed")]

    async def both() -> tuple[object, object]:
        waits = asyncio.create_task(Batcher(lambda _request: ada.pk, rename, is_durable=False).do(1))
        other = await transactions(ada.pk).do(2)
        may_go.set()
        return other, await waits

    holder = threading.Thread(target=hold_lock)
    holder.start()
    assert is_locked.wait(60)
    other, renamed = asyncio.run(both())
    holder.join()
    assert other
    assert renamed == 1


def test_no_request_waits_for_a_database_that_is_away_after_another_has():
    ada, tried = join("ada").tenant.pk, []

    def together(requests: Sequence[int]) -> list[int]:
        tried.append(len(requests))
        connection.close()
        raise OperationalError("away")

    done = do_batch(Batcher(lambda _number: ada, together), range(5))
    assert [type(error) for error in done] == [OperationalError] * 5
    assert tried == [5, 1]
