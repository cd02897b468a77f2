"""A run asked again: the same question and configuration, and what changed when it has ended."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Relation, Run, State
from tests.comparison.runs import two_reports
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import finish


def ask_again(client, run, key="k"):
    return client.post(f"/runs/{run.pk}/rerun/", {"key": key}, follow=True)


def newest(person):
    with tenant_context(person.tenant.pk):
        return Run.objects.order_by("-created_at").first()


def test_it_is_a_new_run_that_follows_the_old_one(client, ada, world):
    ask_again(client, world.run)
    again = newest(ada)
    assert (again.parent_id, again.relation, again.topic) == (world.run.pk, Relation.RERUN, world.run.topic)
    assert again.state == State.CREATED


def test_a_second_click_finds_the_first_ones_run(client, ada, world):
    for _ in range(2):
        ask_again(client, world.run)
    with tenant_context(ada.tenant.pk):
        assert Run.objects.count() == 2


def test_pages_of_the_web_are_fetched_anew(client, ada, world):
    with tenant_context(ada.tenant.pk):
        Run.objects.update(config={"sources": "web", "depth": "quick"})
    ask_again(client, world.run)
    assert newest(ada).config == {"sources": "web", "depth": "quick", "fresh_pages": True}


def test_too_many_runs_are_refused_and_the_reason_is_shown(client, ada, world, settings):
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "runs": (0, 0)}
    assert "runs in progress, the maximum" in words(ask_again(client, world.run))
    assert newest(ada) == world.run


def test_the_summary_offers_it_beside_editing_and_scheduling(client, world):
    page = tree(client.get(f"/runs/{world.run.pk}/"))
    offered = [
        element.text for element in page.xpath("//section[@aria-labelledby='result']//*[@class='button']")
    ]
    assert {"Ask again", "Edit and ask again", "Schedule"} <= set(offered)


def test_the_summary_says_what_changed_with_a_link(client, ada):
    two = two_reports(ada)
    two.leave_out(2)
    page = client.get(f"/runs/{two.new.run.pk}/")
    assert "1 claim gone since" in words(page)
    assert f'href="/runs/{two.new.run.pk}/changes/"' in page.content.decode()


def test_while_it_works_nothing_is_compared(client, ada):
    two = two_reports(ada)
    with tenant_context(ada.tenant.pk):
        finish(two.new.run, State.READING)
    assert "since" not in words(client.get(f"/runs/{two.new.run.pk}/"))


@pytest.mark.parametrize(("method", "status"), [("get", 405), ("post", 404)])
def test_links_and_strangers_start_nothing(client, ada, world, method, status):
    browser = client if method == "get" else join("bob").sign_in()
    assert getattr(browser, method)(f"/runs/{world.run.pk}/rerun/").status_code == status
    assert newest(ada) == world.run
