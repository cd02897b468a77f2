"""Derive edits of an image's prompt from claims and comments: phrases to remove, replace and add. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from citations.credibility.credibility_brief_scores import GOOD_EDIT, MAX_EDITS
from citations.text.claim_words_and_stems import content_stems
from research.extractive.question.question_translation import detect_language
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.stored_brief import (
    Action,
    BriefDraftClaim,
    DraftEdit,
    KeyClaim,
    PromptEdit,
    Target,
)

COMMENTED = 0.75  # confidence of an edit that a comment asks for: the wish is certain, its phrase is not
MAX_VALUE, MAX_REASON = 200, 400  # characters
MAX_PHRASE = 9  # words
LONG_STEM = 6  # letters of a word that may begin a compound
SAME_PHRASE = 0.6  # share of common content words from which two phrases show the same
_END = (
    r"(?=\s*(?:[.;:()]|,\s(?:which|who|but|because|so|while|as)\b|\s(?:which|who|that|because|so that|since"
    r"|while|when|where|than|compared|raise[sd]?|boost(?:s|ed)?|increase[sd]?|lower(?:s|ed)?|reduce[sd]?|improve[sd]?"
    r"|attract(?:s|ed)?|sells?|works?|makes?|by|among|instead|rather|over|from (?:the|a) survey)\b|$))"
)
_PICTURES = (
    r"(?:images?|pictures?|photos?|photographs?|shots?|portraits?|illustrations?|drawings?|depictions?|visuals?|scenes?"
    r"|bild\w*|fotos?|porträts?|darstellungen|zeichnungen|aufnahmen|motive)"
)
# What people connect with pictures that work badly.
_FEARED = (
    r"(?:loss|danger|risk|fear|fraud|crime|stress|distrust|decline|illness|poverty|pressure"
    r"|verlust|gefahr|risik|angst|betrug|stress|misstrauen|krankheit|armut|druck)\w*"
)
_X = (
    rf"(?:{_PICTURES} that (?:focus(?:es)? on|shows?|features?|uses?|includes?)\s+)?(?P<x>[^.;:()]{{1,300}}?)"
    + _END
)
# What people say of pictures that work badly, and of pictures that work well.
_BAD = (
    r"(?:depressing|patroni[sz]ing|cheap|fake|artificial|sterile|dated|cold|cluttered|boring|sad|dull|staged|unnatural"
    r"|untrustworthy|off-?putting|threatening|confusing|intrusive|generic|childish|unappealing|unappeti[sz]ing|aggressive"
    r"|lonely|lifeless|posed|stiff|impersonal|implausible|stressful|clinical|klinisch|(?:an )?advert\w*|werbung|unfit"
    r"|billig|kalt|unnatürlich|gestellt|bedrohlich|langweilig|unseriös|veraltet|überladen|unglaubwürdig|steril|leblos"
    r"|aufdringlich|unpersönlich|künstlich|traurig|düster|stressig|altmodisch|abweisend|steif)"
)
_GOOD = (
    r"(?:respectful|trustworthy|inviting|warm|honest|natural|real|authentic|appeti[sz]ing|fresh|friendly|calm\w*|credible"
    r"|homely|fitting|premium|appealing|attractive|reassuring|likeable|vertrauenswürdig|sympathisch|einladend|natürlich|glaubwürdig"
    r"|ehrlich|freundlich|seriös)"
)
_JUDGED = r"(?:called|rated|perceived|seen|read|considered|judged|described|experienced|found|felt|bewertet|empfunden)"
_SUBJECT = r"(?:^|\b(?:while|whereas|but|and)\s)(?P<x>[^.;:,()]{1,120}?)"


def _judgements(adjectives: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of “people called X …” and of “X was perceived as …” for some adjectives."""
    return (
        re.compile(
            rf"\b(?:called|rated|perceived|considered|judged|described|found)\s(?!as\b)(?P<x>[^.;:,()]{{1,120}}?)"
            rf"(?:\sas|\sto be)?\s(?:\w+ly\s)?{adjectives}\b",
            re.IGNORECASE,
        ),
        # “X hielten 64 % der Befragten für gestellt”, “X wirkten auf viele gestellt”
        re.compile(
            rf"^(?P<x>[^.;:,()]{{1,120}}?)\s(?:(?:hielt|fand|empfand|empfind)\w*\s[^.;:,()]{{1,60}}?\s(?:für|als)?"
            rf"|(?:wirk|gelt|galt)\w*\s(?:[^.;:,()]{{1,60}}?\s)?(?:als\s)?){adjectives}\b",
            re.IGNORECASE,
        ),
        re.compile(
            rf"{_SUBJECT}\s(?:is|are|was|were|wurden?|werden|wird)\s(?:[^.;:,()]{{1,40}}\s)?(?:{_JUDGED}\s)?(?:as|als)\s"
            rf"(?:\w+ly\s)?{adjectives}\b",
            re.IGNORECASE,
        ),
        # “X were judged fitting”, “X were remembered but judged unfit”
        re.compile(
            rf"(?:^|[;,]\s(?:(?:and|but|while)\s)?)(?P<x>[^.;:,()]{{1,80}}?)\s(?:is|are|was|were)\s(?:\w+,?\s(?:but|and)\s)?"
            rf"{_JUDGED}\s(?:\w+ly\s)?{adjectives}\b",
            re.IGNORECASE,
        ),
        # of two things the second, without a verb: “neon was rated as clinical, daylight as homely”
        re.compile(
            rf"\b{_JUDGED}\s(?:as\s|als\s)?[\w ]{{1,40}}?[,;]\s(?:and\s|but\s)?(?P<x>[^.;:,()]{{1,80}}?)\s(?:as|als)\s"
            rf"(?:\w+ly\s)?{adjectives}\b",
            re.IGNORECASE,
        ),
        re.compile(
            rf"^(?P<x>[^.;:,()]{{1,120}}?)\swurden?\s(?:\w+\s)?für\s(?:eine?\s)?{adjectives}\sgehalten\b",
            re.IGNORECASE,
        ),
    )


