"""Which parts of a claim a passage carries: each content part is matched, missing or in conflict.

The comparison is by parts and not by one figure for the whole, since sentences that differ in one number,
month or negation are alike in every measure of likeness.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from citations.agreement import Match, states
from citations.entities import Entity, find_entities
from citations.normalizing import Span
from citations.places import contains, overlap, place_key
from citations.polarity import are_opposites, negated_stems, negations
from citations.quantities import Quantity, find_quantities
from citations.times import TimeMention, find_times
from citations.wording import Word, content_stems, sentence_spans, words


class PartKind(StrEnum):
    WORD = "word"
    NAME = "name"
    QUANTITY = "quantity"
    TIME = "time"
    POLARITY = "polarity"


class State(StrEnum):
    MATCHED = "matched"
    MISSING = "missing"
    CONFLICTING = "conflicting"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a claim (`span` into the claim's text) and what the passage has for it ("" for nothing).

    `source_span` says where in the passage that stands, for what stands in one place.
    """

    span: Span
    text: str
    kind: PartKind
    state: State
    source: str = ""
    source_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim laid against a window of a passage; `window` are offsets into the passage."""

    parts: tuple[Part, ...]
    window: Span
    coverage: float  # share of the claim's words and names, but for conflicting ones, that the window carries

    def of(self, state: State) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.state is state)

    @property
    def conflicts(self) -> tuple[Part, ...]:
        return self.of(State.CONFLICTING)

    @property
    def missing_facts(self) -> tuple[Part, ...]:
        """Missing quantities, times and names: no likeness of the other words makes up for one."""
        return tuple(part for part in self.of(State.MISSING) if part.kind is not PartKind.WORD)


_NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")
_NEAR_COPY = 0.75  # of the claim's words in the same order make it a near copy of a sentence
_LOCAL = 3  # words that a local change of a near copy may touch
_WINDOW = 3  # sentences that may carry a claim together
_NAME_WEIGHT = 2.0  # of a name's word among the other words


def align(claim: str, passage: str) -> Alignment | None:
    """Lay a claim against the one to three sentences of a passage that carry most of it.

    None when they share no content word.
    """
    stems = content_stems(claim)
    best = max(_windows(stems, passage), key=lambda found: found[:2], default=None)
    if best is None or best[0] == 0:
        return None
    window = best[2]
    parts = _once(_parts(claim, window.cut(passage), passage))
    return Alignment(parts, window, _coverage(parts))


def _once(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts without a second conflict about the same words."""
    kept: dict[tuple[int, State], Part] = {}
    for part in parts:
        kept.setdefault((part.span.start, part.state), part)
    return tuple(kept.values())


def _windows(stems: frozenset[str], passage: str) -> Iterator[tuple[float, int, Span]]:
    """Runs of up to three sentences with the stems they carry; of equals the shortest, then the first."""
    sentences = sentence_spans(passage)
    carried = [content_stems(span.cut(passage)) & stems for span in sentences]
    for length in range(1, _WINDOW + 1):
        for start in range(len(sentences) - length + 1):
            together: frozenset[str] = frozenset().union(*carried[start : start + length])
            # A longer window must earn its length: one more word for each more sentence.
            share = max(0, len(together) - (length - 1)) if together else 0
            order = -(length * 10_000 + start)
            yield share, order, Span(sentences[start].start, sentences[start + length - 1].end)


def _coverage(parts: Iterable[Part]) -> float:
    total = matched = 0.0
    for part in parts:
        if part.kind in (PartKind.WORD, PartKind.NAME) and part.state is not State.CONFLICTING:
            weight = _NAME_WEIGHT if part.kind is PartKind.NAME else 1.0
            total += weight
            matched += weight * (part.state is State.MATCHED)
    return matched / total if total else 0.0


def _parts(claim: str, window: str, passage: str) -> Iterator[Part]:
    quantities, times = find_quantities(claim), find_times(claim)
    taken = [each.span for each in quantities] + [each.span for each in times]
    names = [each for each in find_entities(claim) if not _touches(each.span, taken)]  # "KiB" is a unit
    taken += [each.span for each in names]
    yield from (_quantity_part(each, find_quantities(window)) for each in quantities)
    yield from (_time_part(each, find_times(window)) for each in times)
    yield from (_name_part(each, window, passage) for each in names)
    yield from _numeral_parts(claim, window, taken)
    yield from _word_parts(claim, window, taken)
    yield from _polarity_parts(claim, window)


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _quantity_part(mine: Quantity, theirs: tuple[Quantity, ...]) -> Part:
    found = [(states(mine, other), other.text) for other in theirs]
    same = next((text for match, text in found if match is Match.SAME), None)
    other = next((text for match, text in found if match is Match.DIFFERENT), None)
    return _part(mine.span, mine.text, PartKind.QUANTITY, same, other)


def _time_part(mine: TimeMention, theirs: tuple[TimeMention, ...]) -> Part:
    same = next((other.text for other in theirs if _says_time(mine, other)), None)
    other = next((other.text for other in theirs if mine.conflicts(other)), None)
    return _part(mine.span, mine.text, PartKind.TIME, same, other)


def _says_time(claim: TimeMention, source: TimeMention) -> bool:
    """True when the source names at least the parts that the claim names, alike."""
    if claim.end is None:
        return source.start.covers(claim.start) or (source.end is not None and source.end.covers(claim.start))
    return source.start.covers(claim.start) and source.end is not None and source.end.covers(claim.end)


