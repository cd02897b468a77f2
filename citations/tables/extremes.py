"""Extremes: the row named is the first, the last or the n-th of a column, or its value the most common one."""

from collections import Counter
from collections.abc import Iterator, Sequence

from citations.tables.cues import Cue, CueKind
from citations.tables.linking import Linked, Mention, MentionKind
from citations.tables.measures import Measure, is_rank, measures, sort_value
from citations.tables.questions import (
    columns_of,
    meeting,
    names_of,
    positions_of,
    row_name,
)
from citations.tables.readings import Operation, Reading

_SCOPES = frozenset("in of among amongst for from during at on by with within against to".split())
_FLIPPED_ON_RANKS = frozenset("highest best top greatest lowest worst".split())


def extremes(linked: Linked) -> Iterator[Reading]:
    for cue in linked.cues:
        if cue.kind is CueKind.EXTREME and not _is_bound(linked, cue):
            for measure in measures(linked, cue):
                yield from _by_measure(linked, cue, measure)


def _is_bound(linked: Linked, cue: Cue) -> bool:
    """True for "at least" and "at most"."""
    return cue.start > 0 and linked.tokens[cue.start - 1].word == "at"


def _by_measure(linked: Linked, cue: Cue, measure: Measure) -> Iterator[Reading]:
    rank, rank_positions = _rank(linked, cue)
    usable = [each for each in linked.mentions if not rank_positions & frozenset(each.positions)]
    for subject, scope, trait in _splits(linked, cue, usable):
        rows = [row for row in sorted(meeting(linked, scope)) if _value(linked, row, measure) is not None]
        if len(rows) < 2:
            continue
        sign = _sign(linked, cue, measure)
        winners = _ranked(linked, rows, measure, sign, rank)
        if not winners:
            continue
        holds = bool(winners & meeting(linked, subject))
        used = [*subject, *scope]
        traits = [measure.ground.value, trait]
        if rank > 1:
            traits.append("ordinal")
        if len(winners) > 1:
            traits.append("tied_extreme")
        yield Reading(
            Operation.SUPERLATIVE,
            holds,
            positions_of(used)
            | names_of(linked, columns_of(used) | {measure.column})
            | frozenset(cue.positions)
            | rank_positions
            | measure.positions,
            _reason(linked, cue, measure, sorted(winners)),
            tuple(linked.table.rows[row][measure.column].span for row in sorted(winners)[:3]),
            tuple(traits),
        )


def _rank(linked: Linked, cue: Cue) -> tuple[int, frozenset[int]]:
    """The n of "n-th highest", 1 where it is not said, with where it is."""
    for at in (cue.start - 1, cue.start - 2):
        if 0 <= at < len(linked.tokens) and linked.tokens[at].is_ordinal and at + 1 == cue.start:
            return int(linked.tokens[at].number or 1), frozenset({at})
    return 1, frozenset()


def _splits(
    linked: Linked, cue: Cue, mentions: Sequence[Mention]
) -> Iterator[tuple[list[Mention], list[Mention], str]]:
    """Ways of taking some mentions as what is said to be the extreme, and the others as among what."""
    if not mentions:
        return
    yield list(mentions), [], "scope_all"
    scope = [each for each in mentions if _is_scope(linked, cue, each)]
    if scope and len(scope) < len(mentions):
        yield [each for each in mentions if each not in scope], scope, "scope_said"
    elif len(mentions) > 1:
        for subject in mentions:
            yield [subject], [each for each in mentions if each is not subject], "scope_guessed"


def _is_scope(linked: Linked, cue: Cue, mention: Mention) -> bool:
    """True for what a preposition sets off: "of all parks in Ohio", "in 1990"."""
    before = linked.tokens[mention.start - 1].word if mention.start else ""
    before2 = linked.tokens[mention.start - 2].word if mention.start > 1 else ""
    return before in _SCOPES or (before in ("the", "a", "all") and before2 in _SCOPES)


def _value(linked: Linked, row: int, measure: Measure) -> float | None:
    return sort_value(linked.table, row, measure.column)


def _sign(linked: Linked, cue: Cue, measure: Measure) -> int:
    """+1 when the greatest value is meant; the best rank is the smallest."""
    flips = is_rank(linked.table, measure.column) and linked.tokens[cue.start].word in _FLIPPED_ON_RANKS
    return -cue.sign if flips else cue.sign


def _ranked(linked: Linked, rows: Sequence[int], measure: Measure, sign: int, rank: int) -> frozenset[int]:
    """The rows with the `rank`-th value counted from the top (sign +1) or the bottom."""
    values = {row: sign * (_value(linked, row, measure) or 0.0) for row in rows}
    ordered = sorted(set(values.values()), reverse=True)
    if rank > len(ordered):
        return frozenset()
    return frozenset(row for row, value in values.items() if value == ordered[rank - 1])


def _reason(linked: Linked, cue: Cue, measure: Measure, winners: Sequence[int]) -> str:
    table = linked.table
    told = ", ".join(
        f"“{row_name(linked, row)}” ({table.rows[row][measure.column].text})" for row in winners[:3]
    )
    return f"{linked.tokens[cue.start].word} {table.headers[measure.column]}: {told}"


# --- the most common value ---


def frequencies(linked: Linked) -> Iterator[Reading]:
    cue = next((each for each in linked.cues if each.kind is CueKind.FREQUENT), None)
    superlative = next((each for each in linked.cues if _asks_number(linked, each)), None)
    if superlative is None:
        return
    for subject in linked.mentions:
        if subject.kind is MentionKind.TEXT and subject.positions.start != superlative.start:
            yield from _frequency(linked, subject, superlative, cue)


def _asks_number(linked: Linked, cue: Cue) -> bool:
    if cue.kind is CueKind.EXTREME:
        return linked.tokens[cue.start].word in ("most", "least", "fewest")
    if cue.kind is CueKind.COMPARATIVE and linked.tokens[cue.start].word in ("more", "fewer", "less"):
        return any(token.word == "other" for token in linked.tokens[cue.end :])
    return False


def _frequency(linked: Linked, subject: Mention, cue: Cue, word: Cue | None) -> Iterator[Reading]:
    scope = [each for each in linked.mentions if each is not subject and not each.columns & subject.columns]
    rows = meeting(linked, scope)
    for link in subject.links[:1]:
        cells = [linked.table.rows[row][link.column] for row in sorted(rows)]
        counts = Counter(tuple(token.key for token in cell.tokens) for cell in cells if not cell.is_empty)
        mine = sum(row in link.rows for row in rows)
        if not counts or max(counts.values()) < 2:
            continue
        extreme = max(counts.values()) if cue.sign > 0 else min(counts.values())
        traits = ["frequency_word"] if word else ["frequency_only"]
        traits.append("frequency_scoped" if scope else "frequency_whole")
        if cue.kind is CueKind.COMPARATIVE:
            traits.append("than_any_other")
        yield Reading(
            Operation.FREQUENCY,
            mine >= extreme if cue.sign > 0 else mine <= extreme,
            positions_of([subject, *scope])
            | names_of(linked, columns_of(scope) | {link.column})
            | frozenset(cue.positions)
            | frozenset(word.positions if word else ()),
            f"{linked.table.headers[link.column]} is so {mine} times; the most for one value is {extreme}",
            tuple(linked.table.rows[row][link.column].span for row in sorted(link.rows)[:5]),
            tuple(traits),
        )
