"""Reword a part of a question that was left open. Pure.

A first search uses the person's words. Here the part is combined with the subject of the question, with words that
usually occur beside an answer of the wanted kind, and with the other names that sources give to a thing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from research.extractive.question.expected_answer_kinds import AnswerKind, find_expected_kinds
from research.extractive.question.parsed_question import ParsedQuestion, QuestionTerm, analyse
from research.extractive.question.question_translation import detect_language
from research.pipelines.common.report_name_definitions import rename
from research.pipelines.report.collecting.reword_report_queries import HEAVY, further_query

MAX_QUERIES = 3  # for a part
MAX_QUERY_LENGTH = 200  # characters
KIND_WORDS: Mapping[str, Mapping[AnswerKind, str]] = {
    "en": {
        AnswerKind.PERCENTAGE: "percent",
        AnswerKind.MONEY: "price euros dollars",
        AnswerKind.DURATION: "duration years",
        AnswerKind.DATE: "date year",
        AnswerKind.VERSION: "version release",
        AnswerKind.RATE: "rate per year",
        AnswerKind.COUNT: "number total",
        AnswerKind.LENGTH: "size length",
        AnswerKind.TEMPERATURE: "temperature degrees",
        AnswerKind.FREQUENCY: "frequency interval",
    },
    "de": {
        AnswerKind.PERCENTAGE: "Prozent",
        AnswerKind.MONEY: "Preis Kosten Euro",
        AnswerKind.DURATION: "Dauer Jahre",
        AnswerKind.DATE: "Datum Jahr",
        AnswerKind.VERSION: "Version",
        AnswerKind.RATE: "pro Jahr",
        AnswerKind.COUNT: "Anzahl",
        AnswerKind.LENGTH: "Größe Länge",
        AnswerKind.TEMPERATURE: "Temperatur Grad",
        AnswerKind.FREQUENCY: "Häufigkeit Abstand",
    },
}


def reword(
    part: str, question: ParsedQuestion, titles: Sequence[str], names: Mapping[str, str], asked: Iterable[str]
) -> list[str]:
    """Return queries for the part that were not asked yet, the most promising first. `asked`: in lower case."""
    known = {_key(query) for query in asked}
    found: dict[str, str] = {}
    for query in _candidates(part, question, titles, names):
        text = " ".join(query.split())[:MAX_QUERY_LENGTH].strip()
        if text and _key(text) not in known:
            found.setdefault(_key(text), text)
    return list(found.values())[:MAX_QUERIES]


def _key(query: str) -> str:
    """Return a key that is the same for the same words in another order."""
    return " ".join(sorted(query.casefold().split()))


def _candidates(
    part: str, question: ParsedQuestion, titles: Sequence[str], names: Mapping[str, str]
) -> Iterator[str]:
    subject = _find_subject(question, titles)
    content = _content(part)
    if (renamed := rename(part, names)) != part:
        yield _join(rename(subject, names), _content(renamed))
    yield _join(subject, content)
    words = KIND_WORDS.get(detect_language(question.text), KIND_WORDS["en"])
    for kind in find_expected_kinds(part):
        if kind in words:
            yield _join(subject, content, words[kind])
    yield subject
    yield content
    if content and not subject:
        yield further_query(content, titles, 1) or ""


def _join(*texts: str) -> str:
    """Return the words of all texts, without repetitions."""
    words = {word.casefold(): word for text in reversed(texts) for word in reversed(text.split())}
    return " ".join(dict.fromkeys(words[word.casefold()] for text in texts for word in text.split()))


def _content(text: str) -> str:
    return " ".join(dict.fromkeys(term.surface for term in _heavy_terms(analyse(text))))


def _heavy_terms(question: ParsedQuestion) -> list[QuestionTerm]:
    return [term for term in question.terms if term.weight >= HEAVY and len(term.surface) > 1]


def _find_subject(question: ParsedQuestion, titles: Sequence[str]) -> str:
    """Return the subject of the question: its names.

    A name of one word also gets the words next to it, if a title has them with it: "Quimby tram", "cave Ardo".
    """
    terms = _heavy_terms(question)
    wanted = {term.form for term in terms}
    subject = {term.form for name in question.names for term in name.terms}
    for name in question.names:
        own = {term.form for term in name.terms}
        if len(own) > 1:
            continue
        beside = _find_neighbours(question.text, name.surface)
        together = [
            found for title in titles if own <= (found := {term.form for term in analyse(title).terms})
        ]
        subject |= max((found & beside & wanted for found in together), key=len, default=set())
    return " ".join(dict.fromkeys(term.surface for term in terms if term.form in subject))


def _find_neighbours(text: str, name: str) -> set[str]:
    """Return the forms of the content words directly after the name, directly before it, or before it with "of"."""
    after = re.search(rf"(?<!\w){re.escape(name)}((?: [\w-]+){{0,3}})", text)
    before = re.search(rf"((?:[\w-]+ ){{0,2}})(?:of (?:the )?)?{re.escape(name)}(?!\w)", text)
    words = f"{before[1] if before else ''} {after[1] if after else ''}"
    return {term.form for term in analyse(words).terms}
