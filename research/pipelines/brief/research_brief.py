"""The format in which programs exchange briefs: one `ResearchBrief` in camelCase, read and written."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from research.pipelines.brief.stored_brief import Action, Brief, BriefOwn, Category, Target


class _CamelCaseModel(BaseModel):
    """A model written in camelCase, and read in camelCase or snake_case."""

    model_config = ConfigDict(
        extra="forbid", alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True
    )


class BriefEvidence(_CamelCaseModel):
    url: str
    title: str
    snippet: str
    relevance_score: float | None = Field(default=None, ge=0, le=1)


class BriefClaim(_CamelCaseModel):
    id: str
    claim: str
    category: Category
    actionable: bool
    confidence: float = Field(ge=0, le=1)
    status: str = ""
    evidence: list[BriefEvidence] = Field(min_length=1, max_length=3)


class SuggestedEdit(_CamelCaseModel):
    target: Target
    action: Action
    value: str
    reasoning: str
    confidence: float = Field(ge=0, le=1)
    supporting_claims: list[str] = Field(default_factory=list)  # none if it answers a comment


class BriefMetadata(_CamelCaseModel):
    processing_time_ms: int = Field(ge=0)
    sources_analyzed: int = Field(ge=0)
    claims_extracted: int = Field(ge=0)
    low_confidence_claims: int = Field(ge=0)


class ResearchBrief(_CamelCaseModel):
    """A finished brief. `confidence` is null if unknown."""

    run_id: str
    content_id: str = ""
    content_type: Literal["text", "image"] = "text"
    engine: Literal["extractive", "model", "fallback"]
    reasoning: str = ""
    answer: str = ""
    summary: str = Field(min_length=100)
    key_claims: list[BriefClaim] = Field(max_length=7)
    suggested_prompt_edits: list[SuggestedEdit] = Field(max_length=5)
    confidence: float | None = Field(ge=0, le=1)
    manual_review: bool = False
    reason: str = ""
    metadata: BriefMetadata


def to_research_brief(own: BriefOwn, brief: Brief) -> ResearchBrief:
    return ResearchBrief(
        run_id=brief.task_run,
        content_id=brief.content_id,
        content_type="image" if brief.content_type == "image" else "text",
        engine=brief.engine,
        reasoning=own.reasoning,
        answer=own.answer,
        summary="\n\n".join(brief.summary),
        key_claims=[
            BriefClaim(
                id=_claim_id(claim.number),
                claim=claim.text,
                category=claim.category,
                actionable=claim.actionable,
                confidence=claim.confidence,
                status=claim.status,
                evidence=[
                    BriefEvidence(
                        url=piece.url, title=piece.title, snippet=piece.quote, relevance_score=piece.relevance
                    )
                    for piece in claim.evidence
                ],
            )
            for claim in brief.key_claims
        ],
        suggested_prompt_edits=[
            SuggestedEdit(
                target=edit.target,
                action=edit.action,
                value=edit.value,
                reasoning=edit.reasoning,
                confidence=edit.confidence,
                supporting_claims=list(map(_claim_id, edit.supporting_claims)),
            )
            for edit in brief.prompt_edits
        ],
        confidence=brief.confidence,
        manual_review=brief.manual_review,
        reason=brief.reason,
        metadata=BriefMetadata(
            processing_time_ms=brief.metadata.processing_ms,
            sources_analyzed=brief.metadata.sources_analyzed,
            claims_extracted=brief.metadata.claims_extracted,
            low_confidence_claims=brief.metadata.low_confidence_claims,
        ),
    )


def _claim_id(number: int) -> str:
    return f"claim-{number}"
