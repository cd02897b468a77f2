"""May a digest repeat this sentence? By rules, in English and German, the same for people's words and a model's.

Where a sentence belongs to a dangerous field, every part of it has to be one of these: a warning, advice to call a
professional, or a plain statement in which nothing is done. All else is taken for an instruction; so is what says that
something dangerous works, or that a safeguard is not needed. Words of other languages are none of the three.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from research.pipelines.digest.safety import verbs
from research.pipelines.digest.safety.fields import DangerArea, fields_in

LONGEST = 5_000  # characters: nobody reads a longer sentence, and rules would go over it again and again


class DangerReason(StrEnum):
    INSTRUCTION = "instruction"  # for dangerous work
    STEPS = "steps"  # step by step, whatever the work
    READER = "reader"  # it speaks to who reads for the digest
    DISGUISED = "disguised"  # letters set apart, or a sentence without an end, so that no rule reads them


@dataclass(frozen=True, slots=True)
class Danger:
    why: DangerReason
    field: DangerArea | None = None


_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_SPELLED = re.compile(r"(?:(?<!\w)\w[\s._*\-]+){4,}\w(?!\w)")
_READER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|the)\b.{0,30}"
    r"\b(?:instructions?|prompts?|rules?|messages?|guidelines?)\b"
    r"|\b(?:system prompt|as an ai|language model|you are (?:now|an? (?:ai|assistant))|in every answer"
    r"|jailbreak)\b"
    r"|\b(?:ignorier\w*|vergiss|missachte)\b.{0,40}\b(?:anweisung\w*|vorgaben|regeln|prompt\w*)\b",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\b(?:step|schritt)\s*(?:\d|one|two|eins|zwei)|^\s*\(?\d{1,2}[.)]\s+\S"
    r"|\b(?:first(?:ly)?|zuerst|als erstes)\b.{3,}\b(?:then|next|second(?:ly)?|after that|dann|danach"
    r"|anschließend)\b"
    r"|\b(?:and|,|;|\.) ?(?:then|dann|danach)\b.{3,}",
    re.IGNORECASE | re.DOTALL,
)
_CUT = re.compile(
    r"[,;:.!?()\[\]{}…/–—]+\s*|\s-+\s*|\s+(?=(?:and|but|then|just|simply|instead|or|so|unless|until|while"
    r"|before|after|because|"
    r"rather|und|aber|dann|sondern|oder|einfach|stattdessen|sonst|bevor|nachdem|weil|während)\b)",
    re.IGNORECASE,
)
_FILLERS = re.compile(
    r"^(?:(?:and|but|so|then|or|well|ok(?:ay)?|yes|no|yeah|honestly|seriously|imo|also|first|next|finally"
    r"|now|please|always"
    r"|actually|basically|obviously|usually|und|aber|also|dann|oder|ja|nein|bitte|zuerst|erst|danach|jetzt"
    r"|immer)\b[\s,]*)+",
    re.IGNORECASE,
)
_WARNING = re.compile(
    r"^(?:please\s+)?(?:do not|don['’]?t|never|avoid|under no circumstances|you (?:must|should) (?:not|never)"
    r"|nobody should|no one should|(?:bitte )?niemals|nie|auf keinen fall|bloß nicht|keinesfalls|hände weg"
    r"|finger weg)\b",
    re.IGNORECASE,
)
# Against what protects: to warn of it, or to call it needless, is the opposite of a warning.
_SAFEGUARD = re.compile(
    r"\b(?:turn(?:ing)? (?:it |the \w+ |power )?off|shut(?:ting)? (?:it |the \w+ |power )?off"
    r"|switch(?:ing)? .{0,20}off|unplug\w*"
    r"|permits?|inspect\w*|electricians?|plumbers?|engineers?|mechanics?|doctors?|pharmacists?"
    r"|professionals?|pros?|expert\w*"
    r"|gloves|goggles|mask|respirator|ventilat\w*|stands?|supports?|props?|shor\w+|worry|bother\w*|afraid"
    r"|scared|wait"
    r"|waste|overthink\w*|listen\w*|trust\w*|pay\w*|hire|hiring|call\w*|see|need|power down"
    r"|de-?energi[sz]\w*|depressuri[sz]\w*"
    r"|abschalt\w*|ausschalt\w*|abstell\w*|fachmann|fachleute\w*|fachbetrieb\w*|elektriker\w*|statiker\w*"
    r"|arzt|ärzt\w*|apotheke\w*"
    r"|handschuh\w*|genehmigung\w*|sorge\w*|angst|abstütz\w*|werkstatt|meister\w*|hören|glauben?|bezahl\w*"
    r"|warte\w*|brauch\w*)\b",
    re.IGNORECASE,
)
_NEEDLESS = re.compile(
    r"\b(?:no need|not? (?:need\w*|required|necessary)|(?:don['’]?t|do not|doesn['’]?t|does not|never"
    r"|without|instead of|skip\w*"
    r"|forget|rather than|unnecessary|pointless|overkill|useless|scam|myth|optional|nicht (?:nötig|notwendig)"
    r"|unnötig\w*|überflüssig\w*|brauch\w* (?:man |du )?(?:kein\w*|nicht)|ohne|statt|anstatt|kein\w*"
    r"|vergiss))\b",
    re.IGNORECASE,
)
_PROFESSIONAL = re.compile(
    r"^(?:(?:you|one|they|we|he|she|it|i)\s+(?:should|must|need to|have to|had to|would"
    r"|better)?\s*)?(?:really\s+|definitely\s+|just\s+)?"
    r"(?:call(?:ed)?|hire|hired|consult|contact(?:ed)?|see|ask|get|have|leave it to|go to|talk to|rufe?n?"
    r"|frage?n?|hole?n?"
    r"|beauftrage?n?|lassen?)\b.{0,40}\b(?:electricians?|plumbers?|(?:\w+\s)?engineers?|mechanics?|doctors?"
    r"|pharmacists?|professionals?"
    r"|pros?|specialists?|inspector|contractors?|fire (?:department|brigade)|gas company|utility"
    r"|poison control|911|112|999|dentist"
    r"|garage|elektriker\w*|fachmann|fachbetrieb\w*|statiker\w*|arzt|ärztin|apotheke\w*|notruf|feuerwehr"
    r"|werkstatt|installateur\w*"
    r"|gasversorger|netzbetreiber)\b",
    re.IGNORECASE,
)
_ASSURED = re.compile(
    r"\b(?:works? (?:fine|great|perfect\w*|well|just|ok|like|every|for)|worked|does the (?:trick|job)"
    r"|did the (?:trick|job)|will do|do the trick|(?:totally|perfectly"
    r"|completely|quite|pretty|absolutely|is|are|it['’]?s) (?:fine|safe|harmless|ok(?:ay)?)|no (?:problem"
    r"|big deal|issue)|never had"
    r"|good enough|enough to|all (?:you|it) (?:need|take)s?|the (?:trick|way|secret|key|easiest|best|fix"
    r"|solution|answer) (?:is|to|was)"
    r"|best (?:way|fix|trick)|easy fix|easiest|hack|lifehack|(?:völlig|ganz|absolut|total) (?:sicher"
    r"|ungefährlich|harmlos|unproblematisch)"
    r"|reicht|geht (?:auch|schon|super|prima|easy)|klappt\w*|funktionier\w*|kein problem"
    r"|passiert (?:schon )?nichts|der trick|am besten|am einfachsten"
    r"|hält ewig|hat immer|(?:is|was) how|how (?:i|we|they|my \w+)|so hab\w*|so mach\w*)\b",
    re.IGNORECASE,
)
_BANNED = re.compile(
    r"\b(?:is|are|was) (?:not|never) (?:allowed|permitted|legal|safe)|(?:isn|aren)['’]?t (?:allowed"
    r"|permitted|legal|safe)"
    r"|\b(?:illegal|unsafe|dangerous|deadly|lethal|hazard\w*|kills?|fatal|verboten|unzulässig|gefährlich"
    r"|lebensgefährlich|tödlich"
    r"|nicht (?:erlaubt|zulässig|sicher))\b",
    re.IGNORECASE,
)
_SECOND_PERSON = re.compile(
    r"\b(?:you|u|we|they|i|he|she|everyone|everybody|who|man|du|ihr|wir|ich|jeder)(?:['’](?:ll|d|ve|re|m))?"
    r"(?:\s+(?:\w+ly|just|always|never|also|still|then|einfach|immer|dann|nur))*\s+(?!(?:am|are|was|were|is"
    r"|think|believe|agree|know|"
    r"wonder|guess|hope|feel|felt|say|said|says|see|mean|had|has|have|bin|ist|sind|war|waren|glaube|denke"
    r"|weiß|meine|hatte|habe|hat|haben)\b)\w+",
    re.IGNORECASE,
)
_TO_ACT = re.compile(
    r"\b(?:to|can|could|should|must|may|might|would|will|shall|ought to|let['’]?s|gotta|wanna|try|start|by"
    r"|you|i|we|they|just|"
    r"simply|then|or|and|zu|kannst|können|sollte\w*|musst|müssen|darfst|dürfen)\s+(?:\w+ly\s+|just\s+"
    r"|also\s+)?([a-z-]+)",
    re.IGNORECASE,
)
_DECLARATIVE = re.compile(
    r"^(?:the|an?|this|that|these|those|it|its|there|here|my|our|your|his|her|their|most|some|many|several"
    r"|few|all|both|each|every"
    r"|any|no|not|neither|either|which|who|what|whether|if|when|where|because|since|as|although|though|even"
    r"|in|on|at|for|from|with"
    r"|without|under|over|per|of|to be|than|that|unless|until|while|before|after|about|around|only|one|two"
    r"|three|us|uk|eu|code"
    r"|der|die|das|den|dem|ein\w*|dies\w*|jen\w*|es|mein\w*|unser\w*|ihr\w*|viele|manche|alle|kein\w*|nicht"
    r"|wenn|weil|da|ob|dass|falls"
    r"|bei|in|im|auf|aus|mit|ohne|für|von|vom|nach|vor|unter|über|seit|nur|wer|was|wo|wie|laut|hier|dort"
    r"|\d[\d.,/%]*)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"^(?:[\w'’.%°/-]+\s+){0,6}?(?:is|are|was|were|isn['’]?t|aren['’]?t|has|have|had|does|do(?:es)? not|did"
    r"|will|won['’]?t|can(?:not|['’]t)|may|might"
    r"|needs?|becomes?|means?|protects?|causes?|requires?|contains?|depends?|looks?|sounds?|seems?|says?"
    r"|said|agreed?|"
    r"allowed|required|expected|ist|sind|war|waren|hat|haben|wird|werden|kann nicht|darf nicht|bedeutet"
    r"|braucht|gilt|gehört|schützt|enthält|"
    r"verursacht|kostet|costs?|lasts?|happens?|occurs?)\b",
    re.IGNORECASE,
)
# Somebody's example is an instruction as well.
_EXAMPLE = re.compile(
    r"\b(?:uncle|brother|dad|father|grand\w+|buddy|neighbou?rs?|friends?|guys?|people|folks|one|man|er|sie"
    r"|onkel|vater|opa|nachbar|kumpel)\s+"
    r"(?:just|always|simply|only|usually|once|einfach|immer|nur)\s+\w+",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"[äöüß]|\b(?:der|die|das|und|ist|nicht|ein|eine[mnrs]?|mit|den|dem|einfach|dann|zu|zum|zur|auf|aus|man"
    r"|du|im|am|von|für|oder|bis"
    r"|kann\w*|nur|mal|raus|rein|ihn|sie|es|bei|wird|muss\w*|soll\w*)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:the|a|an|is|are|to|of|and|with|for|it|on|you|your|this|that|not|by|i)\b", re.IGNORECASE
)
_CONTINUES = re.compile(r"^\w+ed\b", re.IGNORECASE)
_QUESTION = re.compile(r"\?\s*[\"”’»)]*\s*$")
_SUGGESTED = re.compile(
    r"\b(?:why (?:not|don['’]?t)|how about|what about|have you tried|did you try|warum nicht|wie wäre"
    r"|schon mal)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?<!\d)\d++(?:[.,]\d++)?\s?(?:mg|mcg|µg|ml|mL|cc|units?|drops|pills?|tablets?|capsules?|spoons?|tsp|tbsp"
    r"|tabletten?|tropfen|einheiten|kapseln)\b"
    r"|\b(?:twice|three times|every \d+ hours|\d+ times) (?:a|per|daily)?|\balle \d+ stunden\b",
    re.IGNORECASE,
)
# What people do about materials to keep safe may be said.
_CAREFUL = re.compile(
    r"\b(?:test(?:ed|ing)?|wear|ventilate|keep (?:children|pets|kids) (?:away|out)|mask|respirator)\b",
    re.IGNORECASE,
)


def danger_in(sentence: str, *, near: str = "", around: str = "") -> Danger | None:
    """Return the reason why a digest may not repeat the sentence, or None if it may.

    `near` is the title and the question, `around` the texts that the sentence answers (see `fields_in`).
    """
    read = readable(sentence)
    if len(read) > LONGEST or _SPELLED.search(read):
        return Danger(DangerReason.DISGUISED)
    if _READER.search(read):
        return Danger(DangerReason.READER)
    fields = fields_in(read, near=readable(near), around=readable(around))
    if fields and not _is_harmless(read, fields):
        return Danger(DangerReason.INSTRUCTION, fields[0])
    return Danger(DangerReason.STEPS) if _STEPS.search(read) else None


def readable(text: str) -> str:
    """As a person sees it: no invisible characters, one form of each letter, one kind of space."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


