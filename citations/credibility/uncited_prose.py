"""Finds unsourced claims in the prose between cited sentences: facts of its own, and URLs."""

import re
from collections.abc import Sequence

from citations.dates.find_dates import find_times
from citations.entities.entities import find_entities
from citations.find_quantities import find_quantities
from citations.text.claim_polarity import are_opposites
from citations.text.claim_words_and_stems import stem, words

_SUPERLATIVE = re.compile(
    r"\b(?:best|worst|only|largest|smallest|fastest|safest|highest|lowest|leading)\b", re.IGNORECASE
)
_CAUSAL = re.compile(
    r"\b(?:caus(?:e[sd]?|ing)|leads? to|led to|results? in|resulted in|drives?|drove|triggers?|triggered|"
    r"prevents?|prevented|improves?|improved|reduces?|reduced|increases?|increased|proves?|proved)\b",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://[^\s)>\]]+")


def connective_faults(sentence: str, cited: Sequence[str]) -> tuple[str, ...]:
    """Return what an uncited sentence claims beyond the cited sentences of its paragraph; () for mere prose.

    Numbers, dates, names, superlatives and causal verbs count. A sentence with a fault is an uncited claim.
    """
    carried = frozenset(word.stem for each in cited for word in words(each))
    return tuple(
        dict.fromkeys(
            each
            for each in _assertions(sentence)
            if not any(each in text for text in cited) and not _is_carried(each, carried)
        )
    )


def _assertions(sentence: str) -> list[str]:
    found = [each.text for each in find_quantities(sentence)] + [each.text for each in find_times(sentence)]
    found += [each.text for each in find_entities(sentence)]
    for pattern in (_SUPERLATIVE, _CAUSAL):
        found += [match.group() for match in pattern.finditer(sentence)]
    return found


def _is_carried(assertion: str, carried: frozenset[str]) -> bool:
    stems = frozenset(word.stem for word in words(assertion) if word.is_content)
    return (
        bool(stems) and stems <= carried and not any(are_opposites(stem(assertion), each) for each in carried)
    )


def foreign_urls(prose: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return URLs in prose that belong to no source: each is a hallucination."""
    known = {url.rstrip("/.,;") for url in sources}
    found = (match.group().rstrip("/.,;") for match in _URL.finditer(prose))
    return tuple(dict.fromkeys(url for url in found if url not in known))
