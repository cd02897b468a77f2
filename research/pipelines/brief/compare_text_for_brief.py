"""Compare the existing text with the claims of its brief: which sentences hold, and which words go too far. Pure."""

import re
from collections.abc import Sequence

from citations.text.claim_words_and_stems import content_stems
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.brief_evidence import Likeness
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.brief_prompt_edits import shorten_text
from research.pipelines.brief.drafting.draft_brief_by_rules import (
    MAX_DENIAL_LENGTH,
    WHOLLY,
    compare,
    find_near,
    is_reservation,
    is_said_by,
    other_figure,
    split_sentences,
)
from research.pipelines.brief.drafting.opposite_statements import find_opposite, share_words
from research.pipelines.brief.stored_brief import BriefDraftClaim, OwnSentence

MAX_SENTENCES = 20
MIN_ABOUT = 2  # content words of a sentence in a claim that limits it
ABOUT = 0.5  # least share of a sentence's content words in a claim that limits it
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
    claims: Sequence[BriefDraftClaim],
    alike: Likeness,
    context: BriefContext,
    evidence: Sequence[EvidenceWords] = (),
) -> list[OwnSentence]:
    """Return each sentence of an existing text with what the claims say of it; none for an image's prompt.

    A sentence is wrong if a claim or an excerpt says the opposite or another figure, or if one on its subject limits
    what it makes absolute. Any other that no claim says is unsaid, with the nearest sentence of the sources.
    """
    if context.content_type != "text" or not context.existing_content.strip() or not claims:
        return []
    text = " ".join(context.existing_content.split())
    block = TextBlock(0, len(text), BlockKind.PARAGRAPH)
    own = [text[found.start : found.end].strip() for found in sentences(text, [block])]
    return [_judge(sentence, claims, alike, evidence) for sentence in own[:MAX_SENTENCES] if sentence]


def _judge(
    sentence: str, claims: Sequence[BriefDraftClaim], alike: Likeness, evidence: Sequence[EvidenceWords]
) -> OwnSentence:
    texts = [claim.text for claim in claims]
    verdicts = compare(sentence, texts, alike)
    denied_by = _find_denial(sentence, texts, evidence)
    saying = [
        place
        for place, verdict in enumerate(verdicts)
        if verdict.status in WHOLLY
        and is_said_by(sentence, texts[place])
        and not _list_absolutes(sentence, texts[place])
    ]
    if saying and not denied_by:
        return OwnSentence(text=sentence, outcome="said", claims=saying)
    stems = content_stems(sentence)
    shared = [len(stems & content_stems(text)) for text in texts]
    about = sorted((place for place, count in enumerate(shared) if count), key=lambda place: -shared[place])
    said = " ".join(texts)
    extra = _list_absolutes(sentence, said)
    limiting = [
        texts[place]
        for place in about
        if extra
        and shared[place] >= MIN_ABOUT
        and is_reservation(texts[place])
        and shared[place] >= ABOUT * len(stems - content_stems(" ".join(extra)))
    ]
    extra += [found[0] for found in _FIGURE.finditer(sentence) if not _stands_in(found[0], said)]
    denied_by = denied_by or next(iter(limiting), "")
    near = (
        ""
        if denied_by
        else find_near(sentence, [*evidence, *(EvidenceWords("", 0, text) for text in texts)], alike)
    )
    return OwnSentence(
        text=sentence,
        outcome="wrong" if denied_by else "unsaid",
        words=list(dict.fromkeys(extra)),
        claims=sorted(about),
        denied_by=shorten_text(denied_by, MAX_DENIAL_LENGTH),
        near=shorten_text(near, MAX_DENIAL_LENGTH),
    )


def _find_denial(sentence: str, texts: Sequence[str], evidence: Sequence[EvidenceWords]) -> str:
    """Return the sentence of a claim or an excerpt that says the opposite, or another figure for the same."""
    parts = [part for words in evidence for part in split_sentences(words)]
    said = [*((text, "") for text in texts), *((part.text, part.title) for part in parts)]
    opposite = [text for text, title in said if find_opposite(sentence, text, title)]
    if opposite:
        return max(opposite, key=lambda text: share_words(sentence, text))
    if other := other_figure(sentence, parts):
        return next(part.text for part in parts if other.found in part.text)
    return ""


def _list_absolutes(sentence: str, text: str) -> list[str]:
    """Return the words of the sentence that claim more than a study can show, and that the text lacks."""
    return [found[0] for found in _ABSOLUTE.finditer(sentence) if not _stands_in(found[0], text)]


def _stands_in(words: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE))
