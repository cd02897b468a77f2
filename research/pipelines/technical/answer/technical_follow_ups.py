"""Follow-up questions to an answer: what it left open, then the same subject from other sides. Pure.

They are in the language of the question.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from research.extractive.question.parsed_question import ParsedQuestion
from research.extractive.question.question_translation import detect_language
from research.pipelines.technical.answer.technical_answer import StoredFollowUp
from research.pipelines.technical.compare_technical_alternatives import ComparisonGrid
from research.pipelines.technical.technical_config import QuestionType

MOST = 5
MAX_NAME = 3  # words of a name
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
    "Concurrency": "How does {thing} handle concurrent access?",
    "Full-text search": "Does {thing} offer full-text search?",
}
_GERMAN_ASPECTS = {
    "Purpose": "Wofür ist {thing} gedacht?",
    "Suited for": "Wofür eignet sich {thing}?",
    "Setup": "Wie richtet man {thing} ein?",
    "Ease of use": "Wie schwer ist es, {thing} zu lernen?",
    "Size": "Wie groß ist {thing}, und wovon hängt es ab?",
    "Ecosystem": "Welche Werkzeuge und Erweiterungen gibt es für {thing}?",
    "Performance": "Wie schnell ist {thing}?",
    "Memory and storage": "Wie viel Speicher braucht {thing}?",
    "Security": "Wie sicher ist {thing}?",
    "Languages and platforms": "Welche Sprachen und Plattformen unterstützt {thing}?",
    "Limits": "Wo liegen die Grenzen von {thing}?",
    "Licence": "Unter welcher Lizenz steht {thing}?",
    "Concurrency": "Wie geht {thing} mit gleichzeitigen Zugriffen um?",
    "Full-text search": "Bietet {thing} eine Volltextsuche?",
}
_OTHER_TYPES: Mapping[QuestionType, tuple[str, str]] = {  # English, German
    QuestionType.CODE_EXAMPLES: (
        "What does a code example for {about} look like?",
        "Wie sieht ein Codebeispiel für {about} aus?",
    ),
    QuestionType.BEST_PRACTICES: (
        "What are best practices for {about}?",
        "Was sind bewährte Verfahren für {about}?",
    ),
    QuestionType.DEPENDENCY: (
        "Which versions does {about} require or support?",
        "Welche Versionen verlangt oder unterstützt {about}?",
    ),
    QuestionType.ERROR_RESOLUTION: (
        "What are common errors with {about}, and how are they fixed?",
        "Welche Fehler sind bei {about} häufig, und wie behebt man sie?",
    ),
}
# What follows the words that ask for the type: “best practices for database migrations”.
_TOPIC = re.compile(
    r"\b(?:(?:best|good) practices?|bewährte\w* (?:verfahren|methoden|praktiken)) "
    r"(?:for|of|when|in|with|on|für|bei|beim|mit|zu[mr]?) (?P<topic>[^?]+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[„“\"‚‘»`][^„“”\"»«`]*[“”\"’«`]")  # an error message may be in another language
_GERMAN_WORD = re.compile(  # a name alone (“Zustand vs Redux”) is in no language
    r"\b(?:wie|was|wer|welche\w*|warum|wann|wo|wofür|ist|sind|gibt|der|die|das|den|ein\w*|ich|man|und|oder|für|mit|bei"
    r"|nicht|kann|können|soll\w*|meldet)\b",
    re.IGNORECASE,
)
_OF_ASKING = frozenset(
    "practices practice best code example examples error errors problem version versions".split()
)


def follow_ups(
    question: ParsedQuestion,
    kind: QuestionType,
    technologies: Sequence[str],
    table: ComparisonGrid | None,
    headings: Sequence[str],
    *,
    has_code: bool = False,
) -> list[StoredFollowUp]:
    """Propose follow-up questions; `headings` are those above the sentences that answered, most informative first."""
    asked = _QUOTED.sub(" ", question.text)
    is_german = detect_language(asked) == "de" and _GERMAN_WORD.search(asked) is not None
    proposed = [
        *_open_cells(table, is_german=is_german),
        *_between(table, is_german=is_german),
        *_of_headings(question, headings),
        *_of_other_types(question, kind, technologies, table, is_german=is_german),
    ]
    if has_code:
        proposed = [one for one in proposed if one.type != QuestionType.CODE_EXAMPLES.value]
    distinct = {follow_up.question.casefold(): follow_up for follow_up in reversed(proposed)}
    distinct.pop(question.text.casefold(), None)
    return list(reversed(distinct.values()))[:MOST]


def _open_cells(table: ComparisonGrid | None, *, is_german: bool) -> Iterator[StoredFollowUp]:
    if table is None:
        return
    filled = {(cell.thing, cell.aspect) for cell in table.cells}
    for t, thing in enumerate(table.things):
        for a, aspect in enumerate(table.aspects):
            if (t, a) not in filled:
                other = (
                    "Was gilt bei {thing} für {aspect}?" if is_german else "How does {thing} handle {aspect}?"
                )
                words = (_GERMAN_ASPECTS if is_german else _OF_ASPECT).get(aspect.title, other)
                yield _build_follow_up(
                    words.format(thing=thing, aspect=aspect.words if is_german else aspect.title.lower()),
                    QuestionType.DOCUMENTATION,
                )


def _between(table: ComparisonGrid | None, *, is_german: bool) -> Iterator[StoredFollowUp]:
    if table is not None and len(table.things) >= 2:
        first, second = table.things[:2]
        text = (
            f"Wie steigt man von {second} auf {first} um?"
            if is_german
            else f"How do I migrate from {second} to {first}?"
        )
        yield _build_follow_up(text, QuestionType.DOCUMENTATION)


def _of_other_types(
    question: ParsedQuestion,
    kind: QuestionType,
    technologies: Sequence[str],
    table: ComparisonGrid | None,
    *,
    is_german: bool,
) -> Iterator[StoredFollowUp]:
    about = table.things[0] if table else _about(question, technologies)
    if not about:
        return
    is_name = len(about.split()) <= MAX_NAME and "_" not in about  # a setting or a task requires no versions
    for other, texts in _OTHER_TYPES.items():
        if other is not kind and (is_name or other is not QuestionType.DEPENDENCY):
            yield _build_follow_up(texts[is_german].format(about=about), other)


def _of_headings(question: ParsedQuestion, headings: Sequence[str]) -> Iterator[StoredFollowUp]:
    """Yield the headings that are questions already, as in FAQs."""
    for heading in headings:
        is_question = heading.endswith("?") and 4 <= len(heading.split()) <= 16
        if is_question and heading.casefold() not in question.text.casefold():
            yield _build_follow_up(heading, QuestionType.DOCUMENTATION)


def _about(question: ParsedQuestion, technologies: Sequence[str]) -> str:
    """Return what the question is about: a technology in the question's spelling, else a name, else its topic."""
    names = [name.surface for name in question.names]
    given = [
        next(
            (name for name in names if technology.casefold() in name.casefold()),
            _spell(technology, question.text),
        )
        for technology in technologies
    ]
    specific = [term.surface for term in question.terms if term.is_specific]
    topic = [found["topic"].strip(" .") for found in _TOPIC.finditer(question.text)]
    words = [
        term.surface
        for term in question.terms
        if term.weight >= 0.5 and term.surface.casefold() not in _OF_ASKING
    ]
    return next(iter((*given[:1], *names, *specific, *topic, " ".join(words[:2]))), "")


def _spell(technology: str, question: str) -> str:
    found = re.search(rf"(?<!\w){re.escape(technology)}(?!\w)", question, re.IGNORECASE)
    return found.group() if found else technology


def _build_follow_up(question: str, kind: QuestionType) -> StoredFollowUp:
    return StoredFollowUp(question=question[:300], type=kind.value)
