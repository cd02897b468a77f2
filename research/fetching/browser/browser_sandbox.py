"""The kind of sandbox that a browser runs in on this machine."""

import subprocess
import sys
from enum import StrEnum
from functools import cache
from pathlib import Path

LAUNCHER = Path(__file__).with_name("browser_launcher.py")
TRIAL_S = 30.0


class SandboxKind(StrEnum):
    """The sandbox of the browser; the values are arguments of the launcher."""

    ISOLATED = "isolated"  # in namespaces, with a network that contains only the proxy
    NONE = "none"  # only Chromium's own flags: this machine does not permit namespaces


@cache
def kind() -> SandboxKind:
    """Return the kind of sandbox that this machine allows, tested once."""
    trial = [sys.executable, "-I", str(LAUNCHER), "-", SandboxKind.ISOLATED, "", "/bin/true"]
    try:
        done = subprocess.run(trial, capture_output=True, timeout=TRIAL_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return SandboxKind.NONE
    return SandboxKind.ISOLATED if done.returncode == 0 else SandboxKind.NONE


def is_sandboxed() -> bool:
    return kind() is SandboxKind.ISOLATED
