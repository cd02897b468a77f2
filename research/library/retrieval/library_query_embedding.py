"""Embeds queries with the library's model and, if needed, the model for web pages."""

from research.library.retrieval.hybrid_retrieval import QueryVector
from research.library.retrieval.passage_embedding import library_embedder
from research.llm.call_types import Payer
from research.llm.model_errors import ModelError
from research.parsing.vectors.embed_texts import Embedder, builtin_embedder
from research.runtime.logs import logger

log = logger(__name__)


def embed_library_query(query: str, payer: Payer) -> QueryVector:
    """Embed a query for passages of the library. Call it in a thread. Raises ModelError if a server fails."""
    return _embed_query(library_embedder(payer), query)


def try_embed_library_query(query: str, payer: Payer) -> QueryVector | None:
    """Embed a query for passages of the library; None if a server fails, so that only words find passages."""
    try:
        return embed_library_query(query, payer)
    except ModelError as error:
        log.warning("query_without_a_vector", run=str(payer.step.run_id), code=error.code.value)
        return None


def embed_run_query(query: str, payer: Payer) -> list[QueryVector]:
    """Embed a query for passages of a run, with the library's model and the built-in model of web pages."""
    of_library, of_pages = try_embed_library_query(query, payer), builtin_embedder()
    found = [] if of_library is None else [of_library]
    return (
        found
        if any(vector.model_id == of_pages.model_id for vector in found)
        else [*found, _embed_query(of_pages, query)]
    )


def embed_page_query(query: str) -> QueryVector:
    """Embed a query for passages of web pages, with the built-in model."""
    return _embed_query(builtin_embedder(), query)


def _embed_query(embedder: Embedder, query: str) -> QueryVector:
    [vector] = embedder.embed([query])
    return QueryVector(embedder.model_id, vector)
