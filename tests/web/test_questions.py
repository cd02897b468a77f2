"""The question on a run's page: what is asked, until when, and the answer given right there."""

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.models import Escalation, EscalationStatus, ReviewAct, ReviewDecision, Role, Run, State
from tests.people import join
from tests.web.asked import ask_about_claims, ask_about_gap, ask_about_pair, ask_about_plan
from tests.web.pages import tree, words


@pytest.fixture
def question(world):
    return ask_about_claims(world)


def page_of(client, world):
    return client.get(f"/runs/{world.run.pk}/")


def answer(client, world, asked, act, note=""):
    return client.post(f"/runs/{world.run.pk}/questions/{asked.pk}/", {"act": act, "note": note})


def load_question(world, asked):
    with tenant_context(world.person.tenant.pk):
        return Escalation.objects.get(pk=asked.pk)


def test_the_page_says_first_what_is_asked_until_when_and_what_happens_else(client, world, question):
    page = page_of(client, world)
    text = words(page)
    assert "Claims that no source supports Priority: Critical" in text
    assert "The run is waiting for your answer." in text
    assert "the run ends; what it has so far is kept" in text
    assert "Oil fell by 30 percent." in text
    place = [one.get("id") for one in tree(page).xpath("//main//*[@id]")]
    assert place.index("questions") < place.index("stage-line")


def test_a_question_is_approved_with_a_note_and_the_decision_is_shown(client, world):
    asked = ask_about_gap(world)
    assert answer(client, world, asked, "accept", "Good enough.")["Location"] == f"/runs/{world.run.pk}/"
    assert load_question(world, asked).status == EscalationStatus.APPROVED
    text = words(page_of(client, world))
    assert "What people decided (1)" in text
    assert "Something important is missing Approved ada," in text
    assert "Good enough." in text
    assert "The run is waiting for your answer." not in text


def test_who_consents_to_a_plan_is_told_that_the_research_begins(client, world):
    asked = ask_about_plan(world)
    answer(client, world, asked, "accept")
    assert "The research begins." in words(page_of(client, world))


@pytest.mark.parametrize(
    ("act", "message"), [("reject", "Say why you reject it"), ("replan", "Say what the new plan should do")]
)
def test_without_a_reason_nothing_is_rejected_and_the_note_has_the_focus(
    client, world, question, act, message
):
    page = answer(client, world, question, act)
    assert page.status_code == 422
    [note] = tree(page).xpath("//textarea[@name='note'][@autofocus]")
    assert note.get("aria-invalid") == "true"
    [error] = tree(page).xpath(f"//*[@id='note-{question.pk}-error']")
    assert message in error.text_content()
    assert error.get("id") in note.get("aria-describedby")
    assert load_question(world, question).status == EscalationStatus.OPEN


def test_what_was_typed_is_kept_when_it_is_too_long(client, world, question):
    page = answer(client, world, question, "accept", "x" * 2001)
    assert page.status_code == 422
    assert "x" * 2001 in page.content.decode()


def test_an_act_that_there_is_not_is_refused_in_words(client, world, question):
    page = answer(client, world, question, "explode")
    assert page.status_code == 422
    assert "Select a valid choice" in words(page)


def test_a_rejection_with_its_reason_is_kept_as_history(client, world):
    asked = ask_about_gap(world)
    answer(client, world, asked, "reject", "It is off the point.")
    with tenant_context(world.person.tenant.pk):
        [decision] = ReviewDecision.objects.filter(act=ReviewAct.REJECT)
    assert (decision.by, decision.detail["note"]) == (world.person.user, "It is off the point.")
    assert load_question(world, asked).status == EscalationStatus.REJECTED


def test_a_second_answer_comes_too_late_and_says_so(client, world):
    asked = ask_about_gap(world)
    answer(client, world, asked, "accept")
    page = client.post(
        f"/runs/{world.run.pk}/questions/{asked.pk}/", {"act": "reject", "note": "No."}, follow=True
    )
    assert load_question(world, asked).status == EscalationStatus.APPROVED
    assert "ada has already decided it" in words(page)


def test_after_two_replans_no_third_is_offered(client, world, question):
    assert tree(page_of(client, world)).xpath("//button[@value='replan']")
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(replan_count=2)
    assert not tree(page_of(client, world)).xpath("//button[@value='replan']")


def test_a_viewer_reads_the_question_and_cannot_answer(ada, world, question):
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    page = page_of(viewer, world)
    assert "Claims that no source supports" in words(page)
    assert not tree(page).xpath("//button[@name='act']")
    assert answer(viewer, world, question, "accept").status_code == 403
    assert load_question(world, question).status == EscalationStatus.OPEN


@pytest.mark.parametrize("role", [Role.MEMBER, Role.REVIEWER])
def test_members_and_reviewers_answer_as_the_owner_does(ada, world, role):
    asked = ask_about_gap(world)
    colleague = join("carla", role=role, tenant=ada.tenant)
    answer(colleague.sign_in(), world, asked, "accept")
    assert load_question(world, asked).decided_by == colleague.user


def test_a_stranger_finds_no_question(stranger, world, question):
    assert answer(stranger, world, question, "accept").status_code == 404
    assert load_question(world, question).status == EscalationStatus.OPEN


def test_a_question_of_another_run_is_not_answered_here(client, ada, world, question):
    from tests.worlds import make_report

    other = make_report(ada)
    assert answer(client, other, question, "accept").status_code == 404


def test_an_advisory_question_is_shown_though_the_run_goes_on(client, world):
    asked = ask_about_gap(world)
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.SYNTHESIZING)
    page = page_of(client, world)
    assert "The run continues in the meantime." in words(page)
    assert tree(page).xpath("//*[@id='questions']//button/@value") == ["accept"]
    assert load_question(world, asked).type == "advisory"


def test_the_first_page_lists_what_waits_the_most_urgent_first(client, ada, world):
    from tests.worlds import make_report

    ask_about_pair(world)
    ask_about_claims(make_report(ada))
    page = client.get("/")
    links = tree(page).xpath("//*[@class='waiting-list']//a/text()")
    assert links == ["Claims that no source supports", "Sources contradict each other"]
    assert "1 hour" in words(page)


def test_the_list_of_runs_says_that_one_waits(client, world, question):
    assert "Waiting for you: checks" in words(client.get("/runs/"))
    assert "Waiting for you: checks" in words(client.get("/runs/?state=waiting"))


def test_progress_brings_a_question_that_came_meanwhile(client, world, question):
    part = client.get(f"/runs/{world.run.pk}/progress/", headers={"HX-Request": "true"})
    assert 'hx-target="#questions"' in part.content.decode()
    assert "The run is waiting for your answer." in words(part)


def test_the_rail_stands_where_the_question_is_asked(client, world):
    ask_about_plan(world)
    page = page_of(client, world)
    assert "Stage 1 of 7: Waiting for you: plan" in words(page)
    assert tree(page).xpath("//*[@id='rail']/li[1]/@class") == ["now"]


def test_what_nobody_answered_in_time_is_listed_with_what_held(client, world):
    asked = ask_about_gap(world)
    with tenant_context(world.person.tenant.pk):
        Escalation.objects.filter(pk=asked.pk).update(
            status=EscalationStatus.EXPIRED, deadline=timezone.now()
        )
        Run.objects.filter(pk=world.run.pk).update(state=State.COMPLETED)
    for page in (page_of(client, world), client.get(f"/runs/{world.run.pk}/report/")):
        assert "Nobody answered in time" in words(page)
        assert "the run continues, and the report says so" in words(page)
