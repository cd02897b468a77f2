"""Extremes: the row named is the first, the last or the n-th of a column, or its value is the most common one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from citations.table_claims.claim_cues import Cue, CueKind
from citations.table_claims.claim_mentions import CellMention, MentionKind
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.orderable_claim_columns import ColumnMeasure, measures, sign_of, sort_value
from citations.table_claims.table_claim_questions import (
    columns_of,
    names_of,
    positions_of,
    row_name,
    select_rows,
)
from citations.table_claims.table_claim_readings import TableOperation, TableReading

_JOINS = frozenset("and with while whereas but".split())
_MAX_CLAUSES, _MAX_OF_CLAUSE = 3, 4
_SCOPES = frozenset("in of among amongst for from during at on by with within against to".split())


def extremes(linked: LinkedClaim) -> Iterator[TableReading]:
    cues = [cue for cue in linked.cues if cue.kind is CueKind.EXTREME and not _is_bound(linked, cue)]
    if not cues:
        return
    for cue in cues:
        yield from _read_clause(linked, _ExtremeClause(cue, linked.mentions))
    clauses = _clauses(linked, cues)[:_MAX_CLAUSES]
    if len(clauses) > 1:
        readings = (tuple(_read_clause(linked, clause))[:_MAX_OF_CLAUSE] for clause in clauses)
        yield from map(_together, product(*readings))


@dataclass(frozen=True, slots=True)
class _ExtremeClause:
    """A clause with one extreme: its mentions, and how many places further down ("followed by")."""

    cue: Cue
    mentions: tuple[CellMention, ...]
    further: int = 0
    word: int | None = None  # position of "followed"


def _clauses(linked: LinkedClaim, cues: Sequence[Cue]) -> list[_ExtremeClause]:
    """Return each extreme with the mentions of its own clause: "X has the most and Y the fewest, followed by Z"."""
    followed = next((at for at, token in enumerate(linked.tokens) if token.word == "followed"), None)
    starts: list[tuple[int, Cue, int, int | None]] = [
        (at, cue, 0, None) for at, cue in zip(_breaks(linked, cues), cues, strict=True)
    ]
    if followed is not None and cues and followed > cues[-1].end:
        starts.append((followed, cues[-1], 1, followed))
    ends = [start for start, *_ in starts[1:]] + [len(linked.tokens)]
    return [
        _ExtremeClause(
            cue, tuple(each for each in linked.mentions if start <= each.start < end), further, word
        )
        for (start, cue, further, word), end in zip(starts, ends, strict=True)
    ]


def _breaks(linked: LinkedClaim, cues: Sequence[Cue]) -> Iterator[int]:
    """Yield the start of the clause of each extreme: the last joining word since the extreme before."""
    last = 0
    for index, cue in enumerate(cues):
        between = range(last, cue.start)
        joins = [at for at in between if linked.tokens[at].word in _JOINS]
        yield joins[-1] if index and joins else last
        last = cue.end


def _together(readings: Sequence[TableReading]) -> TableReading:
    return TableReading(
        TableOperation.SUPERLATIVE,
        all(each.holds for each in readings),
        frozenset[int]().union(*(each.covered for each in readings)),
        "; ".join(each.reason for each in readings),
        tuple(span for each in readings for span in each.spans),
        (*sorted({trait for each in readings for trait in each.traits}), "several_extremes"),
    )


def _is_bound(linked: LinkedClaim, cue: Cue) -> bool:
    """True for "at least" and "at most"."""
    return cue.start > 0 and linked.tokens[cue.start - 1].word == "at"


def _read_clause(linked: LinkedClaim, clause: _ExtremeClause) -> Iterator[TableReading]:
    for measure in measures(linked, clause.cue):
        yield from _read_by_measure(linked, clause, measure)


def _read_by_measure(
    linked: LinkedClaim, clause: _ExtremeClause, measure: ColumnMeasure
) -> Iterator[TableReading]:
    rank, rank_words = _rank(linked, clause.cue)
    usable = [each for each in clause.mentions if not rank_words & frozenset(each.positions)]
    sign = sign_of(linked.table, clause.cue, linked.tokens[clause.cue.start].word, measure.column)
    for subject, scope, trait in _splits(linked, clause.cue, usable):
        rows = [row for row in sorted(select_rows(linked, scope)) if _value(linked, row, measure) is not None]
        winners = _select_ranked_rows(linked, rows, measure, sign, rank + clause.further)
        if len(rows) > 1 and winners:
            traits = [measure.ground.value, trait]
            traits += ["ordinal"] if rank > 1 else []
            traits += ["tied_extreme"] if len(winners) > 1 else []
            yield TableReading(
                TableOperation.SUPERLATIVE,
                bool(winners & select_rows(linked, subject)),
                _find_covered_positions(linked, clause, measure, [*subject, *scope]) | rank_words,
                _reason(linked, clause.cue, measure, sorted(winners)),
                tuple(linked.table.rows[row][measure.column].span for row in sorted(winners)[:3]),
                tuple(traits),
            )


def _find_covered_positions(
    linked: LinkedClaim, clause: _ExtremeClause, measure: ColumnMeasure, used: Sequence[CellMention]
) -> frozenset[int]:
    found = positions_of([*used, clause.cue]) | measure.positions
    found |= names_of(linked, columns_of(used) | {measure.column})
    return found if clause.word is None else found | {clause.word}


def _rank(linked: LinkedClaim, cue: Cue) -> tuple[int, frozenset[int]]:
    """Return the n of "n-th highest", by default 1, with its positions."""
    before = cue.start - 1
    if before >= 0 and linked.tokens[before].is_ordinal:
        return int(linked.tokens[before].number or 1), frozenset({before})
    return 1, frozenset()


def _splits(
    linked: LinkedClaim, cue: Cue, mentions: Sequence[CellMention]
) -> Iterator[tuple[list[CellMention], list[CellMention], str]]:
    """Yield ways of dividing the mentions into the extreme itself and the group that it is taken from."""
    if not mentions:
        return
    yield list(mentions), [], "scope_all"
    scope = [each for each in mentions if _is_scope(linked, cue, each)]
    if scope and len(scope) < len(mentions):
        yield [each for each in mentions if each not in scope], scope, "scope_said"
    elif len(mentions) > 1:
        for subject in mentions:
            yield [subject], [each for each in mentions if each is not subject], "scope_guessed"


def _is_scope(linked: LinkedClaim, cue: Cue, mention: CellMention) -> bool:
    """True for a mention after a preposition: "of all parks in Ohio", "in 1990"."""
    before = [token.word for token in linked.tokens[max(0, mention.start - 2) : mention.start]]
    if before and before[-1] in ("the", "a", "all"):
        before.pop()
    return bool(before) and before[-1] in _SCOPES


def _value(linked: LinkedClaim, row: int, measure: ColumnMeasure) -> float | None:
    return sort_value(linked.table, row, measure.column)


def _select_ranked_rows(
    linked: LinkedClaim, rows: Sequence[int], measure: ColumnMeasure, sign: int, rank: int
) -> frozenset[int]:
    """Return the rows with the `rank`-th value counted from the top (sign +1) or the bottom."""
    values = {row: sign * (_value(linked, row, measure) or 0.0) for row in rows}
    ordered = sorted(set(values.values()), reverse=True)
    if rank > len(ordered):
        return frozenset()
    return frozenset(row for row, value in values.items() if value == ordered[rank - 1])


def _reason(linked: LinkedClaim, cue: Cue, measure: ColumnMeasure, winners: Sequence[int]) -> str:
    table = linked.table
    names = ", ".join(
        f"“{row_name(linked, row)}” ({table.rows[row][measure.column].text})" for row in winners[:3]
    )
    return f"{linked.tokens[cue.start].word} {table.headers[measure.column]}: {names}"


# --- the most common value ---


def frequencies(linked: LinkedClaim) -> Iterator[TableReading]:
    cue = next((each for each in linked.cues if each.kind is CueKind.FREQUENT), None)
    superlative = next((each for each in linked.cues if _asks_number(linked, each)), None)
    if superlative is None:
        return
    for subject in linked.mentions:
        if subject.kind is MentionKind.TEXT and subject.positions.start != superlative.start:
            yield from _frequency(linked, subject, superlative, cue)


def _asks_number(linked: LinkedClaim, cue: Cue) -> bool:
    if cue.kind is CueKind.EXTREME:
        return linked.tokens[cue.start].word in ("most", "least", "fewest")
    if cue.kind is CueKind.COMPARATIVE and linked.tokens[cue.start].word in ("more", "fewer", "less"):
        return any(token.word == "other" for token in linked.tokens[cue.end :])
    return False


def _frequency(
    linked: LinkedClaim, subject: CellMention, cue: Cue, word: Cue | None
) -> Iterator[TableReading]:
    scope = [each for each in linked.mentions if each is not subject and not each.columns & subject.columns]
    rows = select_rows(linked, scope)
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
        yield TableReading(
            TableOperation.FREQUENCY,
            mine >= extreme if cue.sign > 0 else mine <= extreme,
            positions_of([subject, *scope])
            | names_of(linked, columns_of(scope) | {link.column})
            | frozenset(cue.positions)
            | frozenset(word.positions if word else ()),
            f"{linked.table.headers[link.column]} is so {mine} times; the most for one value is {extreme}",
            tuple(linked.table.rows[row][link.column].span for row in sorted(link.rows)[:5]),
            tuple(traits),
        )
