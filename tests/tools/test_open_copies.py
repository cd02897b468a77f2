"""An agent reads a work of scholars in the copy that the search found open, and needs to know nothing of it."""

from collections.abc import Callable

from django.test import override_settings

from research.fetching.fetch_process import close_fetch_process
from tests.fetching.site import Said, serve_site
from tests.pipelines.test_open_copies import work
from tests.pipelines.test_web_report import TRIAL
from tests.search.apis import openalex
from tests.search.apis.server import run_server
from tests.tools.conftest import Hand


def test_a_work_is_read_in_its_open_copy(make_hand: Callable[..., Hand]):
    with (
        serve_site({"/paper": Said("Please pay.", 402), "/copy": TRIAL}) as site,
        run_server(lambda call: openalex.answer(call, [work("paper", site.base, copy="copy")])) as alex,
        override_settings(
            PLUMBLINE_ALLOW_LOOPBACK=True,
            PLUMBLINE_POLITENESS_MS=0,
            PLUMBLINE_PROVIDERS=("openalex",),
            PLUMBLINE_PROVIDER_URLS={"openalex": alex.base},
        ),
    ):
        close_fetch_process()
        hand = make_hand(sources="web")
        [found] = hand.search("heat pumps", type="academic")
        read = hand.use("browse", url=found.id)
        close_fetch_process()
    assert ("Nordhaus" in read.content, read.final_url) == (True, f"{site.base}/copy")
