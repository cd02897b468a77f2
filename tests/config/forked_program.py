"""A program for tests/config/test_fork_server.py to start."""

import json
import os
import sys
import time


def describe() -> None:
    from django.db import connections
    from setproctitle import getproctitle

    seen = {
        "arguments": sys.argv[1:],
        "environment": os.environ.get("PLUMBLINE_TEST"),
        "parent": os.getppid(),
        "group": os.getpgrp(),
        "has_code": "research.pipelines.report.pipeline" in sys.modules,
        "title": getproctitle(),
        "pool": connections["default"].settings_dict["OPTIONS"].get("pool", {}).get("max_size"),
    }
    print(json.dumps(seen), flush=True)
    sys.exit(3)


def write() -> None:
    os.write(int(sys.argv[2]), b"written")


def fail() -> None:
    raise ValueError("as requested")


def wait() -> None:
    print("waiting", flush=True)
    time.sleep(60)


def leave_orphan() -> None:
    if (pid := os.fork()) == 0:
        os._exit(0)
    print(pid, flush=True)


if __name__ == "__main__":
    {act.__name__: act for act in (describe, write, fail, wait, leave_orphan)}[sys.argv[1]]()
