"""Correct words of a question that are not in the library, by the Damerau–Levenshtein distance that most spelling
checkers use (Damerau, Communications of the ACM, 1964).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import ascii_lowercase

SHORTEST = 4  # letters; shorter words resemble too many others
MIN_STEM_LENGTH = 6  # letters; "stuf", the stem of "stuffing", is near "stuff" without being misspelled
LONG = 8  # letters from which two may be wrong


def correct(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """Return the intended word of the vocabulary: the nearest, then the most frequent; None if none is near.

    `vocabulary`: number of passages by word.

    >>> correct("lenght", {"length": 40, "light": 3})
    'length'
    """
    typed = word.lower()
    if len(typed) < SHORTEST or not typed.isalpha():
        return None
    allowed = 2 if len(typed) >= LONG else 1
    near = (
        (distance, -count, known)
        for known, count in _alike(typed, vocabulary, allowed)
        if (distance := edit_distance(typed, known, allowed)) <= allowed
    )
    best = min(near, default=None)
    return best[2] if best else None


def correct_stem(stem: str, vocabulary: Mapping[str, int]) -> str | None:
    """Return the stem of the vocabulary intended by the stem of a misspelled word; None if none is near."""
    return correct(stem, vocabulary) if len(stem) >= MIN_STEM_LENGTH else None


def generate_slips(word: str) -> set[str]:
    """Return all words that are one insertion, deletion, replacement or swap away, with the same first letter."""
    first, rest = word[:1], word[1:]
    splits = [(rest[:place], rest[place:]) for place in range(len(rest) + 1)]
    changed = {left + right[1:] for left, right in splits if right}
    changed |= {left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1}
    changed |= {left + letter + right[1:] for left, right in splits if right for letter in ascii_lowercase}
    changed |= {left + letter + right for left, right in splits for letter in ascii_lowercase}
    return {first + other for other in changed if other != rest}


def _alike(typed: str, vocabulary: Mapping[str, int], allowed: int) -> Iterable[tuple[str, int]]:
    """Yield words that may be near: of similar length, with the same first letter or the first two swapped."""
    first = set(typed[:2])
    for known, count in vocabulary.items():
        if abs(len(known) - len(typed)) <= allowed and known[:1] in first and known.isalpha():
            yield known, count


def _replacement_cost(typed: str, meant: str) -> int:
    """Return 0 for the same letter, 1 for a typing slip, 2 for others: "logic" is not a slip for "login"."""
    if typed == meant:
        return 0
    is_slip = meant in _NEIGHBOURS.get(typed, "") or (typed in _VOWELS and meant in _VOWELS)
    return 1 if is_slip else 2


_VOWELS = frozenset("aeiou")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# Adjacent keys; y and z are swapped on German keyboards.
_NEIGHBOURS = {
    key: "".join(
        other
        for number, line in enumerate(_ROWS)
        for place, other in enumerate(line)
        if other != key and abs(number - row) <= 1 and abs(place - column) <= 1
    )
    + {"y": "z", "z": "y"}.get(key, "")
    for row, keys in enumerate(_ROWS)
    for column, key in enumerate(keys)
}


def edit_distance(a: str, b: str, most: int) -> int:
    """Return the number of insertions, deletions, replacements and swaps between two words; `most` + 1 for more.

    A replacement that is not a typing slip counts twice.
    """
    before, row = list(range(len(b) + 1)), list(range(len(b) + 1))
    older: list[int] = []
    for i, x in enumerate(a, start=1):
        older, before = before, row
        row = [i]
        for j, y in enumerate(b, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + _replacement_cost(x, y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


# Words taken for others that sound alike: only the library tells which is meant.
CONFUSED = {
    "latter": "later",
    "loose": "lose",
    "affect": "effect",
    "effect": "affect",
    "lightening": "lightning",
    "stationery": "stationary",
    "planing": "planning",
}


# --- function words ----------------------------------------------------------------------------------

# Slips that are no words, so they are corrected wherever they stand.
_SLIPS = {
    slip: word
    for word, slips in {
        "what": "waht whta hwat wath whaat wht",
        "which": "wich whcih whihc wihch whish whitch",
        "when": "whne wehn",
        "where": "wher whre wehre wheer",
        "why": "wyh hwy",
        "how": "hwo hoow",
        "who": "woh",
        "can": "cna",
        "could": "coud cuold coudl",
        "should": "shoud shuold shoudl sholud",
        "would": "woud wuold woudl",
        "does": "deos doess",
        "the": "teh hte",
        "and": "adn",
        "between": "beetween betwen bewteen",
        "because": "becuase becasue",
        "don't": "dont",
        "doesn't": "doesnt dosent dosnt doesent doens't dosen't dosn't doesen't",
        "didn't": "didnt",
        "isn't": "isnt",
        "aren't": "arent",
        "wasn't": "wasnt",
        "can't": "cant",
        "couldn't": "couldnt",
        "shouldn't": "shouldnt",
        "won't": "wont",
        "hasn't": "hasnt",
        "haven't": "havent",
    }.items()
    for slip in slips.split()
}
_SLIP = re.compile(rf"(?<![\w.-])(?:{'|'.join(_SLIPS)})(?![\w-])".replace("'", "['’]"), re.IGNORECASE)
# "Whats the difference?": the apostrophe is left out.
_CONTRACTED = re.compile(r"^(\W*(?:what|how|where|who|when|that|why))(s)\b", re.IGNORECASE)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|should|would|will|may|must|has|have|had)\b"
# Slips that are words of their own, with the place in which they are none.
_SLIPS_IN_PLACE = tuple(
    (re.compile(pattern, re.IGNORECASE), word)
    for pattern, word in (
        (rf"^(\W*)wat(?=(?:['’]?s\b| +{_AUXILIARY}))", r"\1what"),
        (rf"^(\W*)wen(?= +{_AUXILIARY})", r"\1when"),
        (rf"^(\W*(?:why|how|what|when|where|who) +)(?:dose|doe|dos)(?= +(?!of\b|{_AUXILIARY})\w)", r"\1does"),
        # After the noun that is asked about: "Which frames dose it support?", but "Which starting dose is safe?"
        (
            rf"^(\W*(?:what|which|how many) +(?:[\w-]+ +){{0,3}}?[\w-]*[^\Ws]s +)dose(?= +(?!of\b|{_AUXILIARY})\w)",
            r"\1does",
        ),
        (r"^(\W*(?:why|how|what|when|where|who) +)si(?= )", r"\1is"),
    )
)


def correct_function_words(question: str) -> str:
    """Correct slips in question words and auxiliaries, by which the form of a question is known.

    >>> correct_function_words("waht dose it cost")
    'what does it cost'
    >>> correct_function_words("what dose of aspirin is safe")
    'what dose of aspirin is safe'
    """
    text = _SLIP.sub(_replace_slip, question)
    text = _CONTRACTED.sub(r"\1'\2", text)
    for pattern, word in _SLIPS_IN_PLACE:
        text = pattern.sub(word, text)
    return text


def _replace_slip(found: re.Match[str]) -> str:
    typed = found.group()
    if typed.isupper():  # an acronym
        return typed
    word = _SLIPS[typed.lower().replace("’", "'")]
    return word.capitalize() if typed[0].isupper() else word
