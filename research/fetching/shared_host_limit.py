"""Turns at web sites for all processes, in Redis.

Nobody polls: a process that leaves a site lets the next one in.

Messages of a process at the same moment (leaving one site, entering another) are sent together, so that a
page costs one or two messages.
"""

import asyncio
import os
import secrets
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

SCRIPT = (Path(__file__).parent / "turns.lua").read_text(encoding="utf-8")
PREFIX = "plumbline:{sites}"
BEAT_S = 3.0  # three heartbeats within the time that the script allows
Words = Sequence[bytes | str | int]


class TurnsAway(Exception):
    """Redis can't be reached."""


class SiteRests(Exception):
    """The site asks for a pause that is longer than the longest wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it rests for {seconds:g} s")
        self.seconds = seconds


class SharedTurns:
    """The turns at web sites, for one event loop.

    Everything that waits raises TurnsAway where Redis does not answer.
    """

    def __init__(self, redis: Redis, gap_s: float, longest_s: float, prefix: str = PREFIX) -> None:
        self._redis = redis
        self._prefix = prefix
        self._head = [_ms(gap_s), _ms(longest_s)]
        self._script = redis.register_script(SCRIPT)
        self.process = _new_name()
        self._numbers = count(1)
        self._asking: dict[str, tuple[str, asyncio.Future[float]]] = {}  # ticket → site, future delay
        self._held: dict[str, str] = {}  # ticket → site
        self._unsaid: list[tuple[str, str, str, int]] = []  # operation, site, ticket, number
        self._has_news = asyncio.Event()
        self._speaking = asyncio.Lock()
        self._talking: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def enter(self, site: str) -> tuple[str, float]:
        """Wait until the site is free. Return a ticket, and the seconds until the request may begin.

        Raises SiteRests.
        """
        ticket = f"{self.process}|{next(self._numbers)}"
        try:
            wait_s = await self._ask("enter", site, ticket)
        except asyncio.CancelledError:
            self._held.pop(ticket, None)
            self._say("leave", site, ticket)
            raise
        if wait_s < 0:
            raise SiteRests(-wait_s)
        self._held[ticket] = site
        return ticket, wait_s

    async def again(self, site: str, ticket: str, least_s: float) -> float:
        """Return the seconds until another request may begin within the same turn."""
        return await self._ask("again", site, ticket, least_s)

    def slower(self, site: str, ticket: str, least_s: float) -> None:
        """Let the next request begin no sooner than this after the current one."""
        self._say("slower", site, ticket, least_s)

    def leave(self, site: str, ticket: str) -> None:
        if self._held.pop(ticket, None) is not None:
            self._say("leave", site, ticket)

    def pause(self, site: str, seconds: float) -> None:
        """Let nobody begin a request for this long."""
        self._say("pause", site, f"{self.process}|0", seconds)

    async def close(self) -> None:
        """Send what is pending, and stop."""
        self._asking.clear()
        self._held.clear()
        with suppress(TurnsAway):
            await self._tell()
        tasks = [task for task in (self._talking, self._listening) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, operation: str, site: str, ticket: str, seconds: float = 0.0) -> float:
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._asking[ticket] = site, future
        self._say(operation, site, ticket, seconds)
        try:
            return await future
        finally:
            self._asking.pop(ticket, None)

    def _say(self, operation: str, site: str, ticket: str, seconds: float = 0.0) -> None:
        self._unsaid.append((operation, site, ticket, _ms(seconds)))
        self._has_news.set()
        self._talking = _ensure_running(self._talking, self._talk)

    async def _talk(self) -> None:
        """Send new messages, and a heartbeat regularly."""
        try:
            while self._asking or self._held or self._unsaid:
                with suppress(TimeoutError):
                    async with asyncio.timeout(BEAT_S):
                        await self._has_news.wait()
                if not self._has_news.is_set():
                    self._unsaid += self._build_state_messages()
                await self._tell()
                if self._asking:
                    self._listening = _ensure_running(self._listening, self._listen)
        except TurnsAway as away:
            self._fail(away)

    def _build_state_messages(self) -> Iterator[tuple[str, str, str, int]]:
        for ticket, site in self._held.items():
            yield "holds", site, ticket, 0
        for ticket, (site, _) in self._asking.items():
            if ticket not in self._held:
                yield "waits", site, ticket, 0

    async def _tell(self) -> None:
        """Send the pending messages, after earlier ones; take the turns that come back."""
        async with self._speaking:
            said, self._unsaid = self._unsaid, []
            self._has_news.clear()
            if said:
                await self._send(said)

    async def _send(self, said: Sequence[tuple[str, str, str, int]]) -> None:
        keys = [f"{self._prefix}:mail:"]
        words: list[str | int] = []
        for operation, site, ticket, number in said:
            keys += [f"{self._prefix}:at:{site}", f"{self._prefix}:line:{site}"]
            words += [operation, ticket, number]
        try:
            told = cast(Words, await self._script(keys=keys, args=[*self._head, *words]))
        except (RedisError, OSError) as error:
            raise TurnsAway from error
        for heard, wait_ms in zip(told[::2], told[1::2], strict=True):
            self._hear(_text(heard), int(wait_ms))

    def _hear(self, ticket: str, wait_ms: int) -> None:
        _, future = self._asking.get(ticket, ("", None))
        if future is not None and not future.done():
            future.set_result(wait_ms / 1000)

    async def _listen(self) -> None:
        """Take the turns that other processes pass on."""
        try:
            while self._asking:
                mail = await self._redis.blpop([f"{self._prefix}:mail:{self.process}"], timeout=BEAT_S)
                if mail is not None:
                    told = _text(mail[1]).split(" ")
                    self._hear(told[0], int(told[1]))
        except (RedisError, OSError) as error:
            away = TurnsAway()
            away.__cause__ = error
            self._fail(away)

    def _fail(self, away: TurnsAway) -> None:
        """Fail everyone who waits.

        The process continues under another name: turns under the old one expire by themselves.
        """
        self.process = _new_name()
        asking, self._asking = self._asking, {}
        self._held.clear()
        self._unsaid.clear()
        for _, future in asking.values():
            if not future.done():
                future.set_exception(away)


def _new_name() -> str:
    return f"{os.getpid()}-{secrets.token_hex(4)}"


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _text(word: bytes | str | int) -> str:
    return word.decode() if isinstance(word, bytes) else str(word)


def _ensure_running(
    task: asyncio.Task[None] | None, work: Callable[[], Coroutine[None, None, None]]
) -> asyncio.Task[None]:
    return asyncio.create_task(work()) if task is None or task.done() else task
