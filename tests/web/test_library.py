"""The library: what was read of each document, and uploads of which one bad file spoils none."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from research.library.reading import read_uploads
from research.library.uploads import MOST_FILES
from research.models import LibraryDocument
from research.tenancy import tenant_context
from tests.documents import add_upload
from tests.web import pages

GOOD = b"# Rules\n\nA password has at least eight characters, and it is never sent by mail.\n"


def file(name: str = "rules.md", data: bytes = GOOD) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    """Messages are the workers' affair; tests/library/test_waiting.py asks what becomes of them."""
    monkeypatch.setattr("research.library.waiting._send", lambda _tenant_id: None)


def upload(client, *files):
    return pages.words(client.post("/library/", {"documents": list(files)}, follow=True))


def documents_of(person):
    with tenant_context(person.tenant.pk):
        return {row.path: row for row in LibraryDocument.objects.select_related("content")}


def test_an_empty_library_says_how_to_begin(client):
    assert "The library is empty." in pages.words(client.get("/library/"))


def test_an_uploaded_file_is_listed_while_it_waits_to_be_read(client):
    assert "1 file was added; it is being read." in upload(client, file())
    assert pages.tree(client.get("/library/")).xpath("//*[@id='document-list']/@hx-trigger") == ["every 2s"]


def test_the_list_stops_asking_when_everything_is_read(client, ada):
    upload(client, file())
    read_uploads(ada.tenant.pk)
    shown = client.get("/library/")
    assert "Ready" in pages.words(shown)
    assert pages.tree(shown).xpath("//*[@id='document-list']/@hx-trigger") == []


def test_an_uploaded_file_is_read_as_it_is(client, ada):
    upload(client, file())
    read_uploads(ada.tenant.pk)
    assert "eight characters" in documents_of(ada)["rules.md"].content.text


def test_one_bad_file_does_not_keep_the_others_out(client, ada):
    upload(client, file("broken.pdf", b"%PDF-1.4 and no more"), file("empty.txt", b""), file())
    assert read_uploads(ada.tenant.pk) == 3
    statuses = {path: row.status for path, row in documents_of(ada).items()}
    assert statuses == {"broken.pdf": "failed", "empty.txt": "failed", "rules.md": "ready"}


def test_the_list_says_why_a_document_cannot_be_read(client, ada):
    upload(client, file("broken.pdf", b"%PDF-1.4 and no more"))
    read_uploads(ada.tenant.pk)
    page = pages.words(client.get("/library/"))
    assert "Not readable" in page
    assert "1 not readable" in page


def test_no_file_is_a_mistake_in_the_form(client):
    response = client.post("/library/", {})
    assert response.status_code == 422
    assert pages.tree(response).xpath("//*[@id='error-summary']")


def test_a_file_that_is_too_large_is_refused_and_the_rest_goes_on(client, ada, monkeypatch):
    monkeypatch.setattr("research.library.uploads.LARGEST_FILE", 100)
    page = upload(client, file("large.txt", b"word " * 100), file())
    assert "“large.txt” is larger than" in page
    assert list(documents_of(ada)) == ["rules.md"]


def test_more_files_than_allowed_are_counted_out(client, ada):
    page = upload(client, *(file(f"{n}.md", GOOD + b"%d" % n) for n in range(MOST_FILES + 2)))
    assert "2 files were left out: at most 20 at once." in page
    assert len(documents_of(ada)) == MOST_FILES


def test_far_too_many_files_are_refused_in_words(client, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 3
    response = client.post("/library/", {"documents": [file(f"{n}.md") for n in range(4)]})
    assert response.status_code == 413
    assert "That is too much at once" in pages.words(response)


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b\\c.md", "<script>.md", "\u202egpj.md"])
def test_a_files_name_is_only_a_name(client, ada, name):
    page = client.post("/library/", {"documents": [file(name)]}, follow=True).content.decode()
    assert "<script>.md" not in page
    assert all("/" not in path and "\\" not in path for path in documents_of(ada))


def test_documents_are_searched_filtered_and_chosen_by_folder(client, ada):
    with tenant_context(ada.tenant.pk):
        add_upload("rules.md", GOOD)
        LibraryDocument.objects.create(folder="sample", path="x.txt", status="pending")
    shown = "//table//tbody/tr"
    assert len(pages.tree(client.get("/library/")).xpath(shown)) == 2
    assert len(pages.tree(client.get("/library/?q=RULES")).xpath(shown)) == 1
    assert len(pages.tree(client.get("/library/?folder=sample")).xpath(shown)) == 1
    assert len(pages.tree(client.get("/library/?status=pending")).xpath(shown)) == 1
    assert "No document matches this filter." in pages.words(client.get("/library/?q=zzz"))


def test_a_folder_says_how_many_of_its_documents_are_ready(client, ada):
    with tenant_context(ada.tenant.pk):
        LibraryDocument.objects.create(folder="sample", path="x.txt", status="ready")
        LibraryDocument.objects.create(folder="sample", path="y.txt", status="pending")
    page = pages.words(client.get("/library/"))
    assert "Sample library" in page
    assert "1 of 2 ready · 1 being read" in page
