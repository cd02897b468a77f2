"""Find the entities in a claim: names recognised by their form, places, and the subject in ordinary words."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from simplemma import is_known

from citations.contradiction.claim_statement_terms import Term, terms
from citations.contradiction.parse_claim_statements import is_light, read_statement
from citations.entities.entities import entity_key, find_entities, find_known
from citations.find_quantities import find_quantities
from citations.text.claim_words_and_stems import STOPWORDS, is_past, stem
from citations.text.quote_span import Span
from research.extractive.question.parsed_question import analyse
from research.library.knowledge.knowledge_folded_names import MAX_NAME
from research.models import EntityKind

MAX_MENTIONS = 12  # of a claim; more is a list
_MAX_SUBJECT_WORDS = 3
_LONG_WORD = 9  # letters from which a German word of a question is most likely a compound noun
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_ITEM_ENDS = " – "  # a cell of a table is stored as "Acme – Founded: 1999"


@dataclass(frozen=True, slots=True)
class EntityInClaim:
    """An entity as written in a claim; mentions with the same `key` are of the same entity."""

    key: str
    name: str
    kind: EntityKind


def find_mentions(
    text: str,
    question: str = "",
    known: Collection[str] = (),
    *,
    language: str = "en",
    is_cell: bool = False,
) -> tuple[EntityInClaim, ...]:
    """Return each entity of a claim once, names first. `question` is that of the claim's run.

    `known` are keys of names elsewhere in the run, because a capital at the start of a sentence proves nothing.
    `is_cell`: the claim is a table cell, and is about the item at its start.
    """
    item, _, rest = text.partition(_ITEM_ENDS) if is_cell else ("", "", text)
    named = _find_names(rest, known)
    taken = [span for _mention, span in named]
    mentions: list[EntityInClaim] = [
        *([EntityInClaim(entity_key(item), item, EntityKind.NAME)] if item else ()),
        *(mention for mention, _span in named),
        *_find_subjects(rest, question, taken, is_german=language == "de"),
    ]
    by_key: dict[str, EntityInClaim] = {}
    for mention in mentions:
        if 1 < len(mention.key) <= MAX_NAME and len(mention.name) <= MAX_NAME:
            by_key.setdefault(mention.key, mention)
    return tuple(by_key.values())[:MAX_MENTIONS]


def find_name_keys(question: str, texts: Iterable[str], names: Iterable[str] = ()) -> frozenset[str]:
    """Return the keys of the names in a run's question and texts, and of the given `names`."""
    found = (entity for text in (question, *texts) for entity in find_entities(text) if not entity.is_place)
    asked = (name.surface for name in analyse(question).names)
    return frozenset(filter(None, (*(entity.key for entity in found), *map(entity_key, (*asked, *names)))))


def _find_names(text: str, known: Collection[str]) -> list[tuple[EntityInClaim, Span]]:
    """Return the names in the text, except within units such as "100 degrees Celsius"."""
    figures = [quantity.span for quantity in find_quantities(text)]
    entities = list(find_entities(text))
    for entity in find_known(text, known):
        if entity.text[0].isupper() and not any(_overlap(entity.span, each.span) for each in entities):
            entities.append(entity)
    return [
        (
            EntityInClaim(entity.key, entity.text, EntityKind.PLACE if entity.is_place else EntityKind.NAME),
            entity.span,
        )
        for entity in entities
        if not any(_overlap(entity.span, figure) for figure in figures) and any(map(str.isalpha, entity.key))
    ]


def _find_subjects(
    text: str, question: str, taken: Sequence[Span], *, is_german: bool
) -> Iterator[EntityInClaim]:
    """Yield the opening of the sentence and the phrases that it shares with the question, except known names.

    The end of the opening is recognised only in English sentences.
    """
    opening = () if is_german else _find_opening_phrases(text)
    for span in (*_find_shared_phrases(text, question, is_german=is_german), *opening):
        name = span.cut(text)
        touched = [each for each in taken if _overlap(span, each)]
        if not touched:
            yield EntityInClaim(subject_key(name), name, EntityKind.SUBJECT)
        elif all(span.start <= each.start and each.end < span.end for each in touched):
            yield EntityInClaim(entity_key(name), name, EntityKind.NAME)  # "Gotthard base tunnel"


def subject_key(name: str) -> str:
    """Return the key of ordinary words, the same for "Heat pumps" and "heat pump"."""
    return " ".join(stem(match.group().casefold()) for match in _WORD.finditer(name))


def _find_shared_phrases(text: str, question: str, *, is_german: bool) -> Iterator[Span]:
    """Yield shared phrases of two or three words, and single German nouns or words not in a dictionary: "bcrypt"."""
    words = subject_key(question).split()
    phrases = {
        " ".join(words[at : at + size])
        for at in range(len(words))
        for size in range(1, _MAX_SUBJECT_WORDS + 1)
    }
    spans = [Span(*match.span()) for match in _WORD.finditer(text)]
    at = 0
    while at < len(spans):
        length = next(
            (
                size
                for size in range(min(_MAX_SUBJECT_WORDS, len(spans) - at), 0, -1)
                if _is_phrase(text, spans[at : at + size], is_german=is_german)
                and subject_key(text[spans[at].start : spans[at + size - 1].end]) in phrases
            ),
            0,
        )
        if length:
            yield Span(spans[at].start, spans[at + length - 1].end)
        at += max(length, 1)


def _is_phrase(text: str, spans: Sequence[Span], *, is_german: bool) -> bool:
    names = [span.cut(text) for span in spans]
    if any(name.casefold() in STOPWORDS or name.isdecimal() for name in names):
        return False
    if len(names) == 1:
        is_noun = is_german and names[0][0].isupper() and spans[0].start > 0
        return (
            is_noun or _is_in_no_dictionary(names[0].casefold()) or (is_german and len(names[0]) > _LONG_WORD)
        )
    return all(text[first.end : second.start].isspace() for first, second in pairwise(spans))


def _is_in_no_dictionary(word: str) -> bool:
    # The German dictionary takes 94 MB where lookups are to be fast.
    return len(word) > 2 and not (is_known(word, "en") or is_known(word, "de", low_memory=True))


def _find_opening_phrases(text: str) -> Iterator[Span]:
    """Yield the sentence's first phrase if it names something, and the phrase after "of" if the first is unspecific."""
    early = [phrase for phrase in read_statement(text).phrases if phrase.is_early]
    found = terms(text)
    for phrase in early:
        if not (phrase.opens or phrase.preposition == "of"):
            continue
        run = _place_of(phrase.words, found)
        if run is None or len(run) > _MAX_SUBJECT_WORDS or (phrase.opens and is_light(run[-1].text.lower())):
            continue
        if is_past(run[-1].text):  # "Acme employed"
            continue
        if len(run) > 1 or _is_in_no_dictionary(run[0].text.casefold()):
            yield Span(run[0].span.start, run[-1].span.end)


def _place_of(keys: Sequence[str], found: Sequence[Term]) -> Sequence[Term] | None:
    size = len(keys)
    for at in range(len(found) - size + 1):
        run = found[at : at + size]
        if [term.key for term in run] == list(keys) and all(
            term.quantity is None and term.time is None for term in run
        ):
            return run
    return None


def _overlap(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end
