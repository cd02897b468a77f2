"""Uploads: kept as they are, read like files, and held to the limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.db.tenancy import create_tenant, tenant_context
from research.library.library_folders import UPLOADS
from research.library.read_library_documents import read_document
from research.library.store_uploads import UploadRefused, count_uploaded_bytes, safe_name, store_upload
from research.models import Content, DocumentStatus, LibraryChunk, LibraryDocument
from research.storage.object_store import get_object, object_key
from tests.documents import add_upload
from tests.library.conftest import NOTES, RULES

GOOD = RULES.encode()


def test_an_upload_is_read(inside):
    row = add_upload("rules.md", GOOD)
    assert (row.folder, row.path, row.status) == (UPLOADS, "rules.md", DocumentStatus.READY)
    assert "eight characters" in row.text
    assert row.chunks.exists()


def test_an_upload_is_kept_byte_for_byte(inside):
    row = add_upload("rules.md", GOOD)
    assert get_object(object_key(inside, row.raw_sha256)) == GOOD


@pytest.mark.parametrize(("name", "data"), [("empty.txt", b""), ("cut.pdf", b"%PDF-1.4 and no more")])
def test_an_unreadable_upload_is_kept_with_its_reason(inside, name, data):
    row = add_upload(name, data)
    assert row.status == DocumentStatus.FAILED
    assert row.error_code
    assert name in row.error_message
    assert get_object(object_key(inside, row.raw_sha256)) == data


def test_what_the_database_refuses_is_said_and_keeps_no_other_document_waiting(inside, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("research.library.store_library_documents.EXTRACTOR", "x" * 500)
        row = add_upload("rules.md", GOOD)
    assert (row.status, row.error_code) == (DocumentStatus.FAILED, "unreadable")
    assert "could not be stored" in row.error_message
    assert add_upload("other.md", NOTES.encode()).status == DocumentStatus.READY


def test_the_same_file_again_is_the_same_document(inside):
    assert add_upload("rules.md", GOOD) == add_upload("rules.md", GOOD)
    assert LibraryDocument.objects.count() == 1


def test_another_file_of_the_same_name_gets_a_number(inside):
    add_upload("rules.md", GOOD)
    assert add_upload("rules.md", NOTES.encode()).path == "rules (2).md"
    assert add_upload("rules.md", b"Third words, which are others again.").path == "rules (3).md"


def test_the_same_text_under_another_name_is_a_copy(inside):
    first = add_upload("rules.md", GOOD)
    second = add_upload("more rules.md", GOOD)
    assert (second.status, second.duplicate_of) == (DocumentStatus.DUPLICATE, first)


def test_a_file_over_the_limit_is_refused(inside, monkeypatch):
    monkeypatch.setattr("research.library.store_uploads.MAX_FILE", len(GOOD) - 1)
    with pytest.raises(UploadRefused, match=r"rules\.md.*larger than"):
        add_upload("rules.md", GOOD)
    assert not LibraryDocument.objects.exists()


def test_a_full_library_takes_no_more(inside, monkeypatch):
    monkeypatch.setattr("research.library.store_uploads.MAX_LIBRARY", len(GOOD) + 10)
    add_upload("rules.md", GOOD)
    with pytest.raises(UploadRefused, match="the limit for uploads"):
        add_upload("notes.txt", NOTES.encode())
    assert count_uploaded_bytes() == len(GOOD)


def test_each_tenant_has_a_limit_of_its_own(inside, monkeypatch):
    monkeypatch.setattr("research.library.store_uploads.MAX_LIBRARY", len(GOOD) + 10)
    add_upload("rules.md", GOOD)
    with tenant_context(create_tenant("others").pk):
        assert add_upload("rules.md", GOOD).status == DocumentStatus.READY


def test_a_full_disk_refuses_the_upload_and_leaves_no_row(inside, monkeypatch):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("research.storage.object_store.os.fsync", full)
    with pytest.raises(UploadRefused, match="disk is full"):
        add_upload("rules.md", GOOD)
    assert not LibraryDocument.objects.exists()


def test_a_worker_can_read_what_was_only_stored(inside):
    row = store_upload("rules.md", GOOD)
    assert row.status == DocumentStatus.PENDING
    read_document(inside, row.pk)
    row.refresh_from_db()
    assert row.status == DocumentStatus.READY


def test_reading_twice_changes_nothing(inside):
    row = add_upload("rules.md", GOOD)
    before = list(row.chunks.order_by("chunk_index").values_list("start_offset", "text"))
    read_document(inside, row.pk)
    row.refresh_from_db()
    assert list(row.chunks.order_by("chunk_index").values_list("start_offset", "text")) == before
    assert Content.objects.count() == 1
    assert LibraryChunk.objects.count() == len(before)


def test_reading_what_was_removed_does_nothing(inside):
    row = store_upload("rules.md", GOOD)
    row.delete()
    read_document(inside, row.pk)
    assert not LibraryDocument.objects.exists()


def test_a_document_of_a_folder_is_read_again_with_its_manifest(tenant, import_now, rows, folder):
    import_now()
    (folder / "manifest.csv").write_text("file,title\ndeep/garden.html,The garden\n")
    read_document(tenant, rows()["deep/garden.html"].pk)
    assert rows()["deep/garden.html"].title == "The garden"


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ada\\rules.pdf", "rules.pdf"),
        ("", "file"),
        ("...", "file"),
        ("a\0b\n.txt", "ab.txt"),
        ("invoice\u202egpj.txt", "invoicegpj.txt"),
        ("  two   words .md", "two words .md"),
        (".htaccess", "htaccess"),
    ],
)
def test_a_name_is_made_harmless(given_name, kept):
    assert safe_name(given_name) == kept


@given(st.text(max_size=400))
def test_any_name_becomes_a_short_visible_one(name):
    safe = safe_name(name)
    assert 0 < len(safe) <= 150
    assert "/" not in safe
    assert not safe.startswith(".")
    assert safe_name(safe) == safe


def test_a_long_name_keeps_its_ending():
    assert safe_name("x" * 500 + ".pdf").endswith("x.pdf")
