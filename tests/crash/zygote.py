"""A process that has imported everything and forks others on demand: a start then takes a moment.

Reads one JSON object a line ({"role", "arguments", "environment", "output"}, and for workers "clock_s" and "triples")
and answers each with the new process's pid. Roles: a Celery `worker`, `beat`, `web`, which starts and steers runs, and
`site`, which answers requests as the product's own does.
"""

import ctypes
import json
import os
import random
import signal
import sys
from datetime import UTC, datetime, timedelta

import django
import uvicorn

django.setup()

import tests.crash.recipe  # noqa: E402 - registers the recipe
import tests.crash.web  # noqa: E402
from config.celery import app  # noqa: E402
from config.services.service_processes import PR_SET_PDEATHSIG  # noqa: E402
from research.ops.health_warm_up import load_code  # noqa: E402

app.loader.import_default_modules()
load_code()


def become(order: dict) -> None:
    """Become the requested process in the fork; never returns."""
    os.setsid()
    ctypes.CDLL(None).prctl(
        PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0
    )  # nothing is left when the tests are killed
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.update(order["environment"])
    output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if order.get("clock_s"):
        set_clock(order["clock_s"])
    if order.get("triples"):
        send_three_times()
    play(order["role"], order["arguments"])
    os._exit(0)


def play(role: str, arguments: list[str]) -> None:
    match role:
        case "worker":
            app.worker_main(arguments)
        case "beat":
            app.start(arguments)
        case "web":
            tests.crash.web.serve(*arguments)
        case "site":
            answer_requests(*arguments)


def answer_requests(path: str) -> None:
    """Answer requests at a socket of this path; the next zygote listens there after a death."""
    uvicorn.run("config.asgi:application", uds=path, lifespan="off", access_log=False, log_level="warning")


def set_clock(seconds: float) -> None:
    """This process's clock is off by so much, and runs on."""
    import time_machine

    time_machine.travel(datetime.now(UTC) + timedelta(seconds=seconds), tick=True).start()


def send_three_times() -> None:
    """Each message, and two copies later on, between others."""
    send, chance, late = app.send_task, random.Random(7), []

    def send_again_and_again(*arguments: object, **options: object) -> None:
        late.extend([(arguments, options)] * 2)
        chance.shuffle(late)
        for again in [(arguments, options), *(late.pop() for _ in range(2) if len(late) > 2)]:
            send(*again[0], **again[1])

    app.send_task = send_again_and_again


signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are forgotten at once
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        become(json.loads(line))
    print(pid, flush=True)
