"""Working in one of several workspaces, and never writing into another than the page showed."""

import re

from django.test import Client
from lxml.html import document_fromstring

from research.db.tenancy import tenant_context
from research.models import LibraryDocument, Membership, Run, State
from tests.people import join
from tests.workspaces.conftest import switch
from tests.worlds import make_report, stock_library

QUESTION = {"question": "Do heat pumps work in the cold?"}


def words(response) -> str:
    return " ".join(document_fromstring(response.content).text_content().split())


def runs_of(person) -> int:
    with tenant_context(person.tenant.pk):
        return Run.objects.count()


def fields(response) -> dict[str, str]:
    return {
        one.get("name"): one.get("value")
        for one in document_fromstring(response.content).xpath("//main//input")
    }


def test_the_name_is_shown_where_there_are_several_and_leads_to_the_page(ada, bob, both):
    assert "bob’s" in words(both.get("/"))
    assert 'class="workspace-name"' in both.get("/").content.decode()
    assert 'class="workspace-name"' not in bob.sign_in().get("/").content.decode()


def test_one_works_where_one_chose(ada, bob, both):
    world = make_report(bob)
    address = f"/runs/{world.run.pk}/report/"
    assert both.get(address).status_code == 404
    assert switch(both, bob).status_code == 302
    assert both.get(address).status_code == 200
    assert both.get("/account/").content.decode().count("bob’s") >= 1
    switch(both, ada)
    assert both.get(address).status_code == 404


def test_the_choice_is_of_the_session_alone(ada, bob, both):
    switch(both, bob)
    assert "You are working in" not in words(ada.sign_in().get("/"))
    assert "ada’s" in words(ada.sign_in().get("/account/"))


def test_a_workspace_of_others_can_not_be_chosen(ada, bob, both):
    eve = join("eve")
    assert switch(both, eve).status_code == 404
    assert both.post("/workspaces/switch/", {"to": "nonsense"}).status_code == 404
    assert switch(eve.sign_in(), bob).status_code == 404
    assert Client().post("/workspaces/switch/", {"to": str(bob.tenant.pk)}).status_code == 302


def test_who_was_removed_falls_back_to_the_oldest_at_once(ada, bob, both):
    world = make_report(bob)
    switch(both, bob)
    assert both.get(f"/runs/{world.run.pk}/").status_code == 200
    with tenant_context(bob.tenant.pk):
        Membership.objects.filter(user=ada.user).delete()
    assert both.get(f"/runs/{world.run.pk}/").status_code == 404
    assert "ada’s" in words(both.get("/account/"))


def test_a_form_of_the_workspace_before_starts_nothing_and_offers_to_go_back(ada, bob, both):
    stock_library(ada)
    shown = fields(both.get("/runs/new/"))
    assert shown["workspace"] == str(ada.tenant.pk)
    switch(both, bob)
    refused = both.post("/runs/new/", {**QUESTION, "workspace": shown["workspace"]})
    assert (refused.status_code, runs_of(ada), runs_of(bob)) == (409, 0, 0)
    assert "Nothing was changed" in words(refused)
    assert "Do it in “ada’s”" in words(refused)
    again = fields(refused)
    assert again["question"] == QUESTION["question"]
    [there] = document_fromstring(refused.content).xpath("//main//form/@action")
    started = both.post(there, again)
    assert (started.status_code, runs_of(ada), runs_of(bob)) == (302, 1, 0)
    assert both.get(started["Location"]).status_code == 200


def test_who_may_only_read_where_they_work_now_is_led_back_all_the_same(ada, bob, both):
    with tenant_context(bob.tenant.pk):
        Membership.objects.filter(user=ada.user).update(role="viewer")
    switch(both, bob)
    refused = both.post("/runs/new/", {**QUESTION, "workspace": str(ada.tenant.pk)})
    assert (refused.status_code, runs_of(ada), runs_of(bob)) == (409, 0, 0)
    assert "Do it in “ada’s”" in words(refused)
    mine = {**QUESTION, "workspace": str(bob.tenant.pk)}
    assert both.post("/runs/new/", mine).status_code == 403


def test_a_form_without_its_workspace_is_not_guessed_for_who_has_several(ada, bob, both):
    stock_library(bob)
    assert both.post("/runs/new/", QUESTION).status_code == 409
    assert (runs_of(ada), runs_of(bob)) == (0, 0)
    assert bob.sign_in().post("/runs/new/", QUESTION).status_code == 302
    assert runs_of(bob) == 1


