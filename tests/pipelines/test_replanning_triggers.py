"""Each trigger makes a report plan again, in a run of its own over real documents and pages."""

from citations.models import Warning as Gap
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import Kind, PlanVersion, Run, Source, Step
from research.pipelines.pipeline_in_foreground import ask
from tests.fetching.site import Said
from tests.pipelines.conftest import QUESTION
from tests.pipelines.web_world import serve_search


def first_reason(account: PersonalAccount, document: Document) -> tuple[str, str]:
    """Trigger of the first plan made anew, and the exit that led there."""
    with tenant_context(account.tenant_id):
        replanned = Step.objects.filter(run=document.run_id, output__to="replanning").order_by("step_index")
        made = Step.objects.filter(run=document.run_id, handler="report.replan").order_by("step_index")
        return made[0].output["trigger"], replanned[0].output["exit"]


def test_a_scope_that_leaves_out_what_the_question_names_is_widened(ask_in_library, account):
    """The library answers for heat pumps; of the veterans whom the question names it says nothing."""
    document = ask_in_library(f"{QUESTION.rstrip('?')} for veterans?")
    assert first_reason(account, document) == ("scope_expansion_needed", "scope_is_too_narrow")
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=document.run_id)
        plan = PlanVersion.objects.get(run=run, trigger="scope_expansion_needed").plan
        gaps = Gap.objects.filter(run=run, code="G009")
        assert "veterans" in [one["name"] for one in plan["subtopics"]]
        assert not gaps.exists()  # it is looked for now
    assert run.replan_count == 1
    assert document.status == "done"


def test_subtopics_that_find_next_to_nothing_are_planned_anew(account, library):
    """All pages are found best by the question as a whole, none by its two sides."""
    question = "What do Nordhaus and Kiruna say about heat pumps?"
    notes = [f"note-{number}" for number in range(1, 5)]
    with serve_search(lambda query, page: ["trial", "guide", *notes] if page == 1 else []):
        document = ask(
            account, Kind.REPORT, question, {"sources": "web", "target_sources": 10, "fresh_pages": True}
        )
    assert first_reason(account, document) == ("dimension_failure", "subtopics_failed")


def test_coverage_that_pages_fail_to_give_is_planned_anew(account, library):
    """Enough pages are found; more than half of those that were found can't be had."""
    gone = {f"lost-{number}": Said("", 404) for number in range(3)}
    question = "What seasonal performance factor must a heat pump reach?"
    with serve_search(lambda query, page: ["guide", "trial", "note-1", *gone] if page == 1 else [], **gone):
        document = ask(
            account, Kind.REPORT, question, {"sources": "web", "target_sources": 8, "fresh_pages": True}
        )
    assert first_reason(account, document) == ("insufficient_coverage", "coverage_is_too_low")
    with tenant_context(account.tenant_id):
        step = Step.objects.filter(run=document.run_id, output__exit="coverage_is_too_low").first()
        assert step.output["facts"]["sources.coverage"] < 0.5
        assert Source.objects.filter(run=document.run_id, status="processed").count() == 3
