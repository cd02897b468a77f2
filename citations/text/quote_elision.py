"""Quotes with an ellipsis: their parts, and whether the omitted text inverts the sense."""

import re

from citations.text.claim_polarity import negations
from citations.text.quote_normalizing import normalize

_DOTS = r"(?:…|\.{3,}|\.(?:\s\.){2,})"
_ELLIPSIS = re.compile(rf"\s*(?:\[\s*{_DOTS}\s*\]|\(\s*{_DOTS}\s*\)|{_DOTS})\s*")
_QUOTATION_MARKS = "\"'“”‘’«»„` \t\r\n"
MIN_OF_A_PART = 4  # letters and digits: "is" or "the" occurs everywhere

# Exceptions, conditions and German or French negations, in the normal form of a text ("außer" is "ausser" there). A
# quote that omits them claims more than its source.
_TURNING = re.compile(
    r"\b(?:except\w*|exclud\w+|unless|only|if|provid(?:ed|ing)|subject to|(?:as|so) long as|until|all but|but for|"
    r"apart from|other than|save for|contrary to|"
    r"nicht|nichts|nie|niemals|kein\w*|ohne|ausser|ausgenommen|ausnahme\w*|nur|weder|kaum|bis auf|es sei denn|"
    r"sofern|soweit|falls|wenn|solange|unzulässig|verboten|untersagt|"
    r"pas|jamais|aucune?|sans|sauf|uniquement|seulement|non|senza|tranne|salvo)\b"
)


def split_elided(quote: str) -> tuple[str, ...]:
    """Return the normal forms of the text between a quote's ellipses, in order; a single one if there is none."""
    forms = (normalize(part.strip(_QUOTATION_MARKS)) for part in _ELLIPSIS.split(quote))
    return tuple(form for form in forms if any(map(str.isalnum, form)))


def count_ellipses(text: str) -> int:
    """Count the ellipses in a text, in or without brackets."""
    return sum(1 for _ in _ELLIPSIS.finditer(text))


def turns_sense(left_out: str) -> bool:
    """True if words in their normal form negate, except or condition: a quote without them says something else."""
    return bool(negations(left_out)) or _TURNING.search(left_out) is not None
