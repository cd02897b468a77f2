"""Forms of English words: plural, third person, participles."""

from __future__ import annotations

import re

_IRREGULAR_PARTICIPLES = dict(
    pair.split(":")
    for pair in """
    become:become begin:begun break:broken bring:brought build:built burn:burned buy:bought catch:caught
    choose:chosen come:come cost:cost cut:cut deal:dealt do:done draw:drawn drink:drunk drive:driven
    eat:eaten fall:fallen feed:fed feel:felt fight:fought find:found fly:flown forbid:forbidden
    forget:forgotten freeze:frozen get:got give:given go:gone grow:grown hang:hung have:had hear:heard
    hide:hidden hit:hit hold:held hurt:hurt keep:kept know:known lay:laid lead:led leave:left lend:lent
    let:let lie:lain lose:lost make:made mean:meant meet:met overcome:overcome pay:paid put:put read:read
    ride:ridden ring:rung rise:risen run:run say:said see:seen seek:sought sell:sold send:sent set:set
    shake:shaken shine:shone shoot:shot shrink:shrunk shut:shut sing:sung sink:sunk sit:sat sleep:slept
    speak:spoken spend:spent split:split spread:spread stand:stood steal:stolen stick:stuck sting:stung
    strike:struck swear:sworn sweep:swept swim:swum take:taken teach:taught tear:torn tell:told
    think:thought throw:thrown understand:understood wear:worn win:won withdraw:withdrawn write:written
    overwrite:overwritten reset:reset undergo:undergone withstand:withstood bear:borne bend:bent bind:bound
    """.split()
)
_IRREGULAR_PLURALS = dict(
    pair.split(":")
    for pair in """
    man:men woman:women child:children person:people human:humans foot:feet tooth:teeth mouse:mice
    criterion:criteria bacterium:bacteria nucleus:nuclei index:indexes analysis:analyses crisis:crises
    basis:bases hypothesis:hypotheses life:lives wife:wives knife:knives leaf:leaves half:halves wolf:wolves
    shelf:shelves sheep:sheep aircraft:aircraft
    """.split()
)
_UNCOUNTED = frozenset(
    """information data evidence software hardware equipment advice knowledge research cattle livestock staff personnel
    money news people police waste spending funding housing traffic furniture""".split()
)


def past_participle(verb: str) -> str:
    """Return the past participle of a verb.

    >>> past_participle("set up"), past_participle("change"), past_participle("apply"), past_participle("stop")
    ('set up', 'changed', 'applied', 'stopped')
    """
    first, space, rest = verb.partition(" ")
    return _participle(first) + space + rest if first != "be" else f"been{space}{rest}"


def _participle(verb: str) -> str:
    if irregular := _IRREGULAR_PARTICIPLES.get(verb):
        return irregular
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search("[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    return f"{_double_consonant(verb)}ed"


def gerund(verb: str) -> str:
    """Return the gerund of a verb.

    >>> gerund("reset"), gerund("smoke"), gerund("set up")
    ('resetting', 'smoking', 'setting up')
    """
    first, space, rest = verb.partition(" ")
    stem = first[:-1] if re.search("[^eo]e$", first) and first != "be" else _double_consonant(first)
    return f"{stem}ing{space}{rest}"


def third_person(verb: str) -> str:
    """Return the third person singular of a verb.

    >>> third_person("apply"), third_person("be valid"), third_person("reach")
    ('applies', 'is valid', 'reaches')
    """
    first, space, rest = verb.partition(" ")
    irregular = {"be": "is", "have": "has", "may": "may"}
    return irregular.get(first, _with_s(first)) + space + rest


def plural(noun: str) -> str:
    """Return the plural of a noun.

    >>> plural("security gap"), plural("policy"), plural("child"), plural("data")
    ('security gaps', 'policies', 'children', 'data')
    """
    before, space, last = noun.rpartition(" ")
    if last in _UNCOUNTED or last.endswith(("s", "men")) and not last.endswith(("ss", "us", "gas")):
        return noun
    return before + space + _IRREGULAR_PLURALS.get(last, _with_s(last))


_SAME_AS_ADVERBS = frozenset(
    "fast hard long early late high low free straight right wrong deep wide far".split()
)


def adverb(adjective: str) -> str:
    """Return the adverb of an adjective.

    >>> [adverb(word) for word in ("regular", "automatic", "simple", "easy", "good", "daily")]
    ['regularly', 'automatically', 'simply', 'easily', 'well', 'daily']
    """
    if adjective == "good":
        return "well"
    if " " in adjective or adjective.endswith("ly") or adjective in _SAME_AS_ADVERBS:
        return adjective
    for ending, other in (("ic", "ically"), ("ble", "bly"), ("ple", "ply"), ("y", "ily")):
        if adjective.endswith(ending):
            return adjective.removesuffix(ending) + other
    return f"{adjective}ly"


def _with_s(word: str) -> str:
    if re.search("(?:s|x|z|ch|sh|[^aeiou]o)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search("[^aeiou]y$", word) else f"{word}s"


_DOUBLING = re.compile(r"(?:^|[^aeiou])[aeiou][bdgklmnprt]$")
_UNSTRESSED = re.compile(r"(?:en|er|it|or|et|on|op|el|al|an)$")


def _double_consonant(verb: str) -> str:
    """Return the verb with its last consonant doubled if it follows one short vowel of a short word or ending."""
    is_short = len(verb) <= 4 or verb.endswith(("set", "put", "mit", "fer"))
    return (
        verb + verb[-1]
        if _DOUBLING.search(verb) and (is_short or not _UNSTRESSED.search(verb)) and len(verb) <= 7
        else verb
    )
