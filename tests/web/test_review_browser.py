"""People who are asked, in a real browser and by keyboard alone."""

import statistics
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, Page, ViewportSize, expect

from citations.models import Citation, Claim
from research.accounts.people import ensure_local_account
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import pipeline_for
from research.engine.states.state_context import read_context
from research.engine.states.state_escalation import RULES, ask
from research.engine.states.transitions import enter
from research.library.import_library_folder import import_folder
from research.models import Escalation, ReviewDecision, ReviewItem, Run, State
from research.review.apply_review_decisions import work_in_decisions
from tests.people import join
from tests.pipelines.review_world import CONFLICTS, GAP, WORLDS, Asked, ask_people
from tests.web.asked import ask_about_claims, ask_about_gap, ask_about_pair, ask_about_plan
from tests.web.browser import chromium, complaints_of, see
from tests.worlds import ReportWorld, make_report

T = TypeVar("T")
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 320, "height": 640}
FOCUSED = """() => {
  const here = document.activeElement;
  if (here === document.body) return '';
  return here.getAttribute('aria-label') ?? here.innerText ?? '';
}"""
PATIENCE_MS = 30_000  # the machine may be busy: what is waited for comes


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as started:
        yield started
    expect.set_options(timeout=5_000)


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_report(join("ada"))


@pytest.fixture
def start_run(transactional_db, tmp_path):
    """Runs of the real recipe over a small library, driven until they wait."""
    account = ensure_local_account()

    def start(name: str, question: str, **config: object) -> Asked:
        for file, text in WORLDS[name].items():
            (tmp_path / file).write_text(text, encoding="utf-8")
        folder = aside(lambda: import_folder(account.tenant_id, tmp_path).folder)
        return aside(lambda: ask_people(account, question, folders=[folder], **config))

    return start


def aside(act: Callable[[], T]) -> T:
    """Run in a thread of its own, as a worker would: the browser's driver has an event loop in this one."""

    def act_and_close() -> T:
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(act_and_close).result()


