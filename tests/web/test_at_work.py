"""A run's page shows who works on it, who waits for what, and its place in the queue."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from research.db.tenancy import tenant_context
from research.models import AgentRole, Chunk, Run, State, Step, StepStatus
from tests.past_runs import make_past_run, put_into
from tests.web.at_work import add_step
from tests.web.pages import fold_spaces, tree, words
from tests.worlds import make_report


@pytest.fixture
def at_work(ada):
    return make_report(ada, state=State.READING)


def agents(client, world):
    page = tree(client.get(f"/runs/{world.run.pk}/"))
    return [fold_spaces(node.text_content()) for node in page.xpath("//ul[@id='agents']/li")]


def activity(client, world):
    (node,) = tree(client.get(f"/runs/{world.run.pk}/")).xpath("//*[@id='activity']")
    return fold_spaces(node.text_content())


def test_each_piece_of_work_says_for_what_and_on_what(client, at_work):
    add_step(
        at_work, "report.search", number=1, role=AgentRole.RESEARCHER, subtopic="Trials", query="cold trial"
    )
    add_step(at_work, "report.claims", number=2, source=str(at_work.trial.pk))
    assert agents(client, at_work) == [
        "Trials searches the library cold trial",
        "Extractor reads a source for claims with a model Cold field trial",
    ]


def test_the_latest_steps_say_what_they_are_about(client, at_work):
    add_step(at_work, "report.read", number=1, source=str(at_work.trial.pk))
    add_step(at_work, "report.search", number=2, query="backup heaters")
    add_step(at_work, "state.reading", number=4)
    page = tree(client.get(f"/runs/{at_work.run.pk}/"))
    about = [
        fold_spaces(node.text_content())
        for node in page.xpath("//ol[@id='feed']/li/*[contains(@class, 'about')]")
    ]
    assert about == ["backup heaters", at_work.trial.title]


def test_a_section_is_named_by_its_heading(client, at_work):
    outline = [{"heading": "Costs", "claims": [], "first_number": 1}]
    with tenant_context(at_work.person.tenant.pk):
        Run.objects.filter(pk=at_work.run.pk).update(outline=outline)
    add_step(at_work, "report.compose", number=1, role=AgentRole.WRITER, section=0)
    assert agents(client, at_work) == ["Costs writes a section with a model"]


def test_who_waits_says_for_what_and_until_when(client, at_work):
    step = add_step(at_work, "report.claims", number=1, wait_s=20, code="LLM_RATE_LIMIT")
    (said,) = agents(client, at_work)
    assert said == f"Extractor waits for a rate limit, until {step.not_before:%H:%M:%S}"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("RATE_LIMITED", "a rate limit"),
        ("TIMEOUT", "a source that did not answer"),
        ("BLOCKED", "a site that refused"),
        ("INVALID_OUTPUT", "another try"),
    ],
)
def test_where_all_wait_the_run_says_so(client, at_work, code, reason):
    add_step(at_work, "report.fetch", number=1, wait_s=20, code=code)
    add_step(at_work, "report.fetch", number=2, wait_s=90, code="RATE_LIMITED")
    assert activity(client, at_work).startswith(f"Waiting for {reason}: continues in ")


def test_where_one_works_the_run_waits_for_nothing(client, at_work):
    add_step(at_work, "report.fetch", number=1, wait_s=20, code="RATE_LIMITED")
    add_step(at_work, "report.fetch", number=2, url="https://example.org/a")
    assert "Waiting" not in activity(client, at_work)
    assert agents(client, at_work)[0] == "Extractor reads a page https://example.org/a"


def test_of_many_the_first_are_shown_and_the_rest_counted(client, at_work):
    for number in range(9):
        add_step(at_work, "report.fetch", number=number)
    found = agents(client, at_work)
    assert len(found) == 7
    assert found[-1] == "and 3 more"


def test_where_nobody_works_it_says_so(client, at_work):
    assert agents(client, at_work) == ["Nobody at the moment."]


def test_what_works_on_markup_shows_it_as_text(client, at_work):
    add_step(at_work, "report.search", number=1, subtopic="<b>x</b>", query="<script>alert(1)</script>")
    page = client.get(f"/runs/{at_work.run.pk}/").content
    assert b"<script>alert" not in page
    assert b"<b>x</b>" not in page


def test_a_run_that_nobody_has_begun_says_its_place(client, ada):
    queue = [make_past_run(ada, (), ago=timedelta(minutes=9 - n), state=State.CREATED) for n in range(3)]
    said = [words(client.get(f"/runs/{run.pk}/")) for run in queue]
    assert "Queued: next to begin" in said[0]
    assert "Queued: number 3 in this workspace" in said[2]


def test_the_time_left_is_a_range_from_what_earlier_runs_took(client, ada, at_work):
    put_into(at_work.run, State.READING, 110)
    assert " left" not in words(
        client.get(f"/runs/{at_work.run.pk}/progress/", headers={"HX-Request": "true"})
    )
    for _ in range(5):
        make_past_run(ada)
    page = tree(client.get(f"/runs/{at_work.run.pk}/"))
    assert fold_spaces(page.xpath("//*[@id='left']")[0].text_content()) == "about 2–6 min left"
    assert page.xpath("//*[@id='elapsed']")[0].text_content().startswith("1:5")


def test_less_than_a_minute_is_as_little_as_is_ever_said(client, ada, at_work):
    for _ in range(5):
        make_past_run(ada, (("reading", 1), ("verifying", 1)))
    put_into(at_work.run, State.READING, 40)
    assert "less than a minute left" in words(client.get(f"/runs/{at_work.run.pk}/"))


def test_until_something_is_quoted_the_passage_read_last_is_shown(client, ada, world):
    fresh = make_past_run(ada, (), state=State.READING, completed_at=None)
    with tenant_context(ada.tenant.pk):
        type(world.note).objects.filter(pk=world.note.pk).update(run=fresh)
        Chunk.objects.create(
            run=fresh,
            source=world.note,
            chunk_index=0,
            text="A note that nobody cites",
            text_hash="h",
            start_offset=0,
            end_offset=24,
            token_count=5,
        )
    page = words(client.get(f"/runs/{fresh.pk}/"))
    assert "A note that nobody cites" in page
    assert "what to quote is decided later" in page


def test_many_at_work_and_many_earlier_runs_take_no_more_statements(client, ada, at_work):
    put_into(at_work.run, State.READING, 130, done=3, parts=9)
    counts = []
    for number in range(2):
        for part in range(2 + 6 * number):
            add_step(at_work, "report.claims", number=10 * number + part, source=str(at_work.trial.pk))
            make_past_run(ada)
        client.get(f"/runs/{at_work.run.pk}/")  # what is known of ended runs is kept
        with CaptureQueriesContext(connection) as found:
            client.get(f"/runs/{at_work.run.pk}/")
        counts.append(len(found))
    assert counts[0] + 1 == counts[1]  # how many there are beside those shown


def test_reading_and_writing_show_how_far_they_are(client, at_work):
    (bar,) = tree(client.get(f"/runs/{at_work.run.pk}/")).xpath("//*[@id='part']/progress")
    assert (bar.get("value"), bar.get("max"), bar.get("aria-label")) == ("3", "4", "sources read")


def test_a_failed_run_names_the_stage_it_failed_at(client, ada):
    failed = make_report(ada, state=State.FAILED)
    put_into(failed.run, State.FAILED, 1)
    with tenant_context(ada.tenant.pk):
        Step.objects.create(
            run=failed.run,
            step_index=7,
            key="3.reading",
            handler="state.reading",
            agent_role=AgentRole.ORCHESTRATOR,
            status=StepStatus.COMPLETED,
        )
    assert "It failed at the stage “Reading sources”." in words(client.get(f"/runs/{failed.run.pk}/"))
