"""Comparison of an item's name with titles, headings and the cells of tables."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from citations.entities.entity_names import name_key
from citations.text.claim_words_and_stems import STOPWORDS

# What titles say beside the name of what their page is about: "Acme: company profile", "About Acme", "Acme - Wiki".
_GENERIC = frozenset(
    "about profile company overview facts fact sheet page home homepage official website site documentation docs doc "
    "welcome wiki wikipedia encyclopedia encyclopaedia information info package project country city article report "
    "summary details data factsheet key figures product software library readme introduction entry".split()
)
_MAX_GENERIC = 8  # words at an end of a title
_PARTS = re.compile(r"\s+[|–—·»-]+\s+|:\s+|\s*[(\[][^)\]]*[)\]]\s*|\s*[|»·]\s*")


def names_item(item: str, title: str) -> bool:
    """True when a title or heading is the item's name, perhaps with words that say what kind of page it is."""
    return item_key(item) in name_keys(title)


@lru_cache(maxsize=4_096)
def name_keys(title: str) -> frozenset[str]:
    """Return the keys of all names that a title, a heading or a cell may stand for: with and without generic words.

    >>> sorted(name_keys("Acme: a profile"))
    ['acme', 'acme a', 'acme a profile', 'profile']
    """
    parts = [title, *(part for part in _PARTS.split(title) if part and part.strip())]
    return frozenset(key for part in parts for key in _keys_of_part(item_key(part).split()))


def _keys_of_part(words: Sequence[str]) -> Iterator[str]:
    """Yield the words joined, and without some of the generic ones at their ends."""
    before = sum(1 for _ in takewhile(_is_generic, words[:_MAX_GENERIC]))
    after = sum(1 for _ in takewhile(_is_generic, reversed(words[-_MAX_GENERIC:])))
    for start in range(before + 1):
        for end in range(max(start + 1, len(words) - after), len(words) + 1):
            yield " ".join(words[start:end])


def _is_generic(word: str) -> bool:
    return word in _GENERIC or word in STOPWORDS


@lru_cache(maxsize=16_384)
def item_key(name: str) -> str:
    """A name's normal form: case, accents, articles, titles and legal forms aside."""
    return name_key(" ".join(name.split()))
