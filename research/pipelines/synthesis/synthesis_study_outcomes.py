"""Outcomes of studies: which names mean the same measurement, and whether more of it is good. Pure."""

import re
from functools import lru_cache

# Outcomes by whether a rise is good, as prefixes of English and German words.
_BAD = (
    r"laps|error|mistak|omission|defect|bug|fault|failure|crash|collision|incident|accident|injur|fall(?:s|en)\b"
    r"|mortal|death|fatal|risk|hazard|harm|adverse|side.effect|complication|relapse|recurren|readmi|hospitali"
    r"|admission|symptom|pain|depress|anxi|stress|distress|burnout|burden|fatigue|sleepi|insomn|confus|delirium"
    r"|infect|diseas|diabet|cancer|tumou?r|stroke|infarct|hypertens|blood pressure|obes|asthma|dementia"
    r"|fractur|bleed|ulcer|toxic"
    r""
    r"|fear\b|worr|anger|panic|sadness|guilt|craving|itch|wound|allerg|emergenc|ambulance|heat.related|heat.stress"
    r"|wheez|rhinit|migraine|headache|addict|overdose|abuse|neglect|drowning|poison|malaria|tubercul|aphid|pathogen"
    r"|infest|mosquito|\btheft|burglar|corrupt|deforest|extinct|bycatch|carbon footprint|greenhouse|methane|flood"
    r"|wait times?\b|rework|\bcrash|overrun|false (?:positive|alarm)|misdiagnos|dropp?ing out|truan|illitera"
    r"|opioid|analgesic|painkiller|sedativ|antibiotic use|medication use|schmerzmittel"
    r"|died\b|dying\b|to die\b|impair|deteriorat|worsen"
    r"|nause|vomit|dizz|lonel|hba1c|glucose"
    r"|cholesterol|dropped out|dropping out|regressions?\b|flak"
    r"|event|incidence|preval|dropout|drop.?out|attrition|absen|turnover|violen|crime|aggress|bullying|suicid"
    r"|erosion|runoff|leach|emission|pollut|pest|weed|drought|blight|contamin|residue|debt|outage|downtime"
    r"|vulnerab|(?:completion|processing|cycle|lead|build|travel|turnaround|recovery|healing"
    r"|load(?:ing)?) times?\b|(?:more|less) time\b|time (?:to|until|on|spent)\b"
    r"|(?<!sleep )duration|hospital stay|churn|quit|resign|recidiv|malnutr"
    r"|an(?:a)?emi|latenc|delay|effort|cost|response time|reaction time|waiting|length of stay|smok|drinking"
    r"|mutation|malform|preeclampsia|plagiar|cheat|misconcept|unemploy|poverty"
    r"|sick|noise|decibel|sedentar|sitting|cough|snor|particulate|nitrogen oxide|nitrogen dioxide|smog"
    r"|congestion|litter"
    r"|(?:energy|fuel|electricity|power) (?:use|usage|consumption)|consumption of (?:energy|fuel|electricity|alcohol)"
    r"|\w*lärm|\w*pegel|feinstaub|stickoxid|stickstoff(?:di)?oxid|schadstoff|\w*emission|\w*verbrauch|\w*stau\b"
    r"|(?:reise|fahr|warte|ausfall|einschlaf|bearbeitungs|durchlauf|antwort|lade|genesungs|sitz)zeit"
    r"|furcht|sorge|stress|wut\b|juckreiz|allergi|asthma|husten|depressiv|einbr(?:uch|üch)|blattl[aä]us|schädling"
    r"|\w*befall|\w*läuse|unkraut|\w*überdüng|treibhausgas|methan|überschwemm|kriminal|schulabbr|\w*armut"
    r"|fehler|ausfäll|unfall|verletz|sterb|mortalit|blutdruck|tod\b|todes|\w*schmerz|angst|krankheit|erkrank"
    r"|infektion|müdigkeit|abbruch"
    r"|reaktionszeit|kosten|aufwand|belastung|nebenwirkung|komplikation|fehlzeit|schaden|schäd"
    r"|einsam|\w*isolation|bloodstream|bacter(?:a)?emi|sepsis|weakness|flaw|insecure|verweildauer|liegedauer"
    r"|\w*fraktur|\w*brüche?n?\b|\w*sturz|\w*stürz|kündigung|rückf[aä]ll|\w*infekt|arbeitslos|\w*gewalt"
)
_GOOD = (
    r"attent|vigilan|alert|accura|correct|memory|recall|cognit|perform|productiv|quality|efficien|efficac"
    r"|achiev|attain|grade|score|learn|knowledge|skill|reading|numeracy|literacy|comprehen|motivat|engage|satisf"
    r"|well.?being|mood|happi|resilien|surviv|recover|remission|adheren|complian|uptake|immun|protect|health"
    r"|life expectanc|longevity|strength|fitness|mobility|function|quality of life|sleep\b|yield|harvest|growth"
    r"|biomass|fertil|biodivers|abundan|diversity|organic (?:carbon|matter)|nutrient|infiltrat|income|employ(?!ee|er)"
    r"|retention|complet(?:ion|ed)|attendance|coverage|maintainab|readab|reliab|throughput|availab|usab"
    r"|success|treatment response|cure|secure?\b|security|safe|stable|stability|consisten|reproduct"
    r"|bone density|bone mass|birth.?weight|geburtsgewicht"
    r"|muscle mass|\w*knochendichte|\w*leistung|vaccinat|weight gain of (?:infants|newborns)"
    r"|gemüse|obst\b|exercis|physical(?:ly)? activ|\bsteps\b|vegetable|fruit intake|hydrat|water intake"
    r"|körperliche aktivität"
    r"|pollinat|wild bees?\b|bees\b|natural enem|beneficial insect|\bbirds?\b|species richness|wildlife|native plants"
    r"|(?:gait|walking|reading|processing|running|typing) (?:speed|velocity|pace)|balance\b|flexib|endurance|confiden"
    r"|self.?esteem|empath|trust\b|creativ|curios|cooperat|solidar|turnout|vocabular|fluency|air quality|water quality"
    r"|renewable|recycl|profit|revenue|wages?\b|salar|savings\b|detection rate|test coverage"
    r"|\w*bienen?\b|bestäub|nützling|artenvielfalt|vögel|\w*vielfalt|lohn\b|löhne|gewinn\b|umsatz|erspar"
    r"|selbstwert|selbstvertrauen|vertrauen|wortschatz|lesetempo|gleichgewicht|ganggeschwindigkeit|ausdauer"
    r"|aufmerksam|leistung|motivation|zufriedenheit|wohlbefinden|gedächtnis|lernerfolg|note\b|ertrag|überleben"
    r"|\w*produktivität|microbiome recovery|(?:return|restoration) of"
    r"|genesung|konzentration|freude|teilnahme|qualität|wissen|\w*kompetenz|gesundheit|schlaf(?:dauer|zeit)?\b"
)
_BAD_WORD, _GOOD_WORD = (
    re.compile(rf"\b(?:\w*risik|{_BAD})", re.I),
    re.compile(rf"\b(?:\w*leistung|{_GOOD})", re.I),
)
_COMPOUND = re.compile(r"\w{4,}(?:motivation|zufriedenheit|qualität|ertrag|erfolg)\b", re.I)

