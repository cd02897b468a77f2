"""Event loops of the processes: uvloop's, which cost less CPU, where there is a wheel for the system."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


def new_event_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def run(work: Coroutine[None, None, T]) -> T:
    """Run `work` in a loop of its own, as `asyncio.run` does."""
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)
