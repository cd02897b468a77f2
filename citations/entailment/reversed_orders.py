"""Finds reversed orders: comparisons ("more than"), directions ("from … to") and opposite trends."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from citations.entailment.split_claim_clauses import BREAK, WordSubstitution, clause, content, stems
from citations.text.claim_polarity import are_opposites
from citations.text.claim_words_and_stems import Word, is_inflected, words
from citations.text.quote_span import Span


def find_reversed_orders(claim: str, said: str) -> Iterator[WordSubstitution]:
    """Yield words of a claim that state an order in reverse of the sentence `said`."""
    mine, theirs = words(claim), words(said)
    yield from _find_reversed_comparisons(claim, mine, said, theirs)
    yield from _find_reversed_directions(mine, theirs)
    yield from _find_swapped_opposites(mine, theirs)


_LESS = frozenset({"less", "fewer"})
_NO_COMPARATIVES = frozenset("other rather another further never over under after either whether".split())


@dataclass(frozen=True, slots=True)
class _Comparison:
    """ "The left is more than the right" with the word that says so: "more", "longer"."""

    word: Word
    left: Sequence[Word]
    right: Sequence[Word]


def _find_reversed_comparisons(
    claim: str, mine: Sequence[Word], said: str, theirs: Sequence[Word]
) -> Iterator[WordSubstitution]:
    others = list(_comparisons(said, theirs))
    if others:
        yield from _find_equated_comparisons(claim, mine, others)
    for own in _comparisons(claim, mine) if others else ():
        elsewhere = theirs if len(others) > 1 else ()
        verdicts = [(_is_turned(own, other, elsewhere), other) for other in others]
        if all(turned is not False for turned, _ in verdicts):
            yield from [WordSubstitution(own.word, other.word) for turned, other in verdicts if turned][:1]


_AS = re.compile(r"\bas (?!well|soon|far|much|many)(\w{3,}) as\b", re.IGNORECASE)


def _find_equated_comparisons(
    claim: str, mine: Sequence[Word], others: Sequence[_Comparison]
) -> Iterator[WordSubstitution]:
    """Yield "as long as" if the sentence says "longer than"."""
    for match in _AS.finditer(claim):
        other = next((each.word for each in others if each.word.text.startswith(match[1].lower()[:4])), None)
        if other is not None:
            yield from (WordSubstitution(word, other) for word in mine if word.start == match.start(1))


def is_converse(claim: str, said: str, word: Span) -> bool:
    """True for the "less" of a claim that says the same from the other side: "B has less than A"."""
    mine, theirs = words(claim), words(said)
    others = list(_comparisons(said, theirs))
    return any(
        own.word.span == word and _are_opposed(own, other) and _is_crossed(own, other)
        for own in (_comparisons(claim, mine) if others else ())
        for other in others
    )


def _comparisons(text: str, some: Sequence[Word]) -> Iterator[_Comparison]:
    """Yield the comparisons of a text; one without a left side uses that of the one before."""
    left: Sequence[Word] = ()
    for at, than in enumerate(some):
        if than.text.lower() == "than":
            before, after = clause(text, some, at, BREAK)
            word = next((each for each in reversed(before) if _is_comparative(each)), None)
            right = content(after)
            if word is not None and right and not after[0].text[0].isdecimal():
                left = [each for each in content(before) if each is not word] or left
                yield _Comparison(word, left, right)


def _is_comparative(word: Word) -> bool:
    plain = word.text.lower()
    if plain in ("more", "less", "fewer", "worse"):
        return True
    if not plain.endswith("er") or plain in _NO_COMPARATIVES:
        return False
    return (
        is_inflected(plain) or plain[-4:-3] == plain[-3:-2]
    )  # "bigger" is in no dictionary; "water" is, as it is


def _is_turned(own: _Comparison, other: _Comparison, elsewhere: Sequence[Word]) -> bool | None:
    """Return True if two comparisons say the opposite; None if they compare other things, or by another word.

    `elsewhere` are the words of a sentence with several comparisons.
    """
    is_same = own.word.stem == other.word.stem
    if not is_same and not _are_opposed(own, other):
        return None
    if _is_crossed(own, other):
        return is_same
    if stems(own.left) & stems(other.left) and stems(own.right) & stems(other.right):
        return not is_same
    # The object of comparison is elsewhere in the sentence: "deeper than A, but smaller than B".
    misses = not stems(own.right) & stems(other.right)
    return True if is_same and misses and stems(own.right) <= stems(elsewhere) else None


def _are_opposed(own: _Comparison, other: _Comparison) -> bool:
    first, second = own.word.text.lower(), other.word.text.lower()
    return (
        (first in _LESS) != (second in _LESS)
        and "more" in (first, second)
        or are_opposites(own.word.stem, other.word.stem)
    )


def _is_crossed(own: _Comparison, other: _Comparison) -> bool:
    """Return True if the sides are exchanged: the left of each comparison is the right of the other, and only that."""
    mine, theirs = _sides(own), _sides(other)
    crosses = bool(mine[0] & theirs[1]) and bool(mine[1] & theirs[0])
    return crosses and not (mine[0] & theirs[0] and mine[1] & theirs[1])


def _sides(each: _Comparison) -> tuple[frozenset[str], frozenset[str]]:
    left, right = stems(each.left), stems(each.right)
    return left - right, right - left


def _find_reversed_directions(mine: Sequence[Word], theirs: Sequence[Word]) -> Iterator[WordSubstitution]:
    """Yield "from A to B" if the sentence says "from B to A"."""
    others = list(_ways(theirs))
    for start, end in _ways(mine) if others else ():
        for begin, stop in others:
            if _is_direction_reversed(stems(start), stems(end), stems(begin), stems(stop)):
                yield WordSubstitution(start[0], begin[0])


def _is_direction_reversed(
    start: frozenset[str], end: frozenset[str], begin: frozenset[str], stop: frozenset[str]
) -> bool:
    both = start & end
    return bool((start - both) & (stop - begin)) and bool((end - both) & (begin - stop))


def _ways(some: Sequence[Word]) -> Iterator[tuple[Sequence[Word], Sequence[Word]]]:
    for at, word in enumerate(some):
        if word.text.lower() == "from":
            to = next(
                (at + 1 + far for far, each in enumerate(some[at + 1 : at + 7]) if each.text == "to"), None
            )
            start = [each for each in some[at + 1 : to] if each.is_content] if to else []
            end = [each for each in some[to + 1 : to + 4] if each.is_content] if to else []
            if start and end:
                yield start, end


def _find_swapped_opposites(mine: Sequence[Word], theirs: Sequence[Word]) -> Iterator[WordSubstitution]:
    """Yield "use rose as prices fell" if the sentence says that use fell as prices rose."""
    ours, others = _pair_with_word_before(mine), _pair_with_word_before(theirs)
    said = {(before.stem, word.stem) for before, word in others}
    claimed = {(before.stem, word.stem) for before, word in ours}
    for before, word in ours:
        for first, other in others:
            is_opposite = first.stem == before.stem and are_opposites(word.stem, other.stem)
            if is_opposite and _is_exchanged(word.stem, other.stem, claimed - said, said - claimed):
                yield WordSubstitution(word, other)


def _is_exchanged(
    mine: str, other: str, claimed: Collection[tuple[str, str]], said: Collection[tuple[str, str]]
) -> bool:
    """True if the word that goes with one of the two here goes with the other there."""
    return any(word == other and (before, mine) in said for before, word in claimed)


def _pair_with_word_before(some: Sequence[Word]) -> list[tuple[Word, Word]]:
    kept = content(some)
    return list(zip(kept, kept[1:], strict=False))
