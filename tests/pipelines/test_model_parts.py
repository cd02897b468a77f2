"""The parts of the recipe with a model that need no model: plans brought into limits, notes cut, claims joined."""

from uuid import uuid4

import numpy as np
import pytest

from citations.claim_confidence import Confidence, Factors
from citations.contradiction.contradiction_profiles import NOMINAL
from citations.models import Citation, Claim
from research.extractive.answerability import SUPPORTED, Answerability
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import RankingFeatures, ScoredCandidate, in_context
from research.llm.model_errors import ModelError, Trouble
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.ask_model_in_pipeline_step import is_worth_another_try
from research.pipelines.common.choose_rules_or_model import Engine, choose
from research.pipelines.common.report_model_answers import ClaimsAnswer, PlanAnswer
from research.pipelines.report.analyzing.add_model_notes_to_report import tells_apart
from research.pipelines.report.analyzing.analyze_report_by_model import is_answered
from research.pipelines.report.analyzing.divide_report_into_sections import sections_of
from research.pipelines.report.analyzing.merge_report_claims import (
    NotedClaim,
    ScoredClaim,
    merge,
    on_topic,
    select_claims,
    weigh,
)
from research.pipelines.report.planning.plan_report_by_model import MAX_SUBTOPICS, questions_back, sound_plan
from research.pipelines.report.planning.plan_report_by_model import lower_plan_confidence as lessened_plan
from research.pipelines.report.reading.admit_report_notes import AdmittedClaim
from research.pipelines.report.reading.propose_report_notes import (
    SourceExcerpt,
    build_notes,
    claims_a_source,
    passages_of,
)
from research.pipelines.report.reading.report_note_vectors import build_cached_embed, with_vectors
from research.pipelines.report.record_report_fallbacks import Fallbacks, lower_confidence
from research.pipelines.report.report_config import ReportConfig
from tests.people import join

TOPIC = "What does a heat pump cost in Kiruna?"


def plan_answer(*subtopics: dict, outline: list[dict] = ()) -> PlanAnswer:
    whole = [
        {"description": "", "queries": ["cost"], "priority": "important", **subtopic}
        for subtopic in subtopics
    ]
    return PlanAnswer.model_validate({"goal": "g", "subtopics": whole, "outline": list(outline)})


# --- the engine ---


@pytest.mark.parametrize(
    ("url", "wanted", "engine"),
    [
        ("http://127.0.0.1:9/v1", "auto", Engine.MODEL),
        ("http://127.0.0.1:9/v1", "extractive", Engine.EXTRACTIVE),
        ("", "auto", Engine.EXTRACTIVE),
    ],
)
@pytest.mark.django_db
def test_the_engine_follows_the_settings_and_the_runs_wish(settings, url: str, wanted: str, engine: Engine):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL_API_KEY = url, ""
    assert choose(ReportConfig(engine=wanted), join("ada").tenant.pk) is engine


# --- plans ---


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([], []),
        (["  Homes or\noffices? ", ""], ["Homes or offices?"]),
        (["a?", "a?", "b?", "c?", "d?"], ["a?", "b?", "c?"]),
        (["x" * 400], ["x" * 300]),
    ],
)
def test_what_the_planner_asks_back_is_short_and_said_once(given: list[str], kept: list[str]):
    answer = plan_answer({"name": "Costs"}).model_copy(update={"questions": given})
    assert list(questions_back(answer)) == kept


def test_the_question_itself_is_always_searched_for():
    plan = sound_plan(plan_answer({"name": "Costs"}), TOPIC, 30)
    assert plan.subtopics[0].queries == [TOPIC, "cost"]


def test_a_plan_is_cut_to_what_a_run_may_have():
    plan = sound_plan(
        plan_answer(*({"name": f"Part {n}", "queries": list("abcdef")} for n in range(40))), TOPIC, 30
    )
    assert len(plan.subtopics) == MAX_SUBTOPICS <= 10
    assert all(len(subtopic.queries) <= 4 for subtopic in plan.subtopics)


def test_subtopics_without_a_name_a_query_or_news_are_dropped():
    plan = sound_plan(
        plan_answer({"name": "Costs"}, {"name": " "}, {"name": "Noise", "queries": [" "]}, {"name": "COSTS"}),
        TOPIC,
        30,
    )
    assert [subtopic.name for subtopic in plan.subtopics] == ["Costs"]


