"""Determine the direction of a study's finding: as stated in its table, else by the finding's words. Pure.

Whether a rise is good depends on what rises: more lapses are harm, more attention is a benefit. If the words do not
show that, the direction is only higher or lower.
"""

import re
from collections.abc import Iterator

from research.pipelines.synthesis.synthesis_study_outcomes import counts_finds, is_desirable, names_loss
from research.pipelines.synthesis.synthesis_study_rows import Direction

_SAID = {
    Direction.BENEFIT: "benefit beneficial improvement improved better favorable favourable effective"
    " protective nutzen",
    Direction.HARM: "harm harmful worse adverse detrimental risk unfavourable unfavorable schaden schädlich",
    Direction.HIGHER: "positive positiv increase increased higher up + found detected yes",
    Direction.LOWER: "negative negativ inverse decrease decreased lower down - reduced",
    Direction.NULL: "null none no neutral zero 0 ns n.s. non-significant nonsignificant insignificant kein keine",
    Direction.MIXED: "mixed inconsistent both varied partial gemischt",
    Direction.DESCRIPTIVE: "descriptive description n/a na neither",
}
_NULL = re.compile(
    r"\bno (?:[\w-]+ ){0,4}(?:association|effect|difference|evidence|support|benefit|relationship|link|change"
    r"|improvement|correlation|impact|influence|increase|decrease"
    r"|reduction|gain|advantage|rise|drop|decline|loss)s?\b(?! (?:until|in the first))"
    r"|\b(?:not|neither|nor|none|n[’']t) (?:\w+ ){0,4}(?:associated|differ\w*|improve\w*|significant\w*|detected"
    r"|found|observed|seen|evident|apparent|confirmed|support\w*|reduce\w*|change\w*|affect\w*|increase\w*|decrease\w*"
    r"|superior|better|higher|lower|lead)"
    r"|\bno (?:fewer|more|less|higher|lower|greater|better|worse)\b"
    r"|\b(?:did|does|do)(?: not|n[’']t) \w+"
    r"|\b(?:had|has|have|did|made|makes?) (?:very )?little (?:to|for|effect|difference|impact|influence)\b"
    r"|\bdetected in none\b|\bfail(?:ed|s)? to (?:show|support|find|detect|improve|demonstrate|reduce)"
    r"|\b(?:did|was|were) (?:similar|comparable|unchanged)\b|\bremained (?:stable|unchanged)\b|\bnon-?significant\w*"
    r"|\b(?:about|roughly|much|nearly|almost|practically) the same\b"
    r"|\b(?:blieb\w*|war\w*) (?:\w+ ){0,4}(?:unverändert|gleich)\b"
    r"|\bkein\w* (?:[\w-]+ ){0,3}(?:unterschied\w*|effekt\w*|zusammenhang\w*|wirkung\w*|einfluss|nutzen|verbesserung)"
    r"|\b(?:verbesser\w+|veränder\w+|senk\w+|erhöh\w+|unterschied\w*|beeinfluss\w+|wirk\w+)\b[^.;]*\bnicht\b"
    r"|\bnahm\w*\b[^.;]*\bnicht (?:ab|zu)\b"
    r"|\bnicht (?:\w+ ){0,3}(?:verbesser\w+|veränder\w+|unterschied\w*|beeinfluss\w+|signifikant\w*|besser|höher"
    r"|beobachtet|gefunden|nachgewiesen|festgestellt)",
    re.IGNORECASE,
)
_WORSE = re.compile(
    r"\b(?:worse\w*|harm(?:s|ed|ful)?\b|hazardous|toxic\w*|detriment\w*|deteriorat\w*|impair\w*|slow(?:er|ed)\b"
    r"|weaken\w*|aggravat\w*|disrupt\w*|poorer|less (?:accurate|effective|likely to (?:survive|recover|pass))"
    r"|schlechter\w*|verschlechter\w*|beeinträchtig\w*|langsamer\w*)",
    re.IGNORECASE,
)
_BETTER = re.compile(
    r"\b(?:better|improv\w+|protective|efficacy|effective(?:ly|ness)?|benefi(?:t|ts|ted|cial)\b|superior|more precise"
    r"|enhanc\w+|more accurate\w*|besser\w*|verbesser\w*|wirksam\w*|faster)\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\bpositive(?:ly)? (?:associat|correlat)\w+|\b(?:increas\w+|higher|greater|rose|rise[sn]?|grew|elevated|doubled"
    r"|tripled|raised?|raises|climb(?:s|ed)?|soared|surged|jumped|lengthen(?:s|ed)?|prolong(?:s|ed)?|more|longer|larger|hotter|warmer|louder|gain(?:s|ed)?|excess|boost(?:s|ed)?|stieg\w*|steig\w+|erhöh\w+"
    r"|höher\w*|größer\w*|länger\w*|verlänger\w*|mehr|häufiger\w*|zu(?:nahme|genommen)|nahm\w*\b[^.;]*\bzu)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:negative(?:ly)?|inverse(?:ly)?) (?:associat|correlat)\w+|\b(?:decreas\w+|lower(?:s|ed|ing)?|fell(?! short)"
    r"|fewer|less"
    r"|declin\w+|drop(?:s|ped)?(?! out)|plummeted|plunged|dipped|slash(?:es|ed)|shrank|shrunk|shorten(?:s|ed)?"
    r"|halv\w+|shorter|smaller|cooler|colder|quieter|cut(?:s|ting)?|prevent(?:s|ed)?|reduc\w+|sank\w*|sink\w+"
    r"|senk\w+|verringer\w+|niedriger\w*|kürzer\w*|verkürz\w*|weniger|geringer\w*|seltener\w*|ab(?:nahme|genommen)|nahm\w*\b[^.;]*\bab"
    r"|g(?:ing|ingen)\b[^.;]*\bzurück)\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"\b(?:except|apart from|other than|außer|ausgenommen)\b", re.IGNORECASE)
_NOT_ALL = re.compile(r"\bbut not (?:in|for|among|with|at)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\s*(?:[;:]|\.\s|,? (?:but(?! (?:statistically|clinically|still|not|non|significant))|whereas|while|however"
    r"|although|though|yet|aber|jedoch|während|dagegen)\b"
    r"|, (?:and|with) (?=\w+ (?:was|were|had|did)\b)"
    r"|,? and (?=(?:increas|decreas|reduc|improv|worsen|lower|rais|prevent|shorten|boost)(?:e?d|e?s)\b))\s*",
    re.IGNORECASE,
)
_RISE_VERB = re.compile(
    r"\b(?:increas(?:ed|es|ing)|rose|rises|grew|doubled|raised|raises|boost\w*|decreas(?:ed|es|ing)"
    r"|lowers|lowered|fell(?! short)|falls|declin(?:ed|es)|dropped(?! out)|drops(?! out)|plummeted|plunged|dipped"
    r"|slash(?:es|ed)|shrank|shorten(?:s|ed)|lengthen(?:s|ed)|prolong(?:s|ed)|climb(?:s|ed)|soared|surged|jumped|halved|reduc(?:ed|es)|prevent(?:ed|s)|cut|stieg\w*|erhöht\w*|sank\w*"
    r"|senkt\w*|verringert\w*|nahm\w*)\b"
    r"|\b(?:(?:led|leads) to|caused?|associated with|linked to|resulted in|had|showed|spent) (?:an? |the )?"
    r"(?:\w+ ){0,2}"
    r"(?=(?:increas|decreas|reduc|ris|higher|lower|more|fewer|less|greater|longer|shorter|\d))",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|before|unless|once|until|bevor|falls(?= (?:der|die|das|ein\w*|kein\w*|es|sie|er|man)\b))\b"
    rf"(?:(?!{_RISE_VERB.pattern})[^.;,:])*",
    re.IGNORECASE,
)
# Of whom or what a clause does not speak; but “, which was not significant” is on the finding itself.
_LEFT_OUT = re.compile(
    r"\b(?:who|which|that) (?:did|do|does|were|was)(?: not|n[’']t) (?!(?:\w+ly )?significan|reach)\w+",
    re.IGNORECASE,
)
# A sentence or clause that takes back the change before it.
_NOT_SIGNIFICANT = re.compile(
    r"[\s,;.(]+(?:(?:and|but|although|though|however|yet|aber|jedoch|doch|und|was|wobei)\b,?\s*)*"
    r"(?:this|that|it|which|the (?:difference|effect|reduction|increase|decrease|change|improvement"
    r"|association|trend)s?"
    r"|dies\w*|der (?:unterschied|effekt|rückgang|anstieg)|die (?:veränderung|verbesserung|abnahme|zunahme))?\s*"
    r"(?:(?:was|were|is|did|war\w*|ist)\s+)?(?:not|nicht)\s+(?:reach\s+)?(?:\w+(?:ly|isch)\s+)?"
    r"(?:significan|signifikan)\w*(?:\s+(?:war\w*|ist))?",
    re.IGNORECASE,
)
# A bound of a group or an amount: “children with more than 3 hours”, “by more than 30 %”.
_BOUND = re.compile(r"\b(?:more|less|fewer|mehr|weniger) (?:than|als) (?=\d)", re.IGNORECASE)
# Words after the thing that changes: circumstances and comparisons.
_PLACE = (
    r"\b(?:after|with|when|among|than|by|under|compared|until|because|since|for|at|from|over|during|on|per|across|between"
    r"|following|relative|near|within|nach|bei|mit|als|unter|um|pro|gegenüber|durch|je)\b|[(,;]"
)
_AMOUNT = re.compile(
    r"[\d.,]+\s?%?|\b(?:percent|fold|times|points?|stärker\w*|significantly|markedly|slightly|somewhat|further"
    r"|also|only|ab|an|auf|aus|ein|zu|sich|deutlich|leicht|common(?:ly)?|frequent(?:ly)?|often|likely|prevalent"
    r"|widespread|pronounced|severe|marked|intense)\b",
    re.I,
)
# A decrease of these is a benefit.
_WORSE_NOUN = re.compile(r"\b(?:deterioration|impairment|worsening|disruption|toxicity|harm)s?\b", re.I)
# A decline that is slower is a benefit, though “slower” alone is worse.
_SLOWED_DECLINE = re.compile(
    r"\b(?:slow(?:s|ed|er)|more slowly)\b.{0,80}\b(?:declines?|progression|deterioration|worsening|loss|spread)\b"
    r"|\b(?:declines?|progression|deterioration|worsening|loss|spread)\b.{0,80}\b(?:slow(?:s|ed|er)|more slowly)\b",
    re.I,
)
# At the beginning it is the intervention, not its effect: “reducing hours increased errors”.
_INTERVENTION = re.compile(
    r"^(?:(?:increas|decreas|reduc|lower|rais|shorten|prolong|lengthen|boost|halv|doubl)(?:ing|ed)|cutting) ",
    re.I,
)
# A change that is itself the subject of a comparison: “the reduction in pain was smaller”.
_COMPARED_CHANGE = re.compile(
    r"(?:increase|decrease|reduction|rise|decline|drop|gain)s? (?:(?:in|of) (?:[\w-]+ ){1,5}?)?(?:was|were|is|are) "
    r"(?:\w+ly )?(?P<sign>\w+er|more|less)\b",
    re.I,
)
FAR = 8  # words before a sign of change: “loss of … was prevented”
NEAR = 5  # words after a sign of change that are searched for the thing that changes


