"""Check that a model's sentence says what the cited words say, slightly more strictly than the rules alone. Pure.

The rules weigh a sentence as a whole: a long, faithful sentence could carry a short, unfounded clause along. New
wording by a model is therefore also compared with the words of its source.
"""

from collections.abc import Sequence

from citations.credibility.uncited_prose import foreign_urls
from citations.entailment.claim_alignment import PartKind, PartState
from citations.entailment.claim_types import is_checkable
from citations.text.claim_words_and_stems import content_stems
from citations.verification import CitedPassage, Verdict, VerdictStatus, verify

MAX_CLAIM_LENGTH = 600  # characters
MAX_NEW_WORDS, MAX_NEW_SHARE = 2, 0.25  # content words that the source does not have, in any form
CARRIED = frozenset({VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE})


def carries(windows: Sequence[str], text: str) -> bool:
    """Return True if one of the cited passages verifies the sentence, or it restates that passage accurately."""
    if not text or len(text) > MAX_CLAIM_LENGTH or not is_checkable(text) or foreign_urls(text, windows):
        return False
    return any(_is_carried(text, words) for words in windows)


def restates(claim: str, windows: Sequence[str], text: str) -> bool:
    """Return True if the source carries the sentence, and the sentence says all that the claim says."""
    return carries(windows, text) and verify(claim, [CitedPassage(text)]).status in CARRIED


def _is_carried(text: str, words: str) -> bool:
    verdict = verify(text, [CitedPassage(words)])
    most = min(MAX_NEW_WORDS, MAX_NEW_SHARE * len(content_stems(text)))
    return verdict.status in CARRIED and new_words(verdict) <= most


def new_words(verdict: Verdict) -> int:
    """Return the number of content words of the claim that the passage has in no form."""
    return sum(part.state is PartState.MISSING and part.kind is PartKind.WORD for part in verdict.parts)