def open_as(
    user: User, browser: Browser, address: str, size: ViewportSize = WIDE, *, script: bool = True, **more: str
) -> Page:
    session = Client()
    session.force_login(user)
    context = browser.new_context(viewport=size, java_script_enabled=script, **more)
    name = settings.SESSION_COOKIE_NAME
    origin = urljoin(address, "/")  # of a longer address the cookie would be for pages below it alone
    context.add_cookies([{"name": name, "value": session.cookies[name].value, "url": origin}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    if script:
        see(page)
    return page


def tab_to(page: Page, words: str) -> None:
    """Press Tab until what has these words has the focus, as somebody without a mouse does."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if words in page.evaluate(FOCUSED):
            return
    pytest.fail(f"Tab never reaches “{words}”")


def press_on(page: Page, words: str) -> None:
    tab_to(page, words)
    page.keyboard.press("Enter")


def go_by(page: Page, words: str) -> None:
    """The same with what leads to another page."""
    tab_to(page, words)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    see(page)


def at_item(page: Page) -> str:
    return page.locator("#review input[name=item]").get_attribute("value") or ""


def press_for_next(page: Page, key: str) -> None:
    """A key, and then another item than the one that was there."""
    before = at_item(page)
    page.keyboard.press(key)
    expect(page.locator(f"#review input[name=item][value='{before}']")).to_have_count(0)


# In the page itself: a test that asks again and again sees the next item a tenth of a second late.
WATCH = """() => {
  const item = () => document.querySelector("#review input[name=item]")?.value ?? "";
  window.nextItem = new Promise(done => document.addEventListener("keydown", () => {
    const before = item(), begun = performance.now();
    const look = () => item() === before ? requestAnimationFrame(look) : done(performance.now() - begun);
    look();
  }, {once: true, capture: true}));
}"""


def wait_for_next(page: Page, key: str) -> float:
    """Press a key; milliseconds until another item is there."""
    page.evaluate(WATCH)
    page.keyboard.press(key)
    return float(page.evaluate("() => window.nextItem"))


def test_a_run_is_led_by_keyboard_past_its_plan_its_conflicts_and_its_check(browser, live_server, start_run):
    run = start_run("prices", CONFLICTS, plan_approval="ask")
    assert run.run.state == State.HUMAN_REVIEW_PLAN
    page = open_as(run.account.user, browser, f"{live_server.url}/runs/{run.run_id}/")
    edit_and_approve_the_plan(page, run)
    assert aside(run.drive) == State.HUMAN_REVIEW_CONFLICTS
    settle_the_conflicts(page, run)
    assert aside(run.drive) == State.COMPLETED
    doubt_the_report(run)
    drop_what_is_made_up(page, run)
    assert aside(run.drive) == State.COMPLETED
    page.reload()
    expect(page.get_by_role("heading", name="The report is ready")).to_be_visible()
    press_on(page, "What people decided (3)")
    expect(page.get_by_text("Nobody said that.").first).to_be_visible()


def edit_and_approve_the_plan(page: Page, run: Asked) -> None:
    go_by(page, "Look at the plan and edit it")
    press_on(page, "Change the goal")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("What heat pumps cost in five towns")
    go_by(page, "Save")
    expect(page.get_by_role("status").first).to_contain_text("The goal was changed.")
    go_by(page, "Start research")
    expect(page.get_by_role("status").first).to_contain_text("The research begins.")
    assert run.run.plan["goal"] == "What heat pumps cost in five towns"
    assert run.question.status == "revised"


def settle_the_conflicts(page: Page, run: Asked) -> None:
    """Five of them: accepted, accepted, rejected with a reason, a side chosen, and one taken back first."""
    page.reload()
    go_by(page, "Decide one by one")
    expect(page.locator("#item-heading")).to_be_focused()
    for key in ("a", "a"):
        press_for_next(page, key)
    page.keyboard.press("r")
    expect(page.get_by_label("Note")).to_be_focused()
    page.keyboard.type("Both are guesses.")
    press_for_next(page, "Control+Enter")
    page.keyboard.press("e")
    expect(page.get_by_role("radio").first).to_be_focused()
    page.keyboard.press("Space")
    press_for_next(page, "Control+Enter")
    before = at_item(page)
    page.keyboard.press("u")
    expect(page.locator(f"#review input[name=item][value='{before}']")).to_have_count(0)
    press_for_next(page, "a")
    press_for_next(page, "a")
    expect(page.locator("#item-heading")).to_have_text("Nothing is waiting for a decision")
    assert [item.status for item in run.items] == ["accepted", "accepted", "rejected", "accepted", "accepted"]
    go_by(page, "Back to the run")
    expect(page.get_by_text("What people decided (2)")).to_be_visible()


def doubt_the_report(run: Asked) -> None:
    """Doubt the report as if a model had made a sentence up: the check asks the question of the rule."""
    with run.rows():
        Run.objects.filter(pk=run.run_id).update(state=State.VERIFYING, completed_at=None)
        stored = Run.objects.get(pk=run.run_id)
        made_up = Claim.objects.filter(run=stored, section__isnull=False).order_by("number").first()
        Citation.objects.filter(claim=made_up).delete()
        context = read_context(stored, retries=2, policy=pipeline_for(stored.kind).policy(stored))
        enter(stored, State.HUMAN_REVIEW_VERIFICATION, frozenset())
        ask(stored, RULES["hallucination_detected"], context)


def drop_what_is_made_up(page: Page, run: Asked) -> None:
    page.reload()
    expect(page.get_by_role("heading", name="Claims that no source supports")).to_be_visible()
    go_by(page, "Decide one by one")
    expect(page.get_by_text("No quote: no words of a source were found for this.")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("it can't stay")
    press_on(page, "Reject")
    expect(page.get_by_label("Note")).to_be_focused()
    page.keyboard.type("Nobody said that.")
    press_for_next(page, "Control+Enter")
    aside(lambda: work_in_decisions(run.account.tenant_id, run.question.pk))
    assert run.question.status == "revised"
    go_by(page, CONFLICTS)  # the queue goes on with what is only advised


@pytest.mark.full
def test_a_run_is_led_by_keyboard_past_a_gap(browser, live_server, start_run):
    run = start_run("therapy", GAP)
    assert run.run.state == State.HUMAN_REVIEW_GAPS
    page = open_as(run.account.user, browser, f"{live_server.url}/runs/{run.run_id}/")
    go_by(page, "Reject")
    expect(page.get_by_role("alert")).to_contain_text("Say why you reject it")
    expect(page.get_by_label("Note")).to_be_focused()
    page.keyboard.type("There is none yet.")
    go_by(page, "Accept")
    expect(page.get_by_text("What people decided (1)")).to_be_visible()
    assert aside(run.drive) == State.COMPLETED
    page.reload()
    expect(page.get_by_role("heading", name="The report is ready")).to_be_visible()


def test_fifty_items_take_one_key_each(browser, live_server, world):
    asked = ask_about_claims(world, 50)
    page = open_as(world.person.user, browser, f"{live_server.url}/review/")
    complaints = complaints_of(page)
    waits = []
    for number in range(50):
        waits.append(wait_for_next(page, "a"))
        if number < 49:
            expect(page.locator("#review-status")).to_contain_text(f"{49 - number} left")
            expect(page.locator("#item-heading")).to_be_focused()
    with tenant_context(world.person.tenant.pk):
        assert ReviewItem.objects.filter(escalation=asked, status="accepted").count() == 50
        assert ReviewDecision.objects.filter(escalation=asked).count() == 50
        assert Escalation.objects.get(pk=asked.pk).status == "approved"
    assert complaints == []
    *all_but_last, last = waits
    slow = statistics.quantiles(all_but_last, n=20)[18]
    print(f"\nkeys: 50; next item after a key: median {statistics.median(all_but_last):.0f} ms,", end=" ")
    print(f"p95 {slow:.0f} ms (n={len(all_but_last)}); the last, which settles the question: {last:.0f} ms")


def test_two_quick_presses_decide_one_item_and_never_one_unseen(browser, live_server, world):
    ask_about_claims(world, 3)
    page = open_as(world.person.user, browser, f"{live_server.url}/review/")
    first = at_item(page)
    page.evaluate("for (const _ of [1, 2]) document.querySelector('[data-key=a]').click()")
    expect(page.locator(f"#review input[name=item][value='{first}']")).to_have_count(0)
    expect(page.locator("#review-status")).to_contain_text("2 left")
    with tenant_context(world.person.tenant.pk):
        assert ReviewDecision.objects.count() == 1


def test_keys_are_letters_in_the_note_and_can_be_switched_off(browser, live_server, world):
    ask_about_claims(world)
    page = open_as(world.person.user, browser, f"{live_server.url}/review/")
    page.get_by_label("Note").press_sequentially("arseus")
    expect(page.get_by_label("Note")).to_have_value("arseus")
    page.goto(f"{live_server.url}/help/shortcuts/")
    page.get_by_role("group", name="Single keys").get_by_role("button", name="Off").click()
    expect(page.locator("html")).to_have_attribute("data-keys", "off")
    page.goto(f"{live_server.url}/review/")
    page.keyboard.press("a")
    expect(page.locator("#review-status")).to_contain_text("3 left")
    press_on(page, "Accept")
    expect(page.locator("#review-status")).to_contain_text("2 left")


def test_without_script_the_queue_is_plain_forms(browser, live_server, world):
    ask_about_claims(world)
    page = open_as(world.person.user, browser, f"{live_server.url}/review/", script=False)
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_text("Say why you reject it")).to_be_visible()
    page.get_by_label("Note").fill("Nobody measured it.")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("heading", name="Claim 2")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Claim 1")).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("The claim, corrected")).to_be_visible()


QUESTIONS = {
    "claims": ask_about_claims,
    "pair": ask_about_pair,
    "gap": ask_about_gap,
    "plan": ask_about_plan,
}


@pytest.mark.full
def test_nothing_runs_over_at_320_pixels_whatever_is_asked(browser, live_server, transactional_db):
    widths = {}
    for (kind, ask_about), scheme in zip(QUESTIONS.items(), ["light", "dark"] * 2, strict=True):
        world = make_report(join(kind))
        ask_about(world)
        page = open_as(world.person.user, browser, f"{live_server.url}/review/", NARROW, color_scheme=scheme)
        complaints = complaints_of(page)
        widths[kind, "review"] = page.evaluate("document.documentElement.scrollWidth")
        page.goto(f"{live_server.url}/runs/{world.run.pk}/")
        widths[kind, "run"] = page.evaluate("document.documentElement.scrollWidth")
        assert complaints == [], kind
        page.context.close()
    assert {where: width for where, width in widths.items() if width > NARROW["width"]} == {}


def test_a_question_comes_by_itself_and_what_is_typed_stays(browser, live_server, world):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.VERIFYING)
    page = open_as(world.person.user, browser, f"{live_server.url}/runs/{world.run.pk}/")
    ask_about_claims(world)
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(snapshot_version=7)
    page.get_by_label("Note").fill("Half a thought")
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(snapshot_version=8, sources_processed=31)
    expect(page.locator("#counters dd").nth(1)).to_have_text("31")
    expect(page.get_by_label("Note")).to_have_value("Half a thought")
    expect(page.get_by_label("Note")).to_be_focused()
