"""The schemas of models' answers in a report. Lenient in numbers and lengths: excess is cut off, not rejected."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict

from research.llm.model_answer_bounds import Name, Passage, Sentence, at_most


class ModelAnswer(BaseModel):
    """An answer of a model. Unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore")


class SubtopicAnswer(ModelAnswer):
    name: Name
    description: Sentence
    queries: Annotated[list[Name], at_most(3)]
    priority: Literal["critical", "important", "supplementary"]


class SectionPlanAnswer(ModelAnswer):
    heading: Name
    subtopic: int  # number of the subtopic, from 1; 0: none
    target_words: int


class PlanAnswer(ModelAnswer):
    goal: Sentence  # the question restated
    subtopics: Annotated[list[SubtopicAnswer], at_most(8)]
    outline: Annotated[list[SectionPlanAnswer], at_most(8)] = []
    # To the user, that must be answered first; nearly always none.
    questions: Annotated[list[Sentence], at_most(3)] = []


class AskedTopic(ModelAnswer):
    name: Name
    queries: Annotated[list[Name], at_most(3)]
    is_section: bool


class InstructionAnswer(ModelAnswer):
    """A model's reading of an instruction to a run under way; fields that are empty or 0 are not asked for."""

    topics: Annotated[list[AskedTopic], at_most(8)]
    excluded_sites: Annotated[list[Name], at_most(20)]
    sources: int
    published_from: Name
    published_to: Name
    not_possible: Annotated[list[Sentence], at_most(5)]


class DraftedClaim(ModelAnswer):
    text: Passage
    quote: Passage
    passage: int
    subtopic: int
    answers: bool


class ClaimsAnswer(ModelAnswer):
    claims: Annotated[list[DraftedClaim], at_most(6)]


class DraftedSentence(ModelAnswer):
    claim: int  # number of the claim that it restates; 0: a connection
    text: Passage


class DraftedParagraph(ModelAnswer):
    sentences: Annotated[list[DraftedSentence], at_most(12)]


class SectionAnswer(ModelAnswer):
    paragraphs: Annotated[list[DraftedParagraph], at_most(12)]


class Opinion(ModelAnswer):
    """A model's opinion on a claim and a passage."""

    verdict: Literal["supported", "partly", "not_supported", "contradicted"]
    quote: Passage
    reason: Sentence
