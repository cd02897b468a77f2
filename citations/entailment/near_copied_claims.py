"""Finds claims that repeat a sentence but for a word: "The children were singing" for a text that has them dancing."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from citations.entailment.claim_alignment import Alignment
from citations.entailment.claim_parts import ClaimPart, PartKind, PartState
from citations.text.claim_words_and_stems import Word, are_kin, is_inflected, is_past, words

SAME_FRAME = 0.7  # share of the claim's words that the sentence has in their order
# Cosine of a claim with either word, by the built-in model, from which the two mean the same. Set on 32 pairs written
# for it; of 36 others, all 18 with another word are below it, 14 of 18 with a synonym above it.
SAME_SENSE = 0.91


def other_words(
    claim: str, nearest: str, found: Alignment, likeness: Callable[[str, str], float]
) -> tuple[tuple[ClaimPart, str], ...]:
    """Return words of the claim that the passage lacks, each with the word of the sentence that it replaces.

    Words with which the claim is as similar as with the sentence's own mean the same and are left out.
    """
    lacking = {part.span.start: part for part in found.of(PartState.MISSING) if part.kind is PartKind.WORD}
    if not lacking:
        return ()
    pairs = [pair for pair in _find_replaced_words(words(claim), words(nearest)) if pair[0].start in lacking]
    return tuple(
        (lacking[new.start], old.text)
        for new, old in pairs
        if likeness(claim, f"{claim[: new.span.start]}{old.text}{claim[new.span.end :]}") < SAME_SENSE
    )


def _find_replaced_words(mine: Sequence[Word], theirs: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Yield single words of a claim that replace a word of the sentence, with the same words around them."""
    stems, others = [word.stem for word in mine], [word.stem for word in theirs]
    matcher = SequenceMatcher(None, others, stems, autojunk=False)
    if sum(block.size for block in matcher.get_matching_blocks()) < SAME_FRAME * len(stems):
        return
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "replace" and last - first == end - start == 1:
            new, old = mine[start], theirs[first]
            if _says_other(new, old) and old.stem not in stems:
                yield new, old


def _says_other(new: Word, old: Word) -> bool:
    """True for two unrelated words of one form: "singing" and "dancing", but not "ate" and "devouring"."""
    both = new.is_content and old.is_content and new.text.isalpha() and old.text.isalpha()
    return both and _are_of_one_form(new.text, old.text) and not are_kin(new.stem, old.stem)


def _are_of_one_form(a: str, b: str) -> bool:
    """False for "ate" and "devouring": another form is another sentence. "painting" may replace "sculpture"."""
    going_on = (
        x.endswith("ing") and not y.endswith("ing") and is_inflected(y.lower()) for x, y in ((a, b), (b, a))
    )
    return is_past(a) == is_past(b) and not any(going_on)
