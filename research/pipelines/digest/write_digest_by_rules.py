"""Write a digest in the discussion's own sentences: answers, what people value, and what they warn of.

No sentence is changed. Instructions for dangerous work are removed first, then contradictions are found, and only then
are sentences chosen: a refuted claim appears beside its refutation or not at all.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from citations.anchoring import Span
from citations.text.claim_words_and_stems import content_stems
from research.pipelines.digest.digest_disagreements import (
    DEADLY,
    SHORTEST,
    Disagreement,
    agrees,
    asks_experience,
    asks_figure,
    count_supporters,
    find_disagreements,
    say_the_same,
)
from research.pipelines.digest.digest_draft import (
    MAX_CAUTIONS,
    MAX_HIGHLIGHTS,
    Caution,
    CautionKind,
    DigestDraft,
    DigestSentence,
    PostQuote,
    RemovedSentence,
)
from research.pipelines.digest.digest_idle_remarks import find_idle_remarks
from research.pipelines.digest.digest_post_texts import PostText, Utterance
from research.pipelines.digest.safety import (
    ContextSentence,
    fields_in,
    find_dangers,
    is_warning,
    judge_digest_safety,
)
from research.pipelines.digest.safety.judge_digest_safety import DangerReason

MAX_SUMMARY = 3  # sentences
MAX_UNIT_LENGTH = 320  # characters of a sentence with the preceding ones that it depends on
MAX_RISKS, MAX_CONTRADICTIONS, MAX_UNKNOWNS = 4, 3, 2
MAX_PLACES = 3  # quotes of one sentence
LONG_STEM = 5  # letters
MIN_FIGURES = 3  # digits of a liked comment that tells something: “I paid 120, the list price is 420”
MIN_TELLING_WORDS = 3  # of a sentence that saves its comment from being idle: not “Name it.”
# Text of moderators, bots and sellers, and remarks that are only about the thread.
_NOISE = re.compile(
    r"\b(?:i am a bot|this action was performed|contact the moderators|sponsored|affiliate|promo\w*"
    r"|discount code|with code [A-Z0-9]+"
    r"|(?:use|with) (?:my |our |the )?code|(?:%|percent) off|prozent rabatt|check out my|link in bio|dm me"
    r"|subscribe|upvote\w*|downvote\w*|happy cake day"
    r"|underrated comment|came here to say|(?:use|try) the search\b|(?:asked|posted) (?:here )?every (?:day|week|month)"
    r"|(?:not|kein|keine) (?:a |an )?(?:lawyer|doctor|anwalt|anwältin|arzt|ärztin)\b|viel glück"
    r"|take my|username checks out|following for|remind ?me|op delivered|this sub\b|\[deleted\]|bin ein bot"
    r"|anzeige:|rabattcode)",
    re.IGNORECASE,
)
_RISK = re.compile(
    r"\b(?:danger\w*|hazard\w*|unsafe|illegal|not (?:allowed|safe|legal)|beware|careful|warn\w*|toxic|poison\w*"
    r"|asbestos"
    r"|electrocut\w*|catch(?:es)? fire|carcinogen\w*|scam\w*|fraud|void(?:s|ed)? (?:your"
    r"|the) (?:warranty|insurance)"
    r"|(?:an|medical) emergency|injure[sd]?|(?:serious|severe|risk of) injur\w+|comes down on|becomes live|data loss"
    r"|lose (?:your|all) data|gefähr\w*|gefahr\w*"
    r"|blood clots?|(?:be|is) a clot|thrombos\w+"
    r"|(?:throw|chuck) (?:it|them|the \w+) (?:out|away)|discard (?:it|them)|wegwerfen|weggeworfen"
    r"|verboten|nicht (?:erlaubt|zulässig)|vorsicht\w*|giftig\w*|stromschlag|betrug|datenverlust)\b",
    re.IGNORECASE,
)
# Risks only where something is dangerous: elsewhere dough explodes, a cake collapses, and a price is a shock.
_RISK_IN_FIELD = re.compile(r"\b(?:shocks?|explo(?:de|sion)\w*|kills?|killed|collaps\w+)\b", re.IGNORECASE)
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
_ADDS = re.compile(r"\b(?:too|as well)[.,;]", re.IGNORECASE)  # it adds to what another says
_COURTESY = re.compile(
    r"^(?:(?:many )?thanks|thank you|cheers|good luck|hope (?:this|that|it) helps|hth|danke|vielen dank|viel (?:glück"
    r"|erfolg))\b[^,;:]{0,30}$",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:one data point|not sure|no idea|don['’]t know|unclear|unknown|(?:it |that )?(?:all )?depends on"
    r"|keine ahnung|weiß nicht"
    r"|kommt (?:ganz )?darauf an|unklar)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(r"\b(?:update|edit|solved|fixed|turned out|solution|lösung|gelöst)\b", re.IGNORECASE)
_SUCCEEDED = re.compile(
    r"\b(?:gone|held|holds|works?|worked|fixed|solved|sorted|cured|it was|better|weg|funktioniert|geht wieder|behoben"
    r"|geholfen|gelöst)\b",
    re.IGNORECASE,
)
# “My office is the kitchen table”: the speaker's own things, which answer nothing. Not “my advice is …”.
_OWN_THINGS = re.compile(
    r"^(?:my|mein\w*|unser\w*) (?!(?:\w+ )?(?:advice|answer|approach|experience|favou?rite|fix|go-?to|guess|method|pick"
    r"|recommendation|rule|secret|solution|suggestion|theory|tip|trick|understanding|view|ansatz|empfehlung|erfahrung"
    r"|favorit|lösung|methode|regel|rat|tipp|trick|vermutung|vorschlag)\b)(?:\w+ ){1,2}(?:is|are|ist|sind)"
    r" (?:the|an?|der|die|das|eine?) [^\d]+$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class WeighedSentence:
    """A sentence that may be repeated, with its score for the question and the others who say the same."""

    said: Utterance
    worth: float
    others: tuple[Utterance, ...] = ()
    people: int = 1

    @property
    def item(self) -> DigestSentence:
        places = tuple(
            PostQuote(utterance.post, utterance.span) for utterance in (self.said, *self.others)[:MAX_PLACES]
        )
        return DigestSentence(self.said.text, places, self.people)


def write_digest(query: str, posts: Sequence[PostText], budget: int) -> DigestDraft:
    """Draft a digest; the same input always gives the same draft. `budget`: characters of the summary."""
    safe, removed = split_by_safety(query, posts)
    disputes = _split_disputes(safe, posts)
    denied = {
        (dispute.claim.post, dispute.claim.comment)
        for dispute in disputes.all
        if dispute.is_refuted or dispute in disputes.warned
    }
    every = [said for post in posts for said in post.utterances]
    units = join_sentences(
        query, [utterance for utterance in safe if utterance.text not in disputes.idle], posts
    )
    cautions = disputes.cautions(query, units)
    answer = [caution for caution in cautions if caution.is_answer][:1]
    budget -= sum(len(item.text) + 1 for caution in answer for item in caution.items)
    sides = {item.text for caution in cautions for item in caution.items}
    left = [
        _alone(unit, disputes.warnings, safe)
        for unit in units
        if (unit.post, unit.comment) not in denied and unit.text not in sides
    ]
    deadly = _find_deadly(every)
    weighed = _weigh(query, left, posts)
    free = _merge([candidate for candidate in weighed if _tells(candidate.said)], every, content_stems(query))
    # An answer that denies something that may not be repeated is a warning.
    risks = [
        candidate
        for candidate in free
        if _warns(candidate.said)
        or (candidate.said.post in deadly and is_warning(candidate.said.text))
        or any(text in candidate.said.text for text in disputes.warnings)
    ]
    risks = sorted(risks, key=lambda candidate: -candidate.said.score)[:MAX_RISKS]
    rest = [candidate for candidate in free if candidate not in risks]
    # The best answer to the question leads the summary even if it is a warning.
    answers = [candidate for candidate in free if not candidate.said.by_asker]
    leads = [candidate for candidate in answers[:1] if candidate in risks and not candidate.said.answers]
    summary = _within(leads if answer else [*leads, *rest], budget)
    if not answer and not set(summary) - set(leads):  # there are only warnings
        summary = _within(risks, budget)
        risks = [candidate for candidate in risks if candidate not in summary]
    highlights = [candidate for candidate in rest if candidate not in summary][:MAX_HIGHLIGHTS]
    chosen = {candidate.said.text for candidate in (*summary, *highlights, *risks)}
    return DigestDraft(
        summary=tuple(sentence.item for sentence in _in_order(summary, posts)),
        highlights=tuple(highlight.item for highlight in highlights),
        cautions=tuple(_cautions(risks, cautions, weighed, chosen, query)),
        removed=tuple(removed),
    )


def _alone(unit: Utterance, warnings: Collection[str], safe: Iterable[Utterance]) -> Utterance:
    """Return the warning that a unit contains if its beginning hangs in the air: “She cannot lift you. Most of …”."""
    if not _LEANS.match(unit.text):
        return unit
    within = (
        said
        for said in safe
        if said.text in warnings and said.text in unit.text and not _LEANS.match(said.text)
    )
    return next((said for said in within if (said.post, said.comment) == (unit.post, unit.comment)), unit)


def _find_idle(safe: Sequence[Utterance], warnings: frozenset[str]) -> frozenset[str]:
    """Return the small talk, and the sentences of comments that are nothing but jokes, rants or small talk.

    A warning or a denial is none of these.
    """
    liked = {utterance.text for utterance in safe if _is_liked(utterance, safe)}
    remarks = [utterance for utterance in safe if not _COURTESY.match(utterance.text)]
    judged = find_idle_remarks([utterance.text for utterance in remarks])
    helping = {
        (utterance.post, utterance.comment)
        for utterance, is_idle in zip(remarks, judged, strict=True)
        if (not is_idle and len(utterance.text.split()) >= MIN_TELLING_WORDS)
        or (utterance.text in liked and len(_FIGURE.findall(utterance.text)) >= MIN_FIGURES)
        or (utterance.by_asker and _tells_outcome(utterance))
        or utterance.text in warnings
        or is_warning(utterance.text)
        or _warns(utterance)
    }
    chatting = _find_chat(safe)
    return frozenset(
        utterance.text
        for utterance in safe
        if _COURTESY.match(utterance.text)
        or (utterance.text in chatting and utterance.text not in warnings)
        or (utterance.post, utterance.comment) not in helping
    )


def _find_chat(safe: Sequence[Utterance]) -> frozenset[str]:
    """Return German remarks of people on themselves that share no word with the rest, and give no figure or advice.

    The model of idle remarks reads English only.
    """
    stems = [_long_stems(utterance.text) for utterance in safe]
    return frozenset(
        utterance.text
        for place, utterance in enumerate(safe)
        if utterance.comment
        and judge_digest_safety.is_german(utterance.text)
        and _SELF.search(utterance.text)
        and not _FIGURE.search(utterance.text)
        and not (utterance.by_asker and _tells_outcome(utterance))
        and not _is_liked(utterance, safe)
        and not stems[place] & _long_stems(utterance.title)
        and not any(stems[place] & others for other, others in enumerate(stems) if other != place)
    )


def _is_liked(utterance: Utterance, others: Sequence[Utterance]) -> bool:
    """Return True for a comment with at least as many votes as half of the comments of its post."""
    votes = {said.comment: said.score for said in others if said.comment and said.post == utterance.post}
    return bool(votes) and bool(utterance.comment) and utterance.score >= median(votes.values())


def _long_stems(text: str) -> frozenset[str]:
    """Return the stems without the short ones, most of which are German function words."""
    return frozenset(stem for stem in content_stems(text) if len(stem) >= LONG_STEM)


_SELF = re.compile(r"\b(?:ich|wir|mich|mein\w*|unser\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DiscussionDisputes:
    """The disagreements of a discussion.

    `warned`: those of which the answer warns of injury; `both`: those of which both sides may be repeated; `warnings`:
    answers to claims that may not; `idle`: jokes, rants and small talk, which take no side.
    """

    all: tuple[Disagreement, ...]
    warned: tuple[Disagreement, ...]
    both: tuple[Disagreement, ...]
    warnings: frozenset[str]
    idle: frozenset[str]

    def cautions(self, query: str, units: Sequence[Utterance] = ()) -> list[Caution]:
        """Return the first disagreements with both sides, each with the sentences it belongs to."""
        return [
            Caution(
                CautionKind.CONTRADICTION,
                tuple(_plain_item(_unit_of(side, units)) for side in (dispute.claim, dispute.answer)),
                is_answer=(dispute.is_on_question and asks_figure(query))
                or (dispute.is_experience and asks_experience(query)),
                is_outdated=dispute.is_outdated,
                is_experience=dispute.is_experience,
            )
            for dispute in self.both[:MAX_CONTRADICTIONS]
        ]


def _unit_of(side: Utterance, units: Iterable[Utterance]) -> Utterance:
    holding = (
        unit
        for unit in units
        if (unit.post, unit.comment) == (side.post, side.comment)
        and unit.span.start <= side.span.start
        and side.span.end <= unit.span.end
    )
    return next(holding, side)


def find_disputes(query: str, posts: Sequence[PostText]) -> DiscussionDisputes:
    return _split_disputes(split_by_safety(query, posts)[0], posts)


def _split_disputes(safe: Sequence[Utterance], posts: Sequence[PostText]) -> DiscussionDisputes:
    safe_texts = {utterance.text for utterance in safe}
    found = find_disagreements([said for post in posts for said in post.utterances])
    every = [said for post in posts for said in post.utterances]
    warned = tuple(dispute for dispute in found if _is_warned_of(dispute, every))
    refuted = {dispute.claim.text for dispute in warned}
    found = [dispute for dispute in found if dispute.answer.text not in refuted]
    warnings = frozenset(
        dispute.answer.text for dispute in found if dispute.claim.text not in safe_texts or dispute in warned
    ) | _answers_to_dangers(every, safe_texts)
    denials = frozenset(
        dispute.answer.text for dispute in found if dispute.answer.answers == dispute.claim.comment
    )
    idle = _find_idle(safe, denials)
    disagreements = [dispute for dispute in found if dispute.answer.text not in idle]
    both = [
        dispute
        for dispute in disagreements
        if dispute.claim.text in safe_texts and dispute.answer.text in safe_texts and dispute not in warned
    ]
    return DiscussionDisputes(tuple(disagreements), warned, tuple(both), warnings - idle, idle)


def _answers_to_dangers(every: Sequence[Utterance], safe_texts: Collection[str]) -> frozenset[str]:
    """Return the answers that have more votes than the dangerous advice that they answer, and do not agree with it."""
    votes = {
        (said.post, said.comment): said.score
        for said in every
        if said.text not in safe_texts and said.comment
    }
    answers: dict[tuple[str, str], list[Utterance]] = {}
    for said in every:
        claim = (said.post, said.answers)
        if said.comment and claim in votes and said.score > votes[claim]:
            answers.setdefault((said.post, said.comment), []).append(said)
    longest = (
        max(sentences, key=lambda said: len(said.text))
        for sentences in answers.values()
        if not agrees(sentences[0])
    )
    return frozenset(said.text for said in longest if said.text in safe_texts and not said.text.endswith("?"))


# What happens to people or houses.
_INJURES = re.compile(
    r"\b(?:fires?|burn\w*|explo\w+|electrocut\w*|shocks?|poison\w*|toxic|kill\w*|die[sd]?|deadly|injure[sd]?|suffocat\w+"
    r"|brenn\w*|brand|feuer|explo\w+|stromschlag\w*|gift\w*|vergift\w*|tödlich|erstick\w*|verletz\w*|überhitz\w*)\b",
    re.IGNORECASE,
)


def _is_warned_of(dispute: Disagreement, every: Iterable[Utterance]) -> bool:
    """Return True if the answering comment warns of injury or fire: then nobody may hold the claim."""
    key = (dispute.answer.post, dispute.answer.comment)
    return any(
        DEADLY.search(said.text) or (is_warning(said.text) and _INJURES.search(said.text))
        for said in every
        if (said.post, said.comment) == key
    )


def split_by_safety(query: str, posts: Sequence[PostText]) -> tuple[list[Utterance], list[RemovedSentence]]:
    """Split the utterances into those that may be repeated and removed ones; repeated texts count once.

    Of a comment with dangerous advice, only the warnings may be repeated, since the rest depends on the advice.
    """
    safe: dict[str, Utterance] = {}
    removed = []
    every = [said for post in posts for said in post.utterances]
    deadly = _find_deadly(every)
    dangers = find_dangers(
        [
            ContextSentence(
                utterance.text,
                f"{query}\n{utterance.title}",
                f"{utterance.around}\n{deadly.get(utterance.post, '')}",
            )
            for utterance in every
        ]
    )
    cared_for = {
        (utterance.post, utterance.comment)
        for utterance in every
        if utterance.by_asker and utterance.comment and judge_digest_safety.names_professional(utterance.text)
    }
    dangers = [
        None if (utterance.post, utterance.comment) in cared_for and _is_only_felt(utterance) else danger
        for utterance, danger in zip(every, dangers, strict=True)
    ]
    tainted = {
        (utterance.post, utterance.comment)
        for utterance, danger in zip(every, dangers, strict=True)
        if danger is not None and danger.why is DangerReason.INSTRUCTION and utterance.comment
    }
    asking = {post.post.id for post in posts if _asks(post)}
    for utterance, danger in zip(every, dangers, strict=True):
        if danger is not None:
            if utterance.post in asking and not utterance.comment and not _REPORTS.search(utterance.text):
                continue  # it describes what the post asks about
            removed.append(RemovedSentence(_where(utterance), danger))
        elif (
            (utterance.post, utterance.comment) not in tainted
            or is_warning(utterance.text)
            or _warns(utterance)
        ):
            safe.setdefault(utterance.text.casefold(), utterance)
    return list(safe.values()), removed


def _find_deadly(every: Iterable[Utterance]) -> dict[str, str]:
    """Return, by post, the sentences of comments that call something deadly: their fields are those of the thread."""
    found: dict[str, str] = {}
    for utterance in every:
        if utterance.comment and utterance.score >= 0 and DEADLY.search(utterance.text):
            found[utterance.post] = f"{found.get(utterance.post, '')}\n{utterance.text}"
    return found


def join_sentences(query: str, utterances: Sequence[Utterance], posts: Iterable[PostText]) -> list[Utterance]:
    """Join the sentences of short comments, unchanged; in longer ones, each that depends on the previous one with it.

    Sentences stay apart that may not be repeated together, such as steps of one instruction.
    """
    texts = {post.post.id: post.document.text for post in posts}
    runs: list[list[Utterance]] = []
    for utterance in sorted(utterances, key=lambda utterance: (utterance.post, utterance.span.start)):
        last = runs[-1][-1] if runs else None
        if last is not None and _follows(last, utterance, texts[utterance.post]):
            runs[-1].append(utterance)
        else:
            runs.append([utterance])
    units = [(unit, run) for run in runs for unit in _join_run(run, texts[run[0].post])]
    dangers = find_dangers(
        [ContextSentence(unit.text, f"{query}\n{unit.title}", unit.around) for unit, _run in units]
    )
    return [
        part
        for (unit, run), danger in zip(units, dangers, strict=True)
        for part in ([unit] if danger is None else _parts_of(unit, run))
    ]


def _parts_of(unit: Utterance, run: Iterable[Utterance]) -> list[Utterance]:
    return [part for part in run if unit.span.start <= part.span.start < unit.span.end]


def _follows(last: Utterance, utterance: Utterance, text: str) -> bool:
    """Return True for the next sentence of the same paragraph, unless one of them asks."""
    between = text[last.span.end : utterance.span.start]
    return (
        (last.post, last.comment) == (utterance.post, utterance.comment)
        and not between.strip()
        and "\n" not in between
        and not last.text.endswith("?")
        and not utterance.text.endswith("?")
    )


def _join_run(run: Sequence[Utterance], text: str) -> list[Utterance]:
    is_short = bool(run[0].comment) and run[-1].span.end - run[0].span.start <= MAX_UNIT_LENGTH
    joined = [run[0]]
    for utterance in run[1:]:
        last = joined[-1]
        fits = utterance.span.end - last.span.start <= MAX_UNIT_LENGTH
        if is_short or (fits and _LEANS.search(utterance.text)):
            span = Span(last.span.start, utterance.span.end)
            joined[-1] = replace(last, span=span, text=text[span.start : span.end])
        else:
            joined.append(utterance)
    return joined


def _is_only_felt(utterance: Utterance) -> bool:
    """Return True for a report without an act, such as “He is fine” after a visit to the vet."""
    return (
        not judge_digest_safety.gives_act(utterance.text)
        and judge_digest_safety.danger_in(utterance.text) is None
    )


def _asks(post: PostText) -> bool:
    own = [utterance.text for utterance in post.utterances if not utterance.comment]
    return any(text.endswith("?") for text in (post.post.title.strip(), *own))


def _where(utterance: Utterance) -> str:
    return (
        f"post {utterance.post}, comment {utterance.comment}"
        if utterance.comment
        else f"post {utterance.post}"
    )


def _weigh(query: str, safe: Iterable[Utterance], posts: Sequence[PostText]) -> list[WeighedSentence]:
    """Return the sentences with their scores, highest first."""
    question_stems = content_stems(query)
    topic_stems = question_stems | content_stems(" ".join(post.post.title for post in posts))
    relevance = {post.post.id: post.chosen.relevance for post in posts}
    wants_figure = bool(
        re.search(
            r"\b(?:how (?:much|many|long|high|fast|often)|what (?:size|age|price|temperature)"
            r"|wie ?(?:viele?|lange|oft|hoch))\b",
            query,
            re.I,
        )
    )
    weighed = [
        WeighedSentence(
            utterance,
            _worth(
                utterance, question_stems, topic_stems, relevance[utterance.post], wants_figure=wants_figure
            ),
        )
        for utterance in safe
    ]
    return sorted(
        weighed, key=lambda sentence: (-sentence.worth, sentence.said.post, sentence.said.span.start)
    )


def _worth(
    utterance: Utterance,
    question_stems: frozenset[str],
    topic_stems: frozenset[str],
    relevance: float,
    *,
    wants_figure: bool,
) -> float:
    """Score a sentence by its words in common with the question, its votes, and whether it can be read alone."""
    stems = content_stems(utterance.text)
    shared = (
        (len(stems & topic_stems) + len(stems & question_stems)) / (2 * math.sqrt(len(stems)))
        if stems
        else 0.0
    )
    votes = math.copysign(math.log10(1 + abs(utterance.score)), utterance.score)
    # The first sentence of an answer to the post may say “it”, since the question says what that is.
    leans = (
        (0.2 if utterance.is_first and not utterance.answers else 0.8)
        if _LEANS.match(utterance.text)
        else 0.3
        if _ADDS.search(utterance.text)
        else 0.0
    )
    answers = 0.3 if utterance.comment and not utterance.answers else 0.1 if utterance.comment else 0.0
    solves = 0.6 if utterance.comment and utterance.by_asker and _tells_outcome(utterance) else 0.0
    figure = 0.3 if wants_figure and _FIGURE.search(utterance.text) else 0.0
    return shared + 0.4 * votes - leans + answers + solves + figure + 0.5 * relevance


def _tells_outcome(utterance: Utterance) -> bool:
    return bool(_REPORTS.search(utterance.text) or _SUCCEEDED.search(utterance.text))


def _tells(utterance: Utterance) -> bool:
    """Return True for an informative sentence that can be read alone.

    Questions, noise and sentences with negative votes are not informative.
    """
    words = len(re.findall(r"\w+", utterance.text))
    is_enough = len(utterance.text) >= SHORTEST and words >= 4
    is_answer = bool(utterance.comment) or bool(_REPORTS.search(utterance.text))
    hangs = bool(_LEANS.match(utterance.text)) and (bool(utterance.answers) or not utterance.is_first)
    asks = utterance.text.rstrip('"”’)').endswith("?")
    return (
        is_enough
        and is_answer
        and not asks
        and not hangs
        and utterance.score >= 0
        and not _NOISE.search(utterance.text)
        and not _OPEN.search(utterance.text)
        and not _OWN_THINGS.match(utterance.text)
    )


def _merge(
    weighed: Sequence[WeighedSentence], every: Sequence[Utterance], question_stems: frozenset[str]
) -> list[WeighedSentence]:
    """Merge sentences that say the same into the one with the highest score, with the number of people who say it."""
    supporters = count_supporters(every)
    groups: list[list[WeighedSentence]] = []
    for sentence in weighed:
        same = next(
            (
                group
                for group in groups
                if not sentence.said.by_asker  # what helped in the end confirms an answer rather than repeats it
                and not group[0].said.by_asker
                and say_the_same(group[0].said, sentence.said, question_stems)
            ),
            None,
        )
        if same is None:
            groups.append([sentence])
        else:
            same.append(sentence)
    merged = []
    for group in groups:
        people = {sentence.said.author for sentence in group}
        for sentence in group:
            people |= supporters.get((sentence.said.post, sentence.said.comment), frozenset())
        others = {
            sentence.said.author: sentence.said
            for sentence in group[1:]
            if sentence.said.author != group[0].said.author
        }
        agreed = group[0].worth + 0.3 * math.log2(len(people))
        merged.append(WeighedSentence(group[0].said, agreed, tuple(others.values()), len(people)))
    return sorted(merged, key=lambda sentence: -sentence.worth)


def _within(best: Sequence[WeighedSentence], budget: int) -> list[WeighedSentence]:
    """Return the sentences that fit the budget together, best first, joined by single spaces."""
    chosen: list[WeighedSentence] = []
    left = budget
    for sentence in best:
        if len(sentence.said.text) <= left and len(chosen) < MAX_SUMMARY:
            chosen.append(sentence)
            left -= len(sentence.said.text) + 1
    return chosen


def _in_order(sentences: Iterable[WeighedSentence], posts: Sequence[PostText]) -> list[WeighedSentence]:
    place = {post.post.id: index for index, post in enumerate(posts)}
    return sorted(
        sentences,
        key=lambda sentence: (
            not _warns(sentence.said),
            not (sentence.said.by_asker and _tells_outcome(sentence.said)),
            place[sentence.said.post],
            -sentence.worth,
            sentence.said.span.start,
        ),
    )


def _cautions(
    risks: Sequence[WeighedSentence],
    clashes: Sequence[Caution],
    weighed: Sequence[WeighedSentence],
    chosen_texts: set[str],
    query: str,
) -> list[Caution]:
    """Return warnings first, then contradictions, then unanswered questions."""
    warned = [Caution(CautionKind.RISK, (risk.item,)) for risk in risks[: MAX_CAUTIONS - len(clashes)]]
    room = min(MAX_UNKNOWNS, MAX_CAUTIONS - len(warned) - len(clashes))
    return [*warned, *clashes, *list(_unknowns(weighed, chosen_texts, query))[: max(0, room)]]


def _plain_item(utterance: Utterance) -> DigestSentence:
    return DigestSentence(utterance.text, (PostQuote(utterance.post, utterance.span),))


def _warns(utterance: Utterance) -> bool:
    """Return True for a warning, a refusal, advice to call a professional for dangerous work, or a named danger."""
    if _RISK.search(_UNHARMED.sub("", utterance.text)):
        return True
    if not is_warning(utterance.text) and not _RISK_IN_FIELD.search(utterance.text):
        return False
    return bool(fields_in(utterance.text, near=utterance.title, around=utterance.around))


def _unknowns(weighed: Sequence[WeighedSentence], chosen_texts: set[str], query: str) -> Iterator[Caution]:
    """Yield unanswered questions on the subject, and sentences in which people say that they do not know."""
    question_stems = content_stems(query)
    for sentence in weighed:
        utterance = sentence.said
        is_long = (
            len(utterance.text) >= SHORTEST
            and bool(utterance.comment)
            and utterance.score >= 0
            and utterance.text not in chosen_texts
        )
        if not is_long or _NOISE.search(utterance.text):
            continue
        is_on_matter = len(content_stems(utterance.text) & question_stems) >= min(2, len(question_stems))
        is_asked = utterance.text.endswith("?") and not utterance.has_answer and is_on_matter
        if is_asked or (_OPEN.search(utterance.text) and not utterance.text.endswith("?")):
            yield Caution(CautionKind.UNKNOWN, (sentence.item,))
