"""A site of this machine, and a search server that finds what a test says of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.test import override_settings

from research.fetching.fetch_process import close_fetch_process
from tests.fetching.site import Said, Site, result, searxng, serve_site
from tests.pipelines.test_web_report import FIRST

Results = Callable[[str, int], list[str]]  # query and page → paths


@contextmanager
def serve_search(results: Results, **pages: Said) -> Iterator[Site]:
    """The pages of the web report and these, by their names."""
    with serve_site({**FIRST, **{f"/{name}": said for name, said in pages.items()}}) as site:
        found = searxng(
            lambda query, page: [result(f"{site.base}/{one}", one) for one in results(query, page)]
        )
        with (
            serve_site({"/search": found}) as search,
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0, PLUMBLINE_SEARXNG_URL=search.base
            ),
        ):
            close_fetch_process()
            yield site
            close_fetch_process()
