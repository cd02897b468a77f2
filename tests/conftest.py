"""Fixtures for every test: the database (`db`), Valkey, the environment of a child process."""

import gc
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker
from redis import Redis
from redis.exceptions import RedisError

from config.catalogues import compile_catalogues
from config.services.embedded import use_services
from config.services.embedded_valkey import Valkey
from config.services.service_paths import ServicePaths
from research.db import thread_pool
from research.integrations import api_rate_limit
from tests import databases
from tests.often import EXAMPLES, IS_FULL
from tests.settings import TEST_DATA, WORKER

DATABASE = f"test_{WORKER}"

# How long an example takes depends on what else the machine does: no test of ours tells time. What says nothing of its
# own about it is tried as often as hypothesis likes where all of it is wanted, else less.
hypothesis_settings.register_profile("untimed", deadline=None, max_examples=EXAMPLES)
hypothesis_settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        for folder in settings.LOCALE_PATHS:
            compile_catalogues(folder)
    _share_models(config.cache.mkdir("models"))


def _share_models(kept: Path) -> None:
    """The embedding model is built once for all processes and runs: each would need seconds for it."""
    own = Path(settings.PLUMBLINE_DATA) / "models"
    own.parent.mkdir(parents=True, exist_ok=True)
    if not own.is_symlink():
        own.symlink_to(kept)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Millions of objects come and stay: they are not looked through for garbage, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)  # as workers have it (research.ops.health_warm_up)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not IS_FULL and item.get_closest_marker("full"):
            item.add_marker(pytest.mark.skip(reason="heavy: make test-full runs it"))


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the run itself, not one of xdist's workers
        shutil.rmtree(TEST_DATA, ignore_errors=True)


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    """Forget counted tries, which stand in the process's cache, and in Valkey while that runs: ids come again."""
    cache.clear()
    api_rate_limit.forget()
    if settings.PATHS.valkey_socket.exists():
        with suppress(RedisError):
            client = _client(str(settings.PATHS.valkey_socket))
            for key in client.scan_iter("plumbline:rate:*"):
                client.delete(key)


@lru_cache(maxsize=1)
def _client(socket: str) -> Redis:
    """One connection for all tests: a new one costs more than what is asked over it."""
    return Redis(unix_socket_path=socket)


@pytest.fixture(autouse=True)
def _no_language_stays() -> Iterator[None]:
    """A request leaves its language behind in the thread: the next test begins without one."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def database_cluster(pytestconfig: pytest.Config, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """Socket folder of the run's PostgreSQL."""
    cache = pytestconfig.cache.mkdir("cluster")
    with django_db_blocker.unblock(), databases.cluster(ServicePaths(Path(TEST_DATA)), cache) as sockets:
        yield sockets


@pytest.fixture(scope="session")
def django_db_setup(database_cluster: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Both aliases use this process's own copy of the migrated template.

    A test that commits (transaction=True) leaves a used copy behind. Not all of its tables are emptied, which
    would take the rows that migrations made: it becomes what the template is (`databases.renew`).
    """
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        databases.recreate(database_cluster, DATABASE)
        databases.point_aliases_at(database_cluster, DATABASE)
        patch.setattr(
            TransactionTestCase,
            "_fixture_teardown",
            lambda _test: databases.renew(database_cluster, DATABASE),
        )
        # Threads that keep their connection look at it each time: the next test's database is another one.
        patch.setattr(thread_pool, "CHECKED_AFTER_S", 0)
        yield
        from django.db import connections

        connections.close_all()


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    """A Valkey of this process's own, where the settings look for it. Prefer `valkey`, which is empty."""
    with use_services(settings.PATHS, [Valkey(settings.PATHS)]):
        yield f"unix://{settings.PATHS.valkey_socket}"


@pytest.fixture
def valkey(valkey_url: str) -> Iterator[str]:
    """URL of an empty Valkey; it is emptied again afterwards."""
    with Redis.from_url(valkey_url) as client:
        client.flushall()
        yield valkey_url
        client.flushall()


@pytest.fixture
def child_environment(transactional_db: None, database_cluster: Path, valkey: str) -> dict[str, str]:
    """Environment for a process that a test starts: it works on the test's own database and Valkey."""
    own = {
        "REDIS_URL": valkey,
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    return {**os.environ, **databases.urls(database_cluster, DATABASE), **own, "PLUMBLINE_HTTPS": "no"}
