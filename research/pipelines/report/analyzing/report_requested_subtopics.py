"""Choose sentences for subtopics that a person added, separately and under the requested heading.

They need not answer the question, so its own ranking would leave them out; but their document must be on it. Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from research.extractive.answer_document_cards import Cards
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.extractive.select_answer_statements import ON_TOPIC, SelectedClaim, select
from research.extractive.sentence_ranking import Embed, Ranker, ScoredCandidate
from research.extractive.term_rarity import Rarity
from research.extractive.terms import STOP_WORDS, term_set
from research.models.schemas import LeftOut, Plan

MAX_CLAIMS = 5  # for a requested subtopic
SPOKEN_OF = 0.5  # share of the words of its name; a sentence with fewer is not about it
OFF_THE_QUESTION = ON_TOPIC / 2  # of the best answer's score, for a claim that a model noted for it
SAID_ELSEWHERE = "What the sources say of it stands in another section."
NOTHING_READ = "The run was told to have this section; no source on the question that it read speaks of it."


@dataclass(frozen=True, slots=True)
class RequestedSubtopic:
    """A requested subtopic. `number` is its number in the plan, from 1. A section stays, however few claims it has."""

    number: int
    name: str
    heading: str
    is_section: bool


def find_requested_topics(plan: Plan) -> tuple[RequestedSubtopic, ...]:
    """Return the topics that were requested while the run was under way."""
    sections = {section.subtopic: section for section in reversed(plan.outline)}
    return tuple(
        RequestedSubtopic(
            number,
            subtopic.name,
            sections[subtopic.name].heading if subtopic.name in sections else subtopic.name,
            subtopic.name in sections and sections[subtopic.name].is_asked,
        )
        for number, subtopic in enumerate(plan.subtopics, start=1)
        if subtopic.is_asked or (subtopic.name in sections and sections[subtopic.name].is_asked)
    )


def on_the_question(ranked: Sequence[ScoredCandidate]) -> frozenset[str]:
    """Return the documents that say something on the subject, whatever they name. `ranked` is sorted best first."""
    floor = ON_TOPIC * ranked[0].score if ranked else 0.0
    return frozenset(item.candidate.document_id for item in ranked if item.subject_score >= floor)


def select_topic_sentences(
    asked: RequestedSubtopic, sentences: Iterable[Candidate], cards: Cards, embed: Embed
) -> tuple[SelectedClaim, ...]:
    """Return the best sentences about the subtopic, without repetitions."""
    question = analyse(asked.name)
    ranker = Ranker.of(question, cards, Rarity(0, {}))
    words = term_set([asked.name]) - STOP_WORDS
    speaking = [sentence for sentence in sentences if _speaks(sentence, ranker, words)]
    return select(ranker.rank(speaking, embed), question, cards, limit=MAX_CLAIMS, floor=ON_TOPIC)


def _speaks(sentence: Candidate, ranker: Ranker, words: frozenset[str]) -> bool:
    """Return True if the sentence's context has enough of the words, some of them in it or in a heading above it."""
    features = ranker.score(sentence).features
    is_near = features.own_coverage > 0 or bool(words & term_set([sentence.section]))
    return is_near and features.coverage >= SPOKEN_OF


def find_missing_sections(
    asked: Iterable[RequestedSubtopic], headings: Iterable[str], said: Iterable[str]
) -> list[LeftOut]:
    """Return the requested sections without content, with the reason for readers.

    `said`: the sentences of the others.
    """
    there, spoken = set(headings), [term_set([text]) for text in said]
    empty = (subtopic for subtopic in asked if subtopic.is_section and subtopic.heading not in there)
    return [LeftOut(text=topic.heading, reason=_why_empty(topic, spoken)) for topic in empty]


def _why_empty(subtopic: RequestedSubtopic, spoken: Iterable[frozenset[str]]) -> str:
    words = term_set([subtopic.name]) - STOP_WORDS
    is_said = any(words and len(words & said) >= SPOKEN_OF * len(words) for said in spoken)
    return SAID_ELSEWHERE if is_said else NOTHING_READ
