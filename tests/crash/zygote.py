"""A process that has imported everything and forks Celery workers on demand: a start then takes a moment.

Reads one JSON object a line ({"arguments", "environment", "output"}) and answers each with the new worker's
pid.
"""

import json
import os
import signal
import sys

import django

django.setup()

import tests.lifecycle.toy  # noqa: E402,F401 - registers the recipe
from config.celery import app  # noqa: E402
from research.warming import load_code  # noqa: E402

app.loader.import_default_modules()
load_code()


def become_worker(order: dict) -> None:
    """In the fork: never returns."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.update(order["environment"])
    output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    app.worker_main(order["arguments"])
    os._exit(0)


signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are forgotten at once
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        become_worker(json.loads(line))
    print(pid, flush=True)
