"""A reading child cannot leave its sandbox, tried from inside, with each layer and with the plain limits alone."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from research.parsing.parsing_child import build_sandbox, stop_child
from research.runtime.sandbox.seccomp import OWN_USER, SandboxLayer

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 512 << 20
LINUX = sys.platform.startswith("linux") and platform.machine() in ("x86_64", "aarch64")
needs_filter = pytest.mark.skipif(not LINUX, reason="the filter of system calls is Linux's")


def inside(attempt: str, *, layers: str = "close_in(MEMORY)", before: str = "") -> str:
    """Return the outcome of an attempt in a sandboxed process: "done", or the name of its exception."""
    code = f"""
import errno, os, resource, signal, socket, subprocess, sys, threading
from research.runtime.sandbox import seccomp
from research.runtime.sandbox.seccomp import close_in
MEMORY = {MEMORY}
{before}
{layers}
try:
    {attempt}
    said = b"done"
except BaseException as error:
    said = type(error).__name__.encode()
os.write(1, said)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, timeout=60)
    return done.stdout.decode() or f"signal {-done.returncode}"


FORBIDDEN = {
    "read a file": "open('/etc/passwd').read()",
    "read its own environment": "open('/proc/self/environ').read()",
    "write a file": "open('/tmp/plumbline-never', 'w')",
    "list a folder": "os.listdir('/')",
    "open a socket": "socket.socket()",
    "open a unix socket": "socket.socket(socket.AF_UNIX)",
    "open a pair of sockets": "socket.socketpair()",
    "open a pipe": "os.pipe()",
    "start a program": "subprocess.run(['/bin/true'])",
    "replace itself": "os.execv('/bin/true', ['true'])",
    "fork": "os.fork() or os._exit(0)",
}


@needs_filter
@pytest.mark.parametrize("deed", FORBIDDEN)
def test_in_the_sandbox_nothing_can_be_opened_or_started(deed: str) -> None:
    assert inside(FORBIDDEN[deed]) not in ("done", "")


@needs_filter
@pytest.mark.parametrize(
    "deed", ["os.kill(os.getppid(), 0)", "os.remove('/tmp/plumbline-never')", "os.mkdir('/tmp/plumbline-never')",
             "os.rename('/tmp', '/tmp2')", "os.chmod('/tmp', 0o777)", "os.symlink('/', '/tmp/plumbline-never')",
             "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)", "os.stat('/etc/passwd')"],
)  # fmt: skip
def test_in_the_sandbox_nothing_outside_can_be_touched(deed: str) -> None:
    assert inside(deed) in ("PermissionError", "OSError")


@pytest.mark.parametrize(
    "deed", ["read a file", "open a socket", "open a unix socket", "open a pipe", "list a folder"]
)
def test_where_there_is_no_filter_the_limits_alone_keep_all_shut(deed: str) -> None:
    assert inside(FORBIDDEN[deed], layers="seccomp._limit(MEMORY)") == "OSError"


def test_a_place_that_was_free_between_open_ones_is_shut_as_well() -> None:
    gap = "spare = [os.open('/dev/null', os.O_RDONLY) for _ in range(3)]; os.close(spare[0])"
    assert inside(FORBIDDEN["read a file"], layers="seccomp._limit(MEMORY)", before=gap) == "OSError"


@needs_filter
def test_computing_goes_on_in_the_sandbox() -> None:
    assert (
        inside("threading.Thread(target=len, args=([],)).start(); sum(range(100_000)); bytearray(10 << 20)")
        == "done"
    )


def test_memory_ends_where_it_should() -> None:
    assert inside("bytearray(MEMORY)") == "MemoryError"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_root_becomes_a_user_of_no_files_and_stays_it() -> None:
    assert inside(f"assert (os.getuid(), os.geteuid(), os.getgid()) == ({OWN_USER},) * 3") == "done"
    assert inside("os.setuid(0)") == "PermissionError"


@needs_filter
def test_the_child_says_which_layers_hold() -> None:
    stop_child()
    layers = build_sandbox()
    stop_child()
    assert SandboxLayer.LIMITS | SandboxLayer.RIGHTS | SandboxLayer.CALLS in layers
    assert (SandboxLayer.USER in layers) == (os.geteuid() == 0)
