"""Rate limits of a provider, concurrent and per minute, and the interface of its limiters."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Concurrent requests, and requests per minute: the size of a token bucket that refills in a minute."""

    at_once: int
    a_minute: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """A position in the queue, then a slot. `run` is the run that it counts for."""

    run: str
    process: str
    number: int

    def __str__(self) -> str:
        return f"{self.run}|{self.process}|{self.number:012d}"


class Limiter(Protocol):
    """Slots of one provider. Of the runs that wait, the one with fewer calls in flight goes first."""

    async def acquire(self, run: str) -> Ticket:
        """Wait for a slot, and hold it until `release`."""

    async def release(self, ticket: Ticket) -> None:
        """Release a slot to the next caller in the queue."""

    async def pause(self, seconds: float) -> None:
        """Grant no slots for this long, because the provider asked for a pause."""
