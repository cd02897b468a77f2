"""The world of a module of crash tests, and a stage of each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

# So that a broken invariant says what it found.
pytest.register_assert_rewrite("tests.crash.stage", "tests.crash.hooks")

from tests.crash.results import Results, record  # noqa: E402
from tests.crash.rig import Rig, rig, start_workers  # noqa: E402
from tests.crash.stage import SEED, Stage, new_stage  # noqa: E402
from tests.crash.world import World, run_world  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write what was measured into docs/durability.md")


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let fixtures know how their test ended."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def fault_row(results: Results, request: pytest.FixtureRequest) -> Iterator[None]:
    """A row for a test that is one fault."""
    row = results.row("Fault", request.node.name.removeprefix("test_").replace("_", " "))
    yield
    row.kills, row.wrong = row.kills + 1, row.wrong + request.node.stash.get(FAILED, False)


@pytest.fixture(scope="session")
def results(pytestconfig: pytest.Config) -> Iterator[Results]:
    """Collect the tests' measurements; printed at the end, and recorded where that is asked for."""
    found = Results(SEED)
    yield found
    print("", *found.tables(), sep="\n")
    if pytestconfig.getoption("--record", default=False):
        record(found, Path(settings.BASE_DIR) / "docs" / "durability.md")


@pytest.fixture(scope="module")
def world(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[World]:
    cache = pytestconfig.cache.mkdir("cluster")
    with django_db_blocker.unblock(), run_world(tmp_path_factory.mktemp("world"), cache) as made:
        made.renew()
        yield made


@pytest.fixture
def stage(world: World) -> Stage:
    return new_stage(world)


@pytest.fixture(scope="module")
def live_rig(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    """Both workers running, and kept running from one test to the next."""
    with rig(world, tmp_path_factory.mktemp("rig")) as running:
        start_workers(running)
        yield running
