"""Finds qualifications of a source that a claim omits: hedges, obligations, scope, conditions, others' views."""

import re
from collections.abc import Iterator

from citations.entailment.claim_figure_binding import describe_misplaced_values
from citations.find_quantities import QuantityKind, find_quantities
from citations.text.claim_polarity import Force, breadth, force, is_attributed, is_hedged

_CONDITION = (
    r"(?:if|when(?![^,]{0,80}\b(?:was|were|had|did)\b)|unless|where|in case|provided|assuming|only|"
    r"without(?! (?:doubt|question|fail)\b)|in the absence of)\b"
)
CONDITION_BEFORE = re.compile(rf"^\W*{_CONDITION}", re.IGNORECASE)
_ANY_CONDITION = re.compile(rf"\b{_CONDITION}", re.IGNORECASE)
_GROUP = re.compile(
    r"\b(?:children|adolescents|teenagers|infants|adults|women|men|girls|boys|mice|rats|monkeys|dogs|cats|pigs|humans)\b",
    re.IGNORECASE,
)

_SUPERLATIVE = re.compile(
    r"\b(?:best|worst|only|first|last|most|least|\w{3,}est)\b(?<!interest)(?<!request)", re.IGNORECASE
)
_NO_SUPERLATIVE = re.compile(
    r"\bat (?:least|most|best|worst|last)\b|\b(?:rest|west|test|guest|forest|honest)\b", re.IGNORECASE
)


def _superlatives(text: str) -> frozenset[str]:
    return frozenset(each.casefold() for each in _SUPERLATIVE.findall(_NO_SUPERLATIVE.sub(" ", text)))


def qualifications(claim: str, sentence: str) -> Iterator[str]:
    """Yield a message for each qualification of the source that the claim leaves out or makes stronger."""
    if is_hedged(sentence) and not is_hedged(claim):
        yield "Qualified: the source says that it may be so, not that it is."
    if force(claim) >= Force.SHOULD and force(claim) > force(sentence):
        yield f"Qualified: the source does not say “{force(claim).name.lower()}”."
    if breadth(claim) > breadth(sentence) > 0 or _is_of_a_share(claim, sentence):
        yield "Qualified: the source says so of fewer than the claim does."
    if others := _other_groups(claim, sentence):
        yield f"The source does not say “{'”, “'.join(others)}”."
    yield from describe_misplaced_values(claim, sentence)
    if own := sorted(_superlatives(claim) - _superlatives(sentence)):
        yield f"The source does not say “{'”, “'.join(own)}”."
    if is_attributed(sentence) and not is_attributed(claim):
        yield "Qualified: the source reports this as the position of others."
    if CONDITION_BEFORE.search(sentence) and not _ANY_CONDITION.search(claim):
        yield f"Qualified: the source adds a condition (“{sentence[:60].strip()} …”)."


def _is_of_a_share(claim: str, sentence: str) -> bool:
    """True for "all" or "most" in a claim if the source has a smaller share: "78 % of the wells"."""
    if not (rank := breadth(claim)) >= 2 or _shares(claim):
        return False
    least = 50.0 if rank == 2 else 99.5
    return any(share <= least for share in _shares(sentence))


def _shares(text: str) -> list[float]:
    return [each.high for each in find_quantities(text) if each.kind is QuantityKind.PERCENT]


def _other_groups(claim: str, sentence: str) -> list[str]:
    """Return groups that a claim names while its sentence names only others: children instead of mice."""
    mine, theirs = ({each.lower() for each in _GROUP.findall(text)} for text in (claim, sentence))
    return sorted(mine) if theirs and mine.isdisjoint(theirs) else []
