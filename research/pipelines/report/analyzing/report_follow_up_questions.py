"""Suggest follow-up questions to a report: what it left open, then what else its sources say. Pure.

They are asked of the same sources, so they are in the language of the question.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from research.extractive.answer_sections import format_heading, name_subject
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.parsed_question import NamedThing, ParsedQuestion, TermKind
from research.extractive.question.question_translation import detect_language
from research.extractive.sentence_cues import find_subject
from research.extractive.terms import term_set

MOST, LONGEST = 5, 300
LONG_WORD = 6  # letters
MIN_HEADING, MAX_HEADING = 2, 8  # words of an informative heading

OPEN = {"en": "What is known about %(part)s?", "de": "Was ist über %(part)s bekannt?"}
OPEN_OF = {
    "en": "What is known about %(part)s in %(about)s?",
    "de": "Was ist bei %(about)s über %(part)s bekannt?",
}
HEADING = {
    "en": "What do the sources say about “%(heading)s”?",
    "de": "Was sagen die Quellen über „%(heading)s“?",
}
# Questions on any subject, by the form of the answer that they ask for.
GENERAL: Mapping[str, Mapping[AnswerForm, str]] = {
    "en": {
        AnswerForm.POSITIONS: "What are the limits and criticisms of %(about)s?",
        AnswerForm.CHANGE: "What has changed about %(about)s recently?",
    },
    "de": {
        AnswerForm.POSITIONS: "Welche Grenzen und welche Kritik gibt es bei %(about)s?",
        AnswerForm.CHANGE: "Was hat sich bei %(about)s zuletzt geändert?",
    },
}


def follow_up_questions(
    question: ParsedQuestion, unanswered: Sequence[str], open_parts: Iterable[str], headings: Sequence[str]
) -> list[str]:
    """Return the follow-up questions.

    `unanswered`: parts of the question, in its words, that the report does not answer; `open_parts`: what it should say
    and does not; `headings`: those of the places that it cites, best first.
    """
    language = detect_language(question.text)
    about, subject = _about(question), find_subject(question)
    asked_again = term_set(unanswered)
    questions = [
        *(f"{format_heading(name_subject(part, subject))}?" for part in unanswered if part in question.text),
        *(
            (OPEN_OF if about else OPEN)[language] % {"part": part, "about": about}
            for part in _join_neighbours(open_parts, question.text)
            if not term_set((part,)) <= asked_again and _is_telling(part)
        ),
        *_of_headings(question, headings, HEADING[language]),
        *_general(question, language),
    ]
    distinct = {follow_up.casefold(): follow_up[:LONGEST] for follow_up in reversed(questions)}
    distinct.pop(question.text.casefold(), None)
    return list(reversed(distinct.values()))[:MOST]


def _is_telling(part: str) -> bool:
    """Return True for a name, several words or a long one: "rid" or "go" are no subjects of their own."""
    return len(part) >= LONG_WORD or " " in part or not part.islower()


def _join_neighbours(parts: Iterable[str], text: str) -> list[str]:
    """Join words that follow each other in the question: "commercial", "licence" are one thing that it asks about."""
    joined: list[str] = []
    for part in parts:
        if joined and f"{joined[-1]} {part}" in text:
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return joined


def _of_headings(question: ParsedQuestion, headings: Sequence[str], words: str) -> Iterator[str]:
    """Yield a question for each heading that tells what it is about: if a thing is asked about, one that names it."""
    named = term_set([name.surface for name in question.names] or (_about(question),))
    for heading in dict.fromkeys(headings):
        if named and named.isdisjoint(term_set((heading,))):
            continue  # "The options", "Making a decision"
        count = len(heading.split())
        is_telling = MIN_HEADING <= count <= MAX_HEADING and not any(map(str.isdigit, heading))
        if is_telling and "?" not in heading and heading.casefold() not in question.text.casefold():
            yield words % {"heading": heading}


_ON_ONE_THING = (AnswerForm.DEFINITION, AnswerForm.MECHANISM, AnswerForm.CHANGE, AnswerForm.POSITIONS)


def _general(question: ParsedQuestion, language: str) -> Iterator[str]:
    """Yield general questions on the subject, not on one release of it, that ask for another form of answer."""
    about = _about(question) if question.form in _ON_ONE_THING else ""
    if question.names:
        about = _without_release(question.names[0])
    for form, words in GENERAL[language].items():
        if about and form is not question.form:
            yield words % {"about": about}


def _without_release(name: NamedThing) -> str:
    marks = {term.surface for term in name.terms if term.kind in (TermKind.VERSION, TermKind.YEAR)}
    return " ".join(word for word in name.surface.split() if word not in marks)


def _about(question: ParsedQuestion) -> str:
    """Return the first name in the question, else its most specific words if they are adjacent; "" if not."""
    if question.names:
        return question.names[0].surface
    words = " ".join([term.surface for term in question.terms if term.weight >= 0.5][:3])
    return words if words in question.text else ""
