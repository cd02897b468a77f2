"""Finds claims that invert what their source says: a negation added or removed, an opposite, another category."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from citations.entailment.claim_parts import (
    ClaimPart,
    MatchedWords,
    PartKind,
    PartState,
    build_conflicting_part,
    shift_span,
)
from citations.entailment.exclusive_categories import are_exclusive, has_category
from citations.entailment.misattributed_actions import find_swapped_doers
from citations.entailment.reversed_orders import find_reversed_orders, is_converse
from citations.entailment.transposed_words import find_transposed_words
from citations.entailment.turned_relations import find_turned_relations
from citations.text.claim_polarity import (
    are_opposites,
    find_denied_words,
    find_negated_heads,
    find_negated_stems,
    negations,
)
from citations.text.claim_words_and_stems import Word, content_stems, is_inflected, words
from citations.text.quote_span import Span

_NEAR_COPY = 0.75  # share of the claim's words in order that makes it a near copy of a sentence
_LOCAL = 3  # words that a local change of a near copy may touch
_MAX_TURNED_LENGTH = 1_000  # characters of a claim; in longer ones every word precedes every other
_SHORTENED = 3  # minimum letters of an abbreviation
_COMPANY = 3  # content words after (or one before) by which two words count as in the same place


def mark_conflicting_parts(
    claim: str, sentence: Span, passage: str, parts: Sequence[ClaimPart]
) -> tuple[ClaimPart, ...]:
    """Return the parts with conflicts between the claim and its nearest sentence.

    Missing words become conflicts if the sentence has another category in their place. A claim that denies such a word
    agrees with a sentence that has another: "is not American" is supported by "is a French".
    """
    sentence_text = sentence.cut(passage)
    replaced = _find_replaced_names(claim, sentence, sentence_text, parts)
    placed = tuple(
        replaced.get(part.span) or _mark_category_conflict(part, claim, sentence, sentence_text)
        for part in parts
    )
    excluded = {
        part
        for part in placed
        if part.state is PartState.CONFLICTING and _is_said_too(part, claim, sentence_text)
    }
    if excluded:
        return tuple(replace(part, state=PartState.MATCHED) if part in excluded else part for part in placed)
    return (
        *placed,
        *_polarity_parts(claim, sentence, passage),
        *_find_swapped_roles(claim, sentence, sentence_text),
        *_find_turned_relations(claim, sentence, sentence_text),
    )


def _is_said_too(part: ClaimPart, claim: str, said: str) -> bool:
    """True for a word in conflict if the two statements still agree, because both invert it."""
    return _is_denied(part, claim, said) or is_converse(claim, said, part.span)


def _find_swapped_roles(claim: str, sentence: Span, said: str) -> Iterator[ClaimPart]:
    """Yield conflicts if the sentence gives the claim's words other roles: "A beat B" and "B beat A"."""
    if len(claim) > _MAX_TURNED_LENGTH:
        return
    if exchanged := find_transposed_words(claim, said):
        mine, theirs = exchanged
        yield build_conflicting_part(
            mine.span,
            mine.text,
            PartKind.WORD,
            MatchedWords(theirs.text, shift_span(theirs.span, sentence.start)),
        )
        return
    for each in (*find_swapped_doers(claim, said), *find_reversed_orders(claim, said)):
        other = MatchedWords(each.other.text, shift_span(each.other.span, sentence.start))
        yield build_conflicting_part(each.word.span, each.word.text, PartKind.WORD, other)


def _find_turned_relations(claim: str, sentence: Span, said: str) -> Iterator[ClaimPart]:
    """Yield conflicts for "against" where the sentence has "for", unless one of the two is negated as well."""
    if bool(negations(claim)) != bool(negations(said)):
        return
    for mine, theirs in find_turned_relations(claim, said):
        other = MatchedWords(theirs.span.cut(said), shift_span(theirs.span, sentence.start))
        yield build_conflicting_part(mine.span, mine.span.cut(claim), PartKind.WORD, other)


