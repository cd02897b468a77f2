"""What is read for an item besides what a search finds, and sources that rows share."""

import pytest

from citations.models import Citation
from research.db.tenancy import tenant_context
from research.engine.states.step_failures import StepError
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import SavedPage
from research.library.prepare_library_documents import PreparedDocument, new_raw, prepare_bytes
from research.library.rate_library_source import Judge, judge_with
from research.library.retrieval.passage_embedding import NOTHING
from research.library.sources_from_library import FoundPage, refill_source
from research.models import Item, LibraryDocument, Run, Source, SourceStatus
from research.pipelines.table.filling.load_table_item_texts import load_texts
from research.pipelines.table.filling.store_table_cells import ItemRow, store_rows
from research.pipelines.table.finding.table_item_scope import is_about
from research.pipelines.table.gathering.search_library_for_table_item import (
    find_documents_by_title,
    find_missing_pages,
)
from research.pipelines.table.gathering.search_web_for_table_item import new_source, select_pages_to_read
from research.pipelines.table.gathering.store_table_sources import identify, store_sources
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.start_table import start_table
from research.pipelines.table.table_columns import TableField
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_refusals import TableRefused
from tests.people import join

URL = "https://atlas.example/arden"
PAGE = f"<html><title>Arden</title><p>{'Marle is the capital of Arden. ' * 20}</p></html>"


@pytest.fixture
def run(db):
    """Return a run of a workspace that has nothing read yet."""
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        yield Run.objects.create(owner=ada.user, topic="Capitals")


def judge() -> Judge:
    return judge_with(TableConfig(fields=[TableField(name="capital")]).recency_bias)


def find_page(run: Run) -> Source:
    """Return the page as a row that found it has it, neither read nor stored."""
    return identify(new_source(run.pk, FoundPage(URL), judge()), run.tenant_id)


def read_page(run: Run, text: str = PAGE) -> Source:
    """Return the page as a row that read it has it, not stored."""
    read = prepare_bytes(run.tenant_id, "page.html", new_raw(text.encode()))
    assert isinstance(read, PreparedDocument)
    row = SavedPage(URL, Details(), read).save(URL, "Arden", NOTHING)
    source = refill_source(find_page(run), row, (), status=SourceStatus.PROCESSED)
    source.tenant_id = run.tenant_id
    return source


def fail_page(run: Run) -> Source:
    source = find_page(run)
    source.status, source.error_code, source.error_message = SourceStatus.FAILED, "TIMEOUT", "Nothing came."
    return source


def test_rows_that_read_a_page_at_once_store_it_once(run: Run) -> None:
    rows = [Item.objects.create(run=run, index=number, input="Arden", prompt="Arden") for number in range(2)]
    store_rows([ItemRow(run.pk, make_asked_item(row), (), [read_page(run)]) for row in rows])
    run.refresh_from_db()
    source = Source.objects.get(run=run)
    assert (run.sources_processed, run.items_completed) == (1, 2)
    assert list(Item.objects.filter(run=run).values_list("sources", flat=True)) == [[str(source.pk)]] * 2


def test_a_page_that_one_row_could_not_read_and_another_could_is_read(run: Run) -> None:
    assert store_sources([read_page(run), fail_page(run)]) == 1
    assert store_sources([fail_page(run)]) == 0
    assert Source.objects.get(run=run).status == "processed"


def test_a_page_that_could_not_be_read_is_read_later(run: Run) -> None:
    assert store_sources([fail_page(run)]) == 0
    assert Source.objects.get(run=run).error_message == "Nothing came."
    assert store_sources([read_page(run)]) == 1
    source = Source.objects.get(run=run)
    assert (source.status, source.error_code, "Marle" in source.text) == ("processed", "", True)


def test_a_page_that_changed_between_two_rows_is_read_again(run: Run) -> None:
    store_sources([read_page(run)])
    with pytest.raises(StepError, match="has changed since") as raised:
        store_sources([read_page(run, PAGE.replace("Marle", "Port Marle"))])
    assert raised.value.retryable
    assert not Citation.objects.exists()


def test_a_page_that_is_the_item_itself_is_about_it(run: Run) -> None:
    [text] = load_texts(run.tenant_id, [read_page(run)]).texts
    assert is_about("https://www.atlas.example/arden/", text)


MUST = "https://lists.example/capitals"


def test_the_item_itself_and_what_must_be_read_come_from_the_library_or_else_from_the_web(run: Run) -> None:
    item = make_asked_item(Item(run=run, index=0, input="http://atlas.example/arden/"), urls=[MUST])
    assert find_missing_pages(item) == [MUST, item.input]
    LibraryDocument.objects.create(folder="f", path="a", url=URL, status="ready")
    assert [document.path for document in find_documents_by_title(item)] == ["a"]
    assert find_missing_pages(item) == [MUST]
    assert find_missing_pages(make_asked_item(Item(run=run, index=0, input="Arden"))) == []


def test_what_must_be_read_takes_no_place_of_what_is_found() -> None:
    others = [FoundPage(f"{MUST}/"), FoundPage(URL), FoundPage("https://other.example/")]
    pages = select_pages_to_read([MUST], others, 1)
    assert [(page.url, page.must_read) for page in pages] == [(MUST, True), (URL, False)]


def test_a_page_of_a_site_that_is_left_out_is_not_read_even_as_an_item(run: Run) -> None:
    LibraryDocument.objects.create(folder="f", path="a", url=URL, status="ready")
    item = make_asked_item(Item(run=run, index=0, input=URL), excluded_domains=["atlas.example"])
    assert (find_documents_by_title(item), find_missing_pages(item)) == ([], [])


def make_asked_item(row: Item, **settings: object) -> AskedItem:
    config = TableConfig.model_validate({"fields": [TableField(name="capital")], **settings})
    return AskedItem(row.pk, row.index, row.input, config, (), (), {}, True)


def test_a_table_that_must_read_what_cannot_be_had_is_refused(run: Run) -> None:
    with pytest.raises(TableRefused, match="has no copy of"):
        start_table(
            owner=run.owner,
            prompt="Capitals",
            inputs=["Arden"],
            fields=[TableField(name="capital")],
            config={"urls": [MUST], "sources": "library"},
        )
