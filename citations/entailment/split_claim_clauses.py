"""Splits a sentence into clauses by punctuation and linking words, without a grammar."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citations.text.claim_words_and_stems import Word, is_past

_BREAKS = r"[;:()\n]|,(?!\d)|\b(?:but|while|whereas|although|though|and|because)\b"
BREAK = re.compile(_BREAKS, re.IGNORECASE)
BREAK_OF_VERBS = re.compile(rf"{_BREAKS}|\b(?:than|which|who)\b", re.IGNORECASE)
FORMS_OF_BE = frozenset("is are was were be been being get gets got".split())
_AUXILIARIES = FORMS_OF_BE | set(
    "has have had will would can could may might must should do does did".split()
)
PREPOSITIONS = frozenset(
    "in on at of for with from to by about into over under as after before during since until through between "
    "against within without near".split()
)


@dataclass(frozen=True, slots=True)
class WordSubstitution:
    """A word of the claim that replaces another of the sentence."""

    word: Word
    other: Word


def clause(
    text: str, some: Sequence[Word], at: int, breaks: re.Pattern[str] = BREAK_OF_VERBS
) -> tuple[Sequence[Word], Sequence[Word]]:
    """Return the words before and after a word, up to the nearest break on either side."""
    start, end = some[at].start, some[at].span.end
    left = max((match.end() for match in breaks.finditer(text, 0, start)), default=0)
    right = breaks.search(text, end)
    limit = right.start() if right else len(text)
    return (
        [word for word in some[:at] if word.start >= left],
        [word for word in some[at + 1 :] if word.start < limit],
    )


def content(some: Sequence[Word]) -> list[Word]:
    return [word for word in some if word.is_content and not word.text[0].isdecimal()]


def phrase(some: Sequence[Word]) -> list[Word]:
    """Return the words of the first phrase, up to a preposition or a verb."""
    end = next((place for place, word in enumerate(some) if ends_phrase(word)), len(some))
    return list(some[:end])


def ends_phrase(word: Word) -> bool:
    """True for a preposition or a verb."""
    return word.text.lower() in PREPOSITIONS or is_finite(word)


def head(some: Sequence[Word]) -> Word | None:
    return some[-1] if some else None


def stems(some: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.stem for word in some)


def is_finite(word: Word) -> bool:
    """True for a verb in the past and for "is", "has", "will" and the like."""
    return word.text.lower() in _AUXILIARIES or is_past(word.text)
