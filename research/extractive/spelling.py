"""Words of a question that the library does not know, spelled as it knows them: Damerau–Levenshtein distance, as most
spelling checkers use it (Damerau, Communications of the ACM, 1964).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SHORTEST = 4  # letters; shorter words are too like too many others
SHORTEST_STEM = 6  # letters; "stuf", the stem of "stuffing", is near to "stuff" without being misspelled
LONG = 8  # letters from which on two letters may be wrong


def correct(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """Return the word of the vocabulary that is meant: the nearest, then the most frequent. None where none is near.

    `vocabulary` gives for a word how many passages hold it.

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
    """Return the stem of the vocabulary that is meant by the stem of a misspelled word; None where none is near."""
    return correct(stem, vocabulary) if len(stem) >= SHORTEST_STEM else None


def _alike(typed: str, vocabulary: Mapping[str, int], allowed: int) -> Iterable[tuple[str, int]]:
    """Those that could be near: of about the same length, with the same first letter or the first two swapped."""
    first = set(typed[:2])
    for known, count in vocabulary.items():
        if abs(len(known) - len(typed)) <= allowed and known[:1] in first and known.isalpha():
            yield known, count


def _replacement_cost(typed: str, meant: str) -> int:
    """Return 0 for the same letter, 1 for a slip of the finger, 2 for others: "logic" is no slip for "login"."""
    if typed == meant:
        return 0
    is_slip = meant in _NEIGHBOURS.get(typed, "") or (typed in _VOWELS and meant in _VOWELS)
    return 1 if is_slip else 2


_VOWELS = frozenset("aeiou")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# Keys beside each other, and those above and below; y and z change places on German keyboards.
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
    """Return the insertions, deletions, replacements and swaps of neighbours between two words; `most` + 1 for more.

    A replacement that is no slip of the finger counts twice.
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
