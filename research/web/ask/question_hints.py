"""What a question leaves open, and words that would settle it: for whom, by which measure, where, since when.

By rules from the question's own words, in its own language (English or German). They are offers: nothing is added
that a person has not chosen.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from string import whitespace

MOST = 4
SHORTEST = 8  # characters of a question that is looked at
YEARS_BACK = 5
END = f"{whitespace}?!."


class Gap(StrEnum):
    """What the question does not say."""

    POPULATION = "population"
    MEASURE = "measure"
    PLACE = "place"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Sharper:
    gap: Gap
    words: str  # to add before the question mark


@dataclass(frozen=True, slots=True)
class _Rule:
    """Where the question speaks of `about` (anything, where empty), `offers` would settle the gap."""

    gap: Gap
    about: str
    offers: Sequence[str]


# What says it already. Words are matched from their beginning, in lower case.
SAID: Mapping[str, Mapping[Gap, str]] = {
    "en": {
        Gap.POPULATION: r"adult|child|infant|patient|women|men\b|people (?:who|with|over|under)|elderly|home|house|"
        r"household|employee|worker|student|school|office|compan|among|users? (?:who|with|of)",
        Gap.MEASURE: r"percent|%|measured|compared|than\b|per (?:year|month|day|person|km|hour)|factor|rate\b|rates\b|"
        r"trials?\b|how (?:long|often|old|far|fast|big|large|high|tall)",
        Gap.TIME: r"(?:19|20)\d\d|since|until|today|current|now\b|recent|latest|last (?:year|decade|month)|century|"
        r"decade|next (?:year|decade)",
    },
    "de": {
        Gap.POPULATION: r"erwachsene|kinder|säugling|patient|frauen|männer|menschen (?:mit|über|unter)|ältere|haushalt|"
        r"wohnh|häuser|gebäude|beschäftigte|angestellte|schüler|schule|büro|unternehmen|unter den",
        Gap.MEASURE: r"prozent|%|gemessen|verglichen|vergleich|als\b|pro (?:jahr|monat|tag|person|km|stunde)|im jahr|"
        r"zahl\b|quote|studie|wie (?:lange|oft|alt|weit|schnell|groß|hoch)",
        Gap.TIME: r"(?:19|20)\d\d|seit|bis\b|heute|aktuell|derzeit|jüngst|neuest|letzte|jahrhundert|jahrzehnt|kommende",
    },
}
# Places are names: a capital after a word that leads to one, or a country as an adjective.
PLACED: Mapping[str, str] = {
    "en": r"\b(?:[Ii]n|[Aa]cross|[Ww]ithin|[Nn]ear|[Oo]f|[Ff]rom) (?:the )?[A-Z]|\b[Ww]orldwide|\b[Gg]lobal|"
    r"\b(?:European|American|German|British|French|Swiss|Chinese|Indian|African|Asian|Nordic|Japanese|EU|UK|US|USA)\b",
    "de": r"\b(?:in|im|aus|bei) (?:der |den )?(?:Deutschland|Österreich|Schweiz|Europa|USA|EU|Asien|Afrika)|"
    r"\bweltweit|\b(?:deutsche|europäische|österreichische|schweizer|amerikanische|chinesische)",
}
RULES: Mapping[str, Sequence[_Rule]] = {
    "en": (
        _Rule(Gap.POPULATION, r"drug|vaccin|diseas|treat|therap|diet|sleep|vitamin|exercis|sugar|coffee|medic|health",
              ("in adults", "in children")),
        _Rule(Gap.POPULATION, r"heat|insulat|solar|batter|boiler|electric|energy|rent", ("in homes", "in offices")),
        _Rule(Gap.POPULATION, r"remote|wage|salar|job|career|burnout|meeting|productiv", ("among employees",)),
        _Rule(Gap.POPULATION, r"learn|teach|read|lesson|homework|exam", ("among school children", "among adults")),
        _Rule(Gap.MEASURE, r"drug|vaccin|treat|therap|diet|vitamin", ("measured in randomised trials",)),
        _Rule(Gap.MEASURE, r"cost|price|expens|cheap|pay|spend", ("per year",)),
        _Rule(Gap.MEASURE, r"risk|danger|safe|death|accident", ("per 100,000 people",)),
        _Rule(Gap.MEASURE, r"work|effect|effic|better|best|worth|help|good", ("compared with the alternatives",)),
        _Rule(Gap.PLACE, "", ("in Europe",)),
        _Rule(Gap.TIME, "", ("since {year}",)),
    ),
    "de": (
        _Rule(Gap.POPULATION, r"medikament|impf|krank|behand|therap|ernähr|schlaf|vitamin|zucker|kaffee|gesund",
              ("bei Erwachsenen", "bei Kindern")),
        _Rule(Gap.POPULATION, r"wärme|heiz|dämm|solar|strom|energie|miete", ("in Wohnhäusern", "in Bürogebäuden")),
        _Rule(Gap.POPULATION, r"homeoffice|lohn|gehalt|beruf|burnout|besprech|produktiv", ("bei Angestellten",)),
        _Rule(Gap.POPULATION, r"lernen|lehr|lesen|unterricht|prüfung", ("bei Schulkindern", "bei Erwachsenen")),
        _Rule(Gap.MEASURE, r"medikament|impf|behand|therap|ernähr|vitamin", ("gemessen in randomisierten Studien",)),
        _Rule(Gap.MEASURE, r"kost|preis|teuer|billig|zahl|ausgab", ("pro Jahr",)),
        _Rule(Gap.MEASURE, r"risik|gefähr|sicher|tod|unfall|unfäll", ("je 100.000 Menschen",)),
        _Rule(Gap.MEASURE, r"wirk|funktion|effizi|besser|beste|lohn|hilf|gut\b", ("im Vergleich zu den Alternativen",)),
        _Rule(Gap.PLACE, "", ("in Deutschland", "in Europa")),
        _Rule(Gap.TIME, "", ("seit {year}",)),
    ),
}  # fmt: skip
GERMAN = re.compile(
    r"[äöüß]|\b(?:der|die|das|und|wie|ist|sind|welche[rsn]?|warum|wann|wer|für|nicht|mit|bei|kann|hat|eine?)\b",
    re.IGNORECASE,
)


def sharper(question: str, today: date) -> tuple[Sharper, ...]:
    """What could be added, the most telling first; nothing for what is hardly a question yet."""
    if len(question.strip()) < SHORTEST:
        return ()
    return tuple(_offers(question, today))[:MOST]


def add_hint_words(question: str, words: str) -> str:
    """With the words in place, before the question mark. Words that stand there already are not added again."""
    text = question.strip()
    if words.casefold() in text.casefold():
        return text
    cut = len(text.rstrip(END))
    return f"{text[:cut]} {words}{text[cut:]}".strip()


def _offers(question: str, today: date) -> Iterator[Sharper]:
    """Of each gap those of the first rule that speaks of the question."""
    language = "de" if GERMAN.search(question) else "en"
    settled = {gap for gap in Gap if _is_said(question, gap, language)}
    for rule in RULES[language]:
        if rule.gap not in settled and _speaks_of(question, rule.about):
            settled.add(rule.gap)
            for words in rule.offers:
                yield Sharper(rule.gap, words.format(year=today.year - YEARS_BACK))


def _is_said(question: str, gap: Gap, language: str) -> bool:
    if gap is Gap.PLACE:
        return re.search(PLACED[language], question) is not None
    return _speaks_of(question, SAID[language][gap])


def _speaks_of(question: str, about: str) -> bool:
    return re.search(rf"(?<!\w)(?:{about})", question.casefold()) is not None
