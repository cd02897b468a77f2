"""A run's plan: what it holds, what is new in it, and editing it row by row."""

import pytest

from research.db.tenancy import tenant_context
from research.models import PlanTrigger, PlanVersion, Role, Run, State
from research.models.schemas import Plan
from tests.people import join
from tests.web.asked import ask_about_plan, make_plan
from tests.web.pages import fold_spaces, tree, words
from tests.worlds import make_report


@pytest.fixture
def plan_question(world):
    return ask_about_plan(world)


def page_of(client, world, **query):
    return client.get(f"/runs/{world.run.pk}/plan/", query)


def edit(client, world, act, version=1, **typed):
    typed = {name.replace("__", "-"): value for name, value in typed.items()}
    return client.post(f"/runs/{world.run.pk}/plan/", {"act": act, "version": version, **typed})


def plan_of(world):
    with tenant_context(world.person.tenant.pk):
        return Plan.model_validate(Run.objects.get(pk=world.run.pk).plan)


def names(world):
    return [subtopic.name for subtopic in plan_of(world).subtopics]


def versions(world):
    with tenant_context(world.person.tenant.pk):
        return list(
            PlanVersion.objects.order_by("number").values_list("number", "trigger", "made_by__username")
        )


def fields(number, **changed):
    typed = {"name": "Noise", "queries": "noise at night\n\nnoise  limits", "target_sources": "7"}
    typed |= {"priority": "critical"} | changed
    prefix = "new" if number is None else f"step-{number}"
    return {f"{prefix}-{name}": value for name, value in typed.items()}


def test_the_plan_says_what_each_step_takes(client, world, plan_question):
    text = words(page_of(client, world))
    assert "Whether heat pumps work in the cold" in text
    assert "about 18 sources · 5–11 min · est. $0.90" in text
    assert "Field trials ~8 sources · $0.40 · Important" in text
    assert "Costs ~6 sources · $0.30 · Supplementary" in text
    assert "Do you mean homes or offices?" in text
    assert "the run ends; what it has so far is kept" in text


def test_what_rules_say_of_a_step_is_in_the_readers_language(client, world, plan_question):
    plan = make_plan()
    first = plan.subtopics[0].model_copy(update={"description": "The question as it was asked."})
    stored = plan.model_copy(update={"subtopics": [first, *plan.subtopics[1:]]}).model_dump(mode="json")
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(plan=stored)
        PlanVersion.objects.create(run=world.run, number=2, plan=stored, trigger=PlanTrigger.PLANNER)
    page = client.get(f"/runs/{world.run.pk}/plan/", headers={"Accept-Language": "de"})
    assert "Die Frage, wie sie gestellt wurde." in words(page)


def test_the_tab_leads_there_from_every_page_of_the_run(client, world):
    address = f"/runs/{world.run.pk}/plan/"
    for page in ("", "log/", "plan/", "sources/"):
        found = tree(client.get(f"/runs/{world.run.pk}/{page}")).xpath("//*[@class='tabs']//a/@href")
        assert address in found, page


def test_a_step_moves_up_and_keeps_the_focus_on_the_button(client, world, plan_question):
    response = edit(client, world, "up", step=3)
    assert response["Location"].endswith("/plan/?at=step-2-up")
    assert names(world) == ["Field trials", "Costs", "Lab limits"]
    assert [one.heading for one in plan_of(world).outline] == names(world)
    [focused] = tree(client.get(response["Location"])).xpath("//button[@autofocus]")
    assert focused.get("aria-label") == "Move “Costs” up"


@pytest.mark.parametrize(
    ("act", "step", "label"), [("up", 2, "Move “Lab limits” down"), ("down", 2, "Move “Lab limits” up")]
)
def test_at_the_end_of_the_list_the_way_back_gets_the_focus(client, world, plan_question, act, step, label):
    page = client.get(edit(client, world, act, step=step)["Location"])
    assert tree(page).xpath("//button[@autofocus]/@aria-label") == [label]


def test_a_step_is_added_with_its_searches_and_its_number_of_sources(client, world, plan_question):
    edit(client, world, "add", **fields(None))
    added = plan_of(world).subtopics[-1]
    assert (added.name, added.queries) == ("Noise", ["noise at night", "noise limits"])
    assert (added.target_sources, added.priority) == (7, "critical")
    assert plan_of(world).estimated_sources == 25
    assert versions(world) == [(1, "planner", None), (2, "edit", "ada")]


