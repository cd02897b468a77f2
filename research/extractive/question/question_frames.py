"""Words that only frame a question about how something changed, is or compares. Sources need not have them.

They count only as a frame: in "Who developed the pump?" the verb is the subject of the question.
"""

from __future__ import annotations

import re

# The verb has no object: it is followed by the end, or by words for since when, how or compared with what.
_NO_OBJECT = (
    r"(?=\s*(?:$|[?.!,;:)]|(?:like|out|up|down|on|over|since|from|between|in|during|until|till|after|before|by|to|with"
    r"|against|across|through|under|for|at|and|within|as|so|when|if|than|among|amid|compared|relative|today|now|currently|lately"
    r"|recently|exactly|so far|this|these|last|each|every|most)\b))"
)
_VERBS = (
    r"(?:develop(?:s|ed|ing)?|evolv(?:es?|ed|ing)|chang(?:es?|ed|ing)|progress(?:es|ed|ing)?|unfold(?:s|ed|ing)?"
    r"|fluctuat(?:es?|ed|ing)|mov(?:es?|ed|ing)|shift(?:s|ed|ing)?|var(?:y|ies|ied|ying)|go(?:es|ne|ing)?|far(?:es?|ed|ing)"
    r"|look(?:s|ed|ing)?|st(?:ands?|ood|anding)|compar(?:es?|ed|ing)|differ(?:s|ed|ing)?|turn(?:s|ed|ing)?"
    r"|work(?:s|ed|ing)?|behav(?:es?|ed|ing))"
)
_AUXILIARY = r"(?:has|have|had|did|do|does|is|are|was|were|will|would|can|could)"
_STATES = (
    r"(?:state|status|development|evolution|history|trend|story|situation|position|course|picture|comparison"
    r"|differences?|overview|changes?)"
)
_ASKING = (
    r"(?:tell|give|show|compare|contrast|summari[sz]e|outline|list|describe|explain|discuss|review|analy[sz]e|assess"
    r"|trace|track|sketch)"
)
_ANY = r"(?:(?:an?|the|all|every|each|any|most|my|our|your)\s+)?"
_ACTORS = (
    r"(?:web\s?sites?|sites?|users?|people|persons?|compan(?:y|ies)|organi[sz]ations?|developers?|programmers?|business(?:es)?"
    r"|administrators?|admins?|apps?|applications?|services?|customers?|employe(?:r|e)s?|teams?)"
)
_GIVEN = r"(?:overview|summary|picture|account|comparison|history|outline|update|breakdown)"

_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\W*(?:(?:and|but|so)\s+)?(?:how|where|what)(?:['’]s|\s+{_AUXILIARY})\s+(?!(?:i|we|you|one)\b).*?\b({_VERBS}){_NO_OBJECT}",
        r"^\W*what\s+(?:(?:has|had)\s+)?(bec(?:ame|omes?)|came)\s+of\b",
        r"^\W*what\s+(?:(?:has|had)\s+)?(happened)\s+to\b",
        rf"^\W*what(?:['’]s|\s+(?:is|are|was|were))\s+the\s+(?:\w+\s+)?({_STATES})\s+(?:of|in|for|with|on|between|behind|about)\b",
        r"^\W*what\s+(?:do|does|did)\s+(?:the|these|those|my|our)\s+(sources?|documents?|library|literature|evidence|texts?)\b",
        r"^\W*what(?:['’]s|\s+(?:is|are|was|were))\s+(new)\b",
        r"\bover\s+(?:the\s+)?(?:last\s+|past\s+)?(years|time|decades|months)\b",
        rf"^\W*{_AUXILIARY}\b.*\b(go(?:es|ne|ing)?)\s+(?:up|down)\b",
        rf"^\W*(?:please\s+)?({_ASKING})\b(?:\s+(?:me|us))?(?:\s+(?:an?|the))?(?:\s+(?:short|brief|quick|rough))?(?:\s+({_GIVEN})\b)?",
        r"\bhow (long)\b.*\b(?:take|last|valid|wait|run|live|expire|kept|keep|locked|stay)\b|\bfor how (long)\b",
        # Advice on a thing seldom repeats the verb: "Should I switch to …?", "… when working out where it is"
        r"^\W*(?:should|shall|must)\s+(?:i|we|you|one)\s+(?:(?:really|rather|better|still|just)\s+)?"
        r"(switch|move|go|stick|stay|opt|bother|worry|start|keep|consider|think|try|rely|get|buy|take)\b",
        r"\b(?:when|while|for|by|before|after)\s+(working|figuring|finding|dealing|trying)\s+(?:out|with|to)\b",
        r"^\W*what\s+(?:is|are|was|were)\b.*\b(called|named)\W*$",
        r"\bwho\s+(?:has\s+|had\s+)?(came|come|comes|thought|dreamed|dreamt)\s+up\b",
        # Advice names who acts as often as not: "Should websites let people paste …?", "Do users have to change …?"
        rf"^\W*(?:should|must|shall|may)\s+{_ANY}({_ACTORS})\b",
        rf"^\W*(?:do|does|did)\s+{_ANY}({_ACTORS})\s+(?:really\s+)?(?:need|have|want|get)\b",
        # An order after the question: "Which … does it support? List them."
        rf"[?.!]\s+(?:please\s+)?({_ASKING}|name|enumerate|mention|nenne|zähle)\b",
        # German: the verb is last, or second.
        r"^\W*(?:wie|wohin|inwiefern)\b.*\b((?:ent|weiter)wickelt(?:e[nt]?)?|entwickeln|verändert(?:e[nt]?)?|verändern|geändert"
        r"|ändert(?:e[nt]?)?|ändern|gewandelt|verlaufen|verläuft|verlief(?:en)?|unterscheide[nt]|verhält|verhalten|steht|stehen"
        r"|aussieht|aus|ausgefallen|ausgegangen|geworden)\b(?=\s*(?:$|[?.!,]|(?:sich|die|der|das|den|dem|es|seit|von|zwischen|um|mit|im|in)\b))",
        r"^\W*(?:was|wie)\b.*\b(wurde|sieht)\s+(?:aus\b|\w+.*\baus\s*\?)",
        r"^\W*(?:wie|was|wo)\b.*\b(zahl|anzahl|höhe|stand|entwicklung|lage)\s+(?:der|des|von|an|bei|in)\b",
        r"^\W*(vergleiche?|beschreibe?|erkläre?|nenne|zeige?|fasse)\b",
    )
)


