"""British and American spellings of English words: a question may use one, its sources the other. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

# What precedes "ise" in words that are spelled so in both.
_ALWAYS_ISE = frozenset(
    """adv advert appra ar bra bru chem circumc compr comprom conc cru dem desp dev disgu enterpr exc exerc expert
    franch gu improv inc lia likew mala merchand no otherw parad po pra prec prem prom ra rev superv surm surpr telev
    treat""".split()
)
_ISE = re.compile(r"([a-z]{2,}?)is(e[sdr]?|ers?|ing|ations?|able)")
_IZE = re.compile(r"([a-z]{2,}?)iz(e[sdr]?|ers?|ing|ations?|able)")
# "Analyses" is also a plural.
_YSE = re.compile(r"(anal|catal|paral|dial|hydrol|electrol)ys(e[dr]?|ers?|ing)")
_YZE = re.compile(r"(anal|catal|paral|dial|hydrol|electrol)yz(e[sdr]?|ers?|ing)")
_DOUBLED = (
    "model|label|travel|cancel|level|channel|tunnel|signal|total|fuel|dial|marshal|pixel|panel|parcel|pedal"
)
_LL = re.compile(rf"((?:re|un|mis)?(?:{_DOUBLED}))l(ed|ing|ers?)")
_L = re.compile(rf"((?:re|un|mis)?(?:{_DOUBLED}))(ed|ing|ers?)")
_OUR_STEMS = (
    "arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|od|rum|sav|tum|vap|vig|discol|watercol|multicol"
)
_OUR = re.compile(rf"((?:{_OUR_STEMS}))our(s|ed|ing|al|ally|able|ful|ite|less|hood|y|ise|ize|map|maps)?")
_OR = re.compile(rf"((?:{_OUR_STEMS}))or(s|ed|ing|al|ally|able|ful|ite|less|hood|y|ise|ize|map|maps)?")
_PAIRS = dict(
    pair.split(":")
    for pair in """
    centre:center centres:centers centred:centered metre:meter metres:meters kilometre:kilometer
    kilometres:kilometers centimetre:centimeter centimetres:centimeters millimetre:millimeter
    millimetres:millimeters litre:liter litres:liters fibre:fiber fibres:fibers theatre:theater calibre:caliber
    catalogue:catalog catalogues:catalogs dialogue:dialog dialogues:dialogs analogue:analog licence:license
    licences:licenses defence:defense offence:offense practise:practice grey:gray greyscale:grayscale
    programme:program programmes:programs aluminium:aluminum tyre:tire tyres:tires mould:mold plough:plow
    ageing:aging judgement:judgment artefact:artifact artefacts:artifacts sulphur:sulfur sceptical:skeptical
    cheque:check cheques:checks draught:draft moustache:mustache kerb:curb pyjamas:pajamas manoeuvre:maneuver
    """.split()
)
_BY_AMERICAN = {american: british for british, american in _PAIRS.items()}


@lru_cache(maxsize=4_096)
def other_spelling(word: str) -> str:
    """Return the word in lower case as it is spelled on the other side of the Atlantic; "" if there is no difference.

    >>> other_spelling("Optimisation"), other_spelling("colour"), other_spelling("modeling"), other_spelling("noise")
    ('optimization', 'color', 'modelling', '')
    """
    lowered = word.lower()
    if pair := _PAIRS.get(lowered) or _BY_AMERICAN.get(lowered):
        return pair
    if (match := _ISE.fullmatch(lowered)) and match[1] not in _ALWAYS_ISE:
        return f"{match[1]}iz{match[2]}"
    for pattern, between in ((_IZE, "is"), (_YSE, "yz"), (_YZE, "ys"), (_LL, ""), (_L, "l")):
        if match := pattern.fullmatch(lowered):
            return f"{match[1]}{between}{match[2]}"
    for pattern, between in ((_OUR, "or"), (_OR, "our")):
        if match := pattern.fullmatch(lowered):
            return f"{match[1]}{between}{match[2] or ''}"
    return ""
