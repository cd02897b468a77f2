"""What models answer in a report. Lenient in numbers and lengths: what is too much is cut off, not refused."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """A key that was not asked for does no harm."""

    model_config = ConfigDict(extra="ignore")


class SubtopicAnswer(Answer):
    name: str
    description: str
    queries: list[str]
    priority: Literal["critical", "important", "supplementary"]


class SectionPlan(Answer):
    heading: str
    subtopic: int  # number of the subtopic, from 1; 0: none
    target_words: int


class PlanAnswer(Answer):
    goal: str  # the question restated
    subtopics: list[SubtopicAnswer]
    outline: list[SectionPlan]
    questions: list[str] = []  # that the person who asked must answer first; nearly always none


class AskedTopic(Answer):
    name: str
    queries: list[str]
    is_section: bool


class InstructionAnswer(Answer):
    """What an instruction to a run under way asks for; what is empty or 0 is not asked for."""

    topics: list[AskedTopic]
    excluded_sites: list[str]
    sources: int
    published_from: str
    published_to: str
    not_possible: list[str]


class DraftedClaim(Answer):
    text: str
    quote: str
    passage: int
    subtopic: int
    answers: bool


class ClaimsAnswer(Answer):
    claims: list[DraftedClaim]


class DraftedSentence(Answer):
    claim: int  # number of the claim that it restates; 0: a connection
    text: str


class DraftedParagraph(Answer):
    sentences: list[DraftedSentence]


class SectionAnswer(Answer):
    paragraphs: list[DraftedParagraph]


class Opinion(Answer):
    """What a model makes of a claim and a passage."""

    verdict: Literal["supported", "partly", "not_supported", "contradicted"]
    quote: str
    reason: str
