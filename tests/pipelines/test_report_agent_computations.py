"""A figure that an agent computed: which follow from their sources, and how a claim of one is checked again."""

import pytest

from citations.models import Citation, Claim
from citations.verification import VerdictStatus
from research.agents.agent_findings import ComputedFigure, FigureInput
from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import Ranker
from research.extractive.term_rarity import Rarity
from research.models import Content, Source
from research.models.base_models import new_id
from research.models.schemas import StoredComputation
from research.pipelines.common.verifying.check_report_claims import judge_computed
from research.pipelines.report.analyzing.analyze_report_by_rules import ArrangedAnswer
from research.pipelines.report.analyzing.computed_report_figures import SOURCE_LEFT, find_computed_figures
from research.pipelines.report.analyzing.merge_report_claims import OFF_TOPIC
from research.pipelines.report.delegating.report_agent_computations import build_computation
from research.pipelines.report.passages_found_for_report import FoundPassage, sentences_in
from tests.extractive.conftest import hash_vectors
from tests.worlds import blocks_of

TEXT = (
    "The field trial had 11 installations. Each installation cost 14,200 euros on average. "
    "The homes saved 30 percent of oil, and each spent 1,800 euros a year on it before.\n\n"
    "In 2019 the ferry made 3,120 crossings. In 2020 the ferry made 2,496 crossings."
)
COST = ("cost", "14,200 euros", "Each installation cost 14,200 euros on average.")
COUNT = ("count", "11", "The field trial had 11 installations.")
OIL = ("oil", "1,800 euros", "each spent 1,800 euros a year on it before")
SAVED = ("saved", "30 percent", "The homes saved 30 percent of oil")
FIRST = ("first", "3,120", "In 2019 the ferry made 3,120 crossings.")
LATER = ("later", "2,496", "In 2020 the ferry made 2,496 crossings.")


@pytest.fixture
def source() -> Source:
    return Source(pk=new_id(), content=Content(text=TEXT, blocks=blocks_of(TEXT), media_type="text/plain"))


def compute(field, value, formula, *inputs):
    given = [
        FigureInput(name=name, figure=figure, source="src-a", quote=quote) for name, figure, quote in inputs
    ]
    return ComputedFigure(field=field, value=value, formula=formula, inputs=given)


RIGHT = [
    compute("Cost of the field trial", "156,200 euros", "cost * count", COST, COUNT),
    compute("Oil money saved a year by each home", "540 euros", "oil * saved", OIL, SAVED),
    compute("Crossings in 2019 and 2020", "5,616", "first + later", FIRST, LATER),
    compute("Fall of the crossings from 2019 to 2020", "20 percent", "(first - later) / first", FIRST, LATER),
    compute("Crossings a year on average", "2,808", "mean(first, later)", FIRST, LATER),
    compute("Crossings a month in 2019", "260", "first / 12", FIRST),
]
WRONG = [
    (compute("Cost of the field trial", "156,300 euros", "cost * count", COST, COUNT), "another result"),
    (compute("Cost of the field trial", "156,200 dollars", "cost * count", COST, COUNT), "another result"),
    (compute("Cost of the field trial", "28,400 euros", "cost * 2", COST), "cannot be worked out"),
    (compute("Cost and crossings", "17,320", "cost + first", COST, FIRST), "cannot be worked out"),
    (compute("Cost of the field trial", "15,300 euros", "cost", (*COST[:1], "15,300 euros", COST[2])), "is no figure"),
    (
        compute("Cost of an installation", "18 euros", "cost / count", ("cost", "200 euros", COST[2]), COUNT),
        "is no figure",
    ),
    (
        compute("Cost of the trial", "22 euros", "cost * count", ("cost", "2 euros", "Each cost 2 euros."), COUNT),
        "does not say",
    ),
    (compute("Cats in Portugal", "5,616", "first + later", FIRST, LATER), "do not speak of it"),
    (compute("Crossings until 2031", "5,616", "first + later", FIRST, LATER), "do not speak of it"),
    (compute("Crossings of 40 ferries", "5,616", "first + later", FIRST, LATER), "do not speak of it"),
]  # fmt: skip


@pytest.mark.parametrize("figure", RIGHT, ids=lambda figure: figure.formula)
def test_a_figure_that_follows_from_its_quotes_is_built_with_their_places(figure, source):
    made = build_computation(figure, {"src-a": source})
    assert isinstance(made, StoredComputation), made.reason
    assert made.text.startswith(f"{figure.field}: {figure.value} (= ")
    for place, given in zip(made.inputs, figure.inputs, strict=True):
        assert given.quote.rstrip(".") in TEXT[place.start : place.end]
        assert given.figure in made.text


