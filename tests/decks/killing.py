"""Work on a deck in a process of its own, which dies at a named point."""

import subprocess
import sys
from collections.abc import Mapping

from django.conf import settings

from research.runtime.fault_injection import FaultPoint

CHILD = "import sys, django; django.setup(); from uuid import UUID; from importlib import import_module; \
getattr(import_module(sys.argv[1]), sys.argv[2])(UUID(sys.argv[3]), UUID(sys.argv[4]))"


def killed_at(point: FaultPoint, environment: Mapping[str, str], *order: str) -> int:
    """The exit status: -9 for a process that was killed there. `order`: module, function, tenant, row."""
    own = {**environment, "CRASH_AT": f"{point}:1"}
    command = [sys.executable, "-c", CHILD, *order]
    return subprocess.run(command, env=own, cwd=settings.BASE_DIR, timeout=120, check=False).returncode
