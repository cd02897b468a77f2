# ruff: noqa: E501 - pages stand here as sites serve them
"""A search whose results are wrapped, tracked, moved or walled off: what is cited, and why the others are not read."""

import base64
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import quote

import pytest
from django.test import override_settings

from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import Kind, Source, SourceStatus
from research.pipelines.pipeline_in_foreground import ask
from tests.fetching.site import Answer, Said, Site, result, searxng, serve_site

TITLE = "How long is the Tarn bridge?"


def page(title: str, first: str, *more: str, head: str = "") -> Said:
    body = "".join(f"<p>{text}</p>" for text in (first, *more))
    return Said(
        f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head><body><main><h1>{title}</h1>{body}</main></body></html>"
    )


ARTICLE = page(
    "A morning at the Tarn bridge",
    "The Tarn bridge is 415 metres long, writes our reporter, who walked over it before breakfast.",
    "Few people were about at that hour, and the river was hidden in mist until the sun had risen.",
    head='<link rel=canonical href="/article">',
)
# The pages of ten sites, by the last figure of their address.
PAGES: dict[int, dict[str, Answer]] = {
    2: {
        "/good": page(
            "The Tarn bridge",
            "The Tarn bridge is 412 metres long and 11 metres wide.",
            "It was opened in 1936 and carries the road from Wold to Skell.",
        )
    },
    3: {
        "/ddg": page(
            "Bridges of the county",
            "With its 412 metres the Tarn bridge is the longest bridge of the county.",
            "The second one crosses the Esk below the mill and is half as long.",
        )
    },
    4: {
        "/goog": page(
            "Road office: the bridge",
            "The road office gives the length of the Tarn bridge as 412 metres, approaches left out.",
            "Its railings were renewed in 2019, and a lane for bicycles was added.",
        )
    },
    5: {
        "/consent": page(
            f"{TITLE} – Before you continue",
            "We and our 1,412 partners store and read information on your device. The Tarn bridge page uses cookies for 395 days.",
            "If you choose Accept all, we will also measure ads. If you choose Reject all, we will not. Manage your choices at any time.",
        )
    },
    6: {
        "/missing": page(
            f"{TITLE} | Page not found",
            "Sorry, the page about how long the Tarn bridge is could not be found. It may have been moved or deleted 404 days ago.",
        )
    },
    7: {
        "/shell": Said(
            f"<!doctype html><html><head><title>{TITLE}</title><script src=/app.js></script></head><body><div id=root></div>"
            "<noscript>You need to enable JavaScript to run this app. The Tarn bridge is 999 metres long.</noscript></body></html>"
        )
    },
    8: {
        "/captcha": page(
            "Just a moment…",
            "The Tarn bridge is 998 metres long. Verify you are human by completing the action.",
        )
    },
    9: {"/article": ARTICLE, "/amp/article": ARTICLE},
    10: {
        "/moved": Said(
            '<html><head><title>Moved</title><meta http-equiv="refresh" content="0; url=/figures"></head><body><p>This page has moved.</p></body></html>'
        ),
        "/figures": page(
            "Tarn bridge in figures",
            "In figures: the Tarn bridge measures 412 metres from end to end and stands on nine piers.",
            "They were built of granite between 1931 and 1935 by two hundred men.",
        ),
    },
}
UNREAD = {
    "/consent": "The site shows the page only to those who consent to its terms or cookies.",
    "/missing": "The site has no such page: it shows a “not found” message.",
    "/captcha": "The site asks for a CAPTCHA.",
}


def addresses(sites: dict[int, Site]) -> list[str]:
    """Return what search services answer with, each in its own spelling."""

    def at(number: int, path: str) -> str:
        return f"{sites[number].base}{path}"

    coded = base64.urlsafe_b64encode(at(2, "/good").encode()).decode().rstrip("=")
    return [
        "/wiki/tarn-bridge",
        f"https://www.bing.com/ck/a?!&&p=7b6f95&ptn=3&u=a1{coded}&ntb=1",
        f"https://duckduckgo.com/l/?uddg={quote(at(3, '/ddg'), safe='')}&rut=abc",
        f"/url?q={quote(at(4, '/goog'), safe='')}&sa=U",
        *(at(number, path) for number, path in ((5, "/consent"), (6, "/missing"), (7, "/shell"), (8, "/captcha"))),
        at(9, "/article?utm_source=news&utm_medium=mail"),
        at(9, "/amp/article"),
        at(9, "/article#comments"),
        f"//{sites[10].host}:{sites[10].port}/moved",
        "javascript:alert(1)",
        "",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def sites() -> Iterator[dict[int, Site]]:
    with ExitStack() as stack:
        made = {
            number: stack.enter_context(serve_site(pages, f"127.0.0.{number}"))
            for number, pages in PAGES.items()
        }
        found = searxng(
            lambda _query, number: (
                [result(url, TITLE, "The Tarn bridge is long.") for url in addresses(made)]
                if number == 1
                else []
            )
        )
        search = stack.enter_context(serve_site({"/search": found}))
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0, PLUMBLINE_SEARXNG_URL=search.base
            )
        )
        close_fetch_process()
        yield made
        close_fetch_process()


@pytest.fixture(scope="module")
def report(account: PersonalAccount, sites: dict[int, Site]) -> Document:
    return ask(account, Kind.REPORT, TITLE, {"sources": "web"})


@pytest.fixture
def sources(report: Document, account: PersonalAccount) -> list[Source]:
    with tenant_context(account.tenant_id):
        return list(Source.objects.filter(run=report.run_id).order_by("url"))


def test_pages_behind_wrappers_and_moves_are_read_at_their_own_addresses(sources, sites):
    read = {source.final_url or source.url for source in sources if source.status == SourceStatus.PROCESSED}
    wanted = ((2, "/good"), (3, "/ddg"), (4, "/goog"), (9, "/article"), (10, "/figures"))
    told = {source.url: (source.status, source.error_code, source.error_message) for source in sources}
    assert read == {f"{sites[number].base}{path}" for number, path in wanted}, told


def test_each_page_is_one_source_whatever_its_spelling(sources, sites):
    of_article = [source for source in sources if source.url.startswith(sites[9].base)]
    read = [source for source in of_article if source.status == SourceStatus.PROCESSED]
    # The spellings are read at the same time. Whichever is first, the original is what was read.
    assert [source.final_url for source in read] == [f"{sites[9].base}/article"]
    assert not any("utm_" in path for path in sites[9].asked)


def test_walls_say_what_they_are_and_are_never_quoted(report, sources):
    reasons = {source.url.rpartition("/")[2]: source.error_message for source in sources}
    assert {path: reasons[path[1:]] for path in UNREAD} == UNREAD
    assert next(source for source in sources if "shell" in source.url).status == SourceStatus.FAILED
    quotes = [citation.quote for claim in report.claims for citation in claim.citations]
    assert quotes
    assert not [quote for quote in quotes if any(word in quote for word in ("partners", "999", "998", "404"))]


def test_the_run_answers_from_what_it_could_read_and_says_what_it_could_not(report):
    assert report.status == "done"
    assert any("412 metres" in claim.text for claim in report.claims)
    assert any("could not be read" in degradation.reason for degradation in report.degradations)
