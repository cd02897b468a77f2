"""One limiter per provider for all processes, in Redis.

Nobody polls: a process that frees a slot passes it on.

Calls of a process that begin or end at the same moment go to Redis in one message.
"""

import asyncio
import os
import secrets
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from research.llm.limiter.provider_limits import RequestLimits, Ticket

SCRIPT = (Path(__file__).parent / "limiter.lua").read_text(encoding="utf-8")
BEAT_S = 3.0  # three heartbeats within the time that the script allows
KEYS = ("seats", "queue", "alive", "bucket", "pause")
Words = Sequence[bytes | str | int | float]


class LimiterAway(Exception):
    """Redis can't be reached."""


class SharedLimiter:
    """Slots of one provider, for one event loop.

    Tickets carry the process's name, so that a dead process can be detected.

    While this process waits for slots or holds some, one task sends to Redis and another listens for slots
    that other processes hand over. `acquire` raises LimiterAway. A slot that can't be released expires by
    itself.
    """

    def __init__(self, redis: Redis, provider: str, limits: RequestLimits) -> None:
        self._redis = redis
        self._limits = limits
        self.process = _new_name()
        prefix = f"plumbline:models:{{{provider}}}"
        self._keys = [f"{prefix}:{name}" for name in KEYS]
        self._script = redis.register_script(SCRIPT)
        self._numbers = count(1)
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._seated: set[str] = set()
        self._unsaid: list[str | int] = []
        self._has_news = asyncio.Event()
        self._due_at: float | None = None  # when a slot becomes free by time alone
        self._talking: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def acquire(self, run: str) -> Ticket:
        ticket = Ticket(run, self.process, next(self._numbers))
        future = self._waiting[str(ticket)] = asyncio.get_running_loop().create_future()
        self._say("join", str(ticket))
        try:
            await future
        except asyncio.CancelledError:
            self._waiting.pop(str(ticket), None)
            await self.release(ticket)
            raise
        return ticket

    async def release(self, ticket: Ticket) -> None:
        self._seated.discard(str(ticket))
        self._say("leave", str(ticket))

    async def pause(self, seconds: float) -> None:
        self._say("pause", max(1, int(seconds * 1000)))

    async def close(self) -> None:
        """Send what is pending, and stop."""
        self._waiting.clear()
        self._seated.clear()
        with suppress(LimiterAway):
            await self._tell()
        # With nothing left to do, a task ends even if the client library swallows its cancellation.
        tasks = [task for task in (self._talking, self._listening) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _say(self, operation: str, word: str | int) -> None:
        self._unsaid += [operation, word]
        self._has_news.set()
        # A task that is still running is left alone: what it is about to send or receive would be lost.
        self._talking = _ensure_task(self._talking, self._talk)
        self._listening = _ensure_task(self._listening, self._listen)

    @property
    def _is_busy(self) -> bool:
        return bool(self._waiting or self._seated or self._unsaid)

    async def _talk(self) -> None:
        """Send new operations, check when something is due, and send a heartbeat regularly."""
        try:
            while self._is_busy:
                if not await self._news_or_due():
                    self._unsaid += [word for caller in self._seated for word in ("seated", caller)]
                    self._unsaid += [word for caller in self._waiting for word in ("waiting", caller)]
                await self._tell()
        except LimiterAway as away:
            self._fail(away)

    async def _news_or_due(self) -> bool:
        """Wait for something to send or check. Return False if it is time for a heartbeat instead."""
        now, delay = asyncio.get_running_loop().time(), BEAT_S
        if self._due_at is not None:
            delay = min(BEAT_S, max(0.0, self._due_at - now))
        with suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await self._has_news.wait()
        return self._has_news.is_set() or delay < BEAT_S

    async def _tell(self) -> None:
        """Send the pending operations, and take the slots that come back."""
        said, self._unsaid = self._unsaid, []
        self._has_news.clear()
        head: list[str | int] = [self.process, self._limits.at_once, self._limits.a_minute]
        try:
            answer = await self._script(keys=self._keys, args=[*head, *said])
        except (RedisError, OSError) as error:
            raise LimiterAway from error
        due_ms, *seated = cast(Words, answer)
        for ticket in seated:
            self._seat(_text(ticket))
        now = asyncio.get_running_loop().time()
        self._due_at = now + float(due_ms) / 1000 if float(due_ms) >= 0 else None

    def _seat(self, ticket: str) -> None:
        future = self._waiting.pop(ticket, None)
        if future is None or future.done():
            return  # cancelled in the meantime: its "leave" is pending
        self._seated.add(ticket)
        future.set_result(None)

    async def _listen(self) -> None:
        """Take the slots that other processes hand over."""
        try:
            while self._is_busy:
                mail = await self._redis.blpop([f"{self._keys[0]}:mail:{self.process}"], timeout=BEAT_S)
                if mail is not None:
                    self._seat(_text(mail[1]))
        except (RedisError, OSError) as error:
            away = LimiterAway()
            away.__cause__ = error
            self._fail(away)

    def _fail(self, away: LimiterAway) -> None:
        """Fail everyone who waits, because Redis is unreachable.

        Redis never learns of slots that were released since then. So the process continues under another
        name, and the slots of the old one are freed like those of a dead process.
        """
        self.process = _new_name()
        waiting, self._waiting = self._waiting, {}
        self._seated.clear()
        self._unsaid.clear()
        for future in waiting.values():
            if not future.done():
                future.set_exception(away)


def _new_name() -> str:
    return f"{os.getpid()}-{secrets.token_hex(4)}"


def _ensure_task(
    task: asyncio.Task[None] | None, work: Callable[[], Coroutine[None, None, None]]
) -> asyncio.Task[None]:
    return asyncio.create_task(work()) if task is None or task.done() else task


def _text(word: bytes | str | int | float) -> str:
    return word.decode() if isinstance(word, bytes) else str(word)
