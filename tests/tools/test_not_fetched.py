"""Some pages are never fetched, some cannot be read, and of others only a part is."""

import pytest

from research.agents.tools.tool_interface import ToolCode, ToolError
from research.db.tenancy import tenant_context
from research.library.library_folders import WEB
from research.models import AgentRole, LibraryChunk, LibraryDocument, MessageStatus, Run, SourceStatus
from tests.fetching.site import Said
from tests.pipelines.test_web_report import article
from tests.tools.conftest import limits
from tests.tools.found_pages import OTHER, handle, list_requested_paths, site, web

__all__ = ["site", "web"]  # fixtures


# --- what is never fetched ---


def test_an_address_that_nobody_found_is_not_fetched(web, site):
    for url in (
        f"{site.base}/unfound",
        f"{site.base}/trial/?q=secret",
        f"{site.base}/?q=secret",
        "http://169.254.169.254/",
    ):
        assert web.error("browse", url=url) is ToolCode.BLOCKED
    assert web.error("browse", url=handle(site, "unfound")) is ToolCode.UNKNOWN_ID
    assert site.asked == []


def test_what_a_model_adds_to_an_address_does_not_leave(web, site):
    """A tracking parameter makes no other page, but it could carry words away."""
    web.use("browse", url=f"{site.base}/trial?utm_source=secret#secret")
    assert list_requested_paths(site) == ["/trial"]


def test_an_address_in_a_text_of_the_run_can_be_read(web, site):
    web.use("browse", url=handle(site, "trial"))
    assert web.use("browse", url=f"{site.base}/linked").title == "Linked"


@pytest.mark.parametrize("path", ["link", "linked?of=you", "linked?of=m", "linked.", "told"])
def test_an_address_that_stands_there_only_in_part_cannot(web, site, path):
    web.use("browse", url=handle(site, "trial"))
    assert web.error("browse", url=f"{site.base}/{path}") is ToolCode.BLOCKED
    assert list_requested_paths(site) == ["/trial"]


def test_pages_that_the_owner_named_can_be_read(make_hand, site):
    hand = make_hand(sources="both", urls=[f"{site.base}/named"])
    assert hand.use("browse", url=f"{site.base}/named").title == "Named by the owner"


def test_a_run_without_the_web_fetches_nothing(make_hand, site):
    site.asked.clear()
    hand = make_hand(sources="library", urls=[f"{site.base}/named"])
    assert hand.error("browse", url=f"{site.base}/named") is ToolCode.BLOCKED
    assert site.asked == []


def test_an_excluded_domain_is_not_asked_but_for_what_must_be_read(make_hand, site):
    hand = make_hand(sources="web", urls=[f"{site.base}/trial"], excluded_domains=[site.host])
    hand.use("browse", url=f"{site.base}/trial")  # it names another page of its site
    site.asked.clear()
    problem = hand.failure("browse", url=f"{site.base}/linked")
    assert (problem.code, site.host in problem.message) == (ToolCode.BLOCKED, True)
    assert site.asked == []


def test_one_runs_pages_are_nothing_to_another(web, make_hand, site):
    other = make_hand(sources="web")
    assert other.error("browse", url=handle(site, "trial")) is ToolCode.UNKNOWN_ID
    assert site.asked == []


def test_a_verifier_fetches_nothing(web, site):
    for url, code in ((handle(site, "trial"), ToolCode.UNKNOWN_ID), (f"{site.base}/trial", ToolCode.BLOCKED)):
        with pytest.raises(ToolError) as caught:
            web.use("browse", AgentRole.VERIFIER, url=url)
        assert caught.value.code is code
    assert site.asked == []
    web.use("browse", url=handle(site, "trial"))
    assert web.use("browse", AgentRole.VERIFIER, url=f"{site.base}/trial").id.startswith("src-")


# --- what cannot be read ---


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("gone", ToolCode.PAGE_NOT_FOUND),
        ("inside", ToolCode.BLOCKED),
        ("secret", ToolCode.BLOCKED),  # so says robots.txt
        ("empty", ToolCode.EXTRACTION_FAILED),
        ("robot", ToolCode.CAPTCHA),
        ("paid", ToolCode.PAYWALL),
        ("busy", ToolCode.BLOCKED),
        ("large", ToolCode.EXTRACTION_FAILED),
    ],
)
def test_what_cannot_be_read_says_why_and_is_a_failed_source(web, site, path: str, code: ToolCode):
    problem = web.failure("browse", url=handle(site, path))
    [source] = web.sources()
    assert problem.code is code
    assert (source.status, source.error_code, source.error_message) == ("failed", code.value, problem.message)
    assert (source.url, source.content_id) == (f"{site.base}/{path}", None)


