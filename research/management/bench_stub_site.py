"""A fresh site whose model, search and web pages are stubs on this machine with set latencies."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from research.evaluation.evaluation_overhead_growth import Latencies
from research.management.bench_fresh_site import StatementCounter, site

MANY = 10**6
# Raised so that the product is measured, not the limits that protect people.
LIMITS = (
    f"runs=100, fetches=50, agents=100, searches_a_minute={MANY}, fetches_a_minute={MANY}, "
    "sources=500, chunks=100, words=50000, run_s=3600"
)


@contextmanager
def stub_world(latencies: Latencies) -> Iterator[str]:
    """Serve a stub model, search and web pages and yield their address. Raises CommandError without a
    checkout's tests.
    """
    seconds = {
        "model": latencies.model_s,
        "search": latencies.search_s,
        "page": latencies.page_s,
        "embedding": latencies.embedding_s,
    }
    options = [word for name, value in seconds.items() for word in (f"--{name}", str(value))]
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.fakes.stub_world", *options],
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = process.stdout.readline().strip() if process.stdout else ""
        if not address:
            raise CommandError("The stub world did not start: it is among the tests of a checkout.")
        yield address
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def site_in(address: str, data: Path, counter: StatementCounter | None = None) -> Iterator[int]:
    """Start a fresh site that uses only these stubs and yield its process id.

    Commands run within the context get the same settings.
    """
    given = environment_of(address)
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        with site(data, "--no-samples", counter=counter) as pid:
            yield pid
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def environment_of(address: str) -> Mapping[str, str]:
    return {
        "PLUMBLINE_ALLOW_LOOPBACK": "yes",
        "PLUMBLINE_POLITENESS_MS": "0",
        "PLUMBLINE_MODEL_BASE_URL": f"{address}/v1",
        "PLUMBLINE_MODEL_API_KEY": "none",
        "PLUMBLINE_MODEL": "stub",
        "PLUMBLINE_MODEL_CALLS_A_MINUTE": str(MANY),
        "PLUMBLINE_SEARXNG_URL": address,
        "PLUMBLINE_PROVIDERS": "searxng",
        "PLUMBLINE_TIERS": "free=100, pro=100, enterprise=100",
        "PLUMBLINE_CREDITS": f"free={MANY}, pro={MANY}, enterprise={MANY}",
        "PLUMBLINE_LIMITS": LIMITS,
    }


def calls_of(address: str) -> int:
    """Return how many calls the stub model has received so far, without embeddings."""
    with urllib.request.urlopen(f"{address}/stats") as answer:  # noqa: S310 - the address that we made
        asked = json.load(answer)["asked"]
    return int(asked.get("/v1/chat/completions", 0))
