"""Ada, whose runs are in the graph."""

import pytest

from tests.people import Person, join


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def bob(db: None) -> Person:
    return join("bob")
