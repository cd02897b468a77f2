"""Red flags: faults of a sentence that do not depend on its topic, with advice on each.

Pure rules over words. Each prefers silence: a flag that is mostly wrong teaches readers to ignore all of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from citations.find_quantities import QuantityKind, find_quantities
from citations.text.claim_polarity import is_attributed, is_hedged
from citations.text.claim_words_and_stems import sentence_spans


class Flag(StrEnum):
    STATISTIC = "statistic_without_source"
    QUOTE = "quote_without_attribution"
    SUPERLATIVE = "superlative_without_evidence"
    PREDICTION = "prediction_as_fact"
    SHARES = "shares_do_not_add_up"


@dataclass(frozen=True, slots=True)
class RedFlag:
    """A flag. `text` are the words at fault; the other two are sentences for the reader."""

    kind: Flag
    text: str
    explanation: str
    suggested_fix: str


SHARES_TOLERANCE = 2.0  # percentage points that rounding can account for
MIN_SHARES = 3  # two shares are mostly shares of two wholes


def red_flags(claim: str, passages: Sequence[str]) -> tuple[RedFlag, ...]:
    """Yield the flags of a sentence; `passages` are the words that it cites, none for a sentence without a source."""
    return (
        *_statistic(claim, passages),
        *_quote(claim, passages),
        *_superlatives(claim, passages),
        *_prediction(claim, passages),
        *find_unbalanced_shares([claim]),
    )


def _statistic(claim: str, passages: Sequence[str]) -> Iterator[RedFlag]:
    figures = [each.text for each in find_quantities(claim) if each.kind is not QuantityKind.ORDINAL]
    if figures and not passages:
        explanation = f"The figure “{figures[0]}” has no source."
        yield RedFlag(Flag.STATISTIC, figures[0], explanation, "Cite its source, or leave it out.")


# A straight mark opens only before a word and not after one, so that the text between two quotations is not one.
_QUOTATION = re.compile(r"(?:[“„«]|(?<![\w.,;!?%])\"(?=\w))([^“”„«»\"]{20,})(?:[”“»]|(?<=\S)\")")
_OPENING = ("“", "„", "«", '"')
_NAMED = re.compile(
    r"\b(?:says?|said|saying|writes?|wrote|according|stat(?:es?|ed|ing)|not(?:es?|ed|ing)|by|call(?:s|ed)?|"
    r"argu(?:es?|ed)|claim(?:s|ed)?|warn(?:s|ed)?|adds?|added|puts? it|told|tells?)\b|[:(]",
    re.IGNORECASE,
)


def _quote(claim: str, passages: Sequence[str]) -> Iterator[RedFlag]:
    """Yield quotations whose speaker is not named.

    The citation itself attributes words that the cited source says.
    """
    if _NAMED.search(_QUOTATION.sub(" ", claim)):
        return
    for match in _QUOTATION.finditer(claim):
        said = match[1].strip(" .,;")
        if _is_speech(said) and not any(_says_itself(passage, said) for passage in passages):
            explanation = f"“{truncate_text(said)}” is quoted without naming the speaker."
            yield RedFlag(Flag.QUOTE, said, explanation, "Name who said it.")


def _is_speech(quoted: str) -> bool:
    """True for more than a term or a title: five words or more, most of them in lower case."""
    words = quoted.split()
    return len(words) >= 5 and 2 * sum(word[:1].islower() for word in words) > len(words)


def _says_itself(passage: str, said: str) -> bool:
    at = passage.find(said)
    return at >= 0 and not passage[:at].rstrip().endswith(_OPENING)


_ADJECTIVES = (
    "larg bigg great small few high low fast slow strong weak long short old young new rich poor deadli hott "
    "cold wett dri eas easi hard safe saf cheap bright dark deep near clos common rar simpl wid heavi light"
)
_SUPERLATIVE = re.compile(
    r"\b(?P<word>best|worst|least|most (?!of\b)\w+|"
    rf"(?:{'|'.join(_ADJECTIVES.split())})est)\b"
    r"|\b(?:the|its|their|our|['’]s) (?P<alone>only|first|leading)\b",
    re.IGNORECASE,
)
_NO_SUPERLATIVE = re.compile(
    r"\bat (?:the )?(?:best|worst|least|most|first|latest|earliest)\b|\bbest[- ](?:practices?|effort)\b|"
    r"\bthe first (?:time|party|name|step|of all|place|\d+|two|three|few)\b|\bthe leading (?:zeros?|edge)\b|"
    r"\bmost (?:of|likely|recent(?:ly)?|often|cases|people|users|systems)\b|\bleast privileged?\b",
    re.IGNORECASE,
)
# Synonymous superlatives.
_SAME = ({"largest", "biggest", "greatest"}, {"smallest", "fewest", "least", "lowest"}, {"best", "leading"})


def _superlatives(claim: str, passages: Sequence[str]) -> Iterator[RedFlag]:
    plain = _NO_SUPERLATIVE.sub(" ", claim)
    for match in _SUPERLATIVE.finditer(plain):
        found = (match["word"] or match["alone"]).casefold()
        alike = next((group for group in _SAME if found in group), {found})
        if not any(_has_word(passage, word) for passage in passages for word in alike):
            explanation = f"The source does not say “{found}”." if passages else f"Nothing shows “{found}”."
            yield RedFlag(Flag.SUPERLATIVE, found, explanation, "Cite the comparison, or say less.")


def _has_word(passage: str, word: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", passage, re.IGNORECASE) is not None


_WILL = re.compile(r"\b(?:will|won['’]t|(?:is|are) going to)\b", re.IGNORECASE)
_FUTURE = re.compile(
    r"\b(?:by|in|until|before|from|after|through) (?:\w+ )?20[2-9]\d\b|\bin (?:the )?future\b|\bsoon\b|"
    r"\b(?:next|coming) (?:\w+ )?(?:years?|months?|weeks?|decades?|generations?|century)\b|\beventually\b|"
    r"\bwithin (?:\w+ ){1,2}(?:years?|months?|decades?)\b|\btomorrow\b",
    re.IGNORECASE,
)
_EXPECTED = re.compile(
    r"\b(?:expect(?:s|ed)?|forecasts?|project(?:s|ed|ions?)?|predict(?:s|ed|ions?)?|estimate[sd]?|plan(?:s|ned)?|"
    r"scenarios?|aims?|intends?|should|could|may|might|likely|if)\b",
    re.IGNORECASE,
)


def _prediction(claim: str, passages: Sequence[str]) -> Iterator[RedFlag]:
    """Yield statements about the future as if it were known: about a time to come, or what the source only expects.

    "Will" alone is common in rules and behaviour ("the server will answer 404").
    """
    will = _WILL.search(claim)
    if not will or is_attributed(claim) or is_hedged(claim) or _EXPECTED.search(claim):
        return
    is_only_expected = any(_EXPECTED.search(passage) and not _WILL.search(passage) for passage in passages)
    if not passages or _FUTURE.search(claim) or is_only_expected:
        words = " ".join(claim[will.start() :].split()[:4]).rstrip(".,;")
        explanation = f"A prediction is stated as a fact: “{words}”."
        yield RedFlag(Flag.PREDICTION, words, explanation, "Say who expects it, and on what grounds.")


_REST = re.compile(
    r"\b(?:the (?:rest|remaining|remainder|others?)|respectively|breakdown|divided into)\b", re.IGNORECASE
)
_CHANGE = re.compile(
    r"\b(?:rose|rise[sn]?|fell|falls?|fallen|grew|grow[sn]?|increas\w+|decreas\w+|declin\w+|dropp?\w*|up|down) "
    r"(?:by|to|from)\b",
    re.IGNORECASE,
)


def find_unbalanced_shares(sentences: Sequence[str]) -> tuple[RedFlag, ...]:
    """Return flags for shares of one whole that miss 100 % by more than rounding.

    A whole is a sentence, or neighbouring sentences with shares, that name a rest ("the remaining 30 %").
    """
    parts = [span.cut(sentence) for sentence in sentences for span in sentence_spans(sentence)]
    runs = (list(run) for has_share, run in groupby(parts, key=_has_share) if has_share)
    return tuple(flag for run in runs for flag in _check_share_total(run))


def _has_share(sentence: str) -> bool:
    return bool(_shares(sentence))


def _shares(sentence: str) -> list[float]:
    if _CHANGE.search(sentence):
        return []
    found = (each for each in find_quantities(sentence) if each.kind is QuantityKind.PERCENT)
    return [each.low for each in found if each.low == each.high]


def _check_share_total(run: Sequence[str]) -> Iterator[RedFlag]:
    shares = [share for sentence in run for share in _shares(sentence)]
    total = sum(shares)
    is_whole = len(shares) >= MIN_SHARES and any(_REST.search(sentence) for sentence in run)
    if is_whole and abs(total - 100) > SHARES_TOLERANCE:
        text = " ".join(run)
        explanation = f"The shares add up to {total:g} %, not to 100 %: “{truncate_text(text)}”"
        yield RedFlag(Flag.SHARES, text, explanation, "Check the figures against the source.")


def truncate_text(text: str, most: int = 90) -> str:
    """Shorten a sentence to `most` characters, for a flag or a warning."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
