"""The kinds of answer that a question asks for, and a test for sentences that have an answer of a kind.

The rules cover only the wording of English questions and measures, not subjects.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class AnswerKind(StrEnum):
    PERCENTAGE = "percentage"
    MONEY = "money"
    DURATION = "duration"
    DATE = "date"
    VERSION = "version"
    RATE = "rate"
    COUNT = "count"
    LENGTH = "length"
    TEMPERATURE = "temperature"
    FREQUENCY = "frequency"
    POLARITY = "polarity"
    REASON = "reason"
    PERSON = "person"
    MAKER = "maker"  # asked by "who wrote …?": a person or body, named as the maker
    CHOICE = "choice"  # asked by "which … for …?": something recommended, chosen or set
    POSITION = "position"  # asked by a mere topic: a figure or a rule, in which sources differ
    STATEMENT = "statement"


QUANTIFIED = frozenset(
    {AnswerKind.PERCENTAGE, AnswerKind.MONEY, AnswerKind.DURATION, AnswerKind.DATE, AnswerKind.VERSION,
     AnswerKind.RATE, AnswerKind.COUNT, AnswerKind.LENGTH, AnswerKind.TEMPERATURE, AnswerKind.FREQUENCY}
)  # fmt: skip
MEASURED = frozenset({AnswerKind.DURATION, AnswerKind.LENGTH})
GIVEN_BY_RELEASE = frozenset(
    {AnswerKind.DATE, AnswerKind.VERSION}
)  # of a change: those of the release that made it

READABLE = {
    AnswerKind.PERCENTAGE: "a percentage or share",
    AnswerKind.MONEY: "an amount of money",
    AnswerKind.DURATION: "a length of time",
    AnswerKind.DATE: "a date or year",
    AnswerKind.VERSION: "a version",
    AnswerKind.RATE: "a speed or rate",
    AnswerKind.COUNT: "a number",
    AnswerKind.LENGTH: "a size or number",
    AnswerKind.TEMPERATURE: "a temperature",
    AnswerKind.FREQUENCY: "a frequency",
    AnswerKind.MAKER: "an author or maker",
}

NUMBER_WORD = (
    r"(?:one|two|three|four(?:teen)?|five|six(?:teen)?|seven(?:teen)?|eight(?:een)?|nine(?:teen)?|ten|eleven|twelve"
    r"|thirteen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:hundred|thousand|million|billion)s?|half"
    r"|twice|tens(?= of\b)|dozens?)"
)
_NUMBER = rf"(?:\d[\d.,\s]*|{NUMBER_WORD}[\s-])"
_TIME_UNIT = (
    r"(?:[mµun]s|(?:nano|micro|milli)?(?:seconds?|secs?\b|s\b)|minutes?|mins?\b|hours?|hrs?\b|h\b|days?|weeks?"
    + r"|months?|years?)"
)
_PERIOD = (
    r"(?:seconds?|minutes?|hours?|days?|nights?|mornings?|evenings?|weeks?|months?|quarters?|seasons?|springs?|summers?"
    r"|autumns?|winters?|years?|times?)"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_FIELD_OF_TIME = (
    r"(?:seconds|minutes|hours|days|weeks|months|timeout|lifetime|expir\w+|duration|timedelta|age)"
)

_SIZE_UNIT = (
    r"(?:bits?|bytes?|octets?|[kmgt]i?b|chars?|characters?|letters?|digits?|symbols?|words?|tokens?|lines?|pages?|px"
    r"|pixels?|dimensions?|elements?|entries|items?|rows?|columns?|[mck]?m|(?:kilo|centi|milli)?met(?:er|re)s?"
    r"|inch(?:es)?|feet|foot|yards?|miles?|hectares?|acres?|[mk]?g|kilos?|(?:kilo)?gram(?:me)?s?|tonn?e?s?|pounds?"
    r"|lit(?:er|re)s?)"
)
_FIELD_OF_SIZE = (
    r"(?:length|size|width|height|depth|weight|long|large|big|wide|high|deep|tall|min(?:imum)?|max(?:imum)?|limit\w*"
    r"|at least|at most|up to|(?:more|fewer|less) than|between|exceed\w*)"
)

_FOUND: dict[AnswerKind, re.Pattern[str]] = {
    AnswerKind.PERCENTAGE: re.compile(
        rf"\d\s?%|\bper\s?cent|\bpercent|\b{NUMBER_WORD} (?:out of|in) (?:\d+|{NUMBER_WORD})\b"
        r"|\b\d+ (?:out of|in) \d+\b|\b(?:half|third|quarter|majority) of\b", re.IGNORECASE),
    AnswerKind.MONEY: re.compile(
        r"[$€£¥]\s?\d|\b(?:USD|EUR|GBP|CHF|JPY)\s?\d|\d[\d.,]*\s?(?:k|m|bn|million|billion)?\s?"
        r"(?:[$€£]|USD|EUR|GBP|CHF|dollars?|euros?|pounds?|cents?|francs?)\b", re.IGNORECASE),
    AnswerKind.DURATION: re.compile(
        rf"(?:{_NUMBER}|\ba (?:few|couple of))[-\s]?{_TIME_UNIT}(?![a-z])"
        rf"|{_FIELD_OF_TIME}\W{{0,4}}(?:=|:|\()?\W{{0,8}}\d"
        r"|\b\d+\s?(?:ms|µs|us|ns)\b", re.IGNORECASE),
    AnswerKind.DATE: re.compile(
        rf"\b(?:19|20)\d\d\b|\b{_MONTH}\s+\d{{1,2}}\b|\b\d{{1,2}}\s+{_MONTH}\b"
        # The release that began it tells since when.
        r"|\b(?:since|as of|starting (?:with|from)|introduced in|added in|available (?:in|from))"
        r" (?:[\w-]+ )?(?:versions?|releases?) v?\d", re.IGNORECASE),
    AnswerKind.VERSION: re.compile(
        r"\bv?\d+(?:\.\d+)+\b|\b(?:version|release|revision|rev\.|edition)s?\s+v?\d+|\b[A-Z][\w+-]*\s\d+\b",
        re.IGNORECASE),
    AnswerKind.RATE: re.compile(
        r"\d[\d.,]*\s?(?:[a-z]*+\s?){0,3}(?:/|\bper\b|\ban?\b)\s?[a-z]+|\d[\d.,]*\s?[kmgt]?(?:qps|[hb]/s|bps|hz)\b"
        r"|\b\d[\d.,]*\s?(?:x|×|times)\b|\d[\d.,]*\s?(?:ms|µs|seconds?|minutes?|hours?)\b", re.IGNORECASE),
    AnswerKind.COUNT: re.compile(rf"\d|\b(?!one\b){NUMBER_WORD}\b", re.IGNORECASE),
    AnswerKind.TEMPERATURE: re.compile(
        r"\d\s?(?:°|º|(?i:deg(?:rees?)?)\b|K(?:elvin)?\b|[CF]\b)|°\s?[CF]\b|\b(?i:room temperature|boiling|freezing)\b"
    ),
    # Not "often" and "once" alone: "Users often choose …", "Once it is enabled …".
    AnswerKind.FREQUENCY: re.compile(
        rf"\b(?:every|each)\s+(?:(?:other|few|second|third|single|{_NUMBER})\s*)?{_PERIOD}\b|\b(?:once|twice)\s+(?:an?|per"
        r"|every|each|in)\b|\b(?:daily|nightly|hourly|weekly|monthly|yearly|annual(?:ly)?|quarterly|regularly|frequently"
        rf"|periodic(?:ally)?|always|never)\b|\btimes\s+(?:an?|per)\b|\b(?:an?|per)\s+{_PERIOD}\b"
        rf"|{_NUMBER}[-\s]?{_TIME_UNIT}(?![a-z])", re.IGNORECASE),
    AnswerKind.LENGTH: re.compile(
        rf"{_NUMBER}[-\s]?(?:[a-z]+\s)?{_SIZE_UNIT}\b|\b{_FIELD_OF_SIZE}\b\W*(?:\w+\W+){{0,8}}?\d",
        re.IGNORECASE),
}  # fmt: skip

# How a price changed: stated as an amount, or as a share of the former price.
_PAID = (
    r"\bhow (?:has|have|had|did|do|does|will)\b.*?\b(?:price|cost|fee|salar(?:y|ie)|wage|revenue|budget)s?\b.*?"
    r"\b(?:develop|evolv|chang|mov|fluctuat|compar|go|gone)\w*"
    r"|\bwie ha(?:t|ben) .*?\b\w*(?:kosten|preise?|gebühr(?:en)?|l[oö]hne?|umsatz|umsätze)\b.*?"
    r"\b(?:entwickelt|verändert|geändert)\b"
)
_MADE = (
    r"(?:wrote|written|author(?:s|ed)?|creat(?:ed|ors?)|develop(?:ed|ers?|s)|design(?:ed|ers?)|invent(?:ed|ors?)"
    r"|found(?:ed|ers?)|start(?:ed|s)|maintain(?:ed|ers?|s)?|introduced?|proposed?|published|made(?! up)|built|behind"
    r"|came up with|come up with|thought up"
    r"|instituted|established|discovered|devised|coined|pioneered|initiated|originated|conceived|launched)"
)
# Tried in this order; a question may ask for several kinds.
_ASKED: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile("|".join(patterns), re.IGNORECASE))
    for kind, patterns in (
        (
            AnswerKind.PERCENTAGE,
            (
                r"\b(?:what|which)\s+(?:\w+\s+)?(?:percentage|percent|share|proportion|fraction)\b",
                r"\bpercentage of\b",
                r"\bhow (?:has|have|had|did) (?:the )?(?:market )?(?:share|proportion|percentage)s?\b",
                _PAID,
            ),
        ),
        (
            AnswerKind.MONEY,
            (
                r"\bhow much (?:money|(?:does|do|did) .* cost)",
                r"\b(?:what|which)\b.*?\b(?:price|cost|fee|salary|revenue|budget)s?\b",
                r"\bin (?:us )?(?:dollars|euros|usd|eur|chf|gbp)\b",
                _PAID,
            ),
        ),
        (
            AnswerKind.VERSION,
            (r"\b(?:which|what|in which)\s+(?:[\w.+-]+\s+){0,2}?(?:version|release|revision|edition)s?\b",),
        ),
        (
            AnswerKind.DATE,
            (
                r"\bwhen (?:did|was|were|will|had|has)\b|\bsince when\b|\bwhat date\b",
                r"\b(?:which|what) (?:year|date|month|day)\b",
            ),
        ),
        (
            AnswerKind.MAKER,
            (
                rf"^\W*who(?: (?:is|are|was|were|has|have|had|first|originally))* (?:the )?{_MADE}\b",
                rf"\b(?:and|or) who {_MADE}\b",
            ),
        ),
        (AnswerKind.PERSON, (r"^\W*who(?:m|se)?\b|\bby whom\b|\b(?:and|or) who\b",)),
        (
            AnswerKind.RATE,
            (
                r"\bhow fast\b|\bhow (?:much|many times) (?:faster|slower)\b",
                r"\b(?:throughput|speed(?! up)|rate)\b",
            ),
        ),
        (
            AnswerKind.DURATION,
            (
                r"\bhow long (?:.*\b(?:take|last|valid|wait|run|live|expire|kept|keep|locked|stay)\b)",
                r"\b(?:after|for) how long\b|\bhow (?:old|soon)\b",
                # A window, an interval or a delay may be given as a time or as a number.
                r"\bhow (?:long|large|big|short|small|wide)\b.*\b(?:window|interval|period|timeout|delay|lifetime)\b",
            ),
        ),
        (AnswerKind.FREQUENCY, (r"\bhow (?:often|frequently|regularly)\b",)),
        (
            AnswerKind.TEMPERATURE,
            (
                r"^\W*(?:at )?(?:what|which) (?:\w+ )?temperatures?\b|^\W*how (?:hot|cold|warm|cool)\b"
                r"|\band (?:at )?(?:what|which) temperature\b",
            ),
        ),
        (
            AnswerKind.COUNT,
            (
                r"\bhow (?:many|much(?! (?:(?:free|disk|hard disk|drive) )?(?:space|memory|storage|ram)\b))\b"
                r"|\bnumber of\b|(?<!it )(?<!does )(?<!do )\bcounts?\b(?! (?:as|for|towards?)\b)"
                r"|\bwork factor\b",
            ),
        ),
        (
            AnswerKind.LENGTH,
            (
                r"\bhow (?:long|large|big|short|wide|high|deep|far|small|tall|thick|heavy)\b",
                r"\bhow much (?:(?:free|disk|hard disk|drive) )?(?:space|memory|storage|ram)\b",
                r"\b(?:min|max)imum\b.*\b(?:length|size|number|dimensions?)\b",
                r"\bwhat\b.*\b(?:lengths?|sizes?|limits?)\b",
                r"\b(?:to )?what value\b",
            ),
        ),
        (
            AnswerKind.POLARITY,
            (r"^(?:does|do|did|is|are|was|were|may|can|could|should|must|shall|will|would|has|have)\b",),
        ),
        (AnswerKind.REASON, (r"^why\b|\band why\b",)),
        (
            AnswerKind.CHOICE,
            (
                r"^(?:which|what) (?:[\w.+-]+ ){1,3}for (?!(?:.*\s)?(?:is|are|was|were|do|does|did|has|have|had)\b)",
                r"^(?:which|what) .*\b(?:best|(?:should|to) (?:\w+ ){0,3}(?:use|choose|pick|take|prefer))\b",
            ),
        ),
    )
)

_NORMATIVE = re.compile(
    r"\b(?:shall|must|should|may|might|can|cannot|can't|need not|required?|recommend\w*|allow\w*|permit\w*"
    r"|prohibit\w*|forbid\w*|supported|deprecated|restricted|discourag\w*|encourag\w*|avoid|do not|don't"
    r"|does not|doesn't|never|always|no more|no longer|not)\b",
    re.IGNORECASE,
)
_CHOOSING = re.compile(
    r"\b(?:choose|chosen|chose|recommend(?:s|ed)?|prefer(?:s|red)?|suggests?|advise[sd]?|should|(?:the|by) default"
    r"|default is|defaults? to|opt for|pick|instead)\b",
    re.IGNORECASE,
)
# Two capitalized words in a row after a word or a colon, like names of people and organizations.
_PERSON = re.compile(r"(?:[a-z:,;(]\s+|^)(?:(?:[A-Z][\w'’-]+|[A-Z]\.)\s+){1,3}[A-Z][\w'’-]+")
_PEOPLE = (
    r"contributors|volunteers|researchers|scientists|engineers|developers|students|members|team|group|staff"
)
_NAMED = r"(?:[A-Z][\w'’.-]*\s+){1,3}[A-Z][\w'’-]+"
_IS_MADE_BY = re.compile(
    rf"\b(?i:{_MADE})\s+(?:\w+\s+){{0,3}}?(?:by|at|from)\s+(?:the\s+)?(?:{_NAMED}|[A-Z][\w'’.-]+)"
    rf"|\b(?i:{_MADE})\s+(?:\w+\s+){{0,2}}?by\s+(?:(?!and\b)[\w-]+\s+){{0,4}}?(?i:{_PEOPLE})\b"
    rf"|{_NAMED}[^.!?]{{0,80}}?\b(?i:creator|inventor|author|founder|developer|designer|maintainer)s? (?:of|behind)\b"
    rf"|\b(?i:by\s*:?|(?:authors?|maintainers?|creators?|developers?)(?:\s+of\s+[^:.]{{1,40}})?(?:\s+(?:is|are|include))?\s*:?)\s+{_NAMED}"
    rf"|(?:{_NAMED}|\b(?:The|Our) [a-z]+)(?:,?\s+[\w'’.-]+){{0,6}}?,?(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)\s+"
    r"(?:wrote|created|developed|designed|invented|founded|started|initiated|implemented|maintains?|introduced|proposed"
    r"|published|made(?! up)|built|instituted|established|discovered|devised|coined|pioneered|originated"
    r"|conceived|launched)\b"
)
_CAUSAL = re.compile(
    r"\b(?:because|since|so that|in order to|due to|therefore|reason|as a result|thus|to (?:\w+) )",
    re.IGNORECASE,
)


def find_expected_kinds(question: str) -> tuple[AnswerKind, ...]:
    """Return the kinds of answer that the wording asks for, in the order of the table; STATEMENT if there are none."""
    found = tuple(dict.fromkeys(kind for kind, pattern in _ASKED if pattern.search(question)))
    if AnswerKind.DURATION in found and not _IS_SIZE.search(question):  # "how long" asks for a time then
        found = tuple(kind for kind in found if kind is not AnswerKind.LENGTH)
    if AnswerKind.MAKER in found:  # not any person
        found = tuple(kind for kind in found if kind is not AnswerKind.PERSON)
    return found or ((AnswerKind.STATEMENT,) if _IS_QUESTION.search(question) else (AnswerKind.POSITION,))


_IS_SIZE = re.compile(r"\bhow (?:large|big|small|wide)\b", re.IGNORECASE)
# A question mark alone does not make a topic a question: "Rules and expiry, or length only?"
_IS_QUESTION = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how)\b"
    r"|\b(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|shall|will|would)\b.*\?\s*$"
    r"|\b(?:wie|was|wer|wo|wann|warum|welche\w?)\b.*\?\s*$",
    re.IGNORECASE,
)


def asks_release_date(question: str) -> bool:
    """Return True for "When was X released?", which no other date answers."""
    return bool(_ASKS_RELEASE_DATE.search(question))


_ASKS_RELEASE_DATE = re.compile(
    r"\bwhen (?:was|were|did)\b.*\b(?:released|published|come out|came out|issued|launched)\b", re.IGNORECASE
)


def is_making(word: str) -> bool:
    """Return True for a verb or noun of making: the wording of an answer to "Who wrote it?" may be another."""
    return bool(_IS_MADE.fullmatch(word))


_IS_MADE = re.compile(_MADE, re.IGNORECASE)


@lru_cache(maxsize=4_096)  # each sentence is tested alone, and as the neighbour of two others
def answers(kind: AnswerKind, text: str, asked: str = "") -> bool:
    """Return True if the text has an answer of the kind. Statements always do.

    Numbers that are labels or references do not count, nor do those given in the question.
    """
    if kind is AnswerKind.STATEMENT:
        return True
    if kind is AnswerKind.POLARITY:
        return bool(_NORMATIVE.search(text))
    if kind is AnswerKind.CHOICE:
        return bool(_CHOOSING.search(text))
    if kind is AnswerKind.POSITION:
        return bool(_NORMATIVE.search(text)) or answers(AnswerKind.COUNT, text, asked)
    if kind is AnswerKind.PERSON:
        return bool(_PERSON.search(text))
    if kind is AnswerKind.MAKER:
        return bool(_IS_MADE_BY.search(text))
    if kind is AnswerKind.REASON:
        return bool(_CAUSAL.search(text))
    text = _URL.sub(" ", text)
    plain = _without_labels(text, asked) if kind in _COUNTED else text
    noun = find_counted_noun(asked) if kind is AnswerKind.COUNT else ""
    is_of_things = kind is AnswerKind.LENGTH or (noun and not _TIMES.search(noun))
    return bool(_FOUND[kind].search(_TIME_OR_SHARE.sub(" ", plain) if is_of_things else plain))


_URL = re.compile(r"\w+://[^\s)>]+")
_TIME_OR_SHARE = re.compile(rf"{_NUMBER}[-\s]?{_TIME_UNIT}(?![a-z])|\d[\d.]*\s?%", re.IGNORECASE)


def counts_directly(text: str, noun: str) -> bool:
    """Return True if a number stands right before the counted noun: "only 27 leap seconds", or is given for the number
    of it: "LIMIT (default: 3): The number of attempts".
    """
    head = noun.split()[-1].rstrip("s") if noun else ""
    if not head:
        return False
    counted = rf"(?:[\w'’-]+\s+){{0,3}}?{re.escape(head)}(?:e?s)?\b"
    if re.search(rf"{_NUMBER}[-\s]*{counted}", text, re.IGNORECASE):
        return True
    return re.search(rf"\bnumber of {counted}", text, re.IGNORECASE) is not None and any(
        map(str.isdigit, text)
    )


def states_amount(text: str, noun: str) -> bool:
    """Return True if the sentence says in words how much or how many of something there is.

    >>> states_amount("The amount of memory used does not depend on the size of the files.", "memory")
    True
    >>> states_amount("There is no limit on the number of users.", "users")
    True
    """
    head = noun.split()[-1].rstrip("s") if noun else ""
    if not head:
        return False
    of_it = rf"(?:[\w'’-]+\s+){{0,3}}?{re.escape(head)}s?\b"
    return (
        re.search(
            rf"^(?:the )?(?:\w+ )?(?:amount|number|quantity|size) of {of_it}"
            r"|\b(?:no (?:\w+ )?(?:limit|maximum|minimum)\b|unlimited\b|any number of\b|as (?:much|many)\b)"
            rf"[^.;]{{0,40}}?\b{of_it}",
            text,
            re.IGNORECASE,
        )
        is not None
    )


_TIMES = re.compile(rf"\b(?:{_TIME_UNIT})", re.IGNORECASE)


def find_counted_noun(question: str) -> str:
    """Return the noun that "how many" counts, or "how much" measures: the words up to the verb; "" if there is none."""
    match = _HOW_MANY.search(question.rstrip(" ?!.") + " ") or _NUMBER_OF.search(question)
    return match[1].strip() if match else ""


_NUMBER_OF = re.compile(
    r"\b(?:number|percentage|share|proportion|amount) of (?:(?:the|its|their|his|her|our|all|an?) )?([\w'’-]+)",
    re.IGNORECASE,
)


_HOW_MANY = re.compile(
    r"\bhow (?:many|much(?! (?:more|less|better|worse|(?:fast|slow|larg|small|bigg|long|short|cheap|high|low|strong"
    r"|eas|hard)\w*er)\b)) ((?:[\w.'’-]+ ){1,5}?)(?=(?:does|do|did|is|are|was|were|has|have|had|can|could|must|may"
    r"|might|will|would|should|shall|per|in|of|on|before|after|without)\b|$)",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)  # asked for each sentence that is ranked
def find_measured_thing(question: str) -> str:
    """Return the thing whose size, length or time a question asks for; "" if there is none.

    >>> find_measured_thing("How long should a password hash salt be?")
    'password hash salt'
    >>> find_measured_thing("What is the minimum length of a PIN?"), find_measured_thing("and how big is it?")
    ('PIN', '')
    """
    found = next((match for pattern in _MEASURED_THING if (match := pattern.search(question))), None)
    thing = found[1].strip() if found else ""
    return "" if thing.lower() in _ANYTHING else thing


_ANYTHING = frozenset(
    "it they them this that these those one ones amount amounts number numbers value values quantity figure".split()
)
_THING = r"((?:[\w.'’-]+ ){0,4}?[\w.'’-]+)"
_SIZE = r"(?:long|large|big|short|wide|high|deep|tall|heavy|old|small)"
_QUANTITY = r"(?:length|size|lifetime|duration|validity|age|width|height|depth)"
_MEASURED_THING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bhow {_SIZE} (?:should|shall|must|may|might|can|could|will|would|is|are|was|were|does|do|did|has|have)"
        rf" (?:(?:an?|the|my|our|your) )?{_THING}"
        r"(?= (?:be|to|at|in|on|for|stay|remain|last|live|take|need|have|valid|allowed|kept|by)\b|\s*[?,;]|\s*$)",
        rf"\b{_QUANTITY}s? (?:of|for) (?:an? |the |my |our |your )?{_THING}"
        r"(?= (?:in|on|at|for|by|is|are|that|and|or|with)\b|\s*[?,;.]|\s*$)",
        rf"\b(?:min|max)imum ([\w.'’-]+) {_QUANTITY}\b",
    )
)

_COUNTED = frozenset({AnswerKind.COUNT, AnswerKind.LENGTH, AnswerKind.RATE})
_IDENTIFIER = re.compile(
    r"(?<![\w.])(?=[\w.-]*[A-Za-z_])(?!\d[\d.,]*[A-Za-zµ]{1,5}\b)[\w]+(?:[.-]\w+)*\d[\w.-]*"
)
_LABEL = re.compile(
    r"(?:sections?|sec\.|§|chapters?|appendix|tables?|figures?|fig\.|pages?|p\.|rfc|versions?|rev\.|step|level|cwe"
    r"|cve)[\s-]*\d[\d.]*"
    r"|\[\d+\]"  # a reference
    r"|^\W{0,3}\d+(?:\.\d+)*[.)]?\s+(?=[A-Z])"  # the number of the list item
    r"|\b(?:19|20)\d\d(?:-\d\d){0,2}\b(?!\s?\w*s\b)"  # a date, unless plural nouns follow: "2048 bits"
    r"|\bv?\d+\.\d+\.[\d.]+\b|\d+-(?=\d)",
    re.IGNORECASE,
)
_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)*")


def _without_labels(text: str, asked: str) -> str:
    plain = _LABEL.sub(" ", _IDENTIFIER.sub(" ", re.sub(r"(?<=\d),(?=\d{3})", "", text)))
    given = set(_PLAIN_NUMBER.findall(asked))
    return _PLAIN_NUMBER.sub(lambda match: " " if match.group() in given else match.group(), plain)
