"""Reading again, moving, renaming: the document changes its place, never what was read of it."""

import pytest
from django.contrib.auth.models import User

from research.db.tenancy import create_tenant, tenant_context
from research.library.change_library_documents import ChangeRefused, move_document, read_again, rename_folder
from research.library.library_folders import UPLOADS, WEB, BadFolderName, library_folders, upload_folder
from research.library.store_uploads import store_upload
from research.library.waiting_library_documents import select_waiting_uploads
from research.models import DocumentStatus, LibraryDocument, Run, Schedule
from tests.documents import add_upload
from tests.library.conftest import NOTES, RULES
from tests.library.reading import read_uploads

GOOD = RULES.encode()
OTHERS = "uploads/Others"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.current_app.send_task", lambda *_given, **_options: None)


def statuses() -> dict[str, str]:
    return {f"{row.folder}/{row.path}": row.status for row in LibraryDocument.objects.order_by("folder")}


def test_a_document_is_read_again(inside):
    row = add_upload("rules.md", GOOD)
    before = row.content
    read_again(row)
    assert list(select_waiting_uploads()) == [row]
    assert read_uploads(inside) == 1
    row.refresh_from_db()
    assert (row.status, row.content) == (DocumentStatus.READY, before)


def test_a_file_of_a_folder_is_read_as_it_is_now(tenant, import_now, rows, folder):
    import_now()
    (folder / "notes.txt").write_text("The boiler was replaced once more, in 2024, and runs well since then.")
    with tenant_context(tenant):
        read_again(LibraryDocument.objects.get(path="notes.txt"))
    assert read_uploads(tenant) == 1
    assert "2024" in rows()["notes.txt"].text


def test_what_an_import_has_still_to_read_is_not_a_workers(tenant):
    with tenant_context(tenant):
        LibraryDocument.objects.create(folder="/srv/papers", path="a.txt")
        assert not select_waiting_uploads().exists()


def test_pages_that_runs_saved_are_left_to_runs(inside):
    row = LibraryDocument.objects.create(folder=WEB, path="http://a.example/x", status="ready")
    with pytest.raises(ChangeRefused, match="Runs fetch this page again"):
        read_again(row)


def test_what_waits_already_is_not_asked_for_twice(inside):
    row = store_upload("rules.md", GOOD)
    read_again(row)
    assert row.status == DocumentStatus.PENDING


def test_a_document_moves_with_its_passages(inside):
    row = add_upload("rules.md", GOOD)
    passages = row.chunks.count()
    move_document(row, OTHERS)
    assert statuses() == {f"{OTHERS}/rules.md": "ready"}
    assert row.chunks.count() == passages


def test_a_name_that_is_taken_there_gets_a_number(inside):
    store_upload("rules.md", NOTES.encode(), OTHERS)
    row = add_upload("rules.md", GOOD)
    move_document(row, OTHERS)
    assert row.path == "rules (2).md"


def test_the_same_document_is_not_put_beside_itself(inside):
    store_upload("rules.md", GOOD, OTHERS)
    row = add_upload("rules.md", GOOD)
    with pytest.raises(ChangeRefused, match="already in that folder"):
        move_document(row, OTHERS)
    assert row.folder == UPLOADS


def test_what_was_a_copy_of_it_stands_on_its_own_afterwards(inside):
    first, _copy = add_upload("rules.md", GOOD), add_upload("more rules.md", GOOD)
    move_document(first, OTHERS)
    read_uploads(inside)
    assert statuses() == {f"{UPLOADS}/more rules.md": "ready", f"{OTHERS}/rules.md": "ready"}


def test_moved_beside_the_same_text_it_is_a_copy(inside):
    store_upload("others.md", GOOD, OTHERS)
    row = add_upload("rules.md", GOOD)
    read_uploads(inside)
    move_document(row, OTHERS)
    read_uploads(inside)
    assert statuses()[f"{OTHERS}/rules.md"] == "duplicate"


