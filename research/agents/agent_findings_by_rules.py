"""What an agent's tools find for its task without a model: the floor under an agent whose model failed."""

import asyncio
import json
from collections.abc import Iterable, Sequence

import numpy as np

from citations.text.claim_words_and_stems import content_stems
from research.agents.agent_findings import Excerpt, Findings
from research.agents.agent_messages import JsonObject
from research.agents.agent_toolbox import Toolbox, ToolCaller
from research.agents.tools.tool_interface import AnyTool
from research.llm.call_types import ToolCall
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, TextBlock
from research.parsing.vectors.embed_texts import builtin_embedder

MAX_QUERY = 400  # characters of the task that are searched for
MAX_DOCUMENTS = 5  # kept of those that the search found
MAX_PASSAGES = 20  # kept of a document
MAX_CHUNKS = 10  # looked at
MAX_EXCERPTS = 6
WORTH_OF_WORDS = 0.5  # weight of the share of the task's words, beside the cosine
LEAST_OF_BEST = 0.6  # share of the best sentence's score that another one needs
METHOD = "No model answered: rules searched for the words of the task and chose these sentences."


async def find_by_rules(actor: ToolCaller, tools: Sequence[AnyTool], task: str) -> Findings:
    """Search the library for the words of the task, keep the best documents, and quote the best sentences.

    A tool that the agent does not have, or that fails, is left out.
    """
    toolbox, names = Toolbox(actor, tools), {tool.name for tool in tools}
    query = task[:MAX_QUERY]

    async def call(step: str, *wanted: tuple[str, JsonObject]) -> list[JsonObject]:
        calls = [ToolCall("", name, json.dumps(given)) for name, given in wanted if name in names]
        return await toolbox.results(f"{actor.prefix}rules.{step}", calls)

    searched = await call("search", ("search", {"queries": [query], "max_results": 10}))
    await call("store", *(("store", given) for given in _documents(searched)))
    retrieved = await call("retrieve", ("retrieve", {"query": query, "top_k": MAX_CHUNKS}))
    chunks = [(str(chunk["source"]), str(chunk["text"])) for chunk in _rows(retrieved, "chunks")]
    excerpts = await asyncio.to_thread(_choose, task, chunks)
    return Findings(excerpts=excerpts, method=METHOD)


def _documents(searched: Iterable[JsonObject]) -> list[JsonObject]:
    """Return what to keep: the best documents of the library with the passages that the search names."""
    return [
        {"source": found["id"], "chunks": passages[:MAX_PASSAGES]}
        for found in _rows(searched, "results")
        if str(found["id"]).startswith("lib-")
        and isinstance(passages := found["passages"], list)
        and passages
    ][:MAX_DOCUMENTS]


def _rows(outputs: Iterable[JsonObject], name: str) -> list[JsonObject]:
    return [
        row
        for output in outputs
        if isinstance(rows := output.get(name), list)
        for row in rows
        if isinstance(row, dict)
    ]


def _choose(task: str, chunks: Sequence[tuple[str, str]]) -> list[Excerpt]:
    """Return the sentences of the chunks that are nearest to the task, best first, each once."""
    found = {
        text[span.start : span.end]: source
        for source, text in reversed(chunks)
        for span in sentences(text, [TextBlock(0, len(text), BlockKind.PARAGRAPH)])
    }
    if not found:
        return []
    quotes = list(found)
    stems = content_stems(task)
    vectors = builtin_embedder().embed([task, *quotes])
    shares = [len(stems & content_stems(quote)) / max(1, len(stems)) for quote in quotes]
    scores = vectors[1:] @ vectors[0] + WORTH_OF_WORDS * np.array(shares)
    best = [int(place) for place in np.argsort(-scores, kind="stable")[:MAX_EXCERPTS]]
    least = LEAST_OF_BEST * scores[best[0]]
    return [
        Excerpt(source=found[quotes[at]], quote=quotes[at], credibility=None)
        for at in best
        if scores[at] >= least
    ]
