"""What is done with the run's own sources: retrieve, extract, summarize, cite, dedupe, export, compute, workspace."""

import json

import pytest

from citations.models import Citation, Claim
from research.models import AgentRole, Content, EntryKind, Run, Source, SourceStatus
from research.objects import get_object
from research.reading.near_duplicates import signature
from research.tenancy import tenant_context
from research.tools.notebook import MOST_ENTRIES, Author, append, read_workspace
from research.tools.tool import ToolCode

HEAT = "seasonal performance factor of a heat pump"


@pytest.fixture
def kept(hand) -> list[str]:
    """Handles of stored sources."""
    return hand.store(HEAT, "tomatoes and water")


def handle_of(hand, title: str) -> str:
    return next(f"src-{one.pk.hex[-12:]}" for one in hand.sources() if title in one.title)


def add_source(hand, name: str, text: str, **facts: object) -> str:
    with tenant_context(hand.tenant_id):
        content = Content.objects.create(
            raw_sha256=f"{hand.run_id}{name}"[:64],
            extractor="test 1",
            sha256=name,
            text=text,
            media_type="text/plain",
            word_count=len(text.split()),
            minhash=signature(text).tobytes(),
            tables=facts.pop("tables", []),
        )
        source = Source.objects.create(
            run_id=hand.run_id, content=content, canonical_url=name, status=SourceStatus.PROCESSED, **facts
        )
    return f"src-{source.pk.hex[-12:]}"


# --- retrieve ---


def test_passages_of_the_runs_sources_are_found(hand, kept):
    found = hand.use("retrieve", query="How much did an installation cost?").chunks
    assert "14,200 euros" in found[0].text
    assert (found[0].score, found[0].id.startswith(found[0].source)) == (1.0, True)


def test_without_sources_nothing_is_found(hand):
    assert hand.error("retrieve", query="heat pump") is ToolCode.NO_RESULTS


def test_retrieval_can_be_narrowed_to_sources_and_dates(hand, kept):
    garden = handle_of(hand, "Gardening")
    assert {one.source for one in hand.use("retrieve", query="heat", sources=[garden]).chunks} == {garden}
    titles = {one.title for one in hand.use("retrieve", query=HEAT, published_from="2023").chunks}
    assert "Building Policy Guide 1.0" not in titles
    assert "Building Policy Guide 2.0" in titles


def test_a_minimum_score_leaves_out_what_is_far_off(hand, kept):
    every = hand.use("retrieve", query=HEAT, top_k=50).chunks
    near = hand.use("retrieve", query=HEAT, top_k=50, minimum_score=0.98).chunks
    assert 0 < len(near) < len(every)


def test_a_source_of_nobody_is_unknown_to_retrieval(hand, kept):
    assert hand.error("retrieve", query=HEAT, sources=["src-0123456789ab"]) is ToolCode.UNKNOWN_ID


# --- extract ---


def test_chunks_are_slices_of_the_frozen_text(hand, kept):
    source = handle_of(hand, "Nordhaus")
    shown = hand.use("extract", source=source, chunk_size=50, overlap=0, most=20)
    [row] = hand.sources(title__contains="Nordhaus")
    with tenant_context(hand.tenant_id):
        text = Source.objects.get(pk=row.pk).text
    assert all(text[one.start : one.end] == one.text for one in shown.chunks)
    assert shown.total_chunks == len(shown.chunks) > 1
    assert any("Results" in one.header for one in shown.chunks)


def test_sections_need_not_be_kept_apart(hand, kept):
    source = handle_of(hand, "Nordhaus")
    apart = hand.use("extract", source=source).total_chunks
    assert hand.use("extract", source=source, keep_sections=False).total_chunks < apart


def test_chunks_are_shown_a_few_at_a_time(hand, kept):
    source = handle_of(hand, "Nordhaus")
    shown = hand.use("extract", source=source, chunk_size=50, overlap=0, first=1, most=1)
    assert [one.index for one in shown.chunks] == [1]


@pytest.mark.parametrize("given", [{"overlap": 400, "chunk_size": 500}, {"chunk_size": 5000}, {"most": 100}])
def test_impossible_chunks_are_refused(hand, kept, given: dict):
    assert hand.error("extract", source=kept[0], **given) is ToolCode.INVALID_ARGUMENTS


