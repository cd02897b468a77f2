"""A folder becomes a library: nothing is read twice, and one bad file spoils no other."""

import os
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from research.db.tenancy import create_tenant, tenant_context
from research.library.import_library_folder import import_folder
from research.library.scan_library_folder import FolderError
from research.models import Content, DocumentStatus, LibraryChunk, LibraryDocument
from research.storage.object_store import get_object
from tests.library.conftest import NOTES, PAGE, RULES
from tests.parsing.documents import pdf, prose

ALL = ("deep/garden.html", "notes.txt", "rules.md")


def change(path: Path, text: str) -> None:
    """Also where the clock of the file system is coarse."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime + 5))


def test_every_document_of_a_folder_is_read(import_now, rows):
    report = import_now()
    assert report.imported == ALL
    assert {row.status for row in rows().values()} == {DocumentStatus.READY}
    assert report.chunks == sum(len(row.chunks.all()) for row in rows().values()) > 0


def test_the_text_is_frozen_with_its_bytes(import_now, rows, folder):
    import_now()
    content = rows()["rules.md"].content
    assert "at least eight characters" in content.text
    assert get_object(content.raw_key) == (folder / "rules.md").read_bytes()


def test_every_passage_is_a_slice_of_its_text_with_a_vector(import_now, rows):
    import_now()
    for row in rows().values():
        for chunk in row.chunks.all():
            assert chunk.text == row.content.text[chunk.start_offset : chunk.end_offset]
            assert len(chunk.embedding) == 384


def test_what_a_document_says_of_itself_is_kept(import_now, rows):
    import_now()
    assert rows()["deep/garden.html"].title == "Gardening notes"


def test_the_manifest_says_it_better(import_now, rows, folder):
    (folder / "manifest.csv").write_text(
        "file,title,url,author,published,licence\n"
        "deep/garden.html,The garden,https://csrc.nist.gov/garden,Ada,2017-06,CC0-1.0\n"
    )
    import_now()
    row = rows()["deep/garden.html"]
    assert (row.title, row.author, row.published_date, row.licence) == (
        "The garden",
        "Ada",
        "2017-06",
        "CC0-1.0",
    )
    assert row.source_type == "government"


def test_a_manifest_that_comes_later_needs_no_second_reading(import_now, rows, folder):
    import_now()
    (folder / "manifest.csv").write_text("file,title\nrules.md,House rules\n")
    assert import_now().unchanged == ALL
    assert rows()["rules.md"].title == "House rules"


def test_unchanged_files_are_not_read_again(import_now, rows, embedder):
    import_now()
    before, embedder.texts = {path: row.content_id for path, row in rows().items()}, []
    assert import_now().unchanged == ALL
    assert {path: row.content_id for path, row in rows().items()} == before
    assert embedder.texts == []


def test_unchanged_files_cost_no_query_each(import_now, folder, django_assert_num_queries):
    import_now()
    with CaptureQueriesContext(connection) as few:
        import_now()
    for number in range(4):
        (folder / f"more-{number}.txt").write_text(f"Report {number} counts {number} boilers in the cellar.")
    import_now()
    with django_assert_num_queries(len(few)):
        assert len(import_now().unchanged) == 7


def test_a_touched_file_is_the_same_file(import_now, folder):
    import_now()
    change(folder / "rules.md", RULES)
    assert import_now().unchanged == ALL


def test_a_changed_file_gets_a_new_text_and_the_old_one_stays(import_now, rows, folder, tenant):
    import_now()
    old = rows()["rules.md"].content_id
    change(folder / "rules.md", RULES + "\nAnd one more rule stands here.\n")
    assert import_now().imported == ("rules.md",)
    assert "one more rule" in rows()["rules.md"].content.text
    with tenant_context(tenant):
        assert "one more rule" not in Content.objects.get(pk=old).text


def test_of_a_changed_file_only_new_passages_are_embedded(import_now, folder, embedder):
    import_now()
    embedder.texts = []
    change(folder / "rules.md", RULES + "\n## More\n\nAnd one more rule stands here.\n")
    import_now()
    assert len(embedder.texts) == 1


def test_unchanged_files_are_read_again_when_asked_to(import_now):
    import_now()
    assert import_now(again=True).imported == ALL


def test_a_removed_file_keeps_its_row_and_is_out_of_the_way(import_now, rows, folder):
    import_now()
    (folder / "rules.md").unlink()
    assert import_now().missing == ("rules.md",)
    row = rows()["rules.md"]
    assert (row.status, row.error_code) == (DocumentStatus.FAILED, "missing")
    assert row.content is not None


def test_a_file_that_comes_back_is_ready_again(import_now, rows, folder):
    import_now()
    (folder / "rules.md").unlink()
    import_now()
    (folder / "rules.md").write_text(RULES)
    import_now()
    assert rows()["rules.md"].status == DocumentStatus.READY


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("empty.txt", b"", "empty"),
        ("blank.html", b"<html><body> </body></html>", "empty"),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<<", None),
        ("locked.pdf", pdf([prose("Secret words.")], encrypted=True), "encrypted"),
        ("program.txt", bytes(range(256)) * 20, "unsupported"),
        ("words.pdf", b"Only words, no PDF.", "unreadable"),
        ("cut.docx", b"PK\x03\x04 and no more", "truncated"),
    ],
)
def test_a_bad_file_is_named_with_its_reason_and_the_rest_goes_on(import_now, rows, folder, name, data, code):
    (folder / name).write_bytes(data)
    report = import_now()
    assert report.imported == ALL
    (problem,) = report.failed
    assert problem.path == name
    assert code in (None, problem.code)
    assert rows()[name].error_message == problem.message


def test_a_wrongly_named_file_is_read_for_what_it_is(import_now, rows, folder):
    (folder / "page.txt").write_text(PAGE.replace("Tomatoes", "Cucumbers"))
    import_now()
    assert rows()["page.txt"].content.media_type == "text/html"


def test_a_huge_file_is_refused_without_being_loaded(import_now, folder):
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(60_000_000)
    (problem,) = import_now().failed
    assert (problem.path, problem.code) == ("huge.txt", "too_large")


def test_a_file_that_may_not_be_opened_is_tried_again(import_now, folder, monkeypatch):
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refuse)
        assert {problem.code for problem in import_now().failed} == {"no_access"}
    assert import_now().imported == ALL


def test_a_bad_file_is_not_read_again_until_it_changes(import_now, folder):
    (folder / "empty.txt").write_bytes(b"")
    first, second = import_now(), import_now()
    assert first.failed == second.failed
    change(folder / "empty.txt", "Filled by now, with a sentence that can be read.")
    assert import_now().imported == ("empty.txt",)


def test_a_file_that_went_bad_keeps_what_was_read_before(import_now, rows, folder):
    import_now()
    change(folder / "rules.md", "")
    import_now()
    row = rows()["rules.md"]
    assert row.status == DocumentStatus.FAILED
    assert "eight characters" in row.content.text


def test_a_full_disk_fails_the_file_with_a_clear_message_and_the_next_import_reads_it(
    import_now, monkeypatch
):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("research.storage.object_store.os.fsync", full)
        report = import_now()
    assert all("disk is full" in problem.message for problem in report.failed)
    assert len(report.failed) == 3
    assert import_now().imported == ALL


def test_a_stopped_import_keeps_what_was_done_and_goes_on_later(import_now, rows):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_now(on_progress=stop)
    assert [row.status for row in rows().values()] == [
        DocumentStatus.READY,
        DocumentStatus.PENDING,
        DocumentStatus.PENDING,
    ]
    assert import_now().imported == ALL[1:]


def test_progress_is_told_after_each_document(import_now):
    told = []
    import_now(on_progress=told.append)
    assert [(step.done, step.total, step.path) for step in told] == [
        (1, 3, ALL[0]),
        (2, 3, ALL[1]),
        (3, 3, ALL[2]),
    ]


def test_a_missing_folder_changes_nothing(import_now, rows, folder, tenant):
    import_now()
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(FolderError):
        import_folder(tenant, folder)
    assert {row.status for row in rows().values()} == {DocumentStatus.READY}


def test_the_same_bytes_under_another_kind_of_name_are_another_reading(import_now, rows, folder):
    (folder / "rules.txt").write_text(RULES)
    import_now()
    for name in ("rules.md", "rules.txt"):
        row = rows()[name]
        assert all(
            each.text == row.content.text[each.start_offset : each.end_offset] for each in row.chunks.all()
        )


def test_two_tenants_share_nothing(import_now, folder, tenant):
    import_now()
    other = create_tenant("others").pk
    assert import_folder(other, folder).imported == ALL
    with tenant_context(other):
        assert LibraryDocument.objects.count() == 3
        assert not LibraryChunk.objects.exclude(tenant_id=other).exists()


def test_ensuring_gives_the_key_of_the_documents(tenant, folder, rows):
    key = import_folder(tenant, folder / "deep" / "..").folder
    assert {row.folder for row in rows().values()} == {key} == {str(folder)}


def test_an_unknown_letter_in_a_text_is_kept(import_now, rows, folder):
    (folder / "notes.txt").write_text(NOTES + "Größe 😀 matters here.", encoding="utf-8")
    import_now()
    assert "Größe 😀 matters" in rows()["notes.txt"].content.text
