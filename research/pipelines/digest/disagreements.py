"""Where people contradict each other, and who says the same: sought before any sentence of a digest is chosen. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from citations.contradiction.conflicts import ConflictKind, difference
from citations.find_quantities import find_quantities
from citations.text.wording import content_stems
from research.pipelines.digest.texts import Utterance

SHORTEST = 20  # characters of a sentence that says something alone
SAME = 0.6  # share of the shorter sentence's content words that another has too, where both say the same
FEWEST_SHARED = 2  # content words
MOST_COMPARED = 60  # pairs of sentences with figures under one post
OUTVOTED = 3  # times the votes of an answer that sets a claim right without saying that it does

_DENIES = re.compile(
    r"^(?:no\b(?! (?:idea|one|problem|need))|nope|nah\b|not (?:true|really|quite|correct|at all|necessarily)"
    r"|wrong|(?:i )?disagree"
    r"|actually|myth|survivorship|on the contrary|citation needed|(?:terrible|bad|awful|dangerous) (?:advice|idea)"
    r"|(?:that|this)(?: is|['’]s| was|) (?:\w+ly )?(?:not|wrong|false|terrible|bad|dangerous|incorrect|nonsense"
    r"|illegal|awful|outdated"
    r"|bullshit|an? (?:myth|bad|terrible|bootleg|dangerous|misconception))"
    r"|(?:please )?(?:do not|don['’]?t|never)\b|nein\b|falsch|unsinn|quatsch|stimmt (?:so )?nicht"
    r"|das ist (?:falsch|nicht|unsinn|quatsch)"
    r"|im gegenteil)",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:not|never|no|cannot|\w+n['’]t|void|invalid|but|however|except|unless|fell|dropped|lost|illegal|false"
    r"|outdated|instead"
    r"|unfortunately|no longer|nicht|nie|kein\w*|aber|jedoch|sondern|gefallen|verloren|leider|falsch|unwirksam)\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^(?:this\b[.!]?$|same\b|agreed?\b|\+1|yes\b|yep\b|exactly|can confirm|seconded|so true|ja\b|genau"
    r"|stimmt\b(?! (?:so )?nicht)|dito)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|cannot|without|\w+n['’]t|nicht|nie|niemals|kein\w*|ohne)((?:\s+[\w'’-]+){1,4})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A claim and the answer that denies it. `is_refuted`: people side with the answer."""

    claim: Utterance
    answer: Utterance
    is_refuted: bool


Key = tuple[str, str]  # a post and a comment of it


def find_disagreements(said: Sequence[Utterance]) -> list[Disagreement]:
    """The one with most votes first; each claim once."""
    found: dict[str, Disagreement] = {}
    every = (*_denials(said), *_opposites(said), *_figures(said))
    for one in sorted(every, key=lambda one: -one.answer.score):
        found.setdefault(one.claim.text, one)
    return list(found.values())


def _denials(said: Sequence[Utterance]) -> Iterator[Disagreement]:
    """An answer that denies the comment that it answers, in words or by far more votes."""
    comments: dict[Key, list[Utterance]] = {}
    for one in said:
        if one.comment:
            comments.setdefault((one.post, one.comment), []).append(one)
    for sentences in comments.values():
        first = sentences[0]
        claims = [one for one in comments.get((first.post, first.answers), ()) if _says_enough(one)]
        if not claims or first.score < 0 or _AGREES.match(first.text) or first.text.endswith("?"):
            continue
        reason = max(
            (one for one in sentences if _says_enough(one)), key=lambda one: len(one.text), default=None
        )
        claim = max(claims, key=lambda one: (_shared(one, sentences), len(one.text)))
        denies = bool(_DENIES.match(first.text)) or claim.score < 0
        if reason is not None and (denies or _sets_right(claim, sentences)):
            yield Disagreement(claim, reason, is_refuted=claim.score < 0 or first.score >= claim.score)


def _sets_right(claim: Utterance, answer: Sequence[Utterance]) -> bool:
    is_outvoted = answer[0].score >= OUTVOTED * max(claim.score, 1)
    return is_outvoted and _shared(claim, answer) > 0 and any(_CONTRAST.search(one.text) for one in answer)


