"""A page that the workspace has from before needs no step of its own."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Following, StepDraft, StepWork
from research.fetching.cached_web_pages import CachedPage, keep_copies
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import SavedPage
from research.library.prepare_library_documents import PreparedDocument, new_raw, prepare_bytes
from research.library.rate_library_source import Judge, judge_with
from research.library.retrieval.passage_embedding import NOTHING
from research.library.sources_from_library import FoundPage, page_row
from research.models import AgentRole, Item, LibraryDocument, Run, Source
from research.pipelines.table.filling.load_table_item_texts import text_of
from research.pipelines.table.finding.table_item_scope import is_about
from research.pipelines.table.gathering.fetch_table_item_pages import as_kept
from research.pipelines.table.gathering.search_library_for_table_item import (
    GatheredSources,
    find_documents_by_title,
    find_missing_pages,
    next_step,
)
from research.pipelines.table.gathering.search_web_for_table_item import follow_searched, select_pages_to_read
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.start_table import start_table
from research.pipelines.table.table_columns import TableField
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_refusals import TableRefused
from research.pipelines.table.table_step_names import TableStepName
from tests.people import join

URL = "https://atlas.example/arden"
MORE = Following([StepDraft("fetch", "table.fetch_page", AgentRole.RESEARCHER)])
PAGE = f"<html><title>Arden</title><p>{'Marle is the capital of Arden. ' * 20}</p></html>".encode()


@pytest.fixture
def run(db):
    """Return a run of a workspace that has read the page an hour ago."""
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        read = prepare_bytes(ada.tenant.pk, "page.html", new_raw(PAGE))
        assert isinstance(read, PreparedDocument)
        SavedPage(URL, Details(), read).save(URL, "Arden", NOTHING)
        keep(read.raw_key, hours=1)
        yield Run.objects.create(owner=ada.user, topic="Capitals")


def keep(key: str, hours: float) -> None:
    then = timezone.now() - timedelta(hours=hours)
    keep_copies([(URL, CachedPage(URL, key, "text/html", "page.html", then))])


def judge() -> Judge:
    return judge_with(TableConfig(fields=[TableField(name="capital")]).recency_bias)


def find_page(run: Run, **columns: str) -> Source:
    return page_row(run.pk, FoundPage(URL, **columns), ())


def test_it_is_a_source_as_if_it_had_been_read_now(run: Run) -> None:
    source = as_kept(find_page(run), judge())
    assert source is not None
    assert (source.status, source.word_count, source.title) == ("processed", 120, "Arden")
    assert source.credibility is not None
    assert "Marle" in source.text


def test_it_is_fetched_where_it_is_old_or_another_copy_comes_first_or_nothing_was_kept(run: Run) -> None:
    known = as_kept(find_page(run), judge())
    assert known is not None
    assert known.content is not None
    key = known.content.raw_key
    assert as_kept(find_page(run, full_text="https://open.example/arden.pdf"), judge()) is None
    keep(key, hours=25)
    assert as_kept(find_page(run), judge()) is None
    keep(key.replace(key[-10:-3], "0000000"), hours=1)
    assert as_kept(find_page(run), judge()) is None


def test_items_share_it_and_it_counts_once(run: Run) -> None:
    rows = [Item.objects.create(run=run, index=number, input="Arden", prompt="Arden") for number in range(2)]
    each = [search_for_item(run, row) for row in rows]
    ways = follow_searched(each)
    run.refresh_from_db()
    source = Source.objects.get(run=run)
    assert [list(way.children) for [way] in ways] == [[], []]
    assert run.sources_processed == 1
    assert list(Item.objects.filter(run=run).values_list("sources", flat=True)) == [[str(source.pk)]] * 2


def test_a_search_that_opens_further_lanes_is_followed_by_their_items_too(run: Run) -> None:
    rows = [Item.objects.create(run=run, index=number, input="Arden", prompt="Arden") for number in range(4)]
    Item.objects.filter(index__lt=2).update(status="running")
    lanes = [
        replace(gathered, work=replace(gathered.work, input={"opens": more}))
        for gathered, more in zip([search_for_item(run, row) for row in rows[:2]], (2, 0), strict=True)
    ]
    own, others = follow_searched(lanes)
    assert [step.input for way in own for step in way.children] == [{"item": 2, "name": "item.2", "opens": 1}]
    assert [step.input for way in others for step in way.children] == []
    assert list(Item.objects.order_by("index").values_list("status", flat=True)) == [
        *["running"] * 3,
        "pending",
    ]


def test_a_page_that_is_the_item_itself_is_about_it(run: Run) -> None:
    source = as_kept(find_page(run), judge())
    assert source is not None
    assert source.content is not None
    assert is_about("https://www.atlas.example/arden/", text_of(source, source.content))


MUST = "https://lists.example/capitals"


def test_the_item_itself_and_what_must_be_read_come_from_the_library_or_else_from_the_web(run: Run) -> None:
    item = make_asked_item(Item(run=run, index=0, input="http://atlas.example/arden/"), urls=[MUST])
    assert find_missing_pages(item) == [MUST, item.input]
    LibraryDocument.objects.create(folder="f", path="a", url=URL, status="ready")
    assert [document.path for document in find_documents_by_title(item)] == ["a"]
    assert find_missing_pages(item) == [MUST]
    assert find_missing_pages(make_asked_item(Item(run=run, index=0, input="Arden"))) == []


def test_the_web_is_asked_for_what_must_be_read_whatever_the_library_has(run: Run) -> None:
    item = make_asked_item(Item(run=run, index=0, input="Arden"), sources="both")
    steps = [next_step(item, "item.0", is_enough=is_enough).handler for is_enough in (False, True)]
    assert steps == [TableStepName.SEARCH_WEB, TableStepName.FILL_CELLS]


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


def search_for_item(run: Run, row: Item) -> GatheredSources:
    work = StepWork(uuid4(), run.pk, run.tenant_id, "2.collecting/search", "table.search_web", {}, 1, 1)
    item = make_asked_item(row)
    source = as_kept(find_page(run), judge())
    assert source is not None
    return GatheredSources(
        work, item, [source], lambda stored: Following() if stored[0].status == "processed" else MORE
    )


def test_a_table_that_must_read_what_cannot_be_had_is_refused(run: Run) -> None:
    with pytest.raises(TableRefused, match="has no copy of"):
        start_table(
            owner=run.owner,
            prompt="Capitals",
            inputs=["Arden"],
            fields=[TableField(name="capital")],
            config={"urls": [MUST], "sources": "library"},
        )
