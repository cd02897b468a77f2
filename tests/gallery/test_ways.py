"""The main job, from the first page to the words of a source: by few clicks, by keyboard alone, without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from research.accounts.people import PersonalAccount, ensure_local_account
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.library.import_library_folder import import_folder
from research.models import Run, State, Tenant
from tests.gallery.looking import PATIENCE_MS, WIDE
from tests.gallery.rooms.asking import stock
from tests.people import Person
from tests.pipelines.review_world import price_list
from tests.web.browser import chromium
from tests.web.test_review_browser import aside, go_by, press_on

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
QUESTION = "What does a heat pump cost in Kiruna?"
WORDS = "In 2023 a heat pump in Kiruna costs 14,200 euros on average."


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as started:
        yield started
    expect.set_options(timeout=5_000)


@pytest.fixture
def account(transactional_db: None) -> PersonalAccount:
    return ensure_local_account()


@pytest.fixture
def library(account: PersonalAccount, tmp_path) -> None:
    (tmp_path / "prices.md").write_text(price_list(14_200), encoding="utf-8")
    aside(lambda: import_folder(account.tenant_id, tmp_path))


def come_in(browser: Browser, site: str, *, script: bool = True) -> Page:
    page = browser.new_context(viewport=WIDE, java_script_enabled=script).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(site)
    return page


def tab_into(page: Page, label: str) -> None:
    """Press Tab until the field has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.get_by_label(label).evaluate("field => field === document.activeElement"):
            return
    pytest.fail(f"Tab never reaches “{label}”")


def answer(account: PersonalAccount) -> str:
    """Do the workers' part, and return the run's path."""
    with tenant_context(account.tenant_id):
        run = Run.objects.get()
    assert aside(lambda: drive(account.tenant_id, run.pk)) == State.COMPLETED
    return f"/runs/{run.pk}/"


def test_three_clicks_lead_from_the_first_page_to_the_words_of_a_source(browser, live_server, account):
    with tenant_context(account.tenant_id):
        tenant = Tenant.objects.get()
    stock(Person(account.user, tenant))
    page = come_in(browser, live_server.url)
    page.get_by_role("button", name="Continue as demo").click()
    page.get_by_role("link", name="Open the sample report").click()
    page.locator(".badge").first.click()
    expect(page.locator("#cite mark").first).to_have_text(
        "The seasonal factor stayed above two at nine sites."
    )


def test_the_main_job_is_done_by_keyboard_alone(browser, live_server, account, library):
    page = come_in(browser, live_server.url)
    go_by(page, "Continue as demo")
    tab_into(page, "Your question")
    page.keyboard.type(QUESTION)
    go_by(page, "Start research")
    expect(page.locator("h1")).to_have_text(QUESTION)
    answer(account)
    page.reload()
    go_by(page, "Open the report")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#cite mark").first).to_have_text(WORDS)
    press_on(page, "View in source")
    expect(page.locator("mark.current").first).to_have_text(WORDS)
    expect(page.locator("mark.current").first).to_be_in_viewport()


def test_the_main_job_is_done_without_scripts(browser, live_server, account, library):
    page = come_in(browser, live_server.url, script=False)
    page.get_by_role("button", name="Continue as demo").click()
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Start research").click()
    expect(page.locator("h1")).to_have_text(QUESTION)
    answer(account)
    page.reload()
    page.get_by_role("link", name="Open the report").click()
    page.locator(".badge").first.click()
    expect(page.locator("mark").first).to_have_text(WORDS)
    page.get_by_role("link", name="View in source").first.click()
    expect(page.locator("mark.current").first).to_have_text(WORDS)
