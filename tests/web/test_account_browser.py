"""The menu of every page in a real browser: keys, theme in place, no script; and rows found by typing in the admin."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, ViewportSize, expect

from research.db.tenancy import tenant_context
from research.models import Membership, UserSettings
from tests.often import one_in
from tests.people import Person, join
from tests.web.browser import chromium, complaints_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES: list[ViewportSize] = [{"width": 320, "height": 640}, {"width": 1280, "height": 800}]
DARK, LIGHT = "rgb(20, 23, 28)", "rgb(255, 255, 255)"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def ada(transactional_db: None) -> Person:
    return join("ada", is_staff=True, is_superuser=True)


@pytest.fixture
def visit(browser, live_server, ada):
    """Opens a page as Ada (or as nobody); what goes wrong on it is `page.complaints`."""

    def visit_one(path: str, size=SIZES[1], *, script=True, signed_in=True, scheme="light") -> Page:
        context = browser.new_context(viewport=size, java_script_enabled=script, color_scheme=scheme)
        if signed_in:
            session = Client()
            session.force_login(ada.user)
            name = settings.SESSION_COOKIE_NAME
            context.add_cookies(
                [{"name": name, "value": session.cookies[name].value, "url": live_server.url}]
            )
        page = context.new_page()
        page.complaints = complaints_of(page)  # type: ignore[attr-defined]
        page.goto(live_server.url + path)
        return page

    return visit_one


def is_inside(page: Page, selector: str) -> bool:
    return page.evaluate(
        "s => { const r = document.querySelector(s).getBoundingClientRect();"
        "return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight }",
        selector,
    )


@pytest.mark.parametrize("size", one_in(2, SIZES), ids=["320", "1280"])
def test_the_menu_opens_by_keyboard_inside_the_window_and_gives_the_focus_back(visit, size):
    page = visit("/", size)
    button = page.get_by_role("button", name="Account")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#own-menu")).to_be_visible()
    assert is_inside(page, "#own-menu")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Credits and figures")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#own-menu")).to_be_hidden()
    expect(button).to_be_focused()
    assert page.complaints == []


def test_the_theme_changes_in_place_and_what_was_typed_stays(visit, ada):
    page = visit("/runs/new/")
    page.locator("#id_question").fill("Do heat pumps")
    page.get_by_role("button", name="Account").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(BACKGROUND) == DARK
    expect(page.locator("#id_question")).to_have_value("Do heat pumps")
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert UserSettings.objects.get(user=ada.user).theme == "dark"
    page.reload()
    assert page.evaluate(BACKGROUND) == DARK
    assert page.complaints == []


def test_a_theme_goes_before_the_systems_and_paper_stays_white(visit, ada):
    UserSettings.objects.create(user=ada.user, theme="light")
    page = visit("/help/", scheme="dark")
    assert page.evaluate(BACKGROUND) == LIGHT
    UserSettings.objects.update(theme="dark")
    page.reload()
    assert page.evaluate(BACKGROUND) == DARK
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(BACKGROUND) == LIGHT


def test_without_script_theme_and_language_are_buttons_that_work(visit):
    page = visit("/help/", script=False, signed_in=False)
    page.get_by_role("button", name="Display").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Display").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_nothing_runs_over_at_320_pixels(visit, live_server):
    page = visit("/account/", SIZES[0])
    widths = {"/account/": page.evaluate("document.documentElement.scrollWidth")}
    for path in ("/account/settings/", "/account/password/", "/help/"):
        page.goto(live_server.url + path)
        widths[path] = page.evaluate("document.documentElement.scrollWidth")
    assert {path: width for path, width in widths.items() if width > 320} == {}
    assert page.complaints == []


@pytest.mark.parametrize(("theme", "background"), one_in(2, [("dark", DARK), ("light", LIGHT)]))
def test_the_admin_has_the_theme_without_a_script_of_its_own(visit, ada, theme, background):
    UserSettings.objects.create(user=ada.user, theme=theme)
    page = visit("/admin/", script=False, scheme="light" if theme == "dark" else "dark")
    assert page.evaluate(BACKGROUND) == background


def test_in_the_admin_a_related_row_is_found_by_typing(visit, ada):
    grace = join("grace", tenant=ada.tenant)
    with tenant_context(ada.tenant.pk):
        Membership.objects.filter(user=grace.user).delete()
    page = visit("/admin/research/membership/add/")
    page.locator(".field-user .select2-selection").click()
    page.keyboard.type("gra")
    page.locator(".select2-results__option", has_text="grace").click()
    page.locator("#id_role").select_option("viewer")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("grace")
    with tenant_context(ada.tenant.pk):
        assert Membership.objects.get(user=grace.user).role == "viewer"
    assert page.complaints == []