# Words for less of something: a loss of something good is bad, relief from something bad is good.
_LESS = (
    r"(?:loss|relief|reduction|decline|decrease|deficit|deterioration|impairment|worsening|lack|shortage|cessation"
    r"|prevention|avoidance|verlust|rückgang|abnahme|minderung|linderung|mangel)(?:s|e|es)?"
)
_LESS_OF = re.compile(rf"\b{_LESS} (?:of|in|from|an|der|des|von) (?P<what>.+)", re.I)
_LESS_BEHIND = re.compile(rf"\b(?P<what>\w[\w -]{{0,60}}?)[ -]{_LESS}\b", re.I)

# Counts of bad things that were found or removed, which are good to have.
_FINDS = re.compile(
    r"\b(?:defects?|bugs?|errors?|faults?|mistakes?|issues?|vulnerabilit\w+|cases?|cancers?|tumou?rs?|lesions?|polyps?)"
    r" (?:that were )?(?:found|detected|discovered|identified|caught|fixed|corrected|removed|resolved|reported)\b"
    r"|\b(?:detection|discovery|identification|removal|correction) (?:rate )?(?:of|for) "
    r"|\b(?:gefundene|entdeckte|behobene|erkannte|korrigierte)\w* \w+",
    re.I,
)


def counts_finds(outcome: str) -> bool:
    """Return True for an outcome that counts bad things found or removed.

    >>> counts_finds("defects found"), counts_finds("post-release defects")
    (True, False)
    """
    return bool(_FINDS.search(outcome))


