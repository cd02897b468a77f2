"""Claims whose words stand in a passage, and what their sentence takes back, limits or ascribes to others."""

import re
from dataclasses import dataclass
from enum import StrEnum

from citations.anchoring import Anchor, anchor
from citations.language.normalizing import Span
from citations.language.polarity import is_attributed
from citations.language.wording import sentence_spans
from citations.supporting.qualifications import CONDITION_BEFORE

_CONDITION_AFTER = re.compile(
    r"^\W*(?:if|unless|except|provided|only if|only when|only for|as long as|but not|when)\b", re.IGNORECASE
)
_DENIAL_BEFORE = re.compile(
    r"(?:not true|untrue|false|myth|misconception|incorrect|wrong|no evidence|den(?:y|ies|ied)|"
    r"reject\w*|doubt\w*|(?:not|n['’]t) (?:believe|think|say|mean|claim)\w*)(?: \w+)? that\W*$",
    re.IGNORECASE,
)


class Standing(StrEnum):
    """What the sentence makes of the words."""

    ASSERTED = "asserted"
    LIMITED = "limited"  # a condition is put on them, or they are the position of others
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Where a claim's words stand in a passage, and what their sentence makes of them."""

    anchor: Anchor
    standing: Standing
    reason: str


def find_verbatim(claim: str, passage: str) -> Verbatim | None:
    """The claim's words in the passage, exactly or but for typography; None where they do not stand there."""
    found = anchor(claim.strip().rstrip("."), passage, closely=False)
    if found is None:
        return None
    before, after = _around(found.span, passage)
    if _DENIAL_BEFORE.search(before):
        return Verbatim(found, Standing.DENIED, f"The source denies it: “{before.strip()} …”.")
    limit = _limit(before, after)
    if limit:
        return Verbatim(found, Standing.LIMITED, limit)
    return Verbatim(found, Standing.ASSERTED, "The words stand in the source.")


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
    if lead and CONDITION_BEFORE.search(before):
        return f"Qualified: the source adds “{lead}”."
    return f"Qualified: the source adds “{rest}”." if _CONDITION_AFTER.search(after) else ""


def _attributes(before: str) -> bool:
    """True when the words before name whose position follows: "Critics claim that", "According to X,"."""
    return is_attributed(before) and (
        before.rstrip().endswith(("that", ",", ":")) or len(before.split()) <= 4
    )
