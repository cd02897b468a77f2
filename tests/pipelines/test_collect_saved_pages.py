"""Saved pages for a query: which fit, which are young enough, whose they are."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from research.db.tenancy import tenant_context
from research.library.library_folders import WEB
from research.models import Content, LibraryChunk, LibraryDocument
from research.models.schemas import Subtopic
from research.pipelines.report.collecting.collect_saved_report_pages import coverage_of, find_saved_pages
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query
from tests.people import join
from tests.worlds import add_content

HEAT = Query("How high is the seasonal factor of heat pumps?", "heat")
BEES = Query("How many bees live in a hive?", "bees")
NOW = datetime.now(tz=UTC)
TEXT = "The seasonal factor of heat pumps is high: it stayed above two at nine sites of the trial."


def save_page(text=TEXT, *, name="a", age_days=0, language="en") -> LibraryDocument:
    """Save a page in the present tenant, as an earlier run left it."""
    content: Content = add_content(f"{text} ({name})", language=language)
    row = LibraryDocument.objects.create(
        folder=WEB, path=f"http://{name}.example", url=f"https://{name}.example/", title=name, content=content,
        status="ready", published_date="2024-03",
    )  # fmt: skip
    LibraryChunk.objects.create(
        document=row,
        chunk_index=0,
        text=text,
        text_hash=name,
        start_offset=0,
        end_offset=len(text),
        token_count=20,
    )
    LibraryDocument.objects.filter(pk=row.pk).update(updated_at=NOW - timedelta(days=age_days))
    return row


@pytest.fixture
def ada(transactional_db):
    return join("ada")


def find_pages(person, config=None, queries=(HEAT, BEES)):
    return asyncio.run(
        find_saved_pages(person.tenant.pk, queries, config or ReportConfig(sources="web"), NOW)
    )


def test_a_page_fits_the_query_that_it_speaks_of_and_no_other(ada):
    with tenant_context(ada.tenant.pk):
        page = save_page()
    pages = find_pages(ada)
    assert pages[HEAT].documents == [page.pk]
    assert (pages[HEAT].saved.pages, pages[HEAT].saved.fresh) == (1, 1)
    assert pages[BEES].saved.pages == 0


def test_an_old_page_is_known_and_not_read(ada):
    with tenant_context(ada.tenant.pk):
        save_page(age_days=8)
    pages = find_pages(ada)[HEAT]
    assert (pages.saved.pages, pages.saved.fresh, pages.documents) == (1, 0, [])
    assert pages.saved.youngest >= timedelta(days=7)
    assert find_pages(ada, ReportConfig(sources="web", recency_bias="historical"))[HEAT].saved.fresh == 1


@pytest.mark.parametrize(
    "config", [{"excluded_domains": ["a.example"]}, {"published_from": "2025"}, {"languages": ["de"]}]
)
def test_a_page_that_the_run_may_not_read_does_not_count(ada, config):
    with tenant_context(ada.tenant.pk):
        save_page()
    assert find_pages(ada, ReportConfig(sources="web", **config))[HEAT].saved.pages == 0


def test_no_more_pages_are_taken_than_the_run_wants(ada):
    with tenant_context(ada.tenant.pk):
        for number in range(4):
            save_page(name=f"site{number}")
    pages = find_pages(ada, ReportConfig(sources="web", target_sources=2))[HEAT]
    assert (pages.saved.fresh, len(pages.documents)) == (4, 2)


def test_another_tenants_pages_are_nobodys_cache(ada):
    bob = join("bob")
    with tenant_context(ada.tenant.pk):
        save_page()
    assert find_pages(bob) == {}


def test_a_subtopic_is_covered_by_half_of_its_pages(ada):
    with tenant_context(ada.tenant.pk):
        save_page()
    pages = find_pages(ada)
    wants = [Subtopic(name=name, queries=["q"], target_sources=2) for name in ("heat", "bees")]
    assert coverage_of(pages, wants) == 0.5
    assert coverage_of(pages, wants[:1]) == 1
    assert coverage_of({}, wants) == 0