# --- summarize, without a model ---


def test_a_summary_is_made_of_the_sources_sentences(hand, kept):
    source = handle_of(hand, "Nordhaus")
    made = hand.use("summarize", source=source, max_words=30, topics=["cost of an installation"])
    [row] = hand.sources(title__contains="Nordhaus")
    with tenant_context(hand.tenant_id):
        text = Source.objects.get(pk=row.pk).text
    assert made.engine == "extractive"
    assert 0 < len(made.summary.split()) <= 30
    assert all(text[one.start : one.end] == one.quote for one in made.points)
    assert "14,200" in made.summary


def test_a_source_without_text_cannot_be_summarized(hand):
    assert hand.error("summarize", source=add_source(hand, "empty", " ")) is ToolCode.EXTRACTION_FAILED


# --- cite ---


def test_sources_are_cited_in_a_style(hand, kept):
    guide = handle_of(hand, "Guide 2.0")
    made = hand.use("cite", sources=[guide], style="apa", access_date="2026-01-02")
    [reference] = made.references
    assert (reference.source, "Building Policy Guide 2.0" in reference.formatted) == (guide, True)
    assert "2023" in reference.inline
    assert guide in made.bibtex


def test_a_style_that_does_not_exist_is_refused(hand, kept):
    assert hand.error("cite", sources=kept[:1], style="mine") is ToolCode.INVALID_ARGUMENTS


# --- dedupe ---

WORDS = " ".join(f"word{number}" for number in range(200))


def test_sources_that_say_the_same_are_one(hand):
    first = add_source(hand, "a", WORDS, tier=3)
    second = add_source(hand, "b", WORDS + " and a little more", tier=1)
    other = add_source(hand, "c", "Something else entirely, about wells and pumps and water.")
    made = hand.use("dedupe", sources=[first, second, other])
    assert ([group.kept for group in made.groups], made.removed) == ([second], [first])
    assert made.unique == [second, other]
    [removed] = hand.sources(status=SourceStatus.DUPLICATE)
    assert f"src-{removed.duplicate_of_id.hex[-12:]}" == second


def test_the_first_may_be_kept(hand):
    first, second = add_source(hand, "a", WORDS), add_source(hand, "b", WORDS, tier=1)
    assert hand.use("dedupe", sources=[second, first], keep="first").removed == [second]


def test_what_the_copies_know_can_be_merged(hand):
    first = add_source(hand, "a", WORDS, tier=1)
    second = add_source(hand, "b", WORDS, author="A. Lind")
    hand.use("dedupe", sources=[first, second], keep="merge")
    assert [one.author for one in hand.sources(canonical_url="a")] == ["A. Lind"]


def test_what_is_cited_is_never_set_aside(hand):
    first, second = add_source(hand, "a", WORDS, tier=1), add_source(hand, "b", WORDS)
    [row] = hand.sources(canonical_url="b")
    with tenant_context(hand.tenant_id):
        claim = Claim.objects.create(run_id=hand.run_id, text="word1 word2", claim_type="fact")
        Citation.objects.create(
            claim=claim, source=row, quote=WORDS[:17], start_offset=0, end_offset=17, match_type="exact"
        )
    assert hand.use("dedupe", sources=[first, second]).removed == []


def test_a_higher_threshold_finds_less(hand):
    sources = [
        add_source(hand, "a", WORDS),
        add_source(hand, "b", WORDS + " more words here at the very end of it"),
    ]
    assert hand.use("dedupe", sources=sources, threshold=1.0).groups == []


# --- export ---


def test_the_report_is_written_as_json(hand):
    made = hand.use("export", format="json")
    assert json.loads(get_object(made.key))["run"] == str(hand.run_id)
    assert made.size == len(get_object(made.key))


def test_formats_that_are_not_there_yet_say_so(hand):
    assert hand.error("export", format="pptx") is ToolCode.NOT_AVAILABLE


# --- compute ---

