"""summarize without a model: the source's own sentences."""

import pytest

from research.agents.tools.tool_interface import ToolCode
from research.db.tenancy import tenant_context
from research.models import Chunk, Source
from tests.tools.conftest import add_source, handle_of


def test_a_summary_is_made_of_the_sources_sentences(hand, handles):
    source = handle_of(hand, "Nordhaus")
    made = hand.use("summarize", source=source, max_words=30, topics=["cost of an installation"])
    [row] = hand.sources(title__contains="Nordhaus")
    with tenant_context(hand.tenant_id):
        text = Source.objects.get(pk=row.pk).text
    assert made.engine == "extractive"
    assert 0 < len(made.summary.split()) <= 30
    assert all(text[point.start : point.end] == point.quote for point in made.points)
    assert "14,200" in made.summary


def test_a_source_without_text_cannot_be_summarized(hand):
    assert hand.error("summarize", source=add_source(hand, "empty", " ")) is ToolCode.EXTRACTION_FAILED


def test_a_topic_draws_the_summary_to_it(hand, handles):
    garden = handle_of(hand, "Gardening")
    made = hand.use("summarize", source=garden, max_words=20, topics=["mulch and moist soil"])
    assert "Mulch" in made.summary


def test_points_name_the_chunks_that_they_stand_in(hand, handles):
    source = handle_of(hand, "Nordhaus")
    chunks = [name for point in hand.use("summarize", source=source).points for name in point.chunks]
    with tenant_context(hand.tenant_id):
        rows = Chunk.objects.filter(run_id=hand.run_id, source__title__contains="Nordhaus")
        assert chunks
        assert set(chunks) <= {f"{source}.{index}" for index in rows.values_list("chunk_index", flat=True)}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"source": "src-0123456789ab"}, ToolCode.UNKNOWN_ID),
        ({"source": "lib-0123456789ab"}, ToolCode.INVALID_ARGUMENTS),
        ({"source": "src-0123456789ab", "max_words": 501}, ToolCode.INVALID_ARGUMENTS),
        ({"source": "src-0123456789ab", "style": "long"}, ToolCode.INVALID_ARGUMENTS),
        ({"source": "src-0123456789ab", "topics": ["x"] * 11}, ToolCode.INVALID_ARGUMENTS),
    ],
)
def test_what_cannot_be_summarized_is_refused(hand, given: dict, code: ToolCode):
    assert hand.error("summarize", **given) is code


def test_a_source_of_headings_has_no_sentences(hand):
    block = {"start": 0, "end": 5, "kind": "heading", "level": 1, "section": "Wells", "page": None}
    source = add_source(hand, "h", "Wells", blocks=[block])
    assert hand.error("summarize", source=source) is ToolCode.EXTRACTION_FAILED
