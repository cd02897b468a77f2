"""Classify a claim by its words: its category, and whether it is actionable. Deterministic. Pure."""

import re
from collections.abc import Mapping

from research.pipelines.brief.stored_brief import Category

_WORDS: Mapping[Category, re.Pattern[str]] = {
    "visual": re.compile(
        r"\b(?:colou?rs?|palettes?|light(?:ing)?|shadows?|contrast|compositions?|backgrounds?|foregrounds?|textures?"
        r"|camera|lens|focus|blur|photo(?:graph)?s?|images?|pictures?|illustrations?|typefaces?|fonts?|layouts?"
        r"|silhouettes?|framing|bright|dark|saturat\w+|visual\w*|render\w*)\b",
        re.IGNORECASE,
    ),
    "tonal": re.compile(
        r"\b(?:tone|voice|mood|formal|informal|friendly|playful|serious|ironic|humou?r\w*|warm|neutral|emotion\w*"
        r"|feel(?:ing|s)?|atmosphere|style of (?:speech|writing)|wording)\b",
        re.IGNORECASE,
    ),
    "strategic": re.compile(
        r"\b(?:should|recommend\w*|advis\w+|guidance|strateg\w+|plans?|goals?|audiences?|markets?|compet\w+|prefer\w*"
        r"|priorit\w+|invest\w*|policy|policies|adopt\w*|avoid\w*)\b",
        re.IGNORECASE,
    ),
}
# Tells someone to do or avoid something, or sets a bound.
_ADVISES = re.compile(
    r"\b(?:should|must|shall|ought to|needs? to|ha(?:s|ve) to|recommend\w*|advis\w+ (?:against|that|to|you"
    r"|people)|avoid\w*"
    r"|prohibit\w*|forbid\w*|do not|don['’]t|never|ensure|make sure|at least|at most|no more than|no fewer than"
    r"|sollten?|muss|müssen|dürfen nicht|darf nicht|mindestens|höchstens|empf(?:iehlt|ehlen)\w*|vermeiden)\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^(?:use|set|choose|keep|add|remove|replace|show|include|limit|prefer|favou?r|check|verify|ask|start|stop"
    r"|reduce|increase"
    r"|restrict|switch|write|place|put|make|pick|test|plan|give|offer|allow|require|include|leave|drop|move|turn)\s",
    re.IGNORECASE,
)
# People's preferences in what they see and hear, which an image or a text can follow.
_PREFERS = re.compile(
    r"\b(?:prefer\w*|respond\w* (?:better )?to|appeal\w* to|trust\w*|distrust\w*|more (?:inviting|honest"
    r"|trustworthy|appealing|authentic)"
    r"|raise[ds]? (?:clicks?|sales|conversion|trust|interest)|sells? better|lowers? (?:trust|clicks?|sales)"
    r"|perform\w* (?:better|worse)"
    r"|rated)\b",
    re.IGNORECASE,
)
# Statements about the past do not call for action.
_HAPPENED = re.compile(
    r"\b(?:should|must) have been\b|\bha(?:s|ve|d) (?:raised|increased|dropped|required)\b", re.IGNORECASE
)


def category_of(text: str) -> Category:
    """Return the first category with a word in the text: visual, tonal or strategic; else factual.

    >>> category_of("Verifiers SHOULD NOT require periodic changes.")
    'strategic'
    """
    return next((category for category, words in _WORDS.items() if words.search(text)), "factual")


def is_actionable(text: str) -> bool:
    """Return True if the text says what to do or avoid, sets a bound, or says what people prefer to see or hear.

    >>> is_actionable("Passwords must have at least 15 characters."), is_actionable("The default rose to 1,000,000.")
    (True, False)
    """
    if _HAPPENED.search(text):
        return False
    if _ADVISES.search(text) or _ORDERS.match(text):
        return True
    return category_of(text) in ("visual", "tonal") and bool(_PREFERS.search(text))
