"""The step log names in words what a step did, and what went otherwise than wished in it."""

import pytest
from django.utils.html import escape

from research.db.tenancy import tenant_context
from research.models import AgentMessage, AgentRole, Step, StepStatus
from research.pipelines.report.pipeline import ReportPipeline
from research.pipelines.table.pipeline import TablePipeline
from research.web.runs.step_notes_view import step_notes
from research.web.site.value_labels import DEEDS
from tests.web.pages import tree, words

BUSY = {"provider": "searxng", "code": "RATE_LIMITED", "message": "It takes no more questions."}


SLOW = {"attempt": 1, "code": "TIMEOUT", "message": "Slow."}
REFUSED = {"attempt": 2, "code": "BLOCKED", "message": "No."}


def take(world, handler="report.web_search", **columns):
    with tenant_context(world.person.tenant.pk):
        values = {
            "step_index": 1,
            "key": "2.collecting/web/search.0",
            "status": StepStatus.COMPLETED,
        } | columns
        return Step.objects.create(
            run=world.run, handler=handler, agent_role=AgentRole.RESEARCHER, attempt=1, **values
        )


def log_of(client, world):
    return words(client.get(f"/runs/{world.run.pk}/log/"))


def test_everything_that_a_report_does_has_words():
    assert set(ReportPipeline.handlers) | set(TablePipeline.handlers) <= set(DEEDS)
    assert {f"state.{state}" for state in ReportPipeline.states} <= set(DEEDS)


def test_a_search_says_what_for_and_a_fetch_which_page(client, world):
    take(world, input={"query": "cost of <heat> pumps"})
    take(world, "report.fetch", step_index=2, key="fetch.1", input={"url": "https://example.org/a"})
    said = log_of(client, world)
    assert "Searches the web cost of &lt;heat&gt; pumps" in said
    assert "Reads a page https://example.org/a" in said


def test_a_provider_that_was_skipped_is_named_with_its_reason(client, world):
    take(world, output={"found": 3, "pages": [], "skipped": [BUSY]})
    assert "searxng returned nothing: It takes no more questions. (RATE_LIMITED)" in log_of(client, world)


def test_a_step_that_was_done_at_last_says_why_it_took_two_attempts(client, world):
    take(world, output={"found": 3, "failures": [SLOW]})
    assert "Attempt 1 failed: Slow. (TIMEOUT)" in log_of(client, world)


def test_the_failure_that_a_step_ended_with_is_said_once(client, world):
    failed = {"status": StepStatus.FAILED, "error_code": "BLOCKED", "error_message": "No."}
    take(world, output={"failures": [SLOW, REFUSED]}, **failed)
    said = log_of(client, world)
    assert "Attempt 1 failed: Slow. (TIMEOUT)" in said
    assert said.count("(BLOCKED)") == 1


def test_it_is_seen_without_opening_the_step(client, world):
    take(world, output={"skipped": [BUSY]})
    notes = tree(client.get(f"/runs/{world.run.pk}/log/")).xpath("//p[@class='note']")
    assert notes
    assert not any(note.xpath("ancestor::details") for note in notes)


def test_a_provider_that_failed_an_agents_search_is_named(client, world):
    step = take(world)
    with tenant_context(world.person.tenant.pk):
        AgentMessage.objects.create(
            run=world.run, step=step, key="turn.1", trace_id="t", sender="researcher", recipient="tool:search",
            type="task", status="completed", result={"output": {"unanswered": ["brave: It timed out."]}},
        )  # fmt: skip
    assert "A provider returned nothing: brave: It timed out." in log_of(client, world)


def test_a_provider_s_own_words_stay_text(client, world):
    words_of_it = "<img src=x onerror=alert(1)>"
    take(world, output={"skipped": [BUSY | {"message": words_of_it}]})
    page = client.get(f"/runs/{world.run.pk}/log/").content.decode()
    assert words_of_it not in page
    assert escape(words_of_it) in page


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            {"fallback": {"code": "MODEL_TIMEOUT", "message": "It took too long."}},
            ["Rules were used instead of a model: It took too long. (MODEL_TIMEOUT)"],
        ),
        (
            {"code": "PAGE_NOT_FOUND", "message": "There is no such page."},
            ["Not read: There is no such page. (PAGE_NOT_FOUND)"],
        ),
        (
            {"failures": [SLOW, REFUSED]},
            ["Attempt 1 failed: Slow. (TIMEOUT)", "Attempt 2 failed: No. (BLOCKED)"],
        ),
        ({"skipped": [BUSY, BUSY | {"provider": "brave"}]}, ["searxng returned", "brave returned"]),
        (
            {"how": "kept", "fetched_at": "2026-11-22T10:15:30.5+00:00"},
            ["Not fetched again: the copy is from 2026-11-22 10:15 UTC."],
        ),
        ({"how": "unchanged", "fetched_at": "2026-11-22T10:15:30"}, ["Not sent again: the site says"]),
        ({"how": "fetched", "fetched_at": "2026-11-22T10:15:30"}, []),
        (
            {
                "pages": [
                    {"url": "https://a.example/", "how": "fetched", "words": 90},
                    {"url": "https://b.example/", "how": "unchanged"},
                    {"url": "https://c.example/", "code": "PAYWALL", "message": "Members only."},
                ]
            },
            ["Not sent again: the site says", "https://c.example/ was not read: Members only. (PAYWALL)"],
        ),
        ({"found": 3, "unreadable": 2}, ["Results of no known shape, left out: 2"]),
        ({"found": 3, "skipped": [], "unreadable": 0, "fallback": None, "failures": []}, []),
        ({"skipped": "odd", "fallback": 7, "unanswered": None, "failures": [7, 8]}, []),
        ({}, []),
    ],
)
def test_notes_say_what_went_otherwise(output, said):
    notes = step_notes(output)
    assert len(notes) == len(said)
    assert all(note.startswith(start) for note, start in zip(notes, said, strict=True))


def test_what_was_decided_for_each_query_is_told_with_its_reason(client, world):
    decisions = [
        {
            "query": "cold <trial>",
            "decision": "both",
            "reason": "2 saved pages fit, but all are older than 7 days",
        },
        {"query": "costs", "decision": "browse", "reason": "no saved page fits"},
    ]
    take(world, "report.web", output={"round": 1, "decisions": decisions})
    page = client.get(f"/runs/{world.run.pk}/log/")
    told = [one.text_content() for one in tree(page).xpath("//p[@class='note']")]
    assert told == [
        "“cold <trial>”: searched the web and read saved pages (2 saved pages fit, but all are older than 7 days)",
        "“costs”: searched the web (no saved page fits)",
    ]
