"""A researcher at work: the model's calls find a page, read it, keep passages of it; what it names is looked up."""

import asyncio

import pytest

from research.agents.agent_findings import Findings, check_findings
from research.agents.agent_roles import limits_of, tools_of
from research.agents.agent_tool_loop import run_agent
from research.agents.tools.tool_catalogue import catalogue
from research.db.tenancy import tenant_context
from research.models import AgentRole, Chunk, MessageStatus, Run, Source
from tests.agents.counting import a_task, messages, read_tool_answers
from tests.fakes.openai_answers import answer, tool_calls
from tests.tools.found_pages import handle, list_requested_paths, site

__all__ = ["site"]  # a fixture

QUOTE = "two sites fell below 1.9 in the coldest weeks of the year"


@pytest.fixture
def run_researcher(gateway, step, site):
    """Runs the researcher over what the model is scripted to say."""
    with tenant_context(step.tenant_id):
        Run.objects.filter(pk=step.run_id).update(config={"sources": "web"})

    def act(*behaviours, as_step=step):
        gateway.script(*behaviours)
        tools = tools_of(AgentRole.RESEARCHER, catalogue())
        limits = limits_of(AgentRole.RESEARCHER)
        return asyncio.run(run_agent(AgentRole.RESEARCHER, a_task(), tools, as_step, Findings, limits))

    return act


def final(site, **given: object):
    page = handle(site, "trial")
    quotes = [{"source": page, "quote": QUOTE}, {"source": page, "quote": "All sites did very well."}]
    return answer(Findings.model_validate({"excerpts": quotes, "method": "Read it.", **given}).model_dump())


def script(site):
    page = handle(site, "trial")
    return (
        tool_calls(("search", {"queries": ["heat pump field trial"]})),
        tool_calls(("browse", {"url": page})),
        tool_calls(("store", {"source": page, "chunks": [0]})),
        final(site),
    )


def test_a_researcher_finds_reads_and_keeps_a_page(run_researcher, site, step):
    result = run_researcher(*script(site))
    with tenant_context(step.tenant_id):
        source = Source.objects.get(run_id=step.run_id)
        [chunk] = Chunk.objects.filter(source=source)
        found = check_findings(result.answer, step.run_id)
    assert (result.turns, source.title) == (4, "Nordhaus field trial of heat pumps")
    assert QUOTE in chunk.text
    assert ([excerpt.quote for excerpt in found.findings.excerpts], found.unfound_quotes) == ([QUOTE], 1)


def test_after_a_crash_nothing_is_fetched_or_paid_again(run_researcher, gateway, site, step):
    site.asked.clear()
    first = run_researcher(*script(site))
    paid = gateway.paid
    again = run_researcher(as_step=step.again())
    assert (again.answer, gateway.paid, list_requested_paths(site)) == (first.answer, paid, ["/trial"])


def test_a_page_that_a_model_made_up_is_an_error_that_it_is_told(run_researcher, gateway, site, step):
    site.asked.clear()
    invented = f"{site.base}/?q=all+that+was+said"
    run_researcher(
        tool_calls(("browse", {"url": invented}), ("browse", {"url": "web-0123456789ab"})), final(site)
    )
    assert ["BLOCKED" in words or "UNKNOWN_ID" in words for words in read_tool_answers(gateway)] == [
        True,
        True,
    ]
    assert {row.status for key, row in messages(step).items() if ".call." in key} == {MessageStatus.FAILED}
    assert site.asked == []


def test_the_words_of_a_page_reach_the_model_as_data_alone(run_researcher, gateway, site):
    run_researcher(*script(site))
    shown = read_tool_answers(gateway)[1]
    assert shown.startswith("<source-text-")
    assert QUOTE in shown
