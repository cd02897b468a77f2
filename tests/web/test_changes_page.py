"""The page that says what changed between two runs, and its JSON."""

import json
from uuid import uuid4

import pytest

from research.db.tenancy import tenant_context
from research.models import Run, State
from tests.comparison.runs import two_reports
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import finish, make_report


@pytest.fixture
def two(ada):
    return two_reports(ada)


def address(world, suffix="/", query=""):
    return f"/runs/{world.run.pk}/changes{suffix}{query}"


def test_it_begins_with_the_counts_and_shows_both_sides(client, two):
    two.change(3, text="Oil fell by 40 percent.")
    two.leave_out(2, "Its source does not support it.")
    page = client.get(address(two.new))
    assert "1 claim changed, 1 claim gone since" in words(page)
    assert "Figure: “30 percent” → “40 percent”" in words(page)
    assert [mark.text for mark in tree(page).xpath("//del | //ins")] == ["30 percent", "40 percent"]
    assert "It was written again but left out. Its source does not support it." in words(page)


def test_each_claim_leads_to_its_evidence_in_its_own_run(client, two):
    two.change(3, text="Oil fell by 40 percent.")
    links = [a.get("href") for a in tree(client.get(address(two.new))).xpath("//*[@class='sides']//a")]
    assert links == [f"/runs/{one.run.pk}/claims/3/" for one in (two.old, two.new)]
    assert all(client.get(link).status_code == 200 for link in links)


def test_without_a_change_it_says_so(client, two):
    page = words(client.get(address(two.new)))
    assert "No claim has changed since" in page
    assert "3 claims are the same." in page


def test_a_run_asked_again_has_the_tab_and_others_have_not(client, two):
    assert b"What changed" in client.get(f"/runs/{two.new.run.pk}/").content
    assert b"What changed" not in client.get(f"/runs/{two.old.run.pk}/").content


def test_any_other_run_may_be_named(client, two):
    page = client.get(address(two.old, query=f"?with={two.new.run.pk}"))
    assert "No claim has changed since" in words(page)


def test_without_an_earlier_run_those_of_the_same_question_are_offered(client, ada):
    first, second = make_report(ada), make_report(ada)
    page = client.get(address(second))
    assert "nothing to compare it with" in words(page)
    assert f"?with={first.run.pk}" in page.content.decode()
    assert "no earlier run of the same question either" in words(client.get(address(first)))


def test_while_the_run_is_under_way_it_says_when_to_come_back(client, two):
    with tenant_context(two.new.person.tenant.pk):
        finish(two.new.run, State.READING)
    assert "still under way" in words(client.get(address(two.new)))


def test_a_run_that_failed_is_compared_with_what_it_has(client, two):
    with tenant_context(two.new.person.tenant.pk):
        finish(two.new.run, State.FAILED)
    assert "ended without a finished report" in words(client.get(address(two.new)))


@pytest.mark.parametrize("named", ["nonsense", "00000000-0000-4000-8000-000000000007", "0"])
def test_a_run_that_is_not_there_is_not_found(client, two, named):
    assert client.get(address(two.new, query=f"?with={named}")).status_code == 404


def test_a_run_of_another_tenant_cannot_be_named(client, two):
    foreign = make_report(join("bob"))
    assert client.get(address(two.new, query=f"?with={foreign.run.pk}")).status_code == 404


def test_texts_of_sources_stay_text(client, two):
    two.change(3, text="Oil fell by <b>40</b> percent.")
    assert b"<b>40</b>" not in client.get(address(two.new)).content


def test_the_same_as_json(client, two):
    two.change(3, text="Oil fell by 40 percent.")
    two.leave_out(2, "Its source does not support it.")
    response = client.get(address(two.new, ".json"))
    told = json.loads(response.content)
    assert response["Content-Disposition"].startswith("attachment")
    assert told["counts"] == {"new": 0, "changed": 1, "gone": 1, "same": 1}
    assert told["changed"][0]["differences"] == [
        {"aspect": "figure", "old": "30 percent", "new": "40 percent"}
    ]
    assert told["gone"][0]["absence"] == "left_out"


def test_without_an_earlier_run_there_is_no_json(client, ada):
    assert client.get(address(make_report(ada), ".json")).status_code == 404


def test_the_page_takes_as_many_queries_for_more_claims(client, two, django_assert_max_num_queries):
    with django_assert_max_num_queries(16):
        client.get(address(two.new))


def test_an_extension_is_compared_and_a_follow_up_is_not():
    kept = [
        Run(parent_id=uuid4(), relation=relation).is_compared for relation in ("extension", "follow_up", "")
    ]
    assert kept == [True, False, False]