def is_of_doing_without(finding: str) -> bool:
    """Return True if the finding is on having less of something, or none: its benefit is harm of the thing itself.

    At the beginning only gerunds count: "Reduced pain by a fifth" is on the pain.

    >>> is_of_doing_without("Putting the phone away before bed lengthened sleep.")
    True
    >>> is_of_doing_without("Reduced pain by a fifth.")
    False
    >>> is_of_doing_without("Crashes rose after the cameras had been removed.")
    True
    """
    return bool(_DOING_WITHOUT.match(finding) or _TAKEN_AWAY.search(finding))


def quote_lack(finding: str) -> str:
    """Return the words of a finding for the lack on which it is; "" if it is on none.

    >>> quote_lack("Components with low review coverage had more defects.")
    'with low review coverage'
    >>> quote_lack("Limiting screen time lengthened sleep.")
    'Limiting screen time'
    """
    if found := _TAKEN_AWAY.search(finding):
        return found[0].strip(" .,;")
    if not (found := _DOING_WITHOUT.match(finding)):
        return ""
    signs = (words.search(finding, found.end()) for words in (_UP, _DOWN, _BETTER, _WORSE, _NULL))
    end = min((sign.start() for sign in signs if sign), default=found.end())
    words = finding[:end].split()
    return " ".join(words[: max(MAX_LACK, len(found[0].split()))]).strip(" .,;")


