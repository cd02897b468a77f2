"""Suggests details that a question leaves open: population, measure, place, time.

Rules look for them in the wording of the question, in its language (English or German). Only what a person chooses is
added.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from string import whitespace

MOST = 4
SHORTEST = 8  # characters; shorter questions are not analysed
YEARS_BACK = 5
END = f"{whitespace}?!."


class QuestionGap(StrEnum):
    """A detail that the question does not state."""

    POPULATION = "population"
    MEASURE = "measure"
    PLACE = "place"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Sharper:
    gap: QuestionGap
    words: str  # words to add before the question mark


@dataclass(frozen=True, slots=True)
class _Hint:
    """A rule: `offers` would settle the gap in a question that mentions `about` (any question if `about` is empty)."""

    gap: QuestionGap
    about: str
    offers: Sequence[str]


# Words that show that a detail is stated. They match by prefix, in lower case.
SAID: Mapping[str, Mapping[QuestionGap, str]] = {
    "en": {
        QuestionGap.POPULATION: r"adult|child|infant|patient|women|men\b|people (?:who|with|over|under)|elderly|home|"
        r"house|"
        r"household|employee|worker|student|school|office|compan|among|users? (?:who|with|of)",
        QuestionGap.MEASURE: r"percent|%|measured|compared|than\b|per (?:year|month|day|person|km|hour)|factor|"
        r"rate\b|rates\b|"
        r"trials?\b|how (?:long|often|old|far|fast|big|large|high|tall)",
        QuestionGap.TIME: r"(?:19|20)\d\d|since|until|today|current|now\b|recent|latest|last (?:year|decade|"
        r"month)|century|"
        r"decade|next (?:year|decade)",
    },
    "de": {
        QuestionGap.POPULATION: r"erwachsene|kinder|säugling|patient|frauen|männer|menschen (?:mit|über|unter)|ältere|"
        r"haushalt|"
        r"wohnh|häuser|gebäude|beschäftigte|angestellte|schüler|schule|büro|unternehmen|unter den",
        QuestionGap.MEASURE: r"prozent|%|gemessen|verglichen|vergleich|als\b|pro (?:jahr|monat|tag|person|km|"
        r"stunde)|im jahr|"
        r"zahl\b|quote|studie|wie (?:lange|oft|alt|weit|schnell|groß|hoch)",
        QuestionGap.TIME: r"(?:19|20)\d\d|seit|bis\b|heute|aktuell|derzeit|jüngst|neuest|letzte|jahrhundert|"
        r"jahrzehnt|kommende",
    },
}
# Places are recognized as names: a capitalized word after a preposition of place, or an adjective of a country.
PLACED: Mapping[str, str] = {
    "en": r"\b(?:[Ii]n|[Aa]cross|[Ww]ithin|[Nn]ear|[Oo]f|[Ff]rom) (?:the )?[A-Z]|\b[Ww]orldwide|\b[Gg]lobal|"
    r"\b(?:European|American|German|British|French|Swiss|Chinese|Indian|African|Asian|Nordic|Japanese|EU|UK|US|USA)\b",
    "de": r"\b(?:in|im|aus|bei) (?:der |den )?(?:Deutschland|Österreich|Schweiz|Europa|USA|EU|Asien|Afrika)|"
    r"\bweltweit|\b(?:deutsche|europäische|österreichische|schweizer|amerikanische|chinesische)",
}
RULES: Mapping[str, Sequence[_Hint]] = {
    "en": (
        _Hint(QuestionGap.POPULATION, r"drug|vaccin|diseas|treat|therap|diet|sleep|vitamin|exercis|"
              r"sugar|coffee|medic|health",
              ("in adults", "in children")),
        _Hint(QuestionGap.POPULATION, r"heat|insulat|solar|batter|boiler|electric|energy|rent",
              ("in homes", "in offices")),
        _Hint(QuestionGap.POPULATION, r"remote|wage|salar|job|career|burnout|meeting|productiv", ("among employees",)),
        _Hint(QuestionGap.POPULATION, r"learn|teach|read|lesson|homework|exam",
              ("among school children", "among adults")),
        _Hint(QuestionGap.MEASURE, r"drug|vaccin|treat|therap|diet|vitamin", ("measured in randomised trials",)),
        _Hint(QuestionGap.MEASURE, r"cost|price|expens|cheap|pay|spend", ("per year",)),
        _Hint(QuestionGap.MEASURE, r"risk|danger|safe|death|accident", ("per 100,000 people",)),
        _Hint(QuestionGap.MEASURE, r"work|effect|effic|better|best|worth|help|good",
              ("compared with the alternatives",)),
        _Hint(QuestionGap.PLACE, "", ("in Europe",)),
        _Hint(QuestionGap.TIME, "", ("since {year}",)),
    ),
    "de": (
        _Hint(QuestionGap.POPULATION, r"medikament|impf|krank|behand|therap|ernähr|schlaf|vitamin|zucker|kaffee|gesund",
              ("bei Erwachsenen", "bei Kindern")),
        _Hint(QuestionGap.POPULATION, r"wärme|heiz|dämm|solar|strom|energie|miete",
              ("in Wohnhäusern", "in Bürogebäuden")),
        _Hint(QuestionGap.POPULATION, r"homeoffice|lohn|gehalt|beruf|burnout|besprech|produktiv",
              ("bei Angestellten",)),
        _Hint(QuestionGap.POPULATION, r"lernen|lehr|lesen|unterricht|prüfung", ("bei Schulkindern", "bei Erwachsenen")),
        _Hint(QuestionGap.MEASURE, r"medikament|impf|behand|therap|ernähr|vitamin",
              ("gemessen in randomisierten Studien",)),
        _Hint(QuestionGap.MEASURE, r"kost|preis|teuer|billig|zahl|ausgab", ("pro Jahr",)),
        _Hint(QuestionGap.MEASURE, r"risik|gefähr|sicher|tod|unfall|unfäll", ("je 100.000 Menschen",)),
        _Hint(QuestionGap.MEASURE, r"wirk|funktion|effizi|besser|beste|lohn|hilf|gut\b",
              ("im Vergleich zu den Alternativen",)),
        _Hint(QuestionGap.PLACE, "", ("in Deutschland", "in Europa")),
        _Hint(QuestionGap.TIME, "", ("seit {year}",)),
    ),
}  # fmt: skip
GERMAN = re.compile(
    r"[äöüß]|\b(?:der|die|das|und|wie|ist|sind|welche[rsn]?|warum|wann|wer|für|nicht|mit|bei|kann|hat|eine?)\b",
    re.IGNORECASE,
)


def sharper(question: str, today: date) -> tuple[Sharper, ...]:
    """Return words that could be added, most useful first; none if the text is too short for a question."""
    if len(question.strip()) < SHORTEST:
        return ()
    return tuple(_offers(question, today))[:MOST]


def add_hint_words(question: str, words: str) -> str:
    """Insert the words before the question mark, unless the question has them already."""
    text = question.strip()
    if words.casefold() in text.casefold():
        return text
    cut = len(text.rstrip(END))
    return f"{text[:cut]} {words}{text[cut:]}".strip()


def _offers(question: str, today: date) -> Iterator[Sharper]:
    """Yield, for each detail left open, the words of the first rule that matches the question."""
    language = "de" if GERMAN.search(question) else "en"
    settled = {gap for gap in QuestionGap if _is_said(question, gap, language)}
    for rule in RULES[language]:
        if rule.gap not in settled and _speaks_of(question, rule.about):
            settled.add(rule.gap)
            for words in rule.offers:
                yield Sharper(rule.gap, words.format(year=today.year - YEARS_BACK))


def _is_said(question: str, gap: QuestionGap, language: str) -> bool:
    if gap is QuestionGap.PLACE:
        return re.search(PLACED[language], question) is not None
    return _speaks_of(question, SAID[language][gap])


def _speaks_of(question: str, about: str) -> bool:
    return re.search(rf"(?<!\w)(?:{about})", question.casefold()) is not None
