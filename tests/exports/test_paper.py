"""The content of a printed report, before any format writes it."""

from dataclasses import replace

import pytest

from exports.document.document_tree import (
    ContradictionEntry,
    InsightEntry,
    LeftOutEntry,
    TableEntry,
    WarningEntry,
)
from exports.formats.export_options import ExportOptions
from exports.formats.pdf.export_pdf_markup import markup
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_citations import Citing
from exports.paper.exported_paper_nodes import (
    Bullets,
    Figure,
    Footnote,
    Heading,
    Paragraph,
    StyledText,
    plain,
)
from exports.paper.exported_paper_tables import table_nodes
from tests.exports.drafting import Draft, prose
from tests.exports.generated import document


def nodes(tree):
    return build_paper(tree, ExportOptions()).nodes


def note_of(title: str) -> str:
    """The footnote of a claim from a source with that title."""
    draft = Draft("note")
    draft.section("A", prose(draft.claim("It rose.", draft.source(title))))
    notes = [
        inline
        for node in nodes(draft.document("?"))
        if isinstance(node, Paragraph | Bullets)
        for line in (node.items if isinstance(node, Bullets) else (node.content,))
        for inline in line
        if isinstance(inline, Footnote)
    ]
    return "".join(one.text for one in notes[0].content if isinstance(one, StyledText)).strip()


@pytest.mark.parametrize("levels", [(1, 2), (2, 3)])
def test_sections_stand_beside_the_papers_own_parts_whatever_their_levels_are_called(levels):
    draft = Draft("levels")
    for heading, level in zip(("Above", "Below"), levels, strict=True):
        draft.section(heading, prose(draft.claim(f"{heading}.", draft.source())), level=level)
    found = {node.text: node.level for node in nodes(draft.document("?")) if isinstance(node, Heading)}
    assert (found["At a glance"], found["Above"], found["Below"]) == (1, 1, 2)


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Prices", "Prices. Moderate"),
        ("Do they work?", "Do they work? Moderate"),
        ("Word " * 30, "Word… Moderate"),
    ],
)
def test_a_footnote_ends_its_sentences_once(title, told):
    assert told in note_of(title)


def test_the_one_row_that_shows_an_insight_is_named_in_the_singular():
    table = TableEntry((), (), (), (InsightEntry("Only one has it.", (3,)),))
    [listed] = [
        node for node in table_nodes(table, "Table", Citing(ExportOptions())) if isinstance(node, Bullets)
    ]
    assert listed.items[0][1].text == " (row 3)"


def test_of_many_rows_that_show_an_insight_the_first_are_named_and_the_others_counted():
    table = TableEntry((), (), (), (InsightEntry("Many are empty.", tuple(range(1, 42))),))
    [listed] = [
        node for node in table_nodes(table, "Table", Citing(ExportOptions())) if isinstance(node, Bullets)
    ]
    assert listed.items[0][1].text == f" (rows {', '.join(map(str, range(1, 21)))} and 21 more)"


def test_a_chart_of_a_single_bar_is_told_in_words():
    found = nodes(document("one_source"))
    drawn = {node.chart.id: node for node in found if isinstance(node, Figure)}
    assert "kinds" not in drawn
    told = [plain(node.content) for node in found if isinstance(node, Paragraph)]
    assert any(words.startswith("Cited sources by kind: The most frequent kind is") for words in told)
    assert "9" in drawn["strengths"].summary
    assert len(drawn["strengths"].chart.bars) == 3


def test_a_handful_of_sources_is_told_in_words_and_not_drawn():
    draft = Draft("few")
    years = ("2017", "2020", "2020", "2021", "2023", "2024", "2025")
    draft.section("A", prose(*(draft.claim(f"In {year}.", draft.source(published=year)) for year in years)))
    found = nodes(draft.document("?"))
    assert not [node.chart.id for node in found if isinstance(node, Figure)]
    told = [plain(node.content) for node in found if isinstance(node, Paragraph)]
    assert "Cited sources by year: Published from 2017 to 2025." in told


