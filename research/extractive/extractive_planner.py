"""The extractive planner: the facets of the question and of the library become subtopics with their queries.

The first subtopic is the question itself. Others are its further parts, the things and years that it compares, and the
documents that it names. Their queries use other words for the same subject. The outline has a section for the answer
and one for each other subtopic.
"""

from __future__ import annotations

from collections.abc import Sequence

from research.extractive.answer_document_cards import CardMatch, Cards, DocumentCard
from research.extractive.question.parsed_question import ParsedQuestion, TermKind
from research.extractive.term_rarity import Rarity
from research.models.schemas import Plan, PlannedSection, Subtopic

SUBTOPICS_AT_MOST = 8  # with more than 10 the owner would be asked first
NAMED_FIT = 0.75  # fit of a card that the question practically names
FAMILY = 3  # this many titles with most words in common are revisions of one document
WORDS_FOR_ANSWER, WORDS_FOR_OTHERS = 250, 150
MAX_NAME = 300  # characters; a topic may have 10 000


def plan(question: ParsedQuestion, cards: Cards, rarity: Rarity, target_sources: int) -> Plan:
    """Plan the research. Deterministic: the same question over the same library gives the same plan."""
    matches = cards.match(question, rarity)
    found = [_whole(question, target_sources), *_parts(question), *_sides(question), *_years(question)]
    found += _plan_named_documents(question, cards, matches)
    subtopics = _distinct(found)[:SUBTOPICS_AT_MOST]
    return Plan(
        goal=question.text,
        subtopics=subtopics,
        outline=[
            PlannedSection(heading=topic.name, target_words=WORDS_FOR_OTHERS if index else WORDS_FOR_ANSWER)
            for index, topic in enumerate(subtopics)
        ],
        estimated_sources=min(target_sources, len(cards.by_id)),
        estimated_cost_usd=0.0,  # reading the library costs nothing
        confidence=_confidence(question, cards, rarity),
    )


def _whole(question: ParsedQuestion, target_sources: int) -> Subtopic:
    words = " ".join(term.surface for term in question.terms if term.weight >= 0.5)
    return Subtopic(
        name=question.text.rstrip("?. ")[:MAX_NAME],
        description="The question as it was asked.",
        queries=_queries(question.wording or question.text, words) or [question.text],
        target_sources=target_sources,
        priority="critical",
    )


def _parts(question: ParsedQuestion) -> list[Subtopic]:
    if len(question.parts) < 2:
        return []
    return [
        Subtopic(
            name=part[:MAX_NAME],
            description="One of the things the question asks.",
            queries=_queries(part, f"{_names_beside(part, question)} {part}".strip()),
            target_sources=3,
            priority="important",
        )
        for part in question.parts
    ]


def _names_beside(part: str, question: ParsedQuestion) -> str:
    """Return the names of the question that this part of it does not contain."""
    return " ".join(name.surface for name in question.names if name.surface.casefold() not in part.casefold())


def _sides(question: ParsedQuestion) -> list[Subtopic]:
    """Return a subtopic for each thing that the question compares."""
    return [
        Subtopic(
            name=f"{name.surface}: {question.matter}".strip(" :")[:MAX_NAME],
            description=f"What is said about {name.surface}.",
            queries=_queries(f"{name.surface} {question.matter}"),
            target_sources=2,
            priority="important",
        )
        for name in question.names
        if name.is_coordinated
    ]


def _years(question: ParsedQuestion) -> list[Subtopic]:
    """Return a subtopic for each year named in a question about change."""
    if question.year_range is None:
        return []
    words = " ".join(
        term.surface for term in question.terms if term.kind is not TermKind.YEAR and term.weight >= 0.5
    )
    return [
        Subtopic(
            name=f"As of {year}",
            description=f"The state of {year}.",
            queries=_queries(f"{words} {year}"),
            target_sources=2,
            priority="important",
        )
        for year in question.years
    ]


def _plan_named_documents(
    question: ParsedQuestion, cards: Cards, matches: dict[str, CardMatch]
) -> list[Subtopic]:
    """Return a subtopic for each document whose title the question practically names."""
    fitting = sorted(
        (-match.fit, id)
        for id, match in matches.items()
        if match.fit >= NAMED_FIT and not match.is_other_version
    )
    if not 0 < len(fitting) <= FAMILY:
        return []
    return [_document(question, cards.by_id[id]) for _, id in fitting]


def _document(question: ParsedQuestion, card: DocumentCard) -> Subtopic:
    title = card.title or card.path
    return Subtopic(
        name=title[:MAX_NAME],
        description="A document that the question names.",
        queries=_queries(f"{question.matter} {title}".strip()),
        target_sources=1,
        priority="supplementary",
    )


def _queries(*texts: str) -> list[str]:
    return list(dict.fromkeys(" ".join(text.split()) for text in texts if text.strip()))


def _distinct(subtopics: Sequence[Subtopic]) -> list[Subtopic]:
    by_name: dict[str, Subtopic] = {}
    for topic in subtopics:
        by_name.setdefault(topic.name.casefold(), topic)
    return list(by_name.values())


def _confidence(question: ParsedQuestion, cards: Cards, rarity: Rarity) -> float:
    """Return 1 if the library has every word of the question, less for unknown words, but at least 0.8.

    An unknown word is not a reason to ask the owner first, since the search shows if it matters.
    """
    weights = {term.form: term.weight for term in question.terms}
    known = sum(weight for form, weight in weights.items() if rarity.count(form) or cards.count(form))
    return 0.8 + 0.2 * known / (sum(weights.values()) or 1.0)
