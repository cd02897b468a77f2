"""A report whose owner asks for another plan while it is written: a model plans again, what was read is kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Thread

import pytest
from django.db import connection

from citations.models import Claim, Section
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import PlanVersion, Run, Source, State, Step
from research.models.schemas import Plan
from research.runs.run_plan_versions import difference, request_replan
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import count, get_form_name, scribe
from tests.pipelines.scribe import plan as first_plan
from tests.pipelines.scribe import section as scribe_section

WISH = "Say something about gardens, too."
AGAIN = "Why another plan is needed"


def plan(request) -> dict:
    """The first one; asked again, that and what the owner wants."""
    planned = first_plan(request)
    if AGAIN in request.text:
        garden = {"name": "Gardens", "description": "", "queries": ["tomatoes sun"], "priority": "important"}
        planned["subtopics"].append(garden)
        planned["outline"].append({"heading": "Gardens", "subtopic": 3, "target_words": 80})
    return planned


@dataclass
class Owner:
    """Asks for another plan as soon as the first section is being written; remembers what was there."""

    account: PersonalAccount
    has_asked: bool = False
    claims: tuple[tuple[object, str], ...] = ()
    read: int = 0
    was_done: bool = False

    def section(self, request) -> dict:
        if not self.has_asked:
            self.has_asked = True
            beside = Thread(target=self._ask)  # of the model server's own loop
            beside.start()
            beside.join()
        return scribe_section(request)

    def _ask(self) -> None:
        with tenant_context(self.account.tenant_id):
            run = Run.objects.get(state=State.SYNTHESIZING)
            self.claims = tuple(Claim.objects.filter(run=run).values_list("pk", "text"))
            self.read = Source.objects.filter(run=run).count()
            self.was_done = request_replan(run.pk, self.account.user, WISH)
        connection.close()


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture(scope="module")
def owner(account: PersonalAccount) -> Owner:
    return Owner(account)


@pytest.fixture(scope="module")
def report(model: FakeOpenAI, owner: Owner, ask_in_library) -> Document:
    model.default = scribe(plan=plan, section=owner.section)
    return ask_in_library(QUESTION, target_sources=2)


@pytest.fixture
def run(report: Document, account: PersonalAccount) -> Iterator[Run]:
    with tenant_context(account.tenant_id):
        yield Run.objects.get(pk=report.run_id)


def test_the_run_goes_back_and_is_finished(report, run, owner):
    assert owner.was_done
    assert (run.state, run.replan_count) == ("completed", 1)
    assert report.status == "done"
    assert Step.objects.get(run=run, output__exit="the_owner_wants_another_plan").key.endswith(
        ".synthesizing"
    )


def test_the_model_is_told_the_old_plan_how_it_fared_and_the_owner_s_words(report, model):
    [asked_again] = [
        request
        for request in model.requests
        if get_form_name(request) == "PlanAnswer" and AGAIN in request.text
    ]
    assert WISH in asked_again.text
    assert "1. The limits: " in asked_again.text
    assert " sources found" in asked_again.text
    assert "   - seasonal performance" in asked_again.text


def test_the_new_plan_says_whose_wish_it_was(run):
    first, second = PlanVersion.objects.filter(run=run).order_by("number")
    assert (second.trigger, second.reason) == (
        "user_feedback",
        f"The person who asked wants another plan. {WISH}",
    )
    change = difference(Plan.model_validate(first.plan), Plan.model_validate(second.plan))
    assert [one.name for one in change.subtopics.added] == ["Gardens"]
    assert [one.heading for one in change.sections.added] == ["Gardens"]
    assert change.added_queries == ("tomatoes sun",)


def test_no_source_is_read_by_the_model_twice(run, model, owner):
    sources = Source.objects.filter(run=run)
    assert sources.count() > owner.read
    assert count(model.requests, "ClaimsAnswer") == sources.filter(status="processed").count()
    asked = Step.objects.filter(run=run, handler="report.search").values_list("input__query", flat=True)
    assert len(asked) == len(set(asked))


def test_a_claim_that_is_found_again_is_the_same_claim(run, owner):
    placed = dict(Claim.objects.filter(run=run).exclude(section=None).values_list("text", "pk"))
    kept = [(pk, text) for pk, text in owner.claims if text in placed]
    assert kept
    assert all(placed[text] == pk for pk, text in kept)
    texts = list(Claim.objects.filter(run=run).values_list("text", flat=True))
    assert len(texts) == len(set(texts))


def test_the_report_is_written_from_the_new_analysis(run):
    sections = Section.objects.filter(run=run, report_version=run.report_version)
    assert sections.count() == run.total_sections
    assert not Claim.objects.filter(run=run, section__report_version__lt=run.report_version).exists()
