"""One answer for all who watch the same run, and never another's."""

import re
import threading
import time

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from research.db.tenancy import tenant_context
from research.models import Run, State
from research.web.runs import progress_page_polls as watching
from research.web.site.page_poll_cache import SharedAnswers
from tests.people import join
from tests.worlds import make_report

NEWS = {"HX-Request": "true"}
MANY = 7_771_777
SHOWN = str(MANY).encode()  # longer than what a token or an identifier holds by chance
FORM_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture
def at_work(ada):
    return make_report(ada, state=State.READING)


def poll(client, world, **headers: str):
    return client.get(f"/runs/{world.run.pk}/progress/", headers={**NEWS, **headers})


@pytest.mark.django_db
def test_the_second_viewer_costs_no_figures(client, at_work):
    poll(client, at_work)
    with CaptureQueriesContext(connection) as found:
        poll(client, at_work)
    asked = " ".join(query["sql"] for query in found.captured_queries)
    assert "research_source" not in asked
    assert "research_step" not in asked


@pytest.mark.django_db
def test_each_viewer_gets_the_same_words_with_a_token_of_their_own(client, at_work, ada):
    other = Client()
    other.force_login(join("eve", tenant=ada.tenant).user)
    mine, theirs = poll(client, at_work), poll(other, at_work)
    assert FORM_TOKEN.sub(b"", mine.content) == FORM_TOKEN.sub(b"", theirs.content)
    assert mine["HX-PTag"] == theirs["HX-PTag"]
    tokens = FORM_TOKEN.findall(mine.content) + FORM_TOKEN.findall(theirs.content)
    assert tokens
    assert all(len(token) == 64 for token in tokens)
    assert not set(FORM_TOKEN.findall(mine.content)) & set(FORM_TOKEN.findall(theirs.content))


@pytest.mark.django_db
def test_news_is_made_anew_and_each_language_has_its_own(client, at_work):
    before = poll(client, at_work).content
    with tenant_context(at_work.person.tenant.pk):
        Run.objects.filter(pk=at_work.run.pk).update(snapshot_version=5, sources_found=MANY)
    after = poll(client, at_work).content
    german = poll(client, at_work, **{"Accept-Language": "de"}).content
    assert SHOWN in after
    assert SHOWN not in before
    assert b"Gefunden" in german
    assert b"Gefunden" not in after


@pytest.fixture
def poll_tag(client, at_work):
    """Somebody who has polled already; the tag that came."""
    client.get(f"/runs/{at_work.run.pk}/")  # gives the browser its token
    return poll(client, at_work)["HX-PTag"]


def move_on(at_work, **columns):
    with tenant_context(at_work.person.tenant.pk):
        Run.objects.filter(pk=at_work.run.pk).update(snapshot_version=F("snapshot_version") + 1, **columns)
    watching._tags.forget()


@pytest.mark.django_db
def test_who_polled_a_moment_ago_is_not_looked_up_again(client, at_work, poll_tag):
    with CaptureQueriesContext(connection) as found:
        assert poll(client, at_work, **{"HX-PTag": poll_tag}).status_code == 304
    asked = " ".join(query["sql"] for query in found.captured_queries)
    assert "research_run" in asked
    assert "django_session" not in asked
    assert "auth_user" not in asked
    assert "plumbline_workspaces" not in asked


@pytest.mark.django_db
def test_news_that_was_made_for_another_comes_without_being_looked_up(client, at_work, poll_tag, ada):
    other = Client()
    other.force_login(join("eve", tenant=ada.tenant).user)
    other.get(f"/runs/{at_work.run.pk}/")
    poll(other, at_work)
    move_on(at_work, sources_found=MANY)
    first = poll(client, at_work, **{"HX-PTag": poll_tag})
    with CaptureQueriesContext(connection) as found:
        second = poll(other, at_work, **{"HX-PTag": poll_tag})
    assert SHOWN in second.content
    assert second["HX-PTag"] == first["HX-PTag"] != poll_tag
    assert "no-store" in second["Cache-Control"]
    assert not any("django_session" in query["sql"] for query in found.captured_queries)
    tokens = FORM_TOKEN.findall(first.content), FORM_TOKEN.findall(second.content)
    assert tokens[0]
    assert len(tokens[0]) == len(tokens[1])
    assert not set(tokens[0]) & set(tokens[1])


@pytest.mark.django_db
def test_a_form_of_such_an_update_is_taken(client, at_work, poll_tag):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    move_on(at_work)
    poll(strict, at_work, **{"HX-PTag": poll_tag})
    page = poll(strict, at_work, **{"HX-PTag": poll_tag})
    token = FORM_TOKEN.findall(page.content)[0].decode()
    answer = strict.post(f"/runs/{at_work.run.pk}/pause/", {"csrfmiddlewaretoken": token})
    assert answer.status_code == 302