def _part(span: Span, text: str, kind: PartKind, same: str | None, other: str | None) -> Part:
    if same is not None:
        return Part(span, text, kind, State.MATCHED, same)
    state = State.MISSING if other is None else State.CONFLICTING
    return Part(span, text, kind, state, other or "")


def _name_part(name: Entity, window: str, passage: str) -> Part:
    """A name may be given anywhere in the passage: sentences go on about what was named before."""
    carried = content_stems(passage)
    tokens = content_stems(name.text) or frozenset({name.key})
    if tokens <= carried or _acronym_of(name.text, passage):
        return Part(name.span, name.text, PartKind.NAME, State.MATCHED, name.text)
    return _place_part(name, window)


def _acronym_of(name: str, passage: str) -> bool:
    """True when the passage has the initials of a long name, or the long name of initials."""
    initials = "".join(word.text[0] for word in words(name) if word.text[0].isupper())
    if len(initials) > 1 and any(word.text == initials for word in words(passage)):
        return True
    letters = "".join(word.text[0] for word in words(passage)).upper()
    return name.isupper() and len(name) > 2 and name in letters


def _place_part(name: Entity, window: str) -> Part:
    mine = place_key(name.text)
    theirs = [each for each in find_entities(window) if place_key(each.text)]
    if mine is None or not theirs:
        return Part(name.span, name.text, PartKind.NAME, State.MISSING)
    inside = next((each.text for each in theirs if contains(mine, place_key(each.text) or "")), None)
    apart = all(not overlap(mine, place_key(each.text) or "") for each in theirs)
    return _part(name.span, name.text, PartKind.NAME, inside, theirs[0].text if apart else None)


def _word_parts(claim: str, window: str, taken: list[Span]) -> Iterator[Part]:
    source = words(window)
    stems = {word.stem: word for word in reversed(source)}
    mine = {word.stem for word in words(claim)}
    for word in words(claim):
        if _touches(word.span, taken) or not word.is_content or len(word.text) < 2:
            continue
        found = _same_word(word, stems)
        other = None if found else _opposite(word, source, mine)
        yield _part(word.span, word.text, PartKind.WORD, found, other)


def _same_word(word: Word, stems: dict[str, Word]) -> str | None:
    if word.stem in stems:
        return stems[word.stem].text
    pieces = word.text.replace("‐", "-").split("-")
    if len(pieces) > 1 and all(
        any(each.stem == s for s in stems) for piece in pieces for each in words(piece)
    ):
        return word.text
    return None


def _opposite(word: Word, source: tuple[Word, ...], mine: set[str]) -> str | None:
    """A word of the source that says the opposite, and that the claim does not say as well."""
    return next(
        (each.text for each in source if each.stem not in mine and are_opposites(word.stem, each.stem)), None
    )


def _numeral_parts(claim: str, window: str, taken: list[Span]) -> Iterator[Part]:
    """Numerals that are no quantity (part 3, f/16) must stand in the source as often as in the claim."""
    left = Counter(map(_digits, _NUMERAL.findall(window)))
    for match in _NUMERAL.finditer(claim):
        left[_digits(match.group())] -= 1
        span = Span(*match.span())
        if left[_digits(match.group())] < 0 and not any(span.within(each) for each in taken):
            yield Part(span, match.group(), PartKind.QUANTITY, State.MISSING)


def _digits(numeral: str) -> str:
    return numeral.replace(",", "")


def _polarity_parts(claim: str, window: str) -> Iterator[Part]:
    """A conflict where only one side negates what both say."""
    nearest = _nearest_sentence(claim, window)
    mine, theirs = negated_stems(claim), negated_stems(nearest)
    turned = (mine ^ theirs) & content_stems(claim) & content_stems(nearest)
    if turned and bool(negations(claim)) != bool(negations(nearest)):
        spot = next(word for word in words(claim) if word.stem in turned)
        yield Part(spot.span, spot.text, PartKind.POLARITY, State.CONFLICTING, nearest)
    else:
        yield from _turned_copy(claim, nearest)


def _turned_copy(claim: str, sentence: str) -> Iterator[Part]:
    """Conflicts in a near copy of a sentence: a negation put in or left out, a word turned round."""
    mine, theirs = words(claim), words(sentence)
    matcher = SequenceMatcher(None, [w.text.lower() for w in mine], [w.text.lower() for w in theirs], False)
    if 2 * sum(block.size for block in matcher.get_matching_blocks()) < _NEAR_COPY * 2 * len(mine):
        return
    for operation, i, j, k, m in matcher.get_opcodes():
        changed, original = mine[i:j], theirs[k:m]
        if (
            operation == "equal"
            or not (changed or j < len(mine))
            or len(original) > _LOCAL
            or len(changed) > _LOCAL
        ):
            continue
        spot = changed[0] if changed else mine[j]
        if _is_turned(changed, original):
            source = " ".join(word.text for word in original) or sentence
            yield Part(spot.span, spot.text, PartKind.POLARITY, State.CONFLICTING, source)


def _is_turned(changed: Sequence[Word], original: Sequence[Word]) -> bool:
    if bool(negations(_joined(changed))) != bool(negations(_joined(original))):
        return True
    return any(are_opposites(one.stem, other.stem) for one in changed for other in original)


def _joined(some: Sequence[Word]) -> str:
    return " ".join(word.text for word in some)


def _nearest_sentence(claim: str, window: str) -> str:
    stems = content_stems(claim)
    sentences = [span.cut(window) for span in sentence_spans(window)]
    return max(sentences, key=lambda sentence: len(content_stems(sentence) & stems))
