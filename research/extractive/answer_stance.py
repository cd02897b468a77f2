"""Detect the position of a sentence on a question: for, against, or under conditions. Pure; English only."""

from __future__ import annotations

import re
from enum import StrEnum

from research.extractive.question.parsed_question import ParsedQuestion


class Stance(StrEnum):
    FOR = "for"
    AGAINST = "against"
    DEPENDS = "depends"


STANCE_HEADINGS = {Stance.FOR: "In favour", Stance.AGAINST: "Against", Stance.DEPENDS: "It depends"}

_AGAINST = re.compile(
    r"\b(?:(?:should|shall|must|may|can|could|does|do|did|is|are|was|were|will|would|need) ?not|cannot|can['’]t"
    r"|don['’]t|doesn['’]t|isn['’]t|aren['’]t|shouldn['’]t|never|no longer"
    r"|avoid(?:s|ed)?|discourag\w+|deprecated|prohibit\w*|forbid\w*|forbidden|not (?:recommended|acceptable"
    r"|permitted|allowed|considered|sufficient|necessary|safe|secure|needed)"
    r"|insecure|unsafe|weak(?:ness\w*)?|vulnerab\w+|ineffective|useless|broken|withdrawn|obsolete|outdated"
    r"|only in legacy|easily (?:guess|obtain|defeat|bypass|break)\w*"
    r"|drawback\w*|disadvantage\w*|little (?:benefit|value|use)|myth|harmful|counterproductive|rather than"
    r"|instead of|against)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|except|only (?:if|when|where|for|as|in)|provided that|as long as|depend(?:s|ing) on"
    r"|in (?:some|most|certain|many) (?:cases|situations|circumstances)|where (?:available|possible|appropriate)"
    r"|when (?:combined|used|properly)|in combination|in addition to|however|although|but|may be|legacy)\b",
    re.IGNORECASE,
)
_ASKED_AGAINST = re.compile(
    r"\b(?:avoid|stop|bad|wrong|dangerous|unsafe|insecure|outdated|obsolete|deprecated|forbidden|not|never"
    r"|without|replace)\b",
    re.IGNORECASE,
)


def stance_of(question: ParsedQuestion, text: str) -> Stance:
    """Return the position of a sentence by its negations and conditions; reversed if the question is what to avoid."""
    is_against = bool(_AGAINST.search(text))
    if _CONDITION.search(text) and not re.match(r"^(?:do not|never|avoid)\b", text, re.IGNORECASE):
        return Stance.DEPENDS
    if _ASKED_AGAINST.search(question.text):
        is_against = not is_against
    return Stance.AGAINST if is_against else Stance.FOR
