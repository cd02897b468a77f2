"""The model server of the crash tests, in a process of its own that nobody kills. Its log is the oracle.

    python -m tests.crash.model_server LOG [--latency 0.05] [--faults 0.4] [--pause 2.5]

Prints its base URL. Each request is a line of the log, synced before it is answered: key (run/step, from the first
line of the prompt), time, price in dollars. The answer follows from the question alone: the same at every try.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fakes.openai_answers import (
    Behaviour,
    Request,
    Wire,
    answer,
    cut_off,
    error,
    half_answer,
    rate_limited,
    tokens,
)
from tests.fakes.openai_server import FakeOpenAI

USD_A_TOKEN = 0.00001  # of what is asked; the crash tests' price list says the same
UNPAID: Sequence[Behaviour] = (rate_limited("0"), error(500))  # nothing was made that a provider would bill
FAULTS = (*UNPAID, half_answer(), cut_off())


@dataclass
class LoggingModel(FakeOpenAI):
    """A fault in `faults` of the requests; the same ones for the same requests."""

    faults: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.default = self.behave

    def _write_down(self, request: Request) -> None:
        usd = 0 if self.fault_of(request) in UNPAID else tokens(request.text) * USD_A_TOKEN
        line = {"key": key_in(request), "time": time.time(), "usd": usd}
        descriptor = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(descriptor, (json.dumps(line) + "\n").encode())
        os.fsync(descriptor)
        os.close(descriptor)

    def behave(self, request: Request) -> Wire:
        return (self.fault_of(request) or answer({"text": f"It answers “{question_in(request)}”"}))(request)

    def fault_of(self, request: Request) -> Behaviour | None:
        chance = random.Random(f"{request.number}")
        return chance.choice(FAULTS) if chance.random() < self.faults else None


def key_in(request: Request) -> str:
    return next((line[5:] for line in request.text.splitlines() if line.startswith("key: ")), "")


def question_in(request: Request) -> str:
    return next((line for line in request.text.splitlines() if line.startswith("What does")), "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", type=Path)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--faults", type=float, default=0.0)
    options = parser.parse_args()
    with LoggingModel(log=options.log, latency_s=options.latency, faults=options.faults) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()  # until whoever started us is gone


if __name__ == "__main__":
    main()
