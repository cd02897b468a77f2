"""Compare the existing text with the claims of its brief: which sentences hold, and which words go too far. Pure."""

import re
from collections.abc import Sequence

from citations.text.claim_words_and_stems import content_stems
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.brief_evidence import Likeness
from research.pipelines.brief.brief_prompt_edits import shorten_text
from research.pipelines.brief.draft_brief_by_rules import (
    MAX_DENIAL,
    MIN_ABOUT,
    WHOLLY,
    compare,
    is_opposite,
    is_reservation,
    is_said_by,
)
from research.pipelines.brief.stored_brief import DraftClaim, OwnSentence

MAX_SENTENCES = 20
DENIED = 0.6  # share of a sentence's content words in a clause that denies it
# Words that claim more than a study can show.
_ABSOLUTE = re.compile(
    r"\b(?:always|never|all|every(?:one|body|where)?|nobody|none|no|any|only|entirely|completely|guarantee\w*|proven?"
    r"|proves|cure[sd]?|heals?|eliminates?|prevents?|double[sd]?|twice|triple[sd]?|halve[sd]?|best|worst|beste[mnrs]?|immer|nie(?:mals)?"
    r"|alle[nrs]?|jede[mnrs]?|kein\w*|überall|niemand|ausschließlich|völlig|garantier\w*|bewiesen|beweist|heilt|heilen"
    r"|verhindert|verdoppel\w*|doppelt\w*|halbier\w*)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*\s?%?")


def compare_own_text(
    claims: Sequence[DraftClaim], alike: Likeness, context: BriefContext
) -> list[OwnSentence]:
    """Return each sentence of an existing text with what the claims say of it; none for an image's prompt.

    A sentence is wrong if the claims on its subject deny it, or lack the words and figures that make it absolute.
    """
    if context.content_type != "text" or not context.existing_content.strip() or not claims:
        return []
    text = " ".join(context.existing_content.split())
    block = TextBlock(0, len(text), BlockKind.PARAGRAPH)
    own = [text[found.start : found.end].strip() for found in sentences(text, [block])]
    return [_judge(sentence, claims, alike) for sentence in own[:MAX_SENTENCES] if sentence]


def _judge(sentence: str, claims: Sequence[DraftClaim], alike: Likeness) -> OwnSentence:
    texts = [claim.text for claim in claims]
    verdicts = compare(sentence, texts, alike)
    saying = [
        place
        for place, verdict in enumerate(verdicts)
        if verdict.status in WHOLLY
        and is_said_by(sentence, texts[place])
        and not _list_absolutes(sentence, texts[place])
    ]
    if saying:
        return OwnSentence(text=sentence, outcome="said", claims=saying)
    if denying := [place for place, text in enumerate(texts) if denies(text, sentence)]:
        return OwnSentence(
            text=sentence,
            outcome="wrong",
            claims=denying,
            denied_by=shorten_text(texts[denying[0]], MAX_DENIAL),
        )
    stems = content_stems(sentence)
    shared = [len(stems & content_stems(text)) for text in texts]
    about = sorted((place for place, count in enumerate(shared) if count), key=lambda place: -shared[place])
    said = " ".join(texts)
    extra = _list_absolutes(sentence, said)
    extra += [found[0] for found in _FIGURE.finditer(sentence) if not _stands_in(found[0], said)]
    is_limited = any(
        _FIGURE.search(texts[place]) or is_reservation(texts[place]) or is_opposite(sentence, texts[place])
        for place in about
    )
    is_wrong = bool(about and extra and is_limited)
    return OwnSentence(
        text=sentence,
        outcome="wrong" if is_wrong else "unsaid",
        words=list(dict.fromkeys(extra)),
        claims=sorted(about),
    )


def denies(text: str, sentence: str) -> bool:
    """Return True if a clause of the text has most content words of the sentence, and only one of them a negation.

    >>> denies("Never mark mandatory fields with asterisks.", "Mark required fields with an asterisk.")
    True
    """
    stems = content_stems(sentence)
    least = max(MIN_ABOUT, DENIED * len(stems))
    clauses = _CLAUSE_ENDS.split(text)
    return any(
        len(content_stems(clause) & stems) >= least and is_opposite(clause, sentence) for clause in clauses
    )


_CLAUSE_ENDS = re.compile(r"[.;:](?:\s|$)|,\s(?:and|but|while|und|aber|sondern)\s")


def _list_absolutes(sentence: str, text: str) -> list[str]:
    """Return the words of the sentence that claim more than a study can show, and that the text lacks."""
    return [found[0] for found in _ABSOLUTE.finditer(sentence) if not _stands_in(found[0], text)]


def _stands_in(words: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE))
