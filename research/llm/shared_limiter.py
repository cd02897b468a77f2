"""One limiter a provider for all processes, kept in Redis. Nobody polls: who frees a slot seats the next."""

import asyncio
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from research.llm.limits import Limits, Ticket

SCRIPT = (Path(__file__).parent / "limiter.lua").read_text(encoding="utf-8")
BEAT_S = 5.0  # three signs of life within the time that the script allows
KEYS = ("seats", "queue", "alive", "bucket", "pause")
Words = Sequence[bytes | str | int | float]


class LimiterAway(Exception):
    """Redis can't be reached, or lost what it knew."""


class SharedLimiter:
    """Slots of one provider. Of one event loop; tickets carry the process's name, so that it can be missed.

    While it waits for slots or holds some, one task says so every few seconds, and another listens for slots
    that other processes handed over. Every method raises LimiterAway.
    """

    def __init__(self, redis: "Redis", provider: str, limits: Limits) -> None:
        self._redis = redis
        self._limits = limits
        self.process = f"{os.getpid()}-{secrets.token_hex(4)}"
        prefix = f"plumbline:models:{{{provider}}}"
        self._keys = [f"{prefix}:{name}" for name in KEYS]
        self._mail = f"{self._keys[0]}:mail:{self.process}"
        self._script = redis.register_script(SCRIPT)
        self._numbers = count(1)
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._seated: set[str] = set()
        self._due = asyncio.Event()
        self._due_in_s: float | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def acquire(self, run: str) -> Ticket:
        ticket = Ticket(run, self.process, next(self._numbers))
        future = self._waiting[str(ticket)] = asyncio.get_running_loop().create_future()
        self._attend()
        try:
            await self._call("join", str(ticket))
            await future
        except (asyncio.CancelledError, LimiterAway):
            await asyncio.shield(self._give_up(ticket))
            raise
        return ticket

    async def release(self, ticket: Ticket) -> None:
        self._seated.discard(str(ticket))
        await self._call("leave", str(ticket))

    async def pause(self, seconds: float) -> None:
        await self._call("pause", max(1, int(seconds * 1000)))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    async def _give_up(self, ticket: Ticket) -> None:
        self._waiting.pop(str(ticket), None)
        with suppress(LimiterAway):  # then it forgets us when it misses our sign of life
            await self.release(ticket)

    async def _call(self, operation: str, *words: str | int) -> None:
        """Run the script and seat those it names."""
        arguments: list[str | int] = [operation, self.process, self._limits.at_once, self._limits.a_minute]
        try:
            answer = await self._script(keys=self._keys, args=[*arguments, *words])
        except (RedisError, OSError) as error:
            raise LimiterAway from error
        due, *seated = cast(Words, answer)
        for ticket in seated:
            self._seat(_text(ticket))
        self._set_due(float(due) / 1000 if float(due) >= 0 else None)

    def _seat(self, ticket: str) -> None:
        future = self._waiting.pop(ticket, None)
        if future is None or future.done():
            return  # given up meanwhile; `_give_up` hands the seat back
        self._seated.add(ticket)
        future.set_result(None)

    # --- while there is something to wait for ---

    def _attend(self) -> None:
        if not self._tasks or any(task.done() for task in self._tasks):
            for task in self._tasks:
                task.cancel()
            self._tasks = [asyncio.create_task(self._beat()), asyncio.create_task(self._listen())]

    @property
    def _is_busy(self) -> bool:
        return bool(self._waiting or self._seated)

    def _set_due(self, seconds: float | None) -> None:
        """When time alone will make room: the bucket refills, a pause ends."""
        self._due_in_s = seconds
        if seconds is not None:
            self._due.set()

    async def _beat(self) -> None:
        """Say that we live, and look when something is due."""
        try:
            while self._is_busy:
                if await self._is_due():
                    await self._call("look")
                else:
                    held, waiting = sorted(self._seated), list(self._waiting)
                    await self._call("beat", len(held), *held, *waiting)
        except LimiterAway as away:
            self._fail(away)

    async def _is_due(self) -> bool:
        """Wait until time has made room (True), or until the next sign of life (False)."""
        delay = self._due_in_s
        if delay is None:
            self._due.clear()
            try:
                async with asyncio.timeout(BEAT_S):
                    await self._due.wait()
            except TimeoutError:
                return False
            delay = self._due_in_s or 0
        await asyncio.sleep(min(BEAT_S, delay))
        self._due_in_s = None
        return delay <= BEAT_S

    async def _listen(self) -> None:
        """Take the slots that other processes hand over."""
        try:
            while self._is_busy:
                mail = await self._redis.blpop([self._mail], timeout=BEAT_S)
                if mail is not None:
                    self._seat(_text(mail[1]))
        except (RedisError, OSError) as error:
            away = LimiterAway()
            away.__cause__ = error
            self._fail(away)

    def _fail(self, away: LimiterAway) -> None:
        """Redis is away: whoever waits learns it."""
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(away)
        self._seated.clear()


def _text(word: bytes | str | int | float) -> str:
    return word.decode() if isinstance(word, bytes) else str(word)
