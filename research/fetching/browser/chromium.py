"""A running Chromium, sandboxed by the launcher; its only network access is the egress proxy."""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from playwright.async_api import Browser, BrowserContext, Error, Playwright, async_playwright

from research.fetching.browser.browser_document import NoBrowser
from research.fetching.browser.browser_egress_proxy import EgressAllowance
from research.fetching.browser.browser_launcher import PORT
from research.fetching.browser.browser_sandbox import LAUNCHER, SandboxKind, kind
from research.fetching.browser.chromium_flags import chromium_flags
from research.fetching.http_client import HEADERS

START_S = 30.0
STOP_S = 5.0
_ENVIRONMENT: dict[str, str | float | bool] = {
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp", "TMPDIR": "/tmp", "TZ": "UTC",  # noqa: S108
}  # fmt: skip
_MACHINE = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"


Flags = Callable[[int], list[str]]  # the command line, by the port of the proxy


class WayOut(Protocol):
    """A server on the one socket that the browser can reach, such as `Egress`."""

    async def serve(self, listener: socket.socket) -> None: ...


@dataclass(frozen=True, slots=True)
class Chromium:
    """A running browser.

    `control` keeps it alive: when our end closes, or our process ends, the launcher kills it.
    """

    playwright: Playwright
    browser: Browser
    port: int
    control: socket.socket

    @property
    def version(self) -> str:
        return f"Chromium {self.browser.version}"

    @property
    def is_running(self) -> bool:
        return self.browser.is_connected()

    async def new_context(self, passage: EgressAllowance) -> BrowserContext:
        """Create a clean browser context: no cookies, no stored pages, no downloads, no service workers."""
        major = self.browser.version.partition(".")[0]
        return await self.browser.new_context(
            proxy={
                "server": f"http://127.0.0.1:{self.port}",
                "bypass": "<-loopback>",
                "username": "page",
                "password": passage.secret,
            },
            user_agent=f"{_MACHINE} Chrome/{major}.0.0.0 Safari/537.36 {HEADERS['User-Agent']}",
            accept_downloads=False,
            service_workers="block",
            locale="en-US",
            timezone_id="UTC",
            viewport={"width": 1280, "height": 1600},
        )

    async def stop(self) -> None:
        try:
            async with asyncio.timeout(STOP_S):
                await self.browser.close()
        except (TimeoutError, Error):
            pass  # the launcher kills it
        finally:
            self.control.close()
            await self.playwright.stop()


async def start(
    path: str, egress: WayOut, hidden: Sequence[str] = (), flags: Flags = chromium_flags
) -> Chromium:
    """Start Chromium. `hidden` are folders that it must not see. Raises NoBrowser."""
    how, lacking = await asyncio.to_thread(kind), await asyncio.to_thread(driver_lacks)
    if lacking:
        raise NoBrowser(f"what drives it does not start: {lacking}")
    async with AsyncExitStack() as unless_started:
        playwright = await async_playwright().start()
        unless_started.push_async_callback(playwright.stop)
        try:
            async with asyncio.timeout(START_S):
                started = await _launch_browser(playwright, path, egress, how, hidden, flags)
        except TimeoutError as error:
            raise NoBrowser(f"{path} does not start within {START_S:g} s") from error
        except (Error, OSError) as error:
            raise NoBrowser(f"{path} does not start: {str(error).splitlines()[0][:300]}") from error
        unless_started.pop_all()
        return started


@cache
def driver_lacks() -> str:
    """Return the error that keeps the driver, a separate program, from starting; "" if it starts."""
    # The package's own command, which starts the driver.
    asked = (sys.executable, "-I", "-m", "playwright", "--version")
    try:
        done = subprocess.run(  # noqa: S603  # our own package's program, no shell
            asked, capture_output=True, text=True, timeout=START_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else (done.stderr.strip() or "it says nothing").splitlines()[-1]


async def _launch_browser(
    playwright: Playwright, path: str, egress: WayOut, how: SandboxKind, hidden: Sequence[str], flags: Flags
) -> Chromium:
    listener = None if how is SandboxKind.ISOLATED else socket.create_server(("127.0.0.1", 0))
    port = PORT if listener is None else listener.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="plumbline-browser-") as folder:
        place = os.path.join(folder, "control")
        arguments = ["-I", str(LAUNCHER), place, how, ":".join(hidden), path, *flags(port)]
        async with _control(place) as reporting:
            launching = asyncio.create_task(_launch(playwright, arguments))
            control = await _first(reporting, launching)
            try:
                if listener is None:
                    listener = await asyncio.to_thread(_receive_listener, control)
                await egress.serve(listener)
                return Chromium(playwright, await launching, port, control)
            except BaseException:
                control.close()
                launching.cancel()
                raise


async def _launch(playwright: Playwright, arguments: Sequence[str]) -> Browser:
    return await playwright.chromium.launch(
        executable_path=sys.executable,
        args=arguments,
        ignore_default_args=True,
        env=_ENVIRONMENT,
        timeout=START_S * 1000,
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )


@asynccontextmanager
async def _control(place: str) -> AsyncIterator["asyncio.Task[socket.socket]"]:
    """Listen on the Unix socket at `place`; yield a task whose result is the first connection made to it."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen(1)
        server.setblocking(False)
        reporting = asyncio.create_task(_accept_connection(server))
        try:
            yield reporting
        finally:
            reporting.cancel()


async def _accept_connection(server: socket.socket) -> socket.socket:
    return (await asyncio.get_running_loop().sock_accept(server))[0]


async def _first(
    reporting: "asyncio.Task[socket.socket]", launching: "asyncio.Task[Browser]"
) -> socket.socket:
    """Return the launcher's connection.

    If the launch ends before the launcher has connected, raise its error.
    """
    await asyncio.wait({reporting, launching}, return_when=asyncio.FIRST_COMPLETED)
    if not reporting.done():
        await launching
    return await reporting


def _receive_listener(control: socket.socket) -> socket.socket:
    """Return the listening socket in the browser's network namespace, sent by the launcher."""
    control.settimeout(START_S)
    _, [descriptor, *_], _, _ = socket.recv_fds(control, 32, 1)
    listener = socket.socket(fileno=descriptor)
    listener.set_inheritable(False)
    return listener
