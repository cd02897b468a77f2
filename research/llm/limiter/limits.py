"""Request limits of a provider, concurrent and per minute, and the queue of the calls that wait."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """`a_minute` is the rate at which a token bucket of that size refills."""

    at_once: int
    a_minute: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """A place in the queue, then a slot. `run` is whose turn it is counted as."""

    run: str
    process: str
    number: int

    def __str__(self) -> str:
        return f"{self.run}|{self.process}|{self.number:012d}"


class Limiter(Protocol):
    """Slots of one provider. Of the runs that wait, the one with fewer calls in flight goes first."""

    async def acquire(self, run: str) -> Ticket:
        """Wait for a slot, which is held until it is given back."""

    async def release(self, ticket: Ticket) -> None:
        """Give the slot back, to whoever is next."""

    async def pause(self, seconds: float) -> None:
        """Grant nothing for this long: the provider asked for it."""