def test_a_step_is_changed_in_its_place(client, world, plan_question):
    response = edit(client, world, "save", step=2, **fields(2))
    assert names(world) == ["Field trials", "Noise", "Costs"]
    assert "Step “Noise” was changed." in words(client.get(response["Location"]))


def test_a_step_is_removed_and_the_next_one_gets_the_focus(client, world, plan_question):
    page = client.get(edit(client, world, "remove", step=1)["Location"])
    assert names(world) == ["Lab limits", "Costs"]
    [focused] = tree(page).xpath("//summary[@autofocus]")
    assert "Lab limits" in focused.text_content()


def test_the_goal_is_restated(client, world, plan_question):
    edit(client, world, "goal", goal__goal="Whether  they work\nin flats")
    assert plan_of(world).goal == "Whether they work in flats"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": " "}, "Give the step a name."),
        ({"name": "COSTS"}, "Another step already has this name."),
        ({"queries": "\n \n"}, "Enter at least one search query."),
        ({"queries": "x" * 301}, "is longer than 300 characters"),
        ({"queries": "\n".join(f"query {n}" for n in range(11))}, "at most 10 are allowed"),
        ({"target_sources": "0"}, "greater than or equal to 1"),
        ({"target_sources": "501"}, "less than or equal to 500"),
        ({"target_sources": "many"}, "Enter a whole number"),
        ({"priority": "urgent"}, "Select a valid choice"),
    ],
)
@pytest.mark.parametrize("number", [1, None], ids=["save", "add"])
def test_what_is_wrong_is_said_at_its_field_and_has_the_focus(
    client, world, plan_question, number, wrong, message
):
    act, step = ("add", {}) if number is None else ("save", {"step": number})
    page = edit(client, world, act, **step, **fields(number, **wrong))
    assert page.status_code == 422
    [summary] = tree(page).xpath("//*[@id='error-summary'][@autofocus]")
    assert message in fold_spaces(summary.text_content())
    assert tree(page).xpath("//details[@open]//*[@id='error-summary']")
    assert names(world) == ["Field trials", "Lab limits", "Costs"]


@pytest.mark.parametrize(("sources", "is_taken"), [("1", True), ("500", True), ("501", False)])
def test_a_step_may_want_as_many_sources_as_a_run_may_have(client, world, plan_question, sources, is_taken):
    page = edit(client, world, "save", step=1, **fields(1, target_sources=sources))
    assert (page.status_code == 302) is is_taken


def test_an_edit_of_a_plan_that_changed_meanwhile_is_not_done(client, world, plan_question):
    edit(client, world, "remove", step=1)
    page = client.get(edit(client, world, "remove", version=1, step=1)["Location"])
    assert "The plan has been changed in the meantime." in words(page)
    assert names(world) == ["Lab limits", "Costs"]


@pytest.mark.parametrize("typed", [{"step": "9"}, {"step": "x"}, {}, {"step": "99999999999"}])
@pytest.mark.parametrize("act", ["up", "down", "remove", "save"])
def test_a_step_that_is_not_there_is_refused_in_words(client, world, plan_question, act, typed):
    page = client.get(edit(client, world, act, **typed)["Location"])
    assert "The plan no longer has this step." in words(page)
    assert len(versions(world)) == 1


def test_an_act_that_there_is_not_is_refused(client, world, plan_question):
    assert (
        "Plans do not support this action."
        in client.get(edit(client, world, "burn")["Location"]).content.decode()
    )


def test_the_difference_to_the_version_before_is_shown(client, world, plan_question):
    edit(client, world, "remove", step=2)
    edit(client, world, "save", version=2, step=1, **fields(1, name="Field trials", priority="important"))
    text = words(page_of(client, world))
    assert "Different from the version before Edited by a person" in text
    assert "Changed: Field trials, sources 8 → 7, searches cold field trial · winter test → " in text
    assert "Sources: about 14 → about 13" in text
    older = words(page_of(client, world, version=2))
    assert "Removed: Lab limits" in older
    assert "This is an earlier version of the plan." in older