# A longer time until something bad is better.
_GOOD_WAIT = re.compile(
    r"\btime to (?:first )?(?:relapse|recurrence|death|progression|failure|event|dropout|hospitali[sz]ation)"
    r"|\b(?:event|relapse|progression|disease|symptom|pain|failure)[- ]free|\bsurvival time",
    re.I,
)

# Names of one construct in different fields; the first is used here.
_CONSTRUCTS = (
    ("attention", r"attent\w*|vigilan\w*|alert(?:ness)?|lapse\w*|concentrat\w*|pvt|aufmerksam\w*|konzentration"),
    ("reaction", r"reaction\w*|response (?:time|speed|latenc\w*)|reaktion\w*"),
    ("mortality", r"mortal\w*|deaths?|died|surviv\w*|sterblich\w*|todesf\w*"),
    ("depression", r"depress\w*"),
    ("anxiety", r"anxi\w*|angst"),
    ("achievement", r"achievement|attainment|grades?|(?:test|exam) scores?|academic performance|schulleistung\w*"),
    ("defect", r"defects?|bugs?|faults?"),
    ("crash", r"(?:traffic |road |motor vehicle )?(?:crash(?:es)?|collisions?|accidents?)|\w*unf[aä]ll\w*"),
    ("executive", r"executive (?:function\w*|control)|exekutiv\w*"),
    ("walking speed", r"(?:gait|walking) (?:speed|velocity|pace)|ganggeschwindigkeit"),
    ("productivity", r"productiv\w*|output per \w+|\w*produktivität"),
    ("loneliness", r"lonel\w*|(?:social )?isolation|einsam\w*|(?:soziale\w? )?isolation"),
    (
        "stay",
        r"(?:length|duration) of (?:hospital )?(?:stay|hospitali[sz]ation)|hospital stay|\w*(?:verweil|liege)dauer",
    ),
    (
        "vulnerability",
        r"(?:security )?vulnerabilit\w*|security (?:weakness(?:es)?|flaws?|bugs?|issues?)|sicherheitslücken?",
    ),
    ("asleep", r"sleep(?:[- ]onset)? latenc\w*|sleep onset|time to (?:fall asleep|sleep)|falling asleep|einschlaf\w*"),
    ("slept", r"sleep (?:duration|time|length)|(?:hours|duration|length|amount) of sleep|schlaf(?:dauer|zeit)"),
    ("wellbeing", r"well-?being|quality of life|life satisfaction|wohlbefinden|lebensqualität"),
    ("adverse", r"adverse (?:events?|effects?)|side.effects?|nebenwirkung\w*"),
)  # fmt: skip
# For these, the rest of the name says which kind: mathematics or reading, cancer or the heart.
_KINDS_OF = frozenset({"mortality", "achievement", "crash", "defect", "adverse", "productivity"})
_NAMES = tuple((name, re.compile(rf"\b(?:{words})\b", re.I)) for name, words in _CONSTRUCTS)
# Constructs that one field measures side by side: grouped if each alone has a single study.
_RELATED = (frozenset({"attention", "reaction"}),)
# Words for how something was measured.
_MANNER = re.compile(
    r"\([^)]*\d[^)]*\)|\b(?:mean|median|average|total|overall|change|changes|score|scores|scale|rate|rates"
    r"|level|levels"
    r"|number|count|counts|risk|incidence|prevalence|incident|measured|self.reported|primary|secondary|outcome"
    r"|symptoms?|at|after|by|of|in|for|the|per|person|hours?|days?|weeks?|months?|years?|time|test|tests|task"
    r"|mittlere[rs]?|anzahl)\b|\d+",
    re.I,
)
_PER = re.compile(
    r"\b(?:per|je|pro) [\w-]+(?: (?:request|hour|day|week|month|year|person|capita))?s?\b", re.I
)
_TIME_TO = re.compile(r"\btime (?:to|until|till)\b", re.I)
# Stems that say of many things how far they got: “completed requests” are not “task completion time”.
_VAGUE = frozenset({"complet", "finish", "success"})
MIN_PART = 5  # letters of a word that may end a compound
MIN_BEGINNING = 4  # letters of a word that may abbreviate a longer one


