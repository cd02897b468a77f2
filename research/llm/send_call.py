"""Sends a call to a server: with a slot of its provider held, and not during a pause that it asked for."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import TypeVar

from research.llm.model_errors import ModelError, Trouble
from research.llm.model_process import ModelProcess
from research.llm.model_settings import Endpoint
from research.llm.provider.openai_client import OpenAiModel

T = TypeVar("T")
Takes = Callable[[], AbstractAsyncContextManager[None]]
NO_SLOT_S = 5.0


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits on how long a call waits for its turn before its step is put back."""

    queue_s: float  # for a slot
    tries: int  # each ends with the provider asking for a pause
    pause_s: float  # a longer pause is not waited out


class Sender:
    """Calls to one server. It runs in the process's event loop for models.

    `whose` identifies the caller in the fair sharing of the server's slots; `own` acquires a slot from the
    caller's own limit, if it has one.
    """

    def __init__(
        self,
        process: ModelProcess,
        endpoint: Endpoint,
        whose: str,
        patience: Patience,
        own: Takes | None = None,
    ) -> None:
        self._model = process.model(endpoint)
        self._process = process
        self._endpoint = endpoint
        self._whose = whose
        self._patience = patience
        self._own = own

    async def slot(self) -> AsyncExitStack:
        """Wait for a slot of the caller's own limit, then for one of the provider's; leaving the stack
        releases both.

        Raises ModelError.
        """
        async with AsyncExitStack() as held:
            if self._own is not None:
                await held.enter_async_context(self._own())
            try:
                limiter = await self._process.limiter(self._endpoint)
                async with asyncio.timeout(self._patience.queue_s):
                    await held.enter_async_context(limiter.slot(self._whose))
            except TimeoutError:
                words = "Too many calls of models wait for their turn; this one is made later."
                raise ModelError(Trouble.BUSY, words, retry_after_s=NO_SLOT_S) from None
            return held.pop_all()

    async def send(
        self, ask: Callable[[OpenAiModel], Awaitable[T]], held: AsyncExitStack | None = None
    ) -> tuple[T, int]:
        """Send a call; return its answer, and its milliseconds without waiting. Raises ModelError.

        `held` is a slot for the first attempt. All processes observe the pauses that the provider asks for.
        """
        tried = 0
        while True:
            slot = await self.slot() if held is None else held
            held = None
            try:
                async with slot:
                    began = time.monotonic()
                    return await ask(self._model), since(began)
            except ModelError as error:
                if error.code is not Trouble.RATE_LIMIT:
                    raise
                # Exponential backoff if the provider names no time.
                pause = float(2**tried) if error.retry_after_s is None else error.retry_after_s
                await (await self._process.limiter(self._endpoint)).pause(pause)
                tried += 1
                if tried == self._patience.tries or pause > self._patience.pause_s:
                    raise ModelError(error.code, error.message, retry_after_s=pause) from None


def since(began: float) -> int:
    """Return the milliseconds since a moment of the monotonic clock."""
    return int((time.monotonic() - began) * 1000)
