"""A model server of this test's own, and short ways to ask it."""

from collections.abc import Iterator

import pytest

from research.llm import features
from tests.fakes.openai_server import FakeOpenAI


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    """Nothing that an earlier test learned about its server is remembered."""
    features.forget()
    with FakeOpenAI() as fake:
        yield fake
    features.forget()
