"""Translate single words from German to English and back: by lexicon, compounds and cognates.

The vocabulary that the functions take tells if the library has a word. It orders the results of the lexicon, and
decides about candidates by spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from research.extractive.english_spellings import other_spelling
from research.extractive.question.question_german_lexicon import (
    PREFIXES,
    LexiconEntry,
    WordKind,
    english_kinds,
    find_entries,
    fold_sharp_s,
    german_by_english,
    lexicon,
)
from research.extractive.terms import EVALUATIVE, FORM_WORDS, IRREGULAR, QUESTION_WORDS, STOP_WORDS

Vocabulary = Callable[[str], bool]
MAX_SENSES = 4


def translate_word(word: str, vocabulary: Vocabulary | None = None) -> tuple[str, ...]:
    """Return up to four English words with the sense of a German word, best first.

    Words of the vocabulary come first. An unknown word is returned unchanged if it is in the vocabulary.

    >>> translate_word("Wärmepumpen")
    ('heat pump',)
    >>> translate_word("Passwortänderung")[0]
    'password change'
    >>> translate_word("Quaxelbrumpf")
    ()
    """
    senses = _distinct(sense for entry in find_entries(word) for sense in entry.english)
    if not senses and not is_english_word(word):
        if vocabulary is not None and vocabulary(word) and not _split_by_lexicon(fold_sharp_s(word.lower())):
            return (word,)  # the library has it as it stands: "Jupiter" is no inflected form
        senses = _translate_compound(word, vocabulary) or _distinct(_cognates(word, vocabulary))
    if not senses and vocabulary is not None and vocabulary(word):
        return (word,)
    return sort_by_vocabulary(senses, vocabulary)[:MAX_SENSES]


def translate_word_to_german(word: str, vocabulary: Vocabulary | None = None) -> tuple[str, ...]:
    """Return up to four German words with the sense of an English word or phrase, best first.

    >>> translate_word_to_german("vulnerabilities")[0]
    'Sicherheitslücke'
    >>> translate_word_to_german("heat pump")
    ('Wärmepumpe',)
    """
    by_english = german_by_english()
    found = _distinct(german for base in english_bases(word.lower()) for german in by_english.get(base, ()))
    if not found and re.search(r"[ -]", word):
        found = _distinct(_german_compounds(re.split("[ -]", word), vocabulary))
    if not found and vocabulary is not None:
        found = _distinct(filter(vocabulary, _german_cognates(word.lower())))
        if not found and vocabulary(word):
            return (word,)
    return sort_by_vocabulary(found, vocabulary)[:MAX_SENSES]


def is_english_word(word: str) -> bool:
    """Return True if the word, or its base form, is among the English words of the lexicon."""
    lowered = word.lower()
    return lowered in IRREGULAR or any(base in lexicon().english_words for base in english_bases(lowered))


def is_english_adjective(word: str) -> bool:
    """Return True if the lexicon has the word as an adjective, or only its ending tells.

    >>> [is_english_adjective(word) for word in ("hard", "annular", "salt", "signal")]
    [True, True, False, False]
    """
    kinds = english_kinds(word.lower())
    if kinds:
        return WordKind.OTHER in kinds
    return bool(_ADJECTIVE_ENDING.search(word))


_ADJECTIVE_ENDING = re.compile(
    r"[a-z]{3}(?:al|ar|ary|ory|ic|ive|ous|ed|able|ible|less|ful|ant|ent|ese|ine|ible)$", re.IGNORECASE
)


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def sort_by_vocabulary(senses: Sequence[str], vocabulary: Vocabulary | None) -> tuple[str, ...]:
    """Return the senses that the library has before the others, each group in its order."""
    if vocabulary is None:
        return tuple(senses)

    def is_held(word: str) -> bool:
        return word in _OF_QUESTIONS or vocabulary(word)

    return tuple(sorted(senses, key=lambda sense: not all(map(is_held, sense.split()))))


# Words that only questions need, and those that no index has.
_OF_QUESTIONS = STOP_WORDS | QUESTION_WORDS | FORM_WORDS | EVALUATIVE


def begins_compound(text: str) -> bool:
    """Return True for what a compound may begin with: a word, its stem, or a prefix."""
    lowered = fold_sharp_s(text.lower())
    return lowered in PREFIXES or _find_first_part(lowered) is not None


# --- compounds ---------------------------------------------------------------------------------------

_LINKS = ("", "s", "es", "n", "en", "er", "e")
_SHORTEST = 3  # letters of a part; shorter ones are more often endings than words


@dataclass(frozen=True, slots=True)
class _WordPart:
    senses: tuple[str, ...]
    penalty: int  # how doubtful it is that this is a part of the compound


def _translate_compound(word: str, vocabulary: Vocabulary | None) -> tuple[str, ...]:
    if "-" in word.strip("-"):
        return _translate_hyphenated(word, vocabulary)
    parts = _split(fold_sharp_s(word.lower()), vocabulary)
    if not parts:
        return ()
    *first, head = (part.senses[:3] for part in parts)
    return _distinct(" ".join(phrase) for phrase in islice(product(*first, head), 27))


def _translate_hyphenated(word: str, vocabulary: Vocabulary | None) -> tuple[str, ...]:
    """Translate a hyphenated word, keeping unknown parts: "Brute-Force-Angriffe" is "brute-force attack"."""
    left, _, head = word.strip("-").rpartition("-")
    if not any(map(str.isalpha, head)):
        return ()  # the number of a name: "UTF-8"
    heads = translate_word(head, vocabulary)
    lefts = translate_word(left, vocabulary)
    if not heads and not lefts:
        return ()
    lefts = lefts or (left.lower() if not any(map(str.isupper, left[1:].replace("-", ""))) else left,)
    return _distinct(f"{first} {second}" for first in lefts[:2] for second in heads[:3] or (head,))


@lru_cache(maxsize=4_096)
def _split_by_lexicon(word: str) -> tuple[_WordPart, ...]:
    return _best_split(word, None)


def _split(word: str, vocabulary: Vocabulary | None) -> tuple[_WordPart, ...]:
    return _split_by_lexicon(word) or (_best_split(word, vocabulary) if vocabulary is not None else ())


def _best_split(word: str, vocabulary: Vocabulary | None) -> tuple[_WordPart, ...]:
    """Return the parts of the compound: as few as possible, preferably words rather than stems."""
    if len(word) < 2 * _SHORTEST:
        return ()
    found = [
        (first, *rest)
        for at in range(_SHORTEST - 1, len(word) - _SHORTEST + 1)
        if (first := _first_part(word[:at], vocabulary))
        for rest in _rests(word[at:], vocabulary)
    ]
    return min(found, key=lambda parts: (len(parts), sum(part.penalty for part in parts)), default=())


def _rests(word: str, vocabulary: Vocabulary | None) -> Iterator[tuple[_WordPart, ...]]:
    if len(word) >= _SHORTEST and (entries := find_entries(word.capitalize())):
        short = 3 if len(word) == _SHORTEST else 0
        short += 3 * (
            entries[0].kind is WordKind.OTHER and word != entries[0].german.lower()
        )  # "Les-erechte"
        alike = [entry for entry in entries if entry.kind is entries[0].kind]
        # Noun compounds do not end in verb forms: "Stuf-fing", "Bus-iness".
        if alike[0].kind is not WordKind.VERB or word.endswith(("en", "ung", "ungen")):
            yield (_WordPart(_senses(alike), short),)
    elif rest := _split(word, vocabulary):
        yield rest
    elif len(word) > 4 and is_english_word(word):
        yield (_WordPart((word,), 4),)  # "Sitzungstimeout"


@lru_cache(maxsize=32_768)
def _find_first_part(text: str) -> _WordPart | None:
    found: list[_WordPart] = []
    for link in _LINKS:
        stem = text.removesuffix(link) if link else text
        if text.endswith(link) and (len(stem) >= _SHORTEST or stem == "öl"):
            found.extend(_parts_of(stem, 0 if not link else 1))
    return min(found, key=lambda part: part.penalty, default=None)


def _first_part(text: str, vocabulary: Vocabulary | None) -> _WordPart | None:
    known = _find_first_part(text)
    if known is not None:
        return known
    is_foreign = len(text) > 4 and (
        text in lexicon().english_words or (vocabulary is not None and vocabulary(text))
    )
    return _WordPart((text,), 4) if is_foreign else None


def _parts_of(stem: str, penalty: int) -> Iterator[_WordPart]:
    """Yield nouns and adjectives, whole or without their last vowel ("Schul-"), and verbs without ending ("Heiz-")."""
    short = 3 if len(stem) <= _SHORTEST else 0
    for written, kinds, doubt in (
        (stem, (WordKind.PREFIX,), 0),
        (stem, (WordKind.NOUN,), 1),
        (stem, (WordKind.OTHER,), 2),
        (stem + "e", (WordKind.NOUN,), 2),
        (stem + "en", (WordKind.VERB,), 2),
        (stem + "n", (WordKind.VERB,), 2),
    ):
        if entries := [entry for entry in lexicon().get(written) if entry.kind in kinds]:
            yield _WordPart(_senses(entries), penalty + doubt + short)
    inflected = (WordKind.NOUN, WordKind.VERB) if stem.endswith("ung") else (WordKind.NOUN,)
    if entries := [entry for entry in find_entries(stem.capitalize()) if entry.kind in inflected]:
        yield _WordPart(_senses(entries), penalty + 3 + short)  # "Pflegekräfte-", "Optimierungs-"


def _senses(entries: Sequence[LexiconEntry]) -> tuple[str, ...]:
    return _distinct(sense for entry in entries for sense in entry.english)


# --- cognates ----------------------------------------------------------------------------------------

_ENDINGS = (
    ("ifizierung", ("ification",)), ("isierung", ("ization", "isation", "izing")),
    ("ierung", ("ation", "ing", "ition")), ("ifizieren", ("ify",)), ("isieren", ("ize", "ise")),
    ("ieren", ("ate", "e", "", "ize")), ("iert", ("ated", "ed")), ("izität", ("icity",)),
    ("ität", ("ity",)), ("ismus", ("ism",)), ("istisch", ("istic", "ist")), ("isch", ("ic", "ical", "al")),
    ("ik", ("ics", "ic", "y")), ("ie", ("y", "ie")), ("iv", ("ive",)), ("är", ("ary", "ar")),
    ("enz", ("ence", "ency")), ("anz", ("ance", "ancy")), ("ell", ("al", "")), ("eur", ("er", "eur", "or")),
    ("ur", ("ure",)), ("el", ("le", "el")), ("er", ("er", "re")), ("or", ("or", "our")), ("yse", ("ysis",)),
    ("se", ("sis", "se")), ("e", ("e", "")), ("um", ("um", "")), ("a", ("a",)), ("ant", ("ant", "ent")),
    ("abel", ("able",)), ("ibel", ("ible",)), ("ös", ("ous",)), ("oid", ("oid",)), ("loge", ("logist",)),
    ("graf", ("grapher",)),
)  # fmt: skip
_INFLECTIONS = ("", "s", "en", "n", "e", "es", "er", "em")
_LETTERS = (
    ("k", "c"),
    ("z", "c"),
    ("z", "t"),
    ("f", "ph"),
    ("ö", "o"),
    ("ö", "e"),
    ("ä", "a"),
    ("ä", "e"),
    ("ü", "u"),
    ("ss", "s"),
)
_MAX_SPELLINGS = 200


def _cognates(word: str, vocabulary: Vocabulary | None) -> Iterator[str]:
    """Yield English words that are spelled like the German one, if the vocabulary or the lexicon has them."""
    lowered = fold_sharp_s(word.lower())
    if len(lowered) < 5:
        return
    for spelling in islice(_english_spellings(lowered), _MAX_SPELLINGS):
        if spelling == lowered:
            continue  # unchanged words are handled by the caller
        if spelling in lexicon().english_words or (vocabulary is not None and vocabulary(spelling)):
            yield spelling


def _english_spellings(word: str) -> Iterator[str]:
    for inflection in _INFLECTIONS:
        if not word.endswith(inflection):
            continue
        base = word[: len(word) - len(inflection)]
        for ending, others in _ENDINGS:
            if base.endswith(ending) and len(base) - len(ending) > 2:
                for other in others:
                    yield from _generate_spellings(base[: len(base) - len(ending)], other)
        yield from _generate_spellings(base, "")


def _generate_spellings(stem: str, ending: str) -> Iterator[str]:
    spellings = {stem}
    for german, english in _LETTERS:
        spellings |= {spelling.replace(german, english) for spelling in spellings}
    yield from (spelling + ending for spelling in sorted(spellings))


# --- English to German -------------------------------------------------------------------------------


def english_bases(word: str) -> Iterator[str]:
    """Yield the word, and the words of which it may be the plural, past form or participle."""
    yield word
    for ending, others in (
        ("ies", ("y",)), ("es", ("", "e")), ("s", ("",)), ("ied", ("y",)), ("ed", ("", "e")), ("ing", ("", "e")),
        ("er", ("", "e")), ("est", ("", "e")), ("ly", ("", "le")),
    ):  # fmt: skip
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: len(word) - len(ending)]
            yield from (stem + other for other in others)
            if ending in ("ed", "ing", "er", "est") and stem[-1] == stem[-2]:
                yield stem[:-1]
    if other := other_spelling(word):
        yield other


def _german_compounds(words: Sequence[str], vocabulary: Vocabulary | None) -> Iterator[str]:
    """Yield German compounds in the library or the lexicon: "password change" is "Passwortänderung"."""
    choices = [translate_word_to_german(word) or (word,) for word in words]
    for parts in islice(product(*choices), 64):
        *first, head = (part.lower() for part in parts)
        for links in product(_LINKS, repeat=len(first)):
            compound = (
                "".join(_attach_link(part, link) for part, link in zip(first, links, strict=True)) + head
            )
            is_held = vocabulary(compound) if vocabulary is not None else bool(lexicon().get(compound))
            if is_held:
                yield compound.capitalize()


def _attach_link(part: str, link: str) -> str:
    """Append a linking element to the first part of a compound; a verb loses its ending."""
    return part.removesuffix("en") if not link and lexicon().get(part) and _is_verb(part) else part + link


def _is_verb(word: str) -> bool:
    return all(entry.kind is WordKind.VERB for entry in lexicon().get(word))


def _german_cognates(word: str) -> Iterator[str]:
    for base in english_bases(word):
        for german, english in _ENDINGS:
            for ending in filter(None, english):
                if base.endswith(ending) and len(base) - len(ending) > 2:
                    stem = base[: len(base) - len(ending)]
                    yield from (stem + german, stem.replace("c", "k") + german)
        yield from (base.replace("c", "k"), base.replace("ph", "f"), base.removesuffix("e"))
