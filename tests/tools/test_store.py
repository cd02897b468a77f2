"""store: what was found becomes a source, its passages chunks that can be cited."""

import pytest

from research.models import Chunk, SourceStatus, SourceType
from research.tenancy import tenant_context
from research.tools.tool import ToolCode

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
