"""The schemas of models' answers in a report. Lenient in numbers and lengths: excess is cut off, not rejected."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class ModelAnswer(BaseModel):
    """An answer of a model. Unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore")


class SubtopicAnswer(ModelAnswer):
    name: str
    description: str
    queries: list[str]
    priority: Literal["critical", "important", "supplementary"]


class SectionPlanAnswer(ModelAnswer):
    heading: str
    subtopic: int  # number of the subtopic, from 1; 0: none
    target_words: int


class PlanAnswer(ModelAnswer):
    goal: str  # the question restated
    subtopics: list[SubtopicAnswer]
    outline: list[SectionPlanAnswer]
    questions: list[str] = []  # questions to the user that must be answered first; nearly always none


class AskedTopic(ModelAnswer):
    name: str
    queries: list[str]
    is_section: bool


class InstructionAnswer(ModelAnswer):
    """A model's reading of an instruction to a run under way; fields that are empty or 0 are not asked for."""

    topics: list[AskedTopic]
    excluded_sites: list[str]
    sources: int
    published_from: str
    published_to: str
    not_possible: list[str]


class DraftedClaim(ModelAnswer):
    text: str
    quote: str
    passage: int
    subtopic: int
    answers: bool


class ClaimsAnswer(ModelAnswer):
    claims: list[DraftedClaim]


class DraftedSentence(ModelAnswer):
    claim: int  # number of the claim that it restates; 0: a connection
    text: str


class DraftedParagraph(ModelAnswer):
    sentences: list[DraftedSentence]


class SectionAnswer(ModelAnswer):
    paragraphs: list[DraftedParagraph]


class Opinion(ModelAnswer):
    """A model's opinion on a claim and a passage."""

    verdict: Literal["supported", "partly", "not_supported", "contradicted"]
    quote: str
    reason: str
