"""Draft a brief with a model, in one call. A claim is accepted only if its quotes are found in the evidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from citations.anchoring import QuotableText, anchor
from citations.credibility.credibility_brief_scores import MAX_CLAIMS, MAX_EVIDENCE, MIN_CLAIMS
from research.agents.agent_prompt_data_blocks import SourceText
from research.llm.model_answer_bounds import Passage, Sentence, at_most
from research.models import AgentRole
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.brief_evidence import Likeness
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.draft_brief_by_rules import keep, top_up_claims, with_further
from research.pipelines.brief.stored_brief import (
    Action,
    BriefDraft,
    BriefDraftClaim,
    Category,
    DraftEdit,
    DraftSpan,
    RefusedSentence,
    Target,
)
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion
from research.pipelines.common.report_model_answers import ModelAnswer

MAX_CLAIM_LENGTH = 600  # characters
MAX_TOKENS = 2_500
NOWHERE = "The words that were given for it stand in no excerpt of the result."


class BriefQuoteAnswer(ModelAnswer):
    evidence: int
    quote: Passage


class BriefClaimAnswer(ModelAnswer):
    text: Passage
    category: Category
    actionable: bool
    quotes: Annotated[list[BriefQuoteAnswer], at_most(3)] = Field(default_factory=list)


class EditAnswer(ModelAnswer):
    target: Target
    action: Action
    value: str
    reasoning: Sentence
    claims: Annotated[list[int], at_most(MAX_CLAIMS)] = Field(
        default_factory=list, description="Numbers of the claims that support it, from 1."
    )


class BriefAnswer(ModelAnswer):
    claims: Annotated[list[BriefClaimAnswer], at_most(MAX_CLAIMS)]
    edits: Annotated[list[EditAnswer], at_most(10)] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BriefPromptInput:
    """The input of the prompt that writes a brief."""

    answer: str
    reasoning: str
    context: BriefContext
    words: tuple[EvidenceWords, ...]

    def question(self) -> ModelQuestion[BriefAnswer]:
        values: Mapping[str, object] = {
            "answer": SourceText(self.answer),
            "reasoning": SourceText(self.reasoning) if self.reasoning.strip() else None,
            "query": self.context.original_query,
            "comments": self.context.user_comments,
            "existing": SourceText(self.context.existing_content) if self.context.wants_edits else None,
            "pieces": [
                {"number": number, "title": piece.title, "text": SourceText(piece.text)}
                for number, piece in enumerate(self.words, start=1)
            ],
        }
        return ModelQuestion(AgentRole.WRITER, "writer/brief", values, BriefAnswer, MAX_TOKENS)


def build_brief_draft(answer: BriefAnswer, prompt_input: BriefPromptInput, alike: Likeness) -> BriefDraft:
    """Return a draft of the claims whose quotes are found in the evidence, in the model's order.

    If there are fewer than three claims, sentences of the evidence are added. Claims that say the same are merged, and
    each claim gets further evidence that supports it.
    """
    found: list[BriefDraftClaim] = []
    refused: list[RefusedSentence] = []
    places: dict[int, int] = {}
    for number, answer_claim in enumerate(answer.claims, start=1):
        claim = _claim(answer_claim, prompt_input.words)
        if claim is None:
            refused.append(RefusedSentence(text=_flat(answer_claim.text), reason=NOWHERE))
        else:
            places[number] = keep(found, claim)
    places = {number: place for number, place in places.items() if place < MAX_CLAIMS}
    found = with_further(found[:MAX_CLAIMS], prompt_input.words, alike)
    claims = found if len(found) >= MIN_CLAIMS else top_up_claims(found, prompt_input.words, alike)
    edits = _edits(answer.edits, places) if prompt_input.context.wants_edits else []
    return BriefDraft(claims=claims, edits=edits, refused=[sentence for sentence in refused if sentence.text])


def _flat(text: str) -> str:
    return " ".join(text.split())[:MAX_CLAIM_LENGTH]


def _claim(answer: BriefClaimAnswer, words: Sequence[EvidenceWords]) -> BriefDraftClaim | None:
    text = _flat(answer.text)
    spans = [span for quote in answer.quotes if (span := _span(quote, words)) is not None]
    if (
        not spans
        and (own := _place(answer.text.strip().rstrip("."), words, letter_by_letter=True)) is not None
    ):
        spans = [own]  # the claim itself is a quote
    unique = list({(span.source, span.start, span.end): span for span in spans}.values())
    if not text or not unique:
        return None
    return BriefDraftClaim(
        text=text, category=answer.category, actionable=answer.actionable, spans=unique[:MAX_EVIDENCE]
    )


def _span(quote: BriefQuoteAnswer, words: Sequence[EvidenceWords]) -> DraftSpan | None:
    """Locate the quoted words: in the piece of evidence that the model named, else in another."""
    named = [words[quote.evidence - 1]] if 0 < quote.evidence <= len(words) else []
    return _place(quote.quote, (*named, *words))


def _place(text: str, words: Iterable[EvidenceWords], *, letter_by_letter: bool = False) -> DraftSpan | None:
    is_lax = not letter_by_letter
    for word in words:
        found = anchor(text, QuotableText(word.text), closely=is_lax, with_omissions=is_lax)
        if found is not None:
            start = word.start + found.span.start
            return DraftSpan(source=word.source, start=start, end=word.start + found.span.end)
    return None


def _edits(answers: Iterable[EditAnswer], places: Mapping[int, int]) -> list[DraftEdit]:
    """Return the edits, each with the draft claims that support it; drop edits without such a claim."""
    edits = []
    for answer in answers:
        claims = [places[number] for number in answer.claims if number in places]
        if claims and answer.value.strip():
            edits.append(
                DraftEdit(
                    target=answer.target,
                    action=answer.action,
                    value=_flat(answer.value),
                    reasoning=_flat(answer.reasoning),
                    claims=claims,
                )
            )
    return edits
