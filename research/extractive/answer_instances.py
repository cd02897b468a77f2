"""Names of the things of a kind, as texts list them: "algorithms such as Argon2id, bcrypt, or PBKDF2".

Lexico-syntactic patterns after Hearst (1992), "Automatic acquisition of hyponyms from large text corpora". "Which
… should I use?" and "List all …" ask for such names. The rules cover only the wording of English sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from research.extractive.terms import STOP_WORDS, forms, term_set, words

_NOUNS = (
    r"((?:(?!(?:that|which|who|should|shall|must|can|could|do|does|did|is|are|was|were|has|have|had|will|would|to"
    r"|for|in|on|of|with|by|from|and|or|ship|come|exist|support)s?\b)[\w.'’-]+ ?){1,5})"
)
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\W*(?:please )?(?:list|name|enumerate|give me|show)(?: me)?(?: (?:all|every|each|the|some|of|any|a list of"
        rf"|names? of))* {_NOUNS}",
        rf"\b(?:what|which|how many) (?:other )?(?:kinds?|types?|sorts?) of {_NOUNS}",
        r"\b(?:what|which) (?:are|is) (?:(?:all|the|some|possible|best|recommended|available|main|different) )*"
        rf"{_NOUNS}",
        rf"(?:^\W*|\band )(?:what|which) {_NOUNS}",
    )
)
_NAME = r"\w[\w.+/-]{0,40}\w(?: (?-i:[A-Z\d])[\w.+/-]{0,40}){0,4}"
_LISTED = rf"({_NAME}(?:(?:, | and | or |, and |, or ){_NAME})*)"
_INTRODUCED = re.compile(
    rf"([\w-]+),? \(?(?:such as|including|like|e\.g\.,?|for example,?|i\.e\.,?|namely) {_LISTED}",
    re.IGNORECASE,
)
_SUMMED_UP = re.compile(rf"{_LISTED},? (?:and|or) other (?:[\w-]+ ){{0,3}}?([\w-]+)", re.IGNORECASE)
_SAID_TO_BE = re.compile(
    rf"^({_NAME}) (?:is|are) (?:an?|the|one of the)\s+(?:[\w-]+ ){{0,5}}?([\w-]+)"
    r"(?=[.,;:]|$| (?:that|which|for|of|with|in|to|on|by|designed|based|written)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r",? (?:and|or) |, ")


@lru_cache(maxsize=64)  # asked for each sentence that is ranked
def find_class_asked(question: str) -> str:
    """Return the noun for the things that the question asks to name, with its attributes; "" if there is none.

    >>> find_class_asked("Which password hashing algorithm should I use?")
    'password hashing algorithm'
    >>> find_class_asked("List every brake that is fitted to trams.")
    'brake'
    """
    found = next((match for pattern in _ASKED if (match := pattern.search(question))), None)
    return found[1].strip(" ?.") if found else ""


def find_instances(noun: str, texts: Iterable[str]) -> frozenset[str]:
    """Return the names that the texts list for the noun's last word, in lower case.

    >>> sorted(find_instances("hashing algorithm", ["Use slow algorithms such as Argon2id, bcrypt or PBKDF2."]))
    ['argon2id', 'bcrypt', 'pbkdf2']
    """
    said = words(noun)
    if not said:
        return frozenset()
    head = forms(said[-1])[0]
    return frozenset(
        name
        for text in texts
        for name in _find_names(text, head)
        if not term_set((name,)) <= term_set((noun,)) | STOP_WORDS
    )


def names_one_of(names: Iterable[str], text: str) -> bool:
    """Return True if one of the names, in lower case, is in the text as a whole word."""
    said = text.lower()
    return any(name in said and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said) for name in names)


def _find_names(text: str, head: str) -> Iterable[str]:
    for found in _INTRODUCED.finditer(text):
        if forms(found[1])[0] == head:
            yield from _split_names(found[2])
    for found in _SUMMED_UP.finditer(text):
        if forms(found[2])[0] == head:
            yield from _split_names(found[1])
    said = _SAID_TO_BE.search(text)
    if said is not None and forms(said[2])[0] == head:
        yield from _split_names(said[1])


def _split_names(listed: str) -> Iterable[str]:
    """Split a list if one of its items has a capital or a digit, since names are listed with names."""
    items = [item.strip(" .'’") for item in _BETWEEN.split(listed)]
    if any(_MARKED.search(item) for item in items):
        yield from (item.lower() for item in items if item and not term_set((item,)) <= STOP_WORDS)


_MARKED = re.compile(r"[A-Z\d]")
