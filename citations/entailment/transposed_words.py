"""Finds claims that exchange two words of a sentence: "The dog bit the man" and "The man bit the dog"."""

from collections.abc import Sequence

from citations.text.claim_words_and_stems import Word, stem, words

# Between words that these join, the order says nothing.
_SYMMETRIC = frozenset(
    map(
        stem,
        """and or nor versus vs plus with between both either neither equals equal marry married meet met resemble
        border compete competes agree agrees differ differs same similar""".split(),
    )
)
_ARTICLES = frozenset({"the", "a", "an"})


def find_transposed_words(claim: str, said: str) -> tuple[Word, Word] | None:
    """Return a word of the claim and the word of the sentence in its place, if only two words have changed places.

    All other words, small ones as well, must be the same in the same order.
    """
    mine, theirs = words(claim), words(said)
    for start in range(len(theirs) - len(mine) + 1):
        part = theirs[start : start + len(mine)]
        changed = [place for place, (a, b) in enumerate(zip(mine, part, strict=True)) if a.stem != b.stem]
        if len(changed) == 2 and _are_exchanged(mine, part, *changed):
            return mine[changed[0]], part[changed[0]]
    return None


def _are_exchanged(mine: Sequence[Word], theirs: Sequence[Word], first: int, last: int) -> bool:
    """Return True if the two words have exchanged their roles.

    Neighbours ("8 April", "April 8") and places or times after one preposition ("in Brest … in spring") have none.
    """
    if mine[first].stem != theirs[last].stem or mine[last].stem != theirs[first].stem or last - first < 2:
        return False
    if not all(word.is_content and word.text.isalpha() for word in (mine[first], mine[last])):
        return False
    if {word.stem for word in mine[first + 1 : last]} & _SYMMETRIC:
        return False
    before = [mine[place - 1].text.casefold() if place else "" for place in (first, last)]
    return before[0] != before[1] or before[0] in _ARTICLES