def _is_denied(part: ClaimPart, claim: str, said: str) -> bool:
    """True if the claim denies its word, and the sentence does not deny the other."""
    return bool(find_negated_stems(claim) & content_stems(part.text)) and not (
        find_negated_stems(said) & content_stems(part.source)
    )


def _mark_category_conflict(part: ClaimPart, claim: str, sentence: Span, said: str) -> ClaimPart:
    if part.state is not PartState.MISSING or part.kind not in (PartKind.WORD, PartKind.NAME):
        return part
    other = _other_category(part, claim, said)
    if other is None:
        return part
    return build_conflicting_part(
        part.span, part.text, part.kind, MatchedWords(other.text, shift_span(other.span, sentence.start))
    )


def _other_category(part: ClaimPart, claim: str, said: str) -> Word | None:
    """Return the word of the sentence in the same place that names another of one exclusive category."""
    if not has_category(part.text):
        return None
    mine = words(claim)
    index = next((i for i, word in enumerate(mine) if word.span == part.span), None)
    if index is None:
        return None
    theirs = words(said)
    excluded = [i for i, word in enumerate(theirs) if are_exclusive(part.text, word.text)]
    return next((theirs[i] for i in excluded if _same_place(mine, index, theirs, i)), None)


def _same_place(mine: Sequence[Word], i: int, theirs: Sequence[Word], j: int) -> bool:
    """True if the two words have a neighbour in common: a content word before, or one soon after."""
    if _content_after(mine, i) & _content_after(theirs, j):
        return True
    return bool(_content_before(mine, i) & _content_before(theirs, j))


def _content_after(some: Sequence[Word], index: int) -> frozenset[str]:
    return frozenset([word.stem for word in some[index + 1 :] if word.is_content][:_COMPANY])


def _content_before(some: Sequence[Word], index: int) -> frozenset[str]:
    return frozenset([word.stem for word in some[:index] if word.is_content][-1:])


def _polarity_parts(claim: str, sentence: Span, passage: str) -> Iterator[ClaimPart]:
    """Yield a conflict if only one side negates what both say; the sentences around may negate it, too."""
    sentence_text = sentence.cut(passage)
    both = bool(negations(claim)) and bool(negations(sentence_text))
    denied_here = find_negated_heads(claim, of_subjects=not both) - find_negated_stems(passage)
    denied_there = find_negated_heads(sentence_text, of_subjects=not both) - find_negated_stems(claim)
    turned = (
        (denied_here | denied_there - _find_stems_denied_of_others(claim, sentence_text))
        & content_stems(claim)
        & content_stems(sentence_text)
    )
    if turned:
        spot = next(word for word in words(claim) if word.stem in turned)
        yield build_conflicting_part(
            spot.span, spot.text, PartKind.POLARITY, MatchedWords(sentence_text, sentence)
        )
    else:
        yield from _find_near_copy_conflicts(claim, sentence, sentence_text)


def _find_stems_denied_of_others(claim: str, said: str) -> frozenset[str]:
    """Return the stems that a sentence denies of one thing and repeats of another, for a claim about the other."""
    counts = Counter(word.stem for word in words(said) if word.is_content)
    mine = content_stems(claim)
    return frozenset(
        first
        for first, *rest in map(tuple, find_denied_words(said))
        if counts[first] > 1 and mine.isdisjoint(rest)
    )


def _find_near_copy_conflicts(claim: str, sentence: Span, said: str) -> Iterator[ClaimPart]:
    """Yield conflicts of a near copy with its sentence: a negation added or removed, a word inverted."""
    mine = words(claim)
    for changed, original, following in _local_changes(mine, words(said)):
        if _is_turned(changed, original) and (changed or following < len(mine)):
            spot = changed[0] if changed else mine[following]
            found = _stretch(original, sentence, said) if original else MatchedWords(said, sentence)
            yield build_conflicting_part(spot.span, spot.text, PartKind.POLARITY, found)


