"""Lookup: all cells that a clause of the claim names must be in one row."""

from collections.abc import Iterator, Sequence

from citations.table_claims.claim_cues import CueKind
from citations.table_claims.claim_mentions import CellMention, MentionKind
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.table_claim_questions import (
    columns_beside,
    columns_of,
    names_of,
    positions_of,
    quote_mention,
    row_name,
)
from citations.table_claims.table_claim_readings import TableOperation, TableReading
from citations.text.quote_span import Span

_DENIALS = (CueKind.NOT, CueKind.NONE)
_CLAUSE_WORDS = frozenset({"while", "whereas", "but"})


def lookups(linked: LinkedClaim) -> Iterator[TableReading]:
    yield from _lookup(linked, linked.mentions, ())
    firm = tuple(each for each in linked.mentions if not _is_loose(each))
    if len(firm) < len(linked.mentions):
        yield from _lookup(linked, firm, ("without_loose",))


def _is_loose(mention: CellMention) -> bool:
    """True for one word or number alone that is only part of its cells, or that may count something."""
    if mention.end - mention.start > 1:
        return False
    return mention.kind is MentionKind.NUMBER or (mention.kind is MentionKind.TEXT and mention.fullness < 1.0)


def _lookup(
    linked: LinkedClaim, mentions: Sequence[CellMention], traits: tuple[str, ...]
) -> Iterator[TableReading]:
    if not mentions:
        return
    found = [_find_best_row(each) for clause in _clauses(linked, mentions) for each in _alternatives(clause)]
    held = [each for _, there, _ in found for each in there]
    missing = [each for _, _, absent in found for each in absent]
    inside = positions_of(mentions)
    denials = [each for each in linked.cues if each.kind in _DENIALS and each.start not in inside]
    if denials and missing and all(_is_loose(each) for each in missing):
        return  # a word that occurs elsewhere by chance denies nothing
    covered = inside | names_of(linked, columns_of(mentions))
    yield TableReading(
        TableOperation.NEGATION if len(denials) % 2 else TableOperation.LOOKUP,
        (not missing) is not bool(len(denials) % 2),
        covered | positions_of(denials),
        "; ".join(_reason(linked, row, there, absent) for row, there, absent in found),
        tuple(_span(linked, each, row) for row, there, absent in found for each in (*there, *absent)),
        (*traits, *_traits(held, missing, found), *_find_column_traits(linked, held)),
    )


def _clauses(linked: LinkedClaim, mentions: Sequence[CellMention]) -> list[list[CellMention]]:
    clauses: list[list[CellMention]] = [[]]
    breaks = [at for at, token in enumerate(linked.tokens) if token.word in _CLAUSE_WORDS]
    for mention in mentions:
        if breaks and mention.start > breaks[0]:
            breaks = [at for at in breaks if at > mention.start]
            if len(clauses[-1]) > 1:
                clauses.append([])
        clauses[-1].append(mention)
    return clauses


def _alternatives(clause: Sequence[CellMention]) -> Iterator[list[CellMention]]:
    """Yield the clause once for each member of a list in it."""
    listed = next((each for each in clause if each.kind is MentionKind.LIST), None)
    if listed is None:
        yield list(clause)
        return
    for member in listed.members:
        yield [member if each is listed else each for each in clause if each is listed or not each.members]


_Found = tuple[int, list[CellMention], list[CellMention]]


def _find_best_row(mentions: Sequence[CellMention]) -> _Found:
    """Return the row with most of the mentions, those it has and those it lacks."""
    row = best_rows(mentions)[0] if mentions else 0
    held = [each for each in mentions if each.link_at(row) is not None]
    return row, held, [each for each in mentions if each.link_at(row) is None]


def best_rows(mentions: Sequence[CellMention]) -> list[int]:
    """Return the rows with most of the mentions, in order."""
    scores: dict[int, float] = {}
    for mention in mentions:
        for row in mention.rows:
            link = mention.link_at(row)
            scores[row] = scores.get(row, 0.0) + _weight(mention) * (link.fullness if link else 0.0)
    best = max(scores.values(), default=0.0)
    return sorted(row for row, score in scores.items() if score >= best - 1e-9) or [0]


def _weight(mention: CellMention) -> float:
    """Return the weight: a longer mention is less likely to occur in a row by chance, and a lone number most likely."""
    is_weak = mention.kind in (MentionKind.NUMBER, MentionKind.BOUND, MentionKind.OUTCOME)
    return (0.6 if is_weak else 1.0) + 0.1 * min(5, mention.end - mention.start)


def _traits(
    held: Sequence[CellMention], missing: Sequence[CellMention], found: Sequence[_Found]
) -> Iterator[str]:
    yield f"held_{min(3, len(held))}"
    if missing:
        yield f"missing_{min(2, len(missing))}"
        yield from sorted({f"missing_{each.kind.value}" for each in missing})
    if len(found) > 1:
        yield "several_clauses"


def _find_column_traits(linked: LinkedClaim, held: Sequence[CellMention]) -> Iterator[str]:
    """Yield traits that tell if a number or date stands in the column that is named next to it in the claim."""
    for mention in held:
        if mention.kind not in (MentionKind.NUMBER, MentionKind.TIME):
            continue
        beside = columns_beside(linked, mention)
        if beside:
            yield "held_in_named_column" if beside & mention.columns else "held_in_other_column"
    filled = columns_of(held)
    if any(name.share == 1.0 and name.column not in filled for name in linked.names):
        yield "named_column_unfilled"


def _span(linked: LinkedClaim, mention: CellMention, row: int) -> Span:
    """Return the span of the cell that has the mention, or should."""
    link = mention.link_at(row) or mention.links[0]
    return linked.table.rows[row][link.column].span


def _reason(
    linked: LinkedClaim, row: int, held: Sequence[CellMention], missing: Sequence[CellMention]
) -> str:
    cells = ", ".join(_describe_cell(linked, each, row) for each in held)
    if not missing:
        return f"row “{row_name(linked, row)}”: {cells}"
    absent = ", ".join(_instead(linked, each, row) for each in missing)
    return f"row “{row_name(linked, row)}”: {cells + '; ' if cells else ''}{absent}"


def _instead(linked: LinkedClaim, mention: CellMention, row: int) -> str:
    """Describe the value that the row has in place of the claim's mention."""
    wanted = f"≠ “{quote_mention(linked, mention)}”"
    if len(mention.columns) != 1:
        return wanted
    (column,) = mention.columns
    return f"{linked.table.headers[column]} “{linked.table.rows[row][column].text}” {wanted}"


def _describe_cell(linked: LinkedClaim, mention: CellMention, row: int) -> str:
    link = mention.link_at(row)
    if link is None:
        return ""
    return f"{linked.table.headers[link.column]} “{linked.table.rows[row][link.column].text}”"
