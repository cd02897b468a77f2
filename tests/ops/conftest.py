"""Figures are remembered for ten seconds, longer than a test takes."""

from collections.abc import Iterator

import pytest

from research.ops.metrics import figures
from tests.people import Person, join


@pytest.fixture(autouse=True)
def _count_anew() -> Iterator[None]:
    figures.forget()
    yield
    figures.forget()


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")
