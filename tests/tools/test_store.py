"""store: what was found becomes a source, its passages chunks that can be cited."""

import pytest

from research.agents.tools.tool_interface import ToolCode
from research.db.tenancy import tenant_context
from research.models import Chunk, Content, Run, Source, SourceStatus, SourceType
from tests.tools.conftest import add_source, limits

HEAT = "seasonal performance factor of a heat pump"


def test_a_found_document_becomes_a_source_with_chunks(hand):
    [first, *_] = hand.search(HEAT)
    kept = hand.use("store", source=first.id, chunks=first.passages)
    [source] = hand.sources()
    assert (kept.count, source.status) == (len(first.passages), SourceStatus.PROCESSED)
    with tenant_context(hand.tenant_id):
        chunk = Chunk.objects.filter(source=source).first()
        assert source.text[chunk.start_offset : chunk.end_offset] == chunk.text
    assert source.source_type in SourceType.values


def test_storing_twice_adds_nothing(hand):
    [first, *_] = hand.search(HEAT)
    once = hand.use("store", source=first.id, chunks=first.passages)
    again = hand.use("store", source=first.id, chunks=first.passages)
    assert (again.source, again.chunks, again.count) == (once.source, once.chunks, 0)
    assert len(hand.sources()) == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"source": "lib-0123456789ab"}, ToolCode.UNKNOWN_ID),
        ({"source": "https://x.example"}, ToolCode.INVALID_ARGUMENTS),
        (
            {"source": "lib-0123456789ab", "chunks": ["The moon is made of cheese."]},
            ToolCode.INVALID_ARGUMENTS,
        ),
    ],
)
def test_what_a_model_made_up_cannot_be_stored(hand, given: dict, code: ToolCode):
    assert hand.error("store", **given) is code
    assert hand.sources() == []


def test_a_passage_that_does_not_exist_cannot_be_stored(hand):
    [first, *_] = hand.search(HEAT)
    assert hand.error("store", source=first.id, chunks=[999]) is ToolCode.UNKNOWN_ID
    assert hand.sources() == []


def test_a_document_that_was_read_anew_gives_no_passages_to_its_old_text(hand):
    [first, *_] = hand.search(HEAT)
    kept = hand.use("store", source=first.id)
    with tenant_context(hand.tenant_id):
        text = Content.objects.create(
            raw_sha256=str(hand.run_id), extractor="test 2", sha256="x", text="Other words."
        )
        document = Source.objects.get(run_id=hand.run_id).library_document
        old, document.content = document.content, text
        document.save(update_fields=["content"])
    try:
        for source in (kept.source, first.id):
            assert hand.error("store", source=source, chunks=first.passages) is ToolCode.EXTRACTION_FAILED
    finally:
        with tenant_context(hand.tenant_id):
            document.content = old
            document.save(update_fields=["content"])


def test_a_source_whose_document_is_gone_gives_no_passages(hand):
    source = add_source(hand, "a", "Words.")
    assert hand.error("store", source=source, chunks=[0]) is ToolCode.EXTRACTION_FAILED


def test_a_run_takes_so_many_sources_and_no_more(hand):
    first, second, *_ = hand.search(HEAT)
    with limits(sources=1):
        hand.use("store", source=first.id)
        assert hand.error("store", source=second.id) is ToolCode.NOT_AVAILABLE
        hand.use("store", source=first.id)  # it is one already
    assert len(hand.sources()) == 1


def test_twenty_passages_are_kept_at_once(hand):
    [first, *_] = hand.search(HEAT)
    assert hand.error("store", source=first.id, chunks=list(range(21))) is ToolCode.INVALID_ARGUMENTS


def test_further_passages_are_numbered_on(hand):
    [first, *_] = hand.search("field trial Kiruna results costs")
    indexes = sorted(first.passages)
    assert len(indexes) > 1
    once = hand.use("store", source=first.id, chunks=indexes[1:])
    again = hand.use("store", source=first.id, chunks=indexes)
    assert (again.count, again.chunks[1:]) == (1, once.chunks)
    assert again.chunks[0].endswith(f".{len(once.chunks)}")


def test_what_is_stored_counts_in_the_run(hand):
    first, second, *_ = hand.search(HEAT)
    hand.use("store", source=first.id, chunks=first.passages)
    hand.use("store", source=second.id)
    with tenant_context(hand.tenant_id):
        run = Run.objects.get(pk=hand.run_id)
    assert (run.sources_found, run.sources_processed) == (2, 1)