MAX_LACK = 7  # words


_DOING_WITHOUT = re.compile(
    r"\W*(?:(?:putting|leaving|turning|switching|keeping|taking)\b[^.;,]{1,40}?\b(?:away|off|out)\b"
    r"|(?:reducing|limiting|restricting|avoiding|abstaining|stopping|quitting|banning|removing|going without"
    r"|doing without|(?:abstinence|abstention) from|verzicht auf|der verzicht)\b)",
    re.IGNORECASE,
)


# Circumstances in which something is missing: “after the trees had been felled”, “in people with low vitamin D”.
_TAKEN = (
    r"(?:removed|withdrawn|banned|felled|stopped|discontinued|abolished|closed|switched off|turned off|taken away"
    r"|cut down|ended|phased out|dismantled|scrapped)"
)
_TAKEN_AWAY = re.compile(
    rf"\b(?:after|when|once|where|since) (?:[\w-]+ ){{1,4}}?(?:was|were|is|are|had been|has been|have been) {_TAKEN}\b"
    r"|\b(?:after|on|upon|following|since) (?:the )?(?:removal|withdrawal|discontinuation|cessation|closure|abolition"
    r"|end|loss|felling)(?: of(?: (?:the|all|an?))?(?: [\w-]+)?|(?=\W*$))"
    r"|\b(?:in|among|with|of) (?:[\w-]+ ){0,2}?(?:with )?(?:low|poor|insufficient|inadequate|no|too little|lack of)"
    r"(?: [\w-]+){1,3}?(?= (?:had|have|has|were|was|showed|are|is|reported)\b)"
    r"|\bnach (?:dem|der|ihrem|ihrer)? ?(?:Absetzen|Wegfall|Abschaffung|Entfernung|Ende|Schließung|Abbau|Fällung)\b",
    re.IGNORECASE,
)


