"""Another model for the library: words find what waits, workers renew its vectors, two models never meet."""

from datetime import timedelta
from itertools import chain, repeat

import numpy as np
import pytest
from django.utils import timezone

from research.db.tenancy import create_tenant, tenant_context
from research.extractive.question.parsed_question import analyse
from research.library.import_library_folder import import_folder
from research.library.library_folders import WEB
from research.library.library_scope import LibraryScope
from research.library.read_library_documents import read_document
from research.library.retrieval.hybrid_retrieval import QueryVector, cards, rarity, retrieve
from research.library.retrieval.library_reembedding import embed_waiting
from research.library.retrieval.passage_embedding import library_model_id
from research.library.waiting_library_documents import (
    EMBED_PASSAGES,
    ask_again,
    select_documents_without_vectors,
)
from research.llm.embedding_client import ServerEmbedder
from research.llm.model_process import close_model_process
from research.models import LibraryChunk, LibraryDocument
from research.parsing.vectors.embed_texts import HashEmbedder
from research.tasks import embed_passages
from tests.fakes.openai_answers import error, rate_limited
from tests.fakes.openai_server import FakeOpenAI

BOILER = "Which year was the boiler replaced?"


@pytest.fixture
def tenant(transactional_db: None):
    """Committed: the process for calls of models reads prices in threads of its own."""
    return create_tenant("readers").pk


@pytest.fixture
def server(settings, valkey, transactional_db):
    """Its model is the library's from now on, but for the fixture `imported`."""
    settings.PLUMBLINE_EMBEDDINGS = "openai"
    settings.PLUMBLINE_EMBEDDINGS_MODEL = "test-embedder"
    settings.PLUMBLINE_MODEL_CALLS_A_MINUTE = 100_000
    settings.REDIS_LOCATION = valkey
    with FakeOpenAI() as fake:
        settings.PLUMBLINE_EMBEDDINGS_BASE_URL = fake.base_url
        yield fake
    close_model_process()


@pytest.fixture
def by_server(tenant, folder, server, monkeypatch):
    """Imports the folder with the server's model."""
    monkeypatch.setattr(
        "research.library.import_library_documents.library_embedder", lambda **_: ServerEmbedder()
    )
    return lambda **options: import_folder(tenant, folder, **options)


def wait_long(tenant) -> None:
    with tenant_context(tenant):
        LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=2))


def models(tenant) -> set[tuple[str, int | None]]:
    """Model and dimension of each passage."""
    with tenant_context(tenant):
        rows = LibraryChunk.objects.values_list("embedding_model", "embedding")
        return {(model, None if vector is None else len(vector)) for model, vector in rows}


def find_paths(tenant, query: str, meaning: QueryVector | None) -> list[str]:
    """Paths of the documents of the passages found, best first."""
    with tenant_context(tenant):
        question, scope = analyse(query), LibraryScope()
        hits = retrieve(question, meaning, scope, known=cards(scope), rare=rarity(question, scope))
        paths = dict(LibraryDocument.objects.values_list("pk", "path"))
        return [paths[hit.document] for hit in hits]


def embed_query(embedder, text: str) -> QueryVector:
    [vector] = embedder.embed([text])
    return QueryVector(embedder.model_id, vector)


def test_an_import_asks_the_server_for_vectors_of_its_passages(tenant, by_server):
    by_server()
    assert models(tenant) == {("openai/test-embedder", 1536)}
    with tenant_context(tenant):
        assert not select_documents_without_vectors().exists()
        passage = LibraryChunk.objects.first()
    [vector] = ServerEmbedder().embed([passage.text])
    assert np.allclose(passage.embedding, vector, atol=1e-6)


def test_reading_a_document_again_pays_for_no_text_twice(tenant, by_server, server):
    by_server()
    asked = len(server.requests)
    assert by_server(again=True).failed == ()
    assert (len(server.requests), models(tenant)) == (asked, {("openai/test-embedder", 1536)})


def test_passages_are_stored_and_found_by_words_where_the_server_fails(tenant, by_server, server):
    server.script_embeddings(error(503, "down"))
    report = by_server()
    assert (len(report.imported), report.failed, len(server.requests)) == (3, (), 1)
    assert None in {dimension for _model, dimension in models(tenant)}
    assert find_paths(tenant, BOILER, embed_query(ServerEmbedder(), BOILER))[0] == "notes.txt"
    wait_long(tenant)
    assert embed_waiting(tenant) > 0
    assert models(tenant) == {("openai/test-embedder", 1536)}


def test_passages_of_another_model_are_found_by_words_alone_and_never_compared(tenant, import_now, server):
    import_now()
    assert models(tenant) == {("hash/1", 384)}
    far = "zzyzx qwfp"  # no word of it is in the library
    assert find_paths(tenant, far, embed_query(HashEmbedder(), far))
    assert find_paths(tenant, far, embed_query(ServerEmbedder(), far)) == []
    assert find_paths(tenant, far, None) == []
    assert find_paths(tenant, BOILER, embed_query(ServerEmbedder(), BOILER)) == ["notes.txt"]


