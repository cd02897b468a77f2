"""Recognize connecting sentences, which need no source in a report: they only lead from one claim to the next. Pure.

A content word must come from the cited sentences beside it, from the heading, or from the few below that name nothing
in the world. So a connection cannot add anything that no source says, even if a page instructs the model to.
"""

from collections.abc import Sequence

from citations.credibility.uncited_prose import connective_faults, foreign_urls
from citations.text.claim_polarity import negations
from citations.text.claim_words_and_stems import content_stems

LONGEST = 160  # characters
MAX_BORROWED = 4  # content words from the adjacent claims; with more it would be a statement
_LINKING = content_stems(
    "first second third next then also further moreover furthermore besides addition additionally finally last "
    "however meanwhile whereas although while though still yet instead likewise similarly same contrast hand other "
    "another both together turning turn regarding concerning respect terms matter matters point points view views "
    "question answer answers source sources evidence report reports study studies claim claims finding findings "
    "figure figures detail details example instance following below above here section part parts side sides "
    "agree agrees differ differs disagree disagrees describe describes say says state states show shows give gives "
    "find finds found speak speaks relate related look looks closer overall broadly summary sum namely specifically"
)


def is_connection(sentence: str, cited: Sequence[str], heading: str = "") -> bool:
    """Return True for prose that states nothing. `cited` are the sourced sentences of its paragraph."""
    text = sentence.strip()
    if not text or len(text) > LONGEST or "\n" in text or not any(map(str.isalpha, text)):
        return False
    if connective_faults(text, cited) or foreign_urls(text, ()) or negations(text):
        return False
    borrowed = content_stems(text) - _LINKING
    known = content_stems(heading).union(*map(content_stems, cited))
    return borrowed <= known and len(borrowed) <= MAX_BORROWED
