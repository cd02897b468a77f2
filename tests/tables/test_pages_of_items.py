"""Pages of the web that a table is filled from: each is fetched and read by one step, in the process that fetches."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import Item, Queue, Run, Source, Step
from research.pipelines.table.table_step_names import TableStepName
from tests.fetching.site import Said, Site, serve_site
from tests.tables.rows import begin, fill_table, statuses, values
from tests.tables.test_given_pages import CALDER, LANDS

BROKEN = Said(b"%PDF-1.7\nnothing of a document", kind="application/pdf")
SHORT = Said("<html lang='en'><title>Short</title><p>Three words only.</p></html>")


@pytest.fixture
def site() -> Iterator[Site]:
    """Without a search: what is read is what was named."""
    pages = {"/lands": Said(LANDS), "/calder": Said(CALDER), "/broken.pdf": BROKEN, "/short": SHORT}
    settings = {"PLUMBLINE_ALLOW_LOOPBACK": True, "PLUMBLINE_POLITENESS_MS": 0, "PLUMBLINE_PROVIDERS": ()}
    with serve_site(pages) as site, override_settings(**settings):
        close_fetch_process()
        yield site
        close_fetch_process()


def fill(account: PersonalAccount, *inputs: str, **config: object) -> Run:
    return fill_table(
        account, begin(account, "", *inputs, folders=[], sources="web", reviews="never", **config)
    )


def test_a_page_takes_one_step_which_no_other_process_has_a_part_in(
    account: PersonalAccount, site: Site
) -> None:
    run = fill(account, f"{site.base}/calder")
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=run, key__contains="/item.")
        found = sorted(steps.values_list("handler", "queue"))
        fetched = steps.get(handler=TableStepName.FETCH_PAGE)
    assert found == [
        (TableStepName.END_ITEM, Queue.AGENTS),
        (TableStepName.FETCH_PAGE, Queue.AGENTS),
        (TableStepName.FIND_CELLS, Queue.READING),
        (TableStepName.SEARCH_WEB, Queue.AGENTS),
    ]
    assert (fetched.output["how"], fetched.output["media_type"]) == ("fetched", "text/html")
    assert fetched.output["words"] > 20


def test_items_share_a_page_that_is_fetched_and_counted_once(account: PersonalAccount, site: Site) -> None:
    run = fill(account, "Arden", "Brightsea", urls=[f"{site.base}/lands"], concurrency=1)
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
        [step] = Step.objects.filter(run=run, handler=TableStepName.FETCH_PAGE).exclude(status="skipped")[:1]
        [item] = Item.objects.filter(run=run)
    assert (source.status, source.error_code) == ("failed", code)
    assert words in source.error_message
    assert (step.status, step.output["code"], step.output["message"]) == (
        "completed",
        code,
        source.error_message,
    )
    assert statuses(run) == ["failed"]
    assert item.error == f"Its only source could not be read. {source.error_message}"
