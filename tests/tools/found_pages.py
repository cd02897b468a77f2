"""A web site of this machine and a search server that finds its pages; a run that reads them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from django.test import override_settings

from research.agents.tools.evidence.tool_source_handles import page_handle
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import KeptPage, Source
from tests.fetching.site import Said, Site, result, searxng, serve_site
from tests.pipelines.test_web_report import article
from tests.tools.conftest import Hand

TRIAL = article(
    "Nordhaus field trial of heat pumps",
    "The trial ran over two winters in eleven homes near Kiruna. The seasonal performance factor of the heat pumps"
    " stayed above 2.1 at nine of the eleven sites, and two sites fell below 1.9 in the coldest weeks of the year.",
    "More is told at http://{host}/linked. Who asks at http://{host}/linked?of=me is told less than others are.",
)
OTHER = "Town number 7 counted 740 boilers in its houses, and replaced some within a year, most of them in summer."
FIGURES = "Year,Pumps\n" + "".join(f"{year},{year - 1000}\n" for year in range(2001, 2025))
PAYWALL = """<!doctype html><html lang=en><head><title>Paid</title><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "NewsArticle", "isAccessibleForFree": false}</script></head>
<body><article><h1>Paid</h1><p>%s</p></article></body></html>"""


def pages(site: Site) -> dict[str, Said | Callable[[str], Said]]:
    trial = str(TRIAL.body).replace("{host}", f"{site.host}:{site.port}")
    return {
        "/trial": Said(trial),
        "/linked": article("Linked", OTHER, OTHER.replace("7", "8")),
        "/named": article("Named by the owner", OTHER, OTHER.replace("7", "9")),
        "/moved": Said("", 302, headers={"Location": "/linked"}),
        "/gone": Said("", 404),
        "/inside": Said("", 302, headers={"Location": "http://169.254.169.254/latest/meta-data/"}),
        "/secret": article("Secret", OTHER),
        "/empty": article("Empty"),
        "/robot": Said('<html><script src="/cdn-cgi/challenge-platform/x.js"></script></html>', 403),
        "/paid": Said(PAYWALL % OTHER),
        "/busy": Said("", 503, headers={"Retry-After": "1"}),
        "/large": Said("x", headers={"Content-Length": "99999999"}),
        "/figures": Said(FIGURES, kind="text/csv"),
        "/robots.txt": Said("User-agent: *\nDisallow: /secret\n", kind="text/plain"),
    }


FOUND = ("trial", "moved", "gone", "inside", "secret", "empty", "robot", "paid", "busy", "large", "figures")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A site whose pages a search server finds."""
    with ExitStack() as stack:
        site = stack.enter_context(serve_site({}))
        site.pages.update(pages(site))
        results = [result(f"{site.base}/{path}", path, "Heat pumps.") for path in FOUND]
        search = stack.enter_context(
            serve_site({"/search": searxng(lambda query, page: results if page == 1 else [])})
        )
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0, PLUMBLINE_SEARXNG_URL=search.base
            )
        )
        close_fetch_process()
        yield site
        close_fetch_process()


@pytest.fixture
def web(make_hand: Callable[..., Hand], site: Site) -> Hand:
    """Return a run that reads the web; its search has found the pages, none of which an earlier run has read."""
    hand = make_hand(sources="web")
    with tenant_context(hand.tenant_id):
        KeptPage.objects.all().delete()
    hand.search("heat pumps")
    site.asked.clear()
    return hand


def handle(site: Site, path: str) -> str:
    return page_handle(f"{site.base}/{path}")


def list_requested_paths(site: Site) -> list[str]:
    """Without the file that says what may be read."""
    return [path for path in site.asked if path != "/robots.txt"]


def read(hand: Hand, site: Site, path: str) -> Source:
    """The page, read, as the source that it is then."""
    hand.use("browse", url=handle(site, path))
    with tenant_context(hand.tenant_id):
        address = f"{site.base}/{path}"
        return Source.objects.select_related("content", "library_document").get(
            run_id=hand.run_id, canonical_url=address
        )
