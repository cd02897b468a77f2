"""Only, all, none, most: the relation of the rows that meet one condition to those that meet the others."""

from collections.abc import Iterator, Sequence

from citations.table_claims.claim_cues import Cue, CueKind
from citations.table_claims.claim_mentions import CellMention
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.table_claim_questions import (
    columns_of,
    names_of,
    positions_of,
    quote_mention,
    select_rows,
)
from citations.table_claims.table_claim_readings import TableOperation, TableReading

_OPERATIONS = {
    CueKind.ONLY: TableOperation.ONLY,
    CueKind.ALL: TableOperation.ALL,
    CueKind.NONE: TableOperation.NONE,
    CueKind.MOST: TableOperation.MOST,
}


def find_quantifier_readings(linked: LinkedClaim) -> Iterator[TableReading]:
    for cue in linked.cues:
        if cue.kind is CueKind.NONE:
            yield from _none(linked, cue)
        elif cue.kind in _OPERATIONS:
            yield from _inclusions(linked, cue)


def _none(linked: LinkedClaim, cue: Cue) -> Iterator[TableReading]:
    inside = any(cue.start in each.positions for each in linked.mentions)
    if not inside:
        rows = select_rows(linked, linked.mentions)
        traits = () if linked.mentions else ("none_unconditioned",)
        yield _build_reading(linked, cue, linked.mentions, not rows, rows, f"{len(rows)} rows", traits)


_COPULAS = frozenset({"is", "was", "are", "were", "be", "been"})


def _subjects(linked: LinkedClaim, cue: Cue) -> Sequence[CellMention]:
    """Return the candidate subjects: X for "X is the only …", "the only … is X" and "only X"; else all mentions."""
    if cue.kind is not CueKind.ONLY or not linked.mentions:
        return linked.mentions
    before = [each for each in linked.mentions if each.end <= cue.start]
    after = [each for each in linked.mentions if each.start >= cue.end]
    words = [token.word for token in linked.tokens[max(0, cue.start - 2) : cue.start]]
    if words[-1:] == ["the"]:
        is_said_of = bool(before) and words[0] in _COPULAS
        return before[-1:] if is_said_of else linked.mentions[-1:]
    return after[:1] or before[-1:]


def _inclusions(linked: LinkedClaim, cue: Cue) -> Iterator[TableReading]:
    for subject in _subjects(linked, cue):
        others = [each for each in linked.mentions if each is not subject]
        rows = select_rows(linked, others)
        if not rows:
            continue
        inside = rows & subject.rows
        holds = 2 * len(inside) > len(rows) if cue.kind is CueKind.MOST else rows <= subject.rows
        reason = f"{len(inside)} of {len(rows)} rows are “{quote_mention(linked, subject)}”"
        yield _build_reading(
            linked, cue, linked.mentions, holds, rows, reason, tuple(_traits(linked, cue, subject, rows))
        )


def _traits(linked: LinkedClaim, cue: Cue, subject: CellMention, rows: frozenset[int]) -> Iterator[str]:
    kind = cue.kind.value
    if len(rows) == 1:
        yield f"{kind}_of_one"
    if subject is linked.mentions[0]:
        yield f"{kind}_subject_first"
    if subject is linked.mentions[-1]:
        yield f"{kind}_subject_last"
    if subject.start >= cue.end and not any(
        cue.end <= each.start < subject.start for each in linked.mentions
    ):
        yield f"{kind}_subject_next"
    if len(linked.mentions) == 1:
        yield f"{kind}_unconditioned"


def _build_reading(
    linked: LinkedClaim,
    cue: Cue,
    used: Sequence[CellMention],
    holds: bool,
    rows: frozenset[int],
    reason: str,
    traits: tuple[str, ...],
) -> TableReading:
    columns = columns_of(used)
    spans = tuple(
        linked.table.rows[row][link.column].span
        for row in sorted(rows)[:4]
        for each in used[:2]
        if (link := each.link_at(row)) is not None
    )
    covered = positions_of([*used, cue]) | names_of(linked, columns)
    return TableReading(_OPERATIONS[cue.kind], holds, covered, reason, spans, traits)
