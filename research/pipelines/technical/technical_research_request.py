"""The format in which agents exchange technical questions and answers.

Names are in camelCase; requests may also use snake_case, and may group their fields freely (`query`, `context`,
`filters`, `output` …).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date as Day
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator
from pydantic.alias_generators import to_camel

from research.pipelines.pipeline_kinds import Topic
from research.pipelines.technical.answer.technical_answer_tree import (
    CodeExample,
    ComparisonTable,
    Result,
    Status,
    SynthesisStatement,
    TechnicalAnswer,
)
from research.pipelines.technical.technical_config import Preference, QuestionType

# Names of groups in a request, and aliases of its fields.
GROUPS = frozenset(
    "query context filters constraints preferences parameters options output output_format output_requirements request"
    " research_context search_parameters output_preferences".split()
)
NAMES: Mapping[str, str] = {
    "id": "request_id", "query": "question", "research_question": "question", "text": "question",
    "query_type": "type", "research_type": "type", "request_type": "type", "tech_stack": "technologies",
    "stack": "technologies", "problem": "specific_problem", "error_message": "specific_problem",
    "time_range": "recency", "sources": "source_preference", "source_preferences": "source_preference",
    "preferred_sources": "source_preference", "prefer": "source_preference", "search_depth": "depth",
    "limit": "max_results", "include_code": "include_code_examples", "code_examples": "include_code_examples",
    "diagrams": "include_diagrams", "synthesis": "synthesize", "synthesize_results": "synthesize",
    "output_format": "format",
}  # fmt: skip
_RECENCY = {
    "past-year": "year", "last-year": "year", "a-year": "year", "1y": "year", "recent": "latest",
    "any-time": "any", "anytime": "any", "all": "any",
}  # fmt: skip
_SOURCES = {
    "official-docs": "official", "official-documentation": "official", "docs": "official", "documentation": "official",
    "stack-overflow": "stackoverflow", "papers": "academic", "blog": "blogs",
}  # fmt: skip
_TYPES = {
    "best-practice": "best-practices", "error": "error-resolution", "code-example": "code-examples",
    "paper": "paper-summary", "dependencies": "dependency",
}  # fmt: skip
_TO_CONFIG = {
    "specific_problem": "problem",
    "source_preference": "prefer",
    "include_code_examples": "include_code",
}


class _Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


Words = Annotated[list[str], Field(default_factory=list, max_length=20)]


class ResearchRequest(_Camel):
    """A technical question with its context. Only the question is needed."""

    request_id: str = Field("", max_length=100)
    type: QuestionType = QuestionType.DOCUMENTATION
    question: Topic
    keywords: Words
    project_type: Literal["", "frontend", "backend", "ml", "analytics", "fullstack"] = ""
    technologies: Words
    specific_problem: str = Field("", max_length=2_000)
    recency: Literal["latest", "year", "any"] = "any"
    source_preference: list[Preference] = Field(default_factory=list)
    depth: Literal["quick", "standard", "comprehensive"] = "standard"
    max_results: int = Field(10, ge=1, le=50)
    include_code_examples: bool = True
    include_diagrams: bool = False
    synthesize: bool = True
    format: Literal["markdown", "json", "text"] = "markdown"
    settings: dict[str, JsonValue] = Field(default_factory=dict)  # further settings of a technical run

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, given: object) -> object:
        return dict(_fields_in(given)) if isinstance(given, dict) else given

    @property
    def config(self) -> dict[str, object]:
        """Return the settings that the request contains for its run."""
        given = self.model_dump(mode="json", exclude_unset=True, exclude={"question", "settings"})
        return {**self.settings, **{_TO_CONFIG.get(name, name): value for name, value in given.items()}}


def _fields_in(given: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    for key, value in given.items():
        name = _snake(str(key))
        if name in GROUPS and isinstance(value, dict):
            yield from _fields_in(value)
            continue
        name = name if name in ResearchRequest.model_fields else NAMES.get(name, name)
        yield name, _value(name, value)


def _value(name: str, value: object) -> object:
    if name == "source_preference":
        listed = value if isinstance(value, list) else [value]
        return [
            _SOURCES.get(_join_with_dashes(preference), _join_with_dashes(preference))
            for preference in listed
            if preference not in ("any", "all", "")
        ]
    if name in ("keywords", "technologies") and isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    if name in ("type", "recency", "depth", "format", "project_type") and isinstance(value, str):
        aliases = {"type": _TYPES, "recency": _RECENCY}.get(name, {})
        return aliases.get(_join_with_dashes(value), _join_with_dashes(value))
    return value


def _join_with_dashes(value: object) -> str:
    return re.sub(r"[\s_]+", "-", str(value).strip().casefold())


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").casefold()


class CitedPage(_Camel):
    number: int
    title: str
    author: str
    date: str
    url: str
    access_date: Day | None


class FollowUpQuery(_Camel):
    question: str
    type: str


class ResponseSynthesis(_Camel):
    """An answer. A cell of `comparison_table` is a claim with its citation numbers, or says that none was found."""

    summary: list[str]
    takeaways: list[SynthesisStatement]
    comparison_table: ComparisonTable | None = None


class ResearchResponse(_Camel):
    """A technical answer. `citations` of a statement are the numbers of the sources on which it is based."""

    request_id: str
    type: QuestionType
    question: str
    status: Status
    duration_seconds: float | None
    query_used: str
    sources_searched: list[str]
    results: list[Result]
    code_examples: list[CodeExample]
    key_findings: list[SynthesisStatement]
    best_practices: list[SynthesisStatement]
    recommendations: list[SynthesisStatement]
    warnings: list[SynthesisStatement]
    synthesis: ResponseSynthesis | None
    citations: list[CitedPage]
    follow_up_queries: list[FollowUpQuery]
    reasons: list[str] = Field(default_factory=list)  # why the sources do not answer; empty if they do


def to_response(answer: TechnicalAnswer) -> ResearchResponse:
    """Convert an answer to a response. Pure."""
    same = {
        name: getattr(answer, name)
        for name in ResearchResponse.model_fields
        if name in TechnicalAnswer.model_fields and name not in ("synthesis", "citations")
    }
    synthesis = answer.synthesis
    return ResearchResponse.model_validate(
        {
            **same,
            "duration_seconds": answer.seconds,
            "synthesis": synthesis
            and ResponseSynthesis(
                summary=synthesis.summary,
                takeaways=synthesis.takeaways,
                comparison_table=synthesis.comparison,
            ),
            "citations": [
                CitedPage(**source.model_dump(exclude={"accessed"}), access_date=source.accessed)
                for source in answer.citations
            ],
            "follow_up_queries": [FollowUpQuery(**follow_up.model_dump()) for follow_up in answer.follow_ups],
        }
    )
