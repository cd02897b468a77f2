"""Cut texts to a budget of characters."""

import re

_END = re.compile(r"[.!?…][\"”’»)\]]*(?=\s|$)")


def cut_at_sentence(text: str, budget: int) -> str:
    """Return the whole sentences that fit; if not even the first does, its words that fit, followed by “…”.

    >>> cut_at_sentence("One. Two is longer.", 10)
    'One.'
    """
    text = text.strip()
    if len(text) <= budget:
        return text
    ends = [found.end() for found in _END.finditer(text) if found.end() <= budget]
    if ends:
        return text[: ends[-1]]
    words = text[: max(0, budget - 1)]
    return (words.rpartition(" ")[0] or words).rstrip(" ,;:") + "…"