_JUDGED_BADLY, _JUDGED_WELL = _judgements(_BAD), _judgements(_GOOD)
_AGAINST = re.compile(
    r"\b(?:avoid(?:ing|s)?|never (?:use|show|add|include)|(?:do not|don['’]t|should not|shouldn['’]t"
    r"|must not) (?:use|show|add|include)"
    r"|(?:advise[sd]?|advice|warn(?:s|ed)?|recommend(?:s|ed)?) against(?: (?:showing|using|adding))?"
    r"|(?:skip|omit|leave out|leave off|dislike[sd]?|hate[sd]?)"
    r"|refrain from(?: (?:showing|using))?"
    r"|remove|get rid of|distrust\w*(?: \w+){0,4} (?:that use|with|using)|without(?: any)?|(?:is"
    r"|are) no place for|no more)\s+" + _X,
    re.IGNORECASE,
)
_HURTS = re.compile(
    r"(?:^|;\s)(?P<x>[^.;:()]+?)\s(?:lowers?|lowered|reduces?|reduced|hurts?|harms?|deters?|distracts?|alienates?"
    r"|undermines?|senk\w+|verringer\w+|minder\w+"
    rf"|(?:is|are|was|were) (?:\w+ ){{0,3}}(?:associated|connected|linked) with (?:\w+ and )?{_FEARED}"
    rf"|(?:wird|werden|wurden?) (?:[^.;:,()]{{1,40}} )?mit (?:\w+ und )?{_FEARED}(?: und \w+)? (?:verbunden|assoziiert)"
    rf"|ma(?:kes?|de) [^.;:,()]{{1,40}}? (?:look|seem|feel|appear) (?:\w+ly )?{_BAD}"
    r"|ma(?:kes?|de) [^.;:()]{1,40}?\b(?:harder|difficult|worse|illegible|unreadable)"
    r"|(?:look(?:s|ed)?|seem(?:s|ed)?|feels?|felt|appear(?:s|ed)?) (?:\w+ )?(?:cheap|fake|artificial"
    r"|sterile|dated|cold|cluttered)"
    r"|puts? (?:\w+ )?off)\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"(?<!compared )(?<!associate )(?<!associated )\b(?:with(?! text)|show(?:ing|s)?|use|using|include"
    r"|feature|choose|add|prefer(?:s|red)?|recommend(?:s|ed)?|suggest(?:s|ed)?|favou?r(?:s|ed)?"
    r"|(?:images|pictures|photos|photographs) of|(?:bevorzug|schätz|wünsch|empfehl)\w*)\s+(?!against|that\b)"
    + _X,
    re.IGNORECASE,
)
_HELPS = re.compile(
    r"^(?P<x>[^.;:,()]+?)\s(?:ma(?:kes?|de)(?! [^.;:]{1,40}(?:harder|difficult|worse|look|seem|feel))"
    r"|raises?|raised|increases?|increased|improves?|improved|boosts?"
    r"|boosted|converts?|converted"
    r"|(?:is|are|was|were) (?:often |usually )?(?:read|seen|taken|understood"
    r"|perceived) as (?:an? )?(?:proof|signs?|evidence"
    r"|marks?) of (?!\w*(?:loss|danger|risk|neglect|fraud|poverty|decline))"
    r"|attracts?|attracted|erhöh\w+|steiger\w+|verbesser\w+"
    r"|(?:looks?|seems?|feels?|appears?) (?:more )?(?:honest|inviting|warm|natural|real"
    r"|authentic)|appeals?|appealed)\b",
    re.IGNORECASE,
)
_SHOULD_BE = re.compile(
    r"^(?:the )?(?P<thing>[a-z-]+(?: [a-z-]+)?) (?:should|must|ought to) be (?P<x>[^.;:()]+?)" + _END,
    re.IGNORECASE,
)
# One thing replaces another: “A over B”, “A instead of B”, “replace B with A”.
_EXCHANGE = re.compile(
    r"(?:prefer(?:red|s)?\s+(?P<a>[^.;:,()]+?)\s(?:over|to|instead of|rather than)\s(?P<b>[^.;:,()]+?)"
    r"|(?:trust(?:ed|s)?|favou?r(?:ed|s)?|liked?|chose)\s(?P<a5>[^.;:,()]{1,120}?)\s(?:over|more than|rather than)\s"
    r"(?P<b5>[^.;:,()]+?)"
    r"|(?P<a2>[^.;:,()]{1,120}?)\s(?:(?:are|is|were|was)\spreferred\s(?:over|to)|(?:beats?|outperforms?"
    r"|outperformed|(?:sold|sells?|did|does|work(?:ed|s)?|perform(?:ed|s)?|convert(?:ed|s)?) better than))\s"
    r"(?P<b2>[^.;:,()]+?)"
    r"|(?:wirken|wirkt|gelten|sind)\s(?P<a6>[^.;:,()]{1,120}?)\s\w{4,}er\sals\s(?P<b6>[^.;:,()]+?)"
    rf"|(?P<a7>[^.;:,()]{{1,120}}?)\s(?:wirkten?|galten|waren|sind)\s{_GOOD}er\w*\sals\s(?P<b7>[^.;:,()]+?)"
    rf"|(?P<a8>[^.;:,()]{{1,120}}?)\s(?:is|are|was|were)\s(?:{_JUDGED}\s)?(?:as\s)?more\s{_GOOD}\sthan\s(?P<b8>[^.;:,()]+?)"
    r"|replac\w+\s(?P<b3>[^.;:,()]+?)\s(?:with|by)\s(?P<a3>[^.;:,()]+?)"
    r"|(?:use|show|choose)\s(?P<a4>[^.;:,()]+?)\s(?:instead of|rather than|in place of|over)\s(?P<b4>[^.;:,()]+?))"
    r"(?=\s(?:by|in|among|for|at|when|because|and|which)\b|[.;:,()]|$)",
    re.IGNORECASE,
)
# Of two things, more people like the first: “A had 24 % more bookings than B”, “A was called calm by 69 %, B by 31 %”.
_BETTER = re.compile(
    r"^(?P<a>[^.;:()]{1,120}?)\s(?:had|got|have|get|were|was|are|is|received|attracted|hatten?|wurden?|erhielten"
    r"|bekamen|führten)\b[^.;()]{0,60}?\b(?:more|higher|better|(?:twice|three times|\w+ times) as (?:often|much|many)"
    r"|often|häufiger|mehr|höhere[nrs]?|bessere[nrs]?|doppelt so (?:oft|viele?))\b[^.;()]{0,60}?\b(?:than|as|als|wie)\s"
    r"(?P<b>[^.;:,()]+)",
    re.IGNORECASE,
)
# “Shoppers rated pictures that show A higher than B.”
_RATED = re.compile(
    r"\b(?:rated|ranked|scored|judged|found|bewerteten)\s(?!as\b)(?P<a>[^.;:()]{1,120}?)\s(?:higher|better"
    r"|more \w+|besser|höher)\s"
    r"(?:than|als)\s(?P<b>[^.;:,()]+)",
    re.IGNORECASE,
)
_SHARES = re.compile(
    rf"^(?P<a>[^.;:,()]{{1,120}}?)\s(?:were|was|are|is|wurden?|werden)\s[^.;]{{0,80}}?\b{_GOOD}\b[^.;]{{0,60}}?,\s"
    r"(?:and |while |whereas |but |aber )?(?P<b>[^.;:,()]{1,80}?)\s(?:only |just |nur )?(?:by|von|in|bei)\s[\d.,]+\s?%",
    re.IGNORECASE,
)
# Worse is more of these.
_BAD_MEASURE = re.compile(
    r"\b(?:complaints?|returns?|bounce\w*|errors?|refunds?|dropouts?|beschwerden|rückgaben|abbrüche?)\b",
    re.IGNORECASE,
)
_CARRIER = re.compile(
    r"^(?!(?:portrait|landscape) (?:posters?|formats?)\b)"
    rf"(?:the same \w+ |(?:[\w-]+ ){{0,2}}?\w*(?:pages?|seiten|{_PICTURES})"
    r"(?: that (?:show|use|feature|have)| showing| of| with| in| mit| von)? )+(?=\S)",
    re.IGNORECASE,
)
# The attributes that something should be shown with.
_SHOWN_AS = re.compile(r"\bshow(?:ing|n)?\s(?:[\w-]+\s){1,3}?as\s(?P<x>[^.;:()]{3,80})", re.IGNORECASE)
_WHERE = re.compile(
    r"\b(?:backgrounds?|foreground|left|right|top|bottom|cent(?:re|er)|corner|sky|horizon|edge|middle)\b",
    re.IGNORECASE,
)
_STYLE = re.compile(
    r"\b(?:style|tone|mood|light\w*|daylight|flash|colou?rs?|palette|textures?|contrast|saturation|shadows?"
    r"|blur|grain|warm|muted|matte|glossy)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"^(?:(?:and|or|the|an?|any|some|all|very|such|more|several|multiple"
    r"|too many|many|visible|eine?r?|images?|pictures?|photos?|with|of|to"
    r"|we|found|saw|viewers|customers|brands|people(?!\s(?:in|with|of|at|\w+ing)\b)|studies"
    rf"|{_PICTURES} (?:from|with|of|mit|von)|{_PICTURES} (?=in )|(?:strongly|heavily) (?=\w+ed\b)"
    r"|should|must|it|that|this|use of|the use of|showing|show|using|at|heavy use of)\s+)+",
    re.IGNORECASE,
)
_TAILS = re.compile(
    r"\s+(?:in|for|on|at|of|to|by|as)\s+(?:\w+\s){0,2}(?:images?|pictures?|photos?|kitchens?|adverts?|ads|advertising"
    r"|portraits?|consumers|commuters)$",
    re.IGNORECASE,
)
_GENERIC = re.compile(rf"(?:{_PICTURES}|viewers?|advertising|werbung|{_FEARED})", re.IGNORECASE)
_NO_PHRASE = re.compile(
    r"\b(?:%|percent|clicks?|trust|sales|better|viewers?|customers?|women|men|people(?!\s(?:in|with|of|at|\w+ing)\b)"
    r"|consumers?|study|studies"
    r"|brands?|should|because|it|they|more than"
    r"|is|are|was|were|has|have|had|makes?|made|look(?:s|ed)?|seem(?:s|ed)?|felt|improves?d?|increases?d?"
    r"|reduces?d?)\b|\d",  # a complete sentence
    re.IGNORECASE,
)

_GERMAN_ADJECTIVE = re.compile(r"[A-ZÄÖÜ][a-zäöüß]+e[mnrs]? (?=[A-ZÄÖÜ])")
# What a picture has one of: where it is seen from, what lights it, where it is.
_ONE_OF = (
    re.compile(
        r"\b(?:(?:seen |shot |viewed )?from (?:above|below|behind)|eye[- ]level|(?:high|low)(?: camera)?[- ]angle"
        r"|overhead|bird['’]?s[- ]eye|top[- ]down|aerial|close-?up|wide[- ]angle|von (?:oben|unten)|augenhöhe"
        r"|vogelperspektive|froschperspektive|nahaufnahme)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:\w*light(?:ing)?|daylight|flash|candle\w*|backlit|neon\w*|(?:at|by) night|tageslicht|\w*licht|blitz\w*"
        r"|nachts|bei nacht)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:dawn|sunrise|noon|midday|sunset|dusk|golden hour|morgendämmerung|sonnenaufgang|mittag\w*|sonnenuntergang"
        r"|abenddämmerung)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:portrait|landscape|square|hoch|quer)[- ]?(?:format|orientation|posters?|plakate?)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:\w*studio|(?:plain|gr[ae]y|white|grauer|weißer) (?:background|hintergrund)|landscapes?|outdoors|nature"
        r"|at home|landschaft|natur|im freien|draußen|zu hause)\b",
        re.IGNORECASE,
    ),
)
_PEOPLE = re.compile(
    r"\b(?:people|persons?|somebody|someone|anybody|jemand\w*|humans?|hands?|faces?|customers?|guests?|workers?|family|families|child(?:ren)?|wom[ae]n|m[ae]n"
    r"|teams?|generations|menschen|personen|hände|gesichter?|gäste|familien?|kinder)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    rf"\b(?:(?:no|without|keine?|ohne)\s(?:\w+\s)?{_PEOPLE.pattern}|nobody|no ?one|niemand|empty|deserted|unpeopled"
    r"|menschenleer\w*|leere[nrsm]?)\b",
    re.IGNORECASE,
)
# Words of a prompt that make a picture cold or artificial, and comments that ask for the contrary.
_COLD = re.compile(
    r"\b(?:fluorescent|neon\w*|harsh|cold|sterile|clinical|sad|gloomy|bleak|lonely|gr[ae]y|steel|chrome|concrete|glossy"
    r"|flash|high contrast|studio|empty|deserted|plastic|artificial|stiff|posed|grell\w*|kalt\w*|hart\w*|steril\w*"
    r"|trist\w*|traurig\w*|düster\w*|grau\w*|blitz\w*|leere\w?|steif\w*|gestellt\w*|stark\w* make-?up|beton|stahl)\b",
    re.IGNORECASE,
)
_WARMER = re.compile(
    r"\b(?:(?P<wish>warm|cos[iy]|friendl[iy]|inviting|homely|lively|natural|freundlich|gemütlich|lebendig|natürlich)"
    r"(?:er|e?re[nrs]?)?|wärmer\w*)\b|\b(?:looks?|feels?|seems?|too|less|more human|wirkt|zu|weniger)\b[^.;!?\n]{0,20}?"
    r"\b(?:sterile|cold|artificial|lonely|sad|harsh|staged|clinical|stiff|gestellt|kalt|steril|künstlich|traurig"
    r"|hart|unpersönlich)\b",
    re.IGNORECASE,
)
_GERMAN_ENDING = re.compile(r"e[mnrs]?$")
_PARTS = re.compile(
    r"\s(?=(?:in|with|on|at|from|wearing|holding|against|mit|im|auf|vor|unter|neben) )", re.IGNORECASE
)
_PLACE = re.compile(r"\s(?=(?:in|on|at|im|am|auf) )", re.IGNORECASE)
_NAMED_AS_REASON = re.compile(
    rf"^(?P<x>[^.;:,()]+?)\s(?:is|are|was|were) (?:named|cited|given|mentioned) [^.;:]*\breasons? (?:why|that|for)"
    rf" [^.;:]*\b{_GOOD}\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PromptPhrases:
    """The phrases of a prompt; `negative`: those after “--no” or “negative prompt:”."""

    phrases: tuple[str, ...]
    negative: tuple[str, ...] = ()


def read_prompt(text: str) -> PromptPhrases:
    """Split a prompt into its phrases.

    >>> read_prompt("modern kitchen, harsh flash --no text, people --ar 3:2")
    PromptPhrases(phrases=('modern kitchen', 'harsh flash'), negative=('text', 'people'))
    """
    positive, *rest = re.split(r"--no\b|\bnegative(?: prompt)?:", text, flags=re.IGNORECASE)
    return PromptPhrases(_phrases(positive), _phrases(" , ".join(rest)))


def _phrases(text: str) -> tuple[str, ...]:
    flagless = re.sub(r"--\w+(?:\s+[^\s,]+)?", "", text)
    return tuple(phrase for part in re.split(r"[,;.\n]+", flagless) if (phrase := " ".join(part.split())))


@dataclass(frozen=True, slots=True)
class Wish:
    """A phrase that a text is for or against; `instead`: the phrase that it replaces."""

    phrase: str
    is_wanted: bool
    instead: str = ""


def wishes_of(text: str) -> list[Wish]:
    """Return the phrases that, according to a sentence, an image should or should not show."""
    text = " ".join(text.split())
    is_german = detect_language(text) == "de"
    found = (
        Wish(_uncapitalize(wish.phrase, is_german), wish.is_wanted, _uncapitalize(wish.instead, is_german))
        for wish in list(_exchanges(text)) or list(_both(text))
    )
    return list(dict.fromkeys(found))


def _uncapitalize(phrase: str, is_german: bool) -> str:
    """Return the phrase as it stands within a sentence: German nouns keep their capital, abbreviations too."""
    if phrase[:2].isupper() or (is_german and not _GERMAN_ADJECTIVE.match(phrase)):
        return phrase
    return phrase[:1].casefold() + phrase[1:]


def _both(text: str) -> Iterator[Wish]:
    """Yield what the text is against, and what it is for apart from that."""
    refused = list(_refusals(text))
    yield from refused
    stems = frozenset[str]().union(*(content_stems(wish.phrase) for wish in refused))
    yield from (wish for wish in _recommendations(text) if not content_stems(wish.phrase) & stems)


def _exchanges(text: str) -> Iterator[Wish]:
    for found in _EXCHANGE.finditer(text):
        groups = {name: words for name, words in found.groupdict().items() if words}
        new = next(words for name, words in groups.items() if name.startswith("a"))
        old = next(words for name, words in groups.items() if name.startswith("b"))
        for phrase in _split(new)[:1]:
            yield Wish(phrase, is_wanted=True, instead=next(iter(_split(old)), ""))
        return
    compared = _SHARES.match(text)
    if compared is None and not _BAD_MEASURE.search(text):
        compared = _RATED.search(text) or _BETTER.match(text)
    if compared is None or not (old := _split(_CARRIER.sub("", compared["b"]))):
        return
    if phrase := ", ".join(_split(_CARRIER.sub("", compared["a"]))):
        # Of “offices in daylight” against “under neon tubes” it is the light.
        setting = _PARTS.split(phrase)[-1]
        is_rival = any(kind.search(setting) and kind.search(old[0]) for kind in _ONE_OF)
        wanted = setting.split(" ", 1)[-1] if is_rival and setting != phrase else phrase
        yield Wish(wanted, is_wanted=True, instead=old[0])
    yield Wish(old[0], is_wanted=False)


def _refusals(text: str) -> Iterator[Wish]:
    judged = (found for pattern in _JUDGED_BADLY for found in pattern.finditer(text))
    for found in (*_AGAINST.finditer(text), *_HURTS.finditer(text), *judged):
        yield from (Wish(phrase, is_wanted=False) for phrase in _split(found["x"]))


def _recommendations(text: str) -> Iterator[Wish]:
    if thing := _SHOULD_BE.match(text):
        noun = thing["thing"].casefold().removesuffix("s")
        yield Wish(" ".join(f"{thing['x']} {noun}".replace(" and ", ", ").split()).casefold(), is_wanted=True)
        return
    if shown := _SHOWN_AS.search(text):
        yield Wish(shown["x"].strip(" ,"), is_wanted=True)
        return
    judged = (found for pattern in _JUDGED_WELL for found in pattern.finditer(text))
    for found in (
        *_FOR.finditer(text),
        *_HELPS.finditer(text),
        *_NAMED_AS_REASON.finditer(text),
        *judged,
    ):
        yield from (Wish(phrase, is_wanted=True) for phrase in _split(found["x"]))


def _split(text: str) -> list[str]:
    """Split a list into its phrases: “bread or herbs” are two; introductory words are dropped."""
    text = re.sub(r"\b(?:such as|like|including|for example)\b", ",", text)
    text = _ONE_OR_TWO.sub("", text)
    phrases = []
    for part in re.split(r",|\b(?:and|or|und|oder)\b", text):
        phrase = _TAILS.sub("", _LEADS.sub("", part.strip(" \"'“”„,"))).strip()
        if (
            phrase
            and not _GENERIC.fullmatch(phrase)
            and len(phrase.split()) <= MAX_PHRASE
            and not _NO_PHRASE.search(phrase)
        ):
            phrases.append(phrase)
    if len(phrases) > 1 and (
        lead := _GERMAN_PLACE.match(phrases[0])
    ):  # “in Landschaft und Morgenlicht” is in both
        phrases[1:] = [f"{lead[0]}{phrase}" if phrase[:1].islower() else phrase for phrase in phrases[1:]]
    return phrases


_ONE_OR_TWO = re.compile(
    r"\b(?:one|two|three|ein\w*|zwei|drei)\s(?:or|to|oder|bis)\s(?:more\s|mehr\s)?", re.IGNORECASE
)
_GERMAN_PLACE = re.compile(r"in (?=[a-zäöüß]+e[rmn] [A-ZÄÖÜ])")


def edits_by_rules(
    claims: Sequence[BriefDraftClaim], evidence: Sequence[EvidenceWords], context: BriefContext
) -> list[DraftEdit]:
    """Return the edits that the claims support: removals and replacements first, then additions.

    Phrases that a comment asks to keep are not removed.
    """
    prompt, comments = read_prompt(context.existing_content), context.user_comments
    wishes = [
        (number, claim, wish)
        for number, claim in enumerate(claims)
        for text in (claim.text, *_quotes(claim, evidence))
        for wish in wishes_of(text)
    ]
    unwanted = {
        _part_like(wish.phrase, prompt.phrases) for _number, _claim, wish in wishes if not wish.is_wanted
    }
    edits = [
        edit
        for number, claim, wish in wishes
        for edit in _edits(wish, number, claim, evidence, prompt, comments, unwanted)
    ]
    edits = _replace_rivals(_without_repetitions(_merge(edits)), prompt, comments)
    edits = _with_wishes_of_comments(edits, prompt, comments)
    edits += _remaining_rivals(edits, prompt, comments)
    edits += _comment_edits(edits, prompt, comments)
    return _in_turn(_join_removals(edits) if len(edits) > MAX_EDITS else edits, comments)


# How a comment begins that asks for something, before its verb.
_POLITE = re.compile(
    r"^(?:(?:please|maybe|perhaps|also|and|but|ok(?:ay)?|hi|hey|bitte|vielleicht|und|aber|auch)\b[,:]?\s*"
    r"|(?:(?:can|could|would) (?:we|you|it|somebody)|(?:i|we)(?:['’]d| would) (?:like|love"
    r"|prefer)(?: it if you)?(?: to)?"
    r"|(?:i|we) (?:want|wish|need|think we should|think you should)(?: you)?(?: to)?|let['’]?s|how about|what about"
    r"|we should|you should|it would be (?:nice|good|great) to|(?:könn\w+|würd\w+) (?:wir|ihr|sie|du)"
    r"|(?:ich|wir) (?:hätten?|möchten?|wünschen?|wollen)(?: uns| mir)?(?: gern\w*)?)\b\s*(?:please\s|bitte\s)?)+",
    re.IGNORECASE,
)
_ORDER_VERB = (
    r"(?:see|have|show|add|include|use|put|give (?:it|them|her|him)|make (?:it|this|them)|make it look like|go for|try"
    r"|zeig\w*|füg\w*|nimm|nehmt|nutz\w*|mach\w*)"
)
_COMMENT_EXCHANGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:{_ORDER_VERB}\s+)?(?P<a>[^.;:]+?)\s(?:instead of|rather than|in place of|statt"
        rf"|anstelle von)\s(?P<b>[^.;:]+)$",
        r"^(?P<a>[^.;:,]+?)(?:\s(?:please|bitte))?,\s(?:and )?(?:not|nicht|statt)\s(?P<b>[^.;:,]+)$",
        r"^(?:replace|swap|exchange|ersetz\w*|tausch\w*)\s(?P<b>[^.;:]+?)\s(?:with|by|for|durch|gegen)\s(?P<a>[^.;:]+)$",
        r"^(?:change|turn|make|änder\w*|mach\w*)\s(?P<b>[^.;:]+?)\s(?:to|into|in|zu)\s(?P<a>[^.;:]+)$",
        r"^(?:no|without|keine?n?|ohne)\s(?P<b>[^.;:,]+?),\s(?:but|instead|rather|stattdessen|sondern|lieber|dafür)\s(?P<a>[^.;:]+)$",
        r"^(?:instead of|statt|anstelle von)\s(?P<b>[^.;:,]+?)(?:,|\s(?:show|use|lieber|bitte)\b)\s*(?P<a>[^.;:]+)$",
    )
)
_COMMENT_REMOVALS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:get rid of|remove|drop|lose|delete|cut|skip|omit|avoid|take (?:out|away)|leave out|leave off"
        r"|no more|no|without"
        r"|less|fewer|not so much|entfern\w*|streich\w*|lass\w*|ohne|keine?n?|weniger|weg mit)\s"
        r"(?P<x>[^.;:]+?)(?:\s(?:weg|raus|out|away|please|bitte|at all|entfernen|weglassen))*$",
        r"^(?:the|this|that|these|those|der|die|das)?\s*(?P<x>[^.;:,]+?)\s(?:should|must|has to|have to"
        r"|needs? to|can|could"
        r"|soll\w*|muss|müssen|kann|können)\s(?:go|go away|disappear|be (?:removed|gone|dropped)|weg|raus"
        r"|verschwinden)\b.*$",
        r"^(?:i|we|ich|wir)?\s*(?:(?:really )?(?:don['’]?t|do not) (?:like|need|want)|hate|dislike|mag|mögen)\s"
        r"(?P<x>[^.;:,]+?)(?:\snicht)?$",
        r"^(?:the|this|that|der|die|das)?\s*(?P<x>[^.;:,]+?)\s(?:is|are|looks?|feels?|ist|sind"
        r"|wirk\w+)\s(?:too much|too many|too big"
        r"|distracting|annoying|ugly|cheesy|unnecessary|not needed|zu viel|störend|überflüssig|unnötig|kitschig)\b.*$",
        r"^(?P<x>[^.;:,]+?)\s(?:weg|raus|weglassen|entfernen)$",
    )
)
_COMMENT_ADDITIONS = re.compile(
    rf"^{_ORDER_VERB}\s(?P<x>[^.;:]+?)(?:\s(?:please|bitte|hinzu|dazu|zu sehen))*$"
    r"|^(?:more|mehr|some|ein bisschen|a bit (?:of|more))\s(?P<x2>[^.;:]+)$",
    re.IGNORECASE,
)
# “We need a dog”, “How about snow?”: what follows is the thing itself.
_ASKS_FOR = re.compile(
    r"^(?:(?:please|maybe|and|but|bitte)\b,?\s*)*(?:(?:i|we)(?:['’]d| would)? (?:need|want|like|love|miss"
    r"|prefer)|(?:how|what) about"
    r"|(?:wir|ich) (?:brauch\w*|vermiss\w*|hätten? gern\w*)|wie wär\w* es mit)\s(?!to\b|it\b|this\b|that\b"
    r"|them\b|you\b|how\b)",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"\b(?:actually|really|just|simply|maybe|perhaps|preferably|a bit(?: more)?|more|some(?!\w)|please"
    r"|altogether|eher|lieber"
    r"|wirklich|etwas|bitte|mehr|ruhig)\b\s*",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\s(?:im|in|on|with|of|for|mit|in|auf)\s(?:it|them|this|that|there|the (?:picture|image|photo)"
    r"|(?:dem |der )?(?:bild|picture|image)|ihm|ihr|ihnen"
    r"|dort)$",
    re.IGNORECASE,
)
_VAGUE_WISH = re.compile(
    r"^(?:it|this|that|them|something|anything|everything|nothing|better|nicer|different|ok(?:ay)?|good"
    r"|great|the (?:picture|image"
    r"|photo|prompt|text|style)|das|es|was|etwas|alles|besser|schöner|anders"
    r"|bigger|smaller|größer|kleiner)\b[^,]{0,12}$",
    re.IGNORECASE,
)
_REASON = re.compile(
    r",\s(?:(?:they|it|that|this|these|those|because|since|sie|es|das|weil|denn)\b|['’]cause).*$",
    re.IGNORECASE,
)
MAX_WISH = 8  # words of a phrase that a comment asks for


def comment_wishes(sentence: str) -> list[Wish]:
    """Return what a sentence of a comment asks to see, to leave out, or to exchange.

    >>> comment_wishes("Can we get rid of the sale banner?")
    [Wish(phrase='sale banner', is_wanted=False, instead='')]
    >>> comment_wishes("Make it a foggy morning instead of the studio light.")
    [Wish(phrase='foggy morning', is_wanted=True, instead='studio light')]
    """
    is_german = detect_language(sentence) == "de"
    return [
        replace(
            wish,
            phrase=_uncapitalize(wish.phrase, is_german),
            instead=_uncapitalize(wish.instead, is_german),
        )
        for wish in _read_comment(sentence)
    ]


def _read_comment(sentence: str) -> list[Wish]:
    text = _POLITE.sub("", sentence.strip(' .!?"“”')).strip(" ,")
    text = _REASON.sub("", text)
    for pattern in _COMMENT_EXCHANGES:
        if found := pattern.match(text):
            new, old = _wished(found["a"]), _wished(found["b"])
            return [Wish(new, is_wanted=True, instead=old)] if new and old else []
    for pattern in _COMMENT_REMOVALS:
        if found := pattern.match(text):
            phrases = map(_wished, re.split(r",|\b(?:and|or|und|oder)\b", found["x"]))
            return [Wish(phrase, is_wanted=False) for phrase in phrases if phrase]
    if (found := _COMMENT_ADDITIONS.match(text)) and (phrase := _wished(found["x"] or found["x2"])):
        return [Wish(phrase, is_wanted=True)]
    if (asked := _ASKS_FOR.match(sentence)) and (phrase := _wished(sentence[asked.end() :].strip(" .!?"))):
        return [Wish(phrase, is_wanted=True)]
    return []


def _wished(text: str) -> str:
    """Return the phrase of a wish without article, emphasis and what only points elsewhere; empty if it says little."""
    phrase = _POINTER.sub("", _EMPHASIS.sub("", text).strip(" ,\"“”'"))
    phrase = re.sub(
        r"^(?:the|an?|any|our|this|that|der|die|das|den|dem|eine?[nmrs]?|unsere?n?)\s", "", phrase, flags=re.I
    )
    is_long = len(phrase.split()) > MAX_WISH
    return "" if is_long or len(phrase) < 3 or _VAGUE_WISH.match(phrase) else phrase.strip()


def _with_wishes_of_comments(
    edits: Sequence[DraftEdit], prompt: PromptPhrases, comments: str
) -> list[DraftEdit]:
    """Add the edits that comments ask for. They rest on no claim; an edit of the evidence that does the same stays."""
    made = list(edits)
    for sentence in _comment_sentences(comments):
        if _asks_to_keep(sentence):
            continue
        is_mood = bool(_WARMER.search(sentence))
        for wish in comment_wishes(sentence):
            if is_mood and not wish.instead:
                continue  # a wish for a mood, which `_comment_edits` grants
            made = _grant(wish, sentence, made, prompt, comments)
    return made


def _grant(
    wish: Wish, sentence: str, edits: Sequence[DraftEdit], prompt: PromptPhrases, comments: str
) -> list[DraftEdit]:
    old = _find_unwanted(wish, prompt)
    if wish.is_wanted and not old:
        if not wish.instead and _phrase_like(wish.phrase, prompt.phrases):
            return list(edits)  # it is in the prompt
        old = _rival(wish.phrase, _parts_left(edits, prompt, comments))
    reason = f"It answers the comment “{shorten_text(sentence, 80)}”"
    for place, edit in enumerate(edits):
        if _does_as_wished(edit, wish, old):
            if reason not in edit.reasoning:
                told = shorten_text(f"{edit.reasoning} {reason}", MAX_REASON)
                edit = edit.model_copy(update={"reasoning": told})
            return [*edits[:place], edit, *edits[place + 1 :]]
    if not wish.is_wanted and not old and _phrase_like(wish.phrase, prompt.negative):
        return list(edits)
    changed = [
        DraftEdit(
            target=target,
            action=action,
            value=shorten_text(value, MAX_VALUE),
            reasoning=reason,
            claims=[],
            answers_comment=True,
        )
        for target, action, value in (*_changes_for(wish, old, prompt), *_keep_kind_out(wish, old, prompt))
    ]
    # What the comment replaces needs no other edit.
    touched = [edit.value.split(" → ")[0] for edit in changed if edit.action != "add"]
    others = [
        edit
        for edit in edits
        if edit.action == "add" or not any(_touches(edit, phrase) for phrase in touched)
    ]
    return [*others, *changed]


def _keep_kind_out(wish: Wish, old: str, prompt: PromptPhrases) -> list[tuple[Target, Action, str]]:
    """Return the negative prompt for a kind, “people”, of which the prompt has only one: “family at a picnic”."""
    kind = wish.instead if wish.is_wanted else wish.phrase
    is_other = (
        bool(old)
        and _PEOPLE.fullmatch(kind) is not None
        and not _PEOPLE.search(wish.phrase if wish.is_wanted else "")
    )
    if not is_other or _part_named(kind, [old]) or _phrase_like(kind, prompt.negative):
        return []
    return [("negative_prompt", "add", kind)]


def _find_unwanted(wish: Wish, prompt: PromptPhrases) -> str:
    """Return the phrase of the prompt, or the part of one, that a wish is against: “no people” is against a family."""
    unwanted = wish.instead if wish.is_wanted else wish.phrase
    if not unwanted:
        return ""
    if (old := _part_named(unwanted, prompt.phrases)) or not _PEOPLE.fullmatch(unwanted):
        return old
    parts = (part for whole in prompt.phrases for part in _PARTS.split(whole))
    shown = next(filter(_PEOPLE.search, parts), "")
    whole = next((phrase for phrase in prompt.phrases if shown and phrase.startswith(shown)), shown)
    # Where the people were stays for what replaces them: nobody objected to “in the forest”.
    return _PLACE.split(whole, maxsplit=1)[0] if wish.is_wanted else whole


def _changes_for(wish: Wish, old: str, prompt: PromptPhrases) -> list[tuple[Target, Action, str]]:
    """Return the changes that grant a wish. A scene of its own takes the place of a setting and its subject."""
    is_setting = wish.is_wanted and _PARTS.match(f" {old}") and not _PARTS.match(f" {wish.phrase}")
    if not is_setting:
        return [_change(wish, old)]
    if len(_PARTS.split(wish.phrase)) > 1:
        return [_change(wish, next((whole for whole in prompt.phrases if old in whole), old))]
    return [_change(Wish(old, is_wanted=False), old), _change(Wish(wish.phrase, is_wanted=True), "")]


def _touches(edit: DraftEdit, phrase: str) -> bool:
    touched = edit.value.split(" → ")[0].casefold()
    return phrase.casefold() in touched or touched in phrase.casefold()


def _does_as_wished(edit: DraftEdit, wish: Wish, old: str) -> bool:
    """Return True if an edit removes what the wish is against, or brings what it is for."""
    if not wish.is_wanted:
        if edit.target == "negative_prompt" and not old:
            return bool(_phrase_like(wish.phrase, [edit.value]))
        goes = edit.action == "remove" or (
            edit.action == "replace" and not _phrase_like(wish.phrase, [edit.value.split(" → ")[-1]])
        )
        return bool(old) and goes and _touches(edit, old)
    if edit.action == "remove" or edit.target == "negative_prompt":
        return False
    brought = edit.value.split(" → ")[-1]
    if old and edit.action == "replace" and not _touches(edit, old):
        return False
    both_show_people = _PEOPLE.search(brought) and _PEOPLE.search(wish.phrase)
    return bool(both_show_people or _phrase_like(wish.phrase, [brought]))


def _part_named(phrase: str, candidates: Sequence[str]) -> str:
    """Return the phrase of a prompt, or its part after a preposition, that a comment names in its own words."""
    if found := _part_like(phrase, candidates):
        return found
    stems = content_stems(phrase)
    parts = [part for whole in candidates for part in _PARTS.split(whole)]
    return next((part for part in parts if stems and stems <= content_stems(part)), "")


def _replace_rivals(edits: Sequence[DraftEdit], prompt: PromptPhrases, comments: str) -> list[DraftEdit]:
    """Turn additions into replacements of the phrase that they exclude: a landscape replaces a grey background."""
    made: list[DraftEdit] = []
    for edit in edits:
        left = [part for part in _parts_left([*made, *edits], prompt, comments) if part in prompt.phrases]
        rival = _rival(edit.value, left) if edit.action == "add" and edit.target != "negative_prompt" else ""
        if rival:
            edit = edit.model_copy(
                update={"action": "replace", "target": "base_prompt", "value": f"{rival} → {edit.value}"}
            )
        made.append(edit)
    return made


def _join_removals(edits: Sequence[DraftEdit]) -> list[DraftEdit]:
    """Join the removals into one, so that there is room for what to add."""
    removals = [edit for edit in edits if edit.action == "remove"]
    if len(removals) < 2:
        return list(edits)
    claims = dict.fromkeys(claim for edit in removals for claim in edit.claims)
    joined = removals[0].model_copy(
        update={
            "value": shorten_text(", ".join(edit.value for edit in removals), MAX_VALUE),
            "claims": list(claims),
            "answers_comment": any(edit.answers_comment for edit in removals),
        }
    )
    return [joined if edit is removals[0] else edit for edit in edits if edit not in removals[1:]]


def _remaining_rivals(edits: Sequence[DraftEdit], prompt: PromptPhrases, comments: str) -> list[DraftEdit]:
    """Return removals of what would contradict the edits: a second light, or that nobody is in the picture."""
    left = _parts_left(edits, prompt, comments)
    removals: dict[str, list[int]] = {}
    reasoning = ""
    for edit in edits:
        if edit.target == "negative_prompt" or edit.action == "remove":
            continue
        new = edit.value.split(" → ")[-1]
        for part in left:
            excludes = any(kind.search(new) and kind.search(part) for kind in _ONE_OF)
            nobody = _NOBODY.search(part) if _PEOPLE.search(new) else None
            value = part if excludes or (nobody and _says_nobody(part)) else nobody[0] if nobody else ""
            if value and content_stems(part) != content_stems(new):
                removals.setdefault(value, []).extend(edit.claims)
                reasoning = reasoning or edit.reasoning
    if not removals:
        return []
    claims = list(dict.fromkeys(claim for each in removals.values() for claim in each))
    return [
        DraftEdit(
            target="base_prompt",
            action="remove",
            value=", ".join(removals),
            reasoning=reasoning,
            claims=claims,
            answers_comment=not claims,
        )
    ]


def _says_nobody(phrase: str) -> bool:
    """Return True if the phrase is on the absence of people alone: “no people”, “nobody in the picture”."""
    found = _NOBODY.match(phrase)
    return found is not None and found[0].split()[0].casefold() in _NEGATIONS


_NEGATIONS = frozenset("no without nobody noone keine kein ohne niemand".split())


def _parts_left(edits: Iterable[DraftEdit], prompt: PromptPhrases, comments: str) -> list[str]:
    """Return the parts of the prompt that no edit touches and no comment asks to keep."""
    touched = [
        phrase.casefold()
        for edit in edits
        if edit.action != "add" and edit.target != "negative_prompt"
        for phrase in edit.value.split(" → ")[0].split(", ")
    ]
    return [
        part
        for phrase in prompt.phrases
        for part in _PARTS.split(phrase)
        if not any(part.casefold() in value or value in part.casefold() for value in touched)
        and not _is_kept(part, comments)
    ]


def _comment_edits(edits: Sequence[DraftEdit], prompt: PromptPhrases, comments: str) -> list[DraftEdit]:
    """Return the edits that a comment on the mood asks for, of phrases that the evidence leaves.

    They rest on no claim.
    """
    asked = _WARMER.search(comments)
    if asked is None:
        return []
    wish = (asked["wish"] or ("warm" if asked[0].casefold().startswith("wärmer") else "")).casefold()
    wish = {"cosi": "cosy", "friendli": "friendly"}.get(wish, wish)
    sentence = next(part for part in _comment_sentences(comments) if asked[0] in part)
    reasoning = f"It answers the comment “{shorten_text(sentence, 80)}”"
    changes, removals = [], []
    for part in _parts_left(edits, prompt, comments):
        if (cold := _COLD.search(part)) is None:
            continue
        words = part.split()
        if wish and len(words) == 2 and cold.start() == 0 and words[0] == cold[0]:
            changes.append(f"{part} → {_in_form_of(wish, cold[0])} {words[1]}")
        else:  # of the subject, only what makes it cold
            removals.append(cold[0] if prompt.phrases[0].startswith(part) else part)
    made = [("replace", change) for change in changes]
    made += [("remove", ", ".join(removals))] if removals else []
    return [
        DraftEdit(
            target="base_prompt",
            action=action,
            value=value,
            reasoning=reasoning,
            claims=[],
            answers_comment=True,
        )
        for action, value in made
    ]


def _in_form_of(adjective: str, other: str) -> str:
    """Return the adjective with the ending of another one: “freundliches” for “grelles”."""
    ending = _GERMAN_ENDING.search(other)
    return (
        f"{adjective}{ending[0]}" if ending and detect_language(f"{other} {adjective}") == "de" else adjective
    )


_RATIO = re.compile(r"--ar\s+(\d+):(\d+)")
_UPRIGHT = re.compile(r"\b(?:portrait|hoch)[- ]?(?:format|orientation|posters?|plakate?)\b", re.IGNORECASE)
_LYING = re.compile(r"\b(?:landscape|quer)[- ]?(?:format|orientation|posters?|plakate?)\b", re.IGNORECASE)


def _turn_ratio(flags: str, edits: Iterable[PromptEdit]) -> str:
    """Return the flag of the turned aspect ratio if the edits change the format, “--ar 2:3” for “--ar 3:2”; else ""."""
    found = _RATIO.search(flags)
    if found is None:
        return ""
    width, height = int(found[1]), int(found[2])
    brought = [
        edit.value.split(" → ")[-1]
        for edit in edits
        if edit.action != "remove" and edit.target != "negative_prompt"
    ]
    is_turned = any(
        (_UPRIGHT.search(new) and width > height) or (_LYING.search(new) and width < height)
        for new in brought
    )
    return f"--ar {height}:{width}" if is_turned else ""


_FLAG = re.compile(r"--(?!no\b)\w+(?:\s+[^\s,]+)?")


def apply_edits(prompt: str, edits: Iterable[PromptEdit]) -> str:
    """Return the prompt with the edits made: phrases removed and replaced in place, additions at their end."""
    edits = list(edits)
    flags = " ".join(_FLAG.findall(prompt))
    if turned := _turn_ratio(flags, edits):
        flags = _RATIO.sub(turned, flags)
    positive, *negative = re.split(
        r"--no\b|\bnegative(?: prompt)?:", _FLAG.sub("", prompt), maxsplit=1, flags=re.IGNORECASE
    )
    refused = list(filter(None, (part.strip() for part in negative)))
    for edit in edits:
        old, _, new = edit.value.partition(" → ")
        if edit.target == "negative_prompt":
            refused += [edit.value]
        elif edit.action == "add":
            positive = f"{positive.rstrip(' ,.')}, {edit.value}"
        else:
            for phrase in [old] if edit.action == "replace" else [old, *old.split(", ")]:
                found = re.search(re.escape(phrase), positive, re.IGNORECASE)
                if found:
                    positive = f"{positive[: found.start()]}{new}{positive[found.end() :]}"
    phrases = [" ".join(phrase.split()) for phrase in positive.split(",")]
    whole = ", ".join(filter(None, phrases))
    no = f"--no {', '.join(refused)}" if refused else ""
    return " ".join(filter(None, (whole[:1].upper() + whole[1:], no, flags)))


def _without_repetitions(edits: Sequence[DraftEdit]) -> list[DraftEdit]:
    """Leave out additions that a replacement brings in other words."""
    brought = [content_stems(edit.value.split("→")[-1]) for edit in edits if edit.action == "replace"]
    return [
        edit
        for edit in edits
        if edit.action != "add"
        or edit.target == "negative_prompt"
        or not any(
            len(content_stems(edit.value) & stems)
            >= SAME_PHRASE * min(len(content_stems(edit.value)), len(stems))
            for stems in brought
            if stems
        )
    ]


def _in_turn(edits: Iterable[DraftEdit], comments: str) -> list[DraftEdit]:
    """Order edits: those that answer a comment first, then changes; one of each claim before a second of any."""
    rank = {"style_modifier": 1, "regional_constraint": 1, "base_prompt": 2, "negative_prompt": 3}
    ordered = sorted(
        edits,
        key=lambda edit: (
            not _shares(edit.value, comments),
            rank[edit.target]
            if edit.action == "add"
            else 0
            if edit.claims or edit.action == "replace"
            else 2.5,
        ),
    )
    turns: dict[int, int] = {}
    placed = []
    for edit in ordered:
        first = next(iter(edit.claims), -1)
        turn = turns.get(first, 0) if edit.action == "add" else 0
        turns[first] = turns.get(first, 0) + (edit.action == "add")
        placed.append((turn, edit))
    return [edit for _turn, edit in sorted(placed, key=lambda pair: pair[0])]


def _quotes(claim: BriefDraftClaim, evidence: Sequence[EvidenceWords]) -> Iterator[str]:
    for words in evidence:
        if any(words.source == span.source and words.start <= span.start < words.end for span in claim.spans):
            yield words.text


def _edits(
    wish: Wish,
    number: int,
    claim: BriefDraftClaim,
    evidence: Sequence[EvidenceWords],
    prompt: PromptPhrases,
    comments: str,
    unwanted: Collection[str],
) -> Iterator[DraftEdit]:
    """Yield the edits that a wish asks for; phrases that are `unwanted` anyway are removed for that reason."""
    old = _part_like(wish.instead or wish.phrase, prompt.phrases)
    if not old and wish.instead:  # only its setting is in the prompt: “studio shots on a white background”
        settings = _PARTS.split(wish.instead)[1:]
        old = next(filter(None, (_part_like(setting, prompt.phrases) for setting in settings)), "")
    if wish.is_wanted and not (wish.instead and old):
        if _part_like(wish.phrase, prompt.phrases):  # it is in the prompt
            return
        rival = _rival(wish.phrase, prompt.phrases)
        old = "" if rival in unwanted else rival
    if (old and _is_kept(old, comments)) or (
        not wish.is_wanted and _phrase_like(wish.phrase, prompt.negative)
    ):
        return
    if wish.is_wanted and _PARTS.match(f" {old}") and not _PARTS.match(f" {wish.phrase}"):
        # a part with a preposition gives way, and what replaces it stands alone
        changes = [_change(Wish(old, is_wanted=False), old), _change(Wish(wish.phrase, is_wanted=True), "")]
    else:
        changes = [_change(wish, old)]
    for target, action, value in changes:
        yield DraftEdit(
            target=target,
            action=action,
            value=shorten_text(value, MAX_VALUE),
            reasoning=_reasoning(claim, evidence, value, comments),
            claims=[number],
        )


def _change(wish: Wish, old: str) -> tuple[Target, Action, str]:
    """Return the target, the action and the value of an edit.

    `old`: the phrase of the prompt that the wish opposes or replaces.
    """
    if not wish.is_wanted:
        return ("base_prompt", "remove", old) if old else ("negative_prompt", "add", wish.phrase)
    if not old:
        return target_of(wish.phrase), "add", wish.phrase
    target = target_of(wish.phrase)  # a replacement goes where the old phrase stands
    return "base_prompt" if target == "style_modifier" else target, "replace", f"{old} → {wish.phrase}"


def _reasoning(claim: BriefDraftClaim, evidence: Sequence[EvidenceWords], value: str, comments: str) -> str:
    """Name the evidence for the edit and the comment that it answers."""

    quotes = list(_quotes(claim, evidence))
    quote = max(
        quotes, key=lambda candidate: len(content_stems(candidate) & content_stems(value)), default=claim.text
    )
    title = next((words.title for words in evidence if words.text == quote), "")
    source = f"{shorten_text(title, 80)}: " if title else ""
    reason = f"{source}“{shorten_text(quote, 200)}”"
    comment = next((sentence for sentence in _comment_sentences(comments) if _shares(value, sentence)), "")
    return shorten_text(
        f"{reason} It answers the comment “{shorten_text(comment, 80)}”" if comment else reason,
        MAX_REASON,
    )


def _comment_sentences(comments: str) -> list[str]:
    return [sentence.strip() for sentence in re.split(r"(?<=[.!?])\s+|[;\n]+", comments) if sentence.strip()]


def _shares(value: str, text: str) -> bool:
    return bool(content_stems(value) & content_stems(text) - _ARTICLES)


_ARTICLES = frozenset("der die das den dem des ein eine".split())


_KEEPS = re.compile(
    r"\b(?:keep|leave(?! (?:out|off))|stay\w*|retain|(?<!not )(?<!n['’]t )like the|love the"
    r"|(?:do not|don['’]t|never) (?:change|touch|remove)"
    r"|behalten|bleib\w*|lassen(?! wir)|nicht (?:ändern|verändern|entfernen))\b",
    re.IGNORECASE,
)


def _asks_to_keep(sentence: str) -> bool:
    return bool(_KEEPS.search(sentence))


def _is_kept(phrase: str, comments: str) -> bool:
    return any(
        _asks_to_keep(sentence) and _shares(phrase, sentence) for sentence in _comment_sentences(comments)
    )


def _phrase_like(phrase: str, candidates: Iterable[str]) -> str:
    """Return the phrase of a prompt that shows the same (most content words are shared); empty if there is none."""
    stems = content_stems(phrase)
    for candidate in candidates:
        others = content_stems(candidate)
        shared = sum(any(_is_form_of(stem, other) for other in others) for stem in stems)
        if (
            shared
            and shared >= 0.6 * min(len(stems), len(others))
            and shared >= min(2, len(stems), len(others))
        ):
            return candidate
    return ""


def _part_like(phrase: str, candidates: Iterable[str]) -> str:
    """Return the phrase of a prompt that shows the same, or only its part that does: “in wheelchair”."""
    found = _phrase_like(phrase, candidates)
    if content_stems(found) <= content_stems(phrase):
        return found
    parts = _PARTS.split(found)
    return (_phrase_like(phrase, parts) or found) if len(parts) > 1 else found


def _is_form_of(stem: str, other: str) -> bool:
    """Return True for the same stem, also with the ending of a German adjective or noun: “rot”, “rotem”."""
    short, long = sorted((stem, other), key=len)
    return (
        short == long
        or (len(short) > 2 and long in {short + ending for ending in ("e", "em", "en", "er", "es")})
        or (len(short) >= LONG_STEM and long.startswith(short))  # the beginning of a compound
    )


def _rival(phrase: str, candidates: Iterable[str]) -> str:
    """Return the phrase of a prompt that the phrase replaces.

    It has the same subject, its last word, but other attributes, it is another of what a picture has one of, or it says
    that nobody is there.
    """
    head = content_stems(phrase.split()[-1])
    for candidate in (part for whole in candidates for part in (whole, *_PARTS.split(whole))):
        words = candidate.split()
        has_same_head = len(words) > 1 and bool(head) and content_stems(words[-1]) == head
        parts = _PARTS.split(candidate)
        is_part = len(parts) == 1 or (len(parts) == 2 and len(parts[0].split()) == 1)  # “seen from above”
        excludes = is_part and any(kind.search(phrase) and kind.search(candidate) for kind in _ONE_OF)
        excludes = excludes or (_PEOPLE.search(phrase) is not None and _says_nobody(candidate))
        if (has_same_head or excludes) and content_stems(candidate) != content_stems(phrase):
            return candidate
    return ""


def _merge(edits: Iterable[DraftEdit]) -> list[DraftEdit]:
    """Merge edits of the same phrase into one, with the claims of all."""
    merged: dict[tuple[str, frozenset[str]], DraftEdit] = {}
    for edit in edits:
        what = edit.value.split(" → ")[0] if edit.action == "replace" else edit.value
        key = (edit.action, content_stems(what) or frozenset({what}))
        twin = next(
            (merged_key for merged_key in merged if merged_key[1] <= key[1] or key[1] <= merged_key[1]), None
        )
        if twin is None:
            merged[key] = edit
        elif not set(edit.claims) & set(merged[twin].claims):
            merged[twin] = merged[twin].model_copy(update={"claims": [*merged[twin].claims, *edit.claims]})
    return _join_phrases(merged.values())


def _join_phrases(edits: Iterable[DraftEdit]) -> list[DraftEdit]:
    """Join the additions, and the removals, of one claim in one part of the prompt: “needles, laboratory equipment”."""
    joined: dict[object, DraftEdit] = {}
    for edit in edits:
        is_joined = edit.action != "replace"
        key = (edit.target, edit.action, edit.claims[0]) if is_joined else (edit.action, edit.value)
        earlier = joined.get(key)
        value = f"{earlier.value}, {edit.value}" if earlier else edit.value
        joined[key] = (
            edit if earlier is None else earlier.model_copy(update={"value": shorten_text(value, MAX_VALUE)})
        )
    return list(joined.values())


def target_of(phrase: str) -> Target:
    """Return the part of the prompt to which a phrase belongs.

    >>> target_of("natural light from a window"), target_of("pale background"), target_of("a cat")
    ('style_modifier', 'regional_constraint', 'base_prompt')
    """
    if _WHERE.search(phrase):
        return "regional_constraint"
    return "style_modifier" if _STYLE.search(phrase) else "base_prompt"


def shorten_text(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rsplit(' ', 1)[0]} …"


def rank_edits(
    edits: Iterable[DraftEdit], numbers: Sequence[int | None], claims: Iterable[KeyClaim]
) -> list[PromptEdit]:
    """Give each edit the mean confidence of the brief's claims that support it; drop it if none does.

    `numbers`: the number of each draft claim in the brief, None if it was left out. An edit without claims rests on a
    comment. Edits above
    `GOOD_EDIT` are taken first, in the order of the draft; the result begins with the most confident one.
    """
    confidences = {claim.number: claim.confidence for claim in claims}
    scored = list(_score_edits(edits, numbers, confidences))
    good = [edit for edit in scored if edit.confidence > GOOD_EDIT]
    weak = sorted((edit for edit in scored if edit not in good), key=lambda edit: -edit.confidence)
    return sorted([*good, *weak][:MAX_EDITS], key=lambda edit: -edit.confidence)


def _score_edits(
    edits: Iterable[DraftEdit], numbers: Sequence[int | None], confidences: Mapping[int, float]
) -> Iterator[PromptEdit]:
    seen = set[tuple[Target, Action, str]]()
    for edit in edits:
        placed = {numbers[index] for index in edit.claims if 0 <= index < len(numbers)}
        support = sorted(number for number in placed if number is not None and number in confidences)
        value = shorten_text(edit.value, MAX_VALUE)
        place = (edit.target, edit.action, edit.value.casefold())
        if (support or edit.answers_comment) and value and place not in seen:
            seen.add(place)
            trusted = sum(confidences[number] for number in support) / len(support) if support else COMMENTED
            yield PromptEdit(
                target=edit.target,
                action=edit.action,
                value=value,
                reasoning=shorten_text(edit.reasoning, MAX_REASON),
                confidence=round(trusted, 4),
                supporting_claims=support,
            )
