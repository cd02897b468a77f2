"""Finds figures and times that a sentence assigns to something else than the claim does.

"Sales of bicycles grew by 14 % while sales of cars shrank by 6 %" has all words of "sales of cars grew by 14 %", and
does not say it. Applies only to sentences with several figures or times of one kind, in separate clauses.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.dates.find_dates import find_times
from citations.entailment.split_claim_clauses import is_finite
from citations.find_quantities import find_quantities
from citations.text.claim_words_and_stems import Word, are_kin, content_stems, is_adverb, words
from citations.text.quote_span import Span

_BREAK = re.compile(
    r"[;:()\n]|,\s|\b(?:but|while|whereas|although|though|and|of which|compared (?:with|to))\b", re.IGNORECASE
)
_PRONOUN = re.compile(r"\W*(?:it|he|she|they|we|this|these)\b", re.IGNORECASE)


def describe_misplaced_values(claim: str, said: str) -> Iterator[str]:
    """Yield a message for each value that the claim takes from one clause of the sentence with words of another."""
    figures, times = (_figures(claim), _figures(said)), (_times(claim), _times(said))
    for mine, theirs in (figures, times):
        alike = [each for each in theirs if mine and each.kind == mine[0].kind]
        if len(mine) == 1 and len(alike) > 1:
            yield from _describe_misplaced_value(claim, mine[0], said, alike)
    if len(figures[0]) == len(times[0]) == 1 and len(figures[1]) > 1 and len(times[1]) > 1:
        yield from _find_figures_of_other_times(figures[0][0], times[0][0], said, (figures[1], times[1]))


@dataclass(frozen=True, slots=True)
class _ValueMention:
    """A mention of a figure or time in a text, with its normalized value."""

    span: Span
    value: str
    kind: str


def _figures(text: str) -> list[_ValueMention]:
    return [
        _ValueMention(each.span, f"{each.low:.9g} {each.high:.9g}", f"{each.kind} {each.unit}")
        for each in find_quantities(text)
    ]


def _times(text: str) -> list[_ValueMention]:
    return [_ValueMention(each.span, f"{each.start} {each.end}", "time") for each in find_times(text)]


def _find_clauses_of(value: str, clauses: Sequence[Span], theirs: Sequence[_ValueMention]) -> list[Span]:
    """Return the clauses that have a figure of this value."""
    alike = [each.span for each in theirs if each.value == value]
    return [clause for clause in clauses if any(span.within(clause) for span in alike)]


def _describe_misplaced_value(
    claim: str, mine: _ValueMention, said: str, theirs: Sequence[_ValueMention]
) -> Iterator[str]:
    clauses = _clauses(said, theirs)
    homes = _find_clauses_of(mine.value, clauses, theirs)
    others = [clause for clause in clauses if clause not in homes]
    if len(homes) != 1 or not others:
        return
    home = _own_words(said, homes[0], theirs)
    if _PRONOUN.match(claim):
        home -= _find_subject_stems(said, homes[0], theirs)
    away = frozenset().union(*(_own_words(said, clause, theirs) for clause in others)) - home
    if homes[0] != clauses[0] and _goes_on(said, homes[0]):
        away -= _find_subject_stems(said, clauses[0], theirs)
    wanted = content_stems(claim[: mine.span.start] + " " + claim[mine.span.end :])
    if wanted & away and any(not _has(wanted, each) for each in home):
        yield _format_mismatch(homes[0], said)


def _find_figures_of_other_times(
    figure: _ValueMention,
    time: _ValueMention,
    said: str,
    theirs: tuple[Sequence[_ValueMention], Sequence[_ValueMention]],
) -> Iterator[str]:
    """Yield figures that the sentence gives for another year: "by 3 % in 2019, by 9 % in 2020"."""
    clauses = _clauses(said, theirs[0])
    homes, dated = (
        _find_clauses_of(figure.value, clauses, theirs[0]),
        _find_clauses_of(time.value, clauses, theirs[1]),
    )
    has_own_time = homes and any(each.span.within(homes[0]) for each in theirs[1])
    if len(homes) == 1 and dated and has_own_time and homes[0] not in dated:
        yield _format_mismatch(homes[0], said)


def _format_mismatch(clause: Span, said: str) -> str:
    return f"The source says it of something else: “{clause.cut(said).strip(' ,;.')}”."


def _has(stems: frozenset[str], wanted: str) -> bool:
    return wanted in stems or any(are_kin(wanted, each) for each in stems)


def _clauses(said: str, figures: Sequence[_ValueMention]) -> list[Span]:
    """Return the clauses that have figures, each with preceding ones that have no figure and no verb."""
    cuts = [0]
    for match in _BREAK.finditer(said):
        if not any(match.start() < each.span.end and each.span.start < match.end() for each in figures):
            cuts.append(match.start())
    clauses: list[Span] = []
    start = 0
    for cut, end in zip(cuts, [*cuts[1:], len(said)], strict=True):
        stretch = Span(cut, end)
        if any(each.span.within(stretch) for each in figures):
            clauses.append(Span(start, end))
            start = end
        elif any(is_finite(word) for word in words(said) if word.span.within(stretch)):
            start = end
    return clauses


def _own_words(said: str, clause: Span, figures: Sequence[_ValueMention]) -> frozenset[str]:
    """Return the content stems of a clause outside its figures."""
    return frozenset(word.stem for word in _words_in(said, clause) if not _is_figure(word, figures))


def _words_in(said: str, clause: Span) -> list[Word]:
    return [
        word
        for word in words(said)
        if word.is_content and word.span.within(clause) and not is_adverb(word.text)
    ]


def _is_figure(word: Word, figures: Sequence[_ValueMention]) -> bool:
    return word.text[0].isdecimal() or any(word.span.within(each.span) for each in figures)


def _find_subject_stems(said: str, clause: Span, figures: Sequence[_ValueMention]) -> frozenset[str]:
    """Return the stems of a clause's subject: the words before its verb and its figure."""
    stems = set()
    for word in words(said):
        if word.start < clause.start:
            continue
        if is_finite(word) or _is_figure(word, figures) or not word.span.within(clause):
            break
        if word.is_content:
            stems.add(word.stem)
    return frozenset(stems)


def _goes_on(said: str, clause: Span) -> bool:
    """True for a clause without a subject of its own: "and closed in 2021", "and 64 percent against infection"."""
    first = next(
        (word for word in words(said) if word.span.within(clause) and word.text.lower() not in _LINKS), None
    )
    if first is None or first.text.lower() == "compared":
        return False
    return first.text[0].isdecimal() or is_finite(first)


_LINKS = frozenset("and but while whereas although though also then later".split())
