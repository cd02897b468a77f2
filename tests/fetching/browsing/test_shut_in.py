"""The browser is isolated: its sandbox, its network, its end."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.fetching.browser.browser_egress_proxy import Egress
from research.fetching.browser.browser_sandbox import LAUNCHER, is_sandboxed
from research.fetching.browser.chromium import Chromium, start
from research.fetching.denied_addresses import AddressRules
from tests.fetching.browsing.world import CHROMIUM, Loop, run_loop

pytestmark = pytest.mark.browser
STARTS = """
import asyncio, sys
import django; django.setup()
from research.fetching.denied_addresses import AddressRules
from research.fetching.browser.chromium import start
from research.fetching.browser.browser_egress_proxy import Egress
async def main():
    started = await start(sys.argv[1], Egress(AddressRules()))
    print("started", flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def stat(pid: int) -> tuple[int, str]:
    """Its parent, 0 for one that is gone, and its state."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0, ""
    return int(fields[1]), fields[0]


def below(pid: int) -> list[int]:
    """All processes that it started, and theirs."""
    every = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    found, new = [], [pid]
    while new:
        new = [one for one in every if stat(one)[0] in new]
        found += new
    return found


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def status(pid: int, name: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.partition(":")[2].strip() for line in lines if line.startswith(f"{name}:"))


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    with run_loop() as loop:
        yield loop


@pytest.fixture(scope="module")
def chromium(loop: Loop) -> Iterator[Chromium]:
    egress = Egress(AddressRules())
    started = loop.do(start(CHROMIUM, egress))
    passage = egress.open(1_000_000)
    page = loop.do(loop.do(started.new_context(passage)).new_page())
    assert page.url == "about:blank"
    yield started
    loop.do(started.stop())
    loop.do(egress.aclose())


@pytest.fixture
def renderer(chromium: Chromium) -> int:
    """The process in which a page's scripts run."""
    return next(one for one in below(os.getpid()) if "--type=renderer" in command(one))


@pytest.fixture
def browser(chromium: Chromium) -> int:
    """The process from which all others come."""
    named = [one for one in below(os.getpid()) if "--remote-debugging-pipe" in command(one)]
    [found] = [
        one for one in named if "browser_launcher.py" not in command(one) and "--type=" not in command(one)
    ]
    return found


@pytest.fixture
def sandbox_support() -> None:
    if not is_sandboxed():
        pytest.skip("this machine does not allow namespaces")


def test_a_page_runs_in_chromiums_own_sandbox(renderer, browser):
    assert status(renderer, "Seccomp") == "2"  # a filter of system calls
    assert int(status(renderer, "CapEff"), 16) == 0
    assert os.readlink(f"/proc/{renderer}/ns/user") != os.readlink(f"/proc/{browser}/ns/user")
    assert os.readlink(f"/proc/{renderer}/ns/net") != os.readlink(f"/proc/{browser}/ns/net")
    assert "--no-sandbox" not in command(browser)


def test_the_browser_is_nobody_with_any_rights(browser):
    assert status(browser, "Uid").split()[0] != "0"
    assert int(status(browser, "CapEff"), 16) == 0
    assert status(browser, "NoNewPrivs") == "1"


def test_it_has_no_secret_of_ours_in_its_environment(browser):
    names = {one.partition(b"=")[0] for one in Path(f"/proc/{browser}/environ").read_bytes().split(b"\0")}
    assert not names & {b"SECRET_KEY", b"DATABASE_URL", b"DJANGO_SETTINGS_MODULE", b"PLUMBLINE_TEST_DATA"}


def test_in_its_network_there_is_nothing_but_the_proxy(sandbox_support, browser):
    devices = Path(f"/proc/{browser}/net/dev").read_text().splitlines()[2:]
    assert [line.split(":")[0].strip() for line in devices] == ["lo"]
    listening = Path(f"/proc/{browser}/net/tcp").read_text().splitlines()[1:]
    places = {line.split()[1] for line in listening if line.split()[3] == "0A"}
    assert places == {"0100007F:0C38"}  # 127.0.0.1:3128


def test_it_sees_neither_our_files_nor_our_sockets(sandbox_support):
    hidden = str(Path(__file__).parents[3])
    look = ["/bin/sh", "-c", f"ls -A {hidden} /run /tmp /dev/shm | grep -v ^/ | grep -v ^$ | grep -v profile"]
    trial = [sys.executable, "-I", str(LAUNCHER), "-", "isolated", hidden, "/usr/bin/env", *look]
    found = subprocess.run(trial, capture_output=True, text=True, check=False, timeout=20)
    assert found.stdout == ""


@pytest.mark.parametrize("victim", ["worker", "driver", "launcher"])
def test_no_process_is_left_when_one_of_the_chain_is_killed(victim: str):
    worker = subprocess.Popen([sys.executable, "-c", STARTS, CHROMIUM], stdout=subprocess.PIPE)
    assert worker.stdout.readline() == b"started\n"
    chain = below(worker.pid)
    of = {
        "worker": worker.pid,
        "driver": first(chain, "run-driver"),
        "launcher": first(chain, "browser_launcher.py"),
    }
    os.kill(of[victim], signal.SIGKILL)
    ends = [os.pidfd_open(one) for one in chain if stat(one)[1] and "run-driver" not in command(one)]
    wait(ends)
    worker.kill()
    worker.wait()
    wait([os.pidfd_open(one) for one in chain if stat(one)[1]])


def first(chain: list[int], words: str) -> int:
    return next(one for one in chain if words in command(one))


def wait(ends: list[int]) -> None:
    """Until all have ended; the test's own time limit is the only one."""
    for end in ends:
        assert select.select([end], [], [], 30)[0], "a process is left"
        os.close(end)
