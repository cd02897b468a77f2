"""A brief drafted by rules: statements of the answer that the evidence carries, and the evidence's own words. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citations.credibility.brief_scores import FEWEST_CLAIMS, MOST_CLAIMS, MOST_EVIDENCE
from citations.text.wording import content_stems
from citations.verification import CitedPassage as Compared
from citations.verification import Verdict, VerdictStatus, VerificationLevel, verify_each
from research.parsing.parsed_document import BlockKind, TextBlock
from research.parsing.split_sentences import sentences
from research.pipelines.brief.edits import edits_by_rules
from research.pipelines.brief.evidence import Likeness
from research.pipelines.brief.joining import join
from research.pipelines.brief.stored import BriefDraft, DraftClaim, DraftSpan, RefusedSentence
from research.pipelines.brief.wording import category_of, is_actionable

CARRYING = frozenset(
    {VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE, VerdictStatus.PARTIALLY_SUPPORTED}
)
WHOLLY = frozenset({VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE})
NEAR = 0.35  # likeness of a passage that helps to carry a statement together with others
SHORTEST, FEWEST_WORDS = 25, 5  # characters and words of a sentence that says something alone
LONG_ENOUGH = 8  # words of a part of a sentence that says something alone
SAME = 0.9  # share of the content words in common from which two sentences say the same
UNCARRIED = "No excerpt of the result carries it."


def with_title(title: str, text: str) -> str:
    """Words behind the title that says whose they are: one sentence, so that they are compared together."""
    return f"{' '.join(title.split())}: {text}" if title.strip() else text


@dataclass(frozen=True, slots=True)
class EvidenceWords:
    """A piece of evidence: words of a source, with what is known of where they stand."""

    source: str
    start: int
    text: str
    title: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def told(self) -> str:
        return with_title(self.title, self.text)

    def span(self) -> DraftSpan:
        return DraftSpan(source=self.source, start=self.start, end=self.end)


def draft(
    answer: str, evidence: Sequence[EvidenceWords], alike: Likeness, *, wants_edits: bool = False
) -> BriefDraft:
    """`evidence`, the most relevant first. The same again for the same."""
    stated = [_verify_statement(statement, evidence, alike) for statement in statements(answer)]
    claims = distinct([one for one, _ in stated if isinstance(one, DraftClaim)])
    refused = [one for one, _ in stated if isinstance(one, RefusedSentence)]
    parted = frozenset(one.text for one, is_parted in stated if is_parted)
    claims = with_further(top_up_claims(claims, evidence, alike, parted), evidence, alike)
    edits = edits_by_rules(claims) if wants_edits else []
    return BriefDraft(claims=claims, edits=edits, refused=refused)


def top_up_claims(
    claims: Sequence[DraftClaim],
    evidence: Sequence[EvidenceWords],
    alike: Likeness,
    parted: frozenset[str] = frozenset(),
) -> list[DraftClaim]:
    """With the evidence's own sentences: those that no claim stands on yet, and others until there are three.

    `parted` are the texts of claims that no excerpt says whole: what each says stands beside them.
    """
    cited = {
        (span.source, span.start) for claim in claims if claim.text not in parted for span in claim.spans
    }
    own = list(own_words(evidence, alike))
    unused = [one for one in own if (one.spans[0].source, one.spans[0].start) not in cited]
    found = distinct([*claims, *unused])
    if len(found) < FEWEST_CLAIMS:
        found = distinct([*found, *own])[: max(FEWEST_CLAIMS, len(found))]
    return found[:MOST_CLAIMS]


def with_further(
    claims: Sequence[DraftClaim], evidence: Sequence[EvidenceWords], alike: Likeness
) -> list[DraftClaim]:
    """Each with what else carries it by its words alone, up to three pieces.

    What carries it whole comes first, then what carries a part; of either, other sources first.
    """
    return [_with_further(claim, evidence, alike) for claim in claims]


def _with_further(claim: DraftClaim, evidence: Sequence[EvidenceWords], alike: Likeness) -> DraftClaim:
    cited = {span.source for span in claim.spans}
    unused = [words for words in evidence if not any(_overlap(words, span) for span in claim.spans)]
    if len(claim.spans) >= MOST_EVIDENCE or not unused:
        return claim
    each = compare(claim.text, [one.text for one in unused], alike)
    found = [
        (verdict.status not in WHOLLY, one.source in cited, place)
        for place, (one, verdict) in enumerate(zip(unused, each, strict=True))
        if verdict.status in CARRYING
    ]
    spans = [*claim.spans, *(unused[place].span() for *_order, place in sorted(found))]
    return claim.model_copy(update={"spans": spans[:MOST_EVIDENCE]})


def _overlap(one: EvidenceWords, span: DraftSpan) -> bool:
    return one.source == span.source and one.start < span.end and span.start < one.end


def statements(answer: str) -> Iterator[str]:
    """The sentences of an answer that say something alone."""
    for line in answer.splitlines():
        block = TextBlock(0, len(line), BlockKind.PARAGRAPH)
        for sentence in sentences(line, [block]) if line.strip() else ():
            text = line[sentence.start : sentence.end].strip()
            if len(text) >= SHORTEST and len(text.split()) >= FEWEST_WORDS:
                yield text


def _verify_statement(
    statement: str, evidence: Sequence[EvidenceWords], alike: Likeness
) -> tuple[DraftClaim | RefusedSentence, bool]:
    """With whether no excerpt says it whole, but several between them."""
    each = compare(statement, [words.told for words in evidence], alike)
    whole = [one for one, verdict in zip(evidence, each, strict=True) if verdict.status in WHOLLY]
    if whole:
        return _claim(statement, whole), False
    together = find_joint_evidence(statement, evidence, alike)
    if together and _together(statement, together, alike).status in WHOLLY:
        return _claim(statement, together), False
    if joined := join(statement, each, MOST_EVIDENCE):
        return _claim(statement, [evidence[place] for place in joined.places]), True
    partly = together or [
        one for one, verdict in zip(evidence, each, strict=True) if verdict.status in CARRYING
    ]
    return (_claim(statement, partly) if partly else refusal(statement, evidence, alike)), False


def find_joint_evidence(
    statement: str, evidence: Sequence[EvidenceWords], alike: Likeness
) -> list[EvidenceWords]:
    """Up to three pieces that together say, at least in part, what none says alone. Empty: they do not."""
    near = sorted(evidence, key=lambda words: -alike(statement, words.text))[:MOST_EVIDENCE]
    near = [one for one in near if alike(statement, one.text) >= NEAR]
    if len(near) < 2:
        return []
    verdict = _together(statement, near, alike)
    if verdict.status not in CARRYING:
        return []
    for one in reversed(near):  # what adds nothing is no evidence
        rest = [other for other in near if other is not one]
        less = _together(statement, rest, alike) if rest else None
        if less and less.status is verdict.status and len(less.reasons) <= len(verdict.reasons):
            near = rest
    return near


def _together(statement: str, words: Sequence[EvidenceWords], alike: Likeness) -> Verdict:
    [verdict] = compare(statement, ["\n\n".join(word.told for word in words)], alike)
    return verdict


def refusal(statement: str, evidence: Sequence[EvidenceWords], alike: Likeness) -> RefusedSentence:
    """Return the refusal of a statement as a claim.

    It counts as contradicted where the words alone contradict it: a title is no statement.
    """
    each = compare(statement, [words.text for words in evidence], alike)
    denied = [verdict for verdict in each if verdict.status is VerdictStatus.CONTRADICTED]
    if denied:
        reason = " ".join(("Its own source says otherwise.", *denied[0].reasons))
        return RefusedSentence(text=statement, reason=reason, contradicted=True)
    return RefusedSentence(text=statement, reason=UNCARRIED)


def compare(statement: str, texts: Sequence[str], alike: Likeness) -> tuple[Verdict, ...]:
    passages = [Compared(text, str(index)) for index, text in enumerate(texts)]
    return verify_each(statement, passages, level=VerificationLevel.STRICT, similarity=alike)


def own_words(evidence: Sequence[EvidenceWords], alike: Likeness) -> Iterator[DraftClaim]:
    """Each sentence of the evidence as a claim, with what else of other sources carries it."""
    for words in evidence:
        for sentence in _sentences(words):
            if is_statement(sentence.text):
                yield _claim(sentence.text, [sentence, *_others(sentence, evidence, alike)])


def _sentences(words: EvidenceWords) -> Iterator[EvidenceWords]:
    block = TextBlock(0, len(words.text), BlockKind.PARAGRAPH)
    for sentence in sentences(words.text, [block]):
        yield EvidenceWords(
            words.source, words.start + sentence.start, words.text[sentence.start : sentence.end], words.title
        )


def is_statement(text: str) -> bool:
    """Return True for text that begins as a sentence does, or has many words, and holds no markup.

    >>> is_statement("at least 10,000 rounds of it"), is_statement("Passwords need at least eight characters.")
    (False, True)
    """
    begins = (
        text[:1].isupper() or text[:1].isdigit() or text[:1] in "“\"'(" or len(text.split()) >= LONG_ENOUGH
    )
    is_marked_up = bool(re.search(r"</?\w+[^>]*>|\]\[|__\[", text))
    return begins and len(text) >= SHORTEST and len(text.split()) >= FEWEST_WORDS and not is_marked_up


def _others(
    sentence: EvidenceWords, evidence: Sequence[EvidenceWords], alike: Likeness
) -> Iterator[EvidenceWords]:
    others = [words for words in evidence if words.source != sentence.source]
    each = compare(sentence.text, [other.text for other in others], alike)
    for one, verdict in zip(others, each, strict=True):
        if verdict.status in WHOLLY:
            yield next((part for part in _sentences(one) if part.text == sentence.text), one)


def _claim(text: str, words: Iterable[EvidenceWords]) -> DraftClaim:
    """One piece of each source first: three of one page prove less."""
    found = list(words)
    firsts = list({claim.source: claim for claim in reversed(found)}.values())[::-1]
    ordered = sorted(firsts, key=found.index) + [claim for claim in found if claim not in firsts]
    spans = [one.span() for one in ordered[:MOST_EVIDENCE]]
    return DraftClaim(text=text, category=category_of(text), actionable=is_actionable(text), spans=spans)


def distinct(claims: Iterable[DraftClaim]) -> list[DraftClaim]:
    """Merge claims that say the same: keep the first, with the evidence of all of them."""
    kept: list[DraftClaim] = []
    for claim in claims:
        keep(kept, claim)
    return kept


def keep(kept: list[DraftClaim], claim: DraftClaim) -> int:
    """At the end, or with the claim that says the same already, which gets its evidence. Its place, from 0."""
    same = next((index for index, one in enumerate(kept) if _same(one.text, claim.text)), None)
    if same is None:
        kept.append(claim)
        return len(kept) - 1
    spans = [*kept[same].spans, *(span for span in claim.spans if span not in kept[same].spans)]
    kept[same] = kept[same].model_copy(update={"spans": spans[:MOST_EVIDENCE]})
    return same


def _same(a: str, b: str) -> bool:
    """The same content words, and the same figures: another figure is another claim."""
    one, other = content_stems(a), content_stems(b)
    figures = [re.findall(r"\d[\d.,]*", text) for text in (a, b)]
    together = len(one | other)
    return bool(together) and len(one & other) / together >= SAME and figures[0] == figures[1]
