"""Follow-up questions to an answer: what it left open, then the same subject from other sides. Pure.

They are used as search queries, so they are in the language of the sources, not of the reader.
"""

from collections.abc import Iterator, Sequence

from research.extractive.question.parsed_question import ParsedQuestion
from research.pipelines.technical.answer.technical_answer import StoredFollowUp
from research.pipelines.technical.compare_technical_alternatives import ComparisonGrid
from research.pipelines.technical.technical_config import QuestionType

MOST = 5
# Questions about aspects that a comparison left open; other aspects are asked for by name.
_OF_ASPECT = {
    "Purpose": "What is {thing} for?",
    "Suited for": "When is {thing} a good choice?",
    "Setup": "How is {thing} set up?",
    "Ease of use": "How hard is it to learn {thing}?",
    "Size": "How large is {thing}, and what does it depend on?",
    "Ecosystem": "Which tools and extensions are there for {thing}?",
    "Performance": "How fast is {thing}?",
    "Memory and storage": "How much memory does {thing} need?",
    "Security": "How secure is {thing}?",
    "Languages and platforms": "Which languages and platforms does {thing} support?",
    "Limits": "What are the limits of {thing}?",
    "Licence": "Under which licence is {thing} published?",
}


def follow_ups(
    question: ParsedQuestion,
    kind: QuestionType,
    technologies: Sequence[str],
    table: ComparisonGrid | None,
    headings: Sequence[str],
) -> list[StoredFollowUp]:
    """Propose follow-up questions; `headings` are those above the sentences that answered, most informative first."""
    proposed = [
        *_open_cells(table),
        *_between(table),
        *_of_headings(question, headings),
        *_of_other_types(question, kind, technologies, table),
    ]
    distinct = {follow_up.question.casefold(): follow_up for follow_up in reversed(proposed)}
    distinct.pop(question.text.casefold(), None)
    return list(reversed(distinct.values()))[:MOST]


def _open_cells(table: ComparisonGrid | None) -> Iterator[StoredFollowUp]:
    if table is None:
        return
    filled = {(cell.thing, cell.aspect) for cell in table.cells}
    for t, thing in enumerate(table.things):
        for a, aspect in enumerate(table.aspects):
            if (t, a) not in filled:
                words = _OF_ASPECT.get(aspect.title, "What is known about {thing} and {aspect}?")
                yield _build_follow_up(
                    words.format(thing=thing, aspect=aspect.title.lower()), QuestionType.DOCUMENTATION
                )


def _between(table: ComparisonGrid | None) -> Iterator[StoredFollowUp]:
    if table is not None and len(table.things) >= 2:
        first, second = table.things[:2]
        yield _build_follow_up(f"How do I migrate from {second} to {first}?", QuestionType.DOCUMENTATION)


def _of_other_types(
    question: ParsedQuestion, kind: QuestionType, technologies: Sequence[str], table: ComparisonGrid | None
) -> Iterator[StoredFollowUp]:
    about = table.things[0] if table else _about(question, technologies)
    if not about:
        return
    words = {
        QuestionType.CODE_EXAMPLES: "What does code that uses %(about)s look like?",
        QuestionType.BEST_PRACTICES: "What are best practices for %(about)s?",
        QuestionType.DEPENDENCY: "Which versions does %(about)s require or support?",
        QuestionType.ERROR_RESOLUTION: "What are common errors with %(about)s, and how are they fixed?",
    }
    for other, text in words.items():
        is_setting = other is QuestionType.DEPENDENCY and "_" in about  # a setting requires no versions
        if other is not kind and not is_setting:
            yield _build_follow_up(text % {"about": about}, other)


def _of_headings(question: ParsedQuestion, headings: Sequence[str]) -> Iterator[StoredFollowUp]:
    """Yield the headings that are questions already, as in FAQs."""
    for heading in headings:
        is_question = heading.endswith("?") and 4 <= len(heading.split()) <= 16
        if is_question and heading.casefold() not in question.text.casefold():
            yield _build_follow_up(heading, QuestionType.DOCUMENTATION)


def _about(question: ParsedQuestion, technologies: Sequence[str]) -> str:
    """Return the main name in the question: a technology in the question's spelling, else the first name."""
    names = [name.surface for name in question.names]
    given = [
        next((name for name in names if technology.casefold() in name.casefold()), technology)
        for technology in technologies
    ]
    specific = [term.surface for term in question.terms if term.is_specific]
    words = " ".join(term.surface for term in question.terms[:2] if term.weight >= 0.5)
    return next(iter((*given[:1], *names, *specific, words)), "")


def _build_follow_up(question: str, kind: QuestionType) -> StoredFollowUp:
    return StoredFollowUp(question=question[:300], type=kind.value)
