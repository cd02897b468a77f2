"""Whether a passage carries a claim, decided by rules, with reasons a reader understands.

Semantic similarity is passed in and never computed here. It can only help a paraphrase over the threshold of
its model's profile: no likeness outweighs a figure, date, name or negation that does not match.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from citations.alignment import Alignment, Part, PartKind, State, align
from citations.anchoring import Anchor, MatchType, Span, anchor
from citations.claim_types import ClaimType, Level, classify, is_checkable, is_checked
from citations.polarity import breadth, force, is_attributed, is_hedged
from citations.wording import sentence_spans

__all__ = ["ClaimType", "Level", "Passage", "Similarity", "Status", "Verdict", "classify", "verify"]

ACCURATE_COVERAGE = 0.8  # of the claim's words, without a semantic figure
ACCURATE_WITH_SIMILARITY = 0.55  # with one above the profile's threshold
PARTIAL_COVERAGE = 0.5
CONFLICT_COVERAGE = 0.55  # below it the passage speaks of something else, and contradicts nothing
DEFAULT_THRESHOLD = 0.80


class Status(StrEnum):
    VERIFIED = "verified"
    PARAPHRASED_ACCURATE = "paraphrased_accurate"
    PARTIALLY_SUPPORTED = "partially_supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    UNVERIFIABLE = "unverifiable"
    UNVERIFIED = "unverified"  # not checked at the level asked for


class Similarity(Protocol):
    """Semantic similarity of a claim and a passage, 0–1."""

    def __call__(self, claim: str, passage: str, /) -> float: ...


@dataclass(frozen=True, slots=True)
class Passage:
    """Cited words with their neighbours. `is_readable` is False for a paywalled or unreachable source."""

    text: str
    source: str = ""
    is_readable: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """A status with its reasons; `passage` is the index of the passage it rests on and `span` lies in that
    passage.

    `support` (0–1) orders verdicts by how well the claim is supported; it is no probability.
    """

    status: Status
    reasons: tuple[str, ...]
    support: float = 0.0
    passage: int | None = None
    span: Span | None = None
    match_type: MatchType | None = None
    parts: tuple[Part, ...] = ()


# Better evidence first; a passage that supports outweighs one that is silent.
_ORDER = (
    Status.VERIFIED,
    Status.PARAPHRASED_ACCURATE,
    Status.CONTRADICTED,
    Status.PARTIALLY_SUPPORTED,
    Status.UNSUPPORTED,
    Status.UNVERIFIABLE,
)


def verify(
    claim: str,
    passages: Sequence[Passage],
    *,
    level: Level = Level.STANDARD,
    similarity: Similarity | float | None = None,
    threshold: float = DEFAULT_THRESHOLD,
) -> Verdict:
    """Check a claim against its passages; the best of them decides.

    `similarity` is one figure for all passages or a function, and `threshold` that of its model's profile.
    """
    if not is_checkable(claim):
        return Verdict(Status.UNVERIFIABLE, ("The sentence states nothing that could be checked.",))
    if not is_checked(classify(claim), level) and not any(_stands_in(claim, one) for one in passages):
        return Verdict(Status.UNVERIFIED, (f"Claims of this kind are not checked at level {level.value}.",))
    readable = [index for index, passage in enumerate(passages) if passage.is_readable]
    if passages and not readable:
        return Verdict(Status.UNVERIFIABLE, ("The source cannot be read: unreachable or behind a paywall.",))
    verdicts = [
        replace(
            _judge(claim, passages[i].text, _likeness(similarity, claim, passages[i]), threshold), passage=i
        )
        for i in readable
    ]
    if not verdicts:
        return Verdict(Status.UNSUPPORTED, ("There is no passage to check against.",))
    best = min(verdicts, key=lambda verdict: (_ORDER.index(verdict.status), -verdict.support))
    return _cross_referenced(best, verdicts, passages) if level is Level.STRICT else best


def _stands_in(claim: str, passage: Passage) -> bool:
    """The claim is the passage's own words: then it is checked at any level, whatever kind of claim it is."""
    return passage.is_readable and _verbatim(claim, passage.text) is not None


