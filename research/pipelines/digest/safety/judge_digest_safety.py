"""Judge which sentences a digest may repeat, in English and German, whether people or a model wrote them.

A sentence is judged by its function, clause by clause. An instruction, a suggestion, an example or an endorsement of an
act is withheld if the act is dangerous work: by its own words, or as manual work on the subject of a dangerous
question. Sentences that call a safeguard unnecessary or a danger small are withheld as well. Warnings, refusals,
precautions, advice to call a professional and statements of fact are allowed, whatever they are about.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from research.pipelines.digest.safety import digest_dangerous_verbs
from research.pipelines.digest.safety.digest_dangerous_fields import FIELDS, DangerArea, fields_in
from research.pipelines.digest.safety.digest_unlawful_advice import advises_breaking_law

LONGEST = 5_000  # characters: nobody reads a longer sentence, and the rules would search it many times


class DangerReason(StrEnum):
    INSTRUCTION = "instruction"  # for dangerous work
    STEPS = "steps"  # step by step, whatever the work
    READER = "reader"  # it addresses the program that reads the discussion
    DISGUISED = "disguised"  # spaced letters, or a sentence without an end, which the rules cannot read


@dataclass(frozen=True, slots=True)
class Danger:
    why: DangerReason
    field: DangerArea | None = None
    is_inferred: bool = False  # only the surroundings of the sentence name the field of its act
    is_opinion: bool = False  # it calls a danger small, and advises nothing


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE | re.VERBOSE)


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
_NUMBERED = re.compile(
    r"\b(?:step|schritt)\s*(?:\d|one|two|eins|zwei)|^\s*\(?\d{1,2}[.)]\s+\S", re.IGNORECASE
)
_ORDERED = re.compile(
    r"\b(?:first(?:ly)?|zuerst|als erstes)\b.{3,}\b(?:then|next|second(?:ly)?|after that|dann|danach|anschließend)\b"
    r"|(?:\band|,|;|\.) ?\b(?:then|dann|danach)\b.{3,}",
    re.IGNORECASE | re.DOTALL,
)
_CUT = re.compile(
    r"(?P<mark>[,;:.!?()\[\]{}…/–—]+\s*|\s-+\s*)"
    r"|\s+(?=(?:and|but|then|just|simply|instead|or|nor|so|while|after|because|und|aber|dann|sondern|oder"
    r"|einfach|stattdessen|sonst|nachdem|weil|während)\b)",
    re.IGNORECASE,
)
_JOINS = re.compile(r"^(?:and|or|nor|und|oder)\b", re.IGNORECASE)
_FILLERS = re.compile(
    r"^(?:(?:and|but|so|then|or|well|ok(?:ay)?|yes|yeah|honestly|seriously|imo|also|first|next|finally|now|please"
    r"|always|actually|basically|obviously|usually|just|simply|only|maybe|personally|instead|carefully|slowly|quickly"
    r"|gently|und|aber|also|dann|oder|ja|bitte|zuerst|erst|danach|jetzt|immer|einfach|nur)\b[\s,]*)+",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"^(?:(?:please|i|we|you|he|she|they|one|nobody|people|du|man|ich|wir|bitte)\s+)*"
    r"(?:(?:would|should|must|can|could|may|do|does|will|shall|ought\sto|need|würde|darf|darfst|sollte\w*"
    r"|soll\w*)\s+)*"
    r"(?:(?:do|does|should|must|ca|could|would|wo)(?:n['’]?t)|cannot|dont|not|never|avoid|no\sone\sshould"
    r"|nobody\sshould|under\sno\scircumstances|niemals|nie|nicht|auf\skeinen\sfall|bloß\snicht|keinesfalls"
    r"|hände\sweg|finger\sweg|refuse\sto|stay\s(?:away|off|out|clear)|beware|keine?n?)\b",
    re.IGNORECASE | re.VERBOSE,
)
_NEGATED_INSIDE = _words(
    r"""(?:should|must|do|does|did|could|would|can)(?:\s(?:not|never)|n['’]?t)(?:\s(?:even|ever|be))?
    |cannot|never|nobody|no\sone|niemand|niemals|auf\skeinen\sfall|keinesfalls|darf\w*\s(?:man\s)?(?:nicht
    |nie\w*)"""
)
_NEGLECT = _words(
    r"skip\w*|forget\w*|ignor\w+|neglect\w*|rely|trust|underestimat\w*|cheap\sout|without|until|unless|ohne"
    r"|before|bevor|bis"
)
_PROFESSIONALS = r"""
    (?:electrician|plumber|engineer|mechanic|doctor|physician|pharmacist|professional|pro|expert|specialist
    |inspector
    |contractor|dentist|fitter|technician|arborist|roofer|gunsmith|midwife|paediatrician|pediatrician|vet
    |nurse|sweep
    |surveyor|electric\scompany|gas\scompany|utility|poison\scontrol|police|ranger|authority|council
    |builder|dealer
    |fire\s(?:department|brigade|service)|hospital|emergency\sroom|urgent\scare|locksmith
    |somebody\squalified|lab|instructor)s?
    |elektriker\w*|fachmann|fachfrau|fachleute\w*|fachbetrieb\w*|statiker\w*|\w*arzt|\w*arztpraxis|\w*ärzt\w*|apotheke\w*
    |notruf|feuerwehr|giftnotruf\w*|giftinfo\w*
    |werkstatt|installateur\w*|gasversorger|netzbetreiber|schornsteinfeger\w*|hebamme|polizei
    |meister(?:betrieb)?\w*"""
_PROTECTION = r"""
    permits?|inspections?|gloves|goggles|masks?|respirators?|harness(?:es)?|helmets?|life\s?jackets?
    |(?:axle|jack)\s?stands?
    |stands|supports?|shoring|rules?|warnings?|leaflet|manual|pressure\scanner|car\sseat|seat-?\s?belts?
    |precautions?
    |(?:turn|shut|switch)\w*\s(?:it\s|the\s\w+\s|power\s)?off|power\s(?:off|down)|unplug\w*|ventilat\w*
    |de-?energi[sz]\w*
    |handschuh\w*|genehmigung\w*|abstütz\w*|abschalt\w*|ausschalt\w*|abstell\w*|maske|helm|gurt"""
_DEVICES = r"""
    alarms?|detectors?|guards?|relief\svalves?|sensors?|dead\sman['’]?s\sswitch|interlocks?|riving\sknife
    |bms|breakers?|fuses?
    |thermocouples?|limiters?|cut-?offs?|safet(?:y|ies)|airbags?|rauchmelder|melder|wächter\w*|fühler\w*"""
# What people wear or fix so that an accident does not kill: to leave it off is dangerous in any field.
_GEAR = (
    r"(?:(?:helmets?|life\s?(?:jackets?|vests?)|harness(?:es)?|seat-?\s?belts?|(?:safety\s)?goggles|respirators?|shoring"
    r"|safety\s(?:glasses|lines?|ropes?|gear|arms|harness(?:es)?)|(?:ear|eye)\sprotection|veil)"
    r"|\w*helme?|schwimmwesten?|rettungswesten?|(?:sicherheits|auffang|kletter)gurte?|schutzbrillen?|atemschutz\w*"
    r"|verbau|absturzsicherung\w*)"
)
_GEAR_LEFT = re.compile(
    rf"\b(?:leave|skip|lose|ditch|forget|drop|take\soff)\s(?:about\s)?(?:(?:the|your|a|his|her)\s)?{_GEAR}\b"
    rf"|\b(?:without|ohne)\s(?:(?:an?|the|your|dein\w*|ein\w*)\s)?{_GEAR}\b|\blass\w*\s(?:den|die|das|dein\w*)\s{_GEAR}\s(?:weg|zu\shause)",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|\w+n['’]t|nie|niemals|nicht|kein\w*)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\b(?:give|gib|gebt|geben\ssie|verabreich\w*)\b", re.IGNORECASE)
_SAFEGUARD = _words(f"{_PROFESSIONALS}|{_PROTECTION}")
_DEVICE = _words(_DEVICES)
_HELPER = _words(_PROFESSIONALS)
_CARE = _words(
    r"vets?|doctors?|hospitals?|ambulances?|nurses?|poison\scontrol|emergency\sroom|tierarzt|arzt|krankenhaus|notarzt"
)
_NEEDLESS = _words(
    r"""no\sneed|(?:do(?:es)?n['’]?t|do(?:es)?\snot|never)\s(?:really\s|even\s|actually\s)?(?:need\w*
        |bother\w*|have\sto|worry)
    |need(?:n['’]t|\snot)|not\s(?:needed|required|necessary)|unnecessary|pointless|overkill|useless|scam
    |myth|optional
    |nonsense|overblown|waste\sof|forget\s(?:about|the)|skip|save\syourself|nobody\sneeds|never\sbothered?
    |bother\swith
    |waste\s(?:your\s)?(?:money|time)|only\s(?:want|there|scares?)|(?:is|are)\s(?:only|just)\s(?:for|there)
    |(?:is|are)\sfor\s(?:beginners|tourists|wimps|cowards|the\spolice|lawyers)|nobody\s(?:bothers|checks|wears|uses)
    |gets?\sin\sthe\sway|(?:rules?|limits?|warnings?)\s(?:are|is)\s(?:far\s|way\s)?too\s\w+|nicht\s(?:nötig|notwendig)|unnötig\w*|überflüssig\w*|brauch\w*\s(?:man\s|du\s
    |\w+\s)?(?:kein\w*|nicht)"""
)
_WITHOUT = _words(r"without|instead\sof|rather\sthan|ohne|statt|anstatt")
_SMALL_DANGER = _words(
    r"""(?:is|are|was|it['’]?s|you['’]?re)\s(?:\w+ly\s|quite\s|far\s)?(?:safe|harmless|fine|plenty|enough
        |ok(?:ay)?)
    |(?:be|you(?:['’]ll|\swill)\sbe)\sfine|no\s(?:risk|danger|problem|big\sdeal)|noth?ing\s(?:will|can
    |ever)?\s?happens?
    |never\s(?:been\s|got\s|get\s)?(?:had\s(?:a|any)\s(?:problem|issue|accident)s?|sick|hurt|ill)|noth?ing\s(?:ever\s)?happened
    |(?:is|are)\s(?:nothing|normal)|hardly\s(?:ever|burns?|hurts?)|what\scan\s(?:happen|go\swrong)|goes\saway\sby\sitself|overblown|exaggerated|nonsense|scare|myth
    |(?:do\snot|don['’]?t)\sworry
    |far\stoo\scareful|too\scautious|anyway|dizziness\spasses|always\ssafe|only\sdangerous\sif
    |(?:völlig|ganz|absolut|total)\s(?:sicher|ungefährlich|harmlos|unproblematisch)
    |passiert\s(?:schon\s)?nichts|geht\snoch
    |trägt\s(?:eh|ja)?\s?nichts"""
)
_WORKS = _words(
    r"""works?\s(?:fine|great|perfect\w*|well|just|ok|like)|worked|(?:does|did|do)\sthe\s(?:trick|job)
        |will\sdo|good\senough
    |just\sfine|just\sas\swell|held\s(?:up\s)?for|holds?\s(?:\w+\s){0,3}(?:for\syears|fine)
    |for\s(?:\d+\s)?years|problem\ssolved
    |you\scan\stoo|so\scan\syou|how\s(?:i|we|they|my\s\w+)\s(?:did|do|does)|everybody\sd(?:id|oes)
    |hält\sewig|hat\simmer
    |reicht|klappt|funktioniert|der\strick|so\shab\w*|bei\smir\sseit"""
)
_RISK_WORDS = _words(
    r"""illegal|unsafe|danger\w*|deadly|lethal|hazard\w*|kill\w*|fatal|risk\w*|burn\w*\sdown|explo\w+
        |catch\w*\sfire|injur\w+|toxic|poison(?:s|ous)|(?:chlorine|toxic)\s(?:gas|fumes?)|fumes
    |not\s(?:allowed|permitted|legal|safe|recommended|advised|suitable)|verboten|unzulässig|gefähr\w+|lebensgefährlich|tödlich
    |nicht\s(?:erlaubt|zulässig|sicher)"""
)
_PRECAUTION = re.compile(
    rf"""^(?:(?:you|we|i|one)\s(?:should|must|need\sto|have\sto|always|would)\s|to\s)?(?:
    (?:turn|shut|switch)\b(?:\s\w+){{0,4}}?\s(?:off|down)\b(?!\s(?:with|using))|cut\s(?:the\s)?(?:power
    |supply)
    |(?:unplug|isolate|evacuate|ventilate|dispose|report|beware|wear|wash|rinse)\b
    |open\s(?:\w+\s){{0,2}}windows?|(?:keep|stay|store|leave|soak)\s(?:\w+\s){{0,4}}(?:away|from|behind|out|back|clear
    |closed|dry|outside|apart|locked|separate\w*|alone)
    |get\s(?:out|everyone|everybody|away|help)|leave\s(?:the\s(?:house|building|room|area)|it\salone
    |them\salone|(?:it|that|this|them)\s(?:to|where))
    |(?:leave|let|have|get)\s(?:\w+\s){{0,8}}?(?:{_PROFESSIONALS})\b
    |(?:have|get)\s(?:it|them|that|this|the\s\w+|your\s\w+|a\s\w+|\w+)\s(?:\w+\s){{0,3}}?(?:\w+ed|swept
    |done|seen|built|cut|felled)\b
    |.*\bbefore\s(?:you\s)?(?:go(?:ing)?\s(?:anywhere\s)?near|touch\w*|open\w*|reach\w*|start\w*|clean\w*
    |work\w*)\b
    |(?:call|ring|phone|hire|consult|contact|see|ask|go\sto|talk\sto|pay|take\s(?:it|them|her|him)\sto)\b
    |go\sin\s(?:tonight|today|now|right|at\sonce|immediately|straight)
    |(?:turn|roll|lay|put|lie)\s(?:\w+\s){{1,3}}?(?:on|onto)\s(?:his|her|their|its|the|your)\s(?:left\s|right\s)?side
    |(?:cool|rinse|flush|hold)\s(?:\w+\s){{0,4}}(?:under|with)\s(?:\w+\s){{0,3}}water
    |(?:press|push|keep\spressure)\s(?:\w+\s){{0,3}}on\s(?:the\s)?wound
    |stop\s(?:(?!tak|giv|inject)\w+ing|the\scar|what)\b|power\s(?:it|them)\s(?:off|down)
    |.*\bonly\s(?:on|in|with|after|when|if|outdoors|outside)\b
    |(?:put|fit|install|buy|get|mount|add|use|keep|place)\s(?:\w+\s){{0,4}}(?:monoxide\s|smoke\s
    |co\s)?(?:alarms?|detectors?|extinguishers?|gloves|goggles|push\ssticks?|respirators?|axle\sstands|helmet)
    |(?:put|park|leave|bring|move|take)\s(?:it|them)\s(?:outside|outdoors|in\sgear|into\sthe\sopen)
    |(?:throw|chuck|bin|recycle)\s.*?(?:away|out|bin|recycl\w*)|plug\s.*?\b(?:in|into)\b
    |(?:check|look|read|wait|watch|consider|think|remember|make\ssure|ensure|treat\sit\sas|assume|buy|order
    |send|freeze|replace\sthe\swhole)\b
    |(?:die\s)?sicherung(?:en)?\s(?:raus|aus)\b|(?:vo[mn]|durch)\s(?:\w+\s){{0,2}}?(?:{_PROFESSIONALS})\b
    |(?:rufe?n?|frage?n?|hole?n?|beauftrage?n?)\b|lass\w*\s.*?(?:{_PROFESSIONALS})
    |(?:\w+\s){{0,6}}(?:zu[mr]?|in\s(?:die|eine?)|ins)\s(?:{_PROFESSIONALS}|notaufnahme|krankenhaus|klinik)\b
    |(?:\w+\s){{0,8}}(?:anrufen|rufen|fragen|aufsuchen)$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SAFETY = re.compile(
    r"^(?:leave the (?:house|building)|evacuate|get (?:out|everyone out)|stop (?:driving|using)|call \d{3}"
    r"|get it tested|have it tested"
    r"|take (?:it|her|him) to (?:the|a) (?:hospital|doctor|vet))\b",
    re.IGNORECASE,
)
_MODAL = r"(?:can|could|should|may|might|will|would|ought\sto|['’]ll|['’]d|better)"
# In the first or third person it is a plan or a report (“I need to move an outlet”); in the second, advice.
_NEED = (
    r"(?:must|needs?\sto|have\sto|has\sto|had\sto|got\sto|gotta|want\sto|wanna|only\sneed\sto|just\sneed\sto)"
)
_ADVERBS = r"(?:(?:\w+ly|just|always|also|still|then|even|easily|never\stold|usually|sometimes|not)\s)*"
# Someone is told, advised or allowed to act; the verb follows.
_TOLD = re.compile(
    rf"""(?:\b(?:you|u|one|we|they|anyone|anybody|everyone|people|i)\s?{_MODAL}\s{_ADVERBS}
    |\b(?:you|u|one|anyone|anybody|everyone|people)\s{_NEED}\s{_ADVERBS}
    |\b(?:you|u)\s(?:just|simply|only|then|always)\s
    |\b(?:let['’]?s|gotta|try|try\sto|start|start\sby|just|simply|why\snot|why\sdon['’]?t\syou|how\sabout
    |what\sabout|instead|by)\s{_ADVERBS}
    |\b(?:way|trick|secret|key|thing|fix|solution|answer|do|best|easiest|easy|easier|fine|safe|ok|okay
    |enough)\s(?:is\s|was\s)?to\s{_ADVERBS}
    |\bdo\s(?:is|was)\s{_ADVERBS}
    |\b(?:can|may|could)\s{_ADVERBS}be\s{_ADVERBS}
    )(?=(?P<verb>[a-z'-]+))""",
    re.IGNORECASE | re.VERBOSE,
)
# Someone's habit, given as an example.
_HABIT = re.compile(
    r"""^(?:i|we|you|my\s\w+|(?:an?|the|our|his|her)\s\w+|he|she|they|people|folks|\w+)\s
    (?:(?P<always>always|just|simply|only|usually|once|still)\s)?(?P<verb>[a-z'-]+)""",
    re.IGNORECASE | re.VERBOSE,
)
# “I used mine for years”: the dangerous thing of the question, by a pronoun.
_OWN_EXAMPLE = re.compile(
    r"^(?:i|we)(?: have|['’]ve)? \w+ (?:mine|it|ours|them|one)\b|^(?:mine|ours)\b"
    r"|^(?:ich|wir) (?:\w+ ){1,3}seit\b|^(?:bei (?:mir|uns)|mein\w*|unser\w*)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"^(?:i|we|mine|ours|my|our)\b", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"\byour?\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"^(?:if|when|whenever|unless|because|since|as|who|which|that|where|after|before|while|wenn|falls|weil|da|wer)\b",
    re.IGNORECASE,
)
_PRONOUN = r"(?:it|them|that|this|these|those|one|mine|his|hers|theirs|him|her|yours|ihn|es|sie|das)"
_GERMAN = re.compile(
    r"[äöüß]|\b(?:der|die|das|und|ist|nicht|ein|eine[mnrs]?|mit|den|dem|einfach|dann|zu|zum|zur|auf|aus|man"
    r"|du|im|am|von|für|oder|bis|kann\w*|nur|mal|raus|rein|ihn|sie|es|bei|wird|muss\w*|soll\w*|drunter)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:the|a|an|is|are|to|of|and|with|for|it|on|you|your|this|that|not|by|i|in|my|at|from|was|has|have|no|them"
    r"|what|be|or|if|do|did|only|never|just|as|our|than|about|more|any|me|we|they|all|but|its|so|her|his|him"
    r"|their|ours|mine|here|there|when|how|who|one|two|some|many|most|may|might|can|could|will|would|should|must"
    r"|often|always|before|after|into|up|out|off|over|also|because|which|very)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?<!\d)(?:\d++(?:[.,]\d++)?|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|zwei|drei"
    r"|vier)\s?(?:of\s)?(?:\w+\s){0,3}?(?:mg|mcg|µg|grams?|gramm|ml|cc|units?|drops|pills?|tablets?|capsules?|(?:tea|table)?spoons?(?:ful)?|tsp|tbsp"
    r"|tabletten?|tropfen|einheiten|kapseln)\b"
    r"|\b(?:an?|half an?|ein\w*) (?:tea|table)spoon(?:ful)?s?\b|\b(?:ein\w*) (?:tee|ess)löffel\b"
    r"|\b(?:every (?:\d+|two|three|four|six|eight) hours|(?:twice|\d+ times) (?:a|per) day|alle \w+ stunden)\b",
    re.IGNORECASE,
)


# A word, and a continuation typical of imperatives: an order with any verb.
_ORDER = re.compile(
    r"(?!(?:the|an?|this|that|these|those|it|its|they|he|she|we|you|i|there|here|my|our|your|his|her|their|most"
    r"|some|many"
    r"|several|few|all|both|each|every|any|no|not|none|neither|either|which|who|what|whether|if|when|where|why"
    r"|how|because"
    r"|since|as|although|though|even|in|on|at|for|from|with|without|under|over|per|of|to|than|unless|until"
    r"|while|before"
    r"|after|about|around|one|two|three|four|five|six|ten|half|more|less|only|also|up|down|off|out|same|nothing"
    r"|something"
    r"|together|altogether|overall|otherwise|instead|however|maybe|perhaps|sometimes|today|again|still|therefore"
    r"|everything|anyone|everyone|somebody|people|like|yes|thanks|sorry|agreed|\w+ing|\w+ed|\w+ly|\w{3,}s)\b)"
    r"[a-z'-]+\s(?:the|an?|it|them|your|his|her|my|both|all|some|any|every|each|this|that|these|those|two|three|four"
    r"|off|up|down|out|away|back|(?:under|on|over|into|between|through|against|across)\s(?:the|an?|it|them|your"
    r"|her|his|my))\b",
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
    if advises_breaking_law(read):
        return Danger(DangerReason.INSTRUCTION, DangerArea.LAW)
    fields = fields_in(read, near=readable(near), around=readable(around))
    others = readable(around).replace(read, " ")  # the texts around contain the sentence's own
    surroundings = fields_in("", near=readable(near), around=others)
    judged = _Sentence(read, fields_in(read), fields, surroundings)
    field = judged.dangerous_field()
    if field is not None:
        is_told = judged.leaves_gear() or judged.belittles() or judged.is_risky(field)
        is_inferred = field not in judged.own and not is_told
        is_opinion = judged.belittles() and not gives_act(read) and not _SAFEGUARD.search(read)
        named = _name_field(judged, field, readable(near))
        return Danger(DangerReason.INSTRUCTION, named, is_inferred, is_opinion)
    return Danger(DangerReason.STEPS) if judged.gives_steps() else None


def _name_field(judged: "_Sentence", field: DangerArea, near: str) -> DangerArea:
    """Return the field of the question if the act is dangerous there too: its professional is the one to ask.

    “Let the gas out” of a battery is not for a gas fitter.
    """
    about = fields_in(near)
    if not about or field in about:
        return field
    return replace(judged, own=(), fields=about).dangerous_field() or field


def fields_advised_in(sentence: str, *, near: str = "") -> tuple[DangerArea, ...]:
    """Return the fields of the sentence without those that it only forbids."""
    read = readable(sentence)
    judged = _Sentence(read, (), fields_in(read, near=near), fields_in("", near=near))
    return judged.fields_advised(list(judged.clauses()))


def is_warning(sentence: str) -> bool:
    """Return True if the sentence forbids, refuses, or sends people to a professional or to safety."""
    judged = _Sentence(readable(sentence), (), ())
    return any(
        clause.is_negated
        or bool(_PRECAUTION.match(clause.text) and _HELPER.search(clause.text))
        or bool(_SAFETY.match(clause.text))
        for clause in judged.clauses()
        if len(clause.text.split()) > 2
    )


def names_professional(text: str) -> bool:
    return bool(_HELPER.search(text))


def is_german(sentence: str) -> bool:
    return _is_german(readable(sentence))


def gives_only_precautions(sentence: str) -> bool:
    """Return True if the sentence has precautions or first aid, and advises nothing else."""
    clauses = [clause for clause in _Sentence(readable(sentence), (), ()).clauses() if not clause.is_negated]
    others = [clause for clause in clauses if not _PRECAUTION.match(clause.text)]
    return len(others) < len(clauses) and not any(_acts_in(clause.text) for clause in others)


def gives_act(sentence: str) -> bool:
    """Return True if the sentence orders, advises, allows or gives as a habit that something is done."""
    clauses = _Sentence(readable(sentence), (), ()).clauses()
    return any(_acts_in(clause.text) for clause in clauses if not clause.is_negated)


def gives_order(sentence: str) -> bool:
    """Return True if the sentence has an imperative that is no precaution."""
    clauses = _Sentence(readable(sentence), (), ()).clauses()
    return any(
        _starts_with_order(clause.text) and not _PRECAUTION.match(clause.text)
        for clause in clauses
        if not clause.is_negated
    )


_ENDED_BADLY = re.compile(
    r"\bhow (?:my|our|his|her|the|a|an)? ?(?:\w+ ){1,3}(?:lost|died|burn(?:ed|t)|broke|ended up|was killed|got hurt)\b",
    re.IGNORECASE,
)


def states_consequence(sentence: str) -> bool:
    """Return True for “If it is load-bearing, the ceiling comes down”: no act, and no danger called small."""
    text = readable(sentence)
    return bool(_CONDITION.match(text) or _ENDED_BADLY.search(text)) and not (
        gives_act(text) or _SMALL_DANGER.search(text) or _WORKS.search(text)
    )


def signs_of(sentence: str) -> tuple[bool, ...]:
    """Return which signs of advice, warning and report a sentence shows, for a model that weighs them."""
    judged = _Sentence(readable(sentence), (), ())
    text, clauses = judged.text, list(judged.clauses())
    acts = [verb for clause in clauses if not clause.is_negated for verb in _acts_in(clause.text)]
    patterns = (
        _HELPER,
        _SAFEGUARD,
        _NEEDLESS,
        _SMALL_DANGER,
        _WORKS,
        _RISK_WORDS,
        _AMOUNT,
        _NEGATED_INSIDE,
        _FIRST_PERSON,
        _SECOND_PERSON,
    )
    return (
        *(bool(pattern.search(text)) for pattern in patterns),
        any(clause.is_negated for clause in clauses),
        any(bool(_PRECAUTION.match(clause.text)) for clause in clauses),
        any(_starts_with_order(clause.text) for clause in clauses),
        bool(acts),
        any(
            (digest_dangerous_verbs.base_of(verb) or verb) in digest_dangerous_verbs.by_hand()
            for verb in acts
        ),
    )


def readable(text: str) -> str:
    """Return the text as a person sees it: no invisible characters, one form of each letter, one kind of space."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


@dataclass(frozen=True, slots=True)
class _SafetyClause:
    text: str  # without introductory words
    is_negated: bool  # it forbids or refuses: by its own words, or by those of the clause that it continues


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with its fields. `own`: by its own words; `around`: by its surroundings; `fields`: by either."""

    text: str
    own: tuple[DangerArea, ...]
    fields: tuple[DangerArea, ...]
    around: tuple[DangerArea, ...] = ()

    @property
    def is_german(self) -> bool:
        return _is_german(self.text)

    def dangerous_field(self) -> DangerArea | None:
        """Return the field of its dangerous advice; None if it gives none."""
        if self.leaves_gear():
            return next(iter(self.own or self.fields), DangerArea.OTHER)
        if not self.fields:
            dismisses_care = _CARE.search(self.text) and _NEEDLESS.search(self.text)
            return DangerArea.MEDICAL if dismisses_care else None
        if self.belittles():
            return (self.own or self.fields)[0]
        clauses = list(self.clauses())
        advised = replace(self, fields=self.fields_advised(clauses))
        for clause in clauses:
            if not clause.is_negated and (field := advised._field_of(clause.text)) is not None:
                return field
        return self._unread_field()

    def fields_advised(self, clauses: Iterable[_SafetyClause]) -> tuple[DangerArea, ...]:
        """Return the fields without those that it only forbids: “Knock it back, don't beat the gas out of it.”"""
        forbidden = fields_in("\n".join(clause.text for clause in clauses if clause.is_negated))
        advised = fields_in("\n".join(clause.text for clause in clauses if not clause.is_negated))
        own = [field for field in forbidden if field not in advised and field not in self.around]
        return tuple(field for field in self.fields if field not in own)

    def gives_steps(self) -> bool:
        if _NUMBERED.search(self.text):
            return True
        acts = [
            clause
            for clause in self.clauses()
            if not clause.is_negated and not _PRECAUTION.match(clause.text)
        ]
        is_ordered = bool(_ORDERED.search(self.text)) and len(acts) > 2
        return is_ordered and any(_starts_with_order(clause.text) for clause in acts)

    def clauses(self) -> Iterator[_SafetyClause]:
        was_negated, start = False, 0
        cuts = [*_CUT.finditer(self.text)]
        for end, following in [*((cut.start(), cut.end()) for cut in cuts), (len(self.text), len(self.text))]:
            whole = self.text[start:end].strip(" \"'“”„‚‘’»«*_-")
            if (
                re.match(r"\s+(?:just|simply|einfach)\b", self.text[end:])
                and len(whole.split()) < 4
                and not _CONDITION.match(whole)
            ):
                continue  # “my uncle simply …”: the subject of what follows
            start = following
            text = _FILLERS.sub("", whole)
            if not re.search(r"\w", text):
                continue
            goes_on = was_negated and bool(_JOINS.match(whole))
            was_negated = goes_on or _forbids(text)
            yield _SafetyClause(text, was_negated)

    def belittles(self) -> bool:
        """Return True if it calls a safeguard unnecessary, or a danger small."""
        safeguard = _SAFEGUARD.search(self.text)
        if safeguard and _NEEDLESS.search(self.text):
            return True
        if safeguard and (found := _WITHOUT.search(self.text)) and safeguard.start() > found.start() - 1:
            is_warning = _NEGATED_INSIDE.search(self.text) or _RISK_WORDS.search(self.text)
            if not is_warning and (_TOLD.search(self.text) or _WORKS.search(self.text)):
                return True
        if any(clause.is_negated and _is_against_safeguard(clause.text) for clause in self.clauses()):
            return True
        if any(_defeats(clause.text) for clause in self.clauses() if not clause.is_negated):
            return True
        is_named = self.own or _OWN_EXAMPLE.search(self.text)
        return bool(is_named and _SMALL_DANGER.search(self.text) and not _NEGATED_INSIDE.search(self.text))

    def leaves_gear(self) -> bool:
        """Return True if it advises to go without protection: “Skip the helmet”, “It holds without shoring”."""
        if _NEGATED_INSIDE.search(self.text) or _RISK_WORDS.search(self.text) or _CONDITION.match(self.text):
            return False
        clauses = [clause.text for clause in self.clauses() if not clause.is_negated]
        found = ((clause, _GEAR_LEFT.search(clause)) for clause in clauses)
        return any(left and not _DENIED.search(clause[: left.start()]) for clause, left in found)

    def _field_of(self, clause: str) -> DangerArea | None:
        is_precaution = bool(_PRECAUTION.match(clause))
        if is_precaution and _HELPER.search(clause):
            return None
        for field in self.fields:
            if self._is_risky(clause, field) or (not is_precaution and self._advises_danger(clause, field)):
                return field
        is_medical = {DangerArea.MEDICAL, DangerArea.INFANTS} & set(self.fields)
        if is_medical and _AMOUNT.search(clause) and not _SAFEGUARD.search(self.text):
            return DangerArea.MEDICAL
        if is_medical and _GIVEN.match(clause) and FIELDS[DangerArea.MEDICAL].any_pattern.search(clause):
            return DangerArea.MEDICAL
        is_improvised = _WORKS.search(clause) and not re.search(r"\bwork(?:s|ed)?\b", clause, re.IGNORECASE)
        return next(iter(self.fields), None) if is_improvised else None

    def is_risky(self, field: DangerArea) -> bool:
        """Return True if it advises what no sentence may advise in this field, with any verb."""
        return any(self._is_risky(clause.text, field) for clause in self.clauses() if not clause.is_negated)

    def _is_risky(self, clause: str, field: DangerArea) -> bool:
        risky = FIELDS[field].risky_pattern
        if risky and risky.search(clause) and not _RISK_WORDS.search(self.text):
            return True
        return field in self.own and bool(_WORKS.search(clause))

    def _advises_danger(self, clause: str, field: DangerArea) -> bool:
        if self._is_dangerous_act(clause, field):
            return True
        by_hand = FIELDS[field].by_hand or field is DangerArea.MEDICAL
        return by_hand and self.is_german and _tells_german_act(clause)

    def _is_dangerous_act(self, clause: str, field: DangerArea) -> bool:
        rules = FIELDS[field]
        first = _FIRST_WORD.match(clause)
        if first and first[0].casefold() in rules.own_verbs:
            return True  # an imperative with any verb: “hop on top of it”
        for verb in _acts_in(clause):
            lemma = digest_dangerous_verbs.base_of(verb) or verb
            if rules.by_hand and lemma in digest_dangerous_verbs.by_hand():
                return True
            if lemma in rules.own_verbs:
                return True
            if (
                rules.by_hand
                and lemma not in digest_dangerous_verbs.by_hand()
                and self._concerns(clause, verb, field)
            ):
                return True
        return False

    def _concerns(self, clause: str, verb: str, field: DangerArea) -> bool:
        """Return True if the object of the act belongs to the field: the clause names it, or refers to it as “it”."""
        if FIELDS[field].any_pattern.search(clause):
            return True
        return bool(re.search(rf"\b{re.escape(verb)}\b(?:\s\w+)?\s{_PRONOUN}\b", clause, re.IGNORECASE))

    def _unread_field(self) -> DangerArea | None:
        """Return a field for a sentence in a language without rules, since it cannot be judged; None for others."""
        is_read = _ENGLISH.search(self.text) or _GERMAN.search(self.text) or len(self.text.split()) <= 4
        return None if is_read else self.fields[0]


# A German order in the infinitive, with its negation inside: “Bei Aluminium keine Säure nehmen”.
_NEGATED_ORDER = re.compile(
    r"^(?:[\w-]+\s){0,4}(?:kein\w*|nicht|nie(?:mals)?)\s(?:[\w-]+\s){0,3}[a-zäöüß]+en$", re.IGNORECASE
)


def _forbids(clause: str) -> bool:
    return bool(_NEGATED.match(clause) or _NEGATED_ORDER.match(clause))


def _is_against_safeguard(clause: str) -> bool:
    """Return True for “Never call an electrician”, but not for “never work without gloves”."""
    found = _SAFEGUARD.search(clause)
    return found is not None and not _NEGLECT.search(clause[: found.start()])


_DEFEATING = _words(
    r"""bypass\w*|disabl\w+|defeat\w*|unplug\w*|remov\w+|block\w*|tap(?:e|ing)\s(?:over|down|up|it)?|tie\w*
        |jam\w*|plug(?:s|ged|ging)?(?!\s(?:\w+\s){0,4}?in(?:to)?\b)|silence|file
    |take\s(?:\w+\s){0,3}off|take\s(?:\w+\s){0,3}out|unscrew\w*|disconnect\w*|bridg\w+|jumper\w*|overrid\w+
    |cover\w*|cut\w*|swap\w*|hold\w*
    |überbrück\w*|brück\w*|abzieh\w*|abklemm\w*|ausbau\w*"""
)


def _defeats(clause: str) -> bool:
    """Return True if a protective device is removed or disabled."""
    acts = _acts_in(clause)
    return bool(
        (acts or _is_german(clause))
        and _DEFEATING.search(clause)
        and _DEVICE.search(clause)
        and not (_PRECAUTION.match(clause) and _HELPER.search(clause))
    )


def _starts_with_order(clause: str) -> bool:
    first = re.match(r"[\w'’-]+", clause)
    if not first or re.match(r"[\w'’-]+\s+(?:is|are|was|were|has|have|had|will|can)\b", clause):
        return False
    word = first[0].casefold()
    return word in digest_dangerous_verbs.orders() or bool(
        _ORDER.match(clause) and word not in digest_dangerous_verbs.harmless()
    )


# But not “light is …”, where the word is a noun.
_FIRST_WORD = re.compile(
    r"[\w'-]+(?=\s+(?!(?:is|are|was|were|has|have|had|will|can|may|must|should|does|did|of|and|or)\b)\w)"
)


def _acts_in(clause: str) -> list[str]:
    """Return the verbs of the acts that the clause orders, advises, allows, or gives as someone's habit."""
    if _CONDITION.match(clause):
        return []
    acts = []
    if _starts_with_order(clause):
        acts += [re.match(r"[\w'’-]+", clause)[0].casefold()]  # type: ignore[index]  # it matched there
    acts += [
        verb
        for match in _TOLD.finditer(clause)
        if digest_dangerous_verbs.base_of(verb := match["verb"].casefold())
    ]
    habit = _HABIT.match(clause)
    if habit and digest_dangerous_verbs.base_of(habit["verb"].casefold()):
        is_past = digest_dangerous_verbs.is_past(habit["verb"].casefold())
        is_person = re.match(r"(?:i|we|you|he|she|they|my|people|folks)\b", clause, re.IGNORECASE)
        if habit["always"] or (is_person and not is_past):
            acts.append(habit["verb"].casefold())
    return [verb for verb in acts if verb not in digest_dangerous_verbs.harmless()]


def _is_german(text: str) -> bool:
    return len(_GERMAN.findall(text)) > len(_ENGLISH.findall(text))


# “Das kann das Reye-Syndrom auslösen”: what a thing does, not what somebody should do.
_GERMAN_STATEMENT = re.compile(
    r"^(?:das|es|dies\w*|so\s?etwas)\s(?:kann|könnte|wird|würde|hat|ist|war|darf)\b(?!\sman\b)", re.IGNORECASE
)


def _tells_german_act(clause: str) -> bool:
    """Return True for a German order, with its verb at the end, or without one as in “Wand raus, Balken rein”."""
    is_told = not (_CONDITION.match(clause) or _GERMAN_STATEMENT.match(clause))
    return is_told and bool(digest_dangerous_verbs.german_acts().search(clause[:1].lower() + clause[1:]))
