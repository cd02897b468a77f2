"""Pages added by their address: taken once, fetched by a worker through the guard, read like any document."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from research.db.tenancy import create_tenant, tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.library.add_pages_to_library import PageRefused, add_page
from research.library.change_library_documents import read_again
from research.library.fetch_library_pages import fetch_pages
from research.library.library_folders import UPLOADS
from research.library.read_library_documents import read_document
from research.library.waiting_library_documents import (
    FETCH_PAGES,
    READ_UPLOADS,
    ask_again,
    select_waiting_pages,
    select_waiting_uploads,
)
from research.models import DocumentStatus, LibraryDocument
from research.storage.object_store import get_object, object_key
from research.tasks import fetch_pages as fetch_pages_task
from tests.fetching.site import Said, Site, serve_site
from tests.library.reading import read_uploads

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "The heat pump was measured over two winters, and its factor stayed above two at nine sites. " * 3
PAGE = (
    f"<!doctype html><html lang=en><head><title>Cold trial</title></head><body><p>{WORDS}</p></body></html>"
)
LATER = PAGE.replace("nine", "eleven")


@pytest.fixture
def tenant() -> UUID:
    return create_tenant("readers").pk


@pytest.fixture(autouse=True)
def broker_messages(monkeypatch) -> list[str]:
    messages: list[str] = []
    monkeypatch.setattr("celery.current_app.send_task", lambda name, **_options: messages.append(name))
    monkeypatch.setattr("research.library.fetch_library_pages.PAUSE_S", 0.0)
    return messages


@pytest.fixture
def site(settings) -> Iterator[Site]:
    settings.PLUMBLINE_ALLOW_LOOPBACK, settings.PLUMBLINE_POLITENESS_MS = True, 0
    close_fetch_process()
    with serve_site({"/trial": Said(PAGE)}) as site:
        yield site
    close_fetch_process()


def add(tenant: UUID, url: str, folder: str = UPLOADS) -> LibraryDocument:
    with tenant_context(tenant):
        return add_page(url, folder).document


def as_it_is(tenant: UUID, row: LibraryDocument) -> LibraryDocument:
    with tenant_context(tenant):
        return LibraryDocument.objects.select_related("content").get(pk=row.pk)


def had(tenant: UUID, row: LibraryDocument) -> LibraryDocument:
    """After the workers."""
    fetch_pages(tenant)
    read_uploads(tenant)
    return as_it_is(tenant, row)


def test_a_page_is_fetched_kept_and_read(tenant, site, broker_messages):
    row = add(tenant, f"{site.base}/trial", "uploads/Trials")
    assert (row.status, row.is_page, broker_messages) == (DocumentStatus.PENDING, True, [FETCH_PAGES])
    row = had(tenant, row)
    assert (row.status, row.title, row.folder) == (DocumentStatus.READY, "Cold trial", "uploads/Trials")
    assert row.text.startswith("The heat pump was measured")
    assert get_object(object_key(tenant, row.raw_sha256)) == PAGE.encode()
    assert (row.file_size, broker_messages) == (len(PAGE), [FETCH_PAGES, READ_UPLOADS])


def test_a_page_is_added_once_whatever_its_spelling_and_folder(tenant, site):
    first = add(tenant, f"{site.base}/trial")
    assert add(tenant, f"{site.base}/trial/?utm_source=mail#top", "uploads/Trials") == first
    with tenant_context(tenant):
        assert not add_page(f"{site.base}/trial").is_new


@pytest.mark.parametrize("url", ["mailto:ada@example.org", "http://", "http://[::1"])
def test_what_is_no_address_is_refused(tenant, url):
    with tenant_context(tenant), pytest.raises(PageRefused, match="not a web address"):
        add_page(url)


def test_a_page_that_is_not_there_says_so_and_can_be_tried_again(tenant, site):
    row = had(tenant, add(tenant, f"{site.base}/moved"))
    assert (row.status, row.error_code) == (DocumentStatus.FAILED, "PAGE_NOT_FOUND")
    site.pages["/moved"] = Said(PAGE)
    with tenant_context(tenant):
        assert add_page(f"{site.base}/moved").is_new
    assert had(tenant, row).status == DocumentStatus.READY


def test_an_address_of_ones_own_network_is_never_dialled(tenant, site, settings):
    settings.PLUMBLINE_ALLOW_LOOPBACK = False
    close_fetch_process()
    row = had(tenant, add(tenant, f"{site.base}/trial"))
    assert (row.status, row.error_code, site.asked) == (DocumentStatus.FAILED, "BLOCKED", [])


def test_what_robots_may_not_read_is_not_read(tenant, site):
    site.pages["/robots.txt"] = Said("User-agent: *\nDisallow: /trial", kind="text/plain")
    row = had(tenant, add(tenant, f"{site.base}/trial"))
    assert (row.error_code, "/trial" in site.asked) == ("BLOCKED", False)
    assert "robots.txt" in row.error_message


def test_a_page_without_words_is_no_document(tenant, site):
    site.pages["/empty"] = Said("<!doctype html><html><body><p>Please wait.</p></body></html>")
    row = had(tenant, add(tenant, f"{site.base}/empty"))
    assert (row.status, row.error_message) == ("failed", "The page has only 2 words of text.")


def test_a_site_that_is_busy_is_asked_again(tenant, site):
    answers = iter([Said("", 500), Said(PAGE)])
    site.pages["/busy"] = lambda _path: next(answers)
    assert had(tenant, add(tenant, f"{site.base}/busy")).status == DocumentStatus.READY


def test_fetched_again_a_page_says_what_it_says_by_now(tenant, site):
    row = had(tenant, add(tenant, f"{site.base}/trial"))
    site.pages["/trial"] = Said(LATER)
    with tenant_context(tenant):
        read_again(row)
    row = had(tenant, row)
    assert (row.status, "eleven sites" in row.text) == (DocumentStatus.READY, True)


def test_where_it_cannot_be_fetched_again_the_copy_is_used_on(tenant, site):
    row = had(tenant, add(tenant, f"{site.base}/trial"))
    del site.pages["/trial"]
    with tenant_context(tenant):
        read_again(as_it_is(tenant, row))
    again = had(tenant, row)
    assert (again.status, again.error_code) == (DocumentStatus.READY, "PAGE_NOT_FOUND")
    assert (again.text, again.raw_sha256) == (row.text, row.raw_sha256)


def test_a_full_library_takes_no_page(tenant, site, monkeypatch):
    monkeypatch.setattr("research.library.fetch_library_pages.MAX_LIBRARY", len(PAGE) - 1)
    row = had(tenant, add(tenant, f"{site.base}/trial"))
    assert (row.status, row.error_code) == (DocumentStatus.FAILED, "no_room")


def test_a_page_that_was_deleted_meanwhile_stays_away(tenant, site):
    row = add(tenant, f"{site.base}/trial")

    def delete_meanwhile(_path: str) -> Said:
        with tenant_context(tenant):
            LibraryDocument.objects.filter(pk=row.pk).delete()
        return Said(PAGE)

    site.pages["/trial"] = delete_meanwhile
    assert fetch_pages(tenant) == 1
    with tenant_context(tenant):
        assert not LibraryDocument.objects.exists()


def test_what_a_killed_worker_had_in_hand_is_fetched_by_another(tenant, site):
    row = add(tenant, f"{site.base}/trial")
    with tenant_context(tenant):
        LibraryDocument.objects.update(status=DocumentStatus.READING)  # taken just now
        assert fetch_pages(tenant) == 0
        LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=6))
    assert had(tenant, row).status == DocumentStatus.READY


def test_a_lost_message_is_sent_again_by_the_sweep(tenant, site, broker_messages):
    row = add(tenant, f"{site.base}/trial")
    with tenant_context(tenant):
        LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=2))
    broker_messages.clear()
    assert (ask_again(), broker_messages) == (1, [FETCH_PAGES])
    fetch_pages_task(str(tenant))
    assert as_it_is(tenant, row).raw_sha256


def test_what_is_to_be_fetched_is_not_read_before(tenant, site):
    add(tenant, f"{site.base}/trial")
    with tenant_context(tenant):
        assert (select_waiting_uploads().count(), select_waiting_pages().count()) == (0, 1)


def test_a_text_is_read_as_its_server_called_it_also_without_the_kept_copy(tenant, site):
    plain = Said(
        "1. First <b>words</b>\n\n" + WORDS, kind="text/plain", headers={"Cache-Control": "no-store"}
    )
    site.pages["/notes.txt"] = Said(plain.body, kind="text/plain")
    row = had(tenant, add(tenant, f"{site.base}/notes.txt"))
    assert "<b>words</b>" in row.text
    site.pages["/notes.txt"] = plain
    with tenant_context(tenant):
        read_again(row)
    assert had(tenant, row).text == row.text


def test_reading_it_again_from_its_bytes_changes_nothing(tenant, site):
    row = had(tenant, add(tenant, f"{site.base}/trial"))
    read_document(tenant, row.pk)
    assert as_it_is(tenant, row).content == row.content