def _opposites(said: Sequence[Utterance]) -> Iterator[Disagreement]:
    """Two comments of which one affirms in the same words what the other denies."""
    told = [one for one in said if one.comment and _says_enough(one) and one.score >= 0]
    for no in (one for one in told if negated_stems(one.text)):
        for yes in told:
            if no.author != yes.author and _overlaps(no, yes, fewest=3) and _deny_each_other(no, yes):
                weak, strong = sorted((no, yes), key=lambda one: one.score)
                yield Disagreement(weak, strong, is_refuted=strong.score >= OUTVOTED * max(weak.score, 1))


def _figures(said: Sequence[Utterance]) -> Iterator[Disagreement]:
    """Two comments under one post that give different figures for the same thing. Votes decide no figure."""
    for one, other in _pairs_with_figures(said):
        conflict = difference(one.text, other.text)
        if (
            conflict is not None
            and conflict.kind in (ConflictKind.NUMERIC, ConflictKind.TEMPORAL)
            and not _gives_figure(other.text, conflict.mine)
            and not _gives_figure(one.text, conflict.theirs)
        ):
            weak, strong = sorted((one, other), key=lambda each: each.score)
            yield Disagreement(weak, strong, is_refuted=False)


def _pairs_with_figures(said: Sequence[Utterance]) -> Iterator[tuple[Utterance, Utterance]]:
    """Those of two people that share most words, up to a limit for each post: a comparison takes some milliseconds."""
    posts: dict[str, list[tuple[Utterance, frozenset[str]]]] = {}
    for one in said:
        if one.comment and _says_enough(one) and one.score >= 0 and find_quantities(one.text):
            posts.setdefault(one.post, []).append((one, content_stems(one.text)))
    for told in posts.values():
        pairs = [
            (len(stems & others) / min(len(stems), len(others)), one, other)
            for (one, stems), (other, others) in combinations(told, 2)
            if one.author != other.author and len(stems & others) >= FEWEST_SHARED
        ]
        likeliest = sorted(pairs, key=lambda pair: -pair[0])[:MOST_COMPARED]
        yield from ((one, other) for _share, one, other in likeliest)


def _gives_figure(text: str, figure: str) -> bool:
    """It gives this figure beside others, with its unit or without."""
    return bool(
        set(_NUMBER.findall(text)) & set(_NUMBER.findall(figure))
        or {(one.unit, one.low) for one in find_quantities(text)}
        & {(one.unit, one.low) for one in find_quantities(figure)}
    )


def negated_stems(text: str) -> frozenset[str]:
    """The content words that stand next behind a no or not."""
    return frozenset[str]().union(*(content_stems(found[1]) for found in _NEGATED.finditer(text)))


def _deny_each_other(one: Utterance, other: Utterance) -> bool:
    both = content_stems(one.text) & content_stems(other.text)
    return bool((negated_stems(one.text) ^ negated_stems(other.text)) & both)


def _shared(claim: Utterance, sentences: Iterable[Utterance]) -> int:
    return len(content_stems(claim.text) & content_stems(" ".join(one.text for one in sentences)))


def _says_enough(one: Utterance) -> bool:
    return len(one.text) >= SHORTEST and not one.text.endswith("?")


def _overlaps(one: Utterance, other: Utterance, *, fewest: int) -> bool:
    stems, others = content_stems(one.text), content_stems(other.text)
    shared = len(stems & others)
    return shared >= fewest and shared >= SAME * min(len(stems), len(others))


def say_the_same(one: Utterance, other: Utterance, asked: frozenset[str] = frozenset()) -> bool:
    """The same content words, or most of what is asked; and neither denies what the other says.

    Figures have to be the same too: another figure is another claim.
    """
    figures = [set(re.findall(r"\d+(?:[.,]\d+)?", each.text)) for each in (one, other)]
    if (figures[0] and figures[1] and not figures[0] & figures[1]) or _deny_each_other(one, other):
        return False
    on_question = content_stems(one.text) & content_stems(other.text) & asked
    answers = len(on_question) >= max(3, len(asked) / 2)
    return answers or _overlaps(one, other, fewest=FEWEST_SHARED)


def count_supporters(said: Sequence[Utterance]) -> Mapping[Key, frozenset[str]]:
    """By comment, who answered it with no more than their agreement."""
    found: dict[Key, frozenset[str]] = {}
    for one in said:
        if one.is_first and one.answers and _AGREES.match(one.text):
            key = (one.post, one.answers)
            found[key] = found.get(key, frozenset()) | {one.author}
    return found
