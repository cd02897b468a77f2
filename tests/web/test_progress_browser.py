"""A minute of progress in a real browser: nothing moves, nothing is lost, little is said aloud."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect

from research.db.tenancy import tenant_context
from research.models import AgentRole, Membership, Role, Run, Source, SourceStatus, State, Step, StepStatus
from research.web.runs import progress_page_polls
from tests.often import one_in
from tests.people import join
from tests.web.browser import chromium
from tests.web.test_browser import COUNT_SHIFTS, NARROW, WIDE, Site
from tests.workspaces.conftest import switch
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STATES = (State.PLANNING, State.COLLECTING, State.READING, State.ANALYZING, State.SYNTHESIZING, State.CITING)
POLL_MS = 2_000
NEWS, NEWS_EVERY_MS = 12, 5_000  # a minute


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_report(join("ada"), state=State.PLANNING)


@pytest.fixture
def site(live_server, world) -> Site:
    return Site(live_server.url, world)


@pytest.fixture
def drive(browser, site):
    """Opens the page at a size; it asks no more when the test is over."""
    opened: list[Driven] = []

    def begin(size: ViewportSize = WIDE) -> Driven:
        opened.append(Driven(browser, site, size))
        return opened[-1]

    yield begin
    for driven in opened:
        driven.page.close()


class Driven:
    """The page of a run under a clock of ours, and the run, which goes on when it is told to."""

    def __init__(self, browser: Browser, site: Site, size: ViewportSize) -> None:
        self.world = site.world
        self.number = 0
        self.set(started_at=timezone.now(), sources_found=30, sources_processed=0, total_sections=3)
        self.page: Page = site.open(browser, "/help/", size)
        self.page.clock.install()
        self.page.clock.pause_at(timezone.now() + timedelta(seconds=1))
        self.page.goto(f"{site.url}/runs/{self.world.run.pk}/")
        self.page.wait_for_load_state("networkidle")
        self.page.evaluate(COUNT_SHIFTS)

    def set(self, **columns: object) -> None:
        with tenant_context(self.world.person.tenant.pk):
            Run.objects.filter(pk=self.world.run.pk).update(**columns)

    def go_on(self, after_ms: int = POLL_MS, **columns: object) -> None:
        """Something new in every part of the page; then the time of the next polls."""
        self.number += 1
        with tenant_context(self.world.person.tenant.pk):
            self._work()
            if self.number % 4 == 1:
                self._fail()
        self.set(snapshot_version=self.number, sources_processed=self.number, **columns)
        progress_page_polls._tags.forget()  # for the site the polls come at once; none of them gets what was before
        progress_page_polls.forget_viewers()
        self.page.clock.run_for(after_ms)
        expect(self.page.locator("#counters dd").nth(1)).to_have_text(str(self.number))

    def _work(self) -> None:
        Step.objects.filter(status=StepStatus.RUNNING).update(status=StepStatus.COMPLETED, lease_until=None)
        for place in range(self.number % 8):
            Step.objects.create(
                run=self.world.run,
                step_index=1_000 + 10 * self.number + place,
                key=f"work.{self.number}.{place}",
                handler="report.fetch",
                agent_role=AgentRole.EXTRACTOR,
                input={"url": f"https://example.org/{'long/' * place}{self.number}"},
                status=StepStatus.RUNNING,
                started_at=timezone.now(),
                lease_until=timezone.now() + timedelta(minutes=9),
            )

    def _fail(self) -> None:
        Source.objects.create(
            run=self.world.run,
            canonical_url=f"https://example.org/{self.number}",
            status=SourceStatus.FAILED,
            error_code="TIMEOUT",
            error_message="It did not answer in time.",
        )


@pytest.mark.parametrize("size", one_in(2, [WIDE, NARROW]), ids=["wide", "narrow"])
def test_in_a_minute_of_progress_nothing_moves_and_nothing_is_lost(drive, site, size):
    driven = drive(size)
    page = driven.page
    page.locator("#full-log").focus()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    for number in range(NEWS):
        driven.go_on(NEWS_EVERY_MS, state=STATES[number // 2], version=number // 2)
    assert page.evaluate("window.shift") <= 0.005
    expect(page.locator("#full-log")).to_be_focused()
    assert page.evaluate("getSelection().toString()") == site.world.run.topic
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#stage")).to_have_text("Stage 6 of 7: Anchoring quotes")
    assert site.complaints == []


def test_what_one_has_marked_and_focused_within_the_polled_parts_stays(drive):
    driven = drive()
    driven.go_on()
    link = driven.page.get_by_role("button", name="Pause")
    link.focus()
    driven.page.evaluate("getSelection().selectAllChildren(document.querySelector('#newest blockquote'))")
    marked = driven.page.evaluate("getSelection().toString()")
    for _ in range(3):
        driven.go_on()
    expect(link).to_be_focused()
    assert driven.page.evaluate("getSelection().toString()") == marked != ""


def test_the_stage_is_announced_at_most_every_fifteen_seconds(drive):
    """The last of several quick changes is put in anew when the quiet time is over."""
    driven = drive()
    stage = driven.page.locator("#stage")
    driven.go_on(state=State.COLLECTING, version=1)
    driven.page.clock.run_for(1_000)
    expect(stage).to_have_attribute("aria-live", "off")
    driven.go_on(state=State.READING, version=2)
    expect(stage).to_have_text("Stage 3 of 7: Reading sources")
    expect(stage).to_have_attribute("aria-live", "off")
    driven.page.clock.run_for(15_000)
    expect(stage).to_have_attribute("aria-live", "off")  # of the second announcement
    driven.page.clock.run_for(16_000)
    expect(stage).to_have_attribute("aria-live", "polite")


def test_updates_are_read_aloud_once_one_wants_it(drive):
    driven = drive()
    said = driven.page.locator("#read-aloud")
    driven.go_on()
    expect(said).to_be_empty()
    driven.page.get_by_role("button", name="Read updates").click()
    driven.go_on()
    expect(said).to_contain_text("reads a page")
    expect(driven.page.get_by_role("log")).to_have_attribute("aria-live", "off")
    driven.page.get_by_role("button", name="Read updates").click()
    before = said.text_content()
    driven.go_on()
    assert said.text_content() == before


def test_a_poll_without_news_changes_nothing_on_the_page(drive):
    driven = drive()
    driven.go_on()
    driven.page.evaluate(
        "window.changes = 0; new MutationObserver(l => { window.changes += l.length })"
        ".observe(document.querySelector('#counters'), {childList: true, subtree: true, characterData: true})"
    )
    with driven.page.expect_response(lambda answer: answer.status == 304):
        driven.page.clock.run_for(POLL_MS)
    assert driven.page.evaluate("window.changes") == 0


def test_a_click_puts_words_into_the_question_and_one_goes_on_typing(browser, site):
    page = site.open(browser, "/runs/new/")
    page.get_by_label("What do you want to know?").press_sequentially("Do heat pumps work?")
    page.get_by_role("button", name="+ in homes").click()
    expect(page.get_by_label("What do you want to know?")).to_have_value("Do heat pumps work in homes?")
    expect(page.get_by_label("What do you want to know?")).to_be_focused()
    expect(page.get_by_role("button", name="+ in homes")).to_have_count(0)
    assert site.complaints == []


def test_words_meant_for_a_run_of_another_workspace_are_refused_in_sight(browser, site, world):
    other = join("bob")
    with tenant_context(other.tenant.pk):
        Membership.objects.create(user=world.person.user, role=Role.MEMBER)
    page = site.open(browser, f"/runs/{world.run.pk}/")
    switch(site.session, other)
    page.get_by_label("Give the run an instruction").fill("Also look at costs.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#main h1")).to_have_text("Nothing was changed")
    expect(page.locator("#main")).to_have_count(1)
    page.get_by_role("button", name="Do it in").click()
    expect(page.locator("#told")).to_contain_text("Also look at costs.")