TABLE = {
    "caption": "",
    "headers": ["Year", "Pumps"],
    "rows": [["2021", "1,200"], ["2022", "1,500"]],
    "start": 0,
    "end": 1,
}


def test_a_sources_table_is_computed_over(hand):
    source = add_source(hand, "t", "Table.", tables=[TABLE])
    measures = [{"function": "sum", "column": "Pumps", "name": "all"}]
    made = hand.use(
        "compute",
        data=[{"name": "pumps", "source": source, "table": 0}],
        operations=[{"do": "aggregate", "name": "total", "input": "pumps", "measures": measures}],
        result="total",
    )
    assert (made.columns, made.rows, made.sources) == (["all"], [[2700.0]], [source])


def test_a_chart_gets_its_numbers(hand):
    source = add_source(hand, "t", "Table.", tables=[TABLE])
    data = [{"name": "pumps", "source": source, "table": 0}]
    chart = {"kind": "bar", "x": "Year", "y": ["Pumps"]}
    made = hand.use("compute", data=data, result="pumps", chart=chart).chart
    assert (made.labels, made.series[0].values) == (["2021", "2022"], [1200.0, 1500.0])


def test_quantities_of_a_sources_passages_are_data(hand, kept):
    data = [{"name": "named", "source": handle_of(hand, "Nordhaus")}]
    made = hand.use("compute", data=data, result="named")
    assert ("EUR", 14200.0) in {(row[4], row[2]) for row in made.rows}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (
            {"data": [{"name": "x", "source": "src-0123456789ab", "table": 0}], "result": "x"},
            ToolCode.UNKNOWN_ID,
        ),
        ({"data": [], "result": "x"}, ToolCode.INVALID_ARGUMENTS),
    ],
)
def test_only_the_runs_data_can_be_computed_over(hand, given: dict, code: ToolCode):
    assert hand.error("compute", **given) is code


def test_a_table_that_does_not_exist_is_refused(hand):
    data = [{"name": "x", "source": add_source(hand, "t", "No table."), "table": 0}]
    assert hand.error("compute", data=data, result="x") is ToolCode.INVALID_COMPUTATION


# --- workspace ---


def test_notes_are_written_down_and_read_again(hand):
    hand.use("workspace", action="note", text="Two guides differ.")
    assert hand.use("workspace", AgentRole.WRITER).notes == ["researcher: Two guides differ."]


def test_a_note_is_written_down_once_for_one_call(hand):
    for _ in range(2):
        made = hand.use("workspace", action="note", text="Two guides differ.")
    assert len(made.notes) == 1


def test_a_finding_names_sources_of_the_run(hand, kept):
    hand.use("workspace", action="finding", text="The factor is 3.", sources=kept[:1])
    with tenant_context(hand.tenant_id):
        [entry] = read_workspace(hand.run_id).findings
        assert f"src-{entry.sources[0][-12:]}" == kept[0]
    assert (
        hand.error("workspace", action="finding", text="x", sources=["src-0123456789ab"])
        is ToolCode.UNKNOWN_ID
    )


def test_items_of_the_plan_are_ticked(hand):
    with tenant_context(hand.tenant_id):
        author = Author(hand.run_id, hand.step_id, AgentRole.PLANNER, "plan")
        append(author, EntryKind.PLAN, ["Search", "Write"])
    made = hand.use("workspace", action="tick", item=2)
    assert [(one.number, one.text, one.done) for one in made.plan] == [
        (1, "Search", False),
        (2, "Write", True),
    ]
    assert hand.error("workspace", action="tick", item=3) is ToolCode.UNKNOWN_ID


def test_a_full_workspace_takes_no_more(hand):
    with tenant_context(hand.tenant_id):
        author = Author(hand.run_id, None, AgentRole.PLANNER, "many")
        append(author, EntryKind.NOTE, ["x"] * MOST_ENTRIES)
    assert hand.error("workspace", action="note", text="One more.") is ToolCode.NOT_AVAILABLE


def test_what_is_noted_is_no_source(hand):
    hand.use("workspace", action="finding", text="The factor is 3.")
    assert hand.sources() == []
    with tenant_context(hand.tenant_id):
        assert Run.objects.get(pk=hand.run_id).sources_found == 0
