"""Links the words of a claim to the columns and cells of a table.

A mention is a run of the claim's tokens that occurs in cells, perhaps of several columns, with one link for each. A
column name is a run that names a column. Numbers that occur nowhere are the commonest fault of false claims.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citations.table_claims.claim_cues import Cue, find_cues
from citations.table_claims.claim_dates import time_mentions
from citations.table_claims.claim_mentions import CellMention, ColumnLink, MentionKind
from citations.table_claims.claim_misspellings import MIN_MISSPELT_LENGTH, is_misspelling
from citations.table_claims.claim_table import ColumnKind, PassageTable, TablePosition
from citations.table_claims.claim_tokens import Token, tokens
from citations.table_claims.table_claim_column_names import ColumnName, column_names

_MAX_RUN = 24  # tokens of a mention
_MAX_STEPS = 60_000  # positions examined for a claim; words that occur nearly everywhere use them up
_MIN_FULLNESS_OF_NUMBER = 0.5  # a lone number with a smaller share of its cell is part of something else


@dataclass(frozen=True, slots=True)
class LinkedClaim:
    """A claim linked to a table."""

    claim: str
    table: PassageTable
    tokens: tuple[Token, ...]
    cues: tuple[Cue, ...]
    mentions: tuple[CellMention, ...]
    names: tuple[ColumnName, ...]
    title_positions: frozenset[int]


def link(claim: str, table: PassageTable) -> LinkedClaim:
    found = tuple(_correct_spelling(token, table) for token in tokens(claim))
    names = tuple(column_names(found, table))
    in_title = frozenset(at for at, token in enumerate(found) if token.key in table.title_keys)
    mentions = tuple(_mentions(claim, found, table, names))
    return LinkedClaim(claim, table, found, find_cues(found), mentions, names, in_title)


def _correct_spelling(token: Token, table: PassageTable) -> Token:
    """Return the token, with the key of the table's word that it misspells."""
    if token.number is not None or len(token.word) < MIN_MISSPELT_LENGTH or table.knows(token.key):
        return token
    meant = next(
        (each for each in table.words_like(token.word) if is_misspelling(token.word, each.word)), None
    )
    return token if meant is None else replace(token, key=meant.key)


# --- cells ---


def _mentions(
    claim: str, found: tuple[Token, ...], table: PassageTable, names: tuple[ColumnName, ...]
) -> Iterator[CellMention]:
    """Yield mentions from left to right, none overlapping; of two that do, the longer one stays."""
    candidates = [*time_mentions(claim, found, table), *_run_mentions(found, table, names)]
    yield from without_overlap(candidates)


def without_overlap(candidates: Sequence[CellMention]) -> list[CellMention]:
    def rank(each: CellMention) -> tuple[int, bool, float]:
        return each.end - each.start, each.kind is MentionKind.TIME, each.fullness

    taken: set[int] = set()
    kept: list[CellMention] = []
    for mention in sorted(candidates, key=rank, reverse=True):
        if not taken.intersection(mention.positions):
            taken.update(mention.positions)
            kept.append(mention)
    return sorted(kept, key=lambda each: each.start)


def _run_mentions(
    found: tuple[Token, ...], table: PassageTable, names: tuple[ColumnName, ...]
) -> Iterator[CellMention]:
    steps = _MAX_STEPS
    for start in range(len(found)):
        if steps < 0 or not table.places.get(found[start].key):
            continue
        for end, places in _runs(found, start, table):
            steps -= len(places)
            mention = _mention(found, start, end, places, table)
            if mention is not None and not _is_chance(mention, found, table, names):
                yield mention
                break


def _runs(found: tuple[Token, ...], start: int, table: PassageTable) -> list[tuple[int, list[TablePosition]]]:
    """Return the runs of tokens from `start` that occur in cells, longest first, with their positions."""
    places = list(table.places.get(found[start].key, ()))
    runs: list[tuple[int, list[TablePosition]]] = []
    for end in range(start + 1, min(len(found), start + _MAX_RUN) + 1):
        if places:
            runs.append((end, places))
        if not places or end == len(found):
            break
        following = table.place_sets.get(found[end].key, frozenset())
        offset = end - start
        places = [each for each in places if (each[0], each[1], each[2] + offset) in following]
    return runs[::-1]


def _mention(
    found: tuple[Token, ...], start: int, end: int, places: list[TablePosition], table: PassageTable
) -> CellMention | None:
    run = found[start:end]
    links = tuple(
        each
        for each in _links_of(places, end - start, table)
        if each.fullness == 1.0 or _is_telling(run, each, table)
    )
    if not links or not (run[0].is_content or links[0].fullness == 1.0):
        return None
    is_number = all(token.number is not None for token in run)
    return CellMention(start, end, links, MentionKind.NUMBER if is_number else MentionKind.TEXT)


def _links_of(places: list[TablePosition], length: int, table: PassageTable) -> Iterator[ColumnLink]:
    rows: dict[int, set[int]] = {}
    fullness: dict[int, float] = {}
    for place in places:
        rows.setdefault(place.column, set()).add(place.row)
        share = length / len(table.rows[place.row][place.column].tokens)
        fullness[place.column] = max(share, fullness.get(place.column, 0.0))
    for column in sorted(rows):
        yield ColumnLink(column, frozenset(rows[column]), fullness[column])


def _is_telling(run: tuple[Token, ...], link: ColumnLink, table: PassageTable) -> bool:
    """True if a part of a cell is enough to identify it."""
    if len(run) == 1 and run[0].number is not None:
        is_date = table.kinds[link.column] is ColumnKind.DATE
        return not is_date and link.fullness >= _MIN_FULLNESS_OF_NUMBER
    return any(token.is_content for token in run)


def _is_of(mention: CellMention, found: tuple[Token, ...], table: PassageTable, name: ColumnName) -> bool:
    """True if the mention lies in the name of a column, all of it words of the header."""
    header = {token.key for token in table.header_tokens[name.column]}
    inside = name.start <= mention.start and mention.end <= name.end
    return inside and all(found[at].key in header for at in mention.positions)


def _is_chance(
    mention: CellMention, found: tuple[Token, ...], table: PassageTable, names: tuple[ColumnName, ...]
) -> bool:
    """True if the words rather name a column, or the table's subject, than a cell they also occur in."""
    inside = [name for name in names if _is_of(mention, found, table, name)]
    if any(name.share == 1.0 for name in inside) and mention.kind is MentionKind.TEXT:
        return True
    if mention.fullness == 1.0:
        return False
    of_title = all(found[at].key in table.title_keys for at in mention.positions)
    return of_title or (bool(inside) and mention.end - mention.start == 1)