def parse_direction(text: str) -> Direction | None:
    """Return the direction stated in a column, by its first word that names one; None if there is no such word.

    >>> parse_direction("Harmful")
    <Direction.HARM: 'harm'>
    """
    for word in re.findall(r"[\w./+-]+", text.casefold()):
        for direction, words in _SAID.items():
            if word in words.split() or word == direction.value:
                return direction
    return Direction.UNCLEAR if text.strip().casefold() in ("unclear", "unknown", "?") else None


def direction_of(finding: str, outcome: str = "") -> Direction:
    """Return the direction by the finding's own words; a finding with two directions is mixed.

    `outcome` decides if more is good when the finding does not name what it measured.

    >>> direction_of("Attention lapses increased after every night of restriction.").value
    'harm'
    >>> direction_of("Attention worsened in women but improved in men.").value
    'mixed'
    """
    directions = set(_clause_directions(finding, outcome))
    if len(directions) > 1:
        definite = directions & {Direction.BENEFIT, Direction.HARM, Direction.NULL}
        if directions - definite and len(definite) == 1 and Direction.NULL not in definite:
            directions = definite  # another clause says what this one leaves open
    if len(directions) == 1:
        return directions.pop()
    return Direction.MIXED if directions else Direction.UNCLEAR


def _clause_directions(finding: str, outcome: str) -> Iterator[Direction]:
    read = _BOUND.sub(" ", _NOT_SIGNIFICANT.sub(" not significant", finding))
    for clause in _CLAUSE.split(_LEFT_OUT.sub(" ", _CONDITION.sub(" ", read))):
        if not clause.strip():
            continue
        if _NOT_ALL.search(clause):
            yield Direction.NULL
        rest = _NULL.sub(" ", clause)
        if rest != clause:
            yield Direction.NULL
            if (exception := _EXCEPT.search(rest)) and (
                direction := _direction_of_change(rest[exception.end() :], outcome)
            ):
                yield direction
            if not (_BETTER.search(rest) and _WORSE.search(rest)):
                continue  # the rest of a null finding says what was compared
        if (direction := _direction_of_change(rest, outcome)) is not None:
            yield direction


