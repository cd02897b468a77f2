"""Comparison of an item's name with titles, headings and the cells of tables."""

import re
from functools import lru_cache

from citations.entities.entity_names import name_key
from citations.text.words_and_stems import STOPWORDS

# What titles say beside the name of what their page is about: "Acme: company profile", "About Acme", "Acme - Wiki".
_GENERIC = frozenset(
    "about profile company overview facts fact sheet page home homepage official website site documentation docs doc "
    "welcome wiki wikipedia encyclopedia encyclopaedia information info package project country city article report "
    "summary details data factsheet key figures product software library readme introduction entry".split()
)
_PARTS = re.compile(r"\s+[|–—·»-]+\s+|:\s+|\s*[(\[][^)\]]*[)\]]\s*|\s*[|»·]\s*")


def names_item(item: str, title: str) -> bool:
    """True when a title or heading is the item's name, perhaps with words that say what kind of page it is."""
    key = item_key(item)
    whole = [title, *(part for part in _PARTS.split(title) if part and part.strip())]
    return any(item_key(part) == key for part in whole) or any(
        _is_name_with_generic(key, part) for part in whole
    )


def _is_name_with_generic(key: str, title: str) -> bool:
    words = item_key(title).split()
    wanted = key.split()
    for start in range(len(words) - len(wanted) + 1):
        if words[start : start + len(wanted)] == wanted:
            rest = words[:start] + words[start + len(wanted) :]
            return bool(rest) and all(word in _GENERIC or word in STOPWORDS for word in rest)
    return False


@lru_cache(maxsize=16_384)
def item_key(name: str) -> str:
    """A name's normal form: case, accents, articles, titles and legal forms aside."""
    return name_key(" ".join(name.split()))
