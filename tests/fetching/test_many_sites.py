"""Several workers at several sites: what the sites themselves noted of who came when."""

import asyncio
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.conf import settings as configured

from research.fetching.fetch_process import FetchProcess
from research.management.bench_slow_sites import RequestTiming, host

SITES, PAGES, GAP_MS = 3, 2, 200
Notes = dict[str, list[RequestTiming]]


@pytest.fixture(scope="module")
def sites() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "research.management.bench_slow_sites", str(SITES), "0.02", str(PAGES)]
    with subprocess.Popen(
        command, cwd=configured.BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


async def fetch(process: FetchProcess, urls: list[str]) -> list[int]:
    pages = await asyncio.gather(*(process.do(process.fetcher.fetch(url, "run")) for url in urls))
    return [len(page.data) for page in pages]


async def fetch_with_all(processes: list[FetchProcess], urls: list[str]) -> list[list[int]]:
    return list(await asyncio.gather(*(fetch(process, urls) for process in processes)))


@pytest.fixture
def requests_by_site(sites, valkey, settings) -> Notes:
    """Return the requests by site, in order, after two workers have fetched every page at the same time."""
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    settings.PLUMBLINE_POLITENESS_MS = GAP_MS
    settings.REDIS_LOCATION = valkey
    port = int(sites.stdout.readline())
    urls = [f"http://{host(site)}:{port}/page-{page}" for page in range(PAGES) for site in range(SITES)]
    workers = [FetchProcess(), FetchProcess()]
    sizes = asyncio.run(fetch_with_all(workers, urls))
    for worker in workers:
        worker.close()
    assert min(map(min, sizes)) > 10_000
    given, _ = sites.communicate("", timeout=30)
    by_site: Notes = defaultdict(list)
    for note in sorted((RequestTiming(**load) for load in json.loads(given)), key=lambda note: note.began):
        by_site[note.host].append(note)
    return by_site


def test_no_site_has_two_at_once_or_too_soon_and_its_robots_txt_is_asked_once_and_first(requests_by_site):
    assert len(requests_by_site) == SITES
    for visits in requests_by_site.values():
        assert [visit.path for visit in visits][0] == "/robots.txt"
        assert sorted(visit.path for visit in visits[1:]) == ["/page-0", "/page-0", "/page-1", "/page-1"]
        assert all(later.began > one.ended for one, later in pairwise(visits))
        # Requests leave in time; on a busy machine a site may notice one late and the next soon.
        assert all(later.began - one.began > GAP_MS / 2000 for one, later in pairwise(visits))
