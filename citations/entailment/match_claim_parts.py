"""Matches each quantity, time, name and word of a claim with a passage."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from citations.dates.find_dates import TimeMention, find_times
from citations.entailment.claim_parts import (
    ClaimPart,
    MatchedWords,
    PartKind,
    build_conflicting_part,
    build_matched_part,
    build_missing_part,
    classify_part,
    shift_span,
)
from citations.entailment.entailment_passage_words import PassageWords
from citations.entities.entities import Entity, find_entities
from citations.entities.entity_letter_designations import LetterDesignation, find_letter_designations
from citations.entities.entity_names import same_name
from citations.entities.find_place_entities import contains, overlap
from citations.find_quantities import Quantity, find_quantities
from citations.quantities.clock_times import find_clock_times
from citations.quantities.compare_amounts import Match, compare_with_all
from citations.text.claim_number_words import cardinals
from citations.text.claim_polarity import are_opposites, find_denied_words, opposites
from citations.text.claim_words_and_stems import Word, content_stems, words
from citations.text.quote_span import Span

_NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")


def fact_parts(claim: str, passage: PassageWords, window: Span) -> Iterator[ClaimPart]:
    """Yield quantities, times, names and bare numerals of the claim; figures and times must be in the window."""
    window_text = window.cut(passage.text)
    quantities, times = find_quantities(claim), find_times(claim)
    taken = [each.span for each in quantities] + [each.span for each in times]
    lettered = [each for each in find_letter_designations(claim) if not touches(each.span, taken)]
    taken += [each.span for each in lettered]
    names = [each for each in find_entities(claim) if not touches(each.span, taken)]  # "KiB" is a unit
    taken += [each.span for each in names]
    yield from (_quantity_part(claim, each, window_text, window) for each in quantities)
    yield from (_time_part(claim, each, window_text, window) for each in times)
    yield from (_match_letters(claim, each, passage.text, window) for each in lettered)
    yield from (_name_part(each, passage, window) for each in names)
    yield from _clock_parts(claim, window_text, window)
    yield from _numeral_parts(claim, window_text, taken)


def touches(span: Span, others: Iterable[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _quantity_part(claim: str, mine: Quantity, said: str, window: Span) -> ClaimPart:
    theirs = find_quantities(said)
    found = compare_with_all(mine, theirs)
    if found.source is not None and found.source.is_former and _is_of_now(claim, mine):
        current = compare_with_all(mine, [each for each in theirs if not each.is_former])
        found = current if current.match is Match.DIFFERENT else found
    same = found.source if found.match is Match.SAME else None
    other = found.source if found.match is Match.DIFFERENT else None
    if same is not None and _is_other_step(claim, mine.span, said, same.span):
        return build_conflicting_part(
            mine.span, mine.text, PartKind.QUANTITY, _include_word_before(same.span, said, window)
        )
    return classify_part(
        mine.span, mine.text, PartKind.QUANTITY, _place_mention(same, window), _place_mention(other, window)
    )


_NOW = re.compile(
    r"\b(?:is|are|costs?|now|currently|stands? at|totals?)\s+(?:\w+\s+){0,2}\S{0,3}$", re.IGNORECASE
)


def _is_of_now(claim: str, mine: Quantity) -> bool:
    """True for a figure that a claim gives as the present one; "was" and "had been" may give the former."""
    return not mine.is_former and _NOW.search(claim[: mine.span.start]) is not None


_STEP = re.compile(r"\b(by|to|from)\s+(?:about |nearly |almost |some |a )?$", re.IGNORECASE)
_STEPS = re.compile(
    r"\b(?:r[oi]se[sn]?|rising|rais\w+|increas\w+|f[ae]ll(?:s|en|ing)?|dropp?(?:s|ed|ing)?|gr[eo]w(?:s|n|ing|th)?|"
    r"cut|reduc\w+|lower\w+|declin\w+|decreas\w+|climb\w+|jump\w+|shr[aiu]nk|up|down)\b",
    re.IGNORECASE,
)
_STEP_REACH = 60  # characters before


def _is_other_step(claim: str, mine: Span, said: str, theirs: Span) -> bool:
    """True for a figure that is an amount of change on one side and a level on the other: "by 3 %", "to 3 %"."""
    first, second = (_step(text, span) for text, span in ((claim, mine), (said, theirs)))
    return bool(first and second and first != second)


def _step(text: str, span: Span) -> str:
    before = text[max(0, span.start - _STEP_REACH) : span.start]
    found = _STEP.search(before)
    return found[1].lower() if found and _STEPS.search(before) else ""


def _include_word_before(span: Span, said: str, window: Span) -> MatchedWords:
    start = said[: span.start].rstrip().rfind(" ") + 1
    whole = Span(start, span.end)
    return MatchedWords(whole.cut(said), shift_span(whole, window.start))


def _time_part(claim: str, mine: TimeMention, said: str, window: Span) -> ClaimPart:
    theirs = find_times(said)
    covering = [other for other in theirs if other.covers(mine)]
    same = next((other for other in covering if not _is_other_side(claim, mine.span, said, other.span)), None)
    other = next((other for other in theirs if mine.conflicts(other)), None)
    if same is None and covering:
        return build_conflicting_part(
            mine.span, mine.text, PartKind.TIME, _include_word_before(covering[0].span, said, window)
        )
    return classify_part(
        mine.span, mine.text, PartKind.TIME, _place_mention(same, window), _place_mention(other, window)
    )


_SIDE = re.compile(
    r"\b(?:(?P<from>since|after)|(?P<until>until|till|before|prior to))\s+(?:the\s)?$", re.IGNORECASE
)


def _is_other_side(claim: str, mine: Span, said: str, theirs: Span) -> bool:
    """True for a time that is an end on one side and a beginning on the other: "since 2010", "until 2010"."""
    found = [
        _SIDE.search(text[max(0, span.start - 20) : span.start])
        for text, span in ((claim, mine), (said, theirs))
    ]
    sides = {each.lastgroup for each in found if each is not None}
    return len(sides) == 2


def _place_mention(mention: Quantity | TimeMention | None, window: Span) -> MatchedWords | None:
    if mention is None:
        return None
    return MatchedWords(mention.text, shift_span(mention.span, window.start))


def _clock_parts(claim: str, said: str, window: Span) -> Iterator[ClaimPart]:
    """Yield times of day that the source gives otherwise: "9 a.m." for "9 p.m."."""
    theirs = list(find_clock_times(said))
    for mine in find_clock_times(claim) if theirs else ():
        if not any(mine.minutes & each.minutes for each in theirs):
            other = MatchedWords(theirs[0].span.cut(said), shift_span(theirs[0].span, window.start))
            yield build_conflicting_part(mine.span, mine.span.cut(claim), PartKind.TIME, other)


def _match_letters(claim: str, mine: LetterDesignation, said: str, window: Span) -> ClaimPart:
    """Match "hepatitis B" anywhere in the passage; "hepatitis C" in the window is in conflict with it."""
    own = [each for each in find_letter_designations(said) if each.head == mine.head]
    same = next(
        (MatchedWords(each.span.cut(said), each.span) for each in own if each.letter == mine.letter), None
    )
    if same is None and _has_letter(mine.letter, said):
        same = MatchedWords(mine.letter)  # "B hepatitis", "virus of type B"
    others = (MatchedWords(each.span.cut(said), each.span) for each in own if each.span.within(window))
    other = next(others, None) if same is None else None
    return classify_part(mine.span, mine.span.cut(claim), PartKind.NAME, same, other)


def _has_letter(letter: str, said: str) -> bool:
    """Return True if a text has the capital letter as a word; "A" before a small letter is the article."""
    return re.search(rf"(?<!\w){letter}(?!\w)" + r"(?! [a-z])" * (letter == "A"), said) is not None


def _name_part(name: Entity, passage: PassageWords, window: Span) -> ClaimPart:
    """Match a name anywhere in the passage: later sentences refer to it without naming it."""
    found = _all_words(_stems_of(name), passage, window)
    if found is None and not name.is_place:
        named = (each for each in find_entities(passage.text) if same_name(name.key, each.key))
        found = next((MatchedWords(each.text, each.span) for each in named), None)
    found = found or _other_length(name.text, passage)
    if found is not None:
        return build_matched_part(name.span, name.text, PartKind.NAME, found)
    sibling = _find_numbered_sibling(name, passage.text, window)
    if sibling is not None:
        return build_conflicting_part(name.span, name.text, PartKind.NAME, sibling)
    return _place_part(name, window.cut(passage.text))


def _find_numbered_sibling(name: Entity, said: str, window: Span) -> MatchedWords | None:
    """Return a name in the window that differs in its number alone: "AAL3" for "AAL2"."""
    series = _without_numbers(name.key)
    if not series or series == name.key:
        return None
    others = (each for each in find_entities(said) if each.key != name.key and each.span.within(window))
    return next(
        (MatchedWords(each.text, each.span) for each in others if _without_numbers(each.key) == series), None
    )


def _without_numbers(key: str) -> str:
    return re.sub(r"[\d.]+", "", key).strip(" -")


def _stems_of(name: Entity) -> frozenset[str]:
    """Return the words of a name with its numbers: "Swift 3" is not "Swift 4"."""
    numbers = (word.stem for word in words(name.text) if word.text[0].isdecimal())
    return content_stems(name.text).union(numbers) or frozenset({name.key})


def _all_words(stems: Iterable[str], passage: PassageWords, window: Span) -> MatchedWords | None:
    """Return the words of a name, with their place if it is a single word."""
    found = [passage.find(stem, window) for stem in sorted(stems)]
    words_found = [each for each in found if each is not None]
    if len(words_found) < len(found):
        return None
    return words_found[0] if len(words_found) == 1 else _together(words_found, passage.text)


def _together(found: list[MatchedWords], text: str) -> MatchedWords:
    """Return adjacent words as one piece; else only their text."""
    spans = sorted((each.span for each in found if each.span), key=lambda span: span.start)
    piece = Span(spans[0].start, spans[-1].end)
    is_near = len(piece) <= sum(map(len, spans)) + 8 * len(spans)
    return (
        MatchedWords(piece.cut(text), piece)
        if is_near
        else MatchedWords(" … ".join(span.cut(text) for span in spans))
    )


def _other_length(name: str, passage: PassageWords) -> MatchedWords | None:
    """Find the initials of a long name, or the long name of initials, in the passage."""
    initials = "".join(word.text[0] for word in words(name) if word.text[0].isupper())
    short = next((word for word in passage.words if len(initials) > 1 and word.text == initials), None)
    if short is not None:
        return MatchedWords(short.text, short.span)
    first = "".join(word.text[0].upper()[:1] for word in passage.words).find(name)
    if not name.isupper() or len(name) < 3 or first < 0:
        return None
    span = Span(passage.words[first].span.start, passage.words[first + len(name) - 1].span.end)
    return MatchedWords(span.cut(passage.text), span)


def _place_part(name: Entity, said: str) -> ClaimPart:
    theirs = [each for each in find_entities(said) if each.is_place] if name.is_place else []
    inside = next((MatchedWords(each.text) for each in theirs if contains(name.key, each.key)), None)
    apart = inside is None and all(not overlap(name.key, each.key) for each in theirs)
    other = MatchedWords(theirs[0].text) if theirs and apart else None
    return classify_part(name.span, name.text, PartKind.NAME, inside, other)


def _numeral_parts(claim: str, said: str, taken: list[Span]) -> Iterator[ClaimPart]:
    """Yield numerals that are not quantities (part 3, f/16); the source must have them as often as the claim."""
    left = Counter(map(_digits, _NUMERAL.findall(said)))
    left.update(f"{number.value:g}" for number in cardinals(said))  # part three
    for match in _NUMERAL.finditer(claim):
        left[_digits(match.group())] -= 1
        span = Span(*match.span())
        if left[_digits(match.group())] < 0 and not any(span.within(each) for each in taken):
            yield build_missing_part(span, match.group(), PartKind.QUANTITY)


def _digits(numeral: str) -> str:
    return numeral.replace(",", "")


def word_parts(claim: str, taken: list[Span], passage: PassageWords, window: Span) -> Iterator[ClaimPart]:
    """Yield the content words of the claim outside `taken`."""
    mine = {word.stem for word in words(claim)}
    for word in words(claim):
        if touches(word.span, taken) or not word.is_content or len(word.text) < 2:
            continue
        found = passage.find(word.stem, window) or _match_pieces(word, passage)
        other = None if found else _opposite(word, passage, window, mine)
        if other is not None and _is_denied_there_alone(word, other, claim, window.cut(passage.text)):
            found, other = other, None  # "not possible" says "impossible"
        yield classify_part(word.span, word.text, PartKind.WORD, found, other)


def _is_denied_there_alone(word: Word, other: MatchedWords, claim: str, said: str) -> bool:
    denied_here, denied_there = ({head for head, *_ in find_denied_words(text)} for text in (claim, said))
    return word.stem not in denied_here and bool(content_stems(other.text) & denied_there)


def _match_pieces(word: Word, passage: PassageWords) -> MatchedWords | None:
    """Match a hyphenated word whose pieces are all in the passage."""
    pieces = [each for piece in re.split(r"[-‐‑]", word.text) for each in words(piece)]
    if len(pieces) > 1 and all(passage.has(piece.stem) for piece in pieces):
        return MatchedWords(word.text)
    return None


def _opposite(word: Word, passage: PassageWords, window: Span, mine: set[str]) -> MatchedWords | None:
    """Return a word of the window that is opposite, and that the claim does not have as well."""
    stems = [each for each in opposites(word.stem) if each in passage.stems and each not in mine]
    places = [each for stem in stems if are_opposites(word.stem, stem) for each in passage.stems[stem]]
    inside = (each for each in places if each.span.within(window))
    first = min(inside, key=lambda each: each.span.start, default=None)
    return None if first is None else MatchedWords(first.text, first.span)
