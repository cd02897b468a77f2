"""Schemas of a brief's stored data: the input, the draft, and the brief itself."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research.models import Run

Category = Literal["visual", "tonal", "factual", "strategic"]
Target = Literal["base_prompt", "style_modifier", "negative_prompt", "regional_constraint"]
Action = Literal["add", "remove", "replace"]


class _BriefPart(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StoredEvidence(_BriefPart):
    """A passage of a source of the run: text[start:end]. `source` is the source's canonical address."""

    number: int
    source: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    relevance: float = Field(ge=0, le=1)


class DraftSpan(_BriefPart):
    source: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class BriefDraftClaim(_BriefPart):
    text: str
    category: Category
    actionable: bool
    spans: list[DraftSpan] = Field(min_length=1, max_length=3)


class DraftEdit(_BriefPart):
    """A drafted edit of a prompt. `claims`: indexes of the draft claims that support it, from 0."""

    target: Target
    action: Action
    value: str
    reasoning: str
    claims: list[int]
    answers_comment: bool = False  # it rests on a comment, not on claims


class RefusedSentence(_BriefPart):
    """A sentence that did not become a claim, with the reason. `contradicted`: one of its sources says otherwise."""

    text: str
    reason: str
    contradicted: bool = False


class OwnSentence(_BriefPart):
    """A sentence of the text that a brief is for, with what the claims say of it.

    `words`: its words that no claim has and that make it go too far; `claims`: indexes of the draft claims about it;
    `denied_by`: the claim that denies it; `near`: the nearest sentence of the sources if none decides.
    """

    text: str
    outcome: Literal["said", "wrong", "unsaid"]
    words: list[str] = Field(default_factory=list)
    claims: list[int] = Field(default_factory=list)
    denied_by: str = ""
    near: str = ""


class BriefDraft(_BriefPart):
    claims: list[BriefDraftClaim] = Field(default_factory=list)
    edits: list[DraftEdit] = Field(default_factory=list)
    refused: list[RefusedSentence] = Field(default_factory=list)
    own_text: list[OwnSentence] = Field(default_factory=list)  # the existing text, compared with the claims
    is_fallback: bool = False  # drafted by rules in place of a model


class KeyEvidence(_BriefPart):
    url: str
    title: str
    quote: str
    relevance: float | None


class KeyClaim(_BriefPart):
    number: int
    text: str
    category: Category
    actionable: bool
    confidence: float = Field(ge=0, le=1)
    status: str
    authorities: int = Field(ge=0)  # independent sources that support it
    evidence: list[KeyEvidence]


class PromptEdit(_BriefPart):
    target: Target
    action: Action
    value: str
    reasoning: str
    confidence: float = Field(ge=0, le=1)
    supporting_claims: list[int]


class Metadata(_BriefPart):
    processing_ms: int = Field(ge=0)
    sources_analyzed: int = Field(ge=0)
    claims_extracted: int = Field(ge=0)
    low_confidence_claims: int = Field(ge=0)


class StoredQuality(_BriefPart):
    evidence_ratio: float | None
    actionable_ratio: float | None
    edits: int | None
    good_edits: int | None
    has_evidence: bool
    is_actionable: bool
    has_edits: bool


class Brief(_BriefPart):
    """The content of a brief as its consumers receive it. The same input gives the same bytes."""

    task_run: str
    content_id: str
    content_type: str
    engine: Literal["extractive", "model", "fallback"]
    summary: list[str]
    key_claims: list[KeyClaim]
    prompt_edits: list[PromptEdit]
    confidence: float | None
    manual_review: bool
    reason: str  # why a person should review it; empty if no review is needed
    metadata: Metadata
    quality: StoredQuality


class BriefOwn(_BriefPart):
    """`Run.result["own"]` of a brief."""

    task_run: str
    processor: str
    answer: str  # verbatim
    reasoning: str  # verbatim
    given_confidence: float | None
    input_hash: str
    evidence: list[StoredEvidence] = Field(default_factory=list)
    unchecked: int = 0  # pages without a copy in which the quotes could be looked up
    not_found: list[str] = Field(default_factory=list)  # quotes that the copy of their page does not contain
    reason: str = ""  # why no claims are taken from the result: low_confidence, no_evidence
    edited_prompt: str = ""  # the existing prompt with the edits made
    routed_to: str = ""  # image_prompt, rewrite; empty: nowhere
    draft: BriefDraft | None = None  # until it is checked
    brief: Brief | None = None  # None until it is written


def own_of(run: Run) -> BriefOwn | None:
    """Return the brief-specific part of a run's result; None before the input has been read."""
    given = run.outcome.get("own")
    return BriefOwn.model_validate(given) if given else None
