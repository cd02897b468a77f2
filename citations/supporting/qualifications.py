"""What a source adds to what it says, and a claim leaves out: hedges, obligations, scope, conditions, others' views."""

import re
from collections.abc import Iterator

from citations.language.polarity import Force, breadth, force, is_attributed, is_hedged

CONDITION_BEFORE = re.compile(r"^\W*(?:if|when|unless|where|in case|provided|assuming|only)\b", re.IGNORECASE)

_SUPERLATIVE = re.compile(
    r"\b(?:best|worst|only|first|last|most|least|\w{3,}est)\b(?<!interest)(?<!request)", re.IGNORECASE
)
_NO_SUPERLATIVE = re.compile(
    r"\bat (?:least|most|best|worst|last)\b|\b(?:rest|west|test|guest|forest|honest)\b", re.IGNORECASE
)


def _superlatives(text: str) -> frozenset[str]:
    return frozenset(each.casefold() for each in _SUPERLATIVE.findall(_NO_SUPERLATIVE.sub(" ", text)))


def qualifications(claim: str, sentence: str) -> Iterator[str]:
    """What the source adds and the claim leaves out, or what the claim makes stronger."""
    if is_hedged(sentence) and not is_hedged(claim):
        yield "Qualified: the source says that it may be so, not that it is."
    if force(claim) >= Force.SHOULD and force(claim) > force(sentence):
        yield f"Qualified: the source does not say “{force(claim).name.lower()}”."
    if breadth(claim) > breadth(sentence) > 0:
        yield "Qualified: the source says so of fewer than the claim does."
    if own := sorted(_superlatives(claim) - _superlatives(sentence)):
        yield f"The source does not say “{'”, “'.join(own)}”."
    if is_attributed(sentence) and not is_attributed(claim):
        yield "Qualified: the source reports this as the position of others."
    if CONDITION_BEFORE.search(sentence) and not CONDITION_BEFORE.search(claim):
        yield f"Qualified: the source adds a condition (“{sentence[:60].strip()} …”)."
