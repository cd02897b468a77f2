"""Run an MCP server that is a local program: exchange lines within limits and make sure that it ends.

The protocol's own package would read an endless line into memory and pass on more of the environment.
"""

import asyncio
import atexit
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

MAX_BYTES = 4_000_000  # per message
MAX_NOISE = 1_000_000  # bytes of lines that are not messages
# How long to wait for the process to end, and the signal sent after that.
_PATIENCE = ((1.0, signal.SIGTERM), (1.0, signal.SIGKILL), (1.0, signal.SIGKILL))
_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError)
Streams = tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]


_running: set[tuple[int, int]] = set()  # (our process id, the program's process id)


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its arguments; `variables` is its whole environment."""

    command: str
    args: Sequence[str]
    variables: dict[str, str] = field(repr=False)


@asynccontextmanager
async def program(command: Program, gone: Callable[[], None]) -> AsyncIterator[Streams]:
    """Run the program while the context is open; `gone` is called once it closes its output.

    Raises OSError if it cannot be started.
    """
    process = await asyncio.create_subprocess_exec(
        command.command, *command.args, env=command.variables, cwd="/", stdin=PIPE, stdout=PIPE, stderr=DEVNULL,
        limit=MAX_BYTES, start_new_session=True,
    )  # fmt: skip
    heard, hears = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    says, said = anyio.create_memory_object_stream[SessionMessage](0)
    listening = asyncio.create_task(_listen(process, heard))
    listening.add_done_callback(lambda _: gone())
    tasks = [listening, asyncio.create_task(_speak(process, said))]
    _running.add((os.getpid(), process.pid))
    try:
        yield hears, says
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.shield(_end(process))
        await asyncio.gather(*tasks, return_exceptions=True)
        await _drain(process)
        for stream in (heard, hears, says, said):
            stream.close()
        _running.discard((os.getpid(), process.pid))


async def _listen(process: Process, to: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    """Pass on the program's messages until it ends, sends too long a line, or too many invalid lines."""
    noise = 0
    with to, suppress(*_GONE, ValueError):  # readline raises ValueError for a line over the limit
        while noise < MAX_NOISE and (line := await _line(process)):
            message = _message(line)
            if message is None:
                noise += len(line)
            else:
                await to.send(message)


async def _line(process: Process) -> bytes:
    return await process.stdout.readline() if process.stdout else b""


def _message(line: bytes) -> SessionMessage | None:
    """Parse a message; None for other output of the program."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


async def _speak(process: Process, what: MemoryObjectReceiveStream[SessionMessage]) -> None:
    with suppress(ConnectionError):  # it no longer reads: `_listen` notices its end
        async for message in what:
            if process.stdin:
                words = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(f"{words}\n".encode())
                await process.stdin.drain()


@atexit.register
def _end_with_us() -> None:
    """Kill the programs that still run when this process exits.

    If this process is killed instead, they notice that their input ends.
    """
    for owner, pid in list(_running):
        if owner == os.getpid():
            _tell(pid, signal.SIGKILL)


async def _end(process: Process) -> None:
    """End the program and its children: close its input, then send signals, finally kill them."""
    if process.stdin:
        process.stdin.close()
    for patience_s, then in _PATIENCE:
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), patience_s)
            break
        _tell(process.pid, then)
    _tell(process.pid, signal.SIGKILL)


async def _drain(process: Process) -> None:
    """Read and discard the rest of the program's output, so that its pipe is closed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            while process.stdout and await process.stdout.read(1 << 16):
                pass


def _tell(pid: int, how: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, how)