def test_all_versions_are_listed_and_older_ones_are_only_read(client, world, plan_question):
    edit(client, world, "down", step=1)
    page = page_of(client, world, version=1)
    assert not tree(page).xpath("//button[@name='act']")
    assert "Version 2 edited by a person · ada" in words(page)
    assert tree(page).xpath("//a[@href='?version=2']")


@pytest.mark.parametrize("version", ["7", "0", "-1", "x", "99999999"])
def test_a_version_that_there_is_not_is_not_found(client, world, plan_question, version):
    expected = 404 if version in ("7", "99999999") else 200  # what is no number means the latest
    assert page_of(client, world, version=version).status_code == expected


@pytest.mark.parametrize("state", [State.COLLECTING, State.COMPLETED, State.HUMAN_REVIEW_GAPS])
def test_where_the_run_does_not_wait_for_its_plan_nothing_can_be_edited(client, world, plan_question, state):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=state)
    assert not tree(page_of(client, world)).xpath("//main//button")
    page = client.get(edit(client, world, "remove", step=1)["Location"])
    assert "only while the run is waiting for you to approve it" in words(page)
    assert len(names(world)) == 3


def test_a_run_without_versions_shows_the_plan_that_it_has(client, world):
    assert "Whether heat pumps work in the cold" in words(page_of(client, world))


def test_a_run_without_a_plan_says_so(client, world):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(plan=None)
    assert "This run ended before there was a plan." in words(page_of(client, world))
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.PLANNING)
    assert "There is no plan yet: it is being made." in words(page_of(client, world))
    assert edit(client, world, "remove", step=1).status_code == 404


def test_a_run_that_failed_before_its_plan_can_be_tried_again(client, ada):
    world = make_report(ada, state=State.FAILED)
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(plan=None)
    page = page_of(client, world)
    assert "This run failed before there was a plan. No source could be read." in words(page)
    (form,) = tree(page).xpath("//main//form")
    again = client.post(form.get("action"), {"key": form.xpath(".//input[@name='key']/@value")[0]})
    with tenant_context(ada.tenant.pk):
        assert again["Location"] == Run.objects.exclude(pk=world.run.pk).get().get_absolute_url()


def test_a_plan_that_is_being_made_comes_by_itself_with_a_script_and_without(client, world):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(plan=None, state=State.PLANNING)
    page = tree(page_of(client, world))
    assert page.xpath("//main//p[@hx-trigger='every 3s']/@hx-target") == ["#main"]
    assert page.xpath("//noscript/meta[@http-equiv='refresh']")


def test_until_it_is_known_whether_a_plan_waits_for_consent_the_page_follows(client, world, plan_question):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.PLANNING)
    page = tree(page_of(client, world))
    assert page.xpath("//main//p[@hx-trigger='every 3s']/@hx-target") == ["#main"]
    assert page.xpath("//noscript/meta[@http-equiv='refresh']")
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.HUMAN_REVIEW_PLAN)
    assert not tree(page_of(client, world)).xpath("//main//p[@hx-trigger]")


def test_a_replan_is_told_apart_from_an_edit(client, world, plan_question):
    plan = make_plan().model_copy(update={"subtopics": make_plan().subtopics[:2]}).model_dump(mode="json")
    with tenant_context(world.person.tenant.pk):
        PlanVersion.objects.create(
            run=world.run,
            number=2,
            plan=plan,
            trigger=PlanTrigger.INSUFFICIENT_COVERAGE,
            reason="40 % covered.",
        )
    text = words(page_of(client, world))
    assert "Planned again: too little was covered: 40 % covered." in text
    assert "Removed: Costs" in text


def test_a_viewer_reads_the_plan_and_edits_nothing(ada, world, plan_question):
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    page = page_of(viewer, world)
    assert page.status_code == 200
    assert not tree(page).xpath("//main//button")
    assert edit(viewer, world, "remove", step=1).status_code == 403
    assert len(names(world)) == 3


def test_a_stranger_neither_sees_nor_edits_it(stranger, world, plan_question):
    assert page_of(stranger, world).status_code == 404
    assert edit(stranger, world, "remove", step=1).status_code == 404
    assert len(names(world)) == 3


def test_html_in_a_plan_stays_text(client, world, plan_question):
    edit(client, world, "save", step=1, **fields(1, name="<script>alert(1)</script>"))
    page = page_of(client, world).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
