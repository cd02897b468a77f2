"""A digest in the discussion's own sentences: what answers the question, what people value, what they warn
    of.

No sentence is changed. What tells how dangerous work is done is taken out before anything is chosen.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citations.text.wording import content_stems
from research.pipelines.digest.drafts import (
    MOST_CAUTIONS,
    MOST_HIGHLIGHTS,
    Caution,
    CautionKind,
    DigestDraft,
    DigestSentence,
    PostQuote,
    RemovedSentence,
)
from research.pipelines.digest.safety import danger_in
from research.pipelines.digest.texts import PostText, Utterance

SHORTEST = 20  # characters of a sentence that says something alone
MOST_SUMMARY = 4  # sentences
_RISK = re.compile(
    r"\b(?:danger\w*|risk\w*|hazard\w*|unsafe|illegal|not (?:allowed|safe|legal)|never|do not|don['’]t"
    r"|careful|warn\w*|toxic|lead"
    r"|asbestos|live|shock|fire|burn\w*|explo\w+|crack\w*|leak\w*|mold|mould|damage\w*|fail\w*|void\w*"
    r"|insurance|code|permit"
    r"|gefähr\w*|gefahr\w*|risiko\w*|verboten|nicht (?:erlaubt|zulässig)|niemals|vorsicht\w*|giftig\w*"
    r"|brand\w*|schaden|schäden"
    r"|versicherung\w*|stromschlag)\b",
    re.IGNORECASE,
)
_UNHARMED = re.compile(r"\b(?:no|without|keine?|ohne) \w+", re.IGNORECASE)
_DISAGREES = re.compile(
    r"^(?:no\b|nope|not (?:true|really|quite)|wrong|disagree|actually|that is (?:a|not|wrong)|that's (?:a"
    r"|not|wrong)|this is wrong"
    r"|please (?:do not|don)|survivorship|on the contrary|nein\b|falsch|stimmt nicht|das ist (?:falsch"
    r"|nicht)|im gegenteil)",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"^(?:it|this|that|these|those|they|he|she|so|but|and|then|also|both|do|same|yes|no|nope|please|es|das"
    r"|dies\w*|sie|er|aber|und|ja|nein)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:one data point|not sure|no idea|don['’]t know|depends|unclear|unknown|anyone know|keine ahnung"
    r"|weiß nicht|kommt darauf an"
    r"|unklar|unsicher)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WeighedSentence:
    """A sentence that may be repeated, and what it is worth to the question."""

    said: Utterance
    worth: float

    @property
    def item(self) -> DigestSentence:
        return DigestSentence(self.said.text, (PostQuote(self.said.post, self.said.span),))


def write_digest(query: str, posts: Sequence[PostText], budget: int) -> DigestDraft:
    """Pure. `budget`: characters of the summary."""
    safe, removed = _split_by_safety(query, posts)
    wanted = content_stems(" ".join([query, *(post.post.title for post in posts)]))
    relevance = {post.post.id: post.chosen.relevance for post in posts}
    weighed = [WeighedSentence(one, _worth(one, wanted, relevance[one.post])) for one in safe]
    telling = [one for one in weighed if _tells(one.said)]
    best = sorted(telling, key=lambda one: (-one.worth, one.said.post, one.said.span.start))
    summary = _within([one for one in best if content_stems(one.said.text) & wanted], budget)
    rest = [one for one in best if one not in summary]
    cautions = _cautions([one for one in weighed if one not in summary], rest)
    said = {item.text for caution in cautions for item in caution.items}
    highlights = [one for one in rest if one.said.text not in said][:MOST_HIGHLIGHTS]
    return DigestDraft(
        summary=tuple(sentence.item for sentence in _in_order(summary, posts)),
        highlights=tuple(highlight.item for highlight in highlights),
        cautions=tuple(cautions),
        removed=tuple(removed),
    )


def _split_by_safety(query: str, posts: Iterable[PostText]) -> tuple[list[Utterance], list[RemovedSentence]]:
    """Split the utterances into those that may be repeated and removed ones; a text said twice counts once."""
    safe: dict[str, Utterance] = {}
    removed = []
    for one in (said for post in posts for said in post.utterances):
        danger = danger_in(one.text, near=f"{query}\n{one.title}", around=one.around)
        if danger is None:
            safe.setdefault(one.text.casefold(), one)
        else:
            removed.append(RemovedSentence(_where(one), danger))
    return list(safe.values()), removed


def _where(said: Utterance) -> str:
    return f"post {said.post}, comment {said.comment}" if said.comment else f"post {said.post}"


def _worth(said: Utterance, wanted: frozenset[str], relevance: float) -> float:
    """Words of the question, what people thought of it, and whether it can be read alone."""
    stems = content_stems(said.text)
    shared = len(stems & wanted) / math.sqrt(len(stems)) if stems else 0.0
    votes = math.copysign(math.log10(1 + abs(said.score)), said.score)
    alone = -0.7 if _LEANS.match(said.text) else 0.0
    answers = 0.3 if said.comment else 0.0
    return shared + 0.4 * votes + alone + answers + 0.5 * relevance


def _tells(said: Utterance) -> bool:
    """It says something about the matter: no question, no fragment, nothing that people voted down."""
    words = len(re.findall(r"\w+", said.text))
    is_enough = len(said.text) >= SHORTEST and words >= 4
    return is_enough and not said.text.rstrip('"”’)').endswith("?") and said.score >= 0 and bool(said.comment)


def _within(best: Sequence[WeighedSentence], budget: int) -> list[WeighedSentence]:
    """Whole sentences while they fit, with one blank between them."""
    found: list[WeighedSentence] = []
    left = budget
    for sentence in best:
        if len(sentence.said.text) <= left and len(found) < MOST_SUMMARY:
            found.append(sentence)
            left -= len(sentence.said.text) + 1
    return found


def _in_order(found: Iterable[WeighedSentence], posts: Sequence[PostText]) -> list[WeighedSentence]:
    place = {one.post.id: index for index, one in enumerate(posts)}
    return sorted(found, key=lambda sentence: (place[sentence.said.post], sentence.said.span.start))


def _cautions(weighed: Sequence[WeighedSentence], best: Sequence[WeighedSentence]) -> list[Caution]:
    """Risks first, then where people contradict each other, then what nobody answered."""
    risks = [Caution(CautionKind.RISK, (sentence.item,)) for sentence in best if _warns(sentence.said.text)][
        :3
    ]
    told = {caution.items[0].text for caution in risks}
    clashes = [
        contradiction
        for contradiction in _contradictions(weighed)
        if not told & {item.text for item in contradiction.items}
    ][:2]
    room = MOST_CAUTIONS - len(risks) - len(clashes)
    return [*risks, *clashes, *list(_unknowns(weighed))[: max(0, min(2, room))]]


def _warns(text: str) -> bool:
    return bool(_RISK.search(_UNHARMED.sub("", text)))


def _contradictions(weighed: Sequence[WeighedSentence]) -> Iterator[Caution]:
    """An answer that denies what it answers: both sides, where both may be repeated."""
    first = {
        (sentence.said.post, sentence.said.comment): sentence
        for sentence in reversed(weighed)
        if sentence.said.comment
    }
    for key, one in first.items():
        said = one.said
        other = first.get((said.post, said.answers)) if said.answers else None
        if said.score < 0 or not said.is_first or not said.answers:
            continue
        if not _DISAGREES.match(said.text) and (other is None or other.said.score >= 0):
            continue
        strongest = max(
            (each for each in weighed if (each.said.post, each.said.comment) == key and _stands(each)),
            key=lambda each: len(each.said.text),
            default=None,
        )
        if strongest is not None:
            sides = (other, strongest) if other is not None and _stands(other) else (strongest,)
            yield Caution(CautionKind.CONTRADICTION, tuple(each.item for each in sides))


def _stands(one: WeighedSentence) -> bool:
    return len(one.said.text) >= SHORTEST and not one.said.text.endswith("?")


def _unknowns(weighed: Sequence[WeighedSentence]) -> Iterator[Caution]:
    """Questions that were asked and not answered, and what people say they do not know."""
    for sentence in weighed:
        said = sentence.said
        is_asked = (
            said.text.endswith("?")
            and len(said.text) >= SHORTEST
            and not said.has_answer
            and bool(said.comment)
        )
        if is_asked or (_OPEN.search(said.text) and said.score >= 0):
            yield Caution(CautionKind.UNKNOWN, (sentence.item,))
