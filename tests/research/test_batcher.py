"""Database work that is requested at one time is done in one transaction, and each request gets its own outcome."""

import asyncio
from collections.abc import Sequence

import pytest
from django.db import Error, OperationalError, connection

from research.db.sql_batcher import MAX_AT_ONCE, Batcher, in_one_transaction
from research.db.tenancy import current_tenant_id
from tests.people import join


def groups_of(numbers: Sequence[int], act) -> list[int | Exception]:
    """Return the groups that these calls form, made at once."""

    async def ask() -> list[int | Exception]:
        together: Batcher[int, int] = Batcher(act)
        return await asyncio.gather(*map(together.do, numbers), return_exceptions=True)

    return asyncio.run(ask())


@pytest.mark.django_db
def test_who_comes_while_others_are_served_goes_with_the_next():
    seen: list[list[int]] = []

    def act(group: Sequence[int]) -> list[int]:
        seen.append(list(group))
        return [10 * number for number in group]

    count = 2 * MAX_AT_ONCE + 5
    assert groups_of(range(count), act) == [10 * number for number in range(count)]
    assert len(seen) <= 5
    assert sum(seen, []) == list(range(count))


@pytest.mark.django_db
def test_each_learns_what_came_of_its_own_and_a_fault_is_told_to_all():
    def act(group: Sequence[int]) -> list[int | Exception]:
        if 3 in group:
            raise RuntimeError("a bug")
        return [Error("odd") if number % 2 else number for number in group]

    zero, *others = groups_of([0, 1, 2], act)
    assert (zero, others[1]) == (0, 2)
    assert isinstance(others[0], Error)
    assert RuntimeError in [type(one) for one in groups_of([3, 4], act)]


@pytest.mark.django_db(transaction=True)
def test_requests_of_each_tenant_share_a_transaction_and_a_failing_one_fails_alone():
    ada, bob = join("ada").tenant.pk, join("bob").tenant.pk
    groups: list[int] = []

    def together(requests: Sequence[tuple[object, int]]) -> list[int]:
        assert {tenant for tenant, _number in requests} == {current_tenant_id()}
        groups.append(len(requests))
        if any(number < 0 for _tenant, number in requests):
            raise ValueError("negative")
        return [number + 1 for _tenant, number in requests]

    wanted = [(ada, 1), (bob, 2), (ada, 3), (bob, -1)]
    first, second, third, failed = in_one_transaction(wanted, lambda request: request[0], together)
    assert (first, second, third) == (2, 3, 4)
    assert isinstance(failed, ValueError)
    assert sorted(groups) == [1, 1, 2, 2]


@pytest.mark.django_db(transaction=True)
def test_no_request_waits_for_a_database_that_is_away_after_another_has():
    ada, tried = join("ada").tenant.pk, []

    def together(requests: Sequence[int]) -> list[int]:
        tried.append(len(requests))
        connection.close()
        raise OperationalError("away")

    done = in_one_transaction(range(5), lambda _number: ada, together)
    assert [type(one) for one in done] == [OperationalError] * 5
    assert tried == [5, 1]