def test_a_page_that_failed_may_be_read_later(web, site):
    site.pages["/late"] = Said("", 500)
    with tenant_context(web.tenant_id):
        Run.objects.filter(pk=web.run_id).update(config={"sources": "web", "urls": [f"{site.base}/late"]})
    assert web.error("browse", url=f"{site.base}/late") is ToolCode.BLOCKED
    site.pages["/late"] = article("Late", OTHER, OTHER.replace("7", "6"))
    shown = web.use("browse", url=f"{site.base}/late")
    [source] = web.sources()
    assert (shown.title, source.status, source.error_code) == ("Late", SourceStatus.EXTRACTED, "")


def test_a_page_that_was_published_too_early_is_excluded(make_hand, site):
    hand = make_hand(sources="web", published_from="2024-04")
    hand.search("heat pumps")
    assert hand.error("browse", url=handle(site, "trial")) is ToolCode.BLOCKED
    [source] = hand.sources()
    assert (source.status, source.error_code) == ("excluded", "EXCLUDED")
    assert source.error_message == "It was published on 2024-03-01, before 2024-04."


# --- limits ---


def test_a_page_that_takes_too_long_is_given_up(make_hand, site):
    with limits(browse_s=0):
        hand = make_hand(sources="web", urls=[f"{site.base}/named"])
    assert hand.error("browse", url=f"{site.base}/named") is ToolCode.TIMEOUT
    assert hand.sources() == []


def test_a_run_fetches_so_often_a_minute_and_no_more(web, site):
    with limits(fetches_a_minute=1):
        web.note("browse", web.use("browse", url=handle(site, "trial")))
        assert web.error("browse", url=handle(site, "moved")) is ToolCode.RATE_LIMITED
        assert web.use("browse", url=handle(site, "trial")).title  # what was read is there
    assert list_requested_paths(site) == ["/trial"]


def test_reading_what_is_there_is_no_fetch_and_failing_is_one(web, site):
    with limits(fetches_a_minute=2):
        web.note("browse", web.use("browse", url=handle(site, "trial")))
        web.note("browse", web.use("browse", url=handle(site, "trial")))
        web.note("browse", status=MessageStatus.FAILED, error_code="UNKNOWN_ID")
        assert web.error("browse", url=handle(site, "gone")) is ToolCode.PAGE_NOT_FOUND
        web.note("browse", status=MessageStatus.FAILED, error_code="PAGE_NOT_FOUND")
        assert web.error("browse", url=handle(site, "moved")) is ToolCode.RATE_LIMITED


def test_a_run_with_as_many_sources_as_it_may_have_fetches_no_more(web, site):
    with limits(sources=1):
        web.use("browse", url=handle(site, "trial"))
        assert web.error("browse", url=handle(site, "moved")) is ToolCode.NOT_AVAILABLE
    assert list_requested_paths(site) == ["/trial"]


def test_a_source_has_no_more_chunks_than_it_may(web, site):
    text = [
        f"Paragraph {number} tells of pump {number}. " + "It was cold and windy there all day. " * 60
        for number in range(6)
    ]
    site.pages["/long"] = article("Long", *text)
    with tenant_context(web.tenant_id):
        Run.objects.filter(pk=web.run_id).update(config={"sources": "web", "urls": [f"{site.base}/long"]})
    shown = web.use("browse", url=f"{site.base}/long", mode="full")
    assert len(shown.passages) > 2
    with limits(chunks=2):
        assert web.use("store", source=shown.id, chunks=shown.passages).count == 2
        assert web.use("store", source=shown.id, chunks=shown.passages[-1:]).count == 0


def test_passages_beyond_those_are_saved_without_vectors(web, site):
    text = [
        f"Chapter {number} tells of well {number}. " + "It was warm and still there all day. " * 60
        for number in range(6)
    ]
    site.pages["/book"] = article("Book", *text)
    with tenant_context(web.tenant_id):
        Run.objects.filter(pk=web.run_id).update(config={"sources": "web", "urls": [f"{site.base}/book"]})
    with limits(chunks=1):
        web.use("browse", url=f"{site.base}/book")
    with tenant_context(web.tenant_id):
        document = LibraryDocument.objects.get(folder=WEB, title="Book")
        rows = LibraryChunk.objects.filter(document=document).order_by("chunk_index")
        assert [row.embedding is not None for row in rows][:2] == [True, False]
