"""How a browser is shut in on this machine."""

import subprocess
import sys
from enum import StrEnum
from functools import cache
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launcher.py")
TRIAL_S = 30.0


class Kind(StrEnum):
    """The launcher's own names."""

    WALL = "wall"  # in a network of its own, where only the proxy is
    BARE = "bare"  # by its flags alone: this machine does not let us make namespaces


@cache
def kind() -> Kind:
    """What this machine allows, tried out once."""
    trial = [sys.executable, "-I", str(LAUNCHER), "-", Kind.WALL, "", "/bin/true"]
    try:
        done = subprocess.run(trial, capture_output=True, timeout=TRIAL_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return Kind.BARE
    return Kind.WALL if done.returncode == 0 else Kind.BARE


def is_walled() -> bool:
    return kind() is Kind.WALL
