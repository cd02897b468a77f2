"""A rate limit per run: a token bucket of a minute's size, served in order of arrival.

It belongs to one event loop, and so limits one process.
"""

import asyncio

MINUTE_S = 60.0
FORGOTTEN_ABOVE = 1_000  # runs


class FetchRateLimiter:
    """A rate limiter: a run's first `a_minute` requests start at once, the others as its bucket refills.

    `inf` is no limit.
    """

    def __init__(self, a_minute: float) -> None:
        self._interval_s = MINUTE_S / max(1.0, a_minute)
        self._full_at: dict[str, float] = {}  # run → loop time at which its bucket is full again

    async def take(self, run: str) -> None:
        """Wait for the run's turn. A caller cancelled while waiting has used its turn up."""
        await asyncio.sleep(self.wait_s(run, asyncio.get_running_loop().time()))

    def wait_s(self, run: str, now: float) -> float:
        """Take the next turn of the run, and return the seconds until it."""
        if run not in self._full_at and len(self._full_at) > FORGOTTEN_ABOVE:
            self._full_at = {other: at for other, at in self._full_at.items() if at > now}
        full_at = self._full_at[run] = max(self._full_at.get(run, now), now) + self._interval_s
        return max(0.0, full_at - now - MINUTE_S)
