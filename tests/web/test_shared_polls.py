"""One answer for all who watch the same run, and never another's."""

import re
import threading

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from research.models import Run, State
from research.tenancy import tenant_context
from research.web.shared_polls import SharedAnswers
from tests.people import join
from tests.worlds import make_report

NEWS = {"HX-Request": "true"}
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
        Run.objects.filter(pk=at_work.run.pk).update(snapshot_version=5, sources_found=777)
    after = poll(client, at_work).content
    german = poll(client, at_work, **{"Accept-Language": "de"}).content
    assert b"777" in after
    assert b"777" not in before
    assert b"Gefunden" in german
    assert b"Gefunden" not in after


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
