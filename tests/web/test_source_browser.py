"""The source page in a real browser: the button, the fragment that polls until the look is over, narrow windows."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from citations.models import Recheck, RecheckedCitation, RecheckState
from research.db.tenancy import tenant_context
from tests.people import join
from tests.web.browser import chromium
from tests.web.test_browser import NARROW, Site
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_report(join("ada"))


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.current_app.send_task", lambda *_given, **_more: None)


def finish(world: ReportWorld) -> None:
    """Finish the recheck as the workers would: the second claim's quote has changed."""
    with tenant_context(world.person.tenant.pk):
        Recheck.objects.update(state=RecheckState.DONE, finished_at=timezone.now())
        for citation in (world.citations[0], world.citations[2], world.citations[3]):
            is_changed = citation == world.citations[2]
            RecheckedCitation.objects.create(
                recheck=Recheck.objects.get(),
                citation=citation,
                outcome="changed" if is_changed else "still there",
                similarity=0.9,
                now="Backup heaters ran for ninety hours." if is_changed else "",
            )


def test_asking_shows_that_it_is_under_way_and_then_what_came_of_it(browser, live_server, world):
    site = Site(live_server.url, world)
    page = site.open(browser, f"/sources/{world.trial.pk}/")
    page.get_by_role("button", name="Check whether the quotes are still there").click()
    expect(page.locator("#recheck")).to_contain_text("Being checked")
    finish(world)
    expect(page.locator("#recheck")).to_contain_text("1 changed", timeout=15_000)
    expect(page.locator("#recheck")).to_contain_text("Backup heaters ran for ninety hours.")
    expect(page.get_by_role("button", name="Check again")).to_be_visible()
    assert site.complaints == []


def test_the_popover_bears_the_mark(browser, live_server, world):
    with tenant_context(world.person.tenant.pk):
        Recheck.objects.create(source=world.trial)
    finish(world)
    page = Site(live_server.url, world).report(browser)
    page.locator(".prose .badge").nth(1).click()
    expect(page.locator("#cite")).to_contain_text("Found changed on")


def test_a_narrow_window_does_not_scroll_sideways(browser, live_server, world):
    with tenant_context(world.person.tenant.pk):
        Recheck.objects.create(source=world.trial)
    finish(world)
    page = Site(live_server.url, world).open(browser, f"/sources/{world.trial.pk}/", NARROW)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
