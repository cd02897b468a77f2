"""A document is deleted: with all that nobody needs, and nothing that a run has read."""

import pytest
from django.utils import timezone

from citations.models import Citation, Claim, Section
from research.db.tenancy import create_tenant, tenant_context
from research.library.remove_library_documents import delete_document
from research.models import (
    Content,
    DocumentStatus,
    KeptPage,
    LibraryChunk,
    LibraryDocument,
    Run,
    Source,
    SourceStatus,
    State,
)
from research.storage.object_store import get_object, object_key
from tests.documents import add_upload
from tests.library.conftest import NOTES, RULES
from tests.library.reading import read_uploads
from tests.people import join

GOOD = RULES.encode()
QUOTE = "A password has at least eight characters."


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.current_app.send_task", lambda *_given, **_options: None)


def read_by_a_run(row: LibraryDocument, *, state: str = State.COMPLETED, **columns: str) -> Source:
    run = Run.objects.create(owner=join(f"of {state}").user, topic="What are the rules?", state=state)
    values = {"status": SourceStatus.PROCESSED, "canonical_url": f"library:uploads/{row.path}"} | columns
    return Source.objects.create(run=run, library_document=row, content=row.content, title=row.path, **values)


def cite(source: Source) -> Citation:
    section = Section.objects.create(run=source.run, index=1, heading="Rules")
    claim = Claim.objects.create(run=source.run, section=section, number=1, position=1, text=QUOTE)
    start = source.text.index(QUOTE)
    return Citation.objects.create(
        claim=claim, source=source, quote=QUOTE, start_offset=start, end_offset=start + len(QUOTE),
        match_type="exact",
    )  # fmt: skip


def test_what_nobody_read_goes_with_its_text(inside):
    row, other = add_upload("rules.md", GOOD), add_upload("notes.txt", NOTES.encode())
    deleted = delete_document(row.pk)
    assert deleted is not None
    assert (deleted.name, deleted.runs) == ("Rules", 0)
    assert list(LibraryDocument.objects.all()) == [other]
    assert list(Content.objects.all()) == [other.content]
    assert not LibraryChunk.objects.filter(document_id=row.pk).exists()


def test_what_a_report_cites_stays_readable_word_for_word(inside):
    row = add_upload("rules.md", GOOD)
    citation = cite(read_by_a_run(row, state=State.READING))
    deleted = delete_document(row.pk)
    assert deleted is not None
    assert deleted.runs == 1
    source = Source.objects.get(pk=citation.source_id)
    assert source.library_document is None
    assert source.text[citation.start_offset : citation.end_offset] == QUOTE
    assert get_object(object_key(inside, row.raw_sha256)) == GOOD


def test_a_text_that_another_document_has_stays_with_it(inside):
    row, copy = add_upload("rules.md", GOOD), add_upload("more rules.md", GOOD)
    delete_document(row.pk)
    read_uploads(inside)
    copy.refresh_from_db()
    assert (copy.status, copy.duplicate_of) == (DocumentStatus.READY, None)
    assert copy.chunks.exists()
    assert Content.objects.count() == 1


def test_a_run_under_way_says_what_it_could_not_read(inside):
    row = add_upload("rules.md", GOOD)
    waiting = read_by_a_run(row, state=State.READING, status=SourceStatus.PENDING)
    delete_document(row.pk)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.error_code) == (SourceStatus.FAILED, "removed")
    assert "removed from the library before it was read" in waiting.error_message


def test_a_page_leaves_no_copy_behind(inside):
    row = add_upload("rules.md", GOOD)
    KeptPage.objects.create(
        canonical_url="http://a.example/x",
        final_url="https://a.example/x",
        raw_key=object_key(inside, row.raw_sha256),
        media_type="text/html",
        name="page.html",
        fetched_at=timezone.now(),
    )
    delete_document(row.pk)
    assert not KeptPage.objects.exists()


def test_an_unreadable_document_can_be_deleted(inside):
    row = add_upload("cut.pdf", b"%PDF-1.4 and no more")
    assert delete_document(row.pk) is not None
    assert not LibraryDocument.objects.exists()


def test_deleting_twice_is_deleting_once(inside):
    row = add_upload("rules.md", GOOD)
    assert delete_document(row.pk) is not None
    assert delete_document(row.pk) is None


def test_another_tenants_document_is_not_there(inside):
    row = add_upload("rules.md", GOOD)
    with tenant_context(create_tenant("others").pk):
        assert delete_document(row.pk) is None
    assert LibraryDocument.objects.filter(pk=row.pk).exists()
