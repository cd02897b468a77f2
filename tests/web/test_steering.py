"""Telling a run something from its page, and going on from one that has ended."""

from uuid import uuid4

import pytest

from research.db.tenancy import tenant_context
from research.models import (
    AgentRole,
    Instruction,
    InstructionStatus,
    Relation,
    Run,
    State,
    Step,
    StepStatus,
)
from research.runs.start_and_cancel import StartRefused
from tests.web.pages import tree, words
from tests.worlds import finish, make_report


@pytest.fixture
def at_work(ada):
    """It reads; its state waits for a step that is under way."""
    world = make_report(ada, state=State.READING)
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(step_count=2)
        Step.objects.create(
            run=world.run,
            step_index=1,
            key="0.reading",
            queue="control",
            handler="state.reading",
            agent_role=AgentRole.EXTRACTOR,
            pending_children=1,
        )
    return world


def say(client, world, text, key="", **headers):
    form = {"instruct-text": text, "instruct-client_key": key}
    return client.post(f"/runs/{world.run.pk}/instructions/", form, headers=headers)


def list_instructions(world):
    with tenant_context(world.person.tenant.pk):
        return list(Instruction.objects.filter(run=world.run))


def children(world):
    with tenant_context(world.person.tenant.pk):
        return list(Run.objects.filter(parent=world.run))


def go_on(client, world, act, **form):
    return client.post(f"/runs/{world.run.pk}/{act}/", form)


def test_a_run_at_work_can_be_told_something(client, at_work):
    assert "Give the run an instruction" in words(client.get(f"/runs/{at_work.run.pk}/"))
    page = client.get(say(client, at_work, "also look at costs")["Location"])
    assert "Saved. The run reads it at its next step" in words(page)
    assert "waits for the next step also look at costs ada" in words(page)
    [one] = list_instructions(at_work)
    assert (one.status, one.author.username) == (InstructionStatus.QUEUED, "ada")


def test_its_state_waits_for_the_step_that_follows_it(client, at_work):
    say(client, at_work, "also look at costs")
    with tenant_context(at_work.person.tenant.pk):
        step = Step.objects.get(handler="report.instruct")
        assert (step.status, step.parent.key) == (StepStatus.PENDING, "0.reading")
        assert step.parent.pending_children == 2


def test_with_htmx_the_part_comes_back_alone(client, at_work):
    part = say(client, at_work, "also look at costs", **{"HX-Request": "true"})
    assert part.status_code == 200
    assert b"<html" not in part.content
    assert tree(part).xpath("//section[@id='steering']")
    assert "also look at costs" in words(part)
    assert tree(part).xpath("//textarea")[0].text_content().strip() == ""


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Enter an instruction first."),
        ("no", "at least 3 characters"),
        ("x" * 2_001, "the limit is 2000"),
    ],
)
def test_what_can_not_be_told_comes_back_with_the_reason(client, at_work, headers, text, reason):
    response = say(client, at_work, text, **headers)
    assert response.status_code == 422
    assert reason in words(response)
    assert tree(response).xpath("//textarea[@name='instruct-text']")[0].text_content().strip() == text
    assert list_instructions(at_work) == []


def test_a_double_submit_is_one(client, at_work):
    key = str(uuid4())
    say(client, at_work, "also look at costs", key)
    say(client, at_work, "also look at costs", key)
    assert len(list_instructions(at_work)) == 1


def test_too_late_is_said_with_another_way(client, world):
    response = say(client, world, "also look at costs")
    assert response.status_code == 422
    assert "Ask a follow-up question" in words(response)


def test_a_run_that_is_being_finished_offers_no_form(client, ada):
    world = make_report(ada, state=State.EXPORTING)
    page = client.get(f"/runs/{world.run.pk}/")
    assert "It is too late for an instruction" in words(page)
    assert not tree(page).xpath("//textarea[@name='instruct-text']")


def test_what_became_of_it_is_shown_by_the_poll_the_summary_and_the_report(client, at_work):
    with tenant_context(at_work.person.tenant.pk):
        Instruction.objects.create(
            run=at_work.run,
            text="not <b>example.org</b>",
            author=at_work.person.user,
            status=InstructionStatus.TAKEN,
            effects=["Nothing of example.org is read or cited from now on."],
        )
    address = f"/runs/{at_work.run.pk}/"
    poll = client.get(f"{address}progress/", headers={"HX-Request": "true"})
    with tenant_context(at_work.person.tenant.pk):
        finish(at_work.run, State.COMPLETED)
    for page in (poll, client.get(address), client.get(f"{address}report/")):
        assert "Nothing of example.org is read or cited from now on." in words(page)
        assert b"<b>example.org" not in page.content


