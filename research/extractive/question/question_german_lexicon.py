"""The German-English lexicon beside this module, and the dictionary forms of inflected German words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("lexicon_de_en.tsv")


class WordKind(StrEnum):
    NOUN = "noun"
    VERB = "verb"
    OTHER = "other"  # adjectives, adverbs, numerals
    PREFIX = "prefix"  # first parts of compounds: "Haupt…", "Mindest…"
    SMALL = "small"  # articles, pronouns, prepositions, question words


class LexiconEntry(NamedTuple):
    german: str
    kind: WordKind
    english: tuple[str, ...]  # most common first


class Lexicon:
    """Entries by the German word, in lower case and with "ss" for "ß"."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.entries: dict[str, list[LexiconEntry]] = defaultdict(list)
        self.small: dict[str, str] = {}
        self.verb_forms: dict[str, str] = {}  # "stieg" and "gestiegen" of "steigen"
        for line in lines:
            if not line.startswith("#"):
                self._add(line.rstrip("\n").split("\t"))

    def _add(self, fields: list[str]) -> None:
        german, kind, english = fields[:3]
        if kind == WordKind.SMALL:
            self.small[german.lower()] = english if english != "-" else ""
            return
        senses = tuple(english.split(", "))
        key = fold_sharp_s(german.lower())
        self.entries[key].append(LexiconEntry(german, WordKind(kind), senses))
        for form in fields[3].split(", ") if len(fields) > 3 else ():
            self.verb_forms.setdefault(fold_sharp_s(form), key)

    @property
    def english_words(self) -> frozenset[str]:
        return _english_words()

    def get(self, key: str) -> list[LexiconEntry]:
        return self.entries.get(key, [])


@cache
def lexicon() -> Lexicon:
    with _FILE.open(encoding="utf-8") as lines:
        return Lexicon(lines)


@cache
def _english_words() -> frozenset[str]:
    entries = chain.from_iterable(lexicon().entries.values())
    return frozenset(word.lower() for entry in entries for sense in entry.english for word in sense.split())


def english_kinds(word: str) -> frozenset[WordKind]:
    """Return the kinds of the German words of which an English word in lower case is a sense."""
    return _english_kinds().get(word, frozenset())


@cache
def _english_kinds() -> Mapping[str, frozenset[WordKind]]:
    found: dict[str, set[WordKind]] = defaultdict(set)
    for entry in chain.from_iterable(lexicon().entries.values()):
        for sense in entry.english:
            found[sense.lower()].add(entry.kind)
    return {sense: frozenset(kinds) for sense, kinds in found.items()}


@cache
def german_by_english() -> Mapping[str, tuple[str, ...]]:
    """Return German words by English sense, beginning with those whose first sense it is.

    Among these, words with several senses come first, since they are more common.
    """
    found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for entry in chain.from_iterable(lexicon().entries.values()):
        if entry.kind is not WordKind.PREFIX:
            for place, sense in enumerate(entry.english):
                found[sense.lower()].append((place, -len(entry.english), entry.german))
    return {
        sense: tuple(dict.fromkeys(german for *_, german in sorted(words))) for sense, words in found.items()
    }


def fold_sharp_s(word: str) -> str:
    return word.replace("ß", "ss")


def find_entries(word: str) -> list[LexiconEntry]:
    """Return the entries of which the word is a form; its capitalization decides which kind comes first.

    >>> [entry.german for entry in find_entries("Passwörtern")]
    ['Passwort']
    >>> [entry.german for entry in find_entries("angestiegen")]
    ['ansteigen']
    """
    lowered = fold_sharp_s(word.lower())
    spellings = [lowered, *_with_umlauts(lowered)]
    found = next((entries for spelling in spellings if (entries := _entries_of(spelling))), [])
    is_noun = word[:1].isupper()
    if is_noun and lowered.endswith("en"):  # "die Sperren", not "das Sperren"
        found = [*(entry for entry in lexicon().get(lowered[:-1]) if entry.kind is WordKind.NOUN), *found]
    return sorted(found, key=lambda entry: (entry.kind is WordKind.NOUN) != is_noun)


def find_verbs(word: str) -> list[LexiconEntry]:
    """Return the verbs of which the word may be a form, even if it is also an adjective: "verboten"."""
    bases = (base for base, kinds in _bases(fold_sharp_s(word.lower())) if kinds is _VERB)
    return [entry for base in bases for entry in lexicon().get(base) if entry.kind is WordKind.VERB]


def _entries_of(word: str) -> list[LexiconEntry]:
    exact = [entry for entry in lexicon().get(word) if entry.kind is not WordKind.PREFIX]
    if exact:
        return exact
    found: dict[str, LexiconEntry] = {}
    for base, kinds in _bases(word):
        for entry in lexicon().get(base):
            if entry.kind in kinds:
                found.setdefault(f"{entry.kind} {entry.german}", entry)
    return list(found.values())


def _with_umlauts(word: str) -> Iterator[str]:
    """Yield the possible spellings with umlauts of a word typed without them: "aendern", "waermepumpe"."""
    if re.search("ae|oe|ue", word):
        yield re.sub("ae", "ä", re.sub("oe", "ö", re.sub("(?<![aeq])ue", "ü", word)))


_NOUN = frozenset({WordKind.NOUN})
_VERB = frozenset({WordKind.VERB})
_OTHER = frozenset({WordKind.OTHER})
_NAMED = _NOUN | _OTHER

