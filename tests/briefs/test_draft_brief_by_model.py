"""Briefs that a model drafts: what it says counts only where its words stand in the evidence."""

import pytest

from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.draft_brief_by_model import (
    NOWHERE,
    BriefAnswer,
    BriefPromptInput,
    build_brief_draft,
)
from research.pipelines.brief.stored_brief import BriefDraft
from tests.briefs.making import EIGHT, NIST, ROTATION, TITLE

CISA = "https://www.cisa.gov/passwords"
WORDS = (EvidenceWords(NIST, 100, EIGHT, TITLE), EvidenceWords(CISA, 0, ROTATION, "CISA: Passwords"))
TEXT = BriefContext(content_id="c1", original_query="How long must passwords be?")
IMAGE = BriefContext(content_id="c1", content_type="image", existing_content="A padlock on a grey wall.")


def claim(
    text: str = "Passwords need at least 8 characters.", *quotes: tuple[int, str], **more: object
) -> dict:
    told = [{"evidence": number, "quote": quote} for number, quote in quotes or ((1, EIGHT),)]
    return {"text": text, "category": "factual", "actionable": True, "quotes": told, **more}


def edit(*claims: int, value: str = "a padlock with eight digits", target: str = "base_prompt") -> dict:
    return {"target": target, "action": "add", "value": value, "reasoning": "It says so.", "claims": claims}


def draft_brief(
    claims: list[dict], edits: list[dict] | None = None, context: BriefContext = TEXT
) -> BriefDraft:
    answer = BriefAnswer.model_validate({"claims": claims, "edits": edits or []})
    told = BriefPromptInput("Eight characters, seldom changed.", "", context, WORDS)
    return build_brief_draft(answer, told, NearestSentence(builtin_embedder()))


def test_claims_enter_with_the_place_of_their_words() -> None:
    [first, *_rest] = draft_brief([claim()]).claims
    [span] = first.spans
    assert (span.source, span.start, span.end) == (NIST, 100, 100 + len(EIGHT))


@pytest.mark.parametrize("quote", ["Passwords shall have 64 characters.", "", "…"])
def test_a_claim_whose_words_stand_nowhere_is_refused_and_told(quote: str) -> None:
    draft = draft_brief([claim("Passwords need 64 characters.", (1, quote))])
    assert "Passwords need 64 characters." not in [one.text for one in draft.claims]
    assert [(one.text, one.reason) for one in draft.refused] == [("Passwords need 64 characters.", NOWHERE)]


@pytest.mark.parametrize("number", [2, 0, -1, 99])
def test_words_are_found_where_they_stand_whatever_piece_was_named(number: int) -> None:
    [first, *_rest] = draft_brief([claim("Passwords need at least 8 characters.", (number, EIGHT))]).claims
    assert [span.source for span in first.spans] == [NIST]


def test_of_too_few_claims_the_evidence_makes_up_the_rest() -> None:
    draft = draft_brief([claim()])
    assert [one.text for one in draft.claims] == ["Passwords need at least 8 characters.", ROTATION, EIGHT]


def test_no_more_than_seven_claims_and_three_pieces_enter() -> None:
    many = [claim(f"Rule {number}: passwords need {number} characters.") for number in range(10)]
    many[0]["quotes"] = [{"evidence": 1, "quote": EIGHT[start:]} for start in (0, 10, 14, 25, 43)]
    claims = draft_brief(many).claims
    assert len(claims) == 7
    assert len(claims[0].spans) == 3


def test_what_else_carries_a_claim_is_its_evidence_too() -> None:
    words = (*WORDS, EvidenceWords("https://mirror.example", 7, EIGHT))
    told = BriefPromptInput("", "", TEXT, words)
    answer = BriefAnswer.model_validate({"claims": [claim(EIGHT, (1, EIGHT))]})
    [first, *_rest] = build_brief_draft(answer, told, NearestSentence(builtin_embedder())).claims
    assert [(span.source, span.start) for span in first.spans] == [(NIST, 100), ("https://mirror.example", 7)]


def test_a_text_gets_no_edits_whatever_the_model_says() -> None:
    assert draft_brief([claim()], [edit(1)]).edits == []


def test_an_image_that_is_not_there_yet_gets_none_either() -> None:
    new = BriefContext(content_type="image", existing_content="  ")
    assert draft_brief([claim()], [edit(1)], new).edits == []


def test_an_image_gets_edits_that_rest_on_claims() -> None:
    [first] = draft_brief([claim()], [edit(1)], IMAGE).edits
    assert (first.target, first.action, first.claims) == ("base_prompt", "add", [0])


@pytest.mark.parametrize("claims", [(), (0,), (2,), (99,), (-1,)])
def test_an_edit_of_no_claim_or_an_unknown_one_is_none(claims: tuple[int, ...]) -> None:
    assert draft_brief([claim()], [edit(*claims)], IMAGE).edits == []


def test_an_edit_does_not_rest_on_a_claim_that_was_refused() -> None:
    claims = [claim("Invented.", (1, "Nobody wrote it.")), claim()]
    edits = draft_brief(claims, [edit(1), edit(1, 2, value="eight digits")], IMAGE).edits
    assert [(one.value, one.claims) for one in edits] == [("eight digits", [0])]


def test_of_unknown_claims_beside_a_known_one_the_known_one_counts() -> None:
    [first] = draft_brief([claim()], [edit(7, 1, 0)], IMAGE).edits
    assert first.claims == [0]


def test_an_edit_keeps_its_claim_where_two_others_say_the_same() -> None:
    claims = [claim(), claim(), claim("Frequent rotation breeds poor choices.", (2, ROTATION))]
    draft = draft_brief(claims, [edit(2), edit(3, value="no calendar")], IMAGE)
    texts = [[draft.claims[place].text for place in one.claims] for one in draft.edits]
    assert texts == [["Passwords need at least 8 characters."], ["Frequent rotation breeds poor choices."]]
