"""Vectors of a query: by the library's model, and if needed by the model of web pages."""

from research.library.retrieval.embedding import library_embedder
from research.library.retrieval.search import QueryVector
from research.llm.call_types import Payer
from research.llm.model_errors import ModelError
from research.parsing.vectors.embedding import Embedder, builtin_embedder
from research.runtime.logs import logger

log = logger(__name__)


def query_meaning(query: str, payer: Payer) -> QueryVector:
    """Embed a query for passages of the library. Call it in a thread. Raises ModelError if a server returns no
    vector.
    """
    return _meaning(library_embedder(payer), query)


def meaning_if_any(query: str, payer: Payer) -> QueryVector | None:
    """Embed a query for passages of the library; None if a server returns no vector: then words alone find passages."""
    try:
        return query_meaning(query, payer)
    except ModelError as error:
        log.warning("query_without_a_vector", run=str(payer.step.run_id), code=error.code.value)
        return None


def meanings(query: str, payer: Payer) -> list[QueryVector]:
    """Embed a query for passages of a run: by the library's model, and by the built-in model, which embeds web
    pages.
    """
    of_library, of_pages = meaning_if_any(query, payer), builtin_embedder()
    found = [] if of_library is None else [of_library]
    return (
        found
        if any(vector.model_id == of_pages.model_id for vector in found)
        else [*found, _meaning(of_pages, query)]
    )


def page_meaning(query: str) -> QueryVector:
    """Embed a query for passages of web pages, which the built-in model embeds."""
    return _meaning(builtin_embedder(), query)


def _meaning(embedder: Embedder, query: str) -> QueryVector:
    [vector] = embedder.embed([query])
    return QueryVector(embedder.model_id, vector)