def _likeness(similarity: Similarity | float | None, claim: str, passage: Passage) -> float | None:
    return similarity(claim, passage.text) if callable(similarity) else similarity


def _cross_referenced(best: Verdict, verdicts: Sequence[Verdict], passages: Sequence[Passage]) -> Verdict:
    """At the strict level a reader is told when only one source says so, or when another disagrees."""
    supporting = {
        passages[each.passage].source
        for each in verdicts
        if each.passage is not None and each.status in (Status.VERIFIED, Status.PARAPHRASED_ACCURATE)
    }
    notes = ["Only one source says so."] if len(supporting) == 1 else []
    if supporting and any(each.status is Status.CONTRADICTED for each in verdicts):
        notes.append("Another passage says otherwise.")
    return replace(best, reasons=(*best.reasons, *notes))


def _judge(claim: str, passage: str, similarity: float | None, threshold: float) -> Verdict:
    verbatim = _verbatim(claim, passage)
    if verbatim is not None:
        return verbatim
    found = align(claim, passage)
    if found is None:
        return Verdict(Status.UNSUPPORTED, ("The passage speaks of something else.",))
    likely = similarity is not None and similarity >= threshold
    enough = ACCURATE_WITH_SIMILARITY if likely else ACCURATE_COVERAGE
    status, reasons = _graded(claim, found, found.window.cut(passage), enough)
    return Verdict(status, reasons, _support(status, found, similarity), span=found.window, parts=found.parts)


_CONDITION_BEFORE = re.compile(
    r"^\W*(?:if|when|unless|where|in case|provided|assuming|only)\b", re.IGNORECASE
)
_CONDITION_AFTER = re.compile(
    r"^\W*(?:if|unless|except|provided|only if|only when|only for|as long as|but not|when)\b", re.IGNORECASE
)
_DENIAL_BEFORE = re.compile(
    r"(?:not true|untrue|false|myth|misconception|incorrect|wrong|no evidence|den(?:y|ies|ied)|"
    r"reject\w*|doubt\w*|(?:not|n['’]t) (?:believe|think|say|mean|claim)\w*)(?: \w+)? that\W*$",
    re.IGNORECASE,
)


def _verbatim(claim: str, passage: str) -> Verdict | None:
    """A verdict when the claim's words stand in the passage, unless their sentence takes them back."""
    found = anchor(claim.strip().rstrip("."), passage)
    if found is None or found.match_type is MatchType.CLOSE:
        return None
    before, after = _around(found.span, passage)
    if _DENIAL_BEFORE.search(before):
        return _found(Status.CONTRADICTED, f"The source denies it: “{before.strip()} …”.", found, 0.05)
    limit = _limit(before, after)
    if limit:
        return _found(Status.PARTIALLY_SUPPORTED, limit, found, 0.5)
    reason = "The words stand in the source."
    return _found(Status.VERIFIED, reason, found, 1.0 if found.match_type is MatchType.EXACT else 0.97)


def _found(status: Status, reason: str, where: Anchor, support: float) -> Verdict:
    return Verdict(status, (reason,), support, span=where.span, match_type=where.match_type)


def _around(span: Span, passage: str) -> tuple[str, str]:
    """What stands before and after in the sentence (or sentences) of a span."""
    touched = [each for each in sentence_spans(passage) if each.start < span.end and span.start < each.end]
    start = min([each.start for each in touched], default=span.start)
    end = max([each.end for each in touched], default=span.end)
    return passage[min(start, span.start) : span.start], passage[span.end : max(end, span.end)]


def _limit(before: str, after: str) -> str:
    """What the sentence puts on the words, a condition or an attribution, as a reason; "" for nothing."""
    lead, rest = before.strip(), after.strip()
    if lead and _attributes(before):
        return f"Qualified: the source reports this as the position of others (“{lead}”)."
    if lead and _CONDITION_BEFORE.search(before):
        return f"Qualified: the source adds “{lead}”."
    return f"Qualified: the source adds “{rest}”." if _CONDITION_AFTER.search(after) else ""