def test_a_form_of_a_workspace_that_one_left_is_refused_without_a_way_there(ada, bob, both):
    switch(both, bob)
    with tenant_context(bob.tenant.pk):
        Membership.objects.filter(user=ada.user).delete()
    sent = {**QUESTION, "workspace": str(bob.tenant.pk)}
    refused = both.post(f"/runs/new/?go_there={bob.tenant.pk}", sent)
    assert (refused.status_code, runs_of(ada), runs_of(bob)) == (409, 0, 0)
    assert "Do it in" not in words(refused)


def test_files_of_a_stale_form_reach_no_library(ada, bob, both):
    from django.core.files.uploadedfile import SimpleUploadedFile

    switch(both, bob)
    file = SimpleUploadedFile("a.txt", b"Heat pumps.")
    sent = {"documents": file, "folder": "New", "workspace": str(ada.tenant.pk)}
    refused = both.post("/library/", sent)
    assert refused.status_code == 409
    assert "choose them again there" in words(refused)
    for person in (ada, bob):
        with tenant_context(person.tenant.pk):
            assert not LibraryDocument.objects.exists()


def test_an_act_on_a_run_of_the_workspace_before_is_told_too(ada, bob, both):
    world = make_report(ada, state=State.READING)
    page = both.get(f"/runs/{world.run.pk}/")
    assert f'name="workspace" value="{ada.tenant.pk}"' in page.content.decode()
    switch(both, bob)
    refused = both.post(f"/runs/{world.run.pk}/cancel/", {"workspace": str(ada.tenant.pk)})
    assert refused.status_code == 409
    there = f"/runs/{world.run.pk}/cancel/?go_there={ada.tenant.pk}"
    done = both.post(there, {"workspace": str(ada.tenant.pk)})
    assert done.status_code == 302
    with tenant_context(ada.tenant.pk):
        assert Run.objects.get().cancel_at


def test_nobody_is_sent_to_another_workspace_from_elsewhere(ada, bob, both):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = both.cookies
    there = f"/workspaces/switch/?go_there={bob.tenant.pk}"
    assert strict.post(there, {"workspace": str(bob.tenant.pk)}).status_code == 403
    assert both.get(f"/account/?go_there={bob.tenant.pk}").status_code == 200
    assert "Workspace “ada’s”" in words(both.get("/account/"))


def test_a_page_that_is_not_there_offers_the_other_workspaces(ada, bob, both):
    address = f"/runs/{make_report(bob).run.pk}/report/"
    page = both.get(address)
    assert page.status_code == 404
    assert "The page may be in another of your workspaces" in words(page)
    assert switch(both, bob, next=address)["Location"] == address
    assert both.get(address).status_code == 200
    assert "another of your workspaces" not in words(join("eve").sign_in().get("/nothing/"))


def test_polls_follow_the_choice_and_end_with_the_membership(ada, bob, both):
    world = make_report(bob, state=State.READING)
    switch(both, bob)
    both.get(f"/runs/{world.run.pk}/")
    address, news = f"/runs/{world.run.pk}/progress/", {"HX-Request": "true"}
    tag = both.get(address, headers=news)["HX-PTag"]
    assert both.get(address, headers={**news, "HX-PTag": tag}).status_code == 304
    with tenant_context(bob.tenant.pk):
        Membership.objects.filter(user=ada.user).update(role="viewer")
    from research.web.runs import progress_page_polls

    progress_page_polls._tags.forget()
    both.get(address, headers={**news, "HX-PTag": "older"})
    with tenant_context(bob.tenant.pk):
        Membership.objects.filter(user=ada.user).delete()
    progress_page_polls._tags.forget()
    assert both.get(address, headers={**news, "HX-PTag": tag}).status_code == 404


def test_updates_of_a_poll_hold_acts_for_those_alone_who_may_do_them(ada):
    world = make_report(ada, state=State.READING)
    address, news = f"/runs/{world.run.pk}/progress/", {"HX-Request": "true"}
    viewer = join("vera", role="viewer", tenant=ada.tenant).sign_in()
    pattern = re.compile(rb'action="/runs/[^"]+/cancel/"')
    assert pattern.search(ada.sign_in().get(address, headers=news).content)
    assert not pattern.search(viewer.get(address, headers=news).content)
    assert f'value="{ada.tenant.pk}"' in ada.sign_in().get(address, headers=news).content.decode()
