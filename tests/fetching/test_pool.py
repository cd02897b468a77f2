"""Connections that are kept: who takes which, when several come for one at a time."""

import asyncio

from research.fetching.denied_addresses import AddressRules
from research.fetching.http_connection_pool import GuardedTransport, _Idle
from research.fetching.ssrf_guard import GuardedBackend

PLACE = "https://site.example.com"


class Left:
    """A connection that its server has closed."""

    def has_expired(self):
        return True

    async def aclose(self):
        await asyncio.sleep(0)  # others have their turn meanwhile, as with a socket


def test_several_may_come_upon_connections_that_are_over():
    async def act():
        transport = GuardedTransport(GuardedBackend(AddressRules()))
        transport._idle = [_Idle(PLACE, Left()) for _number in range(4)]
        return await asyncio.gather(*(transport._take_idle_connection(PLACE) for _request in range(2)))

    assert asyncio.run(act()) == [None, None]
