"""The list of runs, a run at work, its acts and its log."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from citations.models import Citation, Claim
from research.db.tenancy import tenant_context
from research.models import AgentRole, Run, State, Step, StepStatus
from tests.web.pages import tree, words
from tests.worlds import make_report

POLLS = "//*[@id='poll']/@hx-trigger"


@pytest.fixture
def at_work(ada):
    return make_report(ada, state=State.READING)


def change(world, **columns):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(**columns)


def poll(client, world, tag=""):
    headers = {"HX-Request": "true", "HX-PTag": tag}
    return client.get(f"/runs/{world.run.pk}/progress/", headers=headers)


def test_runs_are_listed_with_state_evidence_and_cost(client, world):
    page = client.get("/runs/")
    assert "Done" in words(page)
    assert "free" in words(page)
    (mix,) = tree(page).xpath("//*[@class='mix']/@aria-label")
    assert mix == "Evidence: 1 Strong, 1 Moderate, 1 Limited"


def test_a_run_that_was_just_asked_is_of_just_now(client, world):
    text = words(client.get("/runs/"))
    assert "just now" in text
    assert "0 minutes ago" not in text


def test_the_list_can_be_searched_and_filtered(client, world):
    assert "heat pumps" in words(client.get("/runs/?q=HEAT&state=done"))
    assert "No run matches this filter." in words(client.get("/runs/?q=nuclear"))
    assert "No run matches this filter." in words(client.get("/runs/?state=failed"))


def test_a_nonsense_filter_or_page_shows_all(client, world):
    assert "heat pumps" in words(client.get("/runs/?state=nonsense&page=banana"))


def test_an_empty_list_leads_to_asking(client):
    assert "Nothing has been asked yet." in words(client.get("/runs/"))


def test_a_run_at_work_shows_its_stage_and_figures(client, at_work):
    page = client.get(f"/runs/{at_work.run.pk}/")
    assert "Stage 3 of 7: Reading sources" in words(page)
    figures = [node.text_content() for node in tree(page).xpath("//dl[@id='counters']//dd")]
    assert figures == ["4", "3", "1", "2/2", "3"]
    assert "broken.pdf: The file ends too early." in words(page)


def test_only_the_stage_is_announced(client, at_work):
    page = tree(client.get(f"/runs/{at_work.run.pk}/"))
    assert page.xpath("//main//*[@role='status']/@id") == ["stage"]
    assert page.xpath("//*[@role='log']/@aria-live") == ["off"]


def test_without_script_the_page_of_a_run_at_work_reloads_itself(client, at_work, world):
    refresh = "//noscript/meta[@http-equiv='refresh']"
    assert tree(client.get(f"/runs/{at_work.run.pk}/")).xpath(refresh)
    assert not tree(client.get(f"/runs/{world.run.pk}/")).xpath(refresh)


def test_a_poll_brings_all_parts_of_one_snapshot(client, at_work):
    page = tree(poll(client, at_work))
    targets = page.xpath("//*[local-name()='hx-partial']/@hx-target")
    assert targets == [
        *("#poll", "#stage", "#times", "#activity", "#questions", "#rail", "#counters", "#part", "#agents"),
        *("#newest", "#failures", "#feed", "#spending", "#acts", "#told", "#steer-over", "#sufficiency"),
    ]


def test_a_poll_without_news_is_answered_not_modified(client, at_work):
    tag = poll(client, at_work)["HX-PTag"]
    response = poll(client, at_work, tag)
    assert (response.status_code, response.content) == (304, b"")


def test_a_new_snapshot_version_is_news(client, at_work):
    tag = poll(client, at_work)["HX-PTag"]
    change(at_work, snapshot_version=1, sources_processed=4)
    response = poll(client, at_work, tag)
    assert response.status_code == 200
    assert "<dd>4</dd>" in response.content.decode()


def test_what_time_alone_changes_is_told_anew_from_time_to_time(client, at_work):
    tag = poll(client, at_work)["HX-PTag"]
    change(at_work, started_at=timezone.now() - timezone.timedelta(seconds=20))
    assert poll(client, at_work, tag).status_code == 200
    change(at_work, paused_at=timezone.now())
    tag = poll(client, at_work)["HX-PTag"]
    change(at_work, started_at=timezone.now() - timezone.timedelta(seconds=90))
    assert poll(client, at_work, tag).status_code == 304


def test_a_poll_without_news_costs_few_queries(client, at_work, django_assert_max_num_queries):
    tag = poll(client, at_work)["HX-PTag"]
    with django_assert_max_num_queries(8):
        poll(client, at_work, tag)


def test_polls_come_slower_after_two_minutes(client, at_work):
    assert tree(poll(client, at_work)).xpath(POLLS) == ["every 2s"]
    change(at_work, started_at=timezone.now() - timezone.timedelta(minutes=3))
    assert tree(poll(client, at_work)).xpath(POLLS) == ["every 5s"]


def test_polling_stops_when_the_run_has_ended(client, at_work):
    change(at_work, state=State.COMPLETED, version=1)
    page = tree(poll(client, at_work))
    assert page.xpath(POLLS) == []
    assert page.xpath("//*[@id='poll']//a/@href") == [f"/runs/{at_work.run.pk}/report/"]


def test_the_polled_address_opened_by_hand_leads_to_the_page(client, at_work):
    response = client.get(f"/runs/{at_work.run.pk}/progress/")
    assert response["Location"] == f"/runs/{at_work.run.pk}/"


def test_a_run_can_be_paused_and_go_on(client, at_work):
    page = words(client.post(f"/runs/{at_work.run.pk}/pause/", follow=True))
    assert "Paused. Nothing is lost" in page
    assert "Continue" in page
    page = words(client.post(f"/runs/{at_work.run.pk}/resume/", follow=True))
    assert "The run continues where it stopped." in page


def test_a_cancelled_run_keeps_its_report(client, at_work):
    page = client.post(f"/runs/{at_work.run.pk}/cancel/", follow=True)
    assert "Everything found so far is kept" in words(page)
    report = words(client.get(f"/runs/{at_work.run.pk}/report/"))
    assert "Backup heaters ran for forty hours." in report


def test_cancelling_what_has_ended_changes_nothing(client, world):
    page = words(client.post(f"/runs/{world.run.pk}/cancel/", follow=True))
    assert "Nothing was changed" in page


def test_each_sentence_of_the_short_answer_leads_to_its_claim_by_its_source(client, world):
    with tenant_context(world.person.tenant.pk):
        claim = Claim.objects.filter(run=world.run, section__isnull=False).earliest("number")
        source = (
            Citation.objects.filter(claim=claim).select_related("source").earliest("citation_index").source
        )
    change(world, result={**world.run.result, "summary": [claim.text, "Nobody said this."]})
    page = tree(client.get(f"/runs/{world.run.pk}/"))
    (link,) = page.xpath("//*[contains(@class, 'result')]//p/a[@class='attribution']")
    assert link.getparent().text.strip() == claim.text
    assert link.get("href") == f"/runs/{world.run.pk}/claims/{claim.number}/"
    assert (source.publisher or source.title) in link.text


def test_a_finished_run_shows_its_result(client, world):
    page = words(client.get(f"/runs/{world.run.pk}/"))
    assert "The report is ready" in page
    assert "7 s" in page
    assert "Open the report" in page


def test_a_failed_run_says_why_and_what_is_left(client, ada):
    failed = make_report(ada, state=State.FAILED)
    page = words(client.get(f"/runs/{failed.run.pk}/"))
    assert "No source could be read. (no_sources)" in page
    assert "Open what is finished" in page


def test_a_run_that_found_no_source_says_what_to_do(client, ada):
    failed = make_report(ada, state=State.FAILED)
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=failed.run.pk).update(failure_code="INSUFFICIENT_SOURCES")
    assert "Add some that do to the library" in words(client.get(f"/runs/{failed.run.pk}/"))


def test_the_log_lists_steps_with_input_and_output(client, world):
    page = words(client.get(f"/runs/{world.run.pk}/log/"))
    assert "1.planning/plan" in page
    assert "40 ms" in page
    assert "&quot;facets&quot;: 2" in page


def test_a_long_log_is_paged_and_filtered(client, world):
    with tenant_context(world.person.tenant.pk):
        for number in range(1, 60):
            Step.objects.create(
                run=world.run,
                step_index=number,
                key=f"search.{number}",
                agent_role=AgentRole.RESEARCHER,
                status=StepStatus.COMPLETED,
            )
    assert "Page 1 of 2" in words(client.get(f"/runs/{world.run.pk}/log/"))
    assert "search.59" in words(client.get(f"/runs/{world.run.pk}/log/?page=2"))
    filtered = words(client.get(f"/runs/{world.run.pk}/log/?role=planner"))
    assert "1.planning/plan" in filtered
    assert "search.1" not in filtered


def test_the_log_downloads_as_json(client, world):
    response = client.get(f"/runs/{world.run.pk}/log.json")
    assert response["Content-Disposition"].startswith("attachment")
    (step,) = json.loads(b"".join(response))["steps"]
    assert (step["key"], step["role"], step["output"]) == ("1.planning/plan", "planner", {"facets": 2})


def test_the_summary_says_that_nothing_judged_the_answer_unless_a_model_chose_it(client, world):
    said = "Rules chose the statements: whether they answer the question was not checked."
    assert said in words(client.get(f"/runs/{world.run.pk}/"))
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(result=world.run.result | {"engine": "model"})
    shown = words(client.get(f"/runs/{world.run.pk}/"))
    assert "The report is ready" in shown
    assert said not in shown


@pytest.mark.parametrize(("seconds", "opens"), [(7, True), (90, False)])
def test_a_run_that_ends_soon_opens_its_report_by_itself(client, world, seconds, opens):
    change(world, completed_at=world.run.created_at + timedelta(seconds=seconds))
    opened = poll(client, world).headers.get("HX-Redirect")
    assert opened == (f"/runs/{world.run.pk}/report/" if opens else None)
