"""So many a minute for each run: a token bucket of that size, which who waits is served from in turn.

Of one event loop, and so of one process, as politeness is.
"""

import asyncio

MINUTE_S = 60.0
FORGOTTEN_ABOVE = 1_000  # runs


class FetchRateLimiter:
    """A run's first `a_minute` begin at once, the others one by one as its bucket fills. `inf`: no limit."""

    def __init__(self, a_minute: float) -> None:
        self._interval_s = MINUTE_S / max(1.0, a_minute)
        self._full_at: dict[str, float] = {}  # run → when its bucket will be full again, of the loop's clock

    async def take(self, run: str) -> None:
        """Wait for the run's turn. Who is cancelled meanwhile has used it up."""
        await asyncio.sleep(self.wait_s(run, asyncio.get_running_loop().time()))

    def wait_s(self, run: str, now: float) -> float:
        """Take a place in the run's line, and say how far away it is."""
        if run not in self._full_at and len(self._full_at) > FORGOTTEN_ABOVE:
            self._full_at = {other: at for other, at in self._full_at.items() if at > now}
        full_at = self._full_at[run] = max(self._full_at.get(run, now), now) + self._interval_s
        return max(0.0, full_at - now - MINUTE_S)
