"""The form of a question decides the shape of its answer: a fact, a timeline, a comparison, positions, steps, a list.

The rules cover only the wording of English questions, not subjects. German questions are rendered in English before
(`question_translation.to_english`).
"""

from __future__ import annotations

import re
from enum import StrEnum


class AnswerForm(StrEnum):
    FACT = "fact"
    CHANGE = "change"
    COMPARISON = "comparison"
    POSITIONS = "positions"
    STEPS = "steps"
    LIST = "list"
    SOURCE = "source"  # the statements of one source
    DEFINITION = "definition"
    MECHANISM = "mechanism"
    TOPIC = "topic"  # keywords only


_SPAN_OF_TIME = (
    r"(?:over (?:the )?(?:years|time|decades|last|past)|in the (?:last|past) \S+ (?:years?|months|decades?)"
    r"|since (?:\w+ )?(?:19|20)\d\d|(?:from|between) (?:19|20)\d\d (?:to|and) (?:19|20)\d\d|history of|timeline)"
)
_BE = r"(?:is|are|was|were|'s)"

# Tried in this order.
_FORMS: tuple[tuple[AnswerForm, re.Pattern[str]], ...] = tuple(
    (form, re.compile("|".join(patterns), re.IGNORECASE))
    for form, patterns in (
        (
            AnswerForm.SOURCE,
            (
                r"^\W*what (?:do|does|did) .{2,80}? (?:say|recommend|write|state|advise|suggest|require|think"
                r"|report|mention|conclude|claim)\b",
                r"^\W*(?:according to|as per)\b",
                r"^\W*what (?:is|are|was|were) .{2,60}?(?:'s|s')? (?:position|advice|recommendation|view|stance"
                r"|guidance|opinion)s? (?:on|about|regarding)\b",
            ),
        ),
        (
            AnswerForm.POSITIONS,
            (
                r"^\W*(?:is|are) (?:it|that|this) (?:true|correct|a myth|safe|ok|okay|worth|a good idea|a bad idea"
                r"|allowed|legal|advisable)\b",
            ),
        ),
        (AnswerForm.MECHANISM, (r"^\W*why\b",)),
        (
            AnswerForm.COMPARISON,
            (
                r"\bvs\.?\b|\bversus\b|\bcompar(?:e[ds]?|ing|ison)\b|\bdiffer(?:s|ences?|ent|ing)?\b(?! (?:ways"
                r"|kinds|types|methods|options))",
                r"\b(?:better|worse|faster|slower|safer|cheaper|stronger|easier|harder|smaller|larger|more \w+"
                r"|less \w+)(?: \w+){0,3} than\b.*\?",
                r"^\W*[^?,:]{2,60} or [^?,:]{2,60}(?:[,:?]| [-–—]) (?:which|what)\b",  # "A or B: which should I use?"
                r"\bdistinguish(?:es|ed)?\b|\bdistinction between\b|\bin contrast (?:to|with)\b",
                r"\b(?:pros and cons|advantages and disadvantages|trade-?offs?)\b.*\b(?:and|or|vs"
                r"|versus)\b (?!cons|disadv)",
            ),
        ),
        (
            AnswerForm.STEPS,
            (
                r"^\W*how (?:do|can|should|could|would|might) (?:i|we|you|one|they|people|users|developers"
                r"|administrators|\w+s)\b",
                r"^\W*how to\b|\bsteps? (?:to|for)\b|^\W*(?:guide|instructions|tutorial)\b|\bhow (?:is"
                r"|are) .* (?:set up|installed|configured|built|made)\b",
                r"^\W*what (?:do|should|must) (?:i|we|you|one) (?:need to )?do\b|^\W*(?:set(?:ting)? up"
                r"|install(?:ing)?|configur(?:e|ing)|migrat(?:e|ing)) \w+",
            ),
        ),
        (
            AnswerForm.CHANGE,
            (
                r"\bhow (?:has|have|had|did|do|does)\b.*\b(?:chang|evolv|develop|shift|grow|grew|fall|fell|rise"
                r"|rose|mov)\w*",
                r"\bwhat(?:'s| is| has| have| was| were)? (?:\w+ ){0,3}?(?:changed|new|different|added|removed"
                r"|deprecated)\b",
                r"^\W*what (?:has |had )?(?:happened to|bec(?:a|o)me of)\b",
                r"^\W*what (?:did|has|have|had) (?:[\w.+/-]+ ){1,4}?(?:throw(?:n)? (?:out|away)|drop(?:ped)?"
                r"|removed?|add(?:ed)?|deprecated?|introduced?|gain(?:ed)?|lose|lost|g[oe]t rid of|ditch(?:ed)?"
                r"|scrap(?:ped)?|discard(?:ed)?|retired?|renamed?|fix(?:ed)?)\b",
                r"\bwhat (?:\w+ ){0,3}?changes?\b(?! (?:is|are|do|does|can|should|must|will|to \w+)\b)",
                r"\bchanges? (?:in|to|of|between|since)\b|\bchangelog\b|\bwhat'?s new\b"
                r"|\bdevelopment of\b",
                r"\bwhen (?:did|was|were|has|have) .*\b(?:chang|rais|increas|lower|decreas|reduc|drop"
                r"|cut)\w*\b.*\b(?:to what|from what|how (?:much|far))\b",
                rf"^\W*how\b.*{_SPAN_OF_TIME}",
            ),
        ),
        (
            AnswerForm.POSITIONS,
            (
                rf"^\W*what(?:'s| {_BE}) (?:so )?(?:(?:wrong|bad|good)|the (?:problem|issue|danger)s?)"
                r" (?:with|about|of)\b",
                r"^\W*(?:should|shall|ought|may|must|can|could|would|is|are|was|were|does|do|did|has|have|will)\b",
                r"\bis it (?:true|safe|ok|okay|worth|possible|necessary|a good idea|allowed|legal|required)\b"
                r"|\bor not\b|\bworth it\b",
                r"^\W*(?:which|what)\b.*\b(?:best|better|should|recommend\w*|prefer\w*|avoid|choose|use in"
                r"|suitable|safest|right)\b",
                r"\b(?:pros and cons|advantages|disadvantages|benefits|drawbacks|risks?|arguments? (?:for"
                r"|against))\b",
                r"\b(?:safe|secure|sensible|recommended|good|okay|ok)\b(?: \w+){0,2}\?$",
            ),
        ),
        (
            AnswerForm.FACT,
            (
                r"^\W*(?:what|which) (?:\w+ ){0,2}?(?:number|amount|value|percentage|share) of\b",
                rf"^\W*what {_BE} (?:(?! and ).)+ (?:called|named)\W*$",
            ),
        ),
        (
            AnswerForm.LIST,
            (
                r"^\W*(?:please )?(?:list|name|enumerate|give me (?:a |the |all )?(?:list|names)?)\b",
                r"\b(?:what|which) are (?:all )?(?:the|some|possible)\b|\ball (?:the "
                r"|of the )?\w+(?: \w+)? (?:that|which|types|kinds)\b",
                r"^\W*(?:which|what) (?:other )?(?:\w+ ){0,3}?\w*(?:s|people|men|women|children)\b (?:are|were"
                r"|do|does|did|have|has|can|support|offer|use|require|exist|contain|ship|come|provide|include"
                r"|belong|need|must|apply|fall|help|work)\b",
                r"\bwhat (?:kinds?|types?|sorts?|options|features|methods|ways)\b",
            ),
        ),
        (
            AnswerForm.MECHANISM,
            (r"^\W*how (?:do|does|did|is|are|can)\b", r"^\W*explain\b", r"\bhow .* works?\b"),
        ),
        (
            AnswerForm.FACT,
            (
                r"^\W*(?:who|whom|whose|when|where|since when|until when)\b",
                r"\bhow (?:many|much|long|often|old|large|big|high|fast|far|deep|wide|short|small|soon|heavy"
                r"|tall|strong|likely)\b",
                r"^\W*(?:what|which) (?:\w+ ){0,2}?(?:year|date|version|percentage|share|number|size|length"
                r"|price|cost|limit|amount|value|rate|temperature|age|name|author|publisher|release)\b",
                r"\b(?:minimum|maximum|default|average)\b",
                r"^\W*(?:in which|at what|by how much|after how|up to|from which|on which|to what)\b",
            ),
        ),
        (
            AnswerForm.DEFINITION,
            (
                rf"^\W*what(?: exactly)? {_BE} (?:an? |the )?[^?]{{1,60}}\??$|^\W*what's\b",
                r"\bwhat (?:do|does|did) .* mean\b|\bmeaning of\b|^\W*defin(?:e|ition)\b|\bstands? for\b"
                r"|^\W*who is\b",
            ),
        ),
    )
)  # fmt: skip
_ASKS = re.compile(
    r"\?\s*$|^\W*(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|should"
    r"|shall|must|may"
    r"|will|would|has|have|had|list|name|compare|explain|describe|tell|give|show|define|in which|at what"
    r"|since when|according)\b",
    re.IGNORECASE,
)
# Keywords rarely show the form of a question; these words do.
_KEYWORD_FORMS: tuple[tuple[AnswerForm, re.Pattern[str]], ...] = (
    (
        AnswerForm.COMPARISON,
        re.compile(r"\b(?:vs\.?|versus|difference|compared?|comparison)\b", re.IGNORECASE),
    ),
    (
        AnswerForm.STEPS,
        re.compile(r"\b(?:how to|set ?up|install|configure|tutorial|guide|steps)\b", re.IGNORECASE),
    ),
    (
        AnswerForm.CHANGE,
        re.compile(rf"\b(?:changes|changed|changelog|new in|{_SPAN_OF_TIME})\b", re.IGNORECASE),
    ),
    (
        AnswerForm.POSITIONS,
        re.compile(
            r"\b(?:best|recommended|pros|cons|or not|worth|should|yes or no)\b|\b(?:un)?(?:safe|secure)(?= or\b|\W*$)",
            re.IGNORECASE,
        ),
    ),
    (AnswerForm.LIST, re.compile(r"\b(?:list|types|kinds|examples|options|features)\b", re.IGNORECASE)),
    (AnswerForm.DEFINITION, re.compile(r"\b(?:definition|meaning|define)\b", re.IGNORECASE)),
)


def detect_form(question: str) -> AnswerForm:
    """Return the form that the wording asks for; TOPIC for keywords that name none.

    >>> detect_form("When was pgvector 0.5.0 released?").value
    'fact'
    >>> detect_form("argon2 vs bcrypt").value
    'comparison'
    >>> detect_form("session id entropy").value
    'topic'
    """
    text = question.strip()
    if not _ASKS.search(text):
        return next((form for form, pattern in _KEYWORD_FORMS if pattern.search(text)), AnswerForm.TOPIC)
    return next((form for form, pattern in _FORMS if pattern.search(text)), AnswerForm.FACT)
