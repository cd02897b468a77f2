"""Each text is embedded once, and every passage gets the vector of its own text."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from research.library.prepare_library_documents import PreparedPassage
from research.library.retrieval import passage_embedding
from research.library.retrieval.passage_embedding import Embeddings
from research.parsing.parsed_document import BlockKind
from research.parsing.parsed_passage_chunks import ChunkDraft


def passages(*texts: str) -> list[PreparedPassage]:
    draft = ChunkDraft(0, 0, 1, "", BlockKind.PARAGRAPH, None, 1)
    return [PreparedPassage(draft, text, f"hash of {text}") for text in texts]


@pytest.fixture
def embeddings(embedder):
    with ThreadPoolExecutor(1) as pool:
        yield Embeddings(embedder, pool)


def test_every_text_gets_its_own_vector(embeddings, embedder):
    texts = [f"passage number {number}" for number in range(150)]
    requested = embeddings.request(passages(*texts), {})
    expected = embedder.embed(texts)
    assert all(
        np.array_equal(requested.vector(f"hash of {text}"), row)
        for text, row in zip(texts, expected, strict=True)
    )


def test_a_text_that_stands_twice_is_embedded_once(embeddings, embedder):
    embeddings.request(passages("same", "same", "other"), {}).wait()
    embeddings.request(passages("same"), {}).wait()
    assert sorted(embedder.texts) == ["other", "same"]


def test_a_vector_that_is_known_is_not_computed(embeddings, embedder):
    known = np.ones(384, dtype=np.float32)
    requested = embeddings.request(passages("known"), {"hash of known": known})
    assert requested.vector("hash of known") is known
    assert embedder.texts == []


def test_forgetting_takes_no_vector_from_a_document_under_way(embeddings, monkeypatch):
    first = embeddings.request(passages("first"), {})
    monkeypatch.setattr(passage_embedding, "REMEMBERED", 0)
    embeddings.request(passages("second"), {})
    assert first.vector("hash of first").shape == (384,)


def test_nothing_is_waited_for_where_nothing_was_asked(embeddings):
    embeddings.request([], {}).wait()
