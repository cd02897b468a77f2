"""A report that is planned anew because its search ended thin: over pages of a real server."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.test import override_settings

from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import Kind, PlanVersion, Run, Source, Step
from research.models.schemas import Plan
from research.pipelines.pipeline_in_foreground import ask
from research.runs.run_plan_versions import difference
from tests.fetching.site import Site, result, searxng, serve_site
from tests.pipelines.conftest import QUESTION
from tests.pipelines.test_web_report import ANSWER, FIRST

NAMED = "Guide 2.0"  # which the question names, and only the second plan looks for
NOTES = [f"note-{number}" for number in range(1, 5)]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A search server that finds one page on the question, and the rest by the name alone."""
    with ExitStack() as stack:
        pages = stack.enter_context(serve_site(FIRST))

        def results(query: str, page: int) -> list[dict[str, object]]:
            names = ["guide", *NOTES] if query == NAMED else ["trial"]
            return [result(f"{pages.base}/{name}", name) for name in names] if page == 1 else []

        search = stack.enter_context(serve_site({"/search": searxng(results)}))
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0, PLUMBLINE_SEARXNG_URL=search.base
            )
        )
        close_fetch_process()
        yield pages
        close_fetch_process()


@pytest.fixture(scope="module")
def report(account: PersonalAccount, site: Site) -> Document:
    return ask(account, Kind.REPORT, QUESTION, {"sources": "web", "target_sources": 8, "fresh_pages": True})


@pytest.fixture
def run(report: Document, account: PersonalAccount) -> Iterator[Run]:
    with tenant_context(account.tenant_id):
        yield Run.objects.get(pk=report.run_id)


def list_exits(run: Run) -> list[tuple[str, str]]:
    """Exit and next state of each visit, in order."""
    visits = Step.objects.filter(run=run, handler__startswith="state.").order_by("step_index")
    return [(visit.output["exit"], visit.output["to"]) for visit in visits]


def test_the_second_plan_finds_the_answer(report, run):
    assert run.state == "completed"
    assert ANSWER in [claim.text for claim in report.claims]


def test_the_run_goes_from_the_search_to_another_plan_and_back(run):
    taken = list_exits(run)
    place = taken.index(("sources_are_far_too_few", "replanning"))
    assert taken[place + 1] == ("plan_is_approved", "collecting")
    assert taken[-1][1] == "completed"


def test_a_plan_that_would_be_the_same_again_is_no_new_version(run):
    """The question itself still has one source of eight: another plan is tried, and brings nothing new."""
    changed = Step.objects.filter(run=run, handler="report.replan").order_by("step_index")
    assert [one.output["changed"] for one in changed] == [True, False]
    assert run.replan_count == 2


def test_the_reason_is_kept_with_the_figures(run):
    [step] = Step.objects.filter(run=run, output__exit="sources_are_far_too_few")
    facts = step.output["facts"]
    assert (facts["sources.found"], facts["policy.minimum_sources"], facts["replans"]) == (1, 4, 0)


def test_both_plans_are_kept_and_their_difference_can_be_shown(run):
    first, second = PlanVersion.objects.filter(run=run).order_by("number")[:2]
    assert (first.trigger, second.trigger) == ("planner", "insufficient_sources")
    assert second.reason == "The search ended with far too few sources."
    change = difference(Plan.model_validate(first.plan), Plan.model_validate(second.plan))
    assert [one.name for one in change.subtopics.added] == [NAMED]
    assert not change.subtopics.removed


def test_only_what_is_new_is_searched_for(run):
    keys = Step.objects.filter(run=run, handler="report.web_search").order_by("step_index")
    visits: dict[str, set[str]] = {}
    for key, query in keys.values_list("key", "input__query"):
        visits.setdefault(key.partition("/")[0], set()).add(query)
    *before, replanned = visits.values()
    assert NAMED in replanned
    assert not replanned & set().union(*before)


def test_what_was_found_before_stays_and_is_fetched_once(run, site):
    rows = Source.objects.filter(run=run)
    assert {row.url.rpartition("/")[2] for row in rows} == {"trial", "guide", *NOTES}
    assert len([path for path in site.asked if path.startswith("/trial")]) == 1


def test_the_workspace_shows_the_new_plan(run):
    items = list(run.workspace.filter(kind="plan").order_by("position").values_list("text", flat=True))
    assert len(items) == len(Plan.model_validate(run.plan).subtopics) + 4
    assert any(NAMED in text and text.startswith("Find sources") for text in items[1:])
