"""Questions that go on from an answer: what it left open, then the same matter asked in other ways. Pure.

They go to the sources as they stand, so they are asked in the words of sources, whatever their reader speaks.
"""

from collections.abc import Iterator, Sequence

from research.extractive.parsed_question import ParsedQuestion
from research.pipelines.technical.answer import StoredFollowUp
from research.pipelines.technical.comparing import ComparisonGrid
from research.pipelines.technical.config import QuestionType

MOST = 5


def follow_ups(
    question: ParsedQuestion,
    kind: QuestionType,
    technologies: Sequence[str],
    table: ComparisonGrid | None,
    headings: Sequence[str],
) -> list[StoredFollowUp]:
    """`headings`: of the places in the sources that answered, most telling first."""
    asked = [
        *_open_cells(table),
        *_of_other_types(question, kind, technologies),
        *_of_headings(question, headings),
    ]
    distinct = {one.question.casefold(): one for one in reversed(asked)}
    distinct.pop(question.text.casefold(), None)
    return list(reversed(distinct.values()))[:MOST]


def _open_cells(table: ComparisonGrid | None) -> Iterator[StoredFollowUp]:
    if table is None:
        return
    filled = {(cell.thing, cell.aspect) for cell in table.cells}
    for t, thing in enumerate(table.things):
        for a, aspect in enumerate(table.aspects):
            if (t, a) not in filled:
                words = "What do its documents say about %(thing)s: %(aspect)s?"
                yield _build_follow_up(
                    words % {"thing": thing, "aspect": aspect.title.lower()}, QuestionType.DOCUMENTATION
                )


def _of_other_types(
    question: ParsedQuestion, kind: QuestionType, technologies: Sequence[str]
) -> Iterator[StoredFollowUp]:
    about = _about(question, technologies)
    if not about:
        return
    words = {
        QuestionType.CODE_EXAMPLES: "How is %(about)s used in code?",
        QuestionType.BEST_PRACTICES: "What is recommended for %(about)s?",
        QuestionType.DEPENDENCY: "Which versions and requirements does %(about)s have?",
        QuestionType.ERROR_RESOLUTION: "What goes wrong with %(about)s, and what helps?",
    }
    for other, text in words.items():
        if other is not kind:
            yield _build_follow_up(text % {"about": about}, other)


def _of_headings(question: ParsedQuestion, headings: Sequence[str]) -> Iterator[StoredFollowUp]:
    for heading in headings:
        is_telling = len(heading.split()) > 1 and not any(map(str.isdigit, heading)) and "?" not in heading
        if is_telling and heading.casefold() not in question.text.casefold():
            yield _build_follow_up(
                f"What do the sources say about “{heading}”?",
                QuestionType.DOCUMENTATION,
            )


def _about(question: ParsedQuestion, technologies: Sequence[str]) -> str:
    names = [name.surface for name in question.names] or list(technologies)
    specific = [term.surface for term in question.terms if term.is_specific]
    words = [term.surface for term in question.terms if term.weight >= 0.5]
    return " ".join(dict.fromkeys((names or specific or words)[:3]))


def _build_follow_up(question: str, kind: QuestionType) -> StoredFollowUp:
    return StoredFollowUp(question=question[:300], type=kind.value)