def _is_harmless(sentence: str, fields: tuple[DangerArea, ...]) -> bool:
    if _ASSURED.search(sentence) or (DangerArea.MEDICAL in fields and _AMOUNT.search(sentence)):
        return False
    if _NEEDLESS.search(sentence) and _SAFEGUARD.search(sentence):
        return False
    if set(fields) == {DangerArea.MATERIAL} and _CAREFUL.search(sentence):
        return True
    if _QUESTION.search(sentence):
        return not _SUGGESTED.search(sentence) and not _tells_an_act(sentence)
    parts = [part for part in _CUT.split(sentence) if re.search(r"\w", part)]
    return all(_is_harmless_part(part, is_first=place == 0) for place, part in enumerate(parts))


def _is_harmless_part(part: str, *, is_first: bool) -> bool:
    part = _FILLERS.sub("", part.strip()).strip(" \"'“”„‚‘’»«*_-")
    if not part or _WARNING.match(part):
        return not (part and _SAFEGUARD.search(part))
    if _PROFESSIONAL.match(part):
        return True
    is_banned = bool(_BANNED.search(part))
    if not is_banned and (_SECOND_PERSON.search(part) or _EXAMPLE.search(part) or _tells_an_act(part)):
        return False
    if is_banned and _starts_as_an_order(part):
        return False
    if not is_first and _CONTINUES.match(part):  # "… protected by a fuse and labelled so"
        return True
    return bool(is_banned or _DECLARATIVE.match(part) or _FINITE.match(part) or len(part.split()) <= 1)


def _starts_as_an_order(part: str) -> bool:
    first = part.split()[0].casefold().strip(",.:;!")
    return first in verbs.base_forms() and not re.match(r"\w+\s+(?:is|are|was|has)\b", part)


def _tells_an_act(part: str) -> bool:
    """Somebody does something, is told to, or may: whoever it is, and whenever."""
    words = [word.casefold().strip("'’") for word in re.findall(r"[\w'’-]+", part)]
    if any(word in verbs.acts() for word in words):
        return True
    is_german = _GERMAN.search(part) or not _ENGLISH.search(part)
    if is_german and verbs.german_acts().search(part[:1].lower() + part[1:]):
        return True
    if words and (words[0] in verbs.participles() or _starts_as_an_order(part)):
        return True
    return any(
        found[1].casefold() in verbs.base_forms() | verbs.participles() | verbs.pasts()
        for found in _TO_ACT.finditer(part)
    )
