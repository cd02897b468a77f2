"""The sandbox of a process that writes exports: resource limits and, if the kernel permits them, namespaces.

In the namespaces there is no network at all, not even loopback, and the data folder is empty. Fonts,
libraries and programs stay readable, since pandoc and WeasyPrint need them. Child processes stay within the
sandbox.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from enum import IntFlag
from pathlib import Path

MAX_FILE = 200 << 20  # bytes; fonts and pictures are passed in files
_NEW_MOUNTS, _NEW_IPC, _NEW_USERS, _NEW_NETWORK = 0x0002_0000, 0x0800_0000, 0x1000_0000, 0x4000_0000
_PRIVATE, _NOSUID, _NODEV, _NOEXEC = 0x4_4000, 2, 4, 8  # _PRIVATE: recursively
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38


class ExportSandboxLayer(IntFlag):
    """The sandbox layers in force; they fit in one byte, so that the child can report them to its parent."""

    LIMITS = 1
    RIGHTS = 2
    NETWORK = 4
    FOLDER = 8


def close_in(memory: int, cpu_seconds: int, hidden: str) -> ExportSandboxLayer:
    """Apply all sandbox layers that this machine supports, before any thread is started.

    `hidden` is a folder to hide, or empty.
    """
    for what, most, beyond in (
        (
            resource.RLIMIT_DATA,
            memory,
            0,
        ),  # not address space: pandoc reserves a terabyte and uses little
        (resource.RLIMIT_CPU, cpu_seconds, 5),  # a signal first, the kill later
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_FSIZE, MAX_FILE, 0),
    ):
        resource.setrlimit(what, (most, most + beyond))
    if not sys.platform.startswith("linux"):
        return ExportSandboxLayer.LIMITS
    libc = ctypes.CDLL(None, use_errno=True)
    _prctl(libc, _DIE_WITH_PARENT, signal.SIGKILL)
    layers = ExportSandboxLayer.LIMITS | _enter_namespaces(libc, hidden)
    if _prctl(libc, _NO_NEW_PRIVILEGES, 1):
        layers |= ExportSandboxLayer.RIGHTS
    return layers


def _prctl(libc: ctypes.CDLL, option: int, value: int) -> bool:
    return bool(libc.prctl(option, *(ctypes.c_ulong(one) for one in (value, 0, 0, 0))) == 0)


def _enter_namespaces(libc: ctypes.CDLL, hidden: str) -> ExportSandboxLayer:
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(_NEW_USERS | _NEW_NETWORK | _NEW_MOUNTS | _NEW_IPC) != 0:
        return ExportSandboxLayer(0)  # a container without permission to create namespaces
    for name, words in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path(f"/proc/self/{name}").write_text(words, encoding="ascii")
    return ExportSandboxLayer.NETWORK | (
        _hide(libc, hidden) if _may_be_hidden(hidden) else ExportSandboxLayer(0)
    )


def _may_be_hidden(folder: str) -> bool:
    """Return True if the folder exists and contains nothing that the writer needs."""
    needed = (sys.prefix, sys.base_prefix, os.getcwd(), os.environ.get("TMPDIR", ""))
    return os.path.isdir(folder) and not any(Path(one).is_relative_to(folder) for one in needed if one)


def _hide(libc: ctypes.CDLL, folder: str) -> ExportSandboxLayer:
    """Mount an empty folder over this one, for this process and its children."""
    private = libc.mount(b"none", b"/", b"", ctypes.c_ulong(_PRIVATE), b"")
    flags = ctypes.c_ulong(_NOSUID | _NODEV | _NOEXEC)
    done = libc.mount(b"none", os.fsencode(folder), b"tmpfs", flags, b"size=4k,mode=555")
    return ExportSandboxLayer.FOLDER if private == 0 and done == 0 else ExportSandboxLayer(0)
