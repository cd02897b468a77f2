"""Mentions of an item in a text."""

import re

from citations.text.normalizing import normalize


def names(text: str, item: str) -> bool:
    r"""Return True if the item stands in the text as whole words, regardless of case and typography.

    >>> names("Geography of Niger", "niger"), names("Geography of Nigeria", "Niger")
    (True, False)
    """
    return bool(re.search(rf"(?<!\w){re.escape(normalize(item))}(?!\w)", normalize(text)))


def longest_word(text: str) -> str:
    return max(re.findall(r"\w+", text), key=len, default=text)
