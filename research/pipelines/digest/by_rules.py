"""A digest in the discussion's own sentences: what answers the question, what people value, what they warn
    of.

No sentence is changed. What tells how dangerous work is done is taken out first, then it is found where people
contradict each other, and only then are sentences chosen: what is refuted is told beside its refutation or not at all.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from citations.anchoring import Span
from citations.text.wording import content_stems
from research.pipelines.digest.disagreements import (
    SHORTEST,
    Disagreement,
    count_supporters,
    find_disagreements,
    say_the_same,
)
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
from research.pipelines.digest.safety import ContextSentence, fields_in, find_dangers, is_warning
from research.pipelines.digest.safety.judging import DangerReason
from research.pipelines.digest.texts import PostText, Utterance

MOST_SUMMARY = 3  # sentences
LONGEST_UNIT = 320  # characters of a sentence together with those that it hangs on
MOST_RISKS, MOST_CONTRADICTIONS, MOST_UNKNOWNS = 4, 2, 2
MOST_PLACES = 3  # quotes of one sentence
# What moderators, programs and sellers write, and what is about the thread alone.
_NOISE = re.compile(
    r"\b(?:i am a bot|this action was performed|contact the moderators|sponsored|affiliate|promo\w*"
    r"|discount code|with code [A-Z0-9]+"
    r"|use code|% off|check out my|link in bio|dm me|subscribe|upvote\w*|downvote\w*|happy cake day"
    r"|underrated comment|came here to say"
    r"|take my|username checks out|following for|remind ?me|op delivered|this sub\b|\[deleted\]|bin ein bot"
    r"|anzeige:|rabattcode)",
    re.IGNORECASE,
)
_RISK = re.compile(
    r"\b(?:danger\w*|hazard\w*|unsafe|illegal|not (?:allowed|safe|legal)|beware|careful|warn\w*|toxic|poison\w*"
    r"|asbestos|shocks?"
    r"|electrocut\w*|explo(?:de|sion)\w*|catch(?:es)? fire|carcinogen\w*|scam\w*|fraud|void(?:s|ed)? (?:your"
    r"|the) (?:warranty|insurance)"
    r"|(?:an|medical) emergency|kills?|killed|injur\w+|collaps\w+|comes down on|becomes live|data loss"
    r"|lose (?:your|all) data|gefähr\w*|gefahr\w*"
    r"|verboten|nicht (?:erlaubt|zulässig)|vorsicht\w*|giftig\w*|stromschlag|betrug|datenverlust)\b",
    re.IGNORECASE,
)
_UNHARMED = re.compile(
    r"\b(?:no|not|without|isn['’]t|never|keine?|ohne|nicht) (?:\w+ )?(?=danger|hazard|toxic|poison|gefähr"
    r"|giftig|illegal)",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"^(?:it|this|that|these|those|they|he|she|so|but|and|then|also|both|same|yes|no|nope|it['’]s|that['’]s|es|das"
    r"|ours?|mine|there|here|which|otherwise|then|he['’]s|one of (?:them|those)|dies\w*|sie|er|aber|und|ja|nein"
    r"|dann|sonst|unsere?\b)\b"
    r"|\b(?:did|do) (?:mine|it|that)\b|\bof that \w+\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:one data point|not sure|no idea|don['’]t know|unclear|unknown|(?:it |that )?(?:all )?depends on"
    r"|keine ahnung|weiß nicht"
    r"|kommt (?:ganz )?darauf an|unklar)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(r"\b(?:update|edit|solved|fixed|turned out|solution|lösung|gelöst)\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class WeighedSentence:
    """A sentence that may be repeated, what it is worth to the question, and who else says it."""

    said: Utterance
    worth: float
    others: tuple[Utterance, ...] = ()
    people: int = 1

    @property
    def item(self) -> DigestSentence:
        places = tuple(PostQuote(one.post, one.span) for one in (self.said, *self.others)[:MOST_PLACES])
        return DigestSentence(self.said.text, places, self.people)


def write_digest(query: str, posts: Sequence[PostText], budget: int) -> DigestDraft:
    """The same input always gives the same draft. `budget`: characters of the summary."""
    safe, removed = split_by_safety(query, posts)
    disputes = _split_disputes(safe, posts)
    denied = {(one.claim.post, one.claim.comment) for one in disputes.all if one.is_refuted}
    sides = {item.text for caution in disputes.cautions for item in caution.items}
    every = [said for post in posts for said in post.utterances]
    left = [one for one in safe if (one.post, one.comment) not in denied and one.text not in sides]
    weighed = _weigh(query, join_hanging(left, posts), posts)
    free = _merge([one for one in weighed if _tells(one.said)], every, content_stems(query))
    # Who denies what may not be repeated warns of it.
    risks = [
        one for one in free if _warns(one.said) or any(text in one.said.text for text in disputes.warnings)
    ]
    risks = sorted(risks, key=lambda one: -one.said.score)[:MOST_RISKS]
    rest = [one for one in free if one not in risks]
    summary = _within(rest, budget)
    if not summary:  # nothing but warnings was said
        summary = _within(risks, budget)
        risks = [one for one in risks if one not in summary]
    highlights = [one for one in rest if one not in summary][:MOST_HIGHLIGHTS]
    chosen = {one.said.text for one in (*summary, *highlights, *risks)}
    return DigestDraft(
        summary=tuple(sentence.item for sentence in _in_order(summary, posts)),
        highlights=tuple(highlight.item for highlight in highlights),
        cautions=tuple(_cautions(risks, disputes.cautions, weighed, chosen, query)),
        removed=tuple(removed),
    )


@dataclass(frozen=True, slots=True)
class Disputes:
    """Where people disagree. `cautions`: both sides of what may be repeated; `warnings`: answers to what may not."""

    all: tuple[Disagreement, ...]
    cautions: tuple[Caution, ...]
    warnings: frozenset[str]


def find_disputes(query: str, posts: Sequence[PostText]) -> Disputes:
    return _split_disputes(split_by_safety(query, posts)[0], posts)


def _split_disputes(safe: Iterable[Utterance], posts: Iterable[PostText]) -> Disputes:
    told = {one.text for one in safe}
    found = find_disagreements([said for post in posts for said in post.utterances])
    both = [one for one in found if one.claim.text in told and one.answer.text in told]
    cautions = [
        Caution(CautionKind.CONTRADICTION, tuple(_plain_item(side) for side in (one.claim, one.answer)))
        for one in both[:MOST_CONTRADICTIONS]
    ]
    warnings = frozenset(one.answer.text for one in found if one.claim.text not in told)
    return Disputes(tuple(found), tuple(cautions), warnings)


def split_by_safety(query: str, posts: Iterable[PostText]) -> tuple[list[Utterance], list[RemovedSentence]]:
    """Split the utterances into those that may be repeated and removed ones; a text said twice counts once.

    Of a comment that gives dangerous advice only its warnings may be repeated: the rest hangs on the advice.
    """
    safe: dict[str, Utterance] = {}
    removed = []
    every = [said for post in posts for said in post.utterances]
    dangers = find_dangers([ContextSentence(one.text, f"{query}\n{one.title}", one.around) for one in every])
    tainted = {
        (one.post, one.comment)
        for one, danger in zip(every, dangers, strict=True)
        if danger is not None and danger.why is DangerReason.INSTRUCTION and one.comment
    }
    for one, danger in zip(every, dangers, strict=True):
        if danger is not None:
            removed.append(RemovedSentence(_where(one), danger))
        elif (one.post, one.comment) not in tainted or is_warning(one.text):
            safe.setdefault(one.text.casefold(), one)
    return list(safe.values()), removed


def join_hanging(said: Sequence[Utterance], posts: Iterable[PostText]) -> list[Utterance]:
    """Each sentence that hangs on the one before it in its comment together with that one, as they stand there."""
    texts = {post.post.id: post.document.text for post in posts}
    joined: list[Utterance] = []
    for one in sorted(said, key=lambda one: (one.post, one.span.start)):
        last = joined[-1] if joined else None
        text = texts[one.post]
        if (
            last is not None
            and (last.post, last.comment) == (one.post, one.comment)
            and _LEANS.search(one.text)
            and not last.text.endswith("?")
            and not text[last.span.end : one.span.start].strip()
            and one.span.end - last.span.start <= LONGEST_UNIT
        ):
            span = Span(last.span.start, one.span.end)
            whole = " ".join(text[span.start : span.end].split())
            if whole == text[span.start : span.end]:  # of one paragraph
                joined[-1] = replace(last, span=span, text=whole)
                continue
        joined.append(one)
    return joined


def _where(said: Utterance) -> str:
    return f"post {said.post}, comment {said.comment}" if said.comment else f"post {said.post}"


def _weigh(query: str, safe: Iterable[Utterance], posts: Sequence[PostText]) -> list[WeighedSentence]:
    """The worthiest first."""
    asked = content_stems(query)
    wanted = asked | content_stems(" ".join(post.post.title for post in posts))
    relevance = {post.post.id: post.chosen.relevance for post in posts}
    wants_figure = bool(
        re.search(
            r"\b(?:how (?:much|many|long|high|fast|often)|what|which|best|wie(?:viel| viele| lange)?)\b",
            query,
            re.I,
        )
    )
    weighed = [
        WeighedSentence(one, _worth(one, asked, wanted, relevance[one.post], wants_figure=wants_figure))
        for one in safe
    ]
    return sorted(weighed, key=lambda one: (-one.worth, one.said.post, one.said.span.start))


def _worth(
    said: Utterance, asked: frozenset[str], wanted: frozenset[str], relevance: float, *, wants_figure: bool
) -> float:
    """Words of the question, what people thought of it, and whether it can be read alone."""
    stems = content_stems(said.text)
    shared = (len(stems & wanted) + len(stems & asked)) / (2 * math.sqrt(len(stems))) if stems else 0.0
    votes = math.copysign(math.log10(1 + abs(said.score)), said.score)
    # The first sentence of an answer to the post may say “it”: the question says what that is.
    leans = (0.2 if said.is_first and not said.answers else 0.8) if _LEANS.match(said.text) else 0.0
    answers = 0.3 if said.comment and not said.answers else 0.1 if said.comment else 0.0
    figure = 0.3 if wants_figure and _FIGURE.search(said.text) else 0.0
    return shared + 0.4 * votes - leans + answers + figure + 0.5 * relevance


def _tells(said: Utterance) -> bool:
    """It says something about the matter and can be read alone: no question, no noise, nothing that was voted down."""
    words = len(re.findall(r"\w+", said.text))
    is_enough = len(said.text) >= SHORTEST and words >= 4
    is_answer = bool(said.comment) or bool(_REPORTS.search(said.text))
    hangs = bool(_LEANS.match(said.text)) and (bool(said.answers) or not said.is_first)
    asks = said.text.rstrip('"”’)').endswith("?")
    return (
        is_enough
        and is_answer
        and not asks
        and not hangs
        and said.score >= 0
        and not _NOISE.search(said.text)
        and not _OPEN.search(said.text)
    )


def _merge(
    weighed: Sequence[WeighedSentence], every: Sequence[Utterance], asked: frozenset[str]
) -> list[WeighedSentence]:
    """Sentences of several people that say the same are one, the worthiest of them, with how many say it."""
    supporters = count_supporters(every)
    groups: list[list[WeighedSentence]] = []
    for one in weighed:
        same = next((group for group in groups if say_the_same(group[0].said, one.said, asked)), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    merged = []
    for group in groups:
        people = {one.said.author for one in group}
        for one in group:
            people |= supporters.get((one.said.post, one.said.comment), frozenset())
        others = {one.said.author: one.said for one in group[1:] if one.said.author != group[0].said.author}
        agreed = group[0].worth + 0.3 * math.log2(len(people))
        merged.append(WeighedSentence(group[0].said, agreed, tuple(others.values()), len(people)))
    return sorted(merged, key=lambda one: -one.worth)


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
    return sorted(
        found, key=lambda sentence: (place[sentence.said.post], -sentence.worth, sentence.said.span.start)
    )


def _cautions(
    risks: Sequence[WeighedSentence],
    clashes: Sequence[Caution],
    weighed: Sequence[WeighedSentence],
    told: set[str],
    query: str,
) -> list[Caution]:
    """Warnings first, then where people contradict each other, then what nobody answered."""
    warned = [Caution(CautionKind.RISK, (one.item,)) for one in risks[: MOST_CAUTIONS - len(clashes)]]
    room = min(MOST_UNKNOWNS, MOST_CAUTIONS - len(warned) - len(clashes))
    return [*warned, *clashes, *list(_unknowns(weighed, told, query))[: max(0, room)]]


def _plain_item(said: Utterance) -> DigestSentence:
    return DigestSentence(said.text, (PostQuote(said.post, said.span),))


def _warns(said: Utterance) -> bool:
    """A warning, a refusal, advice to call a professional for dangerous work, or a danger that is named."""
    if _RISK.search(_UNHARMED.sub("", said.text)):
        return True
    return is_warning(said.text) and bool(fields_in(said.text, near=said.title, around=said.around))


def _unknowns(weighed: Sequence[WeighedSentence], told: set[str], query: str) -> Iterator[Caution]:
    """Questions on the matter that nobody answered, and what people say they do not know."""
    asked = content_stems(query)
    for sentence in weighed:
        said = sentence.said
        is_long = (
            len(said.text) >= SHORTEST and bool(said.comment) and said.score >= 0 and said.text not in told
        )
        if not is_long or _NOISE.search(said.text):
            continue
        is_on_matter = len(content_stems(said.text) & asked) >= min(2, len(asked))
        is_asked = said.text.endswith("?") and not said.has_answer and is_on_matter
        if is_asked or (_OPEN.search(said.text) and not said.text.endswith("?")):
            yield Caution(CautionKind.UNKNOWN, (sentence.item,))
