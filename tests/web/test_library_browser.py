"""The library in a real browser: files with progress, dropped files, the dialog, no scripts, narrow windows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from research.db.tenancy import tenant_context
from research.integrations.api_rate_limit import RateLimitStatus
from research.models import LibraryDocument
from research.parsing.vectors.embed_texts import HashEmbedder
from tests.documents import add_upload
from tests.library.reading import read_uploads
from tests.people import join
from tests.web.browser import chromium
from tests.web.test_browser import NARROW, Site
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RULES = b"# Rules\n\nA password has at least eight characters, and it is never sent by mail.\n"
IMAGE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4
DROP = """
([name, words]) => {
  const given = new DataTransfer();
  given.items.add(new File([words], name, {type: "text/plain"}));
  const drop = new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true});
  document.querySelector(".drop").dispatchEvent(drop);
}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_report(join("ada"))


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"
    monkeypatch.setattr("celery.current_app.send_task", lambda *_given, **_more: None)
    monkeypatch.setattr(
        "research.library.import_library_documents.library_embedder", lambda **_: HashEmbedder()
    )


def files(*names: str) -> list[dict[str, object]]:
    """Each of its own words; a picture of none."""
    bytes_of = {name: IMAGE if name.endswith(".png") else RULES + name.encode() for name in names}
    return [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in bytes_of.items()]


def choose(page: Page, *names: str) -> None:
    page.get_by_label("Files").set_input_files(files(*names))  # type: ignore[arg-type]  # as Playwright documents it


def test_files_are_sent_and_the_list_follows_until_they_are_read(browser, live_server, world):
    site = Site(live_server.url, world)
    page = site.open(browser, "/library/")
    page.locator("#upload_folder").fill("Contracts")
    choose(page, "a.md", "b.md", "c.png")
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#uploads [role=status]")).to_have_text("3 of 3")
    expect(page.locator("#uploads li")).to_have_count(3)
    expect(page.locator("#uploads .good-text")).to_have_count(3)
    page.evaluate(DROP, ["dropped.md", "# Dropped\n\nThese words were dropped onto the page, all of them."])
    expect(page.locator("#uploads .good-text")).to_have_count(4)
    expect(page.locator("#document-list tbody tr")).to_have_count(4)
    assert page.url.endswith("?folder=uploads%2FContracts")
    page.get_by_text("Rename this folder").click()
    page.get_by_label("New name").fill("Old con")
    read_uploads(world.person.tenant.pk)
    expect(page.locator("#document-list .tag.good")).to_have_count(3, timeout=15_000)
    expect(page.locator("#document-list table .error-text")).to_contain_text("c.png")
    expect(page.get_by_label("New name")).to_have_value("Old con")  # what is being typed outlives the polls
    assert site.complaints == []


@pytest.mark.full
def test_many_files_go_in_few_requests_so_that_other_forms_are_not_kept_waiting(browser, live_server, world):
    page = Site(live_server.url, world).open(browser, "/library/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    choose(page, *(f"{number}.md" for number in range(45)))
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#uploads [role=status]")).to_have_text("45 of 45", timeout=30_000)
    expect(page.locator("#uploads .good-text")).to_have_count(45)
    assert len(sent) == 3
    assert (
        page.evaluate("document.querySelector('#uploads').offsetHeight") < 400
    )  # the list below stays in sight


def test_what_is_refused_is_told_beside_its_name(browser, live_server, world, monkeypatch):
    monkeypatch.setattr("research.library.store_uploads.MAX_LIBRARY", 100)
    page = Site(live_server.url, world).open(browser, "/library/")
    choose(page, "a.md", "b.md")
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#uploads li").nth(0)).to_contain_text("Added; it is being read.")
    expect(page.locator("#uploads li").nth(1)).to_contain_text("“b.md” was not stored")


@pytest.mark.full
def test_a_file_that_is_sent_too_soon_after_many_others_waits_and_is_sent_again(
    browser, live_server, world, monkeypatch
):
    waits = [1, 0]
    monkeypatch.setattr(
        "research.web.site.page_audit_middleware.take",
        lambda *_given: {"": RateLimitStatus(60, 0, 60, waits.pop(0))},
    )
    page = Site(live_server.url, world).open(browser, "/library/")
    choose(page, "a.md")
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#uploads li")).to_contain_text("Added; it is being read.")
    assert waits == []


def test_deleting_asks_in_a_dialog_that_can_be_left(browser, live_server, world):
    with tenant_context(world.person.tenant.pk):
        row = add_upload("rules.md", RULES)
    site = Site(live_server.url, world)
    page = site.open(browser, f"/library/documents/{row.pk}/")
    page.get_by_role("link", name="Delete …").click()
    dialog = page.get_by_role("dialog", name="Delete this document?")
    expect(dialog).to_contain_text("No report has read it")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Delete …").press("Enter")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.locator(".messages")).to_contain_text("“Rules” was deleted.")
    assert site.complaints == []


def test_without_scripts_files_are_added_and_deleted_just_so(browser, live_server, world):
    page = Site(live_server.url, world).open(browser, "/library/", script=False)
    choose(page, "a.md")
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".messages")).to_contain_text("1 file was added; it is being read.")
    page.get_by_role("link", name="a.md").click()
    page.get_by_role("link", name="Delete …").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".messages")).to_contain_text("“a.md” was deleted.")
    with tenant_context(world.person.tenant.pk):
        assert not LibraryDocument.objects.exists()


def test_a_narrow_window_does_not_scroll_sideways(browser, live_server, world):
    with tenant_context(world.person.tenant.pk):
        row = add_upload(f"{'a-very-long-name-without-a-break' * 3}.md", RULES)
        add_upload("broken.pdf", b"%PDF-1.4 and no more")
    for address in ("/library/", "/library/?folder=uploads", f"/library/documents/{row.pk}/"):
        page = Site(live_server.url, world).open(browser, address, NARROW)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
