"""Processes that begin with all code imported: they are forked from one that waits, as each start would take seconds.

`python -m tests.forking MODULE…` imports these, reads one JSON object a line ({"call": "module:function", "arguments",
"environment"}), calls the function in a fork, and answers with the exit status of the fork; -9: it was killed.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from threading import Timer

import django
from django.conf import settings

from config.services.service_processes import PR_SET_PDEATHSIG

Fork = Callable[..., int]
MAX_S = 240


@contextmanager
def start_fork_server(environment: Mapping[str, str], *modules: str) -> Iterator[Fork]:
    """Yield a function that calls another ("module:function") in a fork and returns the fork's exit status."""
    command = [sys.executable, "-m", "tests.forking", *modules]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR, **pipes) as process:

        def fork(call: str, *arguments: str, **own: str) -> int:
            process.stdin.write(json.dumps({"call": call, "arguments": arguments, "environment": own}) + "\n")
            process.stdin.flush()
            limit = Timer(MAX_S, process.kill)
            limit.start()
            try:
                return int(process.stdout.readline())
            finally:
                limit.cancel()

        try:
            yield fork
        finally:
            process.stdin.close()
            process.wait(30)


def call_in_fork(order: dict) -> int:
    pid = os.fork()
    if pid == 0:
        end_with_parent()
        become(order)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def end_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def become(order: dict) -> None:
    """Run in the fork; never returns."""
    status = 1
    try:
        os.dup2(2, 1)  # what it prints is no answer
        os.environ.update(order["environment"])
        module, _, name = order["call"].partition(":")
        getattr(import_module(module), name)(*order["arguments"])
        status = 0
    except BaseException:  # noqa: BLE001 - whatever ends it ends it with a status
        traceback.print_exc()
    finally:
        os._exit(status)


def main(*modules: str) -> None:
    django.setup()
    for module in modules:
        import_module(module)
    for line in sys.stdin:
        print(call_in_fork(json.loads(line)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
