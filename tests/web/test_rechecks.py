"""The button below a source, what comes of it there, and the mark in the report's popover."""

import pytest
from django.utils import timezone

from citations.models import Recheck, RecheckedCitation, RecheckState
from research.db.tenancy import tenant_context
from research.models import Role
from tests.people import join
from tests.web.pages import tree, words


@pytest.fixture
def broker_messages(monkeypatch):
    messages = []
    monkeypatch.setattr(
        "celery.current_app.send_task", lambda name, args, **_more: messages.append((name, *args))
    )
    return messages


def store_recheck(world, outcome="changed", now="Backup heaters ran for ninety hours.", **columns):
    """A look that is over, with one outcome for each citation of the trial."""
    with tenant_context(world.person.tenant.pk):
        done = {"state": RecheckState.DONE, "finished_at": timezone.now()} | columns
        recheck = Recheck.objects.create(source=world.trial, **done)
        if recheck.state == RecheckState.DONE:
            for citation in (world.citations[0], world.citations[2], world.citations[3]):
                is_it = citation == world.citations[2]
                RecheckedCitation.objects.create(
                    recheck=recheck, citation=citation, outcome=outcome if is_it else "still there",
                    similarity=0.9, now=now if is_it else "",
                )  # fmt: skip
        return recheck


def page_of(client, source):
    return client.get(f"/sources/{source.pk}/")


def press(client, source):
    return client.post(f"/sources/{source.pk}/recheck/")


def test_one_may_ask_and_sees_that_it_is_under_way(
    client, world, broker_messages, django_capture_on_commit_callbacks
):
    assert "Not checked since the source was saved." in words(page_of(client, world.trial))
    with django_capture_on_commit_callbacks(execute=True):
        response = press(client, world.trial)
    assert response["Location"] == f"/sources/{world.trial.pk}/#recheck"
    assert [name for name, *_ in broker_messages] == ["research.tasks.fetch_for_recheck"]
    page = page_of(client, world.trial)
    assert "Being checked" in words(page)
    assert tree(page).xpath("//*[@id='recheck']/@hx-trigger") == ["every 2s"]
    assert not tree(page).xpath("//*[@id='recheck']//button")


def test_pressing_twice_is_one_look(client, world, broker_messages):
    press(client, world.trial)
    press(client, world.trial)
    with tenant_context(world.person.tenant.pk):
        assert Recheck.objects.count() == 1


def test_the_outcome_is_shown_with_its_date_and_what_stands_there_now(client, world):
    store_recheck(world)
    page = page_of(client, world.trial)
    assert "1 changed 2 still there" in words(page)
    assert "claim 2" in words(page)
    assert "Now it says: Backup heaters ran for ninety hours." in words(page)
    assert "The saved copy stays as it is." in words(page)
    assert not tree(page).xpath("//*[@id='recheck']/@hx-trigger")


def test_what_cannot_be_said_has_its_reason(client, world):
    store_recheck(
        world, state=RecheckState.UNREADABLE, reason="The site’s robots.txt asks not to read this page."
    )
    page = words(page_of(client, world.trial))
    assert "Unclear The site’s robots.txt asks not to read this page." in page


def test_too_soon_is_said_and_nothing_is_asked(client, world):
    store_recheck(world)
    press(client, world.trial)
    assert "has just been checked" in words(page_of(client, world.trial))
    with tenant_context(world.person.tenant.pk):
        assert Recheck.objects.count() == 1


def test_the_fragment_stops_polling_when_the_look_is_over(client, world):
    store_recheck(world)
    part = client.get(f"/sources/{world.trial.pk}/recheck/status/", headers={"HX-Request": "true"})
    assert b"hx-trigger" not in part.content
    assert b"<html" not in part.content


def test_a_source_without_citations_has_no_button(client, world):
    assert not tree(page_of(client, world.note)).xpath("//*[@id='recheck']")


def test_markup_in_what_stands_there_now_stays_text(client, world):
    store_recheck(world, now="<script>alert(1)</script>")
    page = page_of(client, world.trial).content
    assert b"<script>alert(1)" not in page
    assert b"&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("outcome", "mark"),
    [("changed", "Found changed on"), ("gone", "Found gone on"), ("still there", "Still there on")],
)
def test_the_popover_says_what_the_last_look_found(client, world, outcome, mark):
    store_recheck(world, outcome, now="" if outcome != "changed" else "Backup heaters ran for ninety hours.")
    part = client.get(f"/runs/{world.run.pk}/claims/2/", headers={"HX-Request": "true"})
    assert mark in words(part)
    assert ("Now it says: Backup heaters ran for ninety hours." in words(part)) == (outcome == "changed")


def test_the_latest_look_counts(client, world):
    store_recheck(world, "gone", now="")
    store_recheck(world, "still there", now="")
    part = words(client.get(f"/runs/{world.run.pk}/claims/2/", headers={"HX-Request": "true"}))
    assert "Still there on" in part
    assert "gone" not in part


def test_an_unread_popover_is_asked_for_anew_after_a_look(client, world):
    def address():
        page = tree(client.get(f"/runs/{world.run.pk}/report/"))
        return page.xpath("//button[contains(@class, 'badge')]/@hx-get")[0]

    before = address()
    store_recheck(world)
    assert address() != before
    part = client.get(address(), headers={"HX-Request": "true"})
    assert "max-age" in part["Cache-Control"]
    stale = client.get(before, headers={"HX-Request": "true"})
    assert "max-age" not in stale.get("Cache-Control", "")


def test_a_stranger_cannot_ask_or_look(stranger, world):
    assert press(stranger, world.trial).status_code == 404
    assert stranger.get(f"/sources/{world.trial.pk}/recheck/status/").status_code == 404
    with tenant_context(world.person.tenant.pk):
        assert not Recheck.objects.exists()


def test_a_viewer_sees_the_outcome_and_cannot_ask(ada, world):
    store_recheck(world)
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    assert "1 changed" in words(page_of(viewer, world.trial))
    assert press(viewer, world.trial).status_code == 403


def test_it_is_not_asked_by_following_a_link(client, world):
    assert client.get(f"/sources/{world.trial.pk}/recheck/").status_code == 405
