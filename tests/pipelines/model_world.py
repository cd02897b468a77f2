"""Asking the small library with a model: settings and services of one test module."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.test import override_settings

from research.engine import claim_and_finish_steps
from research.llm import model_prices
from research.llm.model_process import close_model_process
from research.llm.provider import model_server_features
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.scribe import scribe

KEY = "sk-canary-8d2f"


@contextmanager
def model_world(valkey_url: str) -> Iterator[FakeOpenAI]:
    """A model server, configured as the one to ask; what it learned about servers is forgotten before and after."""
    with FakeOpenAI(default=scribe()) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(claim_and_finish_steps, "retry_delay_s", _at_once(claim_and_finish_steps.retry_delay_s))
        _forget()
        with override_settings(
            PLUMBLINE_MODEL_BASE_URL=server.base_url,
            PLUMBLINE_MODEL_API_KEY=KEY,
            PLUMBLINE_MODEL="test-model",
            PLUMBLINE_MODEL_CALLS_A_MINUTE=100_000,
            REDIS_LOCATION=valkey_url,
        ):
            yield server
            close_model_process()
        _forget()


def _at_once(delay):
    """The lifecycle's retries, without the waiting between them."""
    return lambda failure, before: None if delay(failure, before) is None else 0.0


def _forget() -> None:
    model_server_features.forget()
    model_prices.forget()
