"""retrieve: passages of the run's own sources, by words and by meaning."""

import contextlib

import pytest

from research.agents.tools.tool_interface import ToolCode, ToolError
from research.db.tenancy import tenant_context
from research.models import Chunk, Source, SourceStatus
from tests.tools.conftest import HEAT, Hand, add_source, handle_of


def test_passages_of_the_runs_sources_are_found(hand, handles):
    found = hand.use("retrieve", query="How much did an installation cost?").chunks
    assert "14,200 euros" in found[0].text
    assert (found[0].score, found[0].id.startswith(found[0].source)) == (1.0, True)


def test_without_sources_nothing_is_found(hand):
    assert hand.error("retrieve", query="heat pump") is ToolCode.NO_RESULTS


def test_retrieval_can_be_narrowed_to_sources_and_dates(hand, handles):
    garden = handle_of(hand, "Gardening")
    assert {chunk.source for chunk in hand.use("retrieve", query="heat", sources=[garden]).chunks} == {garden}
    titles = {chunk.title for chunk in hand.use("retrieve", query=HEAT, published_from="2023").chunks}
    assert "Building Policy Guide 1.0" not in titles
    assert "Building Policy Guide 2.0" in titles


def test_a_minimum_score_leaves_out_what_is_far_off(hand, handles):
    every = hand.use("retrieve", query=HEAT, top_k=50).chunks
    near = hand.use("retrieve", query=HEAT, top_k=50, minimum_score=0.98).chunks
    assert 0 < len(near) < len(every)


def test_a_source_of_nobody_is_unknown_to_retrieval(hand, handles):
    assert hand.error("retrieve", query=HEAT, sources=["src-0123456789ab"]) is ToolCode.UNKNOWN_ID


def test_as_many_are_shown_as_were_asked_for_best_first(hand, handles):
    found = hand.use("retrieve", query=HEAT, top_k=3).chunks
    scores = [one.score for one in found]
    assert (len(found), scores) == (3, sorted(scores, reverse=True))


def test_retrieval_can_be_narrowed_to_kinds_of_sources(hand):
    first = add_source(hand, "a", "Wells are deep.", source_type="news")
    second = add_source(hand, "b", "Other wells are deep.", source_type="blog")
    for source in (first, second):
        add_chunk(hand, source)
    assert [chunk.source for chunk in hand.use("retrieve", query="deep wells", types=["blog"]).chunks] == [
        second
    ]


def test_an_undated_source_passes_every_date(hand):
    undated, old = (
        add_source(hand, "a", "Wells are deep."),
        add_source(hand, "b", "Wells!", published_date="1999-05"),
    )
    for source in (undated, old):
        add_chunk(hand, source)
    for given in ({"published_from": "2020"}, {"published_to": "1999-04"}):
        [found] = hand.use("retrieve", query="wells", **given).chunks
        assert (found.source, found.published) == (undated, "date unknown")
    assert len(hand.use("retrieve", query="wells", published_to="1999").chunks) == 2  # May is in it


@pytest.mark.parametrize("status", [SourceStatus.DUPLICATE, SourceStatus.EXCLUDED])
def test_what_was_set_aside_is_not_retrieved(hand, status: SourceStatus):
    source = add_source(hand, "a", "Wells are deep.")
    add_chunk(hand, source)
    with tenant_context(hand.tenant_id):
        Source.objects.filter(run_id=hand.run_id).update(status=status)
    assert hand.error("retrieve", query="wells") is ToolCode.NO_RESULTS


def test_a_passage_without_a_vector_is_found_by_its_words(hand):
    source = add_source(hand, "a", "Wells are deep.")
    add_chunk(hand, source)
    [found] = hand.use("retrieve", query="deep wells").chunks
    assert (found.id, found.text) == (f"{source}.0", "Wells are deep.")


def test_one_runs_passages_are_nothing_to_another(make_hand):
    hand = make_hand()
    add_chunk(hand, add_source(hand, "a", "Wells are deep."))
    assert make_hand().error("retrieve", query="wells") is ToolCode.NO_RESULTS


@pytest.mark.parametrize(
    "given",
    [
        {"query": " "}, {"query": "x" * 401}, {"query": "wells", "top_k": 51}, {"query": "wells", "minimum_score": 2},
        {"query": "wells", "published_from": "May 1999"}, {"query": "wells", "types": ["gossip"]},
        {"query": "wells", "sources": ["src-0123456789ab"] * 51}, {},
    ],
)  # fmt: skip
def test_a_senseless_query_is_refused(hand, given: dict):
    assert hand.error("retrieve", **given) is ToolCode.INVALID_ARGUMENTS


@pytest.mark.parametrize("query", ["wells' & | ! (", '"unclosed', "-wells", "a:*b", "\\", "-- ; DROP TABLE"])
def test_a_query_in_odd_signs_breaks_nothing(hand, query: str):
    add_chunk(hand, add_source(hand, "a", "Wells are deep."))
    with contextlib.suppress(ToolError):
        hand.use("retrieve", query=query)
    assert hand.use("retrieve", query="wells").chunks


def add_chunk(hand: Hand, source: str) -> None:
    """The whole text as one passage, without a vector."""
    with tenant_context(hand.tenant_id):
        row = next(one for one in Source.objects.select_related("content") if one.pk.hex.endswith(source[4:]))
        Chunk.objects.create(
            run_id=hand.run_id, source=row, chunk_index=0, text=row.text, text_hash="h", start_offset=0,
            end_offset=len(row.text), token_count=5,
        )  # fmt: skip
