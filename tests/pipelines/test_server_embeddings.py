"""A report, and an agent's tools, over a library whose vectors come from a server."""

import asyncio
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from research.agents.tools.tool_catalogue import catalogue
from research.agents.tools.tool_interface import Use
from research.db.tenancy import tenant_context
from research.library.retrieval.library_reembedding import embed_waiting
from research.llm.model_process import close_model_process
from research.models import (
    AgentRole,
    Chunk,
    LibraryDocument,
    Operation,
    Run,
    Source,
    Step,
    StepStatus,
    UsageEntry,
)
from research.parsing.vectors.embed_texts import builtin_embedder
from research.web.runs.step_notes_view import step_notes
from tests.fakes.openai_answers import error
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.conftest import QUESTION


@pytest.fixture
def server(account, library, settings, valkey):
    """Its model is the library's, whose passages have its vectors."""
    settings.PLUMBLINE_EMBEDDINGS = "openai"
    settings.PLUMBLINE_EMBEDDINGS_MODEL = "test-embedder"
    settings.PLUMBLINE_MODEL_CALLS_A_MINUTE = 100_000
    settings.REDIS_LOCATION = valkey
    with FakeOpenAI() as fake:
        settings.PLUMBLINE_EMBEDDINGS_BASE_URL = fake.base_url
        with tenant_context(account.tenant_id):
            LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=2))
        embed_waiting(account.tenant_id)
        yield fake
    close_model_process()


def searches_of(account, document) -> list[Step]:
    with tenant_context(account.tenant_id):
        return list(Step.objects.filter(run=document.run_id, handler="report.search"))


def test_a_report_pays_for_its_queries_and_cites_the_library(account, ask_in_library, server):
    document = ask_in_library(QUESTION)
    assert document.sources
    searches = searches_of(account, document)
    with tenant_context(account.tenant_id):
        used = list(UsageEntry.objects.filter(run=document.run_id, operation=Operation.EMBEDDING))
    assert {one.step_id for one in used} == {step.pk for step in searches}
    assert all(one.tokens_input > 0 and one.cost_usd == 0 for one in used)  # a local server: no dollars
    assert [step_notes(step.output) for step in searches] == [()] * len(searches)


def test_a_report_whose_server_fails_searches_by_words_and_says_so(account, ask_in_library, server):
    server.script_embeddings(*[error(503, "down")] * 100)
    document = ask_in_library("How many hours of sun do tomatoes need a day?")
    assert any("Gardening" in source.title for source in document.sources)
    searches = searches_of(account, document)
    assert {step.status for step in searches} == {StepStatus.COMPLETED}
    for step in searches:
        [note] = step_notes(step.output)
        assert note.startswith("Search by meaning returned nothing: The model's server failed.")


class _Step:
    """Uses tools, as an agent does."""

    fence = 1

    def __init__(self, account, library) -> None:
        with tenant_context(account.tenant_id):
            run = Run.objects.create(owner=account.user, topic=QUESTION, config={"folders": [library]})
            step = Step.objects.create(
                run=run, key="1.collecting/agent", step_index=900, handler="test.agent",
                agent_role=AgentRole.RESEARCHER, status=StepStatus.COMPLETED,
            )  # fmt: skip
        self.tenant_id, self.run_id, self.step_id, self.key = account.tenant_id, run.pk, step.pk, step.key

    def use(self, tool: str, **given: object):
        use = Use(self, AgentRole.RESEARCHER, "turn.1.call.1")
        return asyncio.run(catalogue()[tool].use(json.dumps(given), use))


def test_an_agents_search_and_retrieval_are_counted_and_survive_a_server_that_fails(account, library, server):
    agent = _Step(account, library)
    asked_before = len(server.requests)
    assert agent.use("search", queries=["heat pump subsidy"], type="library").results
    assert len(server.requests) == asked_before + 1
    server.script_embeddings(error(503, "down"))
    assert agent.use("search", queries=["heat pump subsidy"], type="library").results
    with tenant_context(account.tenant_id):
        [entry] = UsageEntry.objects.filter(run=agent.run_id)
    assert (entry.operation, entry.role) == (Operation.EMBEDDING, AgentRole.RESEARCHER)


def test_retrieval_compares_each_passage_with_the_query_in_its_own_model(account, library, server):
    """Passages of the library have the server's vectors, pages of the web the built-in model's."""
    agent = _Step(account, library)
    with tenant_context(account.tenant_id):
        for document in LibraryDocument.objects.filter(path__in=["gardening.html", "lab-limits-2022.md"]):
            source = Source.objects.create(
                run_id=agent.run_id,
                library_document=document,
                canonical_url=document.path,
                title=document.path,
            )
            copy = document.chunks.first()
            Chunk.objects.create(
                run_id=agent.run_id, source=source, chunk_index=0, text=copy.text, text_hash=copy.text_hash,
                start_offset=copy.start_offset, end_offset=copy.end_offset, token_count=copy.token_count,
                embedding_model=copy.embedding_model, embedding=copy.embedding,
            )  # fmt: skip
        page = Chunk.objects.get(run_id=agent.run_id, source__title="gardening.html")
        [page.embedding] = builtin_embedder().embed([page.text])
        page.embedding_model = builtin_embedder().model_id
        page.save()
    found = agent.use("retrieve", query="zzyzx qwfp")  # no word of it is in any passage
    assert {chunk.title for chunk in found.chunks} == {"gardening.html", "lab-limits-2022.md"}
    server.script_embeddings(error(503, "down"))
    [alone] = agent.use("retrieve", query="zzyzx qwfp").chunks
    assert alone.title == "gardening.html"
