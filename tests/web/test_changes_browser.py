"""Changes and schedules in a real browser: by keyboard, without script errors, at two widths."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from research.db.tenancy import tenant_context
from research.models import Schedule
from tests.comparison.runs import two_reports
from tests.people import join
from tests.web.browser import chromium, complaints_of

pytestmark = pytest.mark.django_db(transaction=True)
PICTURES = os.environ.get("PLUMBLINE_TEST_PICTURES", "")


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def ada(transactional_db):
    return join("ada")


@pytest.fixture(params=[1280, 375])
def page(request, browser, live_server, ada):
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": request.param, "height": 900}, color_scheme="light"
    )
    session = ada.sign_in().cookies["session"].value
    context.add_cookies([{"name": "session", "value": session, "url": live_server.url}])
    page = context.new_page()
    found = complaints_of(page)
    yield page
    assert [one for one in found if "422" not in one] == []  # a form that makes no sense
    context.close()


def fits(page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def keep_picture(page, name: str) -> None:
    if PICTURES:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            width = page.viewport_size["width"]
            page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png", full_page=True)


def test_a_reader_goes_from_the_summary_to_a_change_and_its_evidence(page, ada):
    two = two_reports(ada)
    two.change(3, text="Oil fell by 40 percent.")
    two.change(1, strength="limited", confidence=0.5)
    two.leave_out(2, "Its source does not support it.")
    page.goto(f"/runs/{two.new.run.pk}/")
    page.get_by_role("link", name="2 claims changed, 1 claim gone since").press("Enter")
    expect(page.locator("ins")).to_have_text("40 percent")
    expect(page.locator("#changes-sentence")).to_contain_text("2 claims changed, 1 claim gone")
    assert fits(page)
    keep_picture(page, "changes")
    page.locator(".sides").first.get_by_role("link").last.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Claim 3")


def test_a_schedule_is_made_by_keyboard_and_its_times_are_seen_first(page, ada):
    page.goto("/schedules/")
    keep_picture(page, "schedules-empty")
    page.get_by_role("link", name="Add a schedule").press("Enter")
    page.get_by_label("Name", exact=True).fill("Heat pumps")
    page.get_by_label("Question").fill("Do heat pumps work in the cold?")
    page.get_by_label("Cron expression").fill("0 7 * * caturday")
    page.get_by_role("button", name="Show the next five times").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("“caturday” is not valid in a cron expression: weekday")
    keep_picture(page, "schedule-wrong")
    page.get_by_label("Cron expression").fill("0 7 * * mon-fri")
    page.get_by_label("Time zone").select_option("Europe/Zurich")
    page.get_by_role("button", name="Show the next five times").press("Enter")
    expect(page.get_by_role("status").get_by_role("listitem")).to_have_count(5)
    assert fits(page)
    keep_picture(page, "schedule-times")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.get_by_role("heading", name="Heat pumps")).to_be_visible()
    assert fits(page)
    keep_picture(page, "schedules")
    page.get_by_role("button", name="Run now").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Do heat pumps work in the cold?")
    with tenant_context(ada.tenant.pk):
        assert Schedule.objects.get().last_run is not None
