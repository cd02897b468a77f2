"""The answers of a sentence to a few questions that can be answered in many different words.

"Raises an error" and "is ignored" share no word and are not opposites in a dictionary; both say what happens to bad
input. Two answers to a question may exclude each other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from citations.text.quote_span import Span


class StanceQuestion(StrEnum):
    RESPONSE = "response"  # what happens to invalid input
    PRESENCE = "presence"  # whether something is still there
    SWITCH = "switch"  # on or off
    DUTY = "duty"  # what is required, allowed, unnecessary or forbidden
    EFFECT = "effect"  # whether something changes anything


@dataclass(frozen=True, slots=True)
class StatementStance:
    """An answer, with the words that give it."""

    question: StanceQuestion
    answer: str
    span: Span
    text: str


_ERROR = r"(?:\S+\s+){0,2}\S*(?:error|exception|warning)s?(?: messages?)?"
_AS_ERROR = r"(?:with|as|into) " + _ERROR
_ANSWERS: dict[StanceQuestion, dict[str, str]] = {
    StanceQuestion.RESPONSE: {
        "reject": r"(?:rais|throw|thrown|threw|caus|return|produc|trigger|"
        rf"giv|lead|result)\w*\s+(?:to\s+|in\s+)?{_ERROR}"
        rf"|reject\w*(?: {_AS_ERROR})?|refus\w*|abort\w*(?: {_AS_ERROR})?|crash\w*",
        "ignore": r"ignor\w+|skip(?:s|ped|ping)?|disregard\w*|silently (?:drop|discard|remov)\w*",
        "truncate": r"(?:silently )?truncat\w+|cut(?:s|ting)? (?:off|down)",
    },
    StanceQuestion.PRESENCE: {
        "gone": r"(?:was|were|been|is|are|got) (?:\w+ )?(?:removed|deleted|"
        r"dropped|discontinued|abolished|withdrawn|scrapped)"
        r"|no longer (?:has|have|contains?|includes?|supports?|exists?|offers?|(?:is |are )?available)",
        "there": r"still (?:has|have|contains?|includes?|supports?|exists?|offers?|there|(?:is |are )?available)"
        r"|(?:remains?|continues? to be) (?:available|supported|in (?:force|use|place)|part of)|retain(?:s|ed)?",
    },
    StanceQuestion.SWITCH: {
        "on": r"enabled|activated|(?:turned|switched) on|(?:is|are|be) on|on by default",
        "off": r"disabled|deactivated|(?:turned|switched) off|(?:is|are|be) off|off by default"
        r"|not (?:enabled|activated|(?:turned|switched) on)|no (?:\w+ ){1,2}?(?:is|"
        r"are) (?:enabled|activated|(?:turned |switched )?on)",
    },
    StanceQuestion.DUTY: {
        "banned": r"(?:must|shall|should|ought to|may|can)(?: not|n['’]t| never)|cannot"
        r"|not (?:\w+ )?(?:allowed|permitted|admitted|legal)|forbidden|prohibited|banned|disallowed|illegal",
        "free": r"(?:(?:does|do|did)(?: not|n['’]t) (?:have|need) to|"
        r"need(?: not|n['’]t)|no need (?:to|for)|never (?:have|has) to)"
        r"|not (?:required|necessary|needed|mandatory|obligatory)|unnecessary|optional|no \w+ is (?:required|needed)",
        "required": r"must|shall|should|ought to|(?:has|have|had|needs?) to|"
        r"(?:is|are) (?:to be|obliged|bound)|required?s?|mandatory"
        r"|compulsory|obligatory",
        "allowed": r"allowed|permitted|may|legal",
    },
    StanceQuestion.EFFECT: {
        "none": r"(?:no|without|not (?:have )?any|little or no) (?:\w+ ){0,2}(?:effect|"
        r"influence|impact|difference|change|association)s?"
        r"|(?:does|do|did) not (?:\w+ )?(?:affect|change|influence|alter)|unaffected|unchanged",
        "some": r"(?:increas|decreas|reduc|rais|lower|improv|worsen|affect|"
        r"alter|doubl|halv)\w*|r[io]se[sn]?|f[ae]ll(?:s|en)?"
        r"|gr[eo]w[sn]?|declin\w+",
    },
}  # fmt: skip
_PATTERNS = {
    question: re.compile(
        r"\b(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in answers.items()) + r")\b",
        re.IGNORECASE,
    )
    for question, answers in _ANSWERS.items()
}
_EXCLUSIVE = frozenset(
    {
        frozenset({"reject", "ignore"}),
        frozenset({"reject", "truncate"}),
        frozenset({"gone", "there"}),
        frozenset({"on", "off"}),
        frozenset({"banned", "required"}),
        frozenset({"banned", "allowed"}),
        frozenset({"free", "required"}),
        frozenset({"none", "some"}),
    }
)


@lru_cache(maxsize=32_768)
def stances(text: str) -> tuple[StatementStance, ...]:
    """Return the first answer that a text gives to each question."""
    return tuple(_stances(text))


def _stances(text: str) -> Iterator[StatementStance]:
    for question, pattern in _PATTERNS.items():
        match = pattern.search(text)
        if match is not None and match.lastgroup is not None:
            yield StatementStance(question, match.lastgroup, Span(*match.span()), match.group())


def are_exclusive_answers(first: StatementStance, second: StatementStance) -> bool:
    """True for two answers to one question that cannot both hold."""
    return first.question is second.question and frozenset({first.answer, second.answer}) in _EXCLUSIVE
