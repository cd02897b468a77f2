"""The review queue: one item with its evidence, five acts, the next one; by form and by htmx."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.models import Escalation, EscalationStatus, ReviewDecision, ReviewItem, Role
from tests.people import join
from tests.web.asked import ask_about_claims, ask_about_gap, ask_about_pair, ask_about_plan
from tests.web.pages import tree, words
from tests.worlds import make_report

HTMX = {"HX-Request": "true"}
QUEUE = "/review/"


@pytest.fixture
def question(world):
    return ask_about_claims(world)


def item_of(page):
    return tree(page).xpath("//input[@name='item']/@value")[0]


def press(client, page, act, *, address=QUEUE, headers=None, **typed):
    """Press the button: the form is sent with what is typed."""
    return client.post(address, {"act": act, "item": item_of(page), **typed}, headers=headers, follow=True)


def row(world, pk):
    with tenant_context(world.person.tenant.pk):
        return ReviewItem.objects.select_related("taken_by", "decided_by").get(pk=pk)


def statuses(world):
    with tenant_context(world.person.tenant.pk):
        return list(ReviewItem.objects.order_by("position").values_list("status", flat=True))


def test_an_item_is_shown_with_its_words_its_reason_and_its_evidence(client, world, question):
    page = client.get(QUEUE)
    text = words(page)
    assert "3 left" in text
    assert "Claim 1" in text
    assert "In the queue because Its source does not support it." in text
    assert "the run ends; what it has so far is kept" in text
    [mark, other] = tree(page).xpath("//*[@class='quoted']//mark/text()")
    assert mark == "The seasonal factor stayed above two at nine sites."
    assert other == "Der Jahresfaktor blieb an neun Standorten über zwei."
    assert "Exact words" in text
    around = tree(page).xpath("//*[@class='quoted']//*[@class='around']")
    assert around[1].text_content() == (
        " Backup heaters ran for forty hours.\nCosts\n• Electricity rose by 12 percent.\n• Oil fell by 30 percent.\n3"
    )
    link = tree(page).xpath("//*[@class='quoted']//a/@href")[0]
    assert (
        link == f"/sources/{world.trial.pk}/?citation={world.citations[0].pk}#passage-{world.citations[0].pk}"
    )


@pytest.mark.parametrize(
    ("language", "names"), [("en", "Row: Skell · Column: 2024"), ("de", "Zeile: Skell · Spalte: 2024")]
)
def test_a_quote_from_a_table_names_its_row_and_column(client, world, question, language, names):
    with tenant_context(world.person.tenant.pk):
        world.citations[0].cell_names = {"row": "Skell", "columns": ["2024"]}
        world.citations[0].save()
    page = client.get(QUEUE, headers={"Accept-Language": language})
    assert names in [each.text_content().strip() for each in tree(page).xpath("//*[@class='quoted']/p")]


def test_the_queue_says_of_which_runs_it_is_and_how_many_things_of_each_kind(client, world, question):
    page = client.get(QUEUE)
    [line] = tree(page).xpath("//*[@id='review-queue']/li")
    assert " ".join(line.text_content().split()) == f"{world.run.topic} 3 claims"
    assert line.xpath("a/@href") == [f"{QUEUE}?run={world.run.pk}"]
    press(client, page, "accept")
    assert f"{world.run.topic} 2 claims" in words(client.get(QUEUE))


def test_the_heading_of_the_item_has_the_focus(client, question):
    [focused] = tree(client.get(QUEUE)).xpath("//*[@autofocus]")
    assert (focused.tag, focused.get("tabindex")) == ("h2", "-1")


def test_accepting_brings_the_next_and_keeps_who_and_when(client, world, question):
    page = client.get(QUEUE)
    first = item_of(page)
    after = press(client, page, "accept", note="Seen in print.")
    assert "Accepted." in words(after)
    assert "2 left" in words(after)
    assert "Claim 2" in words(after)
    decided = row(world, first)
    assert (decided.status, decided.decided_by) == ("accepted", world.person.user)
    assert decided.decision["note"] == "Seen in print."
    assert decided.decided_at is not None


def test_a_rejection_without_a_reason_is_not_one(client, world, question):
    page = client.get(QUEUE)
    refused = press(client, page, "reject")
    assert refused.status_code == 422
    [note] = tree(refused).xpath("//*[@autofocus]")
    assert (note.get("name"), note.get("aria-invalid")) == ("note", "true")
    assert "note-error" in note.get("aria-describedby").split()
    assert "Say why you reject it" in tree(refused).xpath("//*[@id='note-error']")[0].text_content()
    assert statuses(world) == ["open"] * 3
    press(client, refused, "reject", note="Nobody measured that.")
    assert statuses(world) == ["rejected", "open", "open"]


def test_editing_shows_the_words_and_saves_what_became_of_them(client, world, question):
    page = client.get(QUEUE)
    editing = press(client, page, "edit", note="A slip.")
    [field] = tree(editing).xpath("//textarea[@name='text'][@autofocus]")
    assert field.text.strip() == "The seasonal factor stayed above two at nine sites."
    assert "A slip." in words(editing)
    same = press(
        client, editing, "edit", editing="1", text=" The seasonal factor  stayed above two at nine sites."
    )
    assert same.status_code == 422
    assert "Change the claim first" in tree(same).xpath("//*[@id='corrected-error']")[0].text_content()
    saved = press(client, same, "edit", editing="1", text="The seasonal factor stayed above two.")
    assert "Saved with your change." in words(saved)
    assert row(world, item_of(page)).decision["text"] == "The seasonal factor stayed above two."


def test_a_correction_that_no_source_carries_is_refused_with_the_reason(client, world, question):
    page = client.get(QUEUE)
    refused = press(
        client, page, "edit", editing="1", text="The seasonal factor stayed above five at sixty sites."
    )
    assert refused.status_code == 422
    assert "Its sources do not support that" in words(refused)
    assert statuses(world) == ["open"] * 3


def test_a_side_is_chosen_of_two(client, world):
    ask_about_pair(world)
    page = client.get(QUEUE)
    assert "Side A" in words(page)
    assert "Corroboration 70% 70%" in words(page)
    editing = press(client, page, "edit")
    none = press(client, editing, "edit", editing="1")
    assert none.status_code == 422
    assert "Choose the side that is right" in tree(none).xpath("//*[@id='winner-error']")[0].text_content()
    winner = tree(editing).xpath("//input[@name='winner']/@value")[0]
    press(client, none, "edit", editing="1", winner=winner)
    assert row(world, item_of(page)).decision["winner"] == winner == str(world.claims[0].pk)


def test_a_side_that_is_none_of_the_two_cannot_be_chosen(client, world):
    ask_about_pair(world)
    page = client.get(QUEUE)
    refused = press(client, page, "edit", editing="1", winner=str(world.claims[2].pk))
    assert refused.status_code == 422
    assert statuses(world) == ["open", "open"]


def test_a_gap_and_a_plan_say_what_deciding_means(client, world):
    ask_about_gap(world)
    page = client.get(QUEUE)
    assert "Nothing on maintenance." in words(page)
    assert "Accept: the run continues and the report names the gap." in words(page)
    assert not tree(page).xpath("//*[@data-key='e']")


def test_a_plan_is_edited_on_its_own_page(client, world):
    ask_about_plan(world)
    page = client.get(QUEUE)
    assert "Field trials" in words(page)
    assert tree(page).xpath("//a[@data-key='e']/@href") == [f"/runs/{world.run.pk}/plan/"]


def test_what_is_skipped_comes_again_at_the_end(client, world, question):
    seen = []
    page = client.get(QUEUE)
    for _ in range(4):
        seen.append(item_of(page))
        page = press(client, page, "skip")
    assert seen[3] == seen[0]
    assert len(set(seen[:3])) == 3
    assert "Left for later." in words(page)


def test_undo_brings_the_last_one_back_undecided(client, world, question):
    page = client.get(QUEUE)
    first = item_of(page)
    back = press(client, press(client, page, "accept"), "undo")
    assert item_of(back) == first
    assert "Undone." in words(back)
    assert statuses(world) == ["open"] * 3
    with tenant_context(world.person.tenant.pk):
        assert list(ReviewDecision.objects.order_by("pk").values_list("act", flat=True)) == ["accept", "undo"]


def test_without_anything_to_undo_the_item_stays(client, question):
    page = client.get(QUEUE)
    stayed = press(client, page, "undo")
    assert "There is nothing to undo." in words(stayed)
    assert item_of(stayed) == item_of(page)


def test_the_last_item_settles_the_question_and_then_undo_is_refused_in_words(client, world):
    asked = ask_about_gap(world)
    done = press(client, client.get(QUEUE), "accept")
    assert "Nothing is waiting for a decision" in words(done)
    assert "0 left" in words(done)
    with tenant_context(world.person.tenant.pk):
        assert Escalation.objects.get(pk=asked.pk).status == EscalationStatus.APPROVED
    refused = client.post(QUEUE, {"act": "undo"}, follow=True)
    assert "ada has already decided it" in words(refused)


def test_an_empty_queue_shows_what_was_decided_lately(client, world):
    ask_about_gap(world)
    press(client, client.get(QUEUE), "accept")
    assert "Accepted 1 Changed 0 Rejected 0" in words(client.get(QUEUE))


def test_what_another_looks_at_is_not_offered_and_said(ada, client, world):
    ask_about_gap(world)
    client.get(QUEUE)
    carla = join("carla", role=Role.REVIEWER, tenant=ada.tenant).sign_in()
    text = words(carla.get(QUEUE))
    assert "Others are reviewing everything that is waiting" in text
    until = timezone.localtime(row(world, item_of(client.get(QUEUE))).taken_until)
    assert f"Gap: being reviewed by ada, available at {until:%H:%M}" in text


def test_two_reviewers_get_different_items(ada, client, world, question):
    carla = join("carla", role=Role.REVIEWER, tenant=ada.tenant).sign_in()
    assert item_of(client.get(QUEUE)) != item_of(carla.get(QUEUE))


def test_who_stays_away_too_long_loses_the_item_to_the_next(ada, client, world):
    ask_about_gap(world)
    page = client.get(QUEUE)
    with tenant_context(world.person.tenant.pk):
        ReviewItem.objects.update(taken_until=timezone.now() - timedelta(seconds=1))
    carla = join("carla", role=Role.REVIEWER, tenant=ada.tenant)
    assert item_of(carla.sign_in().get(QUEUE)) == item_of(page)
    late = press(client, page, "accept")
    assert "carla is reviewing that one." in words(late)
    assert row(world, item_of(page)).status == "open"


def test_the_same_form_twice_decides_once(client, world, question):
    page = client.get(QUEUE)
    press(client, page, "accept")
    again = press(client, page, "accept")
    assert "That one has already been decided." in words(again)
    assert statuses(world) == ["accepted", "open", "open"]


def test_the_queue_of_one_run_has_its_items_alone(ada, client, world, question):
    other = make_report(ada)
    ask_about_gap(other)
    page = client.get(QUEUE, {"run": str(other.run.pk)})
    assert "1 left" in words(page)
    assert "Gap" in words(page)
    done = press(client, page, "accept", run=str(other.run.pk))
    assert "Nothing is waiting for a decision" in words(done)
    assert done.request["QUERY_STRING"] == f"run={other.run.pk}"
    assert "3 left" in words(client.get(QUEUE))


def test_the_most_urgent_comes_first(ada, client, world):
    ask_about_pair(world)
    ask_about_claims(make_report(ada))
    assert "Critical" in words(client.get(QUEUE))


def test_htmx_gets_the_next_item_alone_with_the_news(client, question):
    page = client.get(QUEUE)
    part = press(client, page, "accept", headers=HTMX)
    assert part.status_code == 200
    assert "<html" not in part.content.decode()
    assert "Claim 2" in words(part)
    [news] = tree(part).xpath("//hx-partial[@hx-target='#review-status']")
    assert "2 left" in news.text_content()
    assert part["Vary"].count("HX-Request") == 1


def test_staff_have_it_in_the_admin_linked_from_its_first_page(world, question):
    grace = join("grace", role=Role.VIEWER, tenant=world.person.tenant, is_staff=True).sign_in()
    assert "/admin/review/" in grace.get("/admin/").content.decode()
    page = grace.get("/admin/review/")
    assert tree(page).xpath("//form[.//input[@name='item']]/@action") == ["/admin/review/"]
    assert "Administration › Review" in words(page)
    press(grace, page, "accept", address="/admin/review/")
    assert statuses(world).count("accepted") == 1


def test_who_is_no_staff_is_sent_to_the_admins_login(client, question):
    for visitor in (client, Client()):
        response = visitor.get("/admin/review/")
        assert response["Location"] == "/admin/login/?next=/admin/review/"


@pytest.mark.parametrize(
    ("role", "code"), [("member", 200), ("reviewer", 200), ("owner", 200), ("viewer", 403)]
)
def test_who_may_review(ada, world, question, role, code):
    visitor = join("vera", role=role, tenant=ada.tenant).sign_in()
    assert visitor.get(QUEUE).status_code == code
    assert visitor.post(QUEUE, {"act": "undo"}, headers=HTMX).status_code == code


def test_a_stranger_can_neither_see_nor_decide(stranger, world, question):
    with tenant_context(world.person.tenant.pk):
        item = str(ReviewItem.objects.first().pk)
    assert "Nothing is waiting for a decision" in words(stranger.get(QUEUE))
    assert stranger.get(QUEUE, {"item": item}).status_code == 404
    assert stranger.get(QUEUE, {"run": str(world.run.pk)}).status_code == 404
    assert stranger.post(QUEUE, {"act": "accept", "item": item}).status_code == 404
    assert statuses(world) == ["open"] * 3


@pytest.mark.parametrize(
    "sent", [{"act": "explode"}, {}, {"act": "accept", "item": "x"}, {"act": "accept"}, {"act": "replan"}]
)
def test_what_no_form_sends_is_not_found_and_changes_nothing(client, world, question, sent):
    assert client.post(QUEUE, sent).status_code == 404
    assert statuses(world) == ["open"] * 3


def test_html_of_a_source_stays_text(client, world, question):
    with tenant_context(world.person.tenant.pk):
        ReviewItem.objects.update(reason="<script>alert(1)</script>")
    page = client.get(QUEUE).content.decode()
    assert "<script>alert" not in page