# Endings, their replacements in the dictionary form, and the kinds of word that have them.
_ENDINGS: tuple[tuple[str, str, frozenset[WordKind]], ...] = (
    ("s", "", _NOUN), ("es", "", _NAMED), ("e", "", _NAMED), ("en", "", _NAMED), ("n", "", _NAMED), ("er", "", _NAMED),
    ("ern", "", _NOUN), ("em", "", _OTHER), ("e", "er", _NOUN), ("en", "er", _NOUN), ("em", "er", _NOUN),
    ("innen", "", _NOUN), ("in", "", _NOUN), ("innen", "e", _NOUN), ("in", "e", _NOUN),
    ("ien", "ium", _NOUN), ("ien", "", _NOUN), ("en", "um", _NOUN), ("en", "us", _NOUN), ("en", "a", _NOUN),
    ("en", "o", _NOUN), ("a", "um", _NOUN), ("se", "", _NOUN), ("sen", "", _NOUN), ("ses", "", _NOUN),
    ("ns", "", _NOUN), ("en", "on", _NOUN), ("ungen", "ung", _NOUN),
    ("r", "", _OTHER), ("s", "", _OTHER), ("m", "", _OTHER),
    ("ere", "", _OTHER), ("eren", "", _OTHER), ("erer", "", _OTHER), ("eres", "", _OTHER), ("erem", "", _OTHER),
    ("ste", "", _OTHER), ("sten", "", _OTHER), ("ster", "", _OTHER), ("stes", "", _OTHER), ("este", "", _OTHER),
    ("esten", "", _OTHER), ("le", "el", _OTHER), ("len", "el", _OTHER), ("ler", "el", _OTHER), ("les", "el", _OTHER),
    ("re", "er", _OTHER), ("ren", "er", _OTHER), ("rer", "er", _OTHER), ("res", "er", _OTHER),
    ("t", "en", _VERB), ("et", "en", _VERB), ("st", "en", _VERB), ("est", "en", _VERB), ("e", "en", _VERB),
    ("te", "en", _VERB), ("ten", "en", _VERB), ("ete", "en", _VERB), ("eten", "en", _VERB), ("test", "en", _VERB),
    ("t", "n", _VERB), ("st", "n", _VERB), ("te", "n", _VERB), ("ten", "n", _VERB), ("le", "eln", _VERB),
    ("re", "ern", _VERB), ("ere", "ern", _VERB),
    ("", "n", _VERB), ("", "en", _VERB), ("nd", "n", _VERB), ("nde", "n", _VERB),
    ("nden", "n", _VERB), ("nder", "n", _VERB), ("ndes", "n", _VERB),
)  # fmt: skip
_PARTICIPLE_ENDINGS = ("", "e", "en", "er", "es", "em")

_INSEPARABLE = ("be", "ent", "emp", "er", "ge", "miss", "ver", "zer", "über", "unter", "wider", "hinter")
SEPARABLE = (
    """zusammen zurück entgegen herunter hinunter herauf hinauf heraus hinaus herein hinein herbei wieder weiter
    voraus vorbei voran fertig offen fest frei fort hoch auseinander gegenüber gleich aufrecht statt bereit sicher
    still nieder hervor herab hinweg nach durch dar ein auf aus ab an bei her hin los mit vor weg zu um über unter
    teil fehl neu"""
).split()
PREFIXES = frozenset({*SEPARABLE, *_INSEPARABLE})
_PREFIX = re.compile(rf"({'|'.join(sorted({*SEPARABLE, *_INSEPARABLE}, key=len, reverse=True))})(.{{3,}})")
_UMLAUT = str.maketrans("äöü", "aou")


def _bases(word: str) -> Iterator[tuple[str, frozenset[WordKind]]]:
    """Yield possible dictionary forms of the word, likely ones first; most do not exist."""
    for verb in _verbs_of(word):
        yield verb, _VERB
    for ending, base, kinds in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: len(word) - len(ending)]
            yield stem + base, kinds
            if kinds is not _VERB and (plain := stem.translate(_UMLAUT)) != stem:
                yield plain + base, kinds
    if (plain := word.translate(_UMLAUT)) != word:
        yield plain, _NOUN  # "Väter"
    for ending in ("igkeit", "keit", "heit"):
        yield word.removesuffix(ending), _OTHER if word.endswith(ending) else frozenset()
    for ending in ("ung", "ungen"):
        yield from (
            (word.removesuffix(ending) + rest, _VERB) for rest in ("en", "n") if word.endswith(ending)
        )


def _verbs_of(word: str) -> Iterator[str]:
    """Yield the infinitives of irregular forms, participles and infinitives with "zu", with and without a prefix."""
    for ending in _PARTICIPLE_ENDINGS:
        if word.endswith(ending):
            form = word[: len(word) - len(ending)]
            yield from _infinitives(form)
            for prefix, rest in _prefixes(form):
                yield from (prefix + verb for verb in _infinitives(rest))
                yield from (prefix + verb for verb in _infinitives("ge" + rest))


def _prefixes(form: str) -> Iterator[tuple[str, str]]:
    if match := _PREFIX.match(form):
        yield match[1], match[2]
        if inner := _PREFIX.match(match[2]):
            yield match[1] + inner[1], inner[2]


def _infinitives(form: str) -> Iterator[str]:
    for plain in (form, form.removesuffix("en"), form.removesuffix("n")):  # "stieg", "wir stiegen"
        if verb := lexicon().verb_forms.get(plain):
            yield verb
    if form.startswith("ge"):
        yield form[2:]
        stem = re.sub("e?t$", "", form[2:])
        yield from (stem + "en", stem + "n", form[2:].removesuffix("t") + "n")
    if form.startswith("zu"):
        yield form[2:]
