"""Database work on behalf of an agent, which itself waits in an event loop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db import connections

from research.tenancy import tenant_context

T = TypeVar("T")


async def in_tenant(tenant_id: UUID, act: Callable[[], T]) -> T:
    """Run `act` in a thread, in a short transaction of this tenant."""
    return await asyncio.to_thread(_act_in_tenant, tenant_id, act)


def _act_in_tenant(tenant_id: UUID, act: Callable[[], T]) -> T:
    try:
        with tenant_context(tenant_id):
            return act()
    finally:
        connections.close_all()  # it belongs to a thread that nobody keeps