def test_a_model_of_the_same_name_and_another_size_is_not_compared_either(
    tenant, import_now, server, monkeypatch
):
    import_now()
    with tenant_context(tenant):
        LibraryChunk.objects.update(embedding_model=library_model_id())
    monkeypatch.setattr("research.library.retrieval.hybrid_retrieval.EXACT_BELOW", 0)
    assert find_paths(tenant, BOILER, embed_query(ServerEmbedder(), BOILER)) == ["notes.txt"]


def test_workers_renew_the_vectors_of_another_model(tenant, import_now, server):
    import_now()
    wait_long(tenant)
    embed_passages(str(tenant))
    assert models(tenant) == {("openai/test-embedder", 1536)}
    assert len(server.requests) == 1  # three short documents together
    assert embed_waiting(tenant) == 0
    assert "notes.txt" in find_paths(tenant, "zzyzx qwfp", embed_query(ServerEmbedder(), "zzyzx qwfp"))


def test_a_long_document_gets_its_vectors_piece_by_piece_and_its_first_passage_last(
    tenant, import_now, server, monkeypatch
):
    import_now()
    with tenant_context(tenant):
        kept = LibraryDocument.objects.get(path="notes.txt")
        LibraryDocument.objects.exclude(pk=kept.pk).delete()
        first = LibraryChunk.objects.get(document=kept, chunk_index=0)
        LibraryChunk.objects.create(
            document=kept, chunk_index=1, text="The pump was replaced in 2020.", text_hash="0" * 64,
            start_offset=first.start_offset, end_offset=first.end_offset, token_count=first.token_count,
        )  # fmt: skip
    wait_long(tenant)
    sent = []
    monkeypatch.setattr("celery.current_app.send_task", lambda name, args, **_: sent.append((name, *args)))
    monkeypatch.setattr("research.library.retrieval.library_reembedding.PASSAGES_AT_ONCE", 1)
    clock = chain([0.0, 0.0], repeat(100.0))  # the time is up after the first passage
    monkeypatch.setattr("research.library.retrieval.library_reembedding.monotonic", lambda: next(clock))
    assert (embed_waiting(tenant), sent) == (0, [(EMBED_PASSAGES, str(tenant))])
    with tenant_context(tenant):
        models = LibraryChunk.objects.order_by("chunk_index").values_list("embedding_model", flat=True)
        assert list(models) == ["hash/1", "openai/test-embedder"]
        assert select_documents_without_vectors().exists()
    monkeypatch.undo()
    assert embed_waiting(tenant) == 1
    with tenant_context(tenant):
        assert set(models.all()) == {"openai/test-embedder"}
    assert len(server.requests) == 2  # no passage is embedded twice


def test_a_long_upload_is_stored_before_it_has_vectors(tenant, import_now, monkeypatch):
    import_now()
    monkeypatch.setattr("research.library.read_library_documents.EMBEDDED_AT_MOST", 0)
    with tenant_context(tenant):
        row = LibraryDocument.objects.get(path="notes.txt")
        LibraryChunk.objects.filter(document=row).delete()
    read_document(tenant, row.pk)
    with tenant_context(tenant):
        assert LibraryChunk.objects.filter(document=row, embedding=None).exists()
        assert select_documents_without_vectors().filter(pk=row.pk).exists()
    assert find_paths(tenant, BOILER, None) == ["notes.txt"]


def test_the_sweep_asks_for_what_waits_and_for_nothing_afterwards(tenant, import_now, server, monkeypatch):
    sent = []
    monkeypatch.setattr("celery.current_app.send_task", lambda name, args, **_: sent.append((name, *args)))
    import_now()
    assert ask_again() == 0  # an import of just now is left alone
    wait_long(tenant)
    assert ask_again() == 1
    assert sent == [(EMBED_PASSAGES, str(tenant))]
    embed_waiting(tenant)
    wait_long(tenant)
    assert ask_again() == 0


def test_the_built_in_model_finds_nothing_waiting_that_is_its_own(tenant, import_now, monkeypatch):
    import_now()
    wait_long(tenant)
    with tenant_context(tenant):
        assert select_documents_without_vectors().count() == 3  # hashed words are not the built-in model's
        LibraryChunk.objects.update(embedding_model=library_model_id())
        assert not select_documents_without_vectors().exists()


def test_saved_pages_keep_the_vectors_of_their_reports(tenant, import_now, server):
    import_now()
    wait_long(tenant)
    with tenant_context(tenant):
        LibraryDocument.objects.filter(path="notes.txt").update(folder=WEB)
    assert embed_waiting(tenant) == 2
    assert models(tenant) == {("openai/test-embedder", 1536), ("hash/1", 384)}


def test_a_server_that_asks_for_a_long_pause_is_asked_again_by_a_later_message(tenant, import_now, server):
    import_now()
    wait_long(tenant)
    server.script_embeddings(rate_limited("600"))
    assert (embed_waiting(tenant), models(tenant)) == (0, {("hash/1", 384)})
    assert embed_waiting(tenant) == 0  # taken a moment ago
    assert len(server.requests) == 1


def test_one_text_that_the_server_refuses_holds_up_no_other_document(tenant, import_now, server):
    import_now()
    wait_long(tenant)
    server.script_embeddings(error(400, "bad input"), error(400, "bad input"))
    assert embed_waiting(tenant) == 2
    with tenant_context(tenant):
        assert select_documents_without_vectors().count() == 1