def _find_replaced_names(
    claim: str, sentence: Span, said: str, parts: Sequence[ClaimPart]
) -> dict[Span, ClaimPart]:
    """Return by span the names that a near copy replaces, as conflicts with the sentence's words."""
    names = [part for part in parts if _is_unnamed(part)]
    replaced: dict[Span, ClaimPart] = {}
    for changed, original, _ in _local_changes(words(claim), words(said)) if names else ():
        is_named = any(word.is_content for word in original) and not _is_abbreviated(
            (changed, claim), (original, said)
        )
        other = _stretch(original, sentence, said) if is_named else None
        for part in names:
            is_changed = any(word.span.within(part.span) for word in changed)
            if other is not None and is_changed and not _stands_for(part, other):
                replaced[part.span] = build_conflicting_part(part.span, part.text, part.kind, other)
    return replaced


def _is_abbreviated(mine: tuple[Sequence[Word], str], theirs: tuple[Sequence[Word], str]) -> bool:
    """True for "Sec. 7" and "Section 7", in either direction: words with their texts."""
    (changed, claim), (original, said) = mine, theirs
    return len(changed) == len(original) and all(
        word.text.casefold() == other.text.casefold()
        or _shortens(word, claim, other)
        or _shortens(other, said, word)
        for word, other in zip(changed, original, strict=True)
    )


def _shortens(word: Word, text: str, whole: Word) -> bool:
    has_stop = text[word.span.end : word.span.end + 1] == "."
    return (
        has_stop and len(word.text) >= _SHORTENED and whole.text.casefold().startswith(word.text.casefold())
    )


def _is_unnamed(part: ClaimPart) -> bool:
    """True for a name that the source does not say: it has none for it, or another place that lies inside."""
    if part.kind is PartKind.WORD:
        has_capital = part.text[0].isupper() and not (part.span.start == 0 and _is_no_name(part.text))
        return part.state is PartState.MISSING and has_capital
    return part.kind is PartKind.NAME and part.state is not PartState.CONFLICTING and part.source_span is None


def _is_no_name(opening: str) -> bool:
    """True for a word that is capitalized only because it begins a sentence: "Bees", "Fewer"."""
    plain = opening.lower()
    return plain in ("less", "fewer") or plain.isalpha() and is_inflected(plain)


def _stands_for(part: ClaimPart, other: MatchedWords) -> bool:
    return part.state is PartState.MATCHED and part.source in other.text


def _local_changes(
    mine: Sequence[Word], theirs: Sequence[Word]
) -> Iterator[tuple[Sequence[Word], Sequence[Word], int]]:
    """Yield for a near copy the claim's and the sentence's words of each small change, and the index that follows."""
    matcher = SequenceMatcher(None, _lower(mine), _lower(theirs), False)
    if sum(block.size for block in matcher.get_matching_blocks()) < _NEAR_COPY * len(mine):
        return
    for operation, i, j, k, m in matcher.get_opcodes():
        if operation != "equal" and m - k <= _LOCAL and j - i <= _LOCAL:
            yield mine[i:j], theirs[k:m], j


def _lower(some: Iterable[Word]) -> list[str]:
    return [word.text.lower() for word in some]


def _stretch(some: Sequence[Word], sentence: Span, said: str) -> MatchedWords:
    span = Span(some[0].span.start, some[-1].span.end)
    return MatchedWords(span.cut(said), shift_span(span, sentence.start))


def _is_turned(changed: Sequence[Word], original: Sequence[Word]) -> bool:
    """True for a negation or an opposite; both together cancel: "impossible" and "not possible"."""
    is_negated = bool(negations(_join_words(changed))) != bool(negations(_join_words(original)))
    return is_negated != any(are_opposites(word.stem, other.stem) for word in changed for other in original)


def _join_words(some: Sequence[Word]) -> str:
    return " ".join(word.text for word in some)