def test_a_plan_that_looks_for_nothing_is_none():
    assert sound_plan(plan_answer({"name": ""}), TOPIC, 30) is None


def test_each_subtopic_has_a_section_under_the_models_heading():
    outline = [{"heading": "What it costs", "subtopic": 2, "target_words": 90_000}]
    plan = sound_plan(plan_answer({"name": "Cold"}, {"name": "Costs"}, outline=outline), TOPIC, 30)
    assert [one.heading for one in plan.outline] == ["Cold", "What it costs"]
    assert plan.outline[1].target_words == 600


def test_a_plan_of_rules_in_a_models_place_is_trusted_less():
    plan = sound_plan(plan_answer({"name": "Costs"}), TOPIC, 30)
    assert lessened_plan(plan).confidence == pytest.approx(0.8 * plan.confidence)


# --- what a source is read for ---


@pytest.mark.parametrize(("sources", "claims"), [(1, 6), (20, 6), (30, 4), (200, 2), (500, 2)])
def test_many_sources_give_few_claims_each(sources: int, claims: int):
    assert claims_a_source(sources, 40) == claims


def test_passages_fit_into_the_room():
    passages = passages_of([SourceExcerpt("x" * 3_000, n * 3_000) for n in range(5)], 6_500)
    assert sum(len(passage.text) for passage in passages) <= 6_500
    assert [passage.number for passage in passages] == list(range(1, len(passages) + 1))


def test_notes_name_where_their_quote_is_said_to_stand():
    passages = passages_of([SourceExcerpt("x" * 400, 77)], 6_000)
    note = {"text": "t", "quote": "q", "subtopic": 1, "answers": True}
    answer = ClaimsAnswer.model_validate({"claims": [{**note, "passage": 1}, {**note, "passage": 9}]})
    assert [row.near for row in build_notes(answer, passages, 6)] == [77, 0]


def test_empty_notes_and_too_many_are_dropped():
    note = {"quote": "q", "passage": 1, "subtopic": 1, "answers": True}
    answer = ClaimsAnswer.model_validate({"claims": [{**note, "text": " "}, *[{**note, "text": "t"}] * 9]})
    assert len(build_notes(answer, (), 6)) == 5


# --- joining ---


def make_scored_claim(
    text: str, document: str, score: float, vector: tuple[float, ...], start: int = 0
) -> ScoredClaim:
    sentence = Candidate(document, start, start + len(text), text)
    claim = AdmittedClaim(text, start, start + len(text), sentence)
    values = np.asarray(vector, dtype=np.float32)
    return ScoredClaim(
        NotedClaim(uuid4(), claim),
        ScoredCandidate(sentence, RankingFeatures(), score, {}, values / np.linalg.norm(values)),
    )


A = make_scored_claim("The subsidy covers 30 percent of the cost.", "a", 0.9, (1, 0, 0))
B = make_scored_claim("The subsidy covers 30 percent of the cost.", "b", 0.8, (1, 0.01, 0))
C = make_scored_claim("The subsidy covers 20 percent of the cost.", "c", 0.7, (1, 0.02, 0))
D = make_scored_claim("Tomatoes need six hours of sun.", "d", 0.1, (0, 0, 1))


def test_claims_that_agree_are_one_with_all_their_evidence():
    assert [[member.noted.source for member in merged.members] for merged in merge([A, B, C], NOMINAL)] == [
        [A.noted.source, B.noted.source],
        [C.noted.source],
    ]


def test_no_more_quotes_are_chosen_than_wanted():
    picked = select_claims(merge([A, B, C], NOMINAL), 2)
    assert [[member.noted.source for member in merged.members] for merged in picked] == [
        [A.noted.source, B.noted.source]
    ]


def test_what_is_far_off_the_question_is_set_aside():
    kept, aside = on_topic([A, B, C, D])
    assert (kept, aside) == ([A, B, C], [D])


def test_notes_take_the_rank_of_their_place():
    assert weigh([D.noted, A.noted], [A.scored, D.scored]) == [A, D]


