"""Claims whose words stand in a passage, and what their sentence takes back, limits or ascribes to others."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from citations.anchoring import Anchor, AnchorMatchType, anchor, cuts_word
from citations.entailment.omitted_qualifications import CONDITION_BEFORE
from citations.find_quantities import find_quantities
from citations.text.claim_polarity import is_attributed, is_hedged
from citations.text.claim_words_and_stems import sentence_spans
from citations.text.quote_span import Span
from citations.text.strip_quote_markup import strip_marks

_CONDITION_AFTER = re.compile(
    r"^\W*(?:if|unless|except|provided|only if|only when|only for|as long as|but not|when)\b", re.IGNORECASE
)
_VIEW_AFTER = re.compile(
    r"^,?\s*(?:according to\b|(?:\w+\s){0,3}(?:critics|opponents|proponents|sceptics|skeptics)\b"
    r"|(?:\w+\s){1,4}(?:claims?|claimed|argues?|argued|alleges?|alleged|believes?|believed)\W*$)",
    re.IGNORECASE,
)
_DENIAL_BEFORE = re.compile(
    r"(?:not true|untrue|false|myth|misconception|incorrect|wrong|den(?:y|ies|ied)|unlikely|doubtful|improbable|"
    r"impossible|no (?:evidence|proof|sign|indication)|reject\w*|doubt\w*|"
    r"(?:not|n['’]t) (?:believe|think|say|mean|claim)\w*)(?: \w+)? that\W*$"
    r"|(?<!\bor )(?<!\bif )\b(?:nor|neither|never|no|not)\s*$",
    re.IGNORECASE,
)
_DENIAL_AFTER = re.compile(
    r"^,?\s*(?:is|was|are|were|remains?)\s(?:an?\s|just\s)*"
    r"(?:myth|false|untrue|wrong|incorrect|misconception|not true)\b",
    re.IGNORECASE,
)
# The words that follow are then but a part of what is spoken of: "few of the", "nearly", "the owner of".
_PART_BEFORE = re.compile(
    r"(?:(?<!\ball )(?<!\beach )(?<!\bboth )\bof|\bnot (?:all|every|each)(?: of)?"
    r"|\b(?:nearly|almost|hardly|barely|few|than|without|from|by|with|between|against))"
    r"(?:\s(?:the|its|their|these|those|all))?\s*$",
    re.IGNORECASE,
)


_NAMED_BEFORE = re.compile(
    r"\b(?:city|town|village|state|canton|province|island|republic|kingdom|municipality|month|year) of\s*$",
    re.IGNORECASE,
)


class AssertionStanding(StrEnum):
    """The standing that the sentence gives to the words."""

    ASSERTED = "asserted"
    LIMITED = "limited"  # a condition is put on them, or they are the position of others
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Verbatim:
    """The position of a claim's words in a passage, and whether their sentence asserts them, with the reason."""

    anchor: Anchor
    standing: AssertionStanding
    reason: str


def find_verbatim(claim: str, passage: str) -> Verbatim | None:
    """Find the claim's words in the passage: exactly, or but for typography and the marks of markup and notes.

    None where they do not stand there.
    """
    return _find_words(claim, passage) or _find_unmarked_words(claim, passage)


def _find_unmarked_words(claim: str, passage: str) -> Verbatim | None:
    unmarked, wanted = strip_marks(passage, and_notes=True), strip_marks(claim)
    if unmarked.text == passage and wanted.text == claim:
        return None
    found = _find_words(wanted.text, unmarked.text)
    if found is None:
        return None
    span = unmarked.span_in_marked(found.anchor.span)
    return replace(found, anchor=replace(found.anchor, span=span, match_type=AnchorMatchType.NORMALIZED))


def _find_words(claim: str, passage: str) -> Verbatim | None:
    anchored = anchor(claim.strip().rstrip("."), passage, closely=False, with_omissions=False)
    if anchored is None or cuts_word(passage, anchored.span.start) or cuts_word(passage, anchored.span.end):
        return None
    before, after = _around(anchored.span, passage)
    if _cuts_figure(before, anchored.span.cut(passage), after):
        return None
    if _DENIAL_BEFORE.search(before):
        return Verbatim(anchored, AssertionStanding.DENIED, f"The source denies it: “{before.strip()} …”.")
    if _DENIAL_AFTER.search(after):
        return Verbatim(anchored, AssertionStanding.DENIED, f"The source denies it: “… {after.strip()}”.")
    limit = _limit(before, anchored.span.cut(passage), after)
    if limit:
        return Verbatim(anchored, AssertionStanding.LIMITED, limit)
    return Verbatim(anchored, AssertionStanding.ASSERTED, "The words stand in the source.")


def _cuts_figure(before: str, words: str, after: str) -> bool:
    """True for words that begin or end inside a figure: "CHF 3" of "CHF 3 million"."""
    edges = len(before), len(before) + len(words)
    figures = find_quantities(before + words + after)
    return any(each.span.start < edge < each.span.end for each in figures for edge in edges)


def _around(span: Span, passage: str) -> tuple[str, str]:
    """Return the text before and after a span in its sentence (or sentences)."""
    touched = [each for each in sentence_spans(passage) if each.start < span.end and span.start < each.end]
    start = min([each.start for each in touched], default=span.start)
    end = max([each.end for each in touched], default=span.end)
    return passage[min(start, span.start) : span.start], passage[span.end : max(end, span.end)]


def _limit(before: str, words: str, after: str) -> str:
    """Return the limit that the sentence puts on the words (a condition or an attribution) as a reason; "" if none."""
    lead, rest = before.strip(), after.strip()
    others = lead if lead and _attributes(before) else rest if _VIEW_AFTER.search(after) else ""
    if others:
        return f"Qualified: the source reports this as the position of others (“{others}”)."
    if lead.endswith("that") and is_hedged(lead):
        return "Qualified: the source says that it may be so, not that it is."
    if lead and (CONDITION_BEFORE.search(before + words) or _is_part(before)):
        return f"Qualified: the source adds “{lead}”."
    return f"Qualified: the source adds “{rest}”." if _CONDITION_AFTER.search(after) else ""


def _is_part(before: str) -> bool:
    return _PART_BEFORE.search(before) is not None and _NAMED_BEFORE.search(before) is None


def _attributes(before: str) -> bool:
    """True when the words before name whose position follows: "Critics claim that", "According to X,"."""
    return is_attributed(before) and (
        before.rstrip().endswith(("that", ",", ":")) or len(before.split()) <= 4
    )