@pytest.mark.django_db
def test_who_signed_out_sees_nothing_any_more(client, at_work, poll_tag):
    kept = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.logout()
    client.cookies[settings.SESSION_COOKIE_NAME] = kept
    answer = poll(client, at_work, **{"HX-PTag": poll_tag})
    assert answer.status_code == 302
    assert "/login/" in answer["Location"]


@pytest.mark.django_db
def test_who_signed_out_in_another_process_sees_nothing_any_more(client, at_work, poll_tag, monkeypatch):
    kept, known = client.cookies, dict(watching._viewers._values)
    client.logout()
    client.cookies = kept
    monkeypatch.setattr(watching._words, "seconds", 600)
    watching._viewers._values.update(known)  # as in a process that heard nothing of it
    watching._words.keep(watching.FORGOTTEN, "")
    assert poll(client, at_work, **{"HX-PTag": poll_tag}).status_code == 304
    watching._words.forget()  # a quarter of a second later
    assert "/login/" in poll(client, at_work, **{"HX-PTag": poll_tag})["Location"]


@pytest.mark.django_db
def test_who_has_seen_what_another_process_made_is_shown_nothing_older(client, at_work, poll_tag):
    move_on(at_work)
    viewer = watching._viewers.get(next(reversed(watching._viewers._values)))[1]
    newer, _version = watching._tag(viewer.tenant_id, at_work.run.pk)
    move_on(at_work, sources_found=MANY)
    watching._answerable(viewer, at_work.run.pk, poll_tag)  # somebody begins to make it here
    seen = poll(client, at_work, **{"HX-PTag": newer})
    assert SHOWN in seen.content


@pytest.mark.django_db
def test_nobody_watches_a_run_of_another_tenant(at_work, poll_tag, stranger):
    own = make_report(join("carol"), state=State.READING)
    carol = own.person.sign_in()
    carol.get(f"/runs/{own.run.pk}/")
    tag = poll(carol, own)["HX-PTag"]
    poll(carol, own, **{"HX-PTag": tag})
    assert poll(carol, at_work, **{"HX-PTag": poll_tag}).status_code == 404
    assert poll(stranger, at_work, **{"HX-PTag": poll_tag}).status_code == 404


@pytest.mark.django_db
def test_while_one_makes_the_news_the_others_get_what_was_there(client, at_work, poll_tag, monkeypatch):
    _word, viewer = watching._viewers.get(next(reversed(watching._viewers._values)))
    move_on(at_work, sources_found=MANY)
    now, _version = watching._tag(viewer.tenant_id, at_work.run.pk)
    assert (
        watching._answerable(viewer, at_work.run.pk, poll_tag) == now != poll_tag
    )  # the first goes and makes it
    assert poll(client, at_work, **{"HX-PTag": poll_tag}).status_code == 304
    late = poll(client, at_work, **{"HX-PTag": "older"})
    assert (late["HX-PTag"], SHOWN in late.content) == (poll_tag, False)
    assert watching.update_for(viewer, at_work.run.pk, now, lambda: str(MANY)) == str(MANY)
    assert poll(client, at_work, **{"HX-PTag": poll_tag}).content == SHOWN


@pytest.mark.django_db
def test_what_is_remembered_ends(client, at_work, poll_tag, monkeypatch):
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + watching.PASS_S + 1)
    with CaptureQueriesContext(connection) as found:
        assert poll(client, at_work, **{"HX-PTag": poll_tag}).status_code == 304
    assert any("django_session" in query["sql"] for query in found.captured_queries)


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(watching, "KEPT", 2)
    remembered = watching.ProcessCache(60)
    for key in "abc":
        remembered.keep(key, key)
    assert [remembered.get(key) for key in "abc"] == [None, "b", "c"]


def test_who_comes_while_it_is_made_waits_and_gets_the_same():
    answers, made, begun, go_on = SharedAnswers(), [], threading.Event(), threading.Event()

    def make() -> str:
        made.append(1)
        begun.set()
        assert go_on.wait(10)
        return "figures"

    found: list[str] = []
    viewers = [threading.Thread(target=lambda: found.append(answers.get("run", make))) for _ in range(5)]
    viewers[0].start()
    assert begun.wait(10)
    for viewer in viewers[1:]:
        viewer.start()
    go_on.set()
    for viewer in viewers:
        viewer.join(10)
    assert (found, made) == (["figures"] * 5, [1])


def test_what_fails_is_tried_again_and_the_oldest_is_forgotten():
    answers = SharedAnswers(kept=2)
    with pytest.raises(ZeroDivisionError):
        answers.get("a", lambda: str(1 // 0))
    assert [answers.get(key, lambda key=key: key) for key in "abc"] == ["a", "b", "c"]
    assert answers.get("c", lambda: "new") == "c"
    assert answers.get("a", lambda: "new") == "new"
