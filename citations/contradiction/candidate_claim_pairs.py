"""Selects the pairs of claims worth comparing, without considering all pairs.

Claims are paired if they share two of their rarer words, or are nearest neighbours by embedding. A pair of words that
very many claims share is ignored; so the work grows about linearly with the number of claims.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

Neighbours = Mapping[str, Sequence[tuple[str, float]]]  # claim id → (other id, cosine), nearest first
Stems = Mapping[str, frozenset[str]]  # claim id → its content words (wording.content_stems)

_KEY_WORDS = 5  # rarest words of a claim that make up its keys: 10 pairs
_MAX_BLOCK = 40  # claims under one key; more share a commonplace
_MAX_PARTNERS = 30  # claims with which one claim is compared because of its words


def candidate_pairs(stems: Stems, neighbours: Neighbours) -> Iterator[tuple[str, str, float | None]]:
    """Yield pairs of ids (in the mapping's order, each once) with their cosine, None if it was not given."""
    order = {name: place for place, name in enumerate(stems)}
    pairs: dict[tuple[str, str], float | None] = dict.fromkeys(_closest(_blocks(stems)))
    for name, others in neighbours.items():
        for other, cosine in others:
            if name in order and other in order and name != other:
                first, second = sorted((name, other), key=order.__getitem__)
                pairs[first, second] = cosine
    for first, second in sorted(pairs, key=lambda pair: (order[pair[0]], order[pair[1]])):
        yield first, second, pairs[first, second]


def pairs_across(
    mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Yield the positions of claims of two reports that share two of their rarer words, each pair once."""
    named = {f"a{place}": stems for place, stems in enumerate(mine)}
    named |= {f"b{place}": stems for place, stems in enumerate(theirs)}
    pairs: dict[tuple[int, int], None] = {}
    for block in _blocks(named):
        first, second = ([int(name[1:]) for name in block if name[0] == side] for side in "ab")
        pairs |= dict.fromkeys(product(first, second))
    yield from pairs


def _closest(blocks: Iterable[list[str]]) -> list[tuple[str, str]]:
    """Return pairs that share a block, those that share most first, until a claim has enough partners."""
    shared = Counter(pair for block in blocks for pair in combinations(block, 2))
    partners: Counter[str] = Counter()
    kept = []
    for pair, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if max(partners[pair[0]], partners[pair[1]]) < _MAX_PARTNERS:
            partners.update(pair)
            kept.append(pair)
    return kept


def _blocks(stems: Stems) -> Iterator[list[str]]:
    frequency = Counter(stem for each in stems.values() for stem in each)
    blocks: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name, each in stems.items():
        rare = sorted(each, key=lambda stem: (frequency[stem], stem))
        shared = [stem for stem in rare if frequency[stem] > 1][:_KEY_WORDS]
        for key in combinations(sorted(shared), 2):
            blocks[key].append(name)
    return (block for block in blocks.values() if 1 < len(block) <= _MAX_BLOCK)
