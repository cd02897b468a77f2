"""Rows of sources and chunks, as recipes and tools both make them."""

import pytest

from citations.models import DomainRule
from research.agents.tools.evidence.register_agent_sources import (
    RegistryFull,
    register_source,
    register_unread,
)
from research.db.tenancy import tenant_context
from research.library.library_folders import WEB
from research.library.sources_from_library import FoundPage, chunk_rows, page_row, source_row
from research.models import LibraryChunk, LibraryDocument, Run, Source, SourceStatus
from tests.tools.conftest import limits


@pytest.fixture
def document(hand, library):
    with tenant_context(hand.tenant_id):
        yield LibraryDocument.objects.select_related("content").get(
            folder=library, title="Building Policy Guide 2.0"
        )


def test_a_recipe_says_what_becomes_of_a_source_and_what_it_is_for(hand, document):
    rules = DomainRule.objects.as_rules()
    row = source_row(hand.run_id, document, rules, status=SourceStatus.PENDING, subtopic="Subsidies")
    row.save()
    assert (row.status, row.subtopic, row.content_id) == ("pending", "Subsidies", document.content_id)
    assert (row.domain, row.author, row.published_date) == ("policy.example", "Ministry", "2023-05-01")
    assert row.canonical_url == f"library:{document.folder}/{document.path}"


def test_what_was_not_read_is_no_source(hand):
    with tenant_context(hand.tenant_id), pytest.raises(ValueError, match="has not been read"):
        source_row(hand.run_id, LibraryDocument(folder="f", path="a.pdf"), [])


def test_a_saved_page_is_the_source_of_its_address(hand, document):
    saved = LibraryDocument(
        folder=WEB, path="http://x.example/a", content=document.content, url="https://x.example/a"
    )
    assert source_row(hand.run_id, saved, []).canonical_url == "http://x.example/a"


def test_chunks_say_what_their_passages_say(hand, document):
    source = register_source(hand.run_id, document)
    passages = list(LibraryChunk.objects.filter(document=document))
    rows = chunk_rows(source, passages, first=7)
    assert [(row.chunk_index, row.text, row.start_offset) for row in rows] == [
        (7 + place, one.text, one.start_offset) for place, one in enumerate(passages)
    ]
    assert all(list(one.embedding) == list(of.embedding) for one, of in zip(rows, passages, strict=True))


def test_a_page_is_pending_until_it_is_read(hand):
    page = FoundPage("https://www.who.int/a?utm_source=x", "A", "2024-05-06T10:00", "Health", 0.5)
    row = page_row(hand.run_id, page, [])
    assert (row.canonical_url, row.domain, row.published_date) == (
        "http://who.int/a",
        "who.int",
        "2024-05-06",
    )
    assert (row.status, row.relevance_score, row.subtopic) == ("pending", 0.5, "Health")


def test_why_a_page_was_not_read_is_written_down_once(hand):
    with tenant_context(hand.tenant_id):
        for code in ("TIMEOUT", "BLOCKED"):
            register_unread(hand.run_id, FoundPage("http://x.example/a"), code, f"It was {code}.")
        [row] = Source.objects.filter(run_id=hand.run_id)
        assert (row.error_code, Run.objects.get(pk=hand.run_id).sources_found) == ("BLOCKED", 1)


def test_what_was_read_does_not_fail_later(hand, document):
    source = register_source(hand.run_id, document)
    with limits(sources=1), pytest.raises(RegistryFull):
        register_unread(hand.run_id, FoundPage("http://x.example/b"), "TIMEOUT", "It took too long.")
    Source.objects.filter(pk=source.pk).update(canonical_url="http://x.example/c")
    register_unread(hand.run_id, FoundPage("http://x.example/c"), "TIMEOUT", "It took too long.")
    source.refresh_from_db()
    assert (source.status, source.error_code) == (SourceStatus.EXTRACTED, "")
