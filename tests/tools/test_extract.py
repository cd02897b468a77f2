"""extract: a source's frozen text in chunks."""

from dataclasses import replace

import pytest

from research.agents.tools.tool_catalogue import catalogue
from research.agents.tools.tool_interface import ToolCode
from research.db.tenancy import tenant_context
from research.models import Source
from tests.tools.conftest import add_source, handle_of, limits


def test_chunks_are_slices_of_the_frozen_text(hand, handles):
    source = handle_of(hand, "Nordhaus")
    shown = hand.use("extract", source=source, chunk_size=50, overlap=0, most=20)
    [row] = hand.sources(title__contains="Nordhaus")
    with tenant_context(hand.tenant_id):
        text = Source.objects.get(pk=row.pk).text
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in shown.chunks)
    assert shown.total_chunks == len(shown.chunks) > 1
    assert any("Results" in chunk.header for chunk in shown.chunks)


def test_sections_need_not_be_kept_apart(hand, handles):
    source = handle_of(hand, "Nordhaus")
    apart = hand.use("extract", source=source).total_chunks
    assert hand.use("extract", source=source, keep_sections=False).total_chunks < apart


def test_chunks_are_shown_a_few_at_a_time(hand, handles):
    source = handle_of(hand, "Nordhaus")
    shown = hand.use("extract", source=source, chunk_size=50, overlap=0, first=1, most=1)
    assert [chunk.index for chunk in shown.chunks] == [1]


@pytest.mark.parametrize("given", [{"overlap": 400, "chunk_size": 500}, {"chunk_size": 5000}, {"most": 100}])
def test_impossible_chunks_are_refused(hand, handles, given: dict):
    assert hand.error("extract", source=handles[0], **given) is ToolCode.INVALID_ARGUMENTS


BLOCKS = [
    {"start": 0, "end": 5, "kind": "heading", "level": 1, "section": "Wells", "page": 1},
    {"start": 6, "end": 23, "kind": "paragraph", "level": None, "section": "Wells", "page": 1},
    {"start": 24, "end": 43, "kind": "quote", "level": None, "section": "Wells", "page": 2},
]
QUOTED = "Wells\nThey are deep ok.\nWater is life, all."


def test_only_what_the_source_quotes_may_be_wanted(hand):
    source = add_source(hand, "q", QUOTED, blocks=BLOCKS)
    [shown] = hand.use("extract", source=source, quotes=True).chunks
    assert (shown.kind, shown.text, shown.page, shown.header) == ("quote", QUOTED[24:43], 2, "Wells")


def test_a_source_that_quotes_nothing_has_no_such_chunks(hand):
    source = add_source(hand, "q", QUOTED, blocks=BLOCKS[:2])
    assert hand.error("extract", source=source, quotes=True) is ToolCode.EXTRACTION_FAILED


def test_what_was_not_read_cannot_be_taken_apart(hand):
    with tenant_context(hand.tenant_id):
        row = Source.objects.create(run_id=hand.run_id, canonical_url="http://x.example")
    assert hand.error("extract", source=f"src-{row.pk.hex[-12:]}") is ToolCode.EXTRACTION_FAILED


def test_beyond_the_last_chunk_there_is_nothing(hand, handles):
    shown = hand.use("extract", source=handles[0], first=10_000)
    assert (shown.chunks, shown.total_chunks > 0) == ([], True)


@pytest.mark.parametrize("source", ["src-0123456789ab", "src-ffffffffffff"])
def test_a_source_that_the_run_has_not_is_unknown(hand, handles, source: str):
    assert hand.error("extract", source=source) is ToolCode.UNKNOWN_ID


@pytest.mark.parametrize(
    "source", ["", "lib-0123456789ab", "src-0123456789AB", "https://x.example", "src-0123456789ab.1"]
)
def test_what_is_no_sources_id_is_refused(hand, source: str):
    assert hand.error("extract", source=source) is ToolCode.INVALID_ARGUMENTS


def test_no_chunk_is_larger_than_asked_for(hand):
    text = " ".join(f"Sentence number {number} tells of a well." for number in range(200))
    block = {"start": 0, "end": len(text), "kind": "paragraph", "level": None, "section": "", "page": None}
    source = add_source(hand, "long", text, blocks=[block])
    shown = hand.use("extract", source=source, chunk_size=60, overlap=20, most=20)
    assert max(chunk.tokens for chunk in shown.chunks) <= 60
    assert all(one.start < before.end for before, one in zip(shown.chunks, shown.chunks[1:], strict=False))


def test_taking_apart_that_takes_too_long_is_given_up(hand, handles):
    with limits(extraction_s=0):
        slow = replace(hand, tools=catalogue())
    assert slow.error("extract", source=handles[0]) is ToolCode.TIMEOUT
