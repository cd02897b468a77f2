"""A page that the workspace has from before needs no step of its own."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from research.acquisition.kept_pages import Copy, keep_copy
from research.library.embedding import NOTHING
from research.library.judging import Judge, judge_with
from research.library.manifests import Details
from research.library.preparing import Prepared, new_raw, prepare_bytes
from research.library.saved_pages import SavedPage, row_of_page
from research.library.sources import FoundPage, page_row
from research.lifecycle.recipe import Following, StepDraft, StepWork
from research.models import AgentRole, Item, Run, Source
from research.recipes.table.config import TableConfig
from research.recipes.table.fields import Field
from research.recipes.table.gathering.library import Found
from research.recipes.table.gathering.pages import as_kept
from research.recipes.table.gathering.web import follow_searched
from research.recipes.table.items.items import AskedItem
from research.tenancy import tenant_context
from tests.people import join

URL = "https://atlas.example/arden"
MORE = Following([StepDraft("fetch", "table.fetch_page", AgentRole.RESEARCHER)])
PAGE = f"<html><title>Arden</title><p>{'Marle is the capital of Arden. ' * 20}</p></html>".encode()


@pytest.fixture
def run(db):
    """Of a workspace that has read the page an hour ago."""
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        read = prepare_bytes(ada.tenant.pk, "page.html", new_raw(PAGE))
        assert isinstance(read, Prepared)
        SavedPage(URL, Details(), read).save(row_of_page(URL, "Arden").pk, NOTHING)
        keep(read.raw_key, hours=1)
        yield Run.objects.create(owner=ada.user, topic="Capitals")


def keep(key: str, hours: float) -> None:
    then = timezone.now() - timedelta(hours=hours)
    keep_copy(URL, Copy(URL, key, "text/html", "page.html", then))


def judge() -> Judge:
    return judge_with(TableConfig(fields=[Field(name="capital")]).recency_bias)


def found(run: Run, **columns: str) -> Source:
    return page_row(run.pk, FoundPage(URL, **columns), ())


def test_it_is_a_source_as_if_it_had_been_read_now(run: Run) -> None:
    source = as_kept(found(run), judge())
    assert source is not None
    assert (source.status, source.word_count, source.title) == ("processed", 120, "Arden")
    assert source.credibility is not None
    assert "Marle" in source.text


def test_it_is_fetched_where_it_is_old_or_another_copy_comes_first_or_nothing_was_kept(run: Run) -> None:
    known = as_kept(found(run), judge())
    assert known is not None
    assert known.content is not None
    key = known.content.raw_key
    assert as_kept(found(run, full_text="https://open.example/arden.pdf"), judge()) is None
    keep(key, hours=25)
    assert as_kept(found(run), judge()) is None
    keep(key.replace(key[-10:-3], "0000000"), hours=1)
    assert as_kept(found(run), judge()) is None


def test_items_share_it_and_it_counts_once(run: Run) -> None:
    rows = [Item.objects.create(run=run, index=number, input="Arden", prompt="Arden") for number in range(2)]
    each = [searched(run, row) for row in rows]
    ways = follow_searched(each)
    run.refresh_from_db()
    source = Source.objects.get(run=run)
    assert [list(way.children) for way in ways] == [[], []]
    assert run.sources_processed == 1
    assert list(Item.objects.filter(run=run).values_list("sources", flat=True)) == [[str(source.pk)]] * 2


def searched(run: Run, row: Item) -> Found:
    work = StepWork(uuid4(), run.pk, run.tenant_id, "2.collecting/search", "table.search_web", {}, 1, 1)
    item = AskedItem(
        row.pk, row.index, row.input, TableConfig(fields=[Field(name="capital")]), (), (), {}, True
    )
    source = as_kept(found(run), judge())
    assert source is not None
    return Found(
        work, item, [source], lambda stored: Following() if stored[0].status == "processed" else MORE
    )
