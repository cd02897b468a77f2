"""The log in a real browser: nothing hangs over the edge, long things unfold by keyboard, also without scripts."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, ViewportSize, expect

from research.governance.degradations import Loss, Shortfall, record_loss
from research.models import (
    AgentRole,
    Escalation,
    Instruction,
    PlanVersion,
    ReviewDecision,
    ReviewItem,
    Step,
    StepStatus,
)
from research.tenancy import tenant_context
from tests.people import join
from tests.web.browser import chromium
from tests.web.test_browser import NARROW, WIDE, Site
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE: ViewportSize = {"width": 375, "height": 740}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WORD = "Wärmepumpenjahresarbeitszahl" * 6
MOVE = {"exit": "sources_suffice", "to": "reading", "facts": {"sources.found": 12, "sources.coverage": 0.92}}
SLOW = {"attempt": 1, "code": "TIMEOUT", "message": "It took too long.", "traceback": "", "retry_in_s": 4.0}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    """A run in which all happened that a log can tell."""
    world = make_report(join("ada"))
    with tenant_context(world.person.tenant.pk):
        _steps(world)
        _people(world)
        record_loss(world.run.pk, Loss(Shortfall.SOURCES_SKIPPED, 0.1, "1 of 10 sources could not be read."))
    return world


def _steps(world: ReportWorld) -> None:
    began = timezone.now() - timedelta(minutes=9)
    common = {
        "run": world.run,
        "agent_role": AgentRole.RESEARCHER,
        "started_at": began,
        "completed_at": began,
    }
    done = {**common, "status": StepStatus.COMPLETED, "duration_ms": 1_200}
    Step.objects.create(
        step_index=1, key="2.collecting/web/search.0", handler="report.web_search", tool_name="search",
        input={"query": WORD}, output={"hits": "x" * 4_000, "failures": [SLOW]}, attempt=2, **done,
    )  # fmt: skip
    Step.objects.create(step_index=2, key="2.collecting", handler="state.collecting", output=MOVE, **done)
    Step.objects.create(
        step_index=3, key="3.reading/fetch.1", handler="report.fetch", input={"url": f"https://example.org/{WORD}"},
        output={"failures": [SLOW | {"retry_in_s": None}]}, status=StepStatus.FAILED, error_code="TIMEOUT",
        error_message="It took too long.", **common,
    )  # fmt: skip


def _people(world: ReportWorld) -> None:
    run, user = world.run, world.person.user
    asked = Escalation.objects.create(
        run=run, rule="unresolved_contradictions", state="analyzing", priority="medium", type="blocking",
        required_action="Say which side holds.", deadline=timezone.now(), fallback="degrade", visit="4.analyzing",
    )  # fmt: skip
    item = ReviewItem.objects.create(
        run=run, escalation=asked, position=1, kind="gap", reason="21 against 12."
    )
    note = {"note": f"The register counts every unit. {WORD}", "text": "Sales rose by 12 percent."}
    ReviewDecision.objects.create(escalation=asked, item=item, act="edit", by=user, detail=note)
    Instruction.objects.create(
        run=run, text="Also look at costs.", author=user, effects=["A query was added."]
    )
    PlanVersion.objects.create(run=run, number=2, plan=run.plan, trigger="edit", reason=WORD, made_by=user)


@pytest.fixture
def site(live_server, world):
    return Site(live_server.url, world)


def path(site: Site) -> str:
    return f"/runs/{site.world.run.pk}/log/"


@pytest.mark.parametrize("size", [NARROW, PHONE, WIDE], ids=["320", "375", "1280"])
def test_nothing_hangs_over_the_edge_folded_or_not(site, browser, size):
    page = site.open(browser, path(site), size)
    assert page.evaluate(OVERFLOW) == 0
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate(OVERFLOW) == 0
    assert site.complaints == []


def test_a_long_output_unfolds_by_keyboard_and_without_scripts(site, browser):
    page = site.open(browser, path(site), script=False)
    page.get_by_text("Searches the web").press("Enter")
    more = page.get_by_text("All of it:")
    expect(more).to_be_visible()
    more.press("Enter")
    expect(page.locator("details.more pre")).to_contain_text("x" * 4_000)


def test_the_log_is_filtered_without_scripts_and_says_how_to_see_all_again(site, browser):
    page = site.open(browser, path(site), script=False)
    page.get_by_label("Kind").select_option("decision")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("tr.event")).to_have_count(1)
    expect(page.locator("tr.event")).to_contain_text("Changed")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("tr.event")).to_have_count(6)
