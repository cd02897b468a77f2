"""Works of scholars in a report: read in the copy that is open to all, where one is known; else at their page."""

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.test import override_settings

from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import Kind, Source, SourceStatus, Step
from research.pipelines.pipeline_in_foreground import ask
from tests.fetching.site import Said, Site, serve_site
from tests.pipelines.conftest import QUESTION
from tests.pipelines.test_web_report import ANSWER, GUIDE, TRIAL, article
from tests.search.apis import openalex
from tests.search.apis.server import Call, run_server
from tests.search.outside.asking import program

THESIS = article(
    "Boilers of the north",
    "This thesis counts the boilers of eleven towns in the north, and asks their owners what they would rather have.",
    "Nine of ten owners would rather have a heat pump, if the subsidy covered at least 30 percent of its cost.",
)
SHUT = Said("Please pay.", 402)
DOI = "10.5555/policy.guide"


def work(name: str, base: str, *, doi: str | None = None, copy: str | None = None) -> dict[str, object]:
    """Return a work as OpenAlex has it."""
    best = {"pdf_url": f"{base}/{copy}"} if copy else None
    return {
        "id": f"https://openalex.org/{name}", "doi": doi, "display_name": name, "publication_date": "2024-03-01",
        "primary_location": {"landing_page_url": f"{base}/{name}"}, "best_oa_location": best, "open_access": {},
    }  # fmt: skip


@pytest.fixture(scope="module")
def index() -> Iterator[Site]:
    """OpenAlex, that knows three works of one site: the first is open, of the second a copy is, the third is shut."""
    pages = {"/trial": TRIAL, "/guide": SHUT, "/copy": GUIDE, "/shut": SHUT, "/thesis": THESIS}
    with ExitStack() as stack:
        site = stack.enter_context(serve_site(pages))
        works = [
            work("trial", site.base),
            work("guide", site.base, copy="copy"),
            work("shut", site.base, copy="gone"),
        ]

        def says(call: Call) -> Said:
            if call.path.lower() == f"/works/doi:{DOI.replace('/', '%2f')}":
                return Said(json.dumps(work("x", site.base, doi=DOI, copy="thesis")), kind="application/json")
            return openalex.answer(call, works)

        alex = stack.enter_context(run_server(says))
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True,
                PLUMBLINE_POLITENESS_MS=0,
                PLUMBLINE_PROVIDERS=("openalex", "mcp:one"),
                PLUMBLINE_PROVIDER_URLS={"openalex": alex.base},
                PLUMBLINE_MCP_SERVERS={"one": program("odd_server.py", "gone")},
            )
        )
        close_fetch_process()
        yield site
        close_fetch_process()


@pytest.fixture(scope="module")
def report(account: PersonalAccount, index: Site) -> Document:
    return ask(account, Kind.REPORT, QUESTION, {"sources": "web"})


@pytest.fixture
def sources(report: Document, account: PersonalAccount) -> dict[str, Source]:
    with tenant_context(account.tenant_id):
        return {row.url.rpartition("/")[2]: row for row in Source.objects.filter(run=report.run_id)}


def test_the_open_copy_of_a_work_is_read_and_cited(report, sources, index):
    assert report.claims[0].text == ANSWER
    assert (sources["guide"].status, sources["guide"].final_url) == (
        SourceStatus.PROCESSED,
        f"{index.base}/copy",
    )
    assert "/guide" not in index.asked


def test_a_work_without_a_copy_is_read_at_its_page(sources, index):
    assert (sources["trial"].status, sources["trial"].final_url) == (
        SourceStatus.PROCESSED,
        f"{index.base}/trial",
    )


def test_a_work_whose_copy_is_gone_fails_with_what_its_page_said(sources):
    assert (sources["shut"].status, sources["shut"].error_code) == (SourceStatus.FAILED, "PAYWALL")


def test_a_tool_of_others_that_fails_is_named_in_the_log(report, account):
    with tenant_context(account.tenant_id):
        searches = Step.objects.filter(run=report.run_id, handler="report.web_search")
        skipped = [one for step in searches for one in step.output["skipped"]]
    assert {one["provider"] for one in skipped} == {"mcp:one"}


def test_a_doi_that_must_be_read_and_leads_nowhere_is_read_in_the_copy_that_is_known(account, index):
    address = f"https://doi.org/{DOI}"
    document = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "urls": [address]})
    with tenant_context(account.tenant_id):
        source = Source.objects.get(run=document.run_id, url=address)
    assert (source.status, source.final_url) == (SourceStatus.PROCESSED, f"{index.base}/thesis")


def test_a_work_is_academic_though_its_address_does_not_tell(account, index):
    document = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "source_types": ["academic"]})
    with tenant_context(account.tenant_id):
        source = Source.objects.get(run=document.run_id, url=f"{index.base}/trial")
    assert (source.status, source.source_type) == (SourceStatus.PROCESSED, "academic")