def _direction_of_change(clause: str, outcome: str) -> Direction | None:
    if (direction := _direction_of_event(clause, outcome)) is not None:
        return direction
    clause = _without_intervention(_without_circumstances(clause))
    compared, verb = _COMPARED_CHANGE.search(clause), _RISE_VERB.search(clause)
    start = compared.start("sign") if compared else verb.start() if verb else None
    if start is not None and (direction := _judge_changes(clause, start, outcome)):
        return direction
    if _WORSE_NOUN.search(clause) and (direction := _judge_changes(clause, 0, outcome)):
        return direction
    better, worse = _BETTER.search(clause), _WORSE.search(clause)
    if better and worse:
        return Direction.MIXED
    if better or worse:
        return Direction.BENEFIT if better else Direction.HARM
    if direction := _judge_changes(clause, 0, outcome):
        return direction
    return Direction.HIGHER if re.search(r"\bpositive (?:in|for)\b", clause, re.I) else None


# Getting well, leaving and finishing are better early.
_GOOD_EARLY = (
    r"(?:left|leave|leaves|discharged?|recover\w*|return\w*|heal\w*|remission|walk\w*|finish\w*|complet\w*|restor\w*"
    r"|fell asleep|fall(?:ing)? asleep|asleep|schlief\w*|einschl[ai]f\w*|eingeschlafen"
    r"|entlassen|genes\w+|erholt\w*|fertig)"
)
_TIMING = re.compile(
    rf"\b{_GOOD_EARLY}\b(?:[^.;]|\.(?=\d))*?\b(?:(?P<early>earlier|sooner|früher|eher)|(?P<late>later|später))"
    r"(?=\s*(?:[.,;)]|$|(?:than|als|in|with|after|if|ein|aus)\b))"
    rf"|\b(?P<early2>accelerat\w+|speeded up|sped up)\b[^.;]*?\b{_GOOD_EARLY}\b"
    rf"|\b(?P<late2>delay(?:ed|s)|postponed|verzöger\w+)\b[^.;]*?\b{_GOOD_EARLY}\b",
    re.IGNORECASE,
)
# Getting ill is better late.
_ILL_LATER = re.compile(
    r"\b(?:developed|onset|(?:was|were) diagnosed|fell ill|relapsed|died|became (?:ill|disabled|dependent)"
    r"|erkrankten)\b[^;]*?"
    r"\b(?:(?P<early>earlier|sooner|früher)|(?P<late>later|später))\b",
    re.IGNORECASE,
)
_ONLY_IN_TREATED = re.compile(
    r"\bonly (?:in|among)\b[^.;]*\b(?:received|exposed|treated|took|taking|users?|given)\b"
    r"|\bnur (?:bei|in)\b[^.;]*\b(?:erh(?:ielten|alten)|behandelt\w*|einnahmen|ausgesetzt)",
    re.IGNORECASE,
)
# “29.5 % of the snippets contained weaknesses”: no comparison, but nothing good.
_SHARE_OF_BAD = re.compile(
    r"\d\s?%[^.;]{1,60}?\b(?:contain(?:s|ed)?|included|suffered from|showed|failed|enthielten|waren fehlerhaft)\b"
    r"(?:[^.;]{0,30}?\b(?:weakness\w*|errors?|flaws?|defects?|bugs?|vulnerabilit\w*|mistakes?|fehler\w*|lücken)\b"
    r"|(?<=failed))",
    re.IGNORECASE,
)

