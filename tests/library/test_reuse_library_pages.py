"""Bytes that were read before give what reading would give, without reading."""

from dataclasses import replace
from uuid import UUID, uuid4

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepWork
from research.fetching.canonical_urls import canonical_url
from research.fetching.get_web_page import AcquiredPage
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import PageToSave, SavedPage, find_page_row, save_pages
from research.library.prepare_library_documents import PreparedDocument, PreparedPassage, new_raw
from research.library.rate_library_source import judge_of
from research.library.retrieval.passage_embedding import NOTHING, PassageVectors
from research.library.reuse_library_pages import find_known_reading, page_as_read
from research.models import Content, Kind, LibraryChunk, LibraryDocument, Run, Source
from research.parsing.chunking import cut
from research.parsing.parse_document import read
from research.parsing.parsed_document import BlockKind
from research.parsing.parsed_passage_chunks import chunk
from research.pipelines.table.gathering.fetch_table_item_pages import PageTarget, _extract_page
from research.pipelines.table.gathering.store_table_sources import store_read_sources
from research.pipelines.table.table_config import TableConfig

URL = "https://site.example/arden"
HTML = """<html lang="en"><head><title>Arden</title><meta name="author" content="Ada Lee"></head><body><article>
<h1>Arden</h1><p>Arden is a small land on the northern coast, and its capital has been Port Arden since 1848.</p>
<h2>Figures</h2><table><tr><th>Property</th><th>Value</th></tr><tr><td>Area</td><td>41,285 km²</td></tr></table>
<p style="display:none">Nobody sees these words.</p>
<p>The harbour was built in 1905 and has been widened twice, in the years after the great storm.</p>
</article></body></html>"""


def prepare_page(html: str = HTML) -> PreparedDocument:
    raw, made = new_raw(html.encode()), cut(read(html.encode(), "arden.html"))
    text = made.document.text
    passages = [PreparedPassage(one, text[one.start : one.end], f"hash {one.index}") for one in made.chunks]
    return PreparedDocument(
        raw.sha256, "key", len(raw.data), made.document, f"text of {raw.sha256[:8]}", made.minhash,
        tuple(passages), made.document.word_count,
    )  # fmt: skip


def save(read: PreparedDocument, vectors: PassageVectors = NOTHING, url: str = URL) -> LibraryDocument:
    return SavedPage(url, Details(title="As the search calls it"), read).save(url, "", vectors)


@pytest.fixture
def first_save(tenant: UUID):
    with tenant_context(tenant):
        yield save(prepare_page())


def test_what_was_read_comes_back_as_it_was(first_save):
    once, again = prepare_page(), find_known_reading(find_page_row(URL), prepare_page().raw_sha256)
    assert again is not None
    assert again.passages == once.passages
    assert (again.sha256, again.minhash, again.word_count) == (once.sha256, once.minhash, once.word_count)
    assert again.document == replace(once.document, url="")  # its own address counts when it is first saved
    assert again.document.blocks
    assert again.document.tables
    assert again.document.dropped
    assert again.document.blocks[0].kind is BlockKind.HEADING
    assert chunk(again.document) == [passage.draft for passage in once.passages]


def test_saving_it_again_changes_nothing(first_save):
    chunks = set(LibraryChunk.objects.values_list("pk", flat=True))
    again = find_known_reading(find_page_row(URL), prepare_page().raw_sha256)
    assert again is not None
    row = save(again)
    kept = (
        "url",
        "title",
        "author",
        "publisher",
        "published_date",
        "syndicated_from",
        "content_id",
        "status",
    )
    assert [getattr(row, name) for name in kept] == [getattr(first_save, name) for name in kept]
    assert set(LibraryChunk.objects.values_list("pk", flat=True)) == chunks


def test_other_bytes_another_address_and_another_reader_have_to_read(first_save):
    raw = prepare_page().raw_sha256
    assert page_as_read(URL, raw) == first_save
    assert page_as_read(URL, "0" * 64) is None
    assert find_known_reading(find_page_row("https://site.example/calder"), raw) is None
    other = Content.objects.create(raw_sha256=raw, extractor="plumbline 1", sha256="old", text="Old words.")
    LibraryDocument.objects.update(content=other)
    assert page_as_read(URL, raw) is None
    assert find_known_reading(find_page_row(URL), raw) is None


def test_a_copy_of_another_page_has_the_passages_of_that(first_save):
    copy = save(prepare_page(), url="https://copy.example/arden")
    assert copy.status == "duplicate"
    again = find_known_reading(find_page_row("https://copy.example/arden"), prepare_page().raw_sha256)
    assert again is not None
    assert again.passages == prepare_page().passages


def test_vectors_that_are_new_are_added_to_the_passages_that_stand(first_save):
    read = prepare_page()
    first = read.passages[0]
    one = np.ones(384, np.float32)
    before = list(first_save.chunks.order_by("chunk_index").values_list("pk", flat=True))
    save(read, PassageVectors("some-model", {first.text_hash: one}, {}))
    rows = list(first_save.chunks.order_by("chunk_index"))
    assert [row.pk for row in rows] == before
    assert rows[0].embedding_model == "some-model"
    assert np.allclose(rows[0].embedding, one)
    assert all(row.embedding is None and row.embedding_model == "" for row in rows[1:])
    save(read, PassageVectors("some-model", {}, {}))
    assert np.allclose(first_save.chunks.get(chunk_index=0).embedding, one)


def make_acquired_page(raw_sha256: str) -> AcquiredPage:
    key = f"objects/tenant/{raw_sha256[:2]}/{raw_sha256}.gz"
    return AcquiredPage(URL, key, "text/html", "arden.html", timezone.now(), was_kept=True)


def test_a_table_takes_a_page_that_was_read_before_as_it_is(first_save, tenant):
    run = Run.objects.create(kind=Kind.TABLE, topic="Lands", owner=User.objects.create_user("ada"))
    source = Source.objects.create(run=run, url=URL, canonical_url=canonical_url(URL), title="Found so")
    work = StepWork(uuid4(), run.pk, tenant, "1.planning/fetch", "table.fetch", {}, 1, 1)
    target = PageTarget(source, TableConfig(), judge_of(run.pk), {})
    read = _extract_page(work, make_acquired_page(prepare_page().raw_sha256), target)
    assert isinstance(read, Source)
    store_read_sources([read])
    source.refresh_from_db()
    assert (source.status, source.content_id, source.author) == (
        "processed",
        first_save.content_id,
        "Ada Lee",
    )
    assert source.credibility is not None
    run.refresh_from_db()
    assert run.sources_processed == 1


def test_a_page_taken_for_new_that_has_a_row_by_now_is_one_page(first_save):
    page = SavedPage(URL, Details(), prepare_page())
    [row] = save_pages([PageToSave(page, URL, "", NOTHING, is_new=True)])
    assert row.pk == first_save.pk
    assert LibraryDocument.objects.count() == Content.objects.count() == 1
    assert LibraryChunk.objects.filter(document=row).count() == len(prepare_page().passages)


def test_a_page_that_another_run_has_just_saved_is_one_page(first_save, monkeypatch):
    looks = iter(
        [[None], [find_page_row(URL)]]
    )  # the first look was before the other run's transaction ended
    monkeypatch.setattr(
        "research.library.pages_saved_in_library.find_page_rows", lambda *_, **__: next(looks)
    )
    row = save(prepare_page())
    assert row.pk == first_save.pk
    assert LibraryDocument.objects.count() == 1
    assert LibraryChunk.objects.filter(document=row).count() == len(prepare_page().passages)
