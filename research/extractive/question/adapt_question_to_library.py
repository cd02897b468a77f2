"""Adapt a parsed question to a library: its language, names and spelling. Pure.

What the library contains is told by functions and counts of words, not read here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from research.extractive.question.parsed_question import (
    NamedThing,
    ParsedQuestion,
    QuestionTerm,
    TermKind,
    analyse,
)
from research.extractive.question.question_german_lexicon import WordKind, find_entries
from research.extractive.question.question_spelling import (
    CONFUSED,
    correct,
    correct_stem,
    edit_distance,
    generate_slips,
)
from research.extractive.question.question_translation import is_german_stop_word, to_english
from research.extractive.question.question_word_translation import is_english_word, translate_word
from research.extractive.terms import (
    EVALUATIVE,
    FORM_WORDS,
    QUESTION_WORDS,
    STOP_WORDS,
    forms,
    is_stop_word,
    words,
)


def in_english(question: ParsedQuestion, is_known: Callable[[str], bool]) -> ParsedQuestion:
    """Render a German question in English, with further senses of its words that occur in the library."""
    names = frozenset(filter(partial(_is_a_name, is_known=is_known), words(question.text)))
    english = analyse(to_english(question.text, names, is_known))
    senses: dict[str, tuple[str, ...]] = {}
    for word in words(question.text):
        found = [forms(sense)[0] for sense in translate_word(word, is_known) if word not in names]
        senses |= {form: tuple(other for other in found if other != form) for form in found}
    terms = tuple(
        replace(term, alternatives=(*term.alternatives, *senses.get(term.form, ()))) for term in english.terms
    )
    trimmed = (_without_common_noun(name, is_known) for name in english.names)
    names_kept = tuple(name for name in trimmed if not _is_a_compound(name.surface, is_known))
    return replace(english, text=question.text, terms=terms, names=names_kept)


def _without_common_noun(name: NamedThing, is_known: Callable[[str], bool]) -> NamedThing:
    """Return "RTL SDR Stick" as "RTL SDR": German nouns have capitals, too. A noun that the library has stays."""
    *kept, last = name.terms
    is_common = is_english_word(last.surface) and not is_known(last.surface)
    if not kept or not is_common or not name.surface.endswith(last.surface):
        return name
    return replace(name, surface=name.surface.removesuffix(last.surface).rstrip(), terms=tuple(kept))


def _is_a_compound(surface: str, is_known: Callable[[str], bool]) -> bool:
    """Return True for a German compound that could not be translated: a long word, and no name of anything."""
    return len(surface) >= LONG_WORD and surface.isalpha() and not is_known(surface)


def _is_a_name(word: str, is_known: Callable[[str], bool]) -> bool:
    """Return True for a word that the library has as it stands and the lexicon does not ("Jupiter").

    Also for one that would be a German noun if it had a capital letter, and whose English senses the library does not
    have: "beets".
    """
    entries = find_entries(word)
    if not entries and not is_german_stop_word(word):
        return is_known(word) and not translate_word(word)
    is_noun = bool(entries) and all(entry.kind is WordKind.NOUN for entry in entries)
    senses = (sense for entry in entries for sense in entry.english)
    return is_noun and word[0].islower() and is_known(word) and not any(map(is_known, senses))


def with_senses(question: ParsedQuestion, senses: Mapping[str, Sequence[str]]) -> ParsedQuestion:
    """Add words of another language to the terms that they translate. `senses`: words by form."""
    terms = tuple(
        replace(
            term, alternatives=(*term.alternatives, *(forms(word)[0] for word in senses.get(term.form, ())))
        )
        for term in question.terms
    )
    return replace(question, terms=terms)


def with_names(question: ParsedQuestion, is_in_title: Callable[[str], bool]) -> ParsedQuestion:
    """Take words in lower case for names if they stand in titles of the library and are not English: "mopidy".

    `is_in_title` takes the form of a word.
    """
    found = {
        term.form
        for term in question.terms
        if term.kind is TermKind.WORD
        and term.weight >= 0.5
        and is_in_title(term.form)
        and not is_stop_word(term.surface)
        and not is_english_word(term.surface)
        and not _ENGLISH_ENDING.search(term.surface)
    }
    if not found:
        return question
    terms = tuple(
        replace(term, kind=TermKind.NAME) if term.form in found else term for term in question.terms
    )
    new = found.difference(term.form for name in question.names for term in name.terms)
    are_several = len(question.names) + len(new) > 1
    names = (
        NamedThing(term.surface, (term,), is_coordinated=are_several) for term in terms if term.form in new
    )
    return replace(question, terms=terms, names=(*question.names, *names))


LONG_WORD = 14  # letters of a German word that is more likely a compound than a name
_ENGLISH_ENDING = re.compile(
    r"(?:al|ive|ous|ing|ed|ly|ment|tion|sion|ness|able|ible|ity|ance|ence|ism|ory|ary|ful|less|ics?)s?$"
)


def with_spelling(
    question: ParsedQuestion, vocabulary: Mapping[str, int], unknown: Iterable[str]
) -> ParsedQuestion:
    """Correct the spelling of words, except English words, to the library's. `unknown`: forms of the question's terms
    that no passage has. A word of one passage is corrected if the other one is far more frequent: sources misspell.

    The vocabulary has stems, so a misspelled plural is near one only by its own stem.
    """
    most = max(vocabulary.values(), default=1)
    common = STOP_WORDS | QUESTION_WORDS | FORM_WORDS | EVALUATIVE
    known = dict(vocabulary) | dict.fromkeys(common | {forms(word)[0] for word in common}, most)
    missing = frozenset(unknown)
    fixed = {
        term.surface: word
        for term in question.terms
        # The vocabulary may leave out the stems of a single passage.
        if (term.form in missing or (term.kind is TermKind.WORD and known.get(term.form, 1) == 1))
        and not is_english_word(term.surface)
        and not is_stop_word(term.surface)
        and (word := _find_intended(term, known, 1 if term.form in missing else FAR_MORE))
        and not _is_negated(term.surface.lower(), word)
        and not (
            any(map(str.isupper, term.surface[1:])) and is_english_word(word)
        )  # "TOTP" is no slip for "top"
        and (term.kind is not TermKind.NAME or edit_distance(term.surface.lower(), word, 1) <= 1)
    }
    fixed |= {
        term.surface: word
        for term in question.terms
        if term.form in missing and (word := CONFUSED.get(term.surface.lower())) and forms(word)[0] in known
    }
    if not fixed:
        return question
    wording = question.wording
    for typed, word in fixed.items():
        wording = re.sub(rf"\b{re.escape(typed)}\b", word, wording)
    return replace(analyse(wording), text=question.text, time=question.time, wording=wording)


def _is_negated(typed: str, word: str) -> bool:
    """Return True for a word that says the opposite: "asymmetric" is no slip for "symmetric"."""
    return any(typed.startswith(f"{prefix}{word}") for prefix in ("a", "un", "in", "im", "ir", "non", "de"))


def _find_intended(term: QuestionTerm, known: Mapping[str, int], least: int) -> str | None:
    """Return the word of at least `least` passages that the term misspells; None if there is none."""
    others = {
        word: count
        for word, count in known.items()
        if count >= least and word not in (term.form, term.surface.lower())
    }
    return (
        _find_english_word(term.surface.lower(), others)
        or correct(term.surface, others)
        or correct_stem(term.form, others)
    )


def _find_english_word(typed: str, known: Mapping[str, int]) -> str | None:
    """Return the nearest English word one slip away, of several the one whose stem most passages have: whole words
    read better than stems.

    A word that begins with the stem is no slip but made of it: "greenfly" is not "greenly".
    """
    if len(typed) < SHORTEST_WORD or not typed.isalpha():
        return None
    counts = {
        word: known[stem]
        for word in generate_slips(typed)
        if (stem := forms(word)[0]) in known and not typed.startswith(stem) and is_english_word(word)
    }
    return max(
        counts,
        key=lambda word: (-edit_distance(typed, word, FARTHEST_SLIP), counts[word], word),
        default=None,
    )


FARTHEST_SLIP = 2  # of one letter replaced by another that is not beside it on the keyboard
SHORTEST_WORD = 5  # letters of a typed word that is compared with English words
FAR_MORE = 30  # passages that have the correct word, for one that misspells it