# “Green roofs held back half of the rain”: less of the outcome, in other words.
_RETAINED = re.compile(
    r"\b(?:held back|holds? back|retain(?:s|ed)|absorb(?:s|ed)|kept out|filter(?:s|ed) out|screen(?:s|ed) out"
    r"|block(?:s|ed)"
    r"|hielt\w* [^.;]*zurück|hielten [^.;]*ab)\b",
    re.IGNORECASE,
)
# “A third of the participants had dropped out”: a share without a comparison.
_SHARE = re.compile(
    r"^\W*(?:(?:about|nearly|almost|over|more than|less than|fast|rund|etwa|knapp) )?"
    r"(?:\d[\d.,]*\s?(?:%|percent|per cent|prozent)|(?:a|one) (?:third|half|quarter|fifth|tenth)|half|two thirds"
    r"|three quarters|one in \w+|ein (?:drittel|viertel|fünftel|zehntel)|die hälfte) (?:of|der|aller)\b"
    rf"(?!.*\b(?:than|compared|versus|vs|als|gegenüber)\b)(?!.*(?:{_UP.pattern}|{_DOWN.pattern}))",
    re.IGNORECASE,
)


def _direction_of_event(clause: str, outcome: str) -> Direction | None:
    """Return the direction of a good event that comes earlier or later, or of a bad one that the treated have."""
    if _SLOWED_DECLINE.search(clause):
        return Direction.BENEFIT
    if found := _ILL_LATER.search(clause):
        return Direction.BENEFIT if found["late"] else Direction.HARM
    if found := _TIMING.search(clause):
        return Direction.BENEFIT if found["early"] or found["early2"] else Direction.HARM
    if _ONLY_IN_TREATED.search(clause) and is_desirable(outcome) is False:
        return Direction.HARM
    if _RETAINED.search(clause) and is_desirable(outcome) is False:
        return Direction.BENEFIT
    if _SHARE_OF_BAD.search(clause):
        return Direction.HARM
    return Direction.DESCRIPTIVE if _SHARE.search(clause) else None


_CIRCUMSTANCES = re.compile(r",? \b(?:where|wherever|when|whenever|wo|wenn)\b", re.IGNORECASE)


def _without_circumstances(clause: str) -> str:
    """Return the clause without what follows “where” or “when”, if a change stands before it."""
    if found := _CIRCUMSTANCES.search(clause):
        main = clause[: found.start()]
        if any(words.search(main) for words in (_BETTER, _WORSE, _UP, _DOWN)):
            return main
    return clause


def _without_intervention(clause: str) -> str:
    """Return the clause without a change at its beginning, if another change follows."""
    rest = _INTERVENTION.sub("", clause)
    names_change = any(words.search(rest) for words in (_RISE_VERB, _BETTER, _WORSE, _UP, _DOWN))
    return rest if names_change else clause