def test_nothing_is_merged_of_nothing():
    assert (merge([], NOMINAL), on_topic([])) == ([], ([], []))


# --- does it answer? ---


def verdict(is_answerable: bool, support: float, *missing: str) -> Answerability:
    return Answerability(is_answerable, (), missing, (), support)


def make_answers(says_so: bool) -> list[ScoredClaim]:
    claim = AdmittedClaim(A.noted.claim.text, 0, 10, A.noted.claim.sentence, answers=says_so)
    return [ScoredClaim(NotedClaim(A.noted.source, claim), A.scored)]


@pytest.mark.parametrize(
    ("judged", "says_so", "is_fine"),
    [
        (verdict(True, SUPPORTED), False, True),
        (verdict(False, 0.9 * SUPPORTED), True, True),
        (verdict(False, 0.9 * SUPPORTED), False, False),
        (verdict(False, 0.5 * SUPPORTED), True, False),
        (verdict(False, 0.9 * SUPPORTED, "Kiruna"), True, False),
    ],
)
def test_rules_say_whether_it_is_answered_and_a_model_may_tip_the_scale(
    judged: Answerability, says_so: bool, is_fine: bool
):
    assert is_answered(analyse(TOPIC), judged, make_answers(says_so)) is is_fine


def test_without_claims_nothing_is_answered():
    assert not is_answered(analyse(TOPIC), verdict(True, 1.0), [])


# --- sections ---


def test_the_first_claims_lead_and_the_others_stand_under_their_heading():
    ids = [uuid4() for _ in range(10)]
    headings = ["Limits"] * 5 + ["Costs"] * 3 + ["Limits", ""]
    sections = sections_of(list(zip(ids, headings, strict=True)))
    assert [len(claims) for _, claims in sections] == [5, 3, 2]
    assert sections[1][0] == "Costs"


# --- failing ---


@pytest.mark.parametrize(
    ("code", "attempt", "again"),
    [
        (Trouble.TIMEOUT, 1, True),
        (Trouble.TIMEOUT, 2, True),
        (Trouble.TIMEOUT, 3, False),
        (Trouble.REFUSED, 1, False),
        (Trouble.INVALID_OUTPUT, 1, False),
        (Trouble.BUDGET_TOKENS, 1, False),
        (Trouble.BUDGET_HARD, 9, True),
    ],
)
def test_a_step_is_tried_again_as_often_as_its_failure_allows(code: Trouble, attempt: int, again: bool):
    assert is_worth_another_try(ModelError(code, "…"), attempt) is again


def test_what_rules_did_in_a_models_place_is_trusted_less():
    found = lower_confidence(Confidence(0.5, Factors(1, 1, 1, 1)))
    assert (found.value, found.caps[-1].code) == (0.4, "fallback")


def test_a_claim_is_touched_where_all_its_sources_were_read_by_rules():
    one, other = uuid4(), uuid4()
    claim = Claim(run_id=uuid4())
    rows = tuple(Citation(claim=claim, source_id=source) for source in (one, other))
    assert not Fallbacks(sources=frozenset({one})).touch(claim, rows)
    assert Fallbacks(sources=frozenset({one, other})).touch(claim, rows)
    assert Fallbacks(claims=frozenset({claim.pk})).touch(claim, rows)


# --- vectors ---


def test_vectors_are_made_once():
    asked: list[list[str]] = []

    def embed(texts):
        asked.append(list(texts))
        return np.ones((len(texts), 384), dtype=np.float32)

    claims = with_vectors([A.noted.claim, D.noted.claim])
    texts = [in_context(claim.sentence) for claim in claims]
    found = build_cached_embed(claims, embed)([*texts, "A question?", "A question?"])
    assert asked == [["A question?"]]
    assert found.shape == (4, 384)
    assert found[:2] == pytest.approx(builtin_embedder().embed(texts))


def test_a_model_that_calls_everything_an_answer_is_not_heard():
    assert not is_answered(analyse(TOPIC), verdict(True, 1.0), make_answers(True), is_heard=False)
    claims = [claim.noted for claim in make_answers(True)]
    assert not tells_apart(claims)
    assert tells_apart([*claims, *(claim.noted for claim in make_answers(False))])
