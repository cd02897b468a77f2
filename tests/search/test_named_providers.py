"""Providers that a run's owner chose by name: asked in what they serve, whatever kinds of source are wanted."""

import asyncio
from uuid import uuid4

from research.fetching.fetch_process import close_fetch_process
from research.search.ask_search_providers import ProviderResults
from research.search.search_process import search_process
from research.search.search_protocol import Filters, SearchType
from research.search.searched_source_kinds import for_named
from tests.search.apis import github
from tests.search.apis.server import serve_world

WEB = Filters(SearchType.WEB, also=(SearchType.ACADEMIC,))


def search_by_names(names: list[str]) -> ProviderResults:
    """Search with this process, which has GitHub set up alone."""
    with serve_world(github.WORLD) as service:
        service.has(github.raw_repository(github.repository(1)))
        close_fetch_process()
        got = asyncio.run(search_process().search("heat", WEB, "run", uuid4(), names))
        close_fetch_process()
    return got


def test_code_is_searched_in_a_report_where_its_owner_chose_it():
    assert [hit.title for hit in search_by_names(["github"]).hits] == ["heat/pump-1"]


def test_code_is_not_searched_for_who_chose_nobody():
    assert search_by_names([]) == ProviderResults((), ())


def test_the_types_that_are_wanted_come_first():
    wanted = for_named(WEB)
    assert (wanted.type, wanted.also) == (
        SearchType.WEB,
        (SearchType.ACADEMIC, SearchType.NEWS, SearchType.CODE),
    )
