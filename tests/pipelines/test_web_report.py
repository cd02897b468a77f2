"""A report from web pages: searched, fetched through the guard, read, cited; what cannot be read says why."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.test import Client, override_settings

from citations.models import Citation
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.library.library_folders import WEB
from research.models import (
    Chunk,
    Kind,
    LibraryDocument,
    PlanVersion,
    Run,
    Source,
    SourceStatus,
    Step,
    StepStatus,
)
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.report_config import ConfigError, parse_config
from research.storage.object_store import get_object
from tests.fetching.site import Answer, Said, Site, result, searxng, serve_site
from tests.pipelines.conftest import QUESTION
from tests.web.pages import words


def article(title: str, *paragraphs: str) -> Said:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    head = f"<title>{title}</title><meta property='article:published_time' content='2024-03-01'>"
    return Said(
        f"<!doctype html><html lang=en><head>{head}</head><body><article><h1>{title}</h1>{body}</article></body></html>"
    )


ANSWER = "A heat pump shall reach a seasonal performance factor of at least 3.0 to receive the subsidy."
GUIDE = article(
    "Building Policy Guide 2.0",
    f"Owners must replace oil boilers within 20 years. {ANSWER} The subsidy covers 30 percent of the cost.",
    "The guide applies to houses that were built before the year 1990 and to all public buildings in the country.",
)
TRIAL = article(
    "Nordhaus field trial of heat pumps",
    "The trial ran over two winters in eleven homes near Kiruna. The seasonal performance factor of the heat pumps"
    " stayed above 2.1 at nine of the eleven sites, and two sites fell below 1.9 in the coldest weeks of the year.",
)
COPY = article(
    "Building Policy Guide 2.0",
    f"Owners must replace oil boilers within 20 years. {ANSWER} The subsidy covers 30 percent of the cost.",
    "The guide applies to houses that were built before the year 1990 and to all public buildings in the country.",
)
FIRST = {
    "/guide": GUIDE,
    "/moved": Said("", 302, headers={"Location": "/trial"}),
    "/trial": TRIAL,
    "/gone": Said("", 404),
    "/inside": Said("", 302, headers={"Location": "http://169.254.169.254/latest/meta-data/"}),
    "/secret": article("Secret", "Nobody may read this page, which says a lot about heat pumps."),
    "/empty": article("Empty"),
    **{
        f"/note-{number}": article(
            f"Note {number} on boilers",
            f"Town number {number} counted {number}40 boilers in its houses, and replaced some within a year.",
            "Most owners asked for advice before they chose another way of heating, and many waited for the summer.",
        )
        for number in range(1, 5)
    },
    "/robots.txt": Said("User-agent: *\nDisallow: /secret\n", kind="text/plain"),
}


@pytest.fixture(scope="module")
def sites() -> Iterator[tuple[Site, Site, Site]]:
    """A site, another one with a copy, and a search server that finds the pages of both."""
    with ExitStack() as stack:
        first = stack.enter_context(serve_site(FIRST))
        second = stack.enter_context(serve_site({"/copy": COPY}, "127.0.0.2"))

        def results(query: str, page: int) -> list[dict[str, object]]:
            notes = [path[1:] for path in FIRST if path.startswith("/note")]
            paths = ("guide", "guide?utm_source=x", "moved", "gone", "inside", "secret", "empty", *notes)
            found = [result(f"{first.base}/{path}", path) for path in paths]
            return [*found, result(f"{second.base}/copy", "copy")] if page == 1 else []

        search = stack.enter_context(serve_site({"/search": searxng(results)}))
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0, PLUMBLINE_SEARXNG_URL=search.base
            )
        )
        close_fetch_process()
        yield first, second, search
        close_fetch_process()


@pytest.fixture(scope="module")
def report(account: PersonalAccount, sites) -> Document:
    return ask(account, Kind.REPORT, QUESTION, {"sources": "web"})


@pytest.fixture
def sources(report: Document, account: PersonalAccount, sites) -> dict[str, Source]:
    """Return sources by the last part of the address that was found."""
    with tenant_context(account.tenant_id):
        rows = Source.objects.filter(run=report.run_id).select_related("content", "duplicate_of")
        return {row.url.rpartition("/")[2]: row for row in rows}


def test_the_answer_is_taken_from_a_web_page(report):
    assert report.status == "done"
    assert report.claims[0].text == ANSWER


def test_a_search_that_ended_with_too_few_sources_and_one_that_was_not_read_are_named(report, account):
    given_up = {degradation.code: degradation.reason for degradation in report.degradations}
    assert given_up["reduced_scope"].startswith("Too few sources were found: ")
    assert given_up["sources_skipped"] == "1 of 10 sources could not be read and were skipped."
    with tenant_context(account.tenant_id):
        kept = PlanVersion.objects.filter(run=report.run_id).order_by("number")
        assert "insufficient_sources" in [one.trigger for one in kept]
        assert kept.last().plan == Run.objects.get(pk=report.run_id).plan


@pytest.mark.parametrize("page", ["", "report/"])
def test_what_was_given_up_is_told_on_the_page_of(page, report, account):
    client = Client()
    client.force_login(account.user)
    said = words(client.get(f"/runs/{report.run_id}/{page}"))
    assert (
        "Done with less than planned The report covers less than planned. Too few sources were found" in said
    )
    assert "Some sources could not be read. 1 of 10 sources could not be read and were skipped." in said


def test_every_quote_is_the_pages_own_words(report, account):
    with tenant_context(account.tenant_id):
        citations = list(Citation.objects.filter(claim__run=report.run_id).select_related("source__content"))
    assert citations
    assert [citation.quote for citation in citations] == [
        citation.source.text[citation.start_offset : citation.end_offset] for citation in citations
    ]


def test_a_page_found_twice_is_one_source_and_is_fetched_once(sources, sites):
    assert len([name for name in sources if name.startswith("guide")]) == 1
    assert len([path for path in sites[0].asked if path.startswith("/guide")]) == 1


def test_a_redirected_page_keeps_both_addresses(sources, sites):
    assert sources["moved"].final_url == f"{sites[0].base}/trial"
    assert sources["moved"].status == SourceStatus.PROCESSED


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("gone", "PAGE_NOT_FOUND", "404"), ("inside", "BLOCKED", "169.254.169.254"),
        ("secret", "BLOCKED", "robots.txt"), ("empty", "EXTRACTION_FAILED", ""),
    ],
)  # fmt: skip
def test_a_page_that_is_not_read_keeps_its_reason(sources, name, code, words):
    source = sources[name]
    assert (source.status, source.error_code) == (SourceStatus.FAILED, code)
    assert words in source.error_message


def test_a_page_that_robots_txt_forbids_is_never_asked_for(sources, sites):
    assert "/secret" not in sites[0].asked


@pytest.mark.parametrize("page", ["log", "sources"])
def test_why_robots_txt_kept_a_page_from_being_read_is_shown(page, report, account, sites):
    client = Client()
    client.force_login(account.user)
    address = f"/runs/{report.run_id}/{page}/"
    pages = [client.get(address, {"page": number}).content.decode() for number in range(1, 6)]
    assert any("The robots.txt of 127.0.0.1 does not allow this page to be fetched." in one for one in pages)


def test_the_same_text_elsewhere_is_a_duplicate(sources):
    both = {
        sources["copy"].status,
        next(row for name, row in sources.items() if name.startswith("guide")).status,
    }
    assert both == {SourceStatus.PROCESSED, SourceStatus.DUPLICATE}


def test_the_bytes_are_kept_as_they_came(sources):
    assert get_object(sources["moved"].content.raw_key) == TRIAL.body.encode()


def test_a_page_is_saved_with_its_passages(sources, account):
    with tenant_context(account.tenant_id):
        saved = LibraryDocument.objects.get(folder=WEB, pk=sources["moved"].library_document_id)
        assert saved.title == "Nordhaus field trial of heat pumps"
        assert saved.published_date == "2024-03-01"
        assert saved.chunks.count() > 0
        assert Chunk.objects.filter(source=sources["moved"]).count() > 0


def test_the_step_log_shows_searches_fetches_and_readings(report, account, sources):
    with tenant_context(account.tenant_id):
        handlers = set(Step.objects.filter(run=report.run_id).values_list("handler", flat=True))
    assert {
        "report.web",
        "report.web_search",
        "report.web_pick",
        "report.fetch",
    } <= handlers
    assert "report.search" not in handlers


def test_library_and_web_are_drawn_on_together(account, library, sites):
    document = ask(account, Kind.REPORT, QUESTION, {"sources": "both", "folders": [library]})
    with tenant_context(account.tenant_id):
        read = Source.objects.filter(run=document.run_id, status=SourceStatus.PROCESSED)
        folders = set(read.values_list("library_document__folder", flat=True))
    assert folders == {library, WEB}


def test_a_run_over_the_library_leaves_saved_pages_alone(account, library, report):
    document = ask(account, Kind.REPORT, QUESTION, {})
    with tenant_context(account.tenant_id):
        read = Source.objects.filter(run=document.run_id)
        assert WEB not in set(read.values_list("library_document__folder", flat=True))


def test_a_page_that_must_be_read_is_fetched(account, sites):
    address = f"{sites[0].base}/trial"
    with override_settings(PLUMBLINE_SEARXNG_URL=""):
        document = ask(
            account,
            Kind.REPORT,
            "What did the Nordhaus field trial find?",
            {"sources": "web", "urls": [address]},
        )
    with tenant_context(account.tenant_id):
        [source] = Source.objects.filter(run=document.run_id)
    assert (source.url, source.status) == (address, SourceStatus.PROCESSED)


def test_excluded_domains_are_not_read(account, sites):
    document = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "excluded_domains": ["127.0.0.2"]})
    with tenant_context(account.tenant_id):
        assert not Source.objects.filter(run=document.run_id, url__contains="127.0.0.2").exists()


def test_a_search_server_that_fails_is_named_in_the_log(account, sites, library):
    with serve_site({}) as broken, override_settings(PLUMBLINE_SEARXNG_URL=broken.base):
        close_fetch_process()
        document = ask(account, Kind.REPORT, QUESTION, {"sources": "both", "folders": [library]})
    close_fetch_process()
    with tenant_context(account.tenant_id):
        failed = Step.objects.filter(run=document.run_id, status=StepStatus.FAILED)
        assert {step.handler for step in failed} == {"report.web_search"}
        assert all("searxng" in step.error_message for step in failed)
        assert Run.objects.get(pk=document.run_id).state == "completed"


def odd_results(base: str) -> list[dict[str, object]]:
    """A search server passes on whatever pages call themselves."""
    return [
        result(f"{base}/gui\x00de", "Gui\ud800de\x00\u200b", "\x00\udfff", "\x00soon"),
        result(f"{base}/{5_000 * 'a'}", "A very long address"),
        result(f"{base}/{1_500 * '😀'}", "An address that is long once it is spelled out"),
        result(f"{base}/trial", 1_000_000 * "x"),
        {"url": "http://[::1", "title": "No address"},
    ]


def test_what_no_row_can_hold_comes_from_the_search_and_reaches_none(account, sites):
    pages: dict[str, Answer] = {"/guide": GUIDE, "/trial": TRIAL}
    with serve_site(pages) as site:
        odd = odd_results(site.base)
        site.pages["/search"] = searxng(lambda query, page: odd if page == 1 else [])
        with override_settings(PLUMBLINE_SEARXNG_URL=site.base):
            close_fetch_process()
            document = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "fresh_pages": True})
        close_fetch_process()
    assert (document.status, document.claims[0].text) == ("done", ANSWER)
    with tenant_context(account.tenant_id):
        addresses = set(Source.objects.filter(run=document.run_id).values_list("url", flat=True))
        failed = Step.objects.filter(run=document.run_id).exclude(status=StepStatus.COMPLETED)
        assert not failed.exists()
    assert addresses == {f"{site.base}/guide", f"{site.base}/trial"}


def test_the_web_alone_needs_a_search_server_or_pages():
    with (
        override_settings(PLUMBLINE_SEARXNG_URL=""),
        pytest.raises(ConfigError, match="PLUMBLINE_PROVIDERS"),
    ):
        parse_config({"sources": "web"})


def test_a_provider_that_is_not_set_up_cannot_be_chosen():
    with override_settings(PLUMBLINE_SEARXNG_URL="http://searxng:8080"):
        assert parse_config({"providers": "searxng"}).providers == ["searxng"]
        with pytest.raises(ConfigError, match="providers: brave is not set up here; there are: searxng"):
            parse_config({"providers": "searxng, brave"})
