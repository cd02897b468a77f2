"""The library: what was read of each document, and uploads of which one bad file spoils none."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from research.db.tenancy import tenant_context
from research.library.store_uploads import MAX_FILES
from research.models import LibraryDocument, Role
from research.parsing.vectors.embed_texts import HashEmbedder
from tests.documents import add_upload
from tests.library.reading import read_uploads
from tests.people import join
from tests.web import pages

GOOD = b"# Rules\n\nA password has at least eight characters, and it is never sent by mail.\n"


def file(name: str = "rules.md", data: bytes = GOOD) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    """Messages are the workers' affair; tests/library/test_waiting.py asks what becomes of them."""
    monkeypatch.setattr("celery.current_app.send_task", lambda *_given, **_options: None)
    monkeypatch.setattr(
        "research.library.import_library_documents.library_embedder", lambda **_: HashEmbedder()
    )


def upload(client, *files, folder=""):
    sent = {"documents": list(files), "folder": folder}
    return pages.words(client.post("/library/", sent, follow=True))


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
    monkeypatch.setattr("research.library.store_uploads.MAX_FILE", 100)
    page = upload(client, file("large.txt", b"word " * 100), file())
    assert "“large.txt” is larger than" in page
    assert list(documents_of(ada)) == ["rules.md"]


def test_more_files_than_allowed_are_counted_out(client, ada):
    page = upload(client, *(file(f"{n}.md", GOOD + b"%d" % n) for n in range(MAX_FILES + 2)))
    assert "2 files were left out: at most 20 at once." in page
    assert len(documents_of(ada)) == MAX_FILES


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


def test_a_folder_says_how_many_documents_it_has_and_which_are_not_ready(client, ada):
    with tenant_context(ada.tenant.pk):
        LibraryDocument.objects.create(folder="sample", path="x.txt", status="ready")
        LibraryDocument.objects.create(folder="sample", path="y.txt", status="pending")
    page = pages.words(client.get("/library/"))
    assert "Sample library 2 1 being read" in page


def test_files_go_into_the_folder_that_was_named(client, ada):
    page = upload(client, file(), folder="Contracts")
    assert {row.folder for row in documents_of(ada).values()} == {"uploads/Contracts"}
    assert "Contracts 1 1 being read" in page
    assert "Rename this folder" in page


def test_a_bad_name_for_a_folder_loses_nothing_and_stores_nothing(client, ada):
    response = client.post("/library/", {"documents": [file()], "folder": "a/b"})
    assert response.status_code == 422
    assert pages.tree(response).xpath("//*[@id='error-summary']//a/@href") == ["#upload_folder"]
    assert "a/b" in response.content.decode()
    assert documents_of(ada) == {}


def test_files_that_are_sent_one_by_one_get_an_answer_each(client, ada, monkeypatch):
    monkeypatch.setattr("research.library.store_uploads.MAX_FILE", 100)
    one = {"documents": [file()], "folder": "Contracts"}
    answer = client.post("/library/", one, headers={"HX-Request": "true"})
    assert pages.fold_spaces(pages.words(answer)) == "Added; it is being read."
    assert pages.tree(answer).xpath("//@data-list") == ["/library/?folder=uploads%2FContracts"]
    large = {"documents": [file("large.txt", b"word " * 100)], "folder": ""}
    assert "was not stored" in pages.words(client.post("/library/", large, headers={"HX-Request": "true"}))
    bad = {"documents": [file()], "folder": "a/b"}
    assert client.post("/library/", bad, headers={"HX-Request": "true"}).status_code == 422


def test_pages_are_added_by_their_addresses(client, ada):
    given = {"addresses": "example.org/trial\n\nhttps://example.org/costs", "folder": "Web"}
    page = pages.words(client.post("/library/pages/", given, follow=True))
    assert "2 pages were added; they are being fetched and read." in page
    assert {(row.folder, row.url, row.status) for row in documents_of(ada).values()} == {
        ("uploads/Web", "https://example.org/trial", "pending"),
        ("uploads/Web", "https://example.org/costs", "pending"),
    }


def test_a_page_that_is_there_already_is_named_with_its_folder(client):
    client.post("/library/pages/", {"addresses": "example.org/trial", "folder": "Web"})
    page = pages.words(client.post("/library/pages/", {"addresses": "example.org/trial"}, follow=True))
    assert "is already in the library, in the folder “Web”." in page


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Paste the address of a page."),
        ("http://10.0.0.7/secret", "not on the public internet"),
        ("http://printer.local/", "belong to a local network"),
        ("ftp://example.org/x", "must begin with http"),
        ("\n".join(f"example.org/{number}" for number in range(21)), "at most 20 are allowed"),
    ],
)
def test_addresses_that_cannot_be_fetched_are_refused_together_and_kept_in_the_form(client, ada, typed, said):
    response = client.post("/library/pages/", {"addresses": f"{typed}\nexample.org/fine" if typed else ""})
    assert response.status_code == 422
    assert said in pages.words(response)
    assert pages.tree(response).xpath("//*[@id='error-summary']//a/@href")[0] == "#pages_addresses"
    assert documents_of(ada) == {}


def test_a_folder_is_renamed(client, ada):
    upload(client, file(), folder="Contracts")
    given = {"key": "uploads/Contracts", "name": "Old contracts"}
    page = pages.words(client.post("/library/folders/", given, follow=True))
    assert "The folder was renamed." in page
    assert {row.folder for row in documents_of(ada).values()} == {"uploads/Old contracts"}


@pytest.mark.parametrize(
    ("key", "name", "said"),
    [
        ("uploads/Contracts", "a/b", "cannot contain a slash"),
        ("uploads/Contracts", "", "This field is required."),
        ("uploads/Nothing", "Other", "This folder no longer exists"),
        ("uploads/Contracts", "Uploads", "Only folders that were created here"),
    ],
)
def test_a_folder_that_cannot_be_renamed_says_why(client, key, name, said):
    upload(client, file(), folder="Contracts")
    assert said in pages.words(client.post("/library/folders/", {"key": key, "name": name}, follow=True))


def test_a_folder_may_be_called_like_another_kind_of_folder(client):
    page = upload(client, file(), folder="sample")
    assert "Sample library" not in page


def test_who_may_only_read_is_offered_nothing_to_change(ada):
    with tenant_context(ada.tenant.pk):
        document = add_upload("rules.md", GOOD)
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    for address in ("/library/", f"/library/documents/{document.pk}/"):
        forms = pages.tree(viewer.get(address)).xpath("//main//form[@method='post']")
        assert forms == [], address