def test_files_of_a_folder_stay_where_they_lie(tenant, import_now):
    import_now()
    with tenant_context(tenant):
        row = LibraryDocument.objects.get(path="notes.txt")
        with pytest.raises(ChangeRefused, match="stay where they were found"):
            move_document(row, OTHERS)


def test_a_folder_is_renamed_with_all_that_is_in_it(inside):
    store_upload("rules.md", GOOD, OTHERS)
    store_upload("notes.md", NOTES.encode(), OTHERS)
    assert rename_folder(OTHERS, "Contracts") == "uploads/Contracts"
    assert [(folder.key, folder.documents) for folder in library_folders()] == [("uploads/Contracts", 2)]


def test_a_folder_may_be_spelled_otherwise(inside):
    store_upload("rules.md", GOOD, OTHERS)
    assert rename_folder(OTHERS, "OTHERS") == "uploads/OTHERS"
    assert [folder.key for folder in library_folders()] == ["uploads/OTHERS"]


def test_a_schedule_goes_on_asking_the_folder(inside):
    store_upload("rules.md", GOOD, OTHERS)
    config = {"folders": ["sample", OTHERS], "depth": "quick"}
    Schedule.objects.create(name="weekly", kind="report", topic="Again?", cron="0 6 * * 1", config=config)
    rename_folder(OTHERS, "Contracts")
    expected = {"folders": ["sample", "uploads/Contracts"], "depth": "quick"}
    assert Schedule.objects.get().config == expected


def test_a_run_goes_on_searching_the_folder(inside):
    owner = User.objects.create(username="ada")
    store_upload("rules.md", GOOD, OTHERS)
    run = Run.objects.create(owner=owner, topic="What is allowed?", config={"folders": [OTHERS]})
    rename_folder(OTHERS, "Contracts")
    run.refresh_from_db()
    assert run.config == {"folders": ["uploads/Contracts"]}


@pytest.mark.parametrize("key", [UPLOADS, "sample", "/srv/papers"])
def test_other_folders_keep_their_names(inside, key):
    LibraryDocument.objects.create(folder=key, path="a.txt")
    with pytest.raises(ChangeRefused, match="created here"):
        rename_folder(key, "Contracts")


def test_two_folders_do_not_become_one_by_their_names(inside):
    store_upload("rules.md", GOOD, OTHERS)
    store_upload("rules.md", GOOD, "uploads/Contracts")
    with pytest.raises(ChangeRefused, match="name already"):
        rename_folder(OTHERS, "contracts")


def test_a_folder_of_another_tenant_is_not_there(inside):
    store_upload("rules.md", GOOD, OTHERS)
    with tenant_context(create_tenant("others").pk), pytest.raises(ChangeRefused, match="no longer exists"):
        rename_folder(OTHERS, "Mine")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("", UPLOADS),
        (" Uploads ", UPLOADS),
        ("Contracts", "uploads/Contracts"),
        ("  two \u202e  words ", "uploads/two words"),
        ("..", UPLOADS),
        ("OTHERS", OTHERS),
        ("sample", "uploads/sample"),
    ],
)
def test_a_folder_is_known_by_what_a_person_types(inside, typed, key):
    store_upload("rules.md", GOOD, OTHERS)
    assert upload_folder(typed) == key


@pytest.mark.parametrize("typed", ["a/b", "..\\etc", "x" * 81])
def test_what_is_no_name_of_a_folder_is_refused(inside, typed):
    with pytest.raises(BadFolderName):
        upload_folder(typed)


def test_uploads_of_all_folders_count_together(inside, monkeypatch):
    from research.library.store_uploads import UploadRefused

    monkeypatch.setattr("research.library.store_uploads.MAX_LIBRARY", len(GOOD) + 10)
    store_upload("rules.md", GOOD, OTHERS)
    with pytest.raises(UploadRefused, match="the limit for uploads"):
        store_upload("notes.txt", NOTES.encode())
