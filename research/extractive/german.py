"""German questions: their small words are no matter of theirs, and a capital makes no name of a noun."""

from __future__ import annotations

from collections.abc import Collection

_ASKING = frozenset(
    """wie was wer wen wem wessen wo wohin woher wann warum weshalb wieso welche welcher welches welchen welchem wieviel
    wozu womit wodurch worin inwiefern gibt ist sind war waren hat haben hatte hatten kann können darf dürfen muss
    müssen soll sollen wird werden vergleiche beschreibe erkläre nenne zeige fasse in seit ab bis nach um mit von zu
    zwischen an auf bei für""".split()
)
_SMALL = _ASKING | frozenset(
    """der die das den dem des ein eine einen einem einer eines und oder aber sich nicht kein keine es sie er man wir
    ihr ihre sein seine im am zum zur vom beim ins aus als auch so dass wenn ob noch nur schon sehr mehr viel viele
    vielen hoch groß lange oft über unter vor während durch gegen ohne geworden worden wurde wurden würde sei seien
    diese dieser dieses diesen jede jeder jedes alle allen pro je bitte mir uns""".split()
)
_TELLING = _SMALL - frozenset("was war man so die ab am an hat in um den des es er im sei bin".split())


def is_german(words: Collection[str]) -> bool:
    """It begins as a German question does, or has two words that only German has."""
    lowered = [word.lower() for word in words]
    telling = sum(word in _TELLING for word in lowered)
    return telling >= 2 or bool(telling and lowered and lowered[0] in _ASKING)


def is_german_stop_word(word: str) -> bool:
    return word.lower() in _SMALL
