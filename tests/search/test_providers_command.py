"""`manage.py providers`: who is set up, what is missing, and whether they answer."""

from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from research.search.providers.search_catalogue import ENTRIES
from tests.search.apis import brave, hackernews
from tests.search.apis.server import KEY, run_server
from tests.search.outside.asking import program


def run_providers(*words: str) -> list[str]:
    out = StringIO()
    call_command("providers", *words, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def two() -> Iterator[None]:
    """Hacker News has something; Brave wants a pause."""
    with ExitStack() as stack:
        story = hackernews.raw(hackernews.WORLD.make(1))
        stories = stack.enter_context(run_server(lambda call: hackernews.answer(call, [story])))
        pause = stack.enter_context(run_server(lambda call: brave.limits("0, 1", "60, 99")))
        settings = {
            "PLUMBLINE_ALLOW_LOOPBACK": True,
            "PLUMBLINE_PROVIDERS": ("hackernews", "brave"),
            "PLUMBLINE_PROVIDER_URLS": {"hackernews": stories.base, "brave": pause.base},
            "PLUMBLINE_PROVIDER_KEYS": {"brave": KEY},
        }
        stack.enter_context(override_settings(**settings))
        yield


def test_each_provider_is_listed_with_what_it_searches(two):
    lines = run_providers()
    assert [line.split()[1] for line in lines] == list(ENTRIES)
    assert [line.split()[1] for line in lines if line.startswith("✓")] == ["brave", "hackernews"]
    assert "✓ hackernews        web, news, code" in lines


def test_what_a_provider_lacks_is_said(settings):
    settings.PLUMBLINE_PROVIDERS = ("auto",)
    lines = run_providers()
    assert "– brave             web, news, images; needs its key, see docs/providers.md" in lines
    assert (
        "– searxng           web, news, academic, code, images; needs its address, see docs/providers.md"
        in lines
    )


def test_each_one_is_asked_and_none_hides_that_another_failed(two):
    lines = run_providers("heat pumps")
    assert "✓ hackernews        1 found, first “Page 1”" in lines
    assert "✗ brave             It received too many requests (429). (RATE_LIMITED)" in lines


def test_where_none_answers_it_fails(two, settings):
    settings.PLUMBLINE_PROVIDERS = ("brave",)
    with pytest.raises(CommandError, match="No search provider answers"):
        run_providers("heat pumps")


def test_a_key_is_not_shown(two):
    assert not any(KEY in line for line in run_providers("heat pumps"))


def test_a_tool_that_was_plugged_in_is_listed_and_asked(settings):
    settings.PLUMBLINE_PROVIDERS = ("auto",)
    settings.PLUMBLINE_MCP_SERVERS = {"one": program("odd_server.py", "noise")}
    assert "✓ mcp:one           web" in run_providers()
    settings.PLUMBLINE_PROVIDERS = ("mcp:one",)
    assert "✓ mcp:one           1 found, first “After the noise”" in run_providers("heat")