@pytest.mark.parametrize(("figure", "reason"), WRONG, ids=lambda value: getattr(value, "value", ""))
def test_a_figure_that_does_not_is_left_out_with_the_reason(figure, reason, source):
    assert reason in build_computation(figure, {"src-a": source}).reason


def test_a_figure_of_a_source_that_the_run_does_not_know_is_left_out():
    assert "does not say" in build_computation(RIGHT[0], {}).reason


def claim_of(computation):
    claim = Claim(pk=new_id(), text=computation.text, quantities=[computation.model_dump(mode="json")])
    rows = tuple(
        Citation(
            pk=new_id(),
            claim=claim,
            source_id=place.source,
            quote=TEXT[place.start : place.end],
            start_offset=place.start,
            end_offset=place.end,
        )
        for place in computation.inputs
    )
    return claim, rows


@pytest.mark.parametrize("figure", RIGHT, ids=lambda figure: figure.formula)
def test_a_computed_claim_is_worked_out_again_from_what_it_cites(figure, source):
    computation = build_computation(figure, {"src-a": source})
    judged = judge_computed(*claim_of(computation))
    assert judged.verdict.status is VerdictStatus.VERIFIED
    assert (
        judged.note == f"Computed from the figures quoted below: {computation.shown} = {computation.value}."
    )


@pytest.mark.parametrize(
    "change", [{"value": "156,201 euros"}, {"formula": "cost + count"}, {"formula": "cost"}]
)
def test_a_computed_claim_that_does_not_follow_is_unsupported(change, source):
    computation = build_computation(RIGHT[0], {"src-a": source}).model_copy(update=change)
    assert judge_computed(*claim_of(computation)).verdict.status is VerdictStatus.UNSUPPORTED


def test_a_computed_claim_without_the_quote_of_an_input_is_unsupported(source):
    claim, rows = claim_of(build_computation(RIGHT[0], {"src-a": source}))
    assert judge_computed(claim, rows[:1]).verdict.status is VerdictStatus.UNSUPPORTED


def test_a_claim_whose_words_are_others_now_is_judged_as_any_other(source):
    claim, rows = claim_of(build_computation(RIGHT[0], {"src-a": source}))
    claim.text = "Each installation cost 14,200 euros on average."
    assert judge_computed(claim, rows) is None


@pytest.fixture
def ranker_and_sentences(source):
    """A ranker of the question, and the sentences of the source as it ranks them."""
    found = sentences_in(source, [FoundPassage(new_id(), new_id(), 0, len(TEXT), 1.0)])
    question = analyse("What did the installations of the field trial cost?")
    card = DocumentCard(str(source.library_document_id), "The field trial", "", "", path="trial.md")
    ranker = Ranker.of(question, Cards((card,)), Rarity(1, {}))
    return ranker, ranker.rank(found, hash_vectors)


def test_a_computed_figure_on_the_question_is_a_finding_in_a_section_of_its_own(source, ranker_and_sentences):
    computations = [build_computation(figure, {"src-a": source}) for figure in RIGHT]
    findings, left_out = find_computed_figures(
        computations, {source.pk: source}, *ranker_and_sentences, hash_vectors
    )
    assert findings[0].text == "Cost of the field trial: 156,200 euros (= 14,200 euros × 11)."
    assert [TEXT[place.start : place.end] for place in findings[0].evidence] == [COST[2], COUNT[2]]
    assert {one.reason for one in left_out} <= {OFF_TOPIC}
    [section] = ArrangedAnswer((), 500).arrange_sections(findings).sections
    assert (section.heading, section.is_prose) == ("Computed figures", False)
    assert section.claims == [finding.id for finding in findings]
    stored = findings[0].claim(new_id(), 0).quantities
    assert StoredComputation.model_validate(stored[0]) == computations[0]


def test_a_computed_figure_of_a_source_that_is_not_used_is_left_out(source, ranker_and_sentences):
    computation = build_computation(RIGHT[0], {"src-a": source})
    findings, [left] = find_computed_figures([computation], {}, *ranker_and_sentences, hash_vectors)
    assert (findings, left.reason) == ([], SOURCE_LEFT)