def _judge_changes(clause: str, start: int, outcome: str) -> Direction | None:
    """Return the direction of the first sign of change from `start` that is good or bad, else of the first one."""
    signs = [
        (sign.start(), is_up)
        for words, is_up in ((_UP, True), (_DOWN, False))
        for sign in words.finditer(clause, start)
    ]
    first = None
    for at, is_up in sorted(signs):
        direction = _judge_change(clause, at, is_up, outcome)
        if direction in (Direction.BENEFIT, Direction.HARM):
            return direction
        first = first or direction
    return first


def _judge_change(clause: str, at: int, is_up: bool, outcome: str) -> Direction:
    """Judge a change by what changes: the object of its sign, or the study's outcome if nothing else is named.

    A verb is preceded by its cause and followed by what it changes; if nothing follows, the subject itself changes.
    """
    from citations.text.claim_words_and_stems import (
        content_stems,  # imports numpy, which only reading studies needs
    )

    sign, _, behind = clause[at:].partition(" ")
    if _PERSONS.match(behind):  # “fewer people had an infection”: what they had changes
        clause, object_ = f"{behind} ", ""
        at = len(clause)
    else:
        object_ = "" if _SEPARABLE.fullmatch(sign) else _object_of(sign, behind)
    named = content_stems(_AMOUNT.sub(" ", object_))
    if named:
        is_outcome = bool(named & content_stems(outcome))
        texts = (f"{sign} {object_}", outcome if is_outcome else "")
        if is_outcome and counts_finds(outcome):
            texts = texts[::-1]  # more defects found are good, more defects are not
    else:
        texts = (" ".join(_subject_of(clause, at).split()[-FAR:]), outcome)
    for text in texts:
        desirable = is_desirable(text)
        if desirable is not None:
            return Direction.BENEFIT if desirable is is_up else Direction.HARM
        if names_loss(text):
            break  # more of the outcome means less of its loss
    return Direction.HIGHER if is_up else Direction.LOWER


_SEPARABLE = re.compile(
    r"(?:nahm|nahmen|ging|gingen)", re.IGNORECASE
)  # “nahm … zu”: only its subject changes
_PERSONS = re.compile(
    r"(?:of (?:the|these|those) )?(?:\w+ )?(?:people|persons|patients|participants|children|infants|women|men|adults"
    r"|users|students|pupils|workers|nurses|residents|mothers|households|farmers|drivers|menschen|personen|patienten"
    r"|teilnehmer\w*|kinder|frauen|männer|erwachsene)\b (?:had|have|developed|got|reported|suffered|experienced"
    r"|caught|died"
    r"|recovered|dropped out|fell|hatten|erkrankten|bekamen|erlitten|starben|genasen|berichteten)",
    re.IGNORECASE,
)


def _subject_of(clause: str, at: int) -> str:
    """Return the text before a sign of change, without an earlier change that “and” joins to it."""
    before = clause[:at]
    for joint in reversed([*_AND.finditer(before)]):
        if _UP.search(before, 0, joint.start()) or _DOWN.search(before, 0, joint.start()):
            return before[joint.end() :]
    return before


_AND = re.compile(r"\s(?:and|und)\s", re.IGNORECASE)


def _object_of(sign: str, behind: str) -> str:
    """Return the object after a sign of change: in “an increase in failures”, but not in “higher in nurses”."""
    is_noun = re.match(
        r"(?:increase|decrease|reduction|rise|decline|drop|gain|zunahme|abnahme)s?$", sign, re.I
    )
    if is_noun:
        behind = re.sub(r"^(?:in|of|bei|von|der|des)\b", " ", behind)
    joined = rf"{_PLACE}|^(?:and|und)\b"
    first = re.split(joined if is_noun else rf"{joined}|\bin\b|\bim\b", behind, maxsplit=1, flags=re.I)[0]
    words = first.split()[: NEAR + 1]
    end = next((at for at, word in enumerate(words) if at and (_UP.match(word) or _DOWN.match(word))), None)
    return " ".join(words[:end])


