"""Kinds of statements for the reader: finding, practice, recommendation or warning. Pure."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from research.pipelines.technical.technical_config import QuestionType


class Advice(StrEnum):
    FINDING = "finding"
    PRACTICE = "practice"
    RECOMMENDATION = "recommendation"
    WARNING = "warning"


# Stored as they are, and translated for readers (exports/stored/exported_headings.py).
HEADINGS = {
    Advice.FINDING: "Key findings",
    Advice.PRACTICE: "Best practices",
    Advice.RECOMMENDATION: "Recommendations",
    Advice.WARNING: "Warnings",
}
COMPARISON = "Comparison"
ANSWERS = 3  # statements

# A warning says what goes wrong or is missing, even if it advises as well.
_WARNING = re.compile(
    r"\b(?:warning|caution|beware|(?<!is )(?<!are )careful|danger(?:ous)?|insecure|unsafe"
    r"|vulnerab\w+|deprecated|obsolete"
    r"|not (?:be )?(?:supported|recommended|safe|guaranteed|available|designed|suitable|thread-safe)"
    r"|do(?:es)? not (?:deal|support|guarantee|work|provide|allow|offer)|no longer"
    r"|(?:must|should|shall|may|(?<!if you )do|can)(?: not|n['’]t)\b(?! (?:need|have to|require|want))|cannot"
    r"|can['’]t|(?<!if you )(?<!if they )don['’]t(?! (?:need|have to|require|want))|never(?! \w+s\b)|avoid"
    r"|limitations?|only (?:works?|supports?|available)|slows? down|much slower"
    r"|fails?\b|will (?:fail|error|break|raise)|breaking changes?|removed in|pitfall"
    r"|auf keinen fall|niemals|vorsicht|achtung\b|nicht (?:empfohlen|geeignet|sicher|unterstützt)|gefährlich"
    r"|unsicher|veraltet|darf nicht|dürfen nicht|attack(?:er|s)?\b|risk(?:s|y)?\b|los(?:e|es|ing)\b)",
    re.I,
)
# What a reader must know before acting on an answer.
_CAUTION = re.compile(
    r"^\W*(?:auf keinen fall|niemals|vorsicht|achtung|warnung|warning|caution|beware|important|be (?:careful"
    r"|aware)|please (?:note|be aware)|do not"
    r"|don['’]t|never|avoid)\b"
    r"|\b(?:inappropriate|insecure|unsafe|dangerous|not (?:be )?(?:recommended|safe|secure|encrypted)"
    r"|unencrypted|plain ?text"
    r"|leaks?|leaked|expos(?:es|ed) (?:the|your|secrets?|passwords?|tokens?)|(?:is|are|was"
    r"|were) (?:visible|readable) (?:to|with|for|by)"
    r"|stays? in the|persists? in|data loss|los(?:e|es|ing) (?:all|your|data)|throws? away"
    r"|cannot be (?:run|undone|used)"
    r"|locks? (?:the|a|your) table|blocks? (?:all )?(?:writes|reads)|no substitute for)\b",
    re.I,
)
_RECOMMENDATION = re.compile(
    r"\b(?:recommend(?:s|ed|ation|ations)?|suggest(?:s|ed)?|advis(?:e|ed|able)|prefer(?:red|able|ably)?"
    r"|good (?:place|choice|starting point|default|idea|practice)|best (?:choice|suited|option|practice)"
    r"|better (?:to|choice|option)|consider (?:us|set|increas|partition|creat|add)\w*|encouraged?"
    r"|(?:it )?is (?:best|wise|worth|sensible) to|empfehl\w*|empfohlen\w*|ratsam|bewährt|am besten|ideally"
    r"|should use|start with|rule of thumb|optimal)\b",
    re.I,
)
_PRACTICE = re.compile(
    r"\b(?:sollten?|müssen|muss\b|should|must|shall|needs? to|ha(?:s|ve) to|make sure|ensure|be sure|always"
    r"|require(?:s|d)?"
    r"|in order to|to (?:speed up|improve|increase|reduce|avoid|get|achieve|keep|use|enable))\b"
    r"|^\W*(?:use|set|add|create|increase|decrease|reduce|enable|disable|install|run|choose|keep|store|configure"
    r"|bewahren sie|verwenden sie|nutzen sie|setzen sie|legen sie|prüfen sie|call|pass|specify|limit|hash|salt"
    r"|check|verify|load|build|tune|normali[sz]e|partition|update|upgrade)\b",
    re.I,
)  # fmt: skip

# The first section for each type of question.
ORDER: Mapping[QuestionType, Sequence[Advice]] = {
    QuestionType.BEST_PRACTICES: (Advice.PRACTICE, Advice.RECOMMENDATION, Advice.WARNING, Advice.FINDING),
    QuestionType.ERROR_RESOLUTION: (Advice.FINDING, Advice.PRACTICE, Advice.WARNING, Advice.RECOMMENDATION),
}
USUAL = (Advice.FINDING, Advice.PRACTICE, Advice.RECOMMENDATION, Advice.WARNING)


def advice_of(statement: str) -> Advice:
    """Return the kind of a single statement.

    >>> advice_of("A good place to start is probes = sqrt(lists).").value
    'recommendation'
    >>> advice_of("The index cannot be built on columns with more than 2,000 dimensions.").value
    'warning'
    """
    if _WARNING.search(statement) or is_caution(statement):
        return Advice.WARNING
    if _RECOMMENDATION.search(statement):
        return Advice.RECOMMENDATION
    return Advice.PRACTICE if _PRACTICE.search(statement) else Advice.FINDING


def is_caution(statement: str) -> bool:
    """Return True for a statement that a reader must know before acting on an answer.

    >>> is_caution("Build arguments are inappropriate for secrets, because they persist in the final image.")
    True
    """
    return bool(_CAUTION.search(statement))


def classify_advice(statements: Sequence[str], kind: QuestionType) -> list[Advice]:
    """Return the kind of each statement, in order.

    The best answers are findings even if they advise, unless the question asks for advice; a caution is a warning.
    """
    found = [advice_of(statement) for statement in statements]
    if order_of(kind)[0] is not Advice.FINDING:
        return found
    best = [
        Advice.WARNING if place and is_caution(statement) else Advice.FINDING
        for place, statement in enumerate(statements[:ANSWERS])
    ]
    return best + found[ANSWERS:]


def order_of(kind: QuestionType) -> Sequence[Advice]:
    return ORDER.get(kind, USUAL)