def _attributes(before: str) -> bool:
    """True when the words before name whose position follows: "Critics claim that", "According to X,"."""
    return is_attributed(before) and (
        before.rstrip().endswith(("that", ",", ":")) or len(before.split()) <= 4
    )


def _graded(claim: str, found: Alignment, window: str, enough: float) -> tuple[Status, tuple[str, ...]]:
    if found.conflicts:
        reasons = tuple(map(_conflict_reason, found.conflicts))
        contradicts = found.coverage >= CONFLICT_COVERAGE
        return (Status.CONTRADICTED if contradicts else Status.UNSUPPORTED), reasons
    if found.missing_facts:
        reasons = tuple(f"“{part.text}” is not in the source." for part in found.missing_facts)
        return (
            Status.PARTIALLY_SUPPORTED if found.coverage >= PARTIAL_COVERAGE else Status.UNSUPPORTED
        ), reasons
    if found.coverage < PARTIAL_COVERAGE:
        return Status.UNSUPPORTED, ("The passage does not say this.",)
    qualified = tuple(_qualifications(claim, window))
    if qualified or found.coverage < enough:
        return Status.PARTIALLY_SUPPORTED, qualified or (_missing_words(found),)
    return Status.PARAPHRASED_ACCURATE, ("Every figure, date, name and negation is matched in the source.",)


def _conflict_reason(part: Part) -> str:
    if part.kind is PartKind.POLARITY:
        return f"Claim and source differ in saying yes or no about “{part.text}”."
    return f"The source says “{part.source}”, the claim says “{part.text}”."


def _missing_words(found: Alignment) -> str:
    missing = [part.text for part in found.of(State.MISSING)]
    return "Not in the source: " + ", ".join(f"“{text}”" for text in missing[:5]) + "."


_SUPERLATIVE = re.compile(
    r"\b(?:best|worst|only|first|last|most|least|\w{3,}est)\b(?<!interest)(?<!request)", re.IGNORECASE
)
_NO_SUPERLATIVE = re.compile(
    r"\bat (?:least|most|best|worst|last)\b|\b(?:rest|west|test|guest|forest|honest)\b", re.IGNORECASE
)


def _superlatives(text: str) -> frozenset[str]:
    return frozenset(each.casefold() for each in _SUPERLATIVE.findall(_NO_SUPERLATIVE.sub(" ", text)))


def _qualifications(claim: str, window: str) -> Iterator[str]:
    """What the source adds and the claim leaves out, or what the claim makes stronger."""
    if is_hedged(window) and not is_hedged(claim):
        yield "Qualified: the source says that it may be so, not that it is."
    if force(claim) > force(window):
        yield f"Qualified: the source does not say “{force(claim).name.lower()}”."
    if breadth(claim) > breadth(window) > 0:
        yield "Qualified: the source says so of fewer than the claim does."
    if _superlatives(claim) - _superlatives(window):
        yield (
            "The source does not say “"
            + "”, “".join(sorted(_superlatives(claim) - _superlatives(window)))
            + "”."
        )
    if is_attributed(window) and not is_attributed(claim):
        yield "Qualified: the source reports this as the position of others."
    if _CONDITION_BEFORE.search(window) and not _CONDITION_BEFORE.search(claim):
        yield f"Qualified: the source adds a condition (“{window[:60].strip()} …”)."


_SUPPORT = {
    Status.PARAPHRASED_ACCURATE: (0.55, 0.40),
    Status.PARTIALLY_SUPPORTED: (0.20, 0.35),
    Status.UNSUPPORTED: (0.0, 0.25),
    Status.CONTRADICTED: (0.0, 0.15),
}


def _support(status: Status, found: Alignment, similarity: float | None) -> float:
    base, span = _SUPPORT[status]
    likeness = found.coverage if similarity is None else (found.coverage + max(0.0, similarity)) / 2
    return round(base + span * min(1.0, likeness), 4)