def frame_words(question: str) -> frozenset[str]:
    """Return the words of the question that only frame it.

    >>> sorted(frame_words("How did the unit cost develop?"))
    ['develop']
    >>> frame_words("Who developed the pump?")
    frozenset()
    """
    found = (match for pattern in _FRAMES if (match := pattern.search(question)))
    return frozenset(word.lower() for match in found for word in match.groups() if word)


_POLITE = r"^\W*(?:(?:please|kindly)\s+)?(?:(?:can|could|would|will)\s+you\s+(?:(?:please|kindly)\s+)?)?"
_WHAT_IS_ASKED = r"(?=(?:what|which|who|whom|whose|when|where|why|how)\b)"
# Words before a question that only ask for an answer: "Could you tell me …", "I want to know …".
_REQUEST = re.compile(
    rf"{_POLITE}(?:(?:tell|show|teach|explain(?:\s+to)?)\s+(?:me|us)|explain"
    r"|i(?:\s+would|['’]d)?\s+(?:want|like|need)\s+to\s+(?:know|learn|understand|find\s+out)"
    r"|(?:do|does)\s+(?:you|anyone|anybody|someone)\s+know|i\s+wonder|i(?:\s+am|['’]m)\s+wondering"
    rf"|i\s+(?:do\s+not|don['’]t)\s+(?:know|understand)),?\s+{_WHAT_IS_ASKED}",
    re.IGNORECASE,
)
_ASKED_POLITELY = re.compile(
    rf"^\W*(?:(?:please|kindly)\s+)?(?:can|could|would|will)\s+you\s+(?:(?:please|kindly)\s+)?(?={_ASKING}\b|name\b)",
    re.IGNORECASE,
)
_INDIRECT = re.compile(
    r"^(what|who|where|when|how(?: \w+)?)\s+((?:(?!\b(?:is|are|was|were|do|does|did|can|has|have)\b)[^?,;])+?)\s+"
    r"(is|are|was|were)\s*\??$",
    re.IGNORECASE,
)


def without_request(question: str) -> str:
    """Return the question without words that only ask for an answer, in the order of a direct question.

    >>> without_request("Could you tell me what an ephemeris is?")
    'what is an ephemeris?'
    >>> without_request("Please could you list the planets?")
    'list the planets?'
    """
    bare = _REQUEST.sub("", question)
    if bare == question:
        return _ASKED_POLITELY.sub("", question)
    end = "?" if bare.rstrip().endswith("?") else ""
    return _INDIRECT.sub(rf"\1 \3 \2{end}", bare)


# An order at the beginning, and the word for what is to be given: "List the …", "Give me a short list of …". Followed
# by a noun, the same words name a thing: "list comprehension", "name server".
_ORDER = re.compile(
    rf"{_POLITE}(?:list|name|enumerate|mention|give|tell|show|explain|describe|outline|summari[sz]e)\b"
    r"(?:\s+(?:me|us)\b(?:\s+about\b)?|(?=\s+(?:an?|the|all|any|some|every|each|both|your|these|those|several|at|up|as"
    r"|what|which|who|when|where|why|how|two|three|four|five|six|seven|eight|nine|ten|\d+)\b)"
    r"|(?=\s+(?:\w+\s+){0,2}?\w+s\s+(?:that|which|who|used|available|supported)\b))"
    r"(?:\s+(?:an?|the)(?:\s+(?:short|brief|quick|rough|full|complete))?\s+(?:list|overview|summary|examples?|names?)"
    r"(?=\s+of\b))?",
    re.IGNORECASE,
)


def find_end_of_order(question: str) -> int:
    """Return the length of the order with which the question begins; 0 without one.

    >>> find_end_of_order("List the methods"), find_end_of_order("list comprehension syntax")
    (4, 0)
    """
    found = _ORDER.match(question)
    return found.end() if found else 0
