"""A data directory in a short path, which sockets need."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.services.service_paths import ServicePaths


@pytest.fixture
def paths() -> Iterator[ServicePaths]:
    folder = Path(tempfile.mkdtemp(prefix="pl-"))
    yield ServicePaths(folder / "data")
    shutil.rmtree(folder)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[object]:
    with (tmp_path / "service.log").open("ab") as file:
        yield file