def test_a_single_claim_is_counted_in_the_singular_on_the_cover():
    draft = Draft("single")
    draft.section("A", prose(draft.claim("It rose.", draft.source())))
    figures = build_paper(draft.document("?"), ExportOptions()).cover.figures
    assert figures == (("1", "claim, with its quote"), ("1", "source cited"))


def test_the_cover_of_a_report_without_an_answer_counts_nothing():
    draft = Draft("no answer")
    draft.source(is_cited=False)
    answer = draft.document("?", status="insufficient_evidence", report_version=0)
    cover = build_paper(answer, ExportOptions()).cover
    assert cover.figures == ()
    assert [name for name, _value in cover.facts] == ["Date", "State", "Time", "Run"]


def test_the_nearest_passages_stand_below_what_was_looked_for():
    draft = Draft("nearest")
    source = draft.source("Field notes", publisher="", published="2025-04-02", is_cited=False)
    near = LeftOutEntry("The unit is quiet.", "Nearest passage; it does not answer.", source)
    other = LeftOutEntry("It rained.", "It is not on the question.")
    answer = draft.document("?", status="insufficient_evidence", left_out=(near, other))
    found = nodes(answer)
    headings = [node.text for node in found if isinstance(node, Heading)]
    assert headings[:2] == ["The sources do not answer this question", "The nearest passages"]
    listed = [plain(line) for node in found if isinstance(node, Bullets) for line in node.items]
    assert listed == ["The unit is quiet. Field notes, April 2025", "“It rained.” It is not on the question."]


def test_follow_up_questions_stand_below_what_to_know_before_relying_on_the_answer():
    draft = Draft("follow-ups")
    draft.section("A", prose(draft.claim("It rose.", draft.source())))
    gap = WarningEntry("G007", "gap", "medium", "No passage gives a date.", "", computed=True)
    found = nodes(draft.document("?", follow_ups=("And why?",), gaps=(gap,)))
    headings = [node.text for node in found if isinstance(node, Heading)]
    assert headings.index("A") < headings.index("What is missing") < headings.index("Follow-up questions")


def test_a_source_that_has_no_number_is_named_without_a_gap_before_it():
    draft = Draft("outside")
    stated = draft.claim("It rose.", draft.source())
    other = draft.claim("It fell.", draft.source("Nordic figures", is_cited=False), number=None)
    other = replace(other, citations=tuple(replace(citation, label="") for citation in other.citations))
    pair = ContradictionEntry(draft.id(), "polarity", stated, other, "open", "")
    draft.section("A", prose(stated))
    lists = [node for node in nodes(draft.document("?", contradictions=(pair,))) if isinstance(node, Bullets)]
    said = [
        "".join(part.text for part in line if isinstance(part, StyledText))
        for one in lists
        for line in one.items
    ]
    assert any(line.endswith("It fell. (Nordic figures)") for line in said)


@pytest.mark.parametrize(
    ("title", "parts", "is_on_cover"), [("?", 1, True), ("?", 20, False), ("Long " * 60, 1, False)]
)
def test_contents_are_on_the_cover_where_they_fit(title, parts, is_on_cover):
    draft = Draft("contents")
    for number in range(parts):
        draft.section(f"Part {number}", prose(draft.claim("It rose.", draft.source())))
    paper = build_paper(draft.document(title), ExportOptions())
    assert paper.has_contents_on_cover is is_on_cover
    cover, _end, _rest = markup(paper).html.partition('class="maker"')
    assert ('class="contents"' in cover) is is_on_cover


def test_the_key_to_the_marks_stands_below_the_answer():
    found = [
        plain(node.content) if isinstance(node, Paragraph) else node for node in nodes(document("one_source"))
    ]
    key = next(
        place for place, node in enumerate(found) if isinstance(node, str) and "How to read this" in node
    )
    headings = [node.text for node in found[:key] if isinstance(node, Heading)]
    assert headings
    assert "Before you rely on this" not in headings
