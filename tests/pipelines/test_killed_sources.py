"""The step that reads a source, begun anew after it was killed, asks no model and no site a second time."""

from collections import Counter
from collections.abc import Iterator

import pytest
from django.test import override_settings

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.fetching.fetch_process import close_fetch_process
from research.llm.model_process import close_model_process
from research.models import AgentRole, Kind, ModelCall, Source, Step
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.pipeline import ReportPipeline
from research.pipelines.report.reading.read_report_pages import read_page
from research.pipelines.report.report_step_names import ReportStepName
from tests.fakes.stub_world import StubWorld

QUESTION = "How did the cost of night trains rise?"


@pytest.fixture(scope="module")
def world(valkey_url: str) -> Iterator[StubWorld]:
    with (
        StubWorld() as served,
        override_settings(
            PLUMBLINE_ALLOW_LOOPBACK=True,
            PLUMBLINE_POLITENESS_MS=0,
            PLUMBLINE_SEARXNG_URL=served.address,
            PLUMBLINE_PROVIDERS=("searxng",),
            PLUMBLINE_MODEL_BASE_URL=f"{served.address}/v1",
            PLUMBLINE_MODEL_API_KEY="none",
            PLUMBLINE_MODEL="stub",
            PLUMBLINE_MODEL_CALLS_A_MINUTE=100_000,
            REDIS_LOCATION=valkey_url,
        ),
    ):
        close_fetch_process()
        yield served
        close_fetch_process()
        close_model_process()


async def read_twice(work: StepWork) -> StepResult:
    """Read a source twice, as if the first reading was lost with its process, just before its result was stored."""
    await read_page(work)
    return await read_page(work)


def test_a_source_that_is_read_anew_costs_nothing(account: PersonalAccount, world: StubWorld, monkeypatch):
    monkeypatch.setitem(ReportPipeline.handlers, ReportStepName.READ_PAGE, read_twice)
    report = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "target_sources": 3})
    assert (report.status, report.engine) == ("done", "model")
    asked = Counter(world.asked)
    with tenant_context(account.tenant_id):
        read = Step.objects.filter(run=report.run_id, handler=ReportStepName.READ_PAGE)
        assert all(step.output["how"] == "kept" and step.output["claims"] for step in read)
        assert asked["page"] == read.count() == Source.objects.filter(run=report.run_id).count()
        calls = ModelCall.objects.filter(run=report.run_id)
        notes = calls.filter(role=AgentRole.EXTRACTOR)
        assert list(notes.values_list("status", flat=True)) == ["stored"] * read.count()
        assert asked["/v1/chat/completions"] == calls.count()
