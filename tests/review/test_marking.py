"""People mark a finished brief's claims right or wrong: in the queue, kept beside the claims, counted as verdicts."""

import pytest
from django.test import Client
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.states.resolve_escalation import expire
from research.models import Escalation, ReviewAct, ReviewItem, Role, Run, State
from research.models.schemas import StoredDecision
from research.pipelines.brief.stored_brief import own_of
from research.review.calibration_review import CannotMark, ask_for_marks, mark_of, marks_of
from research.review.decide_review_items import DecisionRefused, decide
from research.review.reviewer_verdicts import verdicts
from research.web.runs.escalation_view import decisions_of, open_questions, questions_of
from tests.briefs.conftest import _warm
from tests.briefs.making import Made, make_brief
from tests.people import Person, join
from tests.web.pages import tree, words

__all__ = ["_warm"]
CALIBRATION = "/admin/citations/claim/calibration/?kind=brief"


@pytest.fixture
def grace(db: None) -> Person:
    return join("grace", is_staff=True, is_superuser=True)


@pytest.fixture
def brief(grace: Person) -> Made:
    return make_brief(grace)


@pytest.fixture
def client(grace: Person) -> Client:
    return grace.sign_in()


def mark(client: Client, made: Made) -> str:
    return client.post(f"/runs/{made.run.pk}/claims/mark/")["Location"]


def press(client: Client, page, act: str, note: str = ""):
    item = tree(page).xpath("//input[@name='item']/@value")[0]
    run = tree(page).xpath("//input[@name='run']/@value")[0]
    return client.post("/review/", {"act": act, "item": item, "run": run, "note": note}, follow=True)


def test_from_the_button_through_the_queue_to_the_plot(client: Client, brief: Made) -> None:
    before = brief.brief.model_dump_json()
    report = f"/runs/{brief.run.pk}/report/"
    assert "Nobody has marked its claims" in words(client.get(report))
    address = mark(client, brief)
    assert address == f"/review/?run={brief.run.pk}"
    page = client.get(address)
    assert "The text stays as it is" in words(page)
    assert not tree(page).xpath("//button[@value='edit']")
    total = len(brief.brief.key_claims)
    page = press(client, page, "reject", "It says something else.")
    for _ in range(total - 1):
        page = press(client, page, "accept")
    said = words(client.get(report))
    assert f"{total} claims are marked, {total - 1} as right." in said
    assert "It says something else." in said
    plotted = words(client.get(CALIBRATION))
    assert f"{total} verdicts, {total - 1} accepted" in plotted
    with tenant_context(brief.run.tenant_id):
        own = own_of(Run.objects.get(pk=brief.run.pk))
        assert own is not None
        assert own.brief is not None
        assert own.brief.model_dump_json() == before
    assert mark(client, brief) == f"{report}#marks"


def test_a_mark_stands_on_the_claims_page(client: Client, brief: Made) -> None:
    page = press(client, client.get(mark(client, brief)), "reject", "No.")
    assert "wrong says grace" in words(client.get(f"/runs/{brief.run.pk}/claims/1/"))
    assert "says grace" not in words(client.get(f"/runs/{brief.run.pk}/claims/2/"))
    assert page.status_code == 200


def test_what_was_written_is_not_corrected(grace: Person, brief: Made) -> None:
    with tenant_context(grace.tenant.pk):
        ask_for_marks(brief.run.pk, grace.user)
        item = ReviewItem.objects.order_by("position").first()
        assert item is not None
        with pytest.raises(DecisionRefused, match="cannot be edited"):
            decide(item.pk, grace.user, ReviewAct.EDIT, StoredDecision(text="Other words."))


def test_asking_again_asks_once_and_opens_what_was_left_when_its_time_is_over(
    grace: Person, brief: Made
) -> None:
    with tenant_context(grace.tenant.pk):
        first = ask_for_marks(brief.run.pk, grace.user)
        assert ask_for_marks(brief.run.pk, grace.user).pk == first.pk
        item = ReviewItem.objects.order_by("position").first()
        assert item is not None
        decide(item.pk, grace.user, ReviewAct.ACCEPT, StoredDecision())
        Escalation.objects.update(deadline=timezone.now())
    assert expire(grace.tenant.pk) == 1
    with tenant_context(grace.tenant.pk):
        marks = marks_of(Run.objects.get(pk=brief.run.pk))
        assert marks is not None
        assert (len(marks.given), marks.is_open, len(verdicts("brief"))) == (1, False, 1)
        again = ask_for_marks(brief.run.pk, grace.user)
        assert (again.pk, again.status, Escalation.objects.count()) == (first.pk, "open", 1)
        mark = mark_of(brief.run.pk, 1)
        assert mark is not None
        assert mark.is_right


def test_it_is_no_question_of_the_run(grace: Person, brief: Made) -> None:
    with tenant_context(grace.tenant.pk):
        ask_for_marks(brief.run.pk, grace.user)
        run = Run.objects.get(pk=brief.run.pk)
        assert (questions_of(run), list(open_questions()), decisions_of(run.pk)) == ([], [], [])
        assert run.state == State.COMPLETED


def test_only_finished_runs_with_claims_are_marked_by_who_may_review(
    client: Client, grace: Person, brief: Made
) -> None:
    with tenant_context(grace.tenant.pk):
        report = Run.objects.create(owner=grace.user, kind="report", topic="How many words?")
        with pytest.raises(CannotMark, match="finished brief"):
            ask_for_marks(report.pk, grace.user)
    vera = join("vera", role=Role.VIEWER, tenant=grace.tenant).sign_in()
    assert vera.post(f"/runs/{brief.run.pk}/claims/mark/").status_code == 403
    assert b"Mark its claims" not in vera.get(f"/runs/{brief.run.pk}/report/").content
    assert join("bob").sign_in().post(f"/runs/{brief.run.pk}/claims/mark/").status_code == 404
    assert client.get(f"/runs/{brief.run.pk}/claims/mark/").status_code == 405
