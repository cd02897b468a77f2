"""Nobody waits in these tests: a turn that is not yet come is only noted."""

import pytest


@pytest.fixture(autouse=True)
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that providers would have waited for their turns."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.extend([seconds] if seconds else [])

    monkeypatch.setattr("research.search.search_service_client.asyncio.sleep", sleep)
    return waits
