"""Pages of the web that a table is filled from: a row fetches and reads them in its step, in one process."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from citations.models import Citation
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import Item, Queue, Run, Source, Step
from research.pipelines.table.table_step_names import TableStepName
from tests.fetching.site import Said, Site, serve_site
from tests.parsing.documents import Words, pdf, prose
from tests.tables.rows import begin, fill_table, statuses, values
from tests.tables.test_given_pages import CALDER, LANDS, MORE

BROKEN = Said(b"%PDF-1.7\nnothing of a document", kind="application/pdf")
WHOLE = Said(
    pdf([prose(MORE), [Words("Capital: Weir"), Words("Area: 12 km²", y=680)]], title="Calder"),
    kind="application/pdf",
)
SHORT = Said("<html lang='en'><title>Short</title><p>Three words only.</p></html>")


@pytest.fixture
def site() -> Iterator[Site]:
    """Without a search: what is read is what was named."""
    pages = {
        "/lands": Said(LANDS),
        "/calder": Said(CALDER),
        "/whole.pdf": WHOLE,
        "/broken.pdf": BROKEN,
        "/short": SHORT,
    }
    settings = {"PLUMBLINE_ALLOW_LOOPBACK": True, "PLUMBLINE_POLITENESS_MS": 0, "PLUMBLINE_PROVIDERS": ()}
    with serve_site(pages) as site, override_settings(**settings):
        close_fetch_process()
        yield site
        close_fetch_process()


def fill(account: PersonalAccount, *inputs: str, **config: object) -> Run:
    return fill_table(
        account, begin(account, "", *inputs, folders=[], sources="web", reviews="never", **config)
    )


def test_a_row_takes_one_step_which_no_other_process_has_a_part_in(
    account: PersonalAccount, site: Site
) -> None:
    run = fill(account, f"{site.base}/calder")
    with tenant_context(account.tenant_id):
        [step] = Step.objects.filter(run=run, key__contains="/item.")
    assert (step.handler, step.queue) == (TableStepName.FILL_ROW, Queue.AGENTS)
    [page] = step.output["pages"]
    assert (page["how"], page["media_type"]) == ("fetched", "text/html")
    assert page["words"] > 20
    assert step.output["cells"] == {"found": 2}


def test_a_page_that_was_read_before_is_not_fetched_again(account: PersonalAccount, site: Site) -> None:
    for _ in range(2):
        run = fill(account, f"{site.base}/calder")
    with tenant_context(account.tenant_id):
        step = Step.objects.get(run=run, handler=TableStepName.FILL_ROW)
        source = Source.objects.get(run=run)
    assert [page["how"] for page in step.output["pages"]] == ["kept"]
    assert site.asked.count("/calder") == 1
    assert (source.status, source.title, source.credibility is None) == ("processed", "A land", False)


def test_a_row_is_filled_from_the_pages_that_can_be_read(account: PersonalAccount, site: Site) -> None:
    run = fill(account, "Arden", urls=[f"{site.base}/lands", f"{site.base}/short"])
    assert values(run)["Arden"] == {"capital": "Port Arden", "area": 41_285}
    with tenant_context(account.tenant_id):
        assert sorted(Source.objects.filter(run=run).values_list("status", flat=True)) == [
            "failed",
            "processed",
        ]
        step = Step.objects.get(run=run, handler=TableStepName.FILL_ROW)
    assert [page.get("code") for page in step.output["pages"]] == [None, "EXTRACTION_FAILED"]


def test_what_is_found_in_a_pdf_has_its_place_on_the_page(account: PersonalAccount, site: Site) -> None:
    run = fill(account, f"{site.base}/whole.pdf")
    with tenant_context(account.tenant_id):
        citations = list(Citation.objects.filter(source__run=run))
    assert {citation.quote for citation in citations} == {"Capital: Weir", "Area: 12 km²"}
    assert {citation.page_number for citation in citations} == {2}
    assert all(citation.boxes for citation in citations)


@pytest.mark.parametrize("concurrency", [1, 2])
def test_items_share_a_page_that_is_fetched_and_counted_once(
    account: PersonalAccount, site: Site, concurrency: int
) -> None:
    run = fill(account, "Arden", "Brightsea", urls=[f"{site.base}/lands"], concurrency=concurrency)
    assert values(run)["Brightsea"] == {"capital": "Lanthorn", "area": 920}
    assert site.asked.count("/lands") == 1
    with tenant_context(account.tenant_id):
        assert Source.objects.filter(run=run, status="processed").count() == 1
    assert run.sources_processed == 1


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("/broken.pdf", "EXTRACTION_FAILED", "its end is missing"),
        ("/short", "EXTRACTION_FAILED", "The page has only"),
        ("/nowhere", "PAGE_NOT_FOUND", "404"),
    ],
)
def test_a_page_that_cannot_be_read_says_why(
    account: PersonalAccount, site: Site, path: str, code: str, words: str
) -> None:
    run = fill(account, f"{site.base}{path}")
    with tenant_context(account.tenant_id):
        [source] = Source.objects.filter(run=run)
        steps = list(Step.objects.filter(run=run, handler=TableStepName.FILL_ROW).order_by("step_index"))
        [item] = Item.objects.filter(run=run)
    assert (source.status, source.error_code) == ("failed", code)
    assert words in source.error_message
    assert [step.key for step in steps] == [
        "2.collecting/item.0",
        "2.collecting/item.0.1",
        "2.collecting/item.0.2",
    ]
    for step in steps:
        [page] = step.output["pages"]
        assert (page["code"], page["message"]) == (code, source.error_message)
        assert (step.status, step.output["code"]) == ("completed", "EXTRACTION_FAILED")
    assert statuses(run) == ["failed"]
    assert (item.error_code, item.retry_count) == ("EXTRACTION_FAILED", 2)
    assert item.error == f"Its only source could not be read. {source.error_message}"