@lru_cache(maxsize=2_048)
def is_desirable(text: str) -> bool | None:
    """Return True if more of the named outcome is good, False if it is bad, None if the words do not show it.

    A word for something bad decides: “attention lapses” are bad. A loss of something good is bad too.

    >>> is_desirable("attention lapses"), is_desirable("sustained attention"), is_desirable("temperature")
    (False, True, None)
    >>> is_desirable("loss of grip strength"), is_desirable("pain relief")
    (False, True)
    """
    if _GOOD_WAIT.search(text) or counts_finds(text):
        return True
    if less := _LESS_OF.search(text) or _LESS_BEHIND.search(text):
        desirable = is_desirable(less["what"])
        return None if desirable is None else not desirable
    if _BAD_WORD.search(text):
        return False
    return True if _GOOD_WORD.search(text) or _COMPOUND.search(text) else None


def names_loss(text: str) -> bool:
    """Return True if the text names a loss of something: “bone loss”."""
    return bool(_LESS_OF.search(text) or _LESS_BEHIND.search(text))


@lru_cache(maxsize=2_048)
def outcome_terms(outcome: str) -> frozenset[str]:
    """Return the stems of the measured outcome, without how it was measured, each construct under one name."""
    from citations.text.claim_words_and_stems import (
        content_stems,  # imports numpy, which is needed only to read studies
    )

    constructs = {name for name, words in _NAMES if words.search(outcome)}
    rest = _PER.sub(" ", outcome)
    if _TIME_TO.search(rest):
        rest += " duration"  # “time to merge” is no number of merges
    for name, words in _NAMES:
        if name in constructs:
            rest = words.sub(" ", rest)
    own = content_stems(_MANNER.sub(" ", rest))
    if constructs:
        return frozenset(constructs) | own
    return own or content_stems(outcome)


def is_same_outcome(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return True if they share half of all their words, one name contains the other, or both name one construct.

    >>> is_same_outcome(outcome_terms("attention"), outcome_terms("sustained attention (PVT lapses)"))
    True
    >>> is_same_outcome(outcome_terms("Mathematikleistung"), outcome_terms("Leistung in Mathematik"))
    True
    """
    if not mine or not theirs:
        return False
    mine, theirs = _with_shared_stems(mine, theirs)
    if mine == theirs:
        return True
    named = {name for name, _ in _CONSTRUCTS}
    if both := mine & theirs & named:
        are_kinds = bool(both & _KINDS_OF and mine - named and theirs - named and not (mine & theirs) - named)
        return not are_kinds and not ((mine - theirs) & named and (theirs - mine) & named)
    shared = len(mine & theirs - _VAGUE)
    if shared / len(mine | theirs) >= 0.5 or (shared and shared == min(len(mine), len(theirs))):
        return True
    short, long = sorted((mine, theirs), key=len)
    return any(_ends_with(word, short | long - {word}) for word in mine ^ theirs)


def _with_shared_stems(mine: frozenset[str], theirs: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of both; a word that abbreviates one of the other side (“math”) is replaced by it."""

    def whole(word: str, others: frozenset[str]) -> str:
        longer = (other for other in others if len(word) >= MIN_BEGINNING and other.startswith(word))
        return min(longer, default=word)

    return frozenset(whole(word, theirs) for word in mine), frozenset(whole(word, mine) for word in theirs)


def _ends_with(compound: str, words: frozenset[str]) -> bool:
    """Return True for a compound that ends with a word, or that consists of several, also in the plural.

    “Rückenschmerz” consists of “Schmerzen im Rücken”.
    """
    if any(
        len(word) >= MIN_PART and len(compound) - len(word) >= 4 and compound.endswith(word) for word in words
    ):
        return True
    parts = [re.sub(r"(?:en|n|e)$", "", word) for word in words if len(word) >= MIN_PART]
    return (
        len(parts) > 1
        and all(part in compound for part in parts)
        and any(compound.endswith(part) for part in parts)
    )


def is_related_outcome(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return True for two constructs measured side by side, such as attention and reaction time."""
    return any(mine & family and theirs & family for family in _RELATED)