def strip_change(finding: str) -> str:
    """Return a finding without its signs of change: what changed, and under which circumstances."""
    rest = finding
    for words in (_NULL, _BETTER, _WORSE, _UP, _DOWN):
        rest = words.sub(" ", rest)
    return _AMOUNT.sub(" ", rest)


_BEFORE_CHANGE = re.compile(
    r"\b(?:was|were|is|are|has|have|had|did|significantly|slightly|also|wurde\w*|war\w*)\b.*$", re.I
)
_INTRODUCTION = re.compile(
    r"^(?:[\w ,]{0,40}\b(?:found|showed|shows|conclude[sd]?|suggests?|demonstrated?) that "
    r"|in (?:this|our|the) [\w ]+?[ ,] ?"
    r"|(?:across|among|in|over) (?:an? )?[\w -]+?(?: sites?| trials?| stud(?:y|ies)| experiments?)[ ,]+"
    r"|overall,? |the |a )+",
    re.I,
)
_DETAIL = re.compile(
    r"\s+(?:under|with|after|in|by|at|among|than|when|compared|from|during|for|on|until|for|over|across|relative|as)\b"
    r".*$|[,;.(].*$",
    re.I,
)
_OF_CHANGE = re.compile(
    r"^(?:the |a |an |of |in |risk of |incidence of |development of |rates? of |number of "
    r"|levels? of )+|\b(?:significant(?:ly)?"
    r"|slight(?:ly)?|substantial(?:ly)?|markedly)\s*",
    re.I,
)
_NO_CHANGE = re.compile(
    r"^(?P<subject>[\w -]{3,60}?) (?:did|does|do|was|were|is|are) (?:not |n[’']t )(?:differ|change|affected|changed)"
    r"|\bno (?:significant |clear )?(?:effect|difference|change|association|impact)s?\b.*? (?:on|in|with) "
    r"(?P<object>[\w -]{3,60}?)(?=[.,;]| (?:between|at|after|among)\b|$)"
    r"|\b(?:benefit|effect|impact|influence)s? (?:of [\w -]+? )?on (?P<target>[\w -]{3,60}?)"
    r"(?=[.,;]| (?:with|at|after|by)\b|$)",
    re.I,
)
_ENGLISH = re.compile(
    r"\b(?:the|of|and|by|with|were|under|after|did|between|from)\b"
)  # elsewhere the word may have its own capital
MAX_CHANGED = 6  # words


def change_of(finding: str) -> str:
    """Return what has changed according to a finding, in its words; "" if that is unclear.

    >>> change_of("Across 74 sites crop yields were lower under no-till in wet climates.")
    'crop yields'
    >>> change_of("Statin therapy is associated with an increased risk of diabetes.")
    'diabetes'
    """
    clause = _CLAUSE.split(_INTRODUCTION.sub("", finding))[0]
    signs = sorted(
        (found.start(), found.end())
        for words in (_UP, _DOWN, _BETTER, _WORSE)
        for found in words.finditer(clause)
    )
    if found := _NO_CHANGE.search(_INTRODUCTION.sub("", clause)):
        return _lower(found["subject"] or found["object"] or found["target"] or "", finding)
    for start, end in signs:
        before = _INTRODUCTION.sub("", clause[:start])
        subject = _BEFORE_CHANGE.sub("", before).strip()
        is_about_subject = bool(re.search(r"\b(?:was|were|is|are|has|have)\b", before)) and not re.search(
            r"\b(?:associated|linked|related) (?:with|to)\b", before
        )
        behind = _OF_CHANGE.sub("", _OF_CHANGE.sub("", _DETAIL.sub("", clause[end:]).strip())).strip()
        for text in (subject, behind) if is_about_subject or not behind else (behind, subject):
            if text and len(text.split()) <= MAX_CHANGED and not re.fullmatch(r"[\d\W]+", text):
                return _lower(text, finding)
    return ""


def _lower(name: str, finding: str) -> str:
    return name[:1].lower() + name[1:] if _ENGLISH.search(finding) else name
