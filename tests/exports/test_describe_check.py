"""The words on the check of a report say what was compared, never that the answer is right."""

from dataclasses import replace

import pytest

from exports.building.build_document_authorship import describe_unjudged_answer
from exports.document.document_tree import (
    ANSWER,
    AuthorshipEntry,
    SectionEntry,
    StageEntry,
    VerificationEntry,
    WarningEntry,
)
from exports.formats.export_options import ExportOptions
from exports.labels.format_document_values import (
    cell_names,
    describe_check,
    describe_even_evidence,
    describe_open_parts,
    labels,
    newest_source,
)
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import Grid, Paragraph, plain
from research.management.commands.research import readable
from tests.exports.drafting import Draft, prose

NOT_ANSWERED = "No clear answer was found to"
NOT_CHECKED = "Rules chose the statements: whether they answer the question was not checked."


def check(status="passed", **counts):
    return VerificationEntry(status, "standard", 1.0, counts, ())


def report(*, is_answer=False, **given):
    draft = Draft("checked")
    draft.section("A", prose(draft.claim("It rose.", draft.source())))
    if is_answer:
        draft.sections[0] = replace(draft.sections[0], role=ANSWER)
    return draft.document("?", **given)


def authorship(**stages):
    return AuthorshipEntry(tuple(StageEntry(name, by, 1, 0, 0) for name, by in stages.items()))


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"verified": 12}, "Quotes checked against their sources: 12 of 12 found."),
        (
            {"verified": 9, "paraphrased_accurate": 1, "partially_supported": 2},
            "Claims checked against their sources: 10 of 12 supported.",
        ),
        (
            {"verified": 2, "left_out": 3, "unverifiable": 1},
            "Quotes checked against their sources: 2 of 2 found. 1 claim was not checked.",
        ),
        (
            {"paraphrased_accurate": 3, "unverified": 2},
            "Claims checked against their sources: 3 of 3 supported. 2 claims were not checked.",
        ),
        ({"unverifiable": 2}, "Nothing in it could be checked."),
    ],
)
def test_the_check_says_what_was_compared_with_what(counts, said):
    assert describe_check(check(**counts)) == said


def test_rules_alone_judge_no_answer():
    assert describe_unjudged_answer(report()) == NOT_CHECKED
    assert (
        describe_unjudged_answer(report(authorship=authorship(planned="model", wrote="rules"))) == NOT_CHECKED
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"engine": "model"},
        {"authorship": authorship(read="both", wrote="rules")},
        {"status": "insufficient_evidence"},
        {"kind": "digest"},
        {"sections": ()},
    ],
    ids=["written by a model", "read by a model", "no answer", "no question", "no claims"],
)
def test_nothing_is_said_where_a_model_chose_or_nothing_claims_to_answer(changes):
    assert describe_unjudged_answer(replace(report(), **changes)) == ""


def test_a_paper_says_both_and_gives_no_verdict_and_no_table_of_one_row():
    nodes = build_paper(report(verification=check(verified=1)), ExportOptions()).nodes
    told = [plain(node.content) for node in nodes if isinstance(node, Paragraph)]
    assert f"Quotes checked against their sources: 1 of 1 found. {NOT_CHECKED}" in told
    assert not any("Passed" in words or "Accuracy" in words for words in told)
    assert not any(isinstance(node, Grid) and node.caption.startswith("Claims by") for node in nodes)


def test_a_paper_still_names_a_verdict_that_warns():
    nodes = build_paper(report(verification=check("needs_revision", unsupported=1)), ExportOptions()).nodes
    told = [plain(node.content) for node in nodes if isinstance(node, Paragraph)]
    assert any(
        words.startswith("Needs revision. Claims checked against their sources: 0 of 1 supported.")
        for words in told
    )


def test_evidence_of_one_strength_is_told_in_a_sentence():
    assert (
        describe_even_evidence({"strong": 0, "limited": 12})
        == "Each of the 12 claims has one independent source."
    )
    assert describe_even_evidence({"moderate": 1}) == "The claim has two independent sources."
    assert describe_even_evidence({"strong": 1, "limited": 12}) == describe_even_evidence({}) == ""


def test_numbers_of_sources_rise():
    draft = Draft("numbers")
    first, second, third = (draft.source(f"Source {number}") for number in range(3))
    assert labels(draft.claim("It rose.", third, first, second)) == "[1][2][3]"


def test_the_newest_source_is_not_named_below_an_answer_that_names_it_alone():
    draft = Draft("newest")
    older, newer = (draft.source(f"Notes {year}", published=f"{year}-04-02") for year in (2024, 2025))
    draft.sections.append(SectionEntry(1, "In short", 1, (prose(draft.claim("It rose.", newer)),), ANSWER))
    draft.section("A", prose(draft.claim("It fell.", older)))
    assert newest_source(draft.document("?")) == ""
    draft.sections[0] = SectionEntry(1, "In short", 1, (prose(draft.claim("It fell.", older)),), ANSWER)
    assert newest_source(draft.document("?")) == "Newest source: Notes 2025, 2 April 2025."


SEARCHED = "“{part}” was looked for again with “cost”. Results: 9 (library). None of them answers it."
UNSTATED = "No passage gives an amount of money for ‘licence’."


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        ((UNSTATED, SEARCHED.format(part="what does it cost")), f"{NOT_ANSWERED} “what does it cost”."),
        (
            (
                SEARCHED.format(part="what does it cost"),
                "No other words were left to look for “who says so”.",
            ),
            f"{NOT_ANSWERED} “what does it cost”; “who says so”.",
        ),
        ((UNSTATED, SEARCHED.format(part="how many, and what does it cost?")), UNSTATED),
        ((UNSTATED,), UNSTATED),
        ((), ""),
    ],
)
def test_the_answer_names_what_the_sources_leave_open(sentences, said):
    gaps = (
        gap("G002", "“what does it cost” rests on a single source."),
        *(gap("G007", text) for text in sentences),
    )
    document = replace(report(is_answer=True, gaps=gaps), title="How many, and what does it cost?")
    assert describe_open_parts(document) == said
    shown = [
        plain(node.content)
        for node in build_paper(document, ExportOptions()).nodes
        if isinstance(node, Paragraph)
    ]
    assert (said in shown) is bool(said)


def gap(code: str, text: str) -> WarningEntry:
    return WarningEntry(code, "gap", "medium", text, "", computed=True)


def test_the_command_line_ends_with_what_was_checked():
    lines = readable(report(verification=check(verified=1)))
    assert lines[-2:] == ["", f"Quotes checked against their sources: 1 of 1 found. {NOT_CHECKED}"]


def test_the_name_of_a_row_has_no_markup_of_its_source():
    draft = Draft("row")
    [citation] = draft.claim("It rose.", draft.source(media_type="text/markdown")).citations
    assert cell_names(replace(citation, row="**6.2.5**", columns=("Level",))) == "Row: 6.2.5 · Column: Level"
