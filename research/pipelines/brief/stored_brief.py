"""Shapes of what a brief keeps: what came in, what was drafted from it, and the brief itself."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research.models import Run

Category = Literal["visual", "tonal", "factual", "strategic"]
Target = Literal["base_prompt", "style_modifier", "negative_prompt", "regional_constraint"]
Action = Literal["add", "remove", "replace"]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StoredEvidence(_Shape):
    """Words of a source of the run: text[start:end]. `source` is the source's canonical address."""

    number: int
    source: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    relevance: float = Field(ge=0, le=1)


class DraftSpan(_Shape):
    source: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class DraftClaim(_Shape):
    text: str
    category: Category
    actionable: bool
    spans: list[DraftSpan] = Field(min_length=1, max_length=3)


class DraftEdit(_Shape):
    """`claims`: indexes of draft claims, from 0."""

    target: Target
    action: Action
    value: str
    reasoning: str
    claims: list[int]


class RefusedSentence(_Shape):
    """A sentence that is no claim of the brief, and why. `contradicted`: a source of its own says otherwise."""

    text: str
    reason: str
    contradicted: bool = False


class BriefDraft(_Shape):
    claims: list[DraftClaim] = Field(default_factory=list)
    edits: list[DraftEdit] = Field(default_factory=list)
    refused: list[RefusedSentence] = Field(default_factory=list)
    is_fallback: bool = False  # rules drafted it in a model's place


class KeyEvidence(_Shape):
    url: str
    title: str
    quote: str
    relevance: float | None


class KeyClaim(_Shape):
    number: int
    text: str
    category: Category
    actionable: bool
    confidence: float = Field(ge=0, le=1)
    status: str
    authorities: int = Field(ge=0)  # independent ones that support it
    evidence: list[KeyEvidence]


class PromptEdit(_Shape):
    target: Target
    action: Action
    value: str
    reasoning: str
    confidence: float = Field(ge=0, le=1)
    supporting_claims: list[int]


class Metadata(_Shape):
    processing_ms: int = Field(ge=0)
    sources_analyzed: int = Field(ge=0)
    claims_extracted: int = Field(ge=0)
    low_confidence_claims: int = Field(ge=0)


class StoredQuality(_Shape):
    evidence_ratio: float | None
    actionable_ratio: float | None
    edits: int | None
    good_edits: int | None
    has_evidence: bool
    is_actionable: bool
    has_edits: bool


class Brief(_Shape):
    """The content of a brief, as consumers get it. The same input gives the same bytes."""

    task_run: str
    content_id: str
    content_type: str
    engine: Literal["extractive", "model", "fallback"]
    summary: list[str]
    key_claims: list[KeyClaim]
    prompt_edits: list[PromptEdit]
    confidence: float | None
    manual_review: bool
    reason: str  # why a person should look at it; empty where none need
    metadata: Metadata
    quality: StoredQuality


class BriefOwn(_Shape):
    """`Run.result["own"]` of a brief."""

    task_run: str
    processor: str
    answer: str  # word for word
    reasoning: str  # word for word
    given_confidence: float | None
    input_hash: str
    evidence: list[StoredEvidence] = Field(default_factory=list)
    unchecked: int = 0  # pages of which there is no copy to hold the quotes against
    not_found: list[str] = Field(default_factory=list)  # quotes that a copy of their page does not have
    reason: str = ""  # why no claims are taken from it: low_confidence, no_evidence
    routed_to: str = ""  # image_prompt, rewrite; empty: nowhere
    draft: BriefDraft | None = None  # until it is checked
    brief: Brief | None = None  # None: not written yet


def own_of(run: Run) -> BriefOwn | None:
    """Return the part of a run's result that is a brief's own; None if nothing was taken in yet."""
    given = run.outcome.get("own")
    return BriefOwn.model_validate(given) if given else None