def test_who_still_looks_when_it_has_ended_reads_that_it_takes_no_more(client, at_work):
    address = f"/runs/{at_work.run.pk}/progress/"
    over = "The run has ended and takes no more instructions."
    assert over not in client.get(address, headers={"HX-Request": "true"}).content.decode()
    with tenant_context(at_work.person.tenant.pk):
        at_work.run.snapshot_version += 1
        finish(at_work.run, State.COMPLETED)
    assert over in client.get(address, headers={"HX-Request": "true"}).content.decode()


def test_without_script_words_that_are_being_written_are_not_lost(client, at_work):
    address = f"/runs/{at_work.run.pk}/"
    refresh = "//noscript/meta[@http-equiv='refresh']"
    assert tree(client.get(address)).xpath(refresh)
    assert not tree(client.get(f"{address}?still=1")).xpath(refresh)
    assert not tree(say(client, at_work, "no")).xpath(refresh)


def test_a_follow_up_starts_a_run_of_its_own(client, world):
    response = go_on(client, world, "follow-up", **{"follow-question": "And in the mountains?"})
    [child] = children(world)
    assert response["Location"] == f"/runs/{child.pk}/"
    assert (child.relation, child.topic) == (Relation.FOLLOW_UP, "And in the mountains?")
    assert "A follow-up to Do heat pumps work" in words(client.get(response["Location"]))
    assert "Follow-up: And in the mountains?" in words(client.get(f"/runs/{world.run.pk}/"))
    assert "1 run continues from it" in words(client.get("/runs/"))


@pytest.mark.parametrize(
    ("question", "reason"), [("", "Write a question first."), ("?", "at least 3 characters")]
)
def test_a_question_that_is_none_comes_back_with_the_reason(client, world, question, reason):
    response = go_on(client, world, "follow-up", **{"follow-question": question})
    assert response.status_code == 422
    assert reason in words(response)
    assert children(world) == []


def test_an_extension_asks_the_same_with_more_sources(client, world):
    response = go_on(client, world, "extend", **{"extend-more": "5"})
    [child] = children(world)
    assert response["Location"] == f"/runs/{child.pk}/"
    assert (child.relation, child.topic, child.config["target_sources"]) == ("extension", world.run.topic, 5)
    assert "With more sources than Do heat pumps work" in words(client.get(response["Location"]))


@pytest.mark.parametrize("more", ["", "0", "-3", "many", "201", "1e9"])
def test_an_impossible_number_comes_back_with_the_reason(client, world, more):
    response = go_on(client, world, "extend", **{"extend-more": more})
    assert response.status_code == 422
    assert tree(response).xpath("//ul[contains(@class, 'errorlist')]")
    assert children(world) == []


@pytest.mark.parametrize(
    ("act", "form"), [("follow-up", {"follow-question": "And then?"}), ("extend", {"extend-more": "5"})]
)
def test_a_start_that_is_refused_says_why_at_the_form(client, world, monkeypatch, act, form):
    def refuse(**_given):
        raise StartRefused("The workspace has no credits.")

    monkeypatch.setattr("research.pipelines.report.report_follow_up.start_run", refuse)
    response = go_on(client, world, act, **form)
    assert response.status_code == 422
    assert "The workspace has no credits." in words(response)


def test_the_same_form_twice_starts_one_run(client, world):
    form = {"follow-question": "And then?", "follow-client_key": str(uuid4())}
    go_on(client, world, "follow-up", **form)
    go_on(client, world, "follow-up", **form)
    assert len(children(world)) == 1


def test_a_run_under_way_is_not_followed_up(client, at_work):
    response = go_on(client, at_work, "follow-up", **{"follow-question": "And then?"})
    assert response.status_code == 422
    assert children(at_work) == []


def test_the_report_ends_with_the_question_for_more(client, world):
    page = client.get(f"/runs/{world.run.pk}/report/")
    [form] = tree(page).xpath(f"//form[@action='/runs/{world.run.pk}/follow-up/']")
    assert form.xpath(".//textarea[@name='follow-question']")


def test_what_pausing_and_cancelling_do_is_said(client, at_work):
    address = f"/runs/{at_work.run.pk}/"
    assert "Cancelling ends the run within seconds and keeps everything found" in words(client.get(address))
    page = client.post(f"{address}pause/", follow=True)
    assert "no step starts and all time limits stop until you resume the run" in words(page)
