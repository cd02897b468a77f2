"""Classifying a claim by its words alone: its kind, and whether one can act on it. Deterministic. Pure."""

import re
from collections.abc import Mapping

from research.pipelines.brief.stored import Category

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
_ACTS = re.compile(
    r"\b(?:should|must|shall|ought|need(?:s|ed)? to|ha(?:s|ve) to|require[sd]?|recommend\w*|advis\w+|avoid\w*|use|set"
    r"|choose|keep|add|remove|replace|increase[ds]?|reduce[ds]?|prohibit\w*|restrict\w*|forbid\w*|verify|ensure"
    r"|at least|at most|no more than|do not|don['’]t|never)\b",
    re.IGNORECASE,
)


def category_of(text: str) -> Category:
    """The first kind that its words name: what is seen, how it sounds, what to aim for; a fact otherwise.

    >>> category_of("Verifiers SHOULD NOT require periodic changes.")
    'strategic'
    """
    return next((category for category, words in _WORDS.items() if words.search(text)), "factual")


def is_actionable(text: str) -> bool:
    """It says what to do, or sets a bound that one can keep.

    >>> is_actionable("The default is increased to 1,000,000."), is_actionable("It was published in 2017.")
    (True, False)
    """
    return bool(_ACTS.search(text))
