"""A report from pages that show nothing without a browser: shown, read, cited; without one they say so."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from uuid import uuid4

import pytest
from django.test import override_settings

from config.services.browser_service import find_browser
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.fetching.fetch_rendered_pages import needs_browser
from research.models import Kind, Source, SourceStatus, Step
from research.pipelines.pipeline_in_foreground import ask
from research.storage.object_store import get_object
from tests.fetching.site import Said, Site, result, searxng, serve_site
from tests.people import join
from tests.pipelines.conftest import QUESTION
from tests.pipelines.test_web_report import ANSWER, article

SHELL = """<!doctype html><html lang=en><head><title>Building Policy Guide</title></head><body><div id="root"></div>
<noscript>You need to enable JavaScript to run this app.</noscript><script src="/app.js"></script></body></html>"""
APP = """fetch('/text.json').then(answer => answer.json()).then(parts => {
  document.getElementById('root').innerHTML = '<article><h1>Building Policy Guide</h1>' +
    parts.map(text => `<p>${text}</p>`).join('') + '</article>' })"""
TEXT = (
    f'["Owners must replace oil boilers within 20 years. {ANSWER} The subsidy covers 30 percent of the cost.",'
    '"The guide applies to houses that were built before the year 1990 and to all public buildings there."]'
)
PAGES = {
    "/guide": Said(SHELL),
    "/app.js": Said(APP, kind="text/javascript"),
    "/text.json": Said(TEXT, kind="application/json"),
    "/plain": article("Plain", "The plain guide says that owners may ask for advice before they choose a boiler.",
                      "It was printed in 2020 and is sent to all owners of houses that were built before 1990."),
}  # fmt: skip


@contextmanager
def web(**settings: str) -> Iterator[Site]:
    with ExitStack() as stack:
        site = stack.enter_context(serve_site(PAGES))
        found = [result(f"{site.base}/{path}", path) for path in ("guide", "plain")]
        search = stack.enter_context(
            serve_site({"/search": searxng(lambda query, page: found if page == 1 else [])})
        )
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True,
                PLUMBLINE_POLITENESS_MS=0,
                PLUMBLINE_SEARXNG_URL=search.base,
                PLUMBLINE_PROVIDERS=("searxng",),
                **settings,
            )
        )
        close_fetch_process()
        yield site
        close_fetch_process()


@pytest.fixture
def asker(module_database) -> PersonalAccount:
    """Return a member of a workspace that has read nothing yet: a page that one test saved, another would find."""
    person = join(f"asker-{uuid4()}")
    return PersonalAccount(person.user, person.tenant.pk)


def sources_of(account: PersonalAccount, run_id: object) -> dict[str, Source]:
    with tenant_context(account.tenant_id):
        rows = Source.objects.filter(run=run_id).select_related("content")
        return {row.url.rpartition("/")[2]: row for row in rows}


@pytest.mark.browser
def test_a_page_that_only_scripts_fill_is_read_without_anybody_asking(asker):
    if not find_browser("").path:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with web() as site:
        report = ask(asker, Kind.REPORT, QUESTION, {"sources": "web"})
    guide = sources_of(asker, report.run_id)["guide"]
    assert guide.status == SourceStatus.PROCESSED
    assert guide.content.rendering["browser"].startswith("Chromium ")
    assert ANSWER.encode() in get_object(guide.content.raw_key)
    assert site.asked.count("/guide") == 1  # what was fetched is what was shown
    assert ANSWER in guide.text
    with tenant_context(asker.tenant_id):
        assert (
            Step.objects.filter(run=report.run_id, handler="report.fetch", output__how="rendered").count()
            == 1
        )


def test_without_a_browser_such_a_page_says_what_it_needs(asker):
    with web(PLUMBLINE_BROWSER="none"):
        report = ask(asker, Kind.REPORT, QUESTION, {"sources": "web"})
    sources = sources_of(asker, report.run_id)
    assert sources["guide"].status == SourceStatus.FAILED
    assert "needs a browser, and no browser is used, by PLUMBLINE_BROWSER" in sources["guide"].error_message
    assert sources["plain"].status == SourceStatus.PROCESSED
    assert sources["plain"].content.rendering is None


@pytest.mark.parametrize(
    ("html", "words", "needed"),
    [
        (SHELL, 0, True), (SHELL, 40, True), (SHELL, 400, False), ("<p>Few words.</p>", 2, False),
        ("<script>x</script><p>Few</p>", 1, True), ("<script>x</script><p>A short note</p>", 60, False),
        ("<body><app-root></app-root><script src=a></script>", 30, True), ("%PDF-1.7 <script", 0, True),
        ("<script></script>Please enable Javascript", 50, True), ("", 0, False),
    ],
)  # fmt: skip
def test_only_pages_whose_text_comes_from_scripts_need_a_browser(html, words, needed):
    assert needs_browser(html.encode(), words, fewest=20) is needed
